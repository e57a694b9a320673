//! `annals man`: the manual.

use crate::failure::Ending;
use clap::CommandFactory;
use std::io::Write as _;

/// Print a page of the manual
///
/// For example: annals man > annals.1; annals man ls | man -l -
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command whose page is wanted; annals itself otherwise
    command: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut annals = crate::cli::Cli::command();
    annals.build();
    let page = match &args.command {
        None => annals,
        Some(name) => {
            let found = annals.find_subcommand(name).cloned();
            let Some(found) = found else {
                return Err(Ending::NotFound(format!(
                    "there is no command {name:?}: annals --help lists them"
                ))
                .into());
            };
            let full = format!("annals-{name}");
            found.display_name(full)
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    std::io::stdout().write_all(&text)?;
    Ok(())
}
