//! The turns of the lines of one transcript, for those who have lines but no
//! conversation: hits, prompts, secrets.

use crate::Library;
use crate::open::session::OpenSession;
use crate::open::view::parse_conversation;
use conversation::{Conversation, LineState, TurnNumber, View};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

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

impl Library {
    /// The turns of a transcript; those of an unreadable one are unknown.
    pub(crate) fn line_turns(&self, path: &Path, is_agent: bool) -> LineTurns {
        let bytes = self.read_unmasked(path);
        let turns =
            |bytes: Vec<u8>| LineTurns::of(&parse_conversation(&bytes, is_agent, View::App));
        bytes.map(turns).unwrap_or_default()
    }
}

/// The turns of lines in the order of their files: only the last file is
/// remembered, so that memory does not grow with the number of files.
#[derive(Debug, Default)]
pub struct LineTurnsReader(Option<(PathBuf, LineTurns)>);

impl LineTurnsReader {
    /// The turns of a transcript.
    pub fn of(&mut self, library: &Library, path: &Path, is_agent: bool) -> &LineTurns {
        let known = self.0.take().filter(|(known, _)| known == path);
        let read = || (path.to_owned(), library.line_turns(path, is_agent));
        &self.0.insert(known.unwrap_or_else(read)).1
    }
}
