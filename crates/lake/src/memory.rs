//! What an installation remembers of the lake, so that a push asks for less.

use crate::chain::ChainHead;
use crate::names::{ChainName, SegmentName, SessionId, Table};
use crate::segment::Entry;
use std::cell::RefCell;
use std::collections::HashMap;

/// What was read or written before. It may forget anything at any time.
///
/// Segments and manifests never change under their names, so what is remembered of them
/// is true as long as they exist.
pub trait Memory {
    /// The newest manifest of a chain that was ever seen.
    fn head(&self, chain: &ChainName) -> Option<ChainHead>;

    /// Remembers it.
    fn keep_head(&self, chain: &ChainName, head: &ChainHead);

    /// The entries of a segment.
    fn entries(&self, segment: &SegmentName) -> Option<Vec<Entry>>;

    /// Remembers them.
    fn keep_entries(&self, segment: &SegmentName, entries: &[Entry]);

    /// The bytes of a segment of calls, from which sums by day are made.
    fn calls(&self, segment: &SegmentName) -> Option<Vec<u8>>;

    /// Remembers them.
    fn keep_calls(&self, segment: &SegmentName, bytes: &[u8]);

    /// Entries of this machine that the lake does not take because they are expired.
    fn expired(&self, table: Table, session: &SessionId) -> Vec<Entry>;

    /// Remembers them, so that their transcripts need not be read again.
    fn keep_expired(&self, table: Table, session: &SessionId, entries: &[Entry]);
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMemory;

impl Memory for NoMemory {
    fn head(&self, _: &ChainName) -> Option<ChainHead> {
        None
    }

    fn keep_head(&self, _: &ChainName, _: &ChainHead) {}

    fn entries(&self, _: &SegmentName) -> Option<Vec<Entry>> {
        None
    }

    fn keep_entries(&self, _: &SegmentName, _: &[Entry]) {}

    fn calls(&self, _: &SegmentName) -> Option<Vec<u8>> {
        None
    }

    fn keep_calls(&self, _: &SegmentName, _: &[u8]) {}

    fn expired(&self, _: Table, _: &SessionId) -> Vec<Entry> {
        Vec::new()
    }

    fn keep_expired(&self, _: Table, _: &SessionId, _: &[Entry]) {}
}

/// Remembers everything until the process ends.
#[derive(Clone, Debug, Default)]
pub struct MemoryOfProcess {
    heads: RefCell<HashMap<ChainName, ChainHead>>,
    entries: RefCell<HashMap<SegmentName, Vec<Entry>>>,
    calls: RefCell<HashMap<SegmentName, Vec<u8>>>,
    expired: RefCell<HashMap<(Table, SessionId), Vec<Entry>>>,
}

#[cfg(test)]
impl MemoryOfProcess {
    pub(crate) fn forget(&self) {
        self.heads.borrow_mut().clear();
        self.entries.borrow_mut().clear();
        self.calls.borrow_mut().clear();
        self.expired.borrow_mut().clear();
    }
}

impl Memory for MemoryOfProcess {
    fn head(&self, chain: &ChainName) -> Option<ChainHead> {
        self.heads.borrow().get(chain).cloned()
    }

    fn keep_head(&self, chain: &ChainName, head: &ChainHead) {
        self.heads.borrow_mut().insert(chain.clone(), head.clone());
    }

    fn entries(&self, segment: &SegmentName) -> Option<Vec<Entry>> {
        self.entries.borrow().get(segment).cloned()
    }

    fn keep_entries(&self, segment: &SegmentName, entries: &[Entry]) {
        self.entries.borrow_mut().insert(segment.clone(), entries.to_vec());
    }

    fn calls(&self, segment: &SegmentName) -> Option<Vec<u8>> {
        self.calls.borrow().get(segment).cloned()
    }

    fn keep_calls(&self, segment: &SegmentName, bytes: &[u8]) {
        self.calls.borrow_mut().insert(segment.clone(), bytes.to_vec());
    }

    fn expired(&self, table: Table, session: &SessionId) -> Vec<Entry> {
        self.expired.borrow().get(&(table, session.clone())).cloned().unwrap_or_default()
    }

    fn keep_expired(&self, table: Table, session: &SessionId, entries: &[Entry]) {
        let mut expired = self.expired.borrow_mut();
        expired.entry((table, session.clone())).or_default().extend_from_slice(entries);
    }
}
