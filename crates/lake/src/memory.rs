//! What an installation remembers of the lake, so that a push asks for less.

use crate::chain::ChainHead;
use crate::names::{ChainName, SegmentName, SessionId, Table};
use crate::segment::Entry;

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

    fn expired(&self, _: Table, _: &SessionId) -> Vec<Entry> {
        Vec::new()
    }

    fn keep_expired(&self, _: Table, _: &SessionId, _: &[Entry]) {}
}
