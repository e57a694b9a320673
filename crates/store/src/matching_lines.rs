//! Reads only the lines of a file that contain a text.
//!
//! The text is searched for in whole buffers, and line ends only around a
//! match: most of a transcript is never split into lines.

use crate::read::{LineBuffer, LineSource, Position};
use memchr::memmem::Finder;
use std::io;
use transcript::{Line, LineEnd};

/// Reads matching lines, reusing one buffer for many files.
#[derive(Debug, Default)]
pub struct MatchingLineReader {
    buffer: LineBuffer,
}

impl MatchingLineReader {
    /// Passes every line that contains the text to `each`. Line numbers are not
    /// passed on and are 0.
    pub fn read(
        &mut self,
        file: &mut impl LineSource,
        text: &Finder<'_>,
        mut each: impl FnMut(Line<'_>),
    ) -> io::Result<()> {
        self.buffer.read(
            file,
            Position::START,
            |_| (),
            |batch| {
                hits(batch.bytes, batch.offset, text, &mut each);
                true
            },
        )
    }
}

/// Passes on the lines of `bytes` that contain the text. `bytes` starts with a
/// line.
fn hits(bytes: &[u8], offset: u64, text: &Finder<'_>, each: &mut impl FnMut(Line<'_>)) {
    let mut from = 0;
    // An empty text also matches after the last byte.
    while from < bytes.len()
        && let Some(hit) = text.find(&bytes[from..])
    {
        let hit = from + hit;
        let start = memchr::memrchr(b'\n', &bytes[from..hit]).map_or(from, |at| from + at + 1);
        let (stop, end) = match memchr::memchr(b'\n', &bytes[hit..]) {
            Some(at) => (hit + at, LineEnd::Newline),
            None => (bytes.len(), LineEnd::EndOfInput),
        };
        each(Line { number: 0, offset: offset + start as u64, bytes: &bytes[start..stop], end });
        from = (stop + 1).min(bytes.len());
    }
}
