//! The header of a rollout file, for lists: everything up to the first prompt is read, and after
//! it only the lines that can change the header. No entries are held of those: a list is read of
//! many files at once, and a file may have any number of them.

use crate::{Header, Read, Session};
use memchr::{memchr_iter, memmem};

use crate::codex::line::{Peek, START, peek};
use crate::codex::reader::Reader;

/// How much is read whole after the first prompt: it may come twice, the second time as it was
/// typed.
const AFTER_PROMPT: u64 = 16 * 1024;

/// How much is read whole while there is no prompt.
const MOST: u64 = 4 * 1024 * 1024;

/// How many entries are held at most until the first prompt is known.
const MOST_ENTRIES: usize = 20_000;

/// What is in every line that can change the header.
const TYPE: &[u8] = b"\"type\"";

/// Reads the header of a rollout file, in parts or whole.
#[derive(Debug, Default)]
pub struct HeaderReader {
    reader: Reader,
    /// Whether the part that is read whole has ended.
    is_behind_head: bool,
    /// Where the first prompt was known.
    prompt: Option<u64>,
}

impl HeaderReader {
    /// What is known of the thread so far.
    pub fn into_header(self) -> Header {
        self.reader.into_session().header
    }

    fn read_line(&mut self, line: &[u8]) {
        let offset = self.reader.offset();
        let has_prompt = self.reader.session().header.first_prompt.is_some();
        self.prompt = self.prompt.filter(|_| has_prompt).or(has_prompt.then_some(offset));
        let is_near = match self.prompt {
            Some(prompt) => offset < prompt.saturating_add(AFTER_PROMPT),
            None => offset < MOST,
        };
        let has_room = self.reader.session().entries.len() < MOST_ENTRIES;
        self.is_behind_head |= !is_near || !has_room;
        let peeked = peek(line);
        if !self.is_behind_head {
            self.reader.read_line(line);
            return;
        }
        if may_matter(line, peeked.as_ref()) {
            self.reader.read_line(line);
        } else {
            self.reader.skip_line(line, peeked.as_ref());
        }
        self.reader.drop_entries();
    }
}

impl Read for HeaderReader {
    fn read_on(&mut self, bytes: &[u8]) -> usize {
        let mut start = 0;
        for end in memchr_iter(b'\n', bytes) {
            self.read_line(bytes.get(start..end).unwrap_or_default());
            self.reader.end_line();
            start = end + 1;
        }
        start
    }

    fn read_last(&mut self, bytes: &[u8]) {
        self.read_line(bytes);
    }

    /// The session, as far as it was read for the header. Its entries are only those of the
    /// beginning, and none once more than that was read.
    fn session(&self) -> &Session {
        self.reader.session()
    }

    fn into_session(self) -> Session {
        self.reader.into_session()
    }
}

/// Whether a line may change the header.
fn may_matter(line: &[u8], peeked: Option<&Peek<'_>>) -> bool {
    let Some(peeked) = peeked else { return memmem::find(line, TYPE).is_some() };
    let is_wanted = match peeked.kind {
        b"session_meta" | b"turn_context" => true,
        b"event_msg" => peeked.payload.is_none_or(|kind| {
            matches!(
                kind,
                b"task_started"
                    | b"turn_started"
                    | b"thread_name_updated"
                    | b"thread_settings_applied"
            )
        }),
        _ => false,
    };
    // Another object may be glued to the first one.
    is_wanted || line.get(1..).is_some_and(|rest| memmem::find(rest, START).is_some())
}

#[cfg(test)]
mod tests {
    use super::{HeaderReader, MOST_ENTRIES};
    use crate::Read as _;

    const START: &str = r#"{"timestamp":"2026-01-31T12:00:00Z","type":""#;

    /// The most entries and problems that a reader held, and the directory that it found, of a file
    /// with many lines of one text.
    fn read(prompt: &str, line: &str, count: usize) -> (usize, Option<String>) {
        let moved = format!("{START}turn_context\",\"payload\":{{\"cwd\":\"/reef\"}}}}\n");
        let meta =
            format!("{START}session_meta\",\"payload\":{{\"id\":\"a\",\"cwd\":\"/kelp\"}}}}\n");
        let mut reader = HeaderReader::default();
        reader.read_on(format!("{meta}{prompt}").as_bytes());
        let mut most = 0;
        for _ in 0..count {
            reader.read_on(line.as_bytes());
            let session = reader.session();
            most = most.max(session.entries.len() + session.problems.len());
        }
        reader.read_on(moved.as_bytes());
        (most, reader.into_header().directory)
    }

    #[test]
    fn lists_hold_no_more_entries_than_the_beginning_of_a_file_has() {
        let event = format!("{START}event_msg\",\"payload\":{{\"type\":");
        let prompt = format!("{event}\"user_message\",\"message\":\"first\"}}}}\n");
        for line in ["{}\n", "x\n", "{\"type\":7}\n", "{ \"type\":\"event_msg\",\"payload\":{}}\n"]
        {
            let (most, directory) = read(&prompt, line, 50_000);
            assert!(most < 2 * 16 * 1024, "{line}: {most}");
            assert_eq!(directory.as_deref(), Some("/reef"), "{line}");
            // Without a prompt, the beginning is longer.
            let (most, directory) = read("", line, 50_000);
            assert!(most <= 2 * MOST_ENTRIES, "{line}: {most}");
            assert_eq!(directory.as_deref(), Some("/reef"), "{line}");
        }
    }
}
