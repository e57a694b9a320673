//! `annals man`: manual pages.

use crate::failure::CliError;
use crate::help_pages;
use std::io::Write as _;

/// Print a manual page
///
/// For example: annals man > annals.1; annals man archive sync | man -l -
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command [default: annals itself]
    command: Vec<String>,
}

const WIDTH: usize = 100;

/// The end of the page of a command.
const SEE_ALSO: &[u8] =
    b".SH \"SEE ALSO\"\n\\fBannals\\fR(1) describes the options of every command.\n";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    // Manual pages are the same for every build of a version.
    let annals = help_pages::pages(WIDTH).long_version(None::<&str>);
    let page = if args.command.is_empty() {
        annals
    } else {
        let name = args.command.join("-");
        let mut pages = super::reference::pages(&annals).into_iter();
        let Some((_, found)) = pages.find(|(parts, _)| parts.join("-") == name) else {
            return Err(CliError::Misuse(format!(
                "unknown command {:?}\nhint: annals --help lists the commands",
                args.command.join(" ")
            ))
            .into());
        };
        found.display_name(format!("annals-{name}"))
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    if !args.command.is_empty() {
        text.extend_from_slice(SEE_ALSO);
    }
    std::io::stdout().write_all(&text)?;
    Ok(())
}
