//! "Nothing found" in an answer that may lack something: a failure with the reason, decided here for
//! every command.
//!
//! What an answer may lack is what its document warns of (`Output::warnings`), stores that were skipped,
//! and what the lake could not bring.

use crate::cli::Command;
use crate::context::Context;
use crate::failure::CliError;
use crate::lake_view::LakeReading;
use anyhow::anyhow;
use library::search::Freshness;

/// Fails if a command that ended well listed nothing, and something could not be read.
pub(crate) fn check(context: &Context, listed: Option<Listed>) -> anyhow::Result<()> {
    let Some(listed) = listed.filter(|_| context.output.found_nothing()) else { return Ok(()) };
    reason(context, listed).map_or(Ok(()), |reason| Err(nothing_found(&reason)))
}

/// What a command lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// What is in all sessions, or in those that filters admit.
    OfAllSessions,
    /// What has nothing to do with other apps' sessions that cannot be read: what is in a session
    /// that was found by its name, or in the archive.
    WithoutUnreadApps,
}

impl Listed {
    /// What a command lists; `None` if it is not in sessions.
    pub(crate) fn by(command: &Command) -> Option<Listed> {
        let needs_apps = match command {
            Command::Ls(_) | Command::Projects(_) | Command::Doctor(_) => true,
            Command::Prompts(args) => !args.names_session(),
            Command::Tools(args) => !args.names_session(),
            Command::Files(args) => !args.names_session(),
            Command::Usage(args) => !args.names_session(),
            Command::Archive(args) => args.lists_deleted(),
            Command::Agents(_) => false,
            _ => return None,
        };
        Some(if needs_apps { Listed::OfAllSessions } else { Listed::WithoutUnreadApps })
    }
}

/// What an answer of the index may lack.
pub(crate) fn gap(context: &Context, fresh: &Freshness) -> Option<String> {
    fresh.gap().map(|gap| gap.to_string()).or_else(|| reason(context, Listed::OfAllSessions))
}

/// Why an answer may lack something; `None` if it is whole.
pub(crate) fn reason(context: &Context, listed: Listed) -> Option<String> {
    let mut warnings = context.output.warnings().into_iter();
    let warning = warnings.find(|warning| listed == Listed::OfAllSessions || warning.app.is_none());
    let of_root = || {
        let roots = context.library.health().unusable_roots();
        roots.first().filter(|_| listed == Listed::OfAllSessions).map(ToString::to_string)
    };
    let of_lake = || context.lake.as_ref().and_then(LakeReading::gap);
    warning.map(|warning| warning.message).or_else(of_root).or_else(of_lake)
}

/// The end of a command that found nothing: exit 1 if nothing is there, and 2 with the
/// reason if not everything could be looked at.
pub(crate) fn end_of_nothing(gap: Option<String>) -> anyhow::Error {
    gap.map_or_else(|| CliError::Silent.into(), |gap| nothing_found(&gap))
}

fn nothing_found(reason: &str) -> anyhow::Error {
    anyhow!("found nothing, but not everything could be searched: {reason}")
}
