//! `annals where`: which project folder belongs to a path.

use crate::context::{Context, absolute};
use crate::failure::Ending;
use crate::output::Format;
use render::Style;
use serde::Serialize;
use std::path::{Path, PathBuf};
use store::{Chunks, Facts, Lookup, Match, Matched};

/// Tell where Claude Code keeps the sessions of a folder
///
/// The folder's own project, that of another worktree of its repository, or that
/// of the nearest folder above it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder; the current one otherwise
    path: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: &'static str,
    cwd: String,
    folder: Option<String>,
    path: Option<String>,
    matched: Option<&'static str>,
    matched_cwd: Option<String>,
    latest_session: Option<String>,
    sessions: usize,
    other_cwds: Vec<String>,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    context.no_rows("where")?;
    let path = args.path.as_deref().map_or_else(|| context.here.clone(), absolute);
    let found = find(context, &path);
    let document = document(&path, found.as_ref());
    match context.output.format {
        Format::Json => context.output.json(&document)?,
        _ => context.output.text(&text(context, &document))?,
    }
    if document.matched.is_none() {
        return Err(Ending::Silent.into());
    }
    Ok(())
}

/// The best match over all stores: the most direct, then the first store's.
fn find(context: &Context, path: &Path) -> Option<Matched> {
    let name = context.project_dir_name.as_deref().filter(|_| path == context.here);
    let matches = context.library.roots().iter().filter_map(|root| {
        let projects = root.projects()?;
        Lookup { projects: &projects, name }.find(path)
    });
    matches.min_by_key(|matched| match matched.how {
        Match::Exact => 0,
        Match::Prefix => 1,
        // The nearer the folder above, the longer its path.
        Match::Worktree | Match::Parent => usize::MAX - matched.path.as_os_str().len(),
    })
}

fn document(path: &Path, found: Option<&Matched>) -> Document {
    let latest = found.and_then(|found| {
        let mut chunks = Chunks::default();
        let shown = found.sessions.iter().find(|session| {
            let facts = Facts::read(&session.path, session.folder.as_ref(), &mut chunks);
            facts.is_ok_and(|facts| facts.hidden.is_none())
        });
        Some(shown.or(found.sessions.first())?.id.clone())
    });
    Document {
        schema: "annals/where/1",
        cwd: path.to_string_lossy().into_owned(),
        folder: found.map(|found| found.folder.name.clone()),
        path: found.map(|found| found.folder.path.to_string_lossy().into_owned()),
        matched: found.map(|found| found.how.name()),
        matched_cwd: found.map(|found| found.path.to_string_lossy().into_owned()),
        latest_session: latest,
        sessions: found.map_or(0, |found| found.sessions.len()),
        other_cwds: found.map(|found| found.others.clone()).unwrap_or_default(),
    }
}

fn text(context: &Context, document: &Document) -> String {
    let paint = context.output.paint;
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let (Some(path), Some(matched)) = (&document.path, document.matched) else {
        return format!("No sessions of {} or of any folder above it.\n", safe(&document.cwd));
    };
    let mut text = format!("{}\n", safe(path));
    let how = match matched {
        "exact" => "the folder's own project".to_owned(),
        "prefix" => "the folder's own project, by the beginning of its long name".to_owned(),
        "worktree" => format!(
            "another worktree: {}",
            safe(document.matched_cwd.as_deref().unwrap_or_default())
        ),
        _ => {
            format!("a folder above: {}", safe(document.matched_cwd.as_deref().unwrap_or_default()))
        }
    };
    text += &format!("{} {how}\n", paint.paint(Style::Dim, "matched "));
    text += &format!("{} {}\n", paint.paint(Style::Dim, "sessions"), document.sessions);
    if let Some(latest) = &document.latest_session {
        text += &format!(
            "{} {}\n",
            paint.paint(Style::Dim, "latest  "),
            paint.paint(Style::Id, &safe(latest))
        );
    }
    for other in &document.other_cwds {
        text += &format!(
            "{} {} shares this folder\n",
            paint.paint(Style::Warning, "note    "),
            safe(other)
        );
    }
    text
}
