//! Prepares texts for the index: removes secrets and splits them into words.

use crate::rows::{Part, Text};
use crate::sent_texts::SentTexts;
use crate::words::{WordSink, split};
use redact::Redactor;
use std::borrow::Cow;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use store::limits::LARGEST_LINE;
use store::{Files, SessionMetadata};
use transcript::text::BlockText;
use transcript::{Block, Body, Content, Entry, Json, Record};

/// Removes secrets from texts.
#[derive(Debug)]
pub(crate) struct TextReader {
    redactor: Arc<Redactor>,
    files: Files,
    pub(crate) sent: Arc<SentTexts>,
}

/// The hash that identifies a text.
pub(crate) fn text_hash(text: &str) -> [u8; 16] {
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
    hash
}

/// The hash of a text of which some values were masked because of their JSON names; the
/// same text under other names is not masked.
pub(crate) fn masked_hash(hash: [u8; 16]) -> [u8; 16] {
    hash.map(|byte| !byte)
}

/// The hash of a text of which values were masked because another text of its session shows
/// them to be secrets. Other sessions have other values, so it depends on what is left.
fn partly_masked_hash(hash: [u8; 16], open: &str) -> [u8; 16] {
    let mut mixed = masked_hash(hash);
    mixed[OWN_BYTES..].copy_from_slice(&text_hash(open)[OWN_BYTES..]);
    mixed
}

/// How many bytes of the hash of a masked text are those of the text itself.
pub(crate) const OWN_BYTES: usize = 8;

/// A number that identifies a call by its id.
pub(crate) fn call_hash(id: &str) -> i64 {
    let hash = blake3::hash(id.as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    i64::from_le_bytes(bytes)
}

struct Arena<'p> {
    arena: &'p mut String,
    wholes: String,
}

impl WordSink for Arena<'_> {
    fn word(&mut self, _: Range<usize>, word: &str) {
        self.arena.push_str(word);
        self.arena.push(' ');
    }

    fn whole(&mut self, _: Range<usize>, word: &str) {
        self.wholes.push_str(word);
        self.wholes.push(' ');
    }

    /// Takes the run as it is: the full-text table separates and lowercases ASCII the same way.
    fn plain(&mut self, _: usize, run: &str) {
        self.arena.push_str(run);
        self.arena.push(' ');
    }
}

/// The beginning of a very long text, up to the end of a word.
pub(crate) fn beginning(text: &str) -> &str {
    const LARGEST: usize = 16 << 20;
    if text.len() <= LARGEST {
        return text;
    }
    let cut = &text[..text.floor_char_boundary(LARGEST)];
    &cut[..cut.rfind(char::is_whitespace).unwrap_or(cut.len())]
}

/// Whether texts of a record are JSON values without their names.
fn has_nameless_values(record: &Record<'_>) -> bool {
    let is_object = |content: &Content<'_>| matches!(content, Content::Members(_));
    match &record.body {
        Body::Tool { .. } => return true,
        Body::Attachment(attachment) => {
            // A plain string is checked as text.
            let is_text = |content: &Json<'_>| content.as_str().starts_with('"');
            return attachment.content.as_ref().is_some_and(|content| !is_text(content));
        }
        _ => {}
    }
    let Some(message) = record.message() else { return false };
    message.content.as_ref().is_some_and(is_object)
        || message.blocks().iter().any(|block| match block {
            Block::ToolResult(result) | Block::ServerToolResult { result, .. } => {
                result.content.as_ref().is_some_and(is_object)
            }
            _ => false,
        })
}

impl Part {
    /// Adds a text, unless it is already there: most outputs occur twice in their line.
    pub(crate) fn add_text(&mut self, text: &str, time: i64, reader: &TextReader) -> usize {
        let hash = text_hash(text);
        if let Some(open) = reader.without_values(text) {
            let hash = partly_masked_hash(hash, &open);
            let known = self.known.get(&hash).copied();
            return known.unwrap_or_else(|| self.add_words(hash, &open, time));
        }
        match self.known.get(&hash) {
            Some(number) => *number,
            None if reader.sent.contains(&hash) => self.add_words(hash, "", time),
            None => self.add_words(hash, &reader.without_secrets(text), time),
        }
    }

    /// Adds a text of which values were masked because of their names; `open` is the
    /// remaining text.
    pub(crate) fn add_masked(&mut self, text: &str, open: &str, time: i64) -> usize {
        let hash = partly_masked_hash(text_hash(text), open);
        match self.known.get(&hash) {
            Some(number) => *number,
            None => self.add_words(hash, open, time),
        }
    }

    fn add_words(&mut self, hash: [u8; 16], open: &str, time: i64) -> usize {
        let start = self.arena.len();
        let mut arena = Arena { arena: &mut self.arena, wholes: String::new() };
        split(beginning(open), &mut arena);
        let wholes = arena.wholes;
        let middle = self.arena.len();
        self.arena.push_str(&wholes);
        let end = self.arena.len();
        let number = self.texts.len();
        self.known.insert(hash, number);
        self.texts.push(Text { hash, time, words: start..middle, wholes: middle..end });
        number
    }
}

