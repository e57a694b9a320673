//! Which part of a conversation is asked for: a line of it, and turns of that.

use crate::failure::Ending;
use conversation::{Conversation, NodeId, Turn, Turns};

/// Which line.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct LineArgs {
    /// Show abandoned branch N instead of the current conversation
    #[arg(long, value_name = "N", help_heading = "Conversation", conflicts_with = "generation")]
    pub(crate) alt: Option<usize>,
    /// Show generation N: 1 is the part before the first compaction
    #[arg(long, value_name = "N", help_heading = "Conversation")]
    pub(crate) generation: Option<usize>,
}

impl LineArgs {
    /// Whether another line is asked for than the one that stands.
    pub(crate) fn is_given(self) -> bool {
        self.alt.is_some() || self.generation.is_some()
    }

    /// The lines that are asked for, where any are.
    pub(crate) fn of(self, said: &Conversation<'_>) -> Result<Option<Vec<NodeId>>, Ending> {
        if let Some(number) = self.alt {
            let branch = number.checked_sub(1).and_then(|place| said.branches.get(place));
            let branch = branch.ok_or_else(|| {
                let there = said.branches.len();
                Ending::NotFound(format!("there is no branch {number}: {there} were left behind"))
            })?;
            return Ok(Some(said.chain_of_branch(branch)));
        }
        let Some(number) = self.generation else { return Ok(None) };
        let line = said.generation(number).map(<[NodeId]>::to_vec);
        line.map(Some).ok_or_else(|| {
            let last = said.past_generations.len() + 1;
            Ending::NotFound(format!(
                "there is no generation {number}: the session has 1 to {last}"
            ))
        })
    }
}

/// Which turns.
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
    /// Whether turns are asked for by number or by what they speak of.
    pub(crate) fn is_given(&self) -> bool {
        self.from.is_some() || self.to.is_some() || self.find.is_some()
    }

    /// The turns that are asked for; the last so many where nobody says how many.
    pub(crate) fn wanted<'t, 'a>(
        &self,
        telling: &'t Turns<'a>,
        unasked: usize,
    ) -> Result<Vec<&'t Turn<'a>>, Ending> {
        let first = self.from.unwrap_or(0);
        let last = self.to.unwrap_or(u64::MAX);
        if first > last {
            let message = format!("--from {first} comes after --to {last}");
            return Err(Ending::Misuse(message));
        }
        let mut turns: Vec<&Turn<'_>> = telling
            .turns
            .iter()
            .filter(|turn| (first..=last).contains(&turn.number))
            .filter(|turn| self.find.as_deref().is_none_or(|words| telling.mentions(turn, words)))
            .collect();
        if let Some(words) = self.find.as_deref().filter(|_| turns.is_empty()) {
            return Err(Ending::NotFound(format!("no turn speaks of {words:?}")));
        }
        let most = self.last.unwrap_or(unasked);
        turns.drain(..turns.len().saturating_sub(most));
        Ok(turns)
    }
}
