//! Whether anything changed since an answer was made, without making it again.

use crate::memory::snapshot::stamp_again;
use crate::search::Search;
use index::Digest;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Files of a store besides transcripts that answers depend on.
const STORE_FILES: [&str; 4] = ["history.jsonl", "settings.json", "stats-cache.json", "agents"];

impl Search {
    /// A digest of the stamps of everything that answers are made of: transcripts, prompt
    /// histories, settings, running processes, the archive and the ledger. `None` without an index, and if
    /// there may be files, or parts of files, that the index does not know: an answer may then
    /// lack them, and cannot be used again.
    pub fn content_digest(&self) -> Option<Digest> {
        let mut bytes = self.memory.listing_key()?.into_bytes();
        let memo = self.memory.memo()?;
        let mut add = |number: u64| bytes.extend(number.to_le_bytes());
        let mut is_current = true;
        stamp_again(memo.file_snapshot()?, |file, stamp| {
            is_current &= file.stamp == Some(stamp);
            let (inode, device, changed) = stamp.identity;
            let numbers = [file.id.cast_unsigned(), stamp.bytes, inode, device];
            numbers.into_iter().for_each(&mut add);
            add(stamp.modified.cast_unsigned());
            add(changed.cast_unsigned());
        })?;
        if !is_current {
            return None;
        }
        let mut others = Vec::new();
        for config in self.stores.roots.iter().filter_map(store::Root::config) {
            others.extend(STORE_FILES.map(|name| config.join(name)));
            others.extend(files_in(&config.join("sessions")));
        }
        if let Some(home) = &self.stores.options.home {
            others.extend(files_in(&home.join(crate::stores::LEDGER)));
        }
        for path in others {
            bytes.extend(path.as_os_str().as_bytes());
            if let Ok(metadata) = std::fs::symlink_metadata(&path) {
                for number in [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime_nsec()] {
                    bytes.extend(number.to_le_bytes());
                }
                bytes.extend(metadata.len().to_le_bytes());
            }
        }
        Some(Digest::of(&bytes))
    }
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> =
        entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort_unstable();
    paths
}

#[cfg(test)]
mod tests {
    use crate::progress::NoProgress;
    use crate::search::index::IndexOptions;
    use crate::search::index::patience::IndexWait;
    use crate::{Library, Options};
    use index::Digest;
    use std::time::Duration;
    use store::RootOrigin;
    use testkit::{Sandbox, assistant, chained, session_id, user};

    fn open(sandbox: &Sandbox) -> Library {
        Library::open(Options {
            roots: vec![(sandbox.config(), RootOrigin::Home)],
            home: Some(sandbox.annals_home()),
            ..Options::default()
        })
    }

    fn index_options() -> IndexOptions {
        IndexOptions { memory: 1 << 24, wait: IndexWait::UntilWhole }
    }

    /// The digest, after the index was brought up to date.
    fn refreshed(sandbox: &Sandbox) -> Option<Digest> {
        let library = open(sandbox);
        library.search().refresh_index(index_options(), &NoProgress).unwrap();
        open(sandbox).search().content_digest()
    }

    #[test]
    fn the_digest_changes_with_every_file_that_answers_are_made_of() {
        let sandbox = Sandbox::new();
        let path = sandbox.session("/p", &session_id(1), chained([user("one")]));
        assert_eq!(open(&sandbox).search().content_digest(), None, "without an index");
        // Only folders that have been quiet are known without being listed.
        std::thread::sleep(Duration::from_millis(2100));
        let first = refreshed(&sandbox).expect("a digest");
        assert_eq!(refreshed(&sandbox), Some(first), "nothing changed");
        sandbox.append(&path, format!("{}\n", assistant("two")));
        assert_eq!(
            open(&sandbox).search().content_digest(),
            None,
            "the index has not read all of it"
        );
        let second = refreshed(&sandbox);
        assert!(second.is_some_and(|second| second != first), "a transcript grew");
        sandbox.write("history.jsonl", "{}\n");
        let third = open(&sandbox).search().content_digest();
        assert_ne!(third, second, "a prompt was written");
        sandbox.write("sessions/4711.json", "{}\n");
        assert_ne!(open(&sandbox).search().content_digest(), third, "a process has begun");
    }
}
