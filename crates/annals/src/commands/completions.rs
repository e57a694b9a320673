//! `annals completions`: words for a shell to complete.

use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write as _;

/// Print shell completions
///
/// For example: annals completions zsh > ~/.zfunc/_annals
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::cli::Cli::command(), "annals", &mut text);
    std::io::stdout().write_all(&text)?;
    Ok(())
}
