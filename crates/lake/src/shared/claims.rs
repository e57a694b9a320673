//! Comparing what the lake says it has of a source with what is here.

use crate::names::SessionId;
use crate::segment::Entry;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The digest of the ids of all records so far, one more record included.
pub(crate) fn next_digest(digest: u64, id: &[u8]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&digest.to_le_bytes());
    hasher.update(id);
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// The digests of a source's records: after each record, that of all before it and it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims {
    pub(crate) digests: Vec<u64>,
}

impl Claims {
    pub(crate) fn add(&mut self, id: &[u8]) {
        let last = self.digests.last().copied().unwrap_or_default();
        self.digests.push(next_digest(last, id));
    }

    pub(crate) fn len(&self) -> u64 {
        self.digests.len() as u64
    }

    /// The digest of the records before `to`.
    pub(crate) fn digest(&self, to: u64) -> Option<u64> {
        match to {
            0 => Some(0),
            _ => usize::try_from(to - 1).ok().and_then(|last| self.digests.get(last)).copied(),
        }
    }

    /// Whether an entry is about records that are here.
    pub(crate) fn holds(&self, entry: &Entry) -> bool {
        self.digest(entry.to) == Some(entry.digest)
    }

    /// How many records from the first on the lake has, made by these rules or newer ones.
    pub(crate) fn covered(&self, has: &[&Entry], rules: u32) -> u64 {
        let mut covered = 0;
        loop {
            let next = has.iter().filter(|entry| {
                entry.rules >= rules
                    && entry.from <= covered
                    && covered < entry.to
                    && self.holds(entry)
            });
            match next.map(|entry| entry.to).max() {
                Some(to) => covered = to,
                None => return covered,
            }
        }
    }

    /// The entry for some records.
    pub(crate) fn entry(
        &self,
        session: &SessionId,
        source: &str,
        records: std::ops::Range<u64>,
        rules: u32,
    ) -> Option<Entry> {
        Some(Entry {
            session: session.clone(),
            source: source.to_owned(),
            from: records.start,
            to: records.end,
            digest: self.digest(records.end)?,
            rules,
        })
    }
}

/// What a file was when it was last read.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Deserialize, Serialize)]
pub struct KnownSource {
    /// Its size.
    pub bytes: u64,
    /// When it was last modified.
    pub modified: Timestamp,
    /// How many records it had.
    pub records: u64,
    /// The digest of their ids.
    pub digest: u64,
}

impl KnownSource {
    /// Whether the lake has all of it.
    pub(crate) fn is_covered(&self, has: &[&Entry], rules: u32) -> bool {
        let mut covered = 0;
        while covered < self.records {
            let next = has
                .iter()
                .filter(|entry| entry.rules >= rules && entry.from <= covered && covered < entry.to)
                .filter(|entry| entry.to != self.records || entry.digest == self.digest);
            match next.map(|entry| entry.to).filter(|to| *to <= self.records).max() {
                Some(to) => covered = to,
                None => return false,
            }
        }
        true
    }
}

/// What files were when they were last read, so that only changed ones are read again.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub struct KnownSources(RefCell<HashMap<PathBuf, KnownSource>>);

impl KnownSources {
    pub(crate) fn get(&self, path: &Path, bytes: u64, modified: Timestamp) -> Option<KnownSource> {
        let known = *self.0.borrow().get(path)?;
        (known.bytes == bytes && known.modified == modified).then_some(known)
    }

    pub(crate) fn keep(&self, path: &Path, known: KnownSource) {
        self.0.borrow_mut().insert(path.to_owned(), known);
    }
}
