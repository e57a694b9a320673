//! The largest line, and what stands for one that is larger.
//!
//! Lines come from anywhere, and a line is held in memory several times over while it is parsed,
//! masked and split into words. Readers of lines pass a stand-in for a line
//! that is larger: a short line with its size and the ids that its beginning and end tell, so
//! that the lines around it keep their numbers and the conversation its order.

use crate::salvage::salvage_ids;
use std::fmt::Write as _;

/// The largest line that is read, in bytes. A request to a model may have 32 MB, and a line
/// repeats the result of a call once: the longest real lines, with pictures in them, have a few
/// megabytes.
pub const LARGEST_LINE: usize = 64 << 20;

/// How much of either end of a larger line is looked at for its ids.
pub const LARGE_LINE_END: usize = 4 << 10;

const START: &str = "annals: line too large: ";
const UNIT: &str = " bytes";

/// The line that stands for one of this size, without a newline. `head` and `tail` are its ends.
///
/// ```
/// let line = transcript::large_line_stand_in(1 << 30, br#"{"parentUuid":"a","message":"#, b"");
/// assert_eq!(transcript::large_line_bytes(line.as_bytes()), Some(1 << 30));
/// assert_eq!(transcript::salvage_ids(line.as_bytes()).parent_uuid, Some(Some("a".to_owned())));
/// ```
pub fn large_line_stand_in(bytes: u64, head: &[u8], tail: &[u8]) -> String {
    let (first, last) = (salvage_ids(head), salvage_ids(tail));
    let mut text = format!("{START}{bytes}{UNIT}");
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
    rest.split_once(UNIT)?.0.parse().ok()
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
        for line in ["", "{}", "annals: line too large", "annals: line too large: x bytes"] {
            assert_eq!(large_line_bytes(line.as_bytes()), None, "{line}");
        }
    }
}
