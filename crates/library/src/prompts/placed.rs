//! Prompts with their places in a transcript, so that each can be read again without the
//! others.

use crate::prompts::{Prompt, Prompts, TranscriptPrompts};
use index::{Digest, PromptSource, RecordedPrompt};
use jiff::Timestamp;
use std::borrow::Cow;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use store::OpenFile;
use store::limits::LARGEST_LINE;
use transcript::{Line, LineEnd};

/// A prompt, and where it is recorded.
pub(super) struct PlacedPrompt {
    pub(super) prompt: Prompt,
    /// The offset of its record.
    pub(super) offset: u64,
    /// The offset of the record that has its uuid, if that is another one.
    pub(super) uuid_offset: Option<u64>,
}

impl RecordedPrompt for PlacedPrompt {
    fn session_id(&self) -> Option<&str> {
        self.prompt.session_id()
    }

    fn time(&self) -> Option<Timestamp> {
        self.prompt.time()
    }

    fn source(&self) -> PromptSource {
        self.prompt.source()
    }

    fn digest(&self) -> Digest {
        self.prompt.digest()
    }

    fn joined(&self) -> Cow<'_, [Digest]> {
        self.prompt.joined()
    }

    fn note_duplicate(&mut self, duplicate: Self) {
        if self.prompt.uuid.is_none() && duplicate.prompt.uuid.is_some() {
            self.uuid_offset = Some(duplicate.offset);
        }
        self.prompt.note_duplicate(duplicate.prompt);
    }
}

/// Few lines with a prompt are longer, and nothing else is read from around them.
const BUFFER: usize = 4 << 10;

/// An open transcript, to read single prompts from.
pub(super) struct PromptReader(BufReader<OpenFile>);

impl PromptReader {
    pub(super) fn open(prompts: &Prompts, path: &Path) -> Option<PromptReader> {
        Some(PromptReader(BufReader::with_capacity(BUFFER, prompts.stores.all.open(path).ok()?)))
    }

    /// The prompt of the record at an offset, with the uuid of another record; `None` if
    /// there is none.
    pub(super) fn read(&mut self, offset: u64, uuid_offset: Option<u64>) -> Option<Prompt> {
        let mut prompt = self.record(offset)?;
        if let Some(offset) = uuid_offset {
            prompt.uuid = self.record(offset)?.uuid;
        }
        Some(prompt)
    }

    fn record(&mut self, offset: u64) -> Option<Prompt> {
        self.0.seek(SeekFrom::Start(offset)).ok()?;
        let mut line = Vec::new();
        self.0.by_ref().take(LARGEST_LINE as u64 + 1).read_until(b'\n', &mut line).ok()?;
        let end = if line.pop_if(|last| *last == b'\n').is_some() {
            LineEnd::Newline
        } else {
            LineEnd::EndOfInput
        };
        let mut prompts = TranscriptPrompts::default();
        prompts.note_line(Line { number: 1, offset, bytes: &line, end });
        // Other records on the line come later.
        let mut found = prompts.0.into_records();
        found.find(|found| found.offset == offset).map(|found| found.prompt)
    }
}
