//! Arguments that select a part of a conversation: a branch or generation, and turns.

use crate::failure::CliError;
use library::{Part, SelectionError, TurnRange};

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
    pub(crate) from: Option<u64>,
    /// End at this turn
    #[arg(long, value_name = "TURN", help_heading = "Conversation")]
    pub(crate) to: Option<u64>,
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

    /// The requested turns.
    pub(crate) fn range(&self) -> TurnRange {
        TurnRange { from: self.from, to: self.to, last: self.last, mentioning: self.find.clone() }
    }
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
