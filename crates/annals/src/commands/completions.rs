//! `annals completions`: words for a shell to complete.

use crate::completion_values::VARIABLE;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_complete::env::Shells;
use std::io::Write as _;

/// Print shell completions
///
/// Completes commands, options, ids of sessions and names of projects: the script
/// calls annals. Load it when the shell starts, so that it matches this version:
/// `source <(annals completions bash)`. With --static, the script completes commands
/// and options only, and does not call annals.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
    /// Print a script that does not call annals
    #[arg(long = "static")]
    is_static: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut text = Vec::new();
    let shells = Shells::builtins();
    let shell = shells.completer(&args.shell.to_string()).filter(|_| !args.is_static);
    if let Some(shell) = shell {
        shell.write_registration(VARIABLE, "annals", "annals", "annals", &mut text)?;
    } else {
        let mut annals = crate::cli::Cli::command();
        clap_complete::generate(args.shell, &mut annals, "annals", &mut text);
    }
    std::io::stdout().write_all(&text)?;
    Ok(())
}
