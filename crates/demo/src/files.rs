//! The files of the made-up store before they are written: path, bytes and
//! modification time.

use jiff::{SignedDuration, Timestamp};

use super::object::Object;
use super::transcript::{Transcript, TypedPrompt};

pub(super) struct File {
    /// Below the configuration folder, with `/` between the components.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    pub(super) modified: Timestamp,
}

#[derive(Default)]
pub(super) struct Files {
    files: Vec<File>,
    typed: Vec<TypedPrompt>,
}

impl Files {
    pub(super) fn iter(&self) -> impl Iterator<Item = &File> {
        self.files.iter()
    }

    pub(super) fn add(&mut self, path: String, bytes: impl Into<Vec<u8>>, modified: Timestamp) {
        self.files.push(File { path, bytes: bytes.into(), modified });
    }

    /// A finished transcript, last modified when its last line was written.
    pub(super) fn add_transcript(&mut self, path: String, transcript: Transcript) {
        self.add_typed_prompts(&transcript);
        let modified = transcript.now();
        self.add(path, transcript.into_bytes(), modified);
    }

    /// Adds a transcript's prompts to `history.jsonl`, once even if there are several
    /// copies of the transcript.
    pub(super) fn add_typed_prompts(&mut self, transcript: &Transcript) {
        for typed in transcript.typed() {
            if !self.typed.contains(typed) {
                self.typed.push(typed.clone());
            }
        }
    }

    /// The prompts typed so far, in order of time.
    pub(super) fn typed(&self) -> Vec<TypedPrompt> {
        let mut typed = self.typed.clone();
        typed.sort_by_key(|typed| typed.at);
        typed
    }

    /// A file with one JSON document.
    pub(super) fn add_document(&mut self, path: String, document: &Object, modified: Timestamp) {
        self.add(path, document.to_json(), modified);
    }
}

/// The time this many minutes before `now`; `now` itself if that is out of range.
pub(super) fn minutes_before(now: Timestamp, minutes: i64) -> Timestamp {
    later(now, -60_000 * minutes)
}

pub(super) fn days_before(now: Timestamp, days: i64) -> Timestamp {
    minutes_before(now, days * 24 * 60)
}

pub(super) fn later(moment: Timestamp, milliseconds: i64) -> Timestamp {
    moment.checked_add(SignedDuration::from_millis(milliseconds)).unwrap_or(moment)
}

/// The form on the lines of a transcript: UTC, milliseconds, `Z`.
pub(super) fn iso(moment: Timestamp) -> String {
    format!("{moment:.3}")
}
