//! Parses a line into its records and their problems.
//!
//! The derived parser tries the whole line first. If it fails, the line is split
//! into the JSON values on it, and each is read field by field. Bytes between
//! them that are not JSON become a separate [`RecordKind::Damaged`] record. The
//! parts tile the line, so no byte is lost.

use crate::kind::RecordKind;
use crate::large_line::large_line_bytes;
use crate::line::{Line, LineEnd, Lines, lines};
use crate::problem::{Problem, Reason};
use crate::record::Record;
use crate::top_level::TopLevel;
use crate::value::{FieldContext, LenientRead};
use memchr::memmem;
use serde::de::IgnoredAny;
use std::ops::Range;

/// A record with its position in the file and its problems.
///
/// The bytes of all entries, with the newlines between lines, are the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// The line number, starting at 1.
    pub line: u64,
    /// The byte offset of [`bytes`](Entry::bytes) in the file.
    pub offset: u64,
    /// Its bytes: the line without `\n`, or a part of a line with several
    /// entries. The entries of a line tile it.
    pub bytes: &'a [u8],
    /// The record.
    pub record: Record<'a>,
    /// What is wrong with it; nearly always empty.
    pub problems: Vec<Problem>,
    /// Whether it is a complete object on a last line without `\n`. It can be
    /// shown, but the next read of a growing file may replace it.
    pub provisional: bool,
}

/// The entries of one line, nearly always one; see [`parse_line`].
#[derive(Debug)]
pub struct Entries<'a>(OneOrMany<'a>);

#[derive(Debug)]
enum OneOrMany<'a> {
    One(Option<Box<Entry<'a>>>),
    Many(std::vec::IntoIter<Entry<'a>>),
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        match &mut self.0 {
            OneOrMany::One(entry) => entry.take().map(|entry| *entry),
            OneOrMany::Many(entries) => entries.next(),
        }
    }
}

/// Parses a whole file.
///
/// Never fails: damaged lines give entries with [`problems`](Entry::problems).
///
/// ```
/// let file = b"{\"type\":\"tag\",\"tag\":\"draft\"}\nnot JSON\n";
/// let entries: Vec<_> = transcript::entries(file).collect();
/// assert!(entries[0].problems.is_empty());
/// assert_eq!(entries[1].record.raw, b"not JSON");
/// assert_eq!(entries[1].problems[0].to_string(), "at byte 29: not JSON: expected ident");
/// ```
pub fn entries(bytes: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    lines(bytes).flat_map(parse_line)
}

impl<'a> Lines<'a> {
    /// Parses these lines.
    pub fn entries(self) -> impl Iterator<Item = Entry<'a>> {
        self.flat_map(parse_line)
    }
}

