//! The turns of the lines of one transcript, for those who have lines but no
//! conversation: hits, prompts, secrets.

use crate::sessions::Sessions;
use crate::sessions::session::OpenSession;
use crate::sessions::view::parse_conversation;
use conversation::{Conversation, LineState, TurnNumber, View};
use std::collections::HashMap;
use std::path::Path;

/// The turns of a transcript by its lines. Lines of agents that are written into
/// it have the numbers of these agents' own conversations.
#[derive(Clone, Debug, Default)]
pub struct LineTurns {
    by_line: HashMap<u64, TurnNumber>,
    by_uuid: HashMap<String, TurnNumber>,
}

impl LineTurns {
    pub(crate) fn of(conversation: &Conversation<'_>) -> Self {
        let mut turns = LineTurns::default();
        for LineState { line, uuid, turn, .. } in conversation.line_states() {
            let Some(turn) = turn else { continue };
            turns.by_line.entry(line).or_insert(turn);
            turns.by_uuid.insert(uuid.to_owned(), turn);
        }
        turns
    }

    /// The turn of a line, from 1; `None` for lines outside of the conversation.
    pub fn at_line(&self, line: u64) -> Option<TurnNumber> {
        self.by_line.get(&line).copied()
    }

    /// The lines that have turns, in order.
    pub(crate) fn lines(&self) -> Vec<(u64, TurnNumber)> {
        let mut lines: Vec<_> = self.by_line.iter().map(|(line, turn)| (*line, *turn)).collect();
        lines.sort_by_key(|(line, _)| *line);
        lines
    }

    /// The turn of the record with a uuid.
    pub fn of_uuid(&self, uuid: &str) -> Option<TurnNumber> {
        self.by_uuid.get(uuid).copied()
    }
}

impl OpenSession {
    /// The turns of its transcript by lines.
    pub fn line_turns(&self) -> LineTurns {
        LineTurns::of(self.conversation(View::App))
    }
}

impl Sessions {
    /// The turns of a transcript; those of an unreadable one are unknown.
    pub(crate) fn line_turns(&self, path: &Path, is_agent: bool) -> LineTurns {
        self.read_line_turns(path, is_agent).unwrap_or_default()
    }

    /// The same; `None` if it cannot be read.
    pub(crate) fn read_line_turns(&self, path: &Path, is_agent: bool) -> Option<LineTurns> {
        let bytes = self.redaction.read_unmasked(path).ok()?;
        Some(LineTurns::of(&parse_conversation(&bytes, is_agent, View::App)))
    }
}
