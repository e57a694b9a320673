//! The largest line, and what stands for one that is larger.
//!
//! Lines come from anywhere, and a line is held in memory several times over while it is parsed,
//! masked and split into words. Readers of lines pass a stand-in for a line
//! that is larger: a short line with its size and the ids that its beginning and end tell, so
//! that the lines around it keep their numbers and the conversation its order.
//!
//! A stand-in contains a mark that this process draws at random and writes nowhere: no line of a
//! file can have it, whatever its text is. What writes lines as they are calls
//! [`without_large_line_marks`].

use crate::salvage::salvage_ids;
use memchr::memmem;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

/// The largest line that is read, in bytes. A request to a model may have 32 MB, and a line
/// repeats the result of a call once: the longest real lines, with pictures in them, have a few
/// megabytes.
pub const LARGEST_LINE: usize = 64 << 20;

/// How much of either end of a larger line is looked at for its ids.
pub const LARGE_LINE_END: usize = 4 << 10;

const START: &str = "annals: line too large: ";
const UNIT: &str = " bytes";

/// 128 random bits, as control characters: nothing that looks for secrets, words or line ends
/// takes them for one.
static MARK: LazyLock<String> = LazyLock::new(|| {
    let random = RandomState::new();
    let bytes = (0_u64..2).flat_map(|part| random.hash_one(part).to_le_bytes());
    bytes.flat_map(|byte| [byte >> 4, byte & 15]).map(|half| char::from(0x0e + half)).collect()
});

/// The line that stands for one of this size, without a newline. `head` and `tail` are its ends.
///
/// ```
/// let line = transcript::large_line_stand_in(1 << 30, br#"{"parentUuid":"a","message":"#, b"");
/// assert_eq!(transcript::large_line_bytes(line.as_bytes()), Some(1 << 30));
/// assert_eq!(transcript::salvage_ids(line.as_bytes()).parent_uuid, Some(Some("a".to_owned())));
/// ```
pub fn large_line_stand_in(bytes: u64, head: &[u8], tail: &[u8]) -> String {
    let (first, last) = (salvage_ids(head), salvage_ids(tail));
    let mut text = format!("{START}{bytes}{UNIT}{}", *MARK);
    let mut members = Vec::new();
    let mut add = |key: &str, value: Option<String>| {
        // Salvaged values are short and have no escapes.
        members.extend(value.map(|value| format!("\"{key}\":\"{value}\"")));
    };
    let uuids = first.uuids.into_iter().chain(last.uuids);
    add("parentUuid", first.parent_uuid.clone().flatten());
    for uuid in uuids {
        add("uuid", Some(uuid));
    }
    add("timestamp", last.timestamp.or(first.timestamp));
    if first.parent_uuid == Some(None) {
        members.push("\"parentUuid\":null".to_owned());
    }
    if first.is_sidechain || last.is_sidechain {
        members.push("\"isSidechain\":true".to_owned());
    }
    if !members.is_empty() {
        // Writing into a String cannot fail.
        let _ = write!(text, " {{{}}}", members.join(","));
    }
    text
}

/// The size of the line that this one stands for; `None` for any other line.
pub fn large_line_bytes(line: &[u8]) -> Option<u64> {
    let rest = str::from_utf8(line.strip_prefix(START.as_bytes())?).ok()?;
    let (bytes, rest) = rest.split_once(UNIT)?;
    if rest.starts_with(&**MARK) { bytes.parse().ok() } else { None }
}

/// Lines as they may be written: without the marks of those that stand for others.
pub fn without_large_line_marks(lines: &[u8]) -> Cow<'_, [u8]> {
    let mut marks = memmem::find_iter(lines, MARK.as_bytes()).peekable();
    if marks.peek().is_none() {
        return Cow::Borrowed(lines);
    }
    let mut written = Vec::with_capacity(lines.len());
    let mut done = 0;
    for mark in marks {
        written.extend_from_slice(&lines[done..mark]);
        done = mark + MARK.len();
    }
    written.extend_from_slice(&lines[done..]);
    Cow::Owned(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Line, LineEnd, Reason, RecordKind, parse_line};

    #[test]
    fn stand_in_has_the_ids_of_the_line_and_none_of_its_text() {
        let head = br#"{"parentUuid":"p1","isSidechain":true,"message":{"content":"hunter2 "#;
        let tail = br#"hunter3"},"uuid":"u1","timestamp":"2026-11-19T01:02:03.000Z"}"#;
        let text = large_line_stand_in(70 << 20, head, tail);
        assert!(!text.contains("hunter"), "{text}");
        assert_eq!(large_line_bytes(text.as_bytes()), Some(70 << 20));
        let line = Line { number: 3, offset: 9, bytes: text.as_bytes(), end: LineEnd::Newline };
        let entries: Vec<_> = parse_line(line).collect();
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].record.kind, RecordKind::Damaged);
        assert_eq!(entries[0].problems[0].reason, Reason::TooLarge { bytes: 70 << 20 });
        let ids = salvage_ids(text.as_bytes());
        assert_eq!(ids.uuids, ["u1"]);
        assert_eq!(ids.parent_uuid, Some(Some("p1".to_owned())));
        assert!(ids.is_sidechain && ids.timestamp.is_some());
    }

    #[test]
    fn other_lines_stand_for_nothing() {
        let texts = [
            "",
            "{}",
            "annals: line too large",
            "annals: line too large: x bytes",
            "annals: line too large: 99999999 bytes",
            "annals: line too large: 99999999 bytes {\"uuid\":\"u1\"}",
        ];
        for line in texts {
            assert_eq!(large_line_bytes(line.as_bytes()), None, "{line}");
            assert!(matches!(without_large_line_marks(line.as_bytes()), Cow::Borrowed(_)));
        }
    }

    #[test]
    fn line_with_the_written_text_of_a_stand_in_stands_for_nothing() {
        let stand_in = large_line_stand_in(70 << 20, br#"{"uuid":"u1""#, b"");
        let lines = format!("a\n{stand_in}\n{stand_in}\nb");
        let written = without_large_line_marks(lines.as_bytes());
        let text = "annals: line too large: 73400320 bytes {\"uuid\":\"u1\"}";
        assert_eq!(String::from_utf8_lossy(&written), format!("a\n{text}\n{text}\nb"));
        assert_eq!(large_line_bytes(text.as_bytes()), None);
    }
}