/// Parses one line. It gives at least one entry, and several if a writer put
/// several objects on the line.
///
/// ```
/// use transcript::{RecordKind, lines, parse_line};
///
/// // A prefilter on the bytes saves parsing the lines that do not matter.
/// let file = b"{\"type\":\"mode\",\"mode\":\"x\"}\n{\"type\":\"tag\",\"tag\":\"draft\"}\n";
/// let tags = lines(file)
///     .filter(|line| RecordKind::of_line(line.bytes) == RecordKind::Tag)
///     .flat_map(parse_line);
/// assert_eq!(tags.map(|entry| entry.line).collect::<Vec<_>>(), [2]);
/// ```
pub fn parse_line(line: Line<'_>) -> Entries<'_> {
    if let Ok(text) = str::from_utf8(line.bytes)
        && let Ok(fields) = serde_json::from_str::<TopLevel<'_>>(text)
    {
        let record = Record::new(line.bytes.trim_ascii(), text, fields);
        return Entries(OneOrMany::One(Some(Box::new(Entry {
            line: line.number,
            offset: line.offset,
            bytes: line.bytes,
            record,
            problems: Vec::new(),
            provisional: line.end == LineEnd::EndOfInput,
        }))));
    }
    Entries(OneOrMany::Many(parse_line_leniently(line).into_iter()))
}

/// A part of a line: a JSON value, or bytes that are not JSON.
struct LinePart {
    range: Range<usize>,
    error: Option<String>,
}

fn parse_line_leniently(line: Line<'_>) -> Vec<Entry<'_>> {
    if let Some(bytes) = large_line_bytes(line.bytes) {
        let record = Record::unreadable(line.bytes, RecordKind::Damaged);
        let problem = Problem { offset: line.offset, reason: Reason::TooLarge { bytes } };
        return vec![entry(line, 0..line.bytes.len(), record, vec![problem])];
    }
    let mut leading = Vec::new();
    let start = leading_junk(line, &mut leading);
    let parts = split_values(line.bytes, start);
    if parts.is_empty() {
        if leading.is_empty() {
            leading.push(Problem { offset: line.offset, reason: Reason::BlankLine });
        }
        let record = Record::unreadable(line.bytes, RecordKind::Blank);
        return vec![entry(line, 0..line.bytes.len(), record, leading)];
    }
    let whole = parts.iter().filter(|part| part.error.is_none()).count();
    if whole > 1 {
        leading.push(Problem { offset: line.offset, reason: Reason::SeveralObjects(whole) });
    }
    let mut entries = Vec::with_capacity(parts.len());
    for (number, part) in parts.iter().enumerate() {
        // The first part includes the bytes before it, and each part the white
        // space up to the next.
        let from = if number == 0 { 0 } else { part.range.start };
        let to = parts.get(number + 1).map_or(line.bytes.len(), |next| next.range.start);
        let mut problems = std::mem::take(&mut leading);
        let offset = line.offset + part.range.start as u64;
        let raw = line.bytes[part.range.clone()].trim_ascii();
        let record = match &part.error {
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

/// Skips NUL bytes, byte order marks and white space; returns where they end.
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

/// Splits a line into the JSON values on it and the bytes that are not JSON.
fn split_values(bytes: &[u8], start: usize) -> Vec<LinePart> {
    let mut parts = Vec::new();
    let Err((from, why)) = read_values(bytes, start, &mut parts) else { return parts };
    // The line is damaged from here on. A writer that was interrupted in a line
    // and then went on leaves a complete object after the incomplete one.
    let recovered = recover_objects(bytes, from);
    let end = recovered.as_ref().and_then(|parts| parts.first()).map(|part| part.range.start);
    parts.push(LinePart { range: from..end.unwrap_or(bytes.len()), error: Some(why) });
    parts.extend(recovered.into_iter().flatten());
    parts
}

/// How many values of one line become records. Real lines have two or three. The
/// rest of a line with millions stays one damaged part, which bounds memory.
const MAX_PARTS: usize = 1_000;

/// Appends the JSON values from `start` on. The error says where the first byte
/// that is not JSON is, and why.
fn read_values(
    bytes: &[u8],
    start: usize,
    parts: &mut Vec<LinePart>,
) -> Result<(), (usize, String)> {
    let mut stream =
        serde_json::Deserializer::from_slice(&bytes[start..]).into_iter::<IgnoredAny>();
    let mut from = start;
    while let Some(value) = stream.next() {
        if let Err(error) = value {
            return Err((from, strip_position(&error)));
        }
        if parts.len() == MAX_PARTS {
            return Err((from, "too many values on one line".to_owned()));
        }
        let to = start + stream.byte_offset();
        parts.push(LinePart { range: from..to, error: None });
        from = to + bytes[to..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }
    Ok(())
}

/// Removes the line and column, which count from the start of this value; the
/// problem has the offset in the file instead.
fn strip_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

/// Searches after `from` for a place where complete objects begin that fill the
/// rest of the line. Bounded, because a hostile line could have one such place
/// per byte.
fn recover_objects(bytes: &[u8], from: usize) -> Option<Vec<LinePart>> {
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
        let mut parts = Vec::new();
        read_values(bytes, start, &mut parts).ok()?;
        Some(parts)
    })
}

/// Reads one JSON value field by field.
pub(crate) fn parse_object<'a>(
    raw: &'a [u8],
    offset: u64,
    problems: &mut Vec<Problem>,
) -> Record<'a> {
    let text = String::from_utf8_lossy(raw);
    if matches!(text, std::borrow::Cow::Owned(_)) {
        problems.push(Problem { offset, reason: Reason::InvalidUtf8 });
    }
    if !text.starts_with('{') {
        let reason = Reason::NotAnObject(crate::json::type_name(&text));
        problems.push(Problem { offset, reason });
        return Record::unreadable(raw, RecordKind::Damaged);
    }
    // An object that only shares its line with others has no problem itself.
    if let Ok(text) = str::from_utf8(raw)
        && let Ok(fields) = serde_json::from_str(text)
    {
        return Record::new(raw, text, fields);
    }
    let mut context = FieldContext::new(offset, problems);
    let fields = TopLevel::read(&text, &mut context).unwrap_or_default();
    Record::new(raw, &text, fields)
}
