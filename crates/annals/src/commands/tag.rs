//! `annals tag`: a session's tag.

use super::hand_over::{check_idle, ending, session};
use crate::context::Context;
use crate::output::Format;
use document::TaggedDocument;

/// Give a session a tag, or take it away
///
/// Adds the line to its transcript that Claude Code's own tools add; nothing else
/// is changed. A session has one tag.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    session: String,
    /// The tag; without it the session's tag is taken away
    tag: Option<String>,
    /// Also if the session is running
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    context.no_rows("tag")?;
    let session = session(context, &args.session)?;
    check_idle(context, &session, args.force)?;
    let named = context.library.tag(&session, args.tag.as_deref()).map_err(ending)?;
    let document = TaggedDocument::new(&session.id, &named);
    if context.output.format == Format::Json {
        return context.output.json(&document);
    }
    let id = &session.id;
    context.output.text(&match &document.tag {
        Some(tag) => format!("Tagged {id}: {}\n", render::untrusted::line(tag)),
        None => format!("Took the tag of {id} away\n"),
    })
}
