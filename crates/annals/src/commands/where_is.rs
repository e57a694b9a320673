//! `annals where`: which project folder belongs to a path.

use crate::context::Context;
use crate::failure::Ending;
use crate::output::Format;
use library::Located;
use render::Style;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Show where Claude Code stores the sessions of a folder
///
/// Looks for the folder's own project, then for that of another worktree of its
/// repository, then for that of the nearest parent folder.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder [default: the current one]
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
    let path = args.path.as_deref().map_or_else(|| context.here.clone(), store::real_path);
    let name = context.project_dir_name.as_deref().filter(|_| path == context.here);
    let document = document(&path, context.library.catalog().locate(&path, name));
    match context.output.format {
        Format::Json => context.output.json(&document)?,
        _ => context.output.text(&text(context, &document))?,
    }
    if document.matched.is_none() {
        return Err(Ending::Silent.into());
    }
    Ok(())
}

fn document(path: &Path, found: Option<Located>) -> Document {
    let cwd = path.to_string_lossy().into_owned();
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let Some(found) = found else {
        return Document {
            schema: "annals/where/1",
            cwd,
            folder: None,
            path: None,
            matched: None,
            matched_cwd: None,
            latest_session: None,
            sessions: 0,
            other_cwds: Vec::new(),
        };
    };
    Document {
        schema: "annals/where/1",
        cwd,
        folder: found.folder.file_name().map(|name| name.to_string_lossy().into_owned()),
        path: Some(shown(&found.folder)),
        matched: Some(found.how.name()),
        matched_cwd: Some(shown(&found.path)),
        latest_session: found.latest,
        sessions: found.sessions,
        other_cwds: found.others,
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
