//! `history.jsonl`: every prompt ever typed.
//!
//! Claude Code's cleanup does not touch it, so it can name sessions whose
//! transcripts are gone.

use crate::files::Files;
use crate::read::{LineReader, Position};
use jiff::Timestamp;
use std::io;
use std::path::Path;
use transcript::{json, large_line_bytes};

/// One prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The prompt as displayed, with placeholders for pasted text.
    pub display: String,
    /// When it was sent.
    pub time: Option<Timestamp>,
    /// The working directory.
    pub project: Option<String>,
    /// The session; older entries have none.
    pub session_id: Option<String>,
}

/// Reads the history of a configuration folder, oldest first, and the positions
/// of lines that are not entries. A missing file is an empty history.
pub fn read_history(
    files: &Files,
    config: &Path,
) -> io::Result<(Vec<HistoryEntry>, Vec<Position>)> {
    let mut entries = Vec::new();
    let mut unreadable = Vec::new();
    let mut file = match files.open(&config.join("history.jsonl")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((entries, unreadable)),
        opened => opened?,
    };
    LineReader::default().read(&mut file, Position::START, |line| {
        let text = String::from_utf8_lossy(line.bytes);
        match parse(&text) {
            Some(entry) => entries.push(entry),
            None if text.trim().is_empty() || large_line_bytes(line.bytes).is_some() => {}
            None => unreadable.push(Position { offset: line.offset, line: line.number }),
        }
        true
    })?;
    Ok((entries, unreadable))
}

fn parse(text: &str) -> Option<HistoryEntry> {
    serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
    let string = |key| {
        json::member(text, key)
            .and_then(json::decode_string)
            .map(|decoded| decoded.text.into_owned())
    };
    let time = json::member(text, "timestamp").and_then(|number| {
        #[expect(clippy::cast_possible_truncation, reason = "milliseconds within the calendar")]
        let milliseconds = number.parse::<f64>().ok()? as i64;
        Timestamp::from_millisecond(milliseconds).ok()
    });
    Some(HistoryEntry {
        display: string("display")?,
        time,
        project: string("project").filter(|project| !project.is_empty()),
        session_id: string("sessionId").filter(|id| !id.is_empty()),
    })
}
