//! `annals mcp`: past sessions for agents.

use crate::cli::Redact;
use crate::context::Context;
use crate::failure::CliError;
use clap::ValueEnum;
use mcp::Settings;
use std::io;
use std::io::IsTerminal as _;

/// Serve past sessions to agents over the Model Context Protocol
///
/// Speaks MCP on standard input and output until the input ends, with tools to
/// search, list and read sessions, and for file history, usage and plans. --scope
/// limits what agents can see, by the recorded working directories of sessions.
/// Sessions imported into the archive are never served; --root DIR serves another
/// store instead of your own. Quoted text is framed so that it cannot pass for an instruction, tool
/// results are included only on request, and secrets are masked. To add it to
/// Claude Code: claude mcp add --scope user annals -- annals mcp
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which sessions agents can see
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Scope::Project)]
    scope: Scope,
}

/// The sessions that agents can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// The sessions of the project of the working directory
    Project,
    /// All sessions
    All,
}

pub(crate) fn run(context: &Context, redact: Option<Redact>, args: &Args) -> anyhow::Result<()> {
    if redact == Some(Redact::Off) {
        let text = "annals mcp always masks secrets: --redact off is not allowed";
        return Err(CliError::Misuse(text.to_owned()).into());
    }
    if io::stdin().is_terminal() {
        let message = "annals mcp serves past sessions to agents: a program talks to it on standard input, not a person\nhint: to add it to Claude Code, run `claude mcp add --scope user annals -- annals mcp` or `annals setup --only mcp`";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    let redactor = context.any_redactor()?;
    let scope = match args.scope {
        Scope::Project => {
            // All projects are below the home folder, so there only the folder itself
            // counts.
            let here = &context.settings.here;
            let is_above = context
                .settings
                .environment
                .home
                .as_ref()
                .is_some_and(|home| home.starts_with(here));
            mcp::Scope::Project(context.library.catalog().project_scope(here, is_above))
        }
        Scope::All => mcp::Scope::All,
    };
    mcp::serve(Settings {
        library: context.library.reopened(),
        redactor,
        scope,
        here: context.settings.here.clone(),
        parent: (!context.settings.is_session_named).then(std::os::unix::process::parent_id),
        zone: context.settings.zone.clone(),
        now: context.settings.now,
        version: env!("CARGO_PKG_VERSION"),
    })?;
    Ok(())
}
