//! `annals archive restore`: putting a session back.

use crate::context::Context;
use crate::failure::{Ending, say};
use crate::output::Format;
use library::{ArchiveError, RestoreOptions, RestoredSession};
use serde::Serialize;
use std::path::PathBuf;

/// Restore a session from the archive
///
/// Restores its transcript and all files that belong to it, byte for byte: to where
/// they were, so that `claude --resume` works again, or as a store in another
/// folder. Never overwrites a file. Files restored to their old place get the
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
    context.no_rows("archive restore")?;
    let id = super::ls::kept_id(context, &args.session)?;
    let to = args.to.as_deref().map(std::path::absolute).transpose()?;
    let wish =
        RestoreOptions { id: &id, to: to.as_deref(), generation: args.version, now: context.now };
    let restored = match context.library.actions().restore(wish) {
        Ok(restored) => restored,
        Err(error @ (ArchiveError::NotArchived(_) | ArchiveError::Forgotten(_))) => {
            return Err(Ending::NotFound(error.to_string()).into());
        }
        Err(error) => return Err(error.into()),
    };
    for (name, reason) in &restored.damaged {
        say(&format!("annals: {name} could not be put back: {reason}"));
    }
    let document = Document::new(&id, &restored);
    if context.output.format == Format::Json {
        context.output.json(&document)?;
    } else {
        let session = context.library.catalog().find_id(&id).filter(|_| to.is_none());
        let cwd = session.and_then(|session| session.metadata.cwd);
        context.output.text(&document.text(context, cwd.as_deref()))?;
    }
    if restored.damaged.is_empty() { Ok(()) } else { Err(Ending::Failed.into()) }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    session_id: &'a str,
    transcript: Option<String>,
    written: Vec<String>,
    already_there: Vec<String>,
    bytes: u64,
    damaged: Vec<String>,
}

impl<'a> Document<'a> {
    fn new(id: &'a str, restored: &RestoredSession) -> Self {
        let shown = |path: &PathBuf| path.to_string_lossy().into_owned();
        Document {
            schema: "annals/archive-restore/1",
            session_id: id,
            transcript: restored.transcript.as_ref().map(shown),
            written: restored.placed.written.iter().map(shown).collect(),
            already_there: restored.placed.same.iter().map(shown).collect(),
            bytes: restored.placed.bytes,
            damaged: restored.damaged.iter().map(|(name, _)| name.to_string()).collect(),
        }
    }

    /// `cwd` is where Claude Code would look for it, if it was put back there.
    fn text(&self, context: &Context, cwd: Option<&str>) -> String {
        let id = self.session_id;
        let place = self.transcript.as_deref().or(self.written.first().map(String::as_str));
        let place = place.map(|path| format!("  {}\n", context.short_path(path)));
        let place = place.unwrap_or_default();
        let mut text = match (self.written.len(), self.already_there.len()) {
            (0, 0) => return format!("Nothing of {id} could be put back.\n"),
            (0, _) => format!("Everything of {id} is there already.\n{place}"),
            (count, _) => {
                let files = render::counted(count, "file");
                format!("Restored {id}: {files}, {}\n{place}", render::bytes(self.bytes))
            }
        };
        if let Some(cwd) = cwd.filter(|_| self.transcript.is_some()) {
            let cwd = render::shell_quoted(cwd);
            text += &format!("Go on with it: cd {cwd} && claude --resume {id}\n");
        }
        render::untrusted::text(&text).into_owned()
    }
}
