//! `annals where`: which project folder belongs to a path.

use crate::context::Context;
use crate::failure::CliError;
use crate::output::Format;
use document::WhereDocument;
use render::Style;
use std::path::PathBuf;

/// Show where Claude Code stores the sessions of a folder
///
/// Looks for the folder's own project, then for that of another worktree of its
/// repository, then for that of the nearest parent folder.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder [default: the current one]
    path: Option<PathBuf>,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let path = args.path.as_deref().map_or_else(|| context.settings.here.clone(), store::real_path);
    let name = context
        .settings
        .environment
        .project_dir_name
        .as_deref()
        .filter(|_| path == context.settings.here);
    let document = WhereDocument::new(&path, context.library.catalog().locate(&path, name));
    match context.output.format {
        Format::Json => context.output.json(&document)?,
        _ => context.output.text(&text(context, &document))?,
    }
    if document.matched.is_none() {
        return Err(CliError::Silent.into());
    }
    Ok(())
}

fn text(context: &Context, document: &WhereDocument) -> String {
    let paint = context.output.paint;
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let (Some(path), Some(matched)) = (&document.path, document.matched.as_deref()) else {
        return format!("No sessions for {} or any parent folder.\n", safe(&document.cwd));
    };
    let mut text = format!("{}\n", safe(path));
    let how = match matched {
        "exact" => "the folder's own project".to_owned(),
        "prefix" => "the folder's own project, by the prefix of its long name".to_owned(),
        "worktree" => format!(
            "another worktree: {}",
            safe(document.matched_cwd.as_deref().unwrap_or_default())
        ),
        _ => {
            format!(
                "a parent folder: {}",
                safe(document.matched_cwd.as_deref().unwrap_or_default())
            )
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
