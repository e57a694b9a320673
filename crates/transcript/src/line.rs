//! Splitting bytes into lines.
//!
//! Only `\n` ends a line: U+2028 and similar characters are legal inside JSON
//! strings and do occur. The last line of a file may have no `\n`. It is yielded
//! with [`LineEnd::EndOfInput`], and the caller decides whether it is complete.

use memchr::memchr;

/// A line and its position in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The line number, starting at 1.
    pub number: u64,
    /// The byte offset of its start in the file.
    pub offset: u64,
    /// Its bytes, without the `\n`.
    pub bytes: &'a [u8],
    /// How it ends.
    pub end: LineEnd,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// With `\n`: appending to the file does not change it.
    Newline,
    /// With the end of the bytes: a writer may still be adding to it.
    EndOfInput,
}

/// An iterator over lines; see [`lines`].
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
    offset: u64,
    number: u64,
}

/// Splits a whole file into lines.
///
/// ```
/// use transcript::{LineEnd, lines};
///
/// let found: Vec<_> = lines(b"{}\n{\"type\"").collect();
/// assert_eq!((found[0].number, found[0].bytes, found[0].end), (1, &b"{}"[..], LineEnd::Newline));
/// assert_eq!((found[1].offset, found[1].end), (3, LineEnd::EndOfInput));
/// ```
pub fn lines(bytes: &[u8]) -> Lines<'_> {
    Lines::from_position(bytes, 0, 1)
}

impl<'a> Lines<'a> {
    /// Splits `bytes`, which start at `offset` of a file with line `number`: for
    /// reading on from where an earlier read stopped.
    pub fn from_position(bytes: &'a [u8], offset: u64, number: u64) -> Self {
        Lines { rest: bytes, offset, number }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (bytes, rest, end) = match memchr(b'\n', self.rest) {
            Some(at) => (&self.rest[..at], &self.rest[at + 1..], LineEnd::Newline),
            None => (self.rest, &self.rest[self.rest.len()..], LineEnd::EndOfInput),
        };
        let line = Line { number: self.number, offset: self.offset, bytes, end };
        self.offset += (self.rest.len() - rest.len()) as u64;
        self.number += 1;
        self.rest = rest;
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_newlines_end_lines() {
        let bytes = "a\u{2028}b\r\n\n{}".as_bytes();
        let found: Vec<_> = lines(bytes).map(|l| (l.number, l.offset, l.bytes, l.end)).collect();
        assert_eq!(
            found,
            [
                (1, 0, "a\u{2028}b\r".as_bytes(), LineEnd::Newline),
                (2, 7, b"".as_slice(), LineEnd::Newline),
                (3, 8, b"{}".as_slice(), LineEnd::EndOfInput),
            ]
        );
    }

    #[test]
    fn empty_input_has_no_lines() {
        assert_eq!(lines(b"").count(), 0);
        assert_eq!(lines(b"\n").count(), 1);
    }
}
