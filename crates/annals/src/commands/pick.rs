//! `annals pick`: choose a session from a list, for scripts and for other commands.

use super::resume;
use crate::cli::GlobalArgs;
use crate::context::Context;
use crate::failure::CliError;
use crate::tui_host::TuiHost;
use crate::tui_options;
use clap::ValueEnum;
use document::SessionDocument;
use std::io;
use tui::{ListPurpose, Outcome};

/// Choose a session and print its id
///
/// Shows the list of `annals tui` on the terminal, also where the output is captured:
/// `claude --resume "$(annals pick)"`. Esc prints nothing and exits with 1; without a
/// terminal it exits with 2.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to search for
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// What to print
    #[arg(long, value_enum, value_name = "WHAT", default_value = "id")]
    print: Print,
    /// Choose several sessions with Ctrl-X; prints one line for each
    #[arg(long)]
    multi: bool,
    /// Begin with the sessions of all projects
    #[arg(long = "all-projects", short = 'a')]
    all_projects: bool,
}

/// What is printed of a chosen session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Print {
    /// Its id
    Id,
    /// The command that resumes it
    Command,
    /// The path of its transcript
    Path,
    /// Its metadata as JSON
    Json,
}

/// The option of commands that show one session.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct PickArgs {
    /// Choose the session from a list
    #[arg(long, conflicts_with = "session")]
    pick: bool,
}

impl PickArgs {
    /// The name that was given, or the session that the person chooses.
    pub(crate) fn name(
        self,
        context: &Context,
        global: &GlobalArgs,
        given: &str,
    ) -> anyhow::Result<String> {
        if self.pick { choose_one(context, global) } else { Ok(given.to_owned()) }
    }
}

pub(crate) fn run(context: &Context, global: &GlobalArgs, args: &Args) -> anyhow::Result<()> {
    let purpose = if args.multi { ListPurpose::PickSeveral } else { ListPurpose::Pick };
    let ids = choose(context, global, purpose, args.query.join(" "), args.all_projects)?;
    let mut text = String::new();
    for id in ids {
        text += &printed(context, &id, args.print)?;
        text.push('\n');
    }
    context.output.unpaged(&text)
}

fn printed(context: &Context, id: &str, print: Print) -> anyhow::Result<String> {
    Ok(match print {
        Print::Id => id.to_owned(),
        Print::Command => resume::command_of(context, id, false)?,
        Print::Path => {
            let found = context.find(id)?;
            let path = super::show::transcript(&found)?;
            render::untrusted::line(&path.to_string_lossy()).into_owned()
        }
        Print::Json => {
            let found = context.find(id)?;
            let marks = context.mark_documents(&found.session.id);
            let document = SessionDocument::new(&found.session, marks);
            render::untrusted::json(&serde_json::to_string(&document)?).into_owned()
        }
    })
}

/// Lets a person choose one session.
pub(crate) fn choose_one(context: &Context, global: &GlobalArgs) -> anyhow::Result<String> {
    let mut ids = choose(context, global, ListPurpose::Pick, String::new(), false)?;
    ids.pop().ok_or_else(|| CliError::Silent.into())
}

/// Lets a person choose several sessions.
pub(crate) fn choose_several(
    context: &Context,
    global: &GlobalArgs,
) -> anyhow::Result<Vec<String>> {
    choose(context, global, ListPurpose::PickSeveral, String::new(), false)
}

fn choose(
    context: &Context,
    global: &GlobalArgs,
    purpose: ListPurpose,
    query: String,
    all_projects: bool,
) -> anyhow::Result<Vec<String>> {
    check_terminal(context)?;
    let host = TuiHost::new(context, global);
    let options = tui_options::options(context, purpose, query, all_projects)?;
    let outcome = tui::run(&context.library, &host, options);
    match outcome.map_err(|error| no_terminal(&error))? {
        Outcome::Chosen(ids) => Ok(ids),
        Outcome::Quit | Outcome::Resume { .. } => Err(CliError::Silent.into()),
    }
}

/// Whether a person could choose: not in a pipe and not under an agent.
pub(crate) fn is_possible(context: &Context) -> bool {
    check_terminal(context).is_ok() && context.output.is_terminal
}

/// Refuses agents and terminals that cannot be drawn on.
pub(crate) fn check_terminal(context: &Context) -> Result<(), CliError> {
    if context.output.is_agent {
        let message = "agents cannot choose from a list\nhint: annals ls and annals search print sessions; name one by its id";
        return Err(CliError::Misuse(message.to_owned()));
    }
    if context.settings.environment.is_dumb {
        let message = "this terminal cannot show a list: TERM is dumb\nhint: annals ls prints one";
        return Err(CliError::Misuse(message.to_owned()));
    }
    Ok(())
}

/// The error where there is no terminal.
pub(crate) fn no_terminal(error: &io::Error) -> CliError {
    CliError::Misuse(format!(
        "no terminal to show the list on: {error}\nhint: annals ls prints one"
    ))
}
