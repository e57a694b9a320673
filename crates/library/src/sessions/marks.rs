//! Placing bookmarks in the turns of a session.
//!
//! Deliberately not here: how bookmarks are stored (the archive's ledger) and
//! displayed.

use crate::sessions::selection::SelectedTurns;
use crate::sessions::session::OpenSession;
use ::archive::Mark;
use conversation::TurnNumber;

/// The bookmarks of one conversation.
#[derive(Clone, Debug, Default)]
pub struct PlacedMarks<'m> {
    /// The bookmark of the whole session or agent.
    pub whole: Option<&'m Mark>,
    /// Bookmarks of turns, by the numbers of the turns.
    pub turns: Vec<(TurnNumber, &'m Mark)>,
    /// Bookmarks of turns that are not selected: abandoned, or compacted since.
    /// With the numbers of the turns, where these are known.
    pub elsewhere: Vec<(Option<TurnNumber>, &'m Mark)>,
}

impl<'m> PlacedMarks<'m> {
    /// Places the bookmarks of a session or agent at its turns. A bookmark is at
    /// the turn of the record it names, or, if it names none, at the turn with its
    /// number.
    pub fn new(
        session: &OpenSession,
        selected: &SelectedTurns<'_>,
        marks: impl IntoIterator<Item = &'m Mark>,
    ) -> Self {
        let found = session.found();
        let mut placed = PlacedMarks::default();
        for mark in marks {
            let place = &mark.target;
            if place.session != found.session.id || place.agent.as_deref() != found.agent_id() {
                continue;
            }
            if place.turn.is_none() {
                placed.whole = Some(mark);
                continue;
            }
            let number = session.turn_of_mark(mark);
            let is_selected = |number: &TurnNumber| {
                selected.turns.turns.iter().any(|turn| turn.number == *number)
            };
            match number.filter(is_selected) {
                Some(number) => placed.turns.push((number, mark)),
                None => placed.elsewhere.push((number, mark)),
            }
        }
        placed
    }

    /// The bookmarks of a turn.
    pub fn at_turn(&self, number: TurnNumber) -> impl Iterator<Item = &'m Mark> {
        self.turns.iter().filter(move |(own, _)| *own == number).map(|(_, mark)| *mark)
    }
}

impl OpenSession {
    /// The number that the turn of a bookmark has now; `None` if the transcript does
    /// not have that turn, or the whole session is marked.
    pub fn turn_of_mark(&self, mark: &Mark) -> Option<TurnNumber> {
        let number = mark.target.turn.as_ref()?;
        match &mark.uuid {
            Some(uuid) => self.turn_of_uuid(uuid).map(|(_, turn)| turn),
            None => number.parse().ok(),
        }
    }
}
