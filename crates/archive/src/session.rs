//! Maps archived files to sessions.

use crate::scope::{is_flat_agent, is_of_app, is_transcript, session_of};
use crate::state::{FileKey, Generation, State};
use std::collections::BTreeMap;

/// The archived files of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchivedSession {
    /// Its files, in the order of their names.
    pub files: Vec<FileKey>,
}

impl ArchivedSession {
    /// Its main transcripts: several if it was archived from several folders. For a session of
    /// another app, all files.
    pub fn transcripts(&self) -> impl Iterator<Item = &FileKey> {
        self.files.iter().filter(|(_, name)| is_transcript(name) || is_of_app(name))
    }
}

/// The session that an archived file belongs to.
pub fn owning_session<'a>(key: &'a FileKey, generations: &'a [Generation]) -> Option<&'a str> {
    let content = || generations.iter().rev().find_map(|known| known.seen.session.as_deref());
    let is_in_content = is_flat_agent(&key.1) || is_of_app(&key.1);
    session_of(&key.1).or_else(|| is_in_content.then(content).flatten())
}

impl State {
    /// Every session with archived files.
    pub fn sessions(&self) -> BTreeMap<String, ArchivedSession> {
        let mut sessions: BTreeMap<String, ArchivedSession> = BTreeMap::new();
        for (key, generations) in self.files() {
            if let Some(id) = owning_session(key, generations) {
                sessions.entry(id.to_owned()).or_default().files.push(key.clone());
            }
        }
        sessions
    }

    /// The archived files of one session.
    pub fn session(&self, id: &str) -> ArchivedSession {
        let own =
            self.files().filter(|(key, generations)| owning_session(key, generations) == Some(id));
        ArchivedSession { files: own.map(|(key, _)| key.clone()).collect() }
    }
}
