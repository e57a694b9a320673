//! Whether the lines of a transcript simply follow each other.
//!
//! In most transcripts nothing was undone or lost: every line follows the one
//! before it, or answers a call of the message before it, and what was compacted
//! stands before the last compaction. Of such a file nobody need ask what became of
//! a message. This is a fact of the lines in their order; where it does not hold,
//! nothing is said.

use crate::text::call_hash;
use transcript::{Body, Entry, Record};

/// How the lines follow each other, so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The last line.
    last: Option<i64>,
    /// The model's last message, and the lines of it.
    message: Option<i64>,
    lines: Vec<i64>,
    /// Where the last compaction stands.
    pub(crate) compacted: Option<u64>,
}

impl Shape {
    /// Notes an entry; answers whether all is still plain.
    #[must_use]
    pub(crate) fn note(&mut self, entry: &Entry<'_>, is_agent: bool) -> bool {
        let record = &entry.record;
        let envelope = &record.envelope;
        let Some(uuid) = &envelope.uuid else { return true };
        if !record.kind.is_chain_member() || (envelope.is_sidechain && !is_agent) {
            return true;
        }
        if envelope.team_name.is_some() {
            return false;
        }
        let uuid = call_hash(uuid.as_str());
        if record.subtype() == Some("compact_boundary") {
            return self.note_compaction(entry, uuid);
        }
        let parent = envelope.parent_uuid.as_ref().map(|parent| call_hash(parent.as_str()));
        let follows = parent == self.last
            || (is_answer(record) && parent.is_some_and(|parent| self.lines.contains(&parent)));
        if !follows {
            return false;
        }
        if let (Body::Assistant(_), Some(message)) = (&record.body, record.message()) {
            let id = message.id.as_ref().map(|id| call_hash(id.as_str()));
            if id.is_none() || id != self.message {
                self.lines.clear();
                self.message = id;
            }
            self.lines.push(uuid);
        }
        self.last = Some(uuid);
        true
    }

    /// A compaction that kept nothing whole: what follows begins anew.
    fn note_compaction(&mut self, entry: &Entry<'_>, uuid: i64) -> bool {
        let envelope = &entry.record.envelope;
        let Body::System(system) = &entry.record.body else { return false };
        let logical = envelope.logical_parent_uuid.as_ref().map(|it| call_hash(it.as_str()));
        let keeps = system.compact_metadata.as_ref().is_some_and(|metadata| {
            metadata.preserved_segment.is_some() || metadata.preserved_messages.is_some()
        });
        if envelope.parent_uuid.is_some() || logical != self.last || self.last.is_none() || keeps {
            return false;
        }
        let compacted = Some(entry.offset);
        *self = Shape { last: Some(uuid), compacted, ..Shape::default() };
        true
    }

    pub(crate) fn pack(&self) -> Vec<u8> {
        let compacted = self.compacted.map(u64::cast_signed);
        let start = [self.last, self.message, compacted];
        let numbers = start
            .into_iter()
            .flat_map(|number| [number.is_some().into(), number.unwrap_or_default()]);
        numbers.chain(self.lines.iter().copied()).flat_map(i64::to_le_bytes).collect()
    }

    pub(crate) fn unpack(bytes: &[u8]) -> Option<Shape> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        let mut numbers = numbers.iter().map(|bytes| i64::from_le_bytes(*bytes));
        let mut optional = || {
            let (is_there, number) = (numbers.next()?, numbers.next()?);
            Some((is_there != 0).then_some(number))
        };
        let (last, message) = (optional()?, optional()?);
        let compacted = optional()?.map(i64::cast_unsigned);
        rest.is_empty().then(|| Shape { last, message, lines: numbers.collect(), compacted })
    }
}

/// Whether a record answers calls, or is the next block of the message they stand
/// in.
fn is_answer(record: &Record<'_>) -> bool {
    match &record.body {
        Body::User(_) => {
            record.message().is_some_and(|message| message.tool_results().next().is_some())
        }
        Body::Assistant(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conversation::{Conversation, State, View};
    use std::io::Write as _;

    /// Whether a transcript is plain, and if so, where it was compacted.
    fn shape(bytes: &[u8], is_agent: bool) -> Option<Shape> {
        let mut shape = Shape::default();
        for entry in transcript::entries(bytes) {
            if !shape.note(&entry, is_agent) {
                return None;
            }
            assert_eq!(Shape::unpack(&shape.pack()), Some(shape.clone()));
        }
        Some(shape)
    }

    /// What became of each message of a plain transcript is what the conversation
    /// says.
    fn check(name: &str, bytes: &[u8], is_agent: bool) -> bool {
        let Some(shape) = shape(bytes, is_agent) else { return false };
        let conversation = if is_agent {
            Conversation::read_agent(bytes, View::App)
        } else {
            Conversation::read(bytes, View::App)
        };
        for entry in transcript::entries(bytes) {
            let envelope = &entry.record.envelope;
            let is_said = !transcript::text::of_record(&entry.record).is_empty();
            let Some(uuid) = envelope.uuid.as_ref().filter(|_| is_said) else { continue };
            if envelope.is_sidechain && !is_agent {
                continue;
            }
            let Some(id) = conversation.graph.find(uuid.as_str()) else { continue };
            let is_past = shape.compacted.is_some_and(|compacted| entry.offset < compacted);
            let expected = if is_past { State::Compacted } else { State::Live };
            let found = conversation.state(id);
            assert!(
                found.is_none() || found == Some(expected),
                "{name} line {} {:?}: {found:?}, not {expected:?}",
                entry.line,
                entry.record.kind
            );
        }
        true
    }

    #[test]
    fn messages_of_plain_transcripts_are_live_as_the_conversation_says() {
        let corpus =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
        if !corpus.is_dir() {
            // Not through `println!`, which a passing test hides.
            let _ = writeln!(std::io::stderr(), "SKIPPED: no corpus at {}", corpus.display());
            return;
        }
        let (mut plain, mut all) = (0, 0);
        let mut folders = vec![corpus.join("projects")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "jsonl") {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    let bytes = std::fs::read(&path).expect("a file");
                    all += 1;
                    plain += usize::from(check(&name, &bytes, name.starts_with("agent-")));
                }
            }
        }
        assert!(plain * 2 > all, "{plain} of {all} transcripts are plain");
    }
}
