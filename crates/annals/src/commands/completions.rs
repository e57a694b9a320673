//! `annals completions`: words for a shell to complete.

use crate::completion_values::VARIABLE;
use crate::failure::CliError;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_complete::env::Shells;
use std::io::Write as _;

/// Print shell completions
///
/// Completes commands, options, ids of sessions and names of projects: the script
/// calls annals. Load it when the shell starts, so that it matches this version:
/// `source <(annals completions bash)`. With --static, the script completes commands
/// and options only, and does not call annals. With --widget, prints a key binding
/// instead: Ctrl-G lets you choose a session and inserts the command that resumes it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
    /// Print a script that does not call annals
    #[arg(long = "static")]
    is_static: bool,
    /// Print a key binding that inserts a resume command (bash, zsh, fish)
    #[arg(long, conflicts_with = "is_static")]
    widget: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut text = Vec::new();
    if args.widget {
        let message = format!("there is no widget for {}\nhint: use bash, zsh or fish", args.shell);
        let widget = widget(args.shell).ok_or(CliError::Misuse(message))?;
        std::io::stdout().write_all(widget.as_bytes())?;
        return Ok(());
    }
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

/// The key binding for a shell. The command comes quoted from annals and is only inserted:
/// the person sees it and presses Enter.
fn widget(shell: Shell) -> Option<&'static str> {
    Some(match shell {
        Shell::Bash => include_str!("completions/widget.bash"),
        Shell::Zsh => include_str!("completions/widget.zsh"),
        Shell::Fish => include_str!("completions/widget.fish"),
        _ => return None,
    })
}
