//! Secrets in pieces: a line that was wrapped or continued, strings that are
//! joined (`"…" + "…"`).
//!
//! Only what separates two pieces is known here, not what they are.

use std::ops::Range;

use crate::pattern::{DIGIT, Set};

/// The longest token that is put together.
const LONGEST: usize = 4096;

/// The next string that is joined to the one that ends at `end`, before its
/// closing quote.
pub(crate) fn next_string(bytes: &[u8], end: usize, quote: u8) -> Option<Range<usize>> {
    let escapes = bytes[end..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    if bytes.get(end + escapes) != Some(&quote) {
        return None;
    }
    let start = skip_joint(bytes, end + escapes + 1)?;
    let open = bytes[start..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    if bytes.get(start + open) != Some(&quote) || open != escapes {
        return None;
    }
    let start = start + open + 1;
    let rest = &bytes[start..bytes.len().min(start + LONGEST)];
    let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\\') || *byte == quote)?;
    Some(start..start + length)
}

/// The end of a shell word of which a quoted part ended at `end`, after its
/// quote: other parts may touch it, as in `'a'"'"'b'` and `'a'\\''b'`. It is before
/// the last quote.
pub(crate) fn spliced_end(bytes: &[u8], end: usize) -> Option<usize> {
    let mut at = end;
    let mut last = None;
    for _ in 0..12 {
        match &bytes[at..] {
            [quote @ (b'"' | b'\''), rest @ ..] => {
                let rest = &rest[..rest.len().min(LONGEST)];
                let length = rest.iter().position(|byte| byte == quote || *byte == b'\n')?;
                if rest[length] == b'\n' {
                    return last;
                }
                last = Some(at + 1 + length);
                at += length + 2;
            }
            [b'\\', b'\'', b'\'', ..] => at += 2,
            _ => break,
        }
    }
    last
}

/// What joins two strings: an operator, a line end, or both. Strings beside each
/// other on one line are not joined.
fn skip_joint(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    let mut joined = false;
    loop {
        at += match &bytes[at..] {
            [b' ' | b'\t' | b'\r', ..] => 1,
            [b'\n', ..] => {
                joined = true;
                1 + line_start(&bytes[at + 1..])
            }
            [b'+' | b'.' | b'&' | b'\\', b' ' | b'\n' | b'"' | b'\'', ..] => {
                joined = true;
                1
            }
            // Visual Basic goes on in the next line.
            [b'_', b'\n', ..] if joined => 1,
            // Strings that touch each other are one word in a shell.
            [b'"' | b'\'', ..] if at == from => {
                joined = true;
                0
            }
            _ => break,
        };
        if at - from > 80 {
            return None;
        }
        if at == from {
            break;
        }
    }
    joined.then_some(at)
}

/// The number of the line, or its mark in a diff or a quotation.
fn line_start(bytes: &[u8]) -> usize {
    let blanks = bytes.iter().take(12).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let rest = &bytes[blanks..];
    let number = DIGIT.run(rest, 6);
    if number > 0 && rest[number..].starts_with("→".as_bytes()) {
        return blanks + number + "→".len();
    }
    if number > 0 && matches!(rest.get(number), Some(b'\t' | b':' | b'|')) {
        return blanks + number + 1;
    }
    if blanks == 0
        && matches!(rest, [b'+' | b'>', next, ..] if matches!(next, b' ' | b'"' | b'\'' | b'\t'))
    {
        return 1;
    }
    0
}

/// Pieces of one token.
pub(crate) struct Pieces {
    /// The token without what separates its pieces.
    pub(crate) text: String,
    /// The start of each piece, here and in the whole text.
    starts: Vec<(usize, usize)>,
}

impl Pieces {
    /// The token from `start` on that is known up to `known` and continues
    /// after breaks with characters of the set; `None` if it has one piece.
    pub(crate) fn gather(text: &str, start: usize, known: usize, set: Set) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut end = known + set.run(&bytes[known..], LONGEST);
        let mut next = skip_break(bytes, end, set)?;
        let mut pieces = Self { text: text.get(start..end)?.to_owned(), starts: vec![(0, start)] };
        loop {
            let length = set.run(&bytes[next..], LONGEST);
            pieces.starts.push((pieces.text.len(), next));
            pieces.text.push_str(text.get(next..next + length)?);
            end = next + length;
            match skip_break(bytes, end, set) {
                Some(more) if pieces.text.len() < LONGEST && pieces.starts.len() < 64 => {
                    next = more;
                }
                _ => return Some(pieces),
            }
        }
    }

    /// Where a position before the end of a piece is in the whole text.
    pub(crate) fn source_end(&self, end: usize) -> usize {
        let next = self.starts.partition_point(|(start, _)| *start < end);
        self.starts.get(next.wrapping_sub(1)).map_or(end, |(start, whole)| whole + (end - start))
    }
}

/// The start of the next piece of a token that ends at `end`.
fn skip_break(bytes: &[u8], end: usize, set: Set) -> Option<usize> {
    let start = match &bytes[end..] {
        [quote @ (b'"' | b'\'' | b'`'), ..] => {
            let start = skip_joint(bytes, end + 1)?;
            (bytes.get(start) == Some(quote)).then_some(start + 1)?
        }
        [b'\\', quote @ (b'"' | b'\''), ..] => {
            let start = skip_joint(bytes, end + 2)?;
            (bytes.get(start) == Some(&b'\\') && bytes.get(start + 1) == Some(quote))
                .then_some(start + 2)?
        }
        [b'\\' | b'\r', b'\n', ..] => end + 2 + indent(&bytes[end + 2..]),
        [b'\n', ..] => end + 1 + indent(&bytes[end + 1..]),
        _ => return None,
    };
    // The piece is alone on its line, as a wrapped token is.
    let length = set.run(&bytes[start..], LONGEST);
    let ends = bytes.get(start + length).is_none_or(|byte| {
        matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'\\' | b',' | b')' | b';')
    });
    (length >= 4 && (ends || bytes[end] != b'\n')).then_some(start)
}

fn indent(bytes: &[u8]) -> usize {
    let start = line_start(bytes);
    start + bytes[start..].iter().take(24).take_while(|b| matches!(b, b' ' | b'\t')).count()
}