impl TextReader {
    /// A reader of the texts of a session, whose redactor this is.
    pub(crate) fn new(redactor: Arc<Redactor>, files: Files, sent: Arc<SentTexts>) -> TextReader {
        TextReader { redactor, files, sent }
    }

    /// The text without its secrets, if values are among them that only another text of the
    /// session shows to be secrets.
    fn without_values(&self, text: &str) -> Option<String> {
        self.redactor.has_values(text).then(|| self.without_secrets(text).into_owned())
    }

    /// The text of a call without values whose JSON names mark them as secrets; `None` if
    /// there are no such values.
    pub(crate) fn call_without_secrets(
        &self,
        record: &Record<'_>,
        piece: &BlockText<'_>,
    ) -> Option<String> {
        let blocks = record.message().map(transcript::Message::blocks).unwrap_or_default();
        let (Block::ToolUse(call) | Block::ServerToolUse(call)) = blocks.get(piece.block)? else {
            return None;
        };
        match self.redactor.mask_json(call.input.as_ref()?.as_str()) {
            Cow::Borrowed(_) => None,
            Cow::Owned(masked) => {
                let text = transcript::text::of_call(call.name.as_deref(), Some(&masked));
                Some(without_placeholders(&text))
            }
        }
    }

    /// The texts of an entry after masking the whole line, if its texts are JSON values
    /// without the names that mark secrets; empty if nothing is masked.
    pub(crate) fn masked_texts(&self, entry: &Entry<'_>) -> Vec<String> {
        if !has_nameless_values(&entry.record) {
            return Vec::new();
        }
        let Ok(text) = str::from_utf8(entry.bytes) else { return Vec::new() };
        let Cow::Owned(masked) = self.redactor.mask_json(text) else { return Vec::new() };
        let entry = transcript::entries(masked.as_bytes()).next();
        let pieces = |entry: Entry<'_>| {
            let pieces = transcript::text::of_record(&entry.record).into_iter();
            pieces.map(|piece| piece.text.into_owned()).collect()
        };
        entry.map(pieces).unwrap_or_default()
    }

    /// An already masked text without its placeholders and other secrets.
    pub(crate) fn without_masked(&self, masked: &str) -> String {
        without_placeholders(&self.without_secrets(masked))
    }

    /// A text without its secrets.
    fn without_secrets<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.redactor.mask(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text),
            Cow::Owned(masked) => Cow::Owned(without_placeholders(&masked)),
        }
    }

    /// A short text that is stored as it is, without its secrets.
    pub(crate) fn line_without_secrets(&self, text: &str) -> String {
        self.without_secrets(text).into_owned()
    }

    /// The fold of a file, packed, without secrets in its names.
    pub(crate) fn fold_without_secrets(&self, fold: &usage::Fold) -> Vec<u8> {
        fold.pack_without_secrets(|name| self.without_secrets(name))
    }

    /// The metadata of a session without secrets.
    pub(crate) fn metadata_without_secrets(
        &self,
        mut metadata: SessionMetadata,
    ) -> SessionMetadata {
        for text in [
            &mut metadata.title,
            &mut metadata.summary,
            &mut metadata.shown_title,
            &mut metadata.first_prompt,
            &mut metadata.last_prompt,
            &mut metadata.branch,
            &mut metadata.cwd,
            &mut metadata.original_cwd,
            &mut metadata.tag,
        ] {
            *text = text.take().map(|text| self.line_without_secrets(&text));
        }
        metadata
    }

    /// The line of a file at an offset.
    pub(crate) fn line_at(&self, path: &Path, offset: u64) -> Option<Vec<u8>> {
        read_line(&self.files, path, offset)
    }
}

/// The line of a file at an offset, without its newline.
pub fn read_line(files: &Files, path: &Path, offset: u64) -> Option<Vec<u8>> {
    let mut file = files.open(path).ok()?;
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut line = Vec::new();
    let mut file = BufReader::with_capacity(16 << 10, file).take(LARGEST_LINE as u64 + 1);
    file.read_until(b'\n', &mut line).ok()?;
    if line.len() > LARGEST_LINE && line.last() != Some(&b'\n') {
        return None;
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    Some(line)
}

/// A masked text without its placeholders (`[redacted:KIND:HASH]`). Text that only begins
/// like a placeholder is part of the original.
pub(crate) fn without_placeholders(text: &str) -> String {
    const OPEN: &str = "[redacted:";
    let mut rest = text;
    let mut open = String::with_capacity(text.len());
    while let Some(at) = rest.find(OPEN) {
        let (before, after) = rest.split_at(at);
        open.push_str(before);
        let inner = &after[OPEN.len()..];
        let placeholder = inner.find(']').map(|end| &inner[..end]).filter(|inner| {
            inner.split_once(':').is_some_and(|(kind, hash)| {
                let is_kind = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
                kind.bytes().all(is_kind)
                    && hash.len() == 4
                    && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
            })
        });
        if let Some(placeholder) = placeholder {
            open.push(' ');
            rest = &inner[placeholder.len() + 1..];
        } else {
            open.push_str(OPEN);
            rest = inner;
        }
    }
    open + rest
}
