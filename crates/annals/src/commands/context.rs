//! `annals context`: the content of the context window.

use crate::commands::context_text;
use crate::context::Context;
use crate::failure::CliError;
use crate::output::Format;
use conversation::{ContextUsage, View};
use document::{ContextDocument, answers};
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
    if context.output.format != Format::Text {
        return answers::context(&session, context.marks(), usize::MAX, |mut document| {
            let calls = std::mem::take(&mut document.calls);
            let whole = |calls| ContextDocument { calls, ..document };
            context.output.rows(calls, whole, String::new)
        });
    }
    let usage = ContextUsage::of(session.conversation(View::App));
    let turns = session.line_turns();
    let limits = WindowLimits::new(&usage.calls);
    context.output.text(&context_text::text(context, &found, &usage, &turns, &limits))
}
