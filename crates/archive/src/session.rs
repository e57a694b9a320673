//! What of the archive belongs to which session.

use crate::scope::{is_flat_agent, is_transcript, session_of};
use crate::state::{FileKey, Generation, State};
use std::collections::BTreeMap;

/// What is kept of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptSession {
    /// Its files, in the order of their names.
    pub files: Vec<FileKey>,
}

impl KeptSession {
    /// Its main transcripts: more than one if it was kept in several folders.
    pub fn transcripts(&self) -> impl Iterator<Item = &FileKey> {
        self.files.iter().filter(|(_, name)| is_transcript(name))
    }
}

/// The session a kept file belongs to.
pub fn owner<'a>(key: &'a FileKey, generations: &'a [Generation]) -> Option<&'a str> {
    let told = || generations.iter().rev().find_map(|known| known.seen.session.as_deref());
    session_of(&key.1).or_else(|| is_flat_agent(&key.1).then(told).flatten())
}

impl State {
    /// Every session of which something is kept.
    pub fn sessions(&self) -> BTreeMap<String, KeptSession> {
        let mut sessions: BTreeMap<String, KeptSession> = BTreeMap::new();
        for (key, generations) in self.files() {
            if let Some(id) = owner(key, generations) {
                sessions.entry(id.to_owned()).or_default().files.push(key.clone());
            }
        }
        sessions
    }

    /// What is kept of one session.
    pub fn session(&self, id: &str) -> KeptSession {
        let own = self.files().filter(|(key, generations)| owner(key, generations) == Some(id));
        KeptSession { files: own.map(|(key, _)| key.clone()).collect() }
    }
}
