//! `annals man`: manual pages.

use crate::failure::CliError;
use clap::CommandFactory;
use std::io::Write as _;

/// Print a manual page
///
/// For example: annals man > annals.1; annals man archive sync | man -l -
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command [default: annals itself]
    command: Vec<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut annals = crate::cli::Cli::command();
    annals.build();
    let page = if args.command.is_empty() {
        annals
    } else {
        let name = args.command.join("-");
        let mut pages = super::reference::pages(&annals).into_iter();
        let Some((_, found)) = pages.find(|(parts, _)| parts.join("-") == name) else {
            return Err(CliError::NotFound(format!(
                "unknown command {:?}\nhint: annals --help lists the commands",
                args.command.join(" ")
            ))
            .into());
        };
        found.display_name(format!("annals-{name}"))
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    std::io::stdout().write_all(&text)?;
    Ok(())
}
