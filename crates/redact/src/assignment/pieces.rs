//! Strings that are a value together: joined by an operator or beside each
//! other, or continued in the next line.
//!
//! Where the first of them starts is not decided here (`delimit`).

use std::ops::Range;

use super::delimit::skip_blanks;
use super::value::LONGEST;
use crate::breaks;

/// The value together with the strings that are joined to it, as in
/// `"…" + "…"`, and what they are together.
pub(super) fn join_pieces(
    text: &str,
    first: Range<usize>,
    quote: u8,
) -> (Range<usize>, Option<String>) {
    let mut joined = String::new();
    let mut end = first.end;
    // A string goes on in the next line after a backslash.
    while let Some((known, rest)) = continued(text, end, quote) {
        if joined.is_empty() {
            joined.push_str(text.get(first.start..known).unwrap_or_default());
        } else {
            joined.truncate(joined.len() - 1);
        }
        joined.push_str(text.get(rest.clone()).unwrap_or_default());
        end = rest.end;
        if joined.len() > LONGEST {
            break;
        }
    }
    while let Some(next) = breaks::next_string(text.as_bytes(), end, quote) {
        let Some(piece) = text.get(next.clone()) else { break };
        if joined.is_empty() {
            joined.push_str(text.get(first.clone()).unwrap_or_default());
        }
        joined.push_str(piece);
        end = next.end;
        if joined.len() > LONGEST {
            break;
        }
    }
    (first.start..end, (!joined.is_empty()).then_some(joined))
}

/// The end of the piece before a backslash and a line end, and the piece after
/// them.
fn continued(text: &str, end: usize, quote: u8) -> Option<(usize, Range<usize>)> {
    let bytes = text.as_bytes();
    let known = end.checked_sub(1)?;
    if bytes.get(end) != Some(&b'\n') || bytes[known] != b'\\' {
        return None;
    }
    let mut start = end + 1;
    skip_blanks(bytes, &mut start);
    let rest = &bytes[start..bytes.len().min(start + LONGEST)];
    let length = rest.iter().position(|byte| *byte == quote || *byte == b'\n')?;
    Some((known, start..start + length))
}

/// The value together with the lines that follow it in a block of YAML: a long
/// value is folded.
pub(super) fn join_lines(text: &str, first: Range<usize>) -> (Range<usize>, Option<String>) {
    let bytes = text.as_bytes();
    let is_blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    let indent = bytes[..first.start].iter().rev().take_while(is_blank).count();
    let mut joined = text.get(first.clone()).unwrap_or_default().to_owned();
    let mut end = first.end;
    while bytes.get(end) == Some(&b'\n') && joined.len() < LONGEST {
        let blanks = bytes[end + 1..].iter().take(60).take_while(is_blank).count();
        let start = end + 1 + blanks;
        let is_part = |byte: &&u8| byte.is_ascii_graphic();
        let length = bytes[start..].iter().take(LONGEST).take_while(is_part).count();
        let is_line = matches!(bytes.get(start + length), None | Some(b'\n' | b'\r'));
        let Some(piece) = text.get(start..start + length) else { break };
        if blanks != indent || indent == 0 || length < 4 || !is_line || piece.contains(':') {
            break;
        }
        joined.push_str(piece);
        end = start + length;
    }
    let is_longer = end > first.end;
    (first.start..end, is_longer.then_some(joined))
}
