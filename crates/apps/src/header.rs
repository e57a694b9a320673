//! What is known of a session as a whole.

use jiff::Timestamp;

/// Where a session comes from, if not from nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lineage {
    /// It continues a copy of another session.
    Fork {
        /// The other session.
        of: String,
    },
    /// It begins with the first bytes of another file, which it does not repeat.
    Base {
        /// The id in the name of that file.
        file: String,
        /// How many bytes of it belong to this session.
        bytes: u64,
    },
    /// It is a sub-agent of another session.
    Agent {
        /// The session that started it.
        of: String,
        /// The tool call that started it, where it is recorded.
        call: Option<String>,
    },
}

/// The facts of a session that lists show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Its id.
    pub id: String,
    /// The title that a person or the app gave it.
    pub title: Option<String>,
    /// What the person typed first.
    pub first_prompt: Option<String>,
    /// The working directory, as the newest metadata has it.
    pub directory: Option<String>,
    /// The git branch, as the newest metadata has it.
    pub branch: Option<String>,
    /// The address of the git repository.
    pub repository: Option<String>,
    /// The version of the program that wrote it.
    pub version: Option<String>,
    /// How the program was started, in its own words: `cli`, `exec`, `vscode`.
    pub source: Option<String>,
    /// The latest model.
    pub model: Option<String>,
    /// The earliest time in it.
    pub started: Option<Timestamp>,
    /// The latest time in it.
    pub ended: Option<Timestamp>,
    /// The name of the agent, if it is one.
    pub agent_name: Option<String>,
    /// Where it comes from.
    pub lineage: Vec<Lineage>,
}

impl Header {
    /// Widens the time from start to end so that it contains `time`.
    pub fn note_time(&mut self, time: Option<Timestamp>) {
        let Some(time) = time else { return };
        self.started = Some(self.started.map_or(time, |started| started.min(time)));
        self.ended = Some(self.ended.map_or(time, |ended| ended.max(time)));
    }
}
