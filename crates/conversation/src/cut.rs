//! Where the official reader begins to read a large transcript.
//!
//! It passes over what was compacted away, up to the last boundary that kept
//! nothing. It looks for boundaries a mebibyte at a time, and at the beginnings
//! of lines alone, so that it misses some; those are missed here too.

use transcript::{Body, Line, LineEnd, json, parse_line};

use crate::node::is_truthy;

/// Beyond this size the official reader does not read all.
const LARGE: usize = 5 * 1024 * 1024;

/// How much it looks at in one go.
const PIECE: u64 = 1024 * 1024;

/// How much of a line must stand at the end of a piece to be passed on unread.
const PASSED_ON: u64 = 30;

/// How a line begins that is looked at even so.
const ALWAYS_READ: &[u8] = br#"{"type":"system""#;

/// What a boundary's line has among its first bytes.
const MARK: &[u8] = br#""compact_boundary""#;
const MARK_WITHIN: usize = 256;

/// Whether a transcript is large.
pub(crate) fn is_large(bytes: &[u8]) -> bool {
    bytes.len() > LARGE
}

/// Whether reading begins with this line of a large transcript.
pub(crate) fn begins_with(line: Line<'_>) -> bool {
    has_mark(line.bytes) && is_read(line) && keeps_nothing(line)
}

fn has_mark(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(MARK_WITHIN - 1 + MARK.len())];
    beginning.windows(MARK.len()).any(|window| window == MARK)
}

/// Whether the line is looked at as a whole.
fn is_read(line: Line<'_>) -> bool {
    if line.end == LineEnd::EndOfInput {
        return false;
    }
    let end = line.offset + line.bytes.len() as u64;
    let in_one_piece = line.offset / PIECE == end / PIECE;
    let in_first_piece = PIECE - line.offset % PIECE;
    in_one_piece || in_first_piece < PASSED_ON || line.bytes.starts_with(ALWAYS_READ)
}

fn keeps_nothing(line: Line<'_>) -> bool {
    // What JSON calls white space, and nothing else, may stand before it.
    let first = line.bytes.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    let mut entries = parse_line(line);
    let (Some(b'{'), Some(entry), None) = (first, entries.next(), entries.next()) else {
        return false;
    };
    let Body::System(system) = &entry.record.body else { return false };
    let text = String::from_utf8_lossy(entry.record.raw);
    let metadata = json::member(&text, "compactMetadata").unwrap_or_default();
    let kept = |key| json::member(metadata, key).is_some_and(is_truthy);
    system.subtype.as_deref() == Some("compact_boundary")
        && !kept("preservedSegment")
        && !kept("preservedMessages")
}
