//! Where turns begin, and undoing them.

use crate::EntryState;

use super::Reader;
use super::mirrors::Mirrors;

/// The turns that are not undone.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// The first entry of each.
    starts: Vec<usize>,
    /// Whether the program said that a turn began and not yet that it ended. Older versions
    /// say neither: there a prompt begins a turn.
    is_open: bool,
}

impl Reader {
    /// Notes that the program said that a turn begins with the next entry. A migrated file
    /// says so after the item of the prompt.
    pub(super) fn begin_turn(&mut self) {
        let prompts = self.mirrors.take_prompts_before_turn(&self.session.entries);
        let start = prompts.first().copied().unwrap_or(self.session.entries.len());
        if self.turns.starts.last() != Some(&start) {
            self.turns.starts.push(start);
        }
        self.turns.is_open = true;
        self.mirrors = Mirrors::waiting_for(prompts);
    }

    /// Notes that the program said that the turn ended.
    pub(super) fn end_turn(&mut self) {
        self.turns.is_open = false;
    }

    /// Sets the turn of new entries, for events that name it themselves: a review goes on
    /// beside the turns within it.
    pub(super) fn set_turn(&mut self, start: usize, turn: Option<&str>) {
        let Some(turn) = turn else { return };
        for entry in self.session.entries.iter_mut().skip(start) {
            if entry.turn.as_deref() != Some(turn) {
                entry.turn = Some(turn.to_owned());
            }
        }
    }

    /// Notes that the next entry is a prompt, which begins a turn unless one has begun.
    pub(super) fn begin_turn_by_prompt(&mut self) {
        if !self.turns.is_open {
            self.turns.starts.push(self.session.entries.len());
        }
    }

    /// Marks the last turns as undone.
    pub(super) fn undo_turns(&mut self, number: usize) {
        let kept = self.turns.starts.len().saturating_sub(number);
        let Some(start) = self.turns.starts.get(kept).copied() else { return };
        for entry in self.session.entries.iter_mut().skip(start) {
            entry.state = EntryState::Undone;
        }
        self.turns.starts.truncate(kept);
        self.turns.is_open = false;
        self.mirrors = Mirrors::default();
    }
}
