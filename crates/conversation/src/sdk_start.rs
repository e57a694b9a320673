//! Where the official reader starts to read a large transcript.
//!
//! It skips everything before the last compaction boundary that preserved
//! nothing. It looks for boundaries one mebibyte at a time, and only at the
//! beginnings of lines, so it misses some; this module misses the same ones.

use transcript::{Body, Line, LineEnd, json, parse_line};

use crate::node::is_truthy;

/// Above this size the official reader does not read the whole file.
const LARGE: usize = 5 * 1024 * 1024;

/// How much it reads at a time.
const PIECE: u64 = 1024 * 1024;

/// A line that starts at least this far before the end of a piece, and runs past
/// that end, is skipped unread.
const SKIPPED_UNREAD: u64 = 30;

/// The beginning of lines that are read even then.
const ALWAYS_READ: &[u8] = br#"{"type":"system""#;

/// The marker that a boundary's line has in its first bytes.
const MARK: &[u8] = br#""compact_boundary""#;
const MARK_WITHIN: usize = 256;

/// Whether a transcript is large.
pub(crate) fn is_large(bytes: &[u8]) -> bool {
    bytes.len() > LARGE
}

/// Whether reading starts at this line of a large transcript.
pub(crate) fn begins_with(line: Line<'_>) -> bool {
    has_mark(line.bytes) && is_read(line) && preserves_nothing(line)
}

fn has_mark(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(MARK_WITHIN - 1 + MARK.len())];
    beginning.windows(MARK.len()).any(|window| window == MARK)
}

/// Whether the official reader reads the whole line.
fn is_read(line: Line<'_>) -> bool {
    if line.end == LineEnd::EndOfInput {
        return false;
    }
    let end = line.offset + line.bytes.len() as u64;
    let in_one_piece = line.offset / PIECE == end / PIECE;
    let in_first_piece = PIECE - line.offset % PIECE;
    in_one_piece || in_first_piece < SKIPPED_UNREAD || line.bytes.starts_with(ALWAYS_READ)
}

fn preserves_nothing(line: Line<'_>) -> bool {
    // Only JSON white space may come before the object.
    let first = line.bytes.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    let mut entries = parse_line(line);
    let (Some(b'{'), Some(entry), None) = (first, entries.next(), entries.next()) else {
        return false;
    };
    let Body::System(system) = &entry.record.body else { return false };
    let text = String::from_utf8_lossy(entry.record.raw);
    let metadata = json::member(&text, "compactMetadata").unwrap_or_default();
    let has = |key| json::member(metadata, key).is_some_and(is_truthy);
    system.subtype.as_deref() == Some("compact_boundary")
        && !has("preservedSegment")
        && !has("preservedMessages")
}
