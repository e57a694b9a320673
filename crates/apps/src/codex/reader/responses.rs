//! Which entries are one response of the model's API.
//!
//! A response is several items. The line that reports what it used comes after them, before or
//! after the outputs of its calls, and has no id in common with them; so what the model wrote
//! since the report before is one response. A response without a report was interrupted, or is
//! of a version that reports none: it ends with the outputs of its calls, or with a prompt.

use std::ops::Range;

use crate::{EntryKind, Place};

use super::{Position, Reader};

/// The responses so far.
#[derive(Debug, Default)]
pub(crate) struct Responses {
    /// The id of the response that the model's next entry belongs to.
    open: Option<String>,
    /// Whether the program has sent an output since.
    has_output: bool,
    /// The first entry that the next report can be about.
    start: usize,
    /// The entries of each call that was reported.
    reported: Vec<Range<usize>>,
}

impl Responses {
    /// The id of the response that the model's entry at a position belongs to.
    pub(super) fn id_at(&mut self, position: Position) -> String {
        if std::mem::take(&mut self.has_output) {
            self.open = None;
        }
        let Place { line, .. } = position.place;
        let time = position.time.map_or(0, jiff::Timestamp::as_millisecond);
        self.open.get_or_insert_with(|| format!("line:{line}:{time}")).clone()
    }

    /// Notes that the program sent the output of a call.
    pub(super) fn note_output(&mut self) {
        self.has_output = true;
    }

    fn end(&mut self, entries: usize) {
        *self = Responses {
            start: entries,
            reported: std::mem::take(&mut self.reported),
            ..Responses::default()
        };
    }
}

impl Reader {
    /// Ends the response before an entry that the model does not go on after.
    pub(super) fn end_response(&mut self, kind: &EntryKind) {
        if let EntryKind::Prompt(_) | EntryKind::Interruption | EntryKind::Compaction(_) = kind {
            self.responses.end(self.session.entries.len());
        }
    }

    /// Notes that a call was reported: it was the response since the report before.
    pub(super) fn note_report(&mut self, key: &str) {
        let end = self.session.entries.len();
        self.responses.reported.push(self.responses.start..end);
        self.responses.end(end);
        self.name_response(self.responses.reported.len() - 1, key);
    }

    /// Gives the entries of a reported call its key.
    pub(super) fn name_response(&mut self, call: usize, key: &str) {
        let entries = self.responses.reported.get(call).cloned().unwrap_or_default();
        for entry in self.session.entries.get_mut(entries).unwrap_or_default() {
            if let Some(response) = &mut entry.response {
                key.clone_into(response);
            }
        }
    }
}
