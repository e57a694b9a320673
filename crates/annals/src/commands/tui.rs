//! `annals tui`: browse, search and resume sessions in a terminal.

use super::{pick, resume};
use crate::cli::GlobalArgs;
use crate::context::Context;
use crate::tui_host::TuiHost;
use crate::tui_options;
use tui::{ListPurpose, Outcome};

/// Browse, search and resume sessions in the terminal
///
/// Lists the sessions of this project, newest first; Tab shows all projects. Typing
/// searches titles, prompts, projects, branches and tags by letters and everything
/// that was said by words, in the grammar of `annals search`. Enter opens a session,
/// Ctrl-R resumes it in Claude Code; Esc, then ?, shows all keys.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// What to search for
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// Begin with the sessions of all projects
    #[arg(long = "all-projects", short = 'a')]
    all_projects: bool,
}

pub(crate) fn run(context: &Context, global: &GlobalArgs, args: &Args) -> anyhow::Result<()> {
    pick::check_terminal(context)?;
    let host = TuiHost::new(context, global);
    let query = args.query.join(" ");
    let options = tui_options::options(context, ListPurpose::Browse, query, args.all_projects)?;
    let outcome = tui::run(&context.library, &host, options);
    let outcome = outcome.map_err(|error| pick::no_terminal(&error))?;
    drop(host);
    match outcome {
        Outcome::Quit => Ok(()),
        Outcome::Chosen(ids) => context.output.text(&(ids.join("\n") + "\n")),
        Outcome::Resume { session, is_fork, folder } => {
            if folder.is_none()
                && let Ok(command) = resume::command_of(context, &session, is_fork)
            {
                crate::failure::notice(&command);
            }
            resume::run(context, global, &resume::Args::of(session, is_fork, folder))
        }
    }
}
