//! Sessions that stay open between requests.
//!
//! A page asks for many parts of one session, and reading and parsing it takes longer than
//! any of them. A session is read again when a file of it has changed; the ones used longest
//! ago are closed when all of them are too large.

use crate::limits::OPENED_BYTES;
use library::{FoundSession, Library, OpenError, OpenSession};
use std::collections::HashSet;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many files of a session are looked at.
const MOST_FILES: usize = 5_000;

/// How deep folders of a session are nested at most.
const DEEPEST: usize = 6;

/// The open sessions.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    sessions: Mutex<Sessions>,
    /// Notified whenever a session has been read, or could not be.
    has_read: Condvar,
}

#[derive(Debug, Default)]
struct Sessions {
    /// The open ones, the one used last at the end.
    open: Vec<Entry>,
    /// The ids of those that a request is reading. Others wait for it: a page asks for several
    /// parts at once, and each copy of a large session takes its memory.
    being_read: HashSet<String>,
}

/// Notes that a session is being read, until it is dropped.
struct Reading<'o> {
    opened: &'o Opened,
    id: &'o str,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.opened.lock().being_read.remove(self.id);
        self.opened.has_read.notify_all();
    }
}

#[derive(Debug)]
struct Entry {
    id: String,
    stamp: Stamp,
    session: Arc<OpenSession>,
}

/// What the files of a session look like from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Stamp {
    hash: u64,
    bytes: u64,
}

impl Opened {
    /// The session, read again if it has changed.
    pub(crate) fn open(
        &self,
        library: &Library,
        found: &FoundSession,
    ) -> Result<Arc<OpenSession>, OpenError> {
        // Before it is read: a change in between leads to another look.
        let stamp = Stamp::of(found);
        let id = found.id();
        let mut sessions = self.lock();
        loop {
            if let Some(place) = sessions.open.iter().position(|entry| entry.id == id) {
                let entry = sessions.open.remove(place);
                if entry.stamp == stamp {
                    let session = Arc::clone(&entry.session);
                    sessions.open.push(entry);
                    return Ok(session);
                }
            }
            if sessions.being_read.insert(id.to_owned()) {
                break;
            }
            sessions = self.has_read.wait(sessions).unwrap_or_else(PoisonError::into_inner);
        }
        // Others may open their sessions meanwhile.
        drop(sessions);
        let reading = Reading { opened: self, id };
        let session = Arc::new(library.open_session(found)?);
        let entry = Entry { id: id.to_owned(), stamp, session: Arc::clone(&session) };
        self.lock().open.push(entry);
        drop(reading);
        let mut sessions = self.lock();
        let mut bytes: u64 = sessions.open.iter().map(|entry| entry.stamp.bytes).sum();
        while bytes > OPENED_BYTES && sessions.open.len() > 1 {
            bytes -= sessions.open.remove(0).stamp.bytes;
        }
        Ok(session)
    }

    fn lock(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stamp {
    fn of(found: &FoundSession) -> Stamp {
        let mut stamp = Stamp { hash: 0, bytes: found.session.metadata.bytes };
        for path in [found.session.path.as_deref(), found.path()].into_iter().flatten() {
            if let Ok(metadata) = std::fs::symlink_metadata(path) {
                stamp.add(&metadata);
            }
        }
        let mut left = MOST_FILES;
        let others = &found.session.other_folders;
        for folder in found.session.session_folder.iter().chain(others) {
            stamp.add_folder(folder.path(), DEEPEST, &mut left);
        }
        stamp
    }

    /// Adds the files below a folder, without following links.
    fn add_folder(&mut self, folder: &Path, depth: usize, left: &mut usize) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.filter_map(Result::ok) {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() && depth > 0 {
                self.add_folder(&entry.path(), depth - 1, left);
            } else {
                self.add(&metadata);
                self.bytes += metadata.len();
            }
        }
    }

    /// Adds a file. The order of files does not matter: systems list them in any order.
    fn add(&mut self, metadata: &Metadata) {
        let mut hasher = blake3::Hasher::new();
        for number in [metadata.ino(), metadata.len()] {
            hasher.update(&number.to_le_bytes());
        }
        for number in [metadata.mtime(), metadata.mtime_nsec()] {
            hasher.update(&number.to_le_bytes());
        }
        let bytes = hasher.finalize();
        let hash = bytes.as_bytes().first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk));
        self.hash = self.hash.wrapping_add(hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{Sandbox, chained, user};

    const ID: &str = "00000000-0000-4000-8000-000000000001";

    fn library(sandbox: &Sandbox) -> Library {
        crate::tests::library(sandbox)
    }

    fn opened(opened: &Opened, sandbox: &Sandbox, id: &str) -> Arc<OpenSession> {
        let library = library(sandbox);
        let found = library.catalog().find(id, None).unwrap();
        opened.open(&library, &found).unwrap()
    }

    #[test]
    fn a_session_is_read_again_only_when_a_file_of_it_has_changed() {
        let sandbox = Sandbox::new();
        let lines = chained([user("one")]);
        let path = sandbox.session("/p", ID, lines.clone());
        let all = Opened::default();
        let first = opened(&all, &sandbox, ID);
        assert!(Arc::ptr_eq(&first, &opened(&all, &sandbox, ID)));
        sandbox.session("/p", ID, chained([user("one"), user("two")]));
        let second = opened(&all, &sandbox, ID);
        assert!(!Arc::ptr_eq(&first, &second));
        sandbox.agent("/p", ID, "agent-a1", lines);
        let third = opened(&all, &sandbox, ID);
        assert!(!Arc::ptr_eq(&second, &third), "an agent began");
        assert!(path.exists());
        assert_eq!(all.lock().open.len(), 1);
    }

    #[test]
    fn requests_at_the_same_time_read_a_session_once() {
        let sandbox = Sandbox::new();
        sandbox.session("/p", ID, chained((0..500).map(|number| user(&number.to_string()))));
        let all = Opened::default();
        let begin = std::sync::Barrier::new(4);
        let sessions: Vec<Arc<OpenSession>> = std::thread::scope(|scope| {
            let request = || {
                begin.wait();
                opened(&all, &sandbox, ID)
            };
            let requests: Vec<_> = (0..4).map(|_| scope.spawn(request)).collect();
            requests.into_iter().map(|request| request.join().unwrap()).collect()
        });
        assert!(sessions.iter().all(|session| Arc::ptr_eq(session, &sessions[0])));
        assert!(all.lock().being_read.is_empty());
    }

    #[test]
    fn a_session_that_cannot_be_read_keeps_nobody_waiting() {
        let sandbox = Sandbox::new();
        let path = sandbox.session("/p", ID, chained([user("one")]));
        let all = Opened::default();
        let library = library(&sandbox);
        let found = library.catalog().find(ID, None).unwrap();
        sandbox.remove(&path);
        for _ in 0..2 {
            assert!(all.open(&library, &found).is_err());
        }
    }
}
