//! `annals tag`: a session's tag.

use super::hand_over::{check_idle, cli_error, session};
use crate::context::Context;
use crate::failure::CliError;
use crate::output::Format;
use document::{TagDocument, TaggedDocument};
use library::session::Session;

/// Show, set or remove the tag of a session
///
/// Without a tag, prints the current one and exits with 1 if there is none. Setting
/// and removing appends to the transcript the same line that Claude Code itself
/// appends, and changes nothing else. A session has at most one tag.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    session: String,
    /// The new tag [default: print the current one]
    tag: Option<String>,
    /// Remove the tag
    #[arg(long, conflicts_with = "tag")]
    remove: bool,
    /// Even if the session is running
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let session = session(context, &args.session)?;
    if args.tag.is_none() && !args.remove {
        return show(context, &session);
    }
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

/// Prints the tag.
fn show(context: &Context, session: &Session) -> anyhow::Result<()> {
    let tag = session.metadata.tag.as_deref();
    if context.output.format == Format::Json {
        context.output.json(&TagDocument::new(&session.id, tag))?;
        return if tag.is_some() { Ok(()) } else { Err(CliError::Silent.into()) };
    }
    match tag {
        Some(tag) => context.output.text(&format!("{}\n", render::untrusted::line(tag))),
        None => Err(CliError::NotFound(format!(
            "session {} has no tag\nhint: annals tag {} TAG sets one",
            session.id,
            document::short_id(&session.id)
        ))
        .into()),
    }
}
