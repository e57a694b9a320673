//! Which lines of a session's copies its transcript does not have.
//!
//! A line is identified by its uuid, or by its bytes if it has none. The
//! transcript is read for that only if a copy has a hit.

use crate::lines::scan::read_lines;
use crate::search::Search;
use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::path::Path;
use transcript::{Entry, Line, parse_line};

/// The lines known before a copy is read.
#[derive(Debug)]
pub(super) struct KnownLines<'a> {
    main: Option<&'a Path>,
    keys: Option<HashSet<u64>>,
    /// Randomly keyed, so that no one can craft lines that collide.
    hasher: RandomState,
}

impl<'a> KnownLines<'a> {
    pub(super) fn new(main: Option<&'a Path>) -> Self {
        KnownLines { main, keys: None, hasher: RandomState::new() }
    }

    /// Whether this record is neither in the transcript nor was seen before.
    pub(super) fn is_new(&mut self, search: &Search, entry: &Entry<'_>) -> bool {
        let hasher = &self.hasher;
        let key = |entry: &Entry<'_>| match &entry.record.envelope.uuid {
            Some(uuid) => hasher.hash_one((true, uuid.as_str())),
            None => hasher.hash_one((false, entry.bytes.trim_ascii())),
        };
        let keys = self.keys.get_or_insert_with(|| {
            let mut keys = HashSet::new();
            if let Some(main) = self.main {
                // Read errors are reported when the transcript itself is
                // searched.
                let masking = search.redaction.masking_of(main);
                let _ = read_lines(&search.stores.all, main, |line| {
                    let bytes = &*masking.line(line.bytes);
                    for entry in parse_line(Line { bytes, ..line }) {
                        keys.insert(key(&entry));
                        keys.extend(entry.agent_line().map(|line| key(&line)));
                    }
                    true
                });
            }
            keys
        });
        keys.insert(key(entry))
    }
}
