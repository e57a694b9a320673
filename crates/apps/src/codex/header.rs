//! The header of a rollout file, for lists: everything up to the first prompt is read, and after
//! it only the lines that can change the header.

use crate::{Header, Read, Session};
use memchr::{memchr_iter, memmem};

use crate::codex::line::{Peek, START, peek};
use crate::codex::reader::Reader;

/// How much is read whole after the first prompt: it may come twice, the second time as it was
/// typed.
const AFTER_PROMPT: u64 = 16 * 1024;

/// How much is read whole while there is no prompt.
const MOST: u64 = 4 * 1024 * 1024;

/// Reads the header of a rollout file, in parts or whole.
#[derive(Debug, Default)]
pub struct HeaderReader {
    reader: Reader,
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
        let is_head = match self.prompt {
            Some(prompt) => offset < prompt.saturating_add(AFTER_PROMPT),
            None => offset < MOST,
        };
        let peeked = peek(line);
        if is_head || may_matter(line, peeked.as_ref()) {
            self.reader.read_line(line);
        } else {
            self.reader.skip_line(line, peeked.as_ref());
        }
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

    /// The session, as far as it was read for the header.
    fn session(&self) -> &Session {
        self.reader.session()
    }

    fn into_session(self) -> Session {
        self.reader.into_session()
    }
}

/// Whether a line may change the header.
fn may_matter(line: &[u8], peeked: Option<&Peek<'_>>) -> bool {
    let Some(peeked) = peeked else { return !line.is_empty() };
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
