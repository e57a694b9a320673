//! Placing bookmarks in the turns of a session.
//!
//! Deliberately not here: how bookmarks are stored (the archive's ledger) and
//! displayed.

use crate::catalog::find::Found;
use crate::open::selection::SelectedTurns;
use ::archive::Mark;
use conversation::Turn;

/// The bookmarks of one conversation.
#[derive(Clone, Debug, Default)]
pub struct PlacedMarks<'m> {
    /// The bookmark of the whole session or agent.
    pub whole: Option<&'m Mark>,
    /// Bookmarks of turns, by the numbers of the turns.
    pub turns: Vec<(u64, &'m Mark)>,
    /// Bookmarks of turns that are not selected: abandoned, or compacted since.
    pub elsewhere: Vec<&'m Mark>,
}

impl<'m> PlacedMarks<'m> {
    /// Places the bookmarks of a session or agent at its turns. A turn is
    /// identified by its first record, or by its number if a bookmark names no
    /// record.
    pub fn new(
        found: &Found,
        selected: &SelectedTurns<'_>,
        marks: impl IntoIterator<Item = &'m Mark>,
    ) -> Self {
        let mut placed = PlacedMarks::default();
        for mark in marks {
            let place = &mark.target;
            if place.session != found.session.id || place.agent.as_deref() != found.agent_id() {
                continue;
            }
            let Some(number) = place.turn else {
                placed.whole = Some(mark);
                continue;
            };
            let is_own = |turn: &&Turn<'_>| match &mark.uuid {
                Some(uuid) => selected.first_record(turn) == Some(uuid),
                None => turn.number == number,
            };
            match selected.turns.turns.iter().find(is_own) {
                Some(turn) => placed.turns.push((turn.number, mark)),
                None => placed.elsewhere.push(mark),
            }
        }
        placed
    }

    /// The bookmarks of a turn.
    pub fn at_turn(&self, number: u64) -> impl Iterator<Item = &'m Mark> {
        self.turns.iter().filter(move |(own, _)| *own == number).map(|(_, mark)| *mark)
    }
}
