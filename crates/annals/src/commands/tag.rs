//! `annals tag`: a session's tag.

use super::hand_over::{check_idle, cli_error, session};
use crate::context::Context;
use crate::output::Format;
use document::TaggedDocument;

/// Set or remove the tag of a session
///
/// Appends to its transcript the same line that Claude Code itself appends, and
/// changes nothing else. A session has at most one tag.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    session: String,
    /// The tag; without it, the current tag is removed
    tag: Option<String>,
    /// Even if the session is running
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    context.no_rows("tag")?;
    let session = session(context, &args.session)?;
    check_idle(context, &session, args.force)?;
    let named = context.library.actions().tag(&session, args.tag.as_deref()).map_err(cli_error)?;
    let document = TaggedDocument::new(&session.id, &named);
    if context.output.format == Format::Json {
        return context.output.json(&document);
    }
    let id = &session.id;
    context.output.text(&match &document.tag {
        Some(tag) => format!("Tagged {id}: {}\n", render::untrusted::line(tag)),
        None => format!("Removed the tag of {id}\n"),
    })
}
