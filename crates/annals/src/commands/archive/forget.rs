//! `annals archive forget`: the only way to delete a session from the archive.

use crate::context::Context;
use crate::failure::{CliError, notice};
use crate::output::Format;
use document::ArchiveForgetDocument;
use library::apps::App;
use library::archive::{ArchiveError, ForgetPlan};
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
    context.check_data_home()?;
    let found = context.find(&args.session)?;
    let plan = match context.library.archive().plan_forget(&found) {
        Ok(plan) => plan,
        Err(error @ (ArchiveError::NotArchived(_) | ArchiveError::Forgotten(_))) => {
            return Err(CliError::NotFound(error.to_string()).into());
        }
        Err(error) => return Err(error.into()),
    };
    notice(&question(&plan, found.session.heading()));
    if !args.yes && !is_confirmed()? {
        notice("Nothing was deleted.");
        return Err(CliError::Silent.into());
    }
    let forgotten =
        context.library.actions().forget(&plan, args.keep_usage, context.settings.now)?;
    if context.output.format == Format::Json {
        return context.output.json(&ArchiveForgetDocument::new(&plan, &forgotten));
    }
    let files = render::counted(forgotten.files, "file");
    let calls = match forgotten.calls {
        0 => String::new(),
        calls => format!("; {} kept for usage", render::counted(calls, "line")),
    };
    context.output.text(&format!("Deleted {} from the archive: {files}{calls}.\n", plan.id))
}

fn question(plan: &ForgetPlan, heading: Option<&str>) -> String {
    let files = render::counted(plan.files.len(), "file");
    let heading = render::cut(&render::untrusted::line(heading.unwrap_or_default()), Some(70));
    let mut text = format!(
        "This deletes session {} from the archive: {files}, {}.\n  {heading}\n",
        plan.id,
        render::bytes(plan.bytes)
    );
    let app = App::split_id(&plan.id).0.unwrap_or(App::Claude);
    if plan.is_on_disk {
        let app = app.title();
        text += &format!(
            "{app} still has its transcript, which stays there but will not be archived again.\n"
        );
    } else if plan.may_be_on_disk {
        let app = app.title();
        text += &format!(
            "{app} may still have its transcript: not everything of {app} can be read. This may be the last copy.\n"
        );
    } else {
        text += "Its transcript is gone from disk: this is the last copy.\n";
    }
    if app == App::Claude {
        text +=
            "Its prompts stay in the prompt history (history.jsonl), on disk and in the archive.\n";
    }
    if !plan.relatives.is_empty() {
        text += "These sessions contain some of the same text and are not deleted:\n";
        for relative in &plan.relatives {
            let heading = relative.heading.as_deref().unwrap_or_default();
            let heading = render::cut(&render::untrusted::line(heading), Some(60));
            let relation = relative.relation.name().replace('_', " ");
            text += &format!("  {}  {relation}  {heading}\n", relative.session_id);
        }
    }
    text.trim_end().to_owned()
}

/// Asks the user for confirmation.
fn is_confirmed() -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        let message = "not a terminal: pass --yes to confirm";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    write!(std::io::stderr(), "Delete it from the archive? [y/N] ")?;
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
