//! Bookmarks, where commands show them: beside sessions and at turns.
//!
//! Setting and removing them is `commands/mark.rs`'s; how they are kept is the
//! ledger's.

use archive::{Ledger, Mark};
use conversation::{Conversation, Telling, Turn};
use document::MarkDocument;
use library::Found;

/// What stands before a note.
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
        self.0.iter().map(|mark| mark.place.session.as_str())
    }

    /// Whether anything in a session is marked.
    pub(crate) fn has(&self, session: &str) -> bool {
        self.0.iter().any(|mark| mark.place.session == session)
    }

    /// The bookmarks in a session, for JSON.
    pub(crate) fn documents(&self, session: &str) -> Vec<MarkDocument> {
        let own = self.0.iter().filter(|mark| mark.place.session == session);
        own.map(MarkDocument::from).collect()
    }

    /// The bookmarks in one conversation, at the turns that are told of it.
    pub(crate) fn placed<'m>(
        &'m self,
        found: &Found,
        said: &Conversation<'_>,
        telling: &Telling<'_>,
    ) -> Placed<'m> {
        let agent = agent_id(found);
        let mut placed = Placed::default();
        for mark in &self.0 {
            let place = &mark.place;
            if place.session != found.session.id || place.agent.as_deref() != agent {
                continue;
            }
            let Some(number) = place.turn else {
                placed.whole = Some(mark);
                continue;
            };
            let is_own = |turn: &&Turn<'_>| match &mark.uuid {
                Some(uuid) => begins_with(said, turn).as_deref() == Some(uuid),
                None => turn.number == number,
            };
            match telling.turns.iter().find(is_own) {
                Some(turn) => placed.turns.push((turn.number, mark)),
                None => placed.elsewhere.push(mark),
            }
        }
        placed
    }
}

/// Bookmarks of one conversation.
#[derive(Debug, Default)]
pub(crate) struct Placed<'m> {
    /// Of the whole.
    pub(crate) whole: Option<&'m Mark>,
    /// Of turns, by their numbers.
    pub(crate) turns: Vec<(u64, &'m Mark)>,
    /// Of turns that are not told: undone, or compacted since.
    pub(crate) elsewhere: Vec<&'m Mark>,
}

impl Placed<'_> {
    /// What stands at the head of the conversation: a line each.
    pub(crate) fn at_head(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.whole.iter().map(|mark| line(mark)).collect();
        lines.extend(self.elsewhere.iter().map(|mark| {
            let turn = mark.place.turn.unwrap_or_default();
            let note = mark.note.as_deref().unwrap_or_default();
            let text = format!("{SIGN} turn {turn} as it was then, not in this view: {note}");
            render::untrusted::line(&text).trim_end_matches(": ").trim_end_matches(':').to_owned()
        }));
        lines
    }

    /// What stands at a turn.
    pub(crate) fn at_turn(&self, number: u64) -> impl Iterator<Item = &Mark> {
        self.turns.iter().filter(move |(own, _)| *own == number).map(|(_, mark)| *mark)
    }

    /// The same, for JSON.
    pub(crate) fn documents(&self, number: u64) -> Vec<MarkDocument> {
        self.at_turn(number).map(MarkDocument::from).collect()
    }
}

/// A bookmark on a line: its sign and its note.
pub(crate) fn line(mark: &Mark) -> String {
    let text = format!("{SIGN} {}", mark.note.as_deref().unwrap_or("marked"));
    render::untrusted::line(&text).into_owned()
}

/// The sub-agent that was found, if one was.
pub(crate) fn agent_id(found: &Found) -> Option<&str> {
    let agent = found.agent.as_ref().map(|agent| agent.id.as_str());
    agent.or(found.inline_agent.as_deref())
}

/// The line a turn begins with.
pub(crate) fn begins_with(said: &Conversation<'_>, turn: &Turn<'_>) -> Option<String> {
    turn.steps.first().map(|step| said.graph.node(step.node).uuid.to_string())
}
