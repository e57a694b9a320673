//! A line → its records and what is wrong with them.
//!
//! The first try is the derived reader on the whole line. What it cannot take
//! is cut into the JSON values that stand on the line, each of which is read
//! field by field; bytes between them that are no JSON become a
//! [`RecordKind::Damaged`] record of their own. The pieces tile the line, so
//! nothing is ever lost between them.

use crate::kind::RecordKind;
use crate::line::{Line, LineEnd, Lines, lines};
use crate::problem::{Problem, Reason};
use crate::record::Record;
use crate::value::{Lenient, Place};
use crate::wide::Wide;
use memchr::memmem;
use serde::de::IgnoredAny;
use std::ops::Range;

/// A record, where it stands, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The number of its line, from 1.
    pub line: u64,
    /// Where its bytes start in the file.
    pub offset: u64,
    /// Its bytes: the line without `\n`, or its share of a line that holds
    /// several. The entries of a line tile it.
    pub bytes: &'a [u8],
    /// The record.
    pub record: Record<'a>,
    /// What is wrong with it; mostly nothing.
    pub problems: Vec<Problem>,
    /// Whether it is a whole object on a last line without `\n`: good to show,
    /// but the next read may find more.
    pub provisional: bool,
}

/// The entries of one line: nearly always one.
#[derive(Debug)]
pub struct Entries<'a>(Held<'a>);

#[derive(Debug)]
enum Held<'a> {
    One(Option<Box<Entry<'a>>>),
    Many(std::vec::IntoIter<Entry<'a>>),
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        match &mut self.0 {
            Held::One(entry) => entry.take().map(|entry| *entry),
            Held::Many(entries) => entries.next(),
        }
    }
}

/// The entries of `bytes`, taken to be a whole file.
pub fn entries(bytes: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    lines(bytes).flat_map(parse_line)
}

impl<'a> Lines<'a> {
    /// The entries of these lines.
    pub fn entries(self) -> impl Iterator<Item = Entry<'a>> {
        self.flat_map(parse_line)
    }
}

/// Parses a line. It always gives at least one entry.
pub fn parse_line(line: Line<'_>) -> Entries<'_> {
    if let Ok(text) = str::from_utf8(line.bytes)
        && let Ok(wide) = serde_json::from_str::<Wide<'_>>(text)
    {
        let record = Record::new(line.bytes.trim_ascii(), text, wide);
        return Entries(Held::One(Some(Box::new(Entry {
            line: line.number,
            offset: line.offset,
            bytes: line.bytes,
            record,
            problems: Vec::new(),
            provisional: line.end == LineEnd::EndOfInput,
        }))));
    }
    Entries(Held::Many(parse_odd_line(line).into_iter()))
}

/// A piece of a line: a JSON value, or bytes that are none.
struct Piece {
    range: Range<usize>,
    error: Option<String>,
}

fn parse_odd_line(line: Line<'_>) -> Vec<Entry<'_>> {
    let mut leading = Vec::new();
    let start = leading_junk(line, &mut leading);
    let pieces = cut(line.bytes, start);
    if pieces.is_empty() {
        if leading.is_empty() {
            leading.push(Problem { offset: line.offset, reason: Reason::BlankLine });
        }
        let record = Record::unreadable(line.bytes, RecordKind::Blank);
        return vec![entry(line, 0..line.bytes.len(), record, leading)];
    }
    let whole = pieces.iter().filter(|piece| piece.error.is_none()).count();
    if whole > 1 {
        leading.push(Problem { offset: line.offset, reason: Reason::Glued(whole) });
    }
    let mut entries = Vec::with_capacity(pieces.len());
    for (number, piece) in pieces.iter().enumerate() {
        // The first piece takes what stands before it; each takes the space
        // up to the next.
        let from = if number == 0 { 0 } else { piece.range.start };
        let to = pieces.get(number + 1).map_or(line.bytes.len(), |next| next.range.start);
        let mut problems = std::mem::take(&mut leading);
        let offset = line.offset + piece.range.start as u64;
        let raw = line.bytes[piece.range.clone()].trim_ascii();
        let record = match &piece.error {
            None => parse_object(raw, offset, &mut problems),
            Some(_) if line.end == LineEnd::EndOfInput && to == line.bytes.len() => {
                problems.push(Problem { offset, reason: Reason::TornLastLine });
                Record::unreadable(raw, RecordKind::Damaged)
            }
            Some(why) => {
                problems.push(Problem { offset, reason: Reason::NotJson(why.clone()) });
                Record::unreadable(raw, RecordKind::Damaged)
            }
        };
        entries.push(entry(line, from..to, record, problems));
    }
    entries
}

fn entry<'a>(
    line: Line<'a>,
    range: Range<usize>,
    record: Record<'a>,
    problems: Vec<Problem>,
) -> Entry<'a> {
    let readable = !matches!(record.kind, RecordKind::Damaged | RecordKind::Blank);
    Entry {
        line: line.number,
        offset: line.offset + range.start as u64,
        provisional: readable && line.end == LineEnd::EndOfInput,
        bytes: &line.bytes[range],
        record,
        problems,
    }
}

