//! `annals archive forget`: the one way to delete what is kept.

use crate::context::Context;
use crate::failure::{Ending, say};
use crate::output::Format;
use document::ArchiveForgetDocument;
use library::{ArchiveError, ForgetPlan};
use std::io::{IsTerminal as _, Write as _};

/// Delete a session from the archive
///
/// Deletes all versions of all its files permanently. annals records the deletion,
/// so that no later sync archives the session again. Asks for confirmation first.
/// Does not touch files in Claude Code's own store, including its prompt history.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    session: String,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Keep counting its usage: its API calls stay, without any text
    #[arg(long)]
    keep_usage: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    context.no_rows("archive forget")?;
    context.check_data_home()?;
    let found = context.find(&args.session)?;
    let plan = match context.library.archive().plan_forget(&found) {
        Ok(plan) => plan,
        Err(error @ (ArchiveError::NotArchived(_) | ArchiveError::Forgotten(_))) => {
            return Err(Ending::NotFound(error.to_string()).into());
        }
        Err(error) => return Err(error.into()),
    };
    say(&question(&plan, found.session.heading()));
    if !args.yes && !agrees()? {
        say("Nothing was forgotten.");
        return Err(Ending::Silent.into());
    }
    let forgotten = context.library.actions().forget(&plan, args.keep_usage, context.now)?;
    if context.output.format == Format::Json {
        return context.output.json(&ArchiveForgetDocument::new(&plan, &forgotten));
    }
    let files = render::counted(forgotten.files, "file");
    let calls = match forgotten.calls {
        0 => String::new(),
        calls => format!("; {} of it still counted", render::counted(calls, "line")),
    };
    context.output.text(&format!("Forgot {}: {files}{calls}.\n", plan.id))
}

fn question(plan: &ForgetPlan, heading: Option<&str>) -> String {
    let files = render::counted(plan.files.len(), "file");
    let heading = render::cut(&render::untrusted::line(heading.unwrap_or_default()), Some(70));
    let mut text = format!(
        "This deletes all that is kept of session {}: {files}, {}.\n  {heading}\n",
        plan.id,
        render::bytes(plan.bytes)
    );
    if plan.is_on_disk {
        text += "Its transcript is still in Claude Code's store and stays there; it will not be kept again.\n";
    } else {
        text += "Its transcript is gone from Claude Code's store: this is the last copy.\n";
    }
    text += "What was typed in it stays in the prompt history (history.jsonl), on disk and kept.\n";
    if !plan.relatives.is_empty() {
        text += "These sessions hold some of the same text and are not forgotten:\n";
        for relative in &plan.relatives {
            let heading = relative.heading.as_deref().unwrap_or_default();
            let heading = render::cut(&render::untrusted::line(heading), Some(60));
            let relation = relative.relation.name().replace('_', " ");
            text += &format!("  {}  {relation}  {heading}\n", relative.session_id);
        }
    }
    text.trim_end().to_owned()
}

/// Asks the person at the terminal.
fn agrees() -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        let message = "nobody is there to ask: --yes forgets without asking";
        return Err(Ending::Misuse(message.to_owned()).into());
    }
    write!(std::io::stderr(), "Forget it? [y/N] ")?;
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
