//! Splitting bytes into lines.
//!
//! Only `\n` ends a line: U+2028 and its like are legal inside JSON strings and
//! do occur. A file may end without `\n`; whether that piece is a line is for
//! the caller to decide, so it is yielded as what it is.

use memchr::memchr;

/// A line and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where it starts in the file.
    pub offset: u64,
    /// Its bytes, without the `\n`.
    pub bytes: &'a [u8],
    /// How it ends.
    pub end: LineEnd,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// With `\n`: it will not change by appending.
    Newline,
    /// With the end of the bytes: it may still be growing.
    EndOfInput,
}

/// The lines of some bytes; see [`lines`].
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
    offset: u64,
    number: u64,
}

/// The lines of `bytes`, taken to be a whole file.
pub fn lines(bytes: &[u8]) -> Lines<'_> {
    Lines::from_position(bytes, 0, 1)
}

impl<'a> Lines<'a> {
    /// The lines of `bytes` that start at `offset` of a file, the first of them
    /// being line `number`.
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
    fn no_bytes_are_no_lines() {
        assert_eq!(lines(b"").count(), 0);
        assert_eq!(lines(b"\n").count(), 1);
    }
}
