//! Records as lines.

use std::ops::Range;

/// How records are arranged in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// Each on the line it belongs to; lines only grow.
    InOrder,
    /// Each on the line it belongs to, in any order.
    AnyOrder,
    /// Each on the next line.
    OnePerLine,
}

/// The records of a transcript.
#[derive(Debug)]
pub(crate) struct Lines {
    arrangement: Arrangement,
    /// The records so far; with the breaks between lines, unless their order is not known yet.
    pub(crate) bytes: Vec<u8>,
    /// The line of the last record.
    line: u64,
    /// The lines of the records, where they come in any order.
    records: Vec<(u64, Range<usize>)>,
}

impl Lines {
    /// Lines that will take up to about this many bytes.
    pub(crate) fn new(arrangement: Arrangement, bytes: usize) -> Lines {
        Lines { arrangement, bytes: Vec::with_capacity(bytes), line: 1, records: Vec::new() }
    }

    /// Begins a record that belongs to a line. The record is what is added to the bytes until
    /// the next one begins.
    pub(crate) fn begin(&mut self, line: u64) {
        match self.arrangement {
            Arrangement::InOrder => {
                let blank = usize::try_from(line.saturating_sub(self.line)).unwrap_or_default();
                self.bytes.resize(self.bytes.len() + blank, b'\n');
                self.line = self.line.max(line);
            }
            Arrangement::AnyOrder => {
                self.end();
                self.records.push((line, self.bytes.len()..self.bytes.len()));
            }
            Arrangement::OnePerLine if self.bytes.is_empty() => {}
            Arrangement::OnePerLine => self.bytes.push(b'\n'),
        }
    }

    fn end(&mut self) {
        if let Some((_, record)) = self.records.last_mut() {
            record.end = self.bytes.len();
        }
    }

    /// The lines, and after them one more record.
    pub(crate) fn finish(mut self, last: &[u8]) -> Vec<u8> {
        if self.arrangement == Arrangement::AnyOrder {
            self.end();
            self.records.sort_by_key(|(line, _)| *line);
            let unordered = std::mem::take(&mut self.bytes);
            self.bytes.reserve(unordered.len());
            self.arrangement = Arrangement::InOrder;
            for (line, record) in std::mem::take(&mut self.records) {
                self.begin(line);
                self.bytes.extend_from_slice(&unordered[record]);
            }
        }
        if !self.bytes.is_empty() {
            self.bytes.push(b'\n');
        }
        if !last.is_empty() {
            self.bytes.extend_from_slice(last);
            self.bytes.push(b'\n');
        }
        self.bytes
    }
}
