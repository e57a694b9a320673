//! `annals archive restore`: putting a session back.

use crate::context::Context;
use crate::failure::{Ending, say};
use crate::output::Format;
use library::{KeepError, Restored, Restoring};
use serde::Serialize;
use std::path::PathBuf;

/// Put a kept session back
///
/// Its transcript and everything that belongs to it, byte for byte: where they
/// were, so that `claude --resume` works again, or laid out as a store in another
/// folder. Nothing that is there is overwritten. Put back where they were, files
/// count as changed now, so that the cleanup does not take them at once.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    session: String,
    /// Put it into this folder instead, laid out as a store
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// An earlier version of its transcript; annals archive ls SESSION lists them
    #[arg(long, value_name = "N")]
    version: Option<u32>,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    context.no_rows("archive restore")?;
    let id = super::ls::kept_id(context, &args.session)?;
    let to = args.to.as_deref().map(std::path::absolute).transpose()?;
    let wish = Restoring { id: &id, to: to.as_deref(), generation: args.version, now: context.now };
    let restored = match context.library.restore(wish) {
        Ok(restored) => restored,
        Err(KeepError::NotKept(id)) => {
            return Err(Ending::NotFound(format!("nothing of session {id} is kept")).into());
        }
        Err(error) => return Err(error.into()),
    };
    for (name, reason) in &restored.damaged {
        say(&format!("annals: {name} could not be put back: {reason}"));
    }
    let document = Document::new(&id, &restored);
    match context.output.format {
        Format::Json => context.output.json(&document)?,
        _ => context.output.text(&document.text(context, to.is_none()))?,
    }
    if restored.damaged.is_empty() { Ok(()) } else { Err(Ending::Failed.into()) }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    id: &'a str,
    transcript: Option<String>,
    written: Vec<String>,
    already_there: Vec<String>,
    bytes: u64,
    damaged: Vec<String>,
}

impl<'a> Document<'a> {
    fn new(id: &'a str, restored: &Restored) -> Self {
        let shown = |path: &PathBuf| path.to_string_lossy().into_owned();
        Document {
            schema: "annals/archive-restore/1",
            id,
            transcript: restored.transcript.as_ref().map(shown),
            written: restored.placed.written.iter().map(shown).collect(),
            already_there: restored.placed.same.iter().map(shown).collect(),
            bytes: restored.placed.bytes,
            damaged: restored.damaged.iter().map(|(name, _)| name.to_string()).collect(),
        }
    }

    fn text(&self, context: &Context, is_live: bool) -> String {
        let transcript = self.transcript.as_deref().map(|path| context.short_path(path));
        let place = transcript.unwrap_or_default();
        let mut text = if self.written.is_empty() {
            format!("Everything of {} is there already: {place}\n", self.id)
        } else {
            let files = render::counted(self.written.len(), "file");
            format!("Restored {}: {files}, {}\n  {place}\n", self.id, render::bytes(self.bytes))
        };
        if is_live && self.transcript.is_some() {
            text += &format!("Go on with it: claude --resume {}\n", self.id);
        }
        render::untrusted::text(&text).into_owned()
    }
}
