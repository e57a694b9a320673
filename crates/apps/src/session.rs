//! A session as a reader holds it.

use crate::api_call::ApiCall;
use crate::entry::{Entry, EntryKind, EntryState};
use crate::header::Header;
use crate::problem::{Problem, UnknownKinds};

/// One session, or one file of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// What is known of it as a whole.
    pub header: Header,
    /// Its entries, in the order of the file.
    pub entries: Vec<Entry>,
    /// What was paid for, in the order of the file; a call that is recorded again is there once.
    pub api_calls: Vec<ApiCall>,
    /// What is wrong with its lines.
    pub problems: Vec<Problem>,
    /// What this version of annals does not know.
    pub unknown: UnknownKinds,
}

impl Session {
    /// How many entries, calls and problems there are: what grows with the number of lines, however
    /// short they are.
    pub fn count(&self) -> usize {
        self.entries.len() + self.api_calls.len() + self.problems.len()
    }

    /// The entries of the conversation as it stands: what was undone, left or replayed is not
    /// among them.
    pub fn live(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.state == EntryState::Live)
    }

    /// The prompts of the conversation as it stands, sub-agents' not included.
    pub fn prompts(&self) -> impl Iterator<Item = &str> {
        self.live().filter(|entry| entry.agent.is_none()).filter_map(|entry| match &entry.kind {
            EntryKind::Prompt(text) => Some(text.as_str()),
            _ => None,
        })
    }
}
