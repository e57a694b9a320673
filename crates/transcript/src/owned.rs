//! A record that owns its bytes.
//!
//! A [`Record`] borrows from the buffer it was read from, which is what a scan
//! over gigabytes needs. A server that caches records, or a thread that hands
//! them on, needs one without a lifetime: [`OwnedRecord`].
//!
//! It holds the bytes and the record that borrows from them side by side
//! (`self_cell`). The alternative, keeping the bytes and parsing them whenever
//! somebody asks, would cost a parse for each access; a second set of types
//! without lifetimes would have to follow every change of the format.

use crate::kind::RecordKind;
use crate::parse::parse_object;
use crate::record::Record;
use self_cell::self_cell;
use std::fmt;

/// A record with the bytes it borrows from: `Send`, `Sync` and `'static`.
///
/// ```
/// use transcript::{OwnedRecord, entries};
///
/// fn last_record(file: Vec<u8>) -> Option<OwnedRecord> {
///     // `file` is dropped at the end of this function.
///     entries(&file).last().map(|entry| entry.record.to_owned_record())
/// }
///
/// let file = b"{\"type\":\"tag\",\"tag\":\"draft\"}\n{\"type\":\"ai-title\",\"aiTitle\":\"Tides\"}\n";
/// let owned = last_record(file.to_vec()).expect("a record");
/// let thread = std::thread::spawn(move || owned.record().kind);
/// assert_eq!(thread.join().unwrap(), transcript::RecordKind::AiTitle);
/// ```
pub struct OwnedRecord(Cell);

self_cell!(
    struct Cell {
        owner: Box<[u8]>,

        #[covariant]
        dependent: Record,
    }
);

impl OwnedRecord {
    /// The record.
    pub fn record(&self) -> &Record<'_> {
        self.0.borrow_dependent()
    }
}

impl Record<'_> {
    /// Copies this record's bytes into a record that owns them.
    ///
    /// The copy has the same fields. Problems belong to the
    /// [`Entry`](crate::Entry) and are not copied.
    pub fn to_owned_record(&self) -> OwnedRecord {
        let kind = self.kind;
        OwnedRecord(Cell::new(self.raw.into(), |raw| match kind {
            // What was unreadable in its line can look readable on its own, for
            // instance the rest of a line with too many values.
            RecordKind::Damaged | RecordKind::Blank => Record::unreadable(raw, kind),
            _ => parse_object(raw, 0, &mut Vec::new()),
        }))
    }
}

impl From<&Record<'_>> for OwnedRecord {
    fn from(record: &Record<'_>) -> Self {
        record.to_owned_record()
    }
}

impl Clone for OwnedRecord {
    fn clone(&self) -> Self {
        self.record().to_owned_record()
    }
}

impl fmt::Debug for OwnedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnedRecord").field(self.record()).finish()
    }
}

#[cfg(test)]
mod tests {

    use crate::parse::entries;

    fn is_shareable<T: Send + Sync + 'static>(_: &T) {}

    #[test]
    fn owned_records_outlive_their_buffer_and_cross_threads() {
        let file = br#"{"type":"tag","tag":"a\nb"}"#.to_vec();
        let owned = entries(&file).next().expect("an entry").record.to_owned_record();
        drop(file);
        is_shareable(&owned);
        let copy = owned.clone();
        let text = std::thread::spawn(move || format!("{:?}", owned.record()));
        assert_eq!(text.join().expect("a thread that ends"), format!("{:?}", copy.record()));
        assert_eq!(copy.record().raw, br#"{"type":"tag","tag":"a\nb"}"#);
    }
}
