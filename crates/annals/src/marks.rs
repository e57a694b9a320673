//! Bookmarks as text, where commands show them: beside sessions and at turns.
//!
//! Deliberately not here: which bookmarks there are (`document::answers`), setting and
//! removing them (`commands/mark.rs`), and how they are stored (the ledger).

use archive::Mark;
use document::MarkDocument;
use library::sessions::{PlacedMarks, TurnNumber};

pub(crate) use document::answers::Marks;

/// The sign before a note.
pub(crate) const SIGN: &str = "★";

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
    MarkDocument::at_turn(marks, turn)
}
