//! `annals rename`: a session's title.

use super::hand_over::{check_idle, cli_error, session};
use crate::context::Context;
use crate::output::Format;
use document::RenamedDocument;

/// Set the title of a session
///
/// Appends to its transcript the same line that Claude Code itself appends, and
/// changes nothing else. Every list then shows the title.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    session: String,
    /// Its title
    #[arg(required = true)]
    title: Vec<String>,
    /// Rename it even if the session is running
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let session = session(context, &args.session)?;
    check_idle(context, &session, args.force)?;
    let named =
        context.library.actions().rename(&session, &args.title.join(" ")).map_err(cli_error)?;
    if context.output.format == Format::Json {
        return context.output.json(&RenamedDocument::new(&session.id, &named));
    }
    let title = render::untrusted::line(&named.value);
    context.output.text(&format!("Renamed {}: {title}\n", session.id))
}
