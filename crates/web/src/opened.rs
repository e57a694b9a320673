//! Sessions that stay open between requests.
//!
//! A page asks for many parts of one session, and reading and parsing it takes longer than
//! any of them. A session is read again when a file of it has changed; the ones used longest
//! ago are closed when all of them are too large.

use crate::limits::OPENED_BYTES;
use library::Library;
use library::catalog::FoundSession;
use library::sessions::{OpenError, OpenSession};
use std::collections::HashSet;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How much memory an open session takes for each byte of its files: the byte itself, and what
/// is known of its records. Measured: 2.8 for 15 MB.
const MEMORY_OF_A_BYTE: u64 = 3;

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

impl Sessions {
    /// Closes the sessions used longest ago, but not the one with this id, until what is open
    /// leaves room for `more` bytes.
    fn close_others(&mut self, id: &str, more: u64) {
        let mut memory: u64 = self.open.iter().map(|entry| entry.stamp.memory()).sum();
        self.open.retain(|entry| {
            let stays = memory.saturating_add(more) <= OPENED_BYTES || entry.id == id;
            if !stays {
                memory -= entry.stamp.memory();
            }
            stays
        });
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
        let session = Arc::new(library.sessions().open_session(found)?);
        let entry = Entry { id: id.to_owned(), stamp, session: Arc::clone(&session) };
        self.lock().open.push(entry);
        drop(reading);
        self.lock().close_others(id, 0);
        Ok(session)
    }

    /// How many bytes the files of a session have.
    pub(crate) fn size_of(found: &FoundSession) -> u64 {
        Stamp::of(found).bytes
    }

    /// Closes sessions for an answer that reads this one as a whole, apart from the open one.
    pub(crate) fn make_room(&self, found: &FoundSession) {
        let memory = Stamp::of(found).memory();
        self.lock().close_others(found.id(), memory);
    }

    fn lock(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stamp {
    /// About how much memory the session takes while it is open.
    fn memory(&self) -> u64 {
        self.bytes.saturating_mul(MEMORY_OF_A_BYTE)
    }

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
    fn the_sessions_used_longest_ago_are_closed_but_not_the_one_that_is_used() {
        let sandbox = Sandbox::new();
        let ids = [1, 2, 3].map(testkit::session_id);
        for id in &ids {
            sandbox.session("/p", id, chained([user("one")]));
        }
        // Two of them fit.
        let large = OPENED_BYTES / MEMORY_OF_A_BYTE * 2 / 5;
        let open_ids = |more, used: &str| {
            let all = Opened::default();
            for id in &ids {
                opened(&all, &sandbox, id);
            }
            let mut sessions = all.lock();
            sessions.open.iter_mut().for_each(|entry| entry.stamp.bytes = large);
            sessions.close_others(used, more);
            sessions.open.iter().map(|entry| entry.id.clone()).collect::<Vec<_>>()
        };
        assert_eq!(open_ids(0, &ids[2]), ids[1..]);
        assert_eq!(open_ids(OPENED_BYTES / 2, &ids[2]), ids[2..]);
        assert_eq!(open_ids(OPENED_BYTES / 2, &ids[0]), ids[..1]);
        assert_eq!(open_ids(OPENED_BYTES * 2, &ids[1]), ids[1..2]);
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
