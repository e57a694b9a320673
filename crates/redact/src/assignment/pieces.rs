//! Strings that are a value together: joined by an operator or beside each
//! other, continued in the next line, or in typographic quotes.
//!
//! Where the first of them starts is not decided here (`delimit`).

use std::ops::Range;

use super::Quoting;
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

/// A value in typographic quotes, or in brackets that quote it in Perl and Ruby.
pub(super) fn typographic(text: &str, at: usize) -> Option<(Range<usize>, Quoting)> {
    const QUOTES: &[(&str, char)] = &[
        ("“", '”'),
        ("‘", '’'),
        ("„", '“'),
        ("«", '»'),
        ("「", '」'),
        ("q{", '}'),
        ("qq{", '}'),
        ("q(", ')'),
        ("%q(", ')'),
        ("%q{", '}'),
    ];
    let rest = text.get(at..)?;
    let (open, close) = *QUOTES.iter().find(|(open, _)| rest.starts_with(*open))?;
    let start = at + open.len();
    let inner = text.get(start..text.floor_char_boundary((start + 160).min(text.len())))?;
    let length = inner.find(close)?;
    (!inner[..length].contains('\n')).then(|| (start..start + length, Quoting::Quoted))
}
