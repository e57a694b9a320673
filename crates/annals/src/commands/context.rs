//! `annals context`: the content of the context window.

use crate::commands::context_text;
use crate::context::Context;
use crate::failure::CliError;
use conversation::{ContextUsage, View};
use document::{ContextCallDocument, ContextDocument};
use library::window_limit::WindowLimits;

/// Show what fills the context window of a session
///
/// Shows the window at each API call, what it consists of, the largest items, files
/// that were read repeatedly, and where the prompt cache was lost. Window sizes
/// come from the API; their composition is estimated from the text. With --jsonl
/// and --csv, each row is an API call.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session, or a sub-agent
    #[arg(default_value = "@")]
    session: String,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let found = context.find(&args.session)?;
    if found.path().is_none() {
        return Err(CliError::NotFound(format!(
            "the transcript of {} has been deleted",
            found.session.id
        ))
        .into());
    }
    let session = context.library.sessions().open_session(&found)?;
    let usage = ContextUsage::of(session.conversation(View::App));
    let turns = session.line_turns();
    let limits = WindowLimits::new(&usage.calls);
    let calls = usage.calls.iter().zip(1..);
    context.output.rows(
        calls.map(|(call, index)| ContextCallDocument::new(call, index, &turns, &limits)).collect(),
        |calls| {
            let marks = context.marks().documents_of(&session);
            ContextDocument::new(&found, marks, &usage, calls, &turns, &limits)
        },
        || context_text::text(context, &found, &usage, &turns, &limits),
    )
}
