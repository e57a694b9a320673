//! Private keys in PEM armour, complete or partial.
//!
//! A file is often read in pieces, so that a key may lack its last or its first
//! line. Its lines may be numbered or marked as in a diff or a quotation, and
//! newlines may be written out (`\n`). The content of a key is deliberately not
//! parsed; base64 under such a heading is proof enough.

mod formats;

use std::ops::Range;

use memchr::memmem;

pub(crate) use formats::{putty_key, ssh2_key, static_key, web_key, xml_key};

use crate::pattern::{DIGIT, PADDED64};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";
const LONGEST: usize = 64 * 1024;
/// The least base64 in a key without its last line.
const LEAST: usize = 16;
/// A line of a key that is not the last is longer than this.
const FULL_LINE: usize = 40;
/// The separator between the number and the line in `1→`.
const ARROW: &[u8] = "→".as_bytes();

/// A private key, with its first and last line if they are present. The keyword
/// is the start of either.
pub(crate) fn private_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = &bytes[keyword.end..];
    let label = memmem::find(&rest[..rest.len().min(64)], DASHES)?;
    let name = &rest[..label];
    memmem::find(name, b"PRIVATE KEY")?;
    let body = keyword.end + label + DASHES.len();
    let found = if bytes[keyword.clone()] == *END {
        find_first_line(bytes, keyword.start)?..body
    } else {
        keyword.start..find_end(bytes, name, body)?
    };
    text.get(found.clone()).is_some().then_some(found)
}

/// The end of the key whose body starts at `body`.
fn find_end(bytes: &[u8], name: &[u8], body: usize) -> Option<usize> {
    let rest = &bytes[body..bytes.len().min(body + LONGEST)];
    // Another key starts before this one ends: this one was truncated.
    let next = memmem::find(rest, BEGIN).unwrap_or(rest.len());
    let close = memmem::find(&rest[..next], END).filter(|close| {
        let close = &rest[close + END.len()..];
        close.starts_with(name) && close[name.len()..].starts_with(DASHES)
    });
    match close {
        Some(length) if longest_run(&rest[..length]) >= LEAST => {
            Some(body + length + END.len() + name.len() + DASHES.len())
        }
        Some(_) => None,
        None => find_last_line(&rest[..next]).map(|length| body + length),
    }
}

/// The longest line of base64.
fn longest_run(bytes: &[u8]) -> usize {
    bytes.split(|byte| !PADDED64.contains(*byte)).map(<[u8]>::len).max().unwrap_or(0)
}

/// The end of the last line that is still base64. Only the last line is shorter
/// than the one before it.
fn find_last_line(body: &[u8]) -> Option<usize> {
    let mut at = skip_headers(body);
    let mut end = None;
    let mut width = 0;
    while let Some(start) = skip_gap(body, at) {
        let length = PADDED64.run(&body[start..], LONGEST);
        let line = &body[start..start + length];
        let next = &body[start + length..];
        // A truncated text ends in an ellipsis.
        let cut = next.starts_with("…".as_bytes()) || next.starts_with(b"...");
        let ends = matches!(
            next,
            [] | [b' ' | b'\t' | b'\r' | b'\n' | b'\\' | b'"' | b'\'' | b'`' | b'<', ..]
        );
        let good = match end {
            None => length >= LEAST,
            Some(_) => length >= LEAST || ((ends || cut) && is_rest(line, cut || next.is_empty())),
        };
        if !good {
            break;
        }
        at = start + length;
        end = Some(at);
        if length < width {
            break;
        }
        width = length;
    }
    end
}

/// Whether a short line is the rest of a key and not a word after it.
fn is_rest(line: &[u8], last: bool) -> bool {
    let word = line.iter().skip(1).all(u8::is_ascii_lowercase);
    !line.is_empty() && (last || !word)
}

