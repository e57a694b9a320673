//! Arguments that select a part of a conversation: a branch or generation, and turns.

use crate::context::Context;
use crate::failure::CliError;
use library::apps::App;
use library::catalog::FoundSession;
use library::sessions::{Part, SelectionError, TurnNumber, TurnRange};

/// Selects a branch or generation.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct LineArgs {
    /// Show abandoned branch N instead of the current conversation
    #[arg(long, alias = "alt", value_name = "N", help_heading = "Conversation")]
    #[arg(conflicts_with = "generation")]
    pub(crate) abandoned: Option<usize>,
    /// Show generation N: 1 is the part before the first compaction
    #[arg(long, value_name = "N", help_heading = "Conversation")]
    pub(crate) generation: Option<usize>,
}

impl LineArgs {
    /// Whether a branch or generation other than the current one is requested.
    pub(crate) fn is_given(self) -> bool {
        self.abandoned.is_some() || self.generation.is_some()
    }

    /// The requested part, otherwise the default one.
    pub(crate) fn part_or(self, default: Part) -> Part {
        match (self.abandoned, self.generation) {
            (Some(number), _) => Part::AbandonedBranch(number),
            (None, Some(number)) => Part::Generation(number),
            (None, None) => default,
        }
    }
}

/// Selects turns.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct TurnArgs {
    /// Start at this turn
    #[arg(long, value_name = "TURN", help_heading = "Conversation")]
    pub(crate) from: Option<TurnNumber>,
    /// End at this turn
    #[arg(long, value_name = "TURN", help_heading = "Conversation")]
    pub(crate) to: Option<TurnNumber>,
    /// Only the last N turns
    #[arg(long, value_name = "N", help_heading = "Conversation")]
    pub(crate) last: Option<usize>,
    /// Only turns that contain TEXT
    #[arg(long, value_name = "TEXT", help_heading = "Conversation")]
    pub(crate) find: Option<String>,
}

impl TurnArgs {
    /// Whether turns are requested by number or by text.
    pub(crate) fn is_given(&self) -> bool {
        self.from.is_some() || self.to.is_some() || self.find.is_some()
    }

    /// The part that has the requested turns, if they are requested by number.
    pub(crate) fn part(&self) -> Option<Part> {
        self.from.or(self.to).map(Part::with_turn)
    }

    /// The requested turns.
    pub(crate) fn range(&self) -> TurnRange {
        TurnRange {
            from: self.from,
            to: self.to,
            around: 0,
            last: self.last,
            mentioning: self.find.clone(),
        }
    }
}

/// Splits a name from the turn after its last colon: `1a2b3c4d:12`, `codex:1a2b3c4d:12`.
pub(crate) fn split_turn(name: &str) -> (&str, Option<TurnNumber>) {
    // The name of an app before the first colon belongs to the id.
    let (_, id) = App::split_id(name);
    let split = id.rsplit_once(':').filter(|(before, _)| !before.is_empty());
    let turn = split.and_then(|(_, turn)| Some((turn.len() + 1, turn.parse().ok()?)));
    turn.map_or((name, None), |(end, turn)| (&name[..name.len() - end], Some(turn)))
}

/// Finds a session or sub-agent by its name, with the turn after it. A title that
/// itself ends like a turn is found as it is.
pub(crate) fn find_turn(
    context: &Context,
    name: &str,
) -> anyhow::Result<(FoundSession, Option<TurnNumber>)> {
    let (before, turn) = split_turn(name);
    let is_id = |name: &str| {
        let name = App::split_id(name.trim_end_matches('…')).1;
        name.starts_with('@') || name.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    };
    if turn.is_some()
        && !is_id(before)
        && let Ok(found) = context.find(name)
    {
        return Ok((found, None));
    }
    Ok((context.find(before)?, turn))
}

/// The error for a selection that matches nothing.
pub(crate) fn selection_error(error: &SelectionError) -> CliError {
    match error {
        SelectionError::ReversedRange { from, to } => {
            CliError::Misuse(format!("--from {from} is greater than --to {to}"))
        }
        error => CliError::NotFound(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_behind_the_last_colon_is_a_turn() {
        let main = |number| Some(TurnNumber::Main(number));
        let table = [
            ("flaky", ("flaky", None)),
            ("flaky:2", ("flaky", main(2))),
            ("flaky:b1.2", ("flaky", Some(TurnNumber::Branch { branch: 1, turn: 2 }))),
            ("@:0", ("@", main(0))),
            ("fix: it", ("fix: it", None)),
            ("fix:2: it", ("fix:2: it", None)),
            ("fix:2:3", ("fix:2", main(3))),
            ("flaky:", ("flaky:", None)),
            ("flaky:-1", ("flaky:-1", None)),
            ("flaky:bug", ("flaky:bug", None)),
            (":2", (":2", None)),
            ("a:99999999999999999999", ("a", main(u32::MAX))),
        ];
        for (name, expected) in table {
            assert_eq!(split_turn(name), expected, "{name}");
        }
    }
}