/// Steps over NUL bytes, a byte order mark and white space.
fn leading_junk(line: Line<'_>, problems: &mut Vec<Problem>) -> usize {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let mut at = 0;
    let mut nuls = 0;
    loop {
        let rest = &line.bytes[at..];
        match rest.first() {
            Some(0) => {
                nuls += 1;
                at += 1;
            }
            Some(byte) if byte.is_ascii_whitespace() => at += 1,
            _ if rest.starts_with(MARK) => {
                problems.push(Problem { offset: line.offset, reason: Reason::ByteOrderMark });
                at += MARK.len();
            }
            _ => break,
        }
    }
    if nuls > 0 {
        problems.push(Problem { offset: line.offset, reason: Reason::LeadingNuls(nuls) });
    }
    at
}

/// Cuts a line into the JSON values on it and the bytes that are none.
fn cut(bytes: &[u8], start: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let Err((from, why)) = values(bytes, start, &mut pieces) else { return pieces };
    // Something is broken from here on. A writer that was cut off mid-line and
    // went on leaves a whole object behind the torn one.
    let salvaged = salvage(bytes, from);
    let end = salvaged.as_ref().and_then(|pieces| pieces.first()).map(|piece| piece.range.start);
    pieces.push(Piece { range: from..end.unwrap_or(bytes.len()), error: Some(why) });
    pieces.extend(salvaged.into_iter().flatten());
    pieces
}

/// How many values of one line become records. A writer glues two or three; a
/// line of a million would be an attack on memory, and stays one damaged piece.
const MOST_PIECES: usize = 1_000;

/// Appends the values that follow one another from `start`; the error is where
/// that ends too soon, and why.
fn values(bytes: &[u8], start: usize, pieces: &mut Vec<Piece>) -> Result<(), (usize, String)> {
    let mut stream =
        serde_json::Deserializer::from_slice(&bytes[start..]).into_iter::<IgnoredAny>();
    let mut from = start;
    while let Some(value) = stream.next() {
        if let Err(error) = value {
            return Err((from, strip_position(&error)));
        }
        if pieces.len() == MOST_PIECES {
            return Err((from, "too many values on one line".to_owned()));
        }
        let to = start + stream.byte_offset();
        pieces.push(Piece { range: from..to, error: None });
        from = to + bytes[to..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }
    Ok(())
}

/// `serde_json` counts lines and columns of what it was handed; the problem has
/// the offset in the file.
fn strip_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

/// Looks behind `from` for a place from which the line is whole objects.
/// Bounded, because a hostile line could offer a place per byte.
fn salvage(bytes: &[u8], from: usize) -> Option<Vec<Piece>> {
    const STARTS: [&[u8]; 2] = [br#"{"parentUuid":"#, br#"{"type":""#];
    const TRIES: usize = 16;
    let tail = &bytes[from + 1..];
    let mut starts: Vec<usize> = STARTS
        .iter()
        .flat_map(|start| memmem::find_iter(tail, start).take(TRIES))
        .map(|at| from + 1 + at)
        .collect();
    starts.sort_unstable();
    starts.into_iter().find_map(|start| {
        let mut pieces = Vec::new();
        values(bytes, start, &mut pieces).ok()?;
        Some(pieces)
    })
}

/// Reads one JSON value field by field.
fn parse_object<'a>(raw: &'a [u8], offset: u64, problems: &mut Vec<Problem>) -> Record<'a> {
    let text = String::from_utf8_lossy(raw);
    if matches!(text, std::borrow::Cow::Owned(_)) {
        problems.push(Problem { offset, reason: Reason::InvalidUtf8 });
    }
    if !text.starts_with('{') {
        let reason = Reason::NotAnObject(crate::json::type_name(&text));
        problems.push(Problem { offset, reason });
        return Record::unreadable(raw, RecordKind::Damaged);
    }
    // Nothing is wrong with an object that only shared its line.
    if let Ok(text) = str::from_utf8(raw)
        && let Ok(wide) = serde_json::from_str(text)
    {
        return Record::new(raw, text, wide);
    }
    let mut at = Place::new(offset, problems);
    let wide = Wide::read(&text, &mut at).unwrap_or_default();
    Record::new(raw, &text, wide)
}
