//! `annals archive restore`: restore a session from the archive.

use crate::context::Context;
use crate::failure::{CliError, notice};
use crate::output::Format;
use document::ArchiveRestoreDocument;
use library::archive::{ArchiveError, RestoreOptions};
use std::path::PathBuf;

/// Restore a session from the archive
///
/// Restores its transcript and all files that belong to it, in all project folders,
/// byte for byte: to where they were, so that `claude --resume` works again, or as a
/// store in another folder. Never overwrites a file. Names the files that it could not
/// restore and exits with code 2. Files restored to their old place get the
/// current time, so that Claude Code does not delete them again at once.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    session: String,
    /// Restore into this folder instead, laid out as a store
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Restore version N of the transcript (`annals archive ls SESSION` lists them)
    #[arg(long, value_name = "N")]
    version: Option<u32>,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let id = super::ls::archived_id(context, &args.session)?;
    let to = args.to.as_deref().map(std::path::absolute).transpose()?;
    let options = RestoreOptions {
        id: &id,
        to: to.as_deref(),
        generation: args.version,
        now: context.settings.now,
    };
    let restored = match context.library.actions().restore(options) {
        Ok(restored) => restored,
        Err(error @ (ArchiveError::NotArchived(_) | ArchiveError::Forgotten(_))) => {
            return Err(CliError::NotFound(error.to_string()).into());
        }
        Err(error) => return Err(error.into()),
    };
    for (name, reason) in &restored.not_restored {
        notice(&format!("annals: cannot restore {name}: {reason}"));
    }
    let document = ArchiveRestoreDocument::new(&id, &restored);
    if context.output.format == Format::Json {
        context.output.json(&document)?;
    } else {
        let session = context.library.catalog().find_id(&id).filter(|_| to.is_none());
        let cwd = session.and_then(|session| session.metadata.cwd);
        context.output.text(&text(context, &document, cwd.as_deref()))?;
    }
    if restored.not_restored.is_empty() { Ok(()) } else { Err(CliError::Failed.into()) }
}

/// `cwd` is the folder in which Claude Code finds the session, if it was restored
/// to its old place.
fn text(context: &Context, restored: &ArchiveRestoreDocument<'_>, cwd: Option<&str>) -> String {
    let id = &restored.session_id;
    let place = restored.transcript.as_deref().or(restored.written.first().map(String::as_str));
    let place = place.map(|path| format!("  {}\n", context.short_path(path)));
    let place = place.unwrap_or_default();
    let mut text = match (restored.written.len(), restored.already_there.len()) {
        (0, 0) => return format!("No file of {id} could be restored.\n"),
        (0, count) if !restored.damaged.is_empty() => {
            format!("{} of {id} already exist.\n{place}", render::counted(count, "file"))
        }
        (0, _) => format!("All files of {id} already exist.\n{place}"),
        (count, _) => {
            let files = render::counted(count, "file");
            format!("Restored {id}: {files}, {}\n{place}", render::bytes(restored.bytes))
        }
    };
    if !restored.damaged.is_empty() {
        let count = render::counted(restored.damaged.len(), "file");
        text += &format!("{count} could not be restored.\n");
    }
    if let Some(cwd) = cwd.filter(|_| restored.transcript.is_some())
        && let Some(command) = render::resume_command(id, Some(cwd), None)
    {
        text += &format!("Resume it: {command}\n");
    }
    render::untrusted::text(&text).into_owned()
}