/// `Proc-Type: 4,ENCRYPTED`: headers before the base64.
fn skip_headers(body: &[u8]) -> usize {
    let mut at = 0;
    for _ in 0..8 {
        let Some(start) = skip_gap(body, at) else { break };
        let line = &body[start..body.len().min(start + 200)];
        let name = line.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'-').count();
        if name == 0 || !line[name..].starts_with(b": ") {
            break;
        }
        let Some(length) = line.iter().position(|byte| matches!(byte, b'\n' | b'\\')) else {
            break;
        };
        at = start + length;
    }
    at
}

/// The start of the next line, after its number and marks; `None` if neither a
/// line end nor a blank follows.
pub(crate) fn skip_gap(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = &bytes[at..];
        let escapes = rest.iter().take(8).take_while(|byte| **byte == b'\\').count();
        at += match rest {
            [b' ' | b'\t' | b'\r' | b'\n', ..] => 1,
            _ if escapes > 0 && matches!(rest.get(escapes), Some(b'n' | b'r')) => escapes + 1,
            _ => break,
        };
    }
    if at == from {
        return None;
    }
    let number = DIGIT.run(&bytes[at..], 7);
    let rest = &bytes[at + number..];
    if number > 0 && rest.starts_with(ARROW) {
        at += number + ARROW.len();
    } else if number > 0 && matches!(rest.first(), Some(b'\t' | b':' | b'|')) {
        at += number + 1;
    }
    // A plus is base64 too, and masked with the rest.
    let marks = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'-' | b'>' | b'|' | b'#' | b'*');
    Some(at + bytes[at..].iter().take(16).take_while(marks).count())
}

/// The start of the first line of base64, searching back from the last line of
/// the key; there must be a full line.
fn find_first_line(bytes: &[u8], close: usize) -> Option<usize> {
    let floor = close.saturating_sub(LONGEST);
    let mut at = close;
    let mut first = None;
    let mut last = true;
    while let Some(end) = skip_gap_back(bytes, at).filter(|end| *end > floor) {
        let mut start = end - PADDED64.run_back(&bytes[floor..end], LONGEST);
        // `\nMIIE`, written out: the letter belongs to the escape.
        if start < end && matches!(bytes[..start].last(), Some(b'\\')) && is_newline(bytes[start]) {
            start += 1;
        }
        // The plus of a diff.
        if end - start > FULL_LINE && bytes[start] == b'+' {
            start += 1;
        }
        if start == end || (!last && end - start < FULL_LINE) {
            break;
        }
        if end - start >= FULL_LINE {
            first = Some(start);
        }
        last = false;
        at = start;
    }
    first
}

fn is_newline(letter: u8) -> bool {
    matches!(letter, b'n' | b'r')
}

/// The end of the line before, if `at` is the start of a line after its number
/// and marks.
fn skip_gap_back(bytes: &[u8], from: usize) -> Option<usize> {
    let back = |at: usize, test: fn(u8) -> bool| {
        at - bytes[..at].iter().rev().take(16).take_while(|byte| test(**byte)).count()
    };
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t');
    let is_mark = |byte: u8| matches!(byte, b' ' | b'\t' | b'-' | b'>' | b'|' | b'#' | b'*' | b'+');
    let mut at = back(from, is_mark);
    if bytes[..at].ends_with(ARROW) {
        at -= ARROW.len();
    } else if bytes[..at].ends_with(b":") {
        at -= 1;
    }
    let number = DIGIT.run_back(&bytes[..at], 7);
    let before = back(at - number, is_blank);
    // The digits are a number only where a line starts before them.
    if ends_line(&bytes[..before]) {
        at = before;
    }
    loop {
        match &bytes[..at] {
            [.., b' ' | b'\t' | b'\r' | b'\n' | b'\\'] => at -= 1,
            [.., b'\\', b'n' | b'r'] => at -= 2,
            _ => break,
        }
    }
    (at < from).then_some(at)
}

fn ends_line(before: &[u8]) -> bool {
    matches!(before, [] | [.., b'\n' | b'\r'] | [.., b'\\', b'n' | b'r'])
}
