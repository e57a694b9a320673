//! Bookmarks, where commands show them: beside sessions and at turns.
//!
//! Deliberately not here: setting and removing them (`commands/mark.rs`), and how
//! they are stored (the ledger).

use archive::{Ledger, Mark};
use document::MarkDocument;
use library::{OpenSession, PlacedMarks, SelectedTurns, TurnNumber};

/// The sign before a note.
pub(crate) const SIGN: &str = "★";

/// All bookmarks, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Marks(Vec<Mark>);

impl Marks {
    pub(crate) fn of_ledger(ledger: &Ledger) -> Self {
        Marks(ledger.marks())
    }

    /// The sessions in which something is marked.
    pub(crate) fn sessions(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|mark| mark.target.session.as_str())
    }

    /// Whether anything in a session is marked.
    pub(crate) fn has(&self, session: &str) -> bool {
        self.0.iter().any(|mark| mark.target.session == session)
    }

    /// The bookmarks in a session, for JSON. `turn_of` finds the number that a
    /// bookmark's turn has now.
    pub(crate) fn documents(
        &self,
        session: &str,
        turn_of: impl Fn(&Mark) -> Option<TurnNumber>,
    ) -> Vec<MarkDocument> {
        let own = self.0.iter().filter(|mark| mark.target.session == session);
        let has_line = |mark: &Mark| mark.target.turn.is_some() && mark.uuid.is_some();
        let turn = |mark: &Mark| if has_line(mark) { turn_of(mark) } else { None };
        own.map(|mark| MarkDocument::new(mark, turn(mark))).collect()
    }

    /// The bookmarks in an open session, for JSON, with the numbers that their turns
    /// have now. Those of its sub-agents have the numbers they were set with.
    pub(crate) fn documents_of(&self, session: &OpenSession) -> Vec<MarkDocument> {
        let found = session.found();
        let own = self.0.iter().filter(|mark| mark.target.session == found.session.id);
        let document = |mark: &Mark| {
            let is_here = mark.target.agent.as_deref() == found.agent_id();
            let turn = if is_here { session.turn_of_mark(mark) } else { None };
            MarkDocument::new(mark, turn)
        };
        own.map(document).collect()
    }

    /// The bookmarks in one conversation, placed at its selected turns.
    pub(crate) fn placed(
        &self,
        session: &OpenSession,
        selected: &SelectedTurns<'_>,
    ) -> PlacedMarks<'_> {
        PlacedMarks::new(session, selected, &self.0)
    }
}

/// The bookmarks at the head of a conversation: a line each.
pub(crate) fn head_lines(marks: &PlacedMarks<'_>) -> Vec<String> {
    let mut lines: Vec<String> = marks.whole.iter().map(|mark| line(mark)).collect();
    lines.extend(marks.elsewhere.iter().map(|(now, mark)| {
        let then = mark.target.turn.clone().unwrap_or_default();
        let turn = now.map_or(then, |turn| turn.to_string());
        let note = mark.note.as_deref().unwrap_or_default();
        let text = format!("{SIGN} turn {turn}, not in this view: {note}");
        render::untrusted::line(&text).trim_end_matches(": ").trim_end_matches(':').to_owned()
    }));
    lines
}

/// A bookmark on a line: its sign and its note.
pub(crate) fn line(mark: &Mark) -> String {
    let text = format!("{SIGN} {}", mark.note.as_deref().unwrap_or("marked"));
    render::untrusted::line(&text).into_owned()
}

/// The bookmarks at a turn, for JSON.
pub(crate) fn turn_documents(marks: &PlacedMarks<'_>, turn: TurnNumber) -> Vec<MarkDocument> {
    let at_turn = marks.turns.iter().filter(|(number, _)| *number == turn);
    at_turn.map(|(turn, mark)| MarkDocument::new(mark, Some(*turn))).collect()
}
