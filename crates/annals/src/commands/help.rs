//! `annals help`: the same pages as `--help`.

use crate::failure::CliError;
use crate::help_pages;

/// Print the help of annals or of a command
///
/// For example: annals help archive sync
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command [default: annals itself]
    command: Vec<String>,
}

pub(crate) fn run(args: &Args, columns: Option<usize>) -> anyhow::Result<()> {
    let mut page = help_pages::grammar_on_screen(columns);
    let mut page = &mut page;
    for name in &args.command {
        page = page.find_subcommand_mut(name).ok_or_else(|| {
            CliError::Misuse(format!(
                "unknown command {:?}\nhint: annals --help lists the commands",
                args.command.join(" ")
            ))
        })?;
    }
    page.print_long_help()?;
    Ok(())
}
