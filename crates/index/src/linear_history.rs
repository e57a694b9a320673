//! Whether the lines of a transcript simply follow each other.
//!
//! In most transcripts nothing was undone or lost: every line follows the one
//! before it, or answers a call of the message before it, and what was compacted
//! stands before the last compaction. Of such a file nobody need ask what became of
//! a message. This is a fact of the lines in their order; where it does not hold,
//! nothing is said.
//!
//! The first line may follow one that is in no file any more, and a compaction one
//! that never was written: it then came after the last message, as far as anybody
//! can tell.

use crate::text::call_hash;
use std::collections::HashSet;
use transcript::{Body, Entry, LastPrompt, Record, RecordKind};

/// How the lines follow each other, so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinearHistory {
    /// The last line, and whether it is one of progress, which others pass over.
    last: Option<i64>,
    is_progress: bool,
    /// The model's last message, and the lines of it.
    message: Option<i64>,
    lines: Vec<i64>,
    /// Where the last compaction stands that something was said after.
    pub(crate) compacted: Option<u64>,
    /// Where one stands that nothing was said after yet.
    pending: Option<u64>,
    /// Lines that others follow and that must not be there.
    absent: Vec<i64>,
    /// Where the conversation stood by what the app noted last, if that line has not
    /// come yet.
    awaited: Option<i64>,
    /// Every line and every message of the model so far, by part of its number: what
    /// is not among these is not there.
    seen: HashSet<u32>,
}

/// Enough of a line's number to say that it is another.
fn part(number: i64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of it")]
    let part = number as u32;
    part
}

impl LinearHistory {
    /// Notes an entry; answers whether all is still plain.
    #[must_use]
    pub(crate) fn note(&mut self, entry: &Entry<'_>, is_agent: bool) -> bool {
        let record = &entry.record;
        let envelope = &record.envelope;
        if let Body::LastPrompt(prompt) = &record.body {
            return is_agent || self.note_standing(prompt);
        }
        let Some(uuid) = &envelope.uuid else { return true };
        let uuid = call_hash(uuid.as_str());
        let logical = envelope.logical_parent_uuid.as_ref().map(|it| call_hash(it.as_str()));
        let is_named = logical.is_some_and(|logical| self.seen.contains(&part(logical)));
        if self.absent.contains(&uuid) || !self.seen.insert(part(uuid)) {
            return false;
        }
        let is_awaited = self.awaited.take_if(|awaited| *awaited == uuid).is_some();
        if !record.kind.is_chain_member() || (envelope.is_sidechain && !is_agent) {
            return !is_awaited;
        }
        if envelope.team_name.is_some() {
            return false;
        }
        if record.subtype() == Some("compact_boundary") {
            if logical != self.last && (is_named || logical == Some(uuid)) {
                return false;
            }
            self.absent.extend(logical.filter(|_| logical != self.last));
            return !is_awaited && self.note_compaction(entry, uuid);
        }
        let parent = envelope.parent_uuid.as_ref().map(|parent| call_hash(parent.as_str()));
        let is_first = self.last.is_none();
        let follows = parent == self.last
            || is_first
            || (is_answer(record) && parent.is_some_and(|parent| self.lines.contains(&parent)));
        if !follows || parent == Some(uuid) {
            return false;
        }
        if is_first {
            self.absent.extend(parent);
        }
        if record.message().is_some() {
            self.compacted = self.pending.take().or(self.compacted);
            let hangs = parent.is_some_and(|parent| self.lines.contains(&parent));
            if !is_answer(record) || (!hangs && matches!(record.body, Body::User(_))) {
                // Whatever follows the message before would leave this one out.
                self.lines.clear();
            }
        }
        if let (Body::Assistant(_), Some(message)) = (&record.body, record.message()) {
            let id = message.id.as_ref().map(|id| call_hash(id.as_str()));
            if id.is_none() || id != self.message {
                if id.is_some_and(|id| !self.seen.insert(part(id))) {
                    // Its parts belong together, wherever they stand.
                    return false;
                }
                self.lines.clear();
                self.message = id;
            }
            self.lines.push(uuid);
        }
        self.last = Some(uuid);
        self.is_progress = record.kind == RecordKind::Progress;
        !is_awaited || self.stands_at(uuid)
    }

    /// Notes that the conversation stood at the last line; plain, if what follows
    /// goes on from there.
    fn stands_at(&mut self, last: i64) -> bool {
        // What follows an earlier one would leave it out.
        self.lines.retain(|line| *line == last);
        !self.is_progress && self.pending.is_none()
    }

    /// Where the conversation stands, by what the app noted: plain, if that is the
    /// last line, one that comes later, or one that is not there.
    fn note_standing(&mut self, prompt: &LastPrompt<'_>) -> bool {
        let Some(leaf) = &prompt.leaf_uuid else { return true };
        let leaf = leaf.as_ref().map(|leaf| call_hash(leaf.as_str()));
        if prompt.explicit {
            return false;
        }
        self.awaited = None;
        let Some(leaf) = leaf else { return true };
        if self.last == Some(leaf) {
            return self.stands_at(leaf);
        }
        self.awaited = Some(leaf);
        !self.seen.contains(&part(leaf))
    }

    /// A compaction that kept nothing whole: what follows begins anew.
    fn note_compaction(&mut self, entry: &Entry<'_>, uuid: i64) -> bool {
        let envelope = &entry.record.envelope;
        let Body::System(system) = &entry.record.body else { return false };
        let keeps = system.compact_metadata.as_ref().is_some_and(|metadata| {
            metadata.preserved_segment.is_some() || metadata.preserved_messages.is_some()
        });
        if envelope.parent_uuid.is_some() || self.last.is_none() || keeps {
            return false;
        }
        (self.last, self.message, self.pending) = (Some(uuid), None, Some(entry.offset));
        (self.is_progress, self.awaited) = (false, None);
        self.lines.clear();
        true
    }

    /// It without the lines so far.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let count = |numbers: &[i64]| Some(i64::try_from(numbers.len()).unwrap_or_default());
        let [compacted, pending] =
            [self.compacted, self.pending].map(|place| place.map(u64::cast_signed));
        let is_progress = i64::from(self.is_progress);
        let start = [
            self.last,
            self.message,
            self.awaited,
            compacted,
            pending,
            Some(is_progress),
            count(&self.absent),
        ];
        let numbers = start
            .into_iter()
            .flat_map(|number| [number.is_some().into(), number.unwrap_or_default()]);
        let lists = self.absent.iter().chain(&self.lines).copied();
        numbers.chain(lists).flat_map(i64::to_le_bytes).collect()
    }

    /// The lines so far.
    pub(crate) fn pack_seen(&self) -> Vec<u8> {
        self.seen.iter().copied().flat_map(u32::to_le_bytes).collect()
    }

    pub(crate) fn unpack(bytes: &[u8], seen: &[u8]) -> Option<LinearHistory> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        let mut numbers = numbers.iter().map(|bytes| i64::from_le_bytes(*bytes));
        let mut optional = || {
            let (is_there, number) = (numbers.next()?, numbers.next()?);
            Some((is_there != 0).then_some(number))
        };
        let (last, message, awaited) = (optional()?, optional()?, optional()?);
        let (compacted, pending) =
            (optional()?.map(i64::cast_unsigned), optional()?.map(i64::cast_unsigned));
        let is_progress = optional()?? != 0;
        let count = usize::try_from(optional()??).ok()?;
        let mut lists: Vec<i64> = numbers.collect();
        if !rest.is_empty() || count > lists.len() {
            return None;
        }
        let lines = lists.split_off(count);
        let seen = seen.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        Some(LinearHistory {
            last,
            is_progress,
            message,
            awaited,
            lines,
            compacted,
            pending,
            absent: lists,
            seen,
        })
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
    use conversation::{Conversation, MessageState, View};
    use std::io::Write as _;

    /// Whether a transcript is plain, and if so, where it was compacted.
    fn history(bytes: &[u8], is_agent: bool) -> Option<LinearHistory> {
        let mut history = LinearHistory::default();
        for entry in transcript::entries(bytes) {
            if !history.note(&entry, is_agent) {
                return None;
            }
            let (packed, seen) = (history.pack(), history.pack_seen());
            assert_eq!(LinearHistory::unpack(&packed, &seen), Some(history.clone()));
        }
        Some(history)
    }

    /// What became of each message of a plain transcript is what the conversation
    /// says.
    fn check(name: &str, bytes: &[u8], is_agent: bool) -> bool {
        let Some(history) = history(bytes, is_agent) else { return false };
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
            let is_past = history.compacted.is_some_and(|compacted| entry.offset < compacted);
            let expected = if is_past { MessageState::Compacted } else { MessageState::Live };
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
    fn what_is_not_there_need_not_be_asked_for() {
        use testkit::{Line, assistant, system, user};
        let said = |uuid: &str, parent: Option<&str>| user(uuid).link(uuid, parent);
        let boundary = |uuid: &str, logical: Option<&str>| {
            let record = system("compact_boundary").link(uuid, None);
            match logical {
                Some(logical) => record.with("logicalParentUuid", logical),
                None => record,
            }
        };
        let summary =
            |uuid: &str, parent: &str| said(uuid, Some(parent)).with("isCompactSummary", true);
        let begin =
            || vec![said("a", None), assistant("b").link("b", Some("a")), said("c", Some("b"))];
        let compacted = |logical: Option<&str>| {
            let mut lines = begin();
            lines.extend([boundary("x", logical), summary("s", "x"), said("d", Some("s"))]);
            lines
        };
        let with = |mut lines: Vec<Line>, more: Vec<Line>| {
            lines.extend(more);
            lines
        };
        let cases: [(&str, Vec<Line>, bool); 10] = [
            ("plain", begin(), true),
            ("a first line that follows one elsewhere", vec![said("a", Some("z"))], true),
            ("which comes after all", vec![said("a", Some("z")), said("z", Some("a"))], false),
            ("a compaction after the last", compacted(Some("c")), true),
            ("after one that is not there", compacted(Some("z")), true),
            ("after one that is not named", compacted(None), true),
            ("after an earlier one", compacted(Some("b")), false),
            ("after itself", compacted(Some("x")), false),
            (
                "after one that comes later",
                with(compacted(Some("z")), vec![said("z", Some("d"))]),
                false,
            ),
            (
                "twice",
                with(
                    compacted(Some("z")),
                    vec![boundary("y", Some("w")), summary("t", "y"), said("e", Some("t"))],
                ),
                true,
            ),
        ];
        for (name, lines, is_plain) in cases {
            assert_eq!(check(name, &testkit::file(&lines), false), is_plain, "{name}");
        }
    }

    /// A line of a kind, with the number of its uuid, and whom it follows: the last
    /// line, mostly, else any, also such as are not there.
    fn made(
        place: usize,
        kind: u8,
        own: usize,
        after: Option<usize>,
        message: u8,
    ) -> testkit::Line {
        use testkit::{assistant, system, tool_result, tool_use, user};
        let uuid = format!("u{own}");
        let parent = after.map(|after| format!("u{after}"));
        let id = format!("m{message}");
        let line = match kind {
            0 | 1 => user(&format!("prompt {place}")),
            2 | 3 => assistant(&format!("answer {place}")).message("id", id),
            4 => tool_use(&format!("t{place}"), "Bash", &serde_json::json!({})).message("id", id),
            5 | 6 => tool_result(&format!("t{}", place.saturating_sub(1)), "done"),
            7 => system("informational"),
            8 => user(&format!("aside {place}")).with("isSidechain", true),
            9 => testkit::attachment(&serde_json::json!({"type": "todo_reminder"})),
            10 => user("").with("type", "progress").without("message"),
            11 | 12 => {
                let line = testkit::metadata("last-prompt", &[]);
                let line = line.with("leafUuid", parent);
                return if message == 0 { line.with("explicit", true) } else { line };
            }
            _ => {
                let line = system("compact_boundary").link(&uuid, None);
                return match parent {
                    Some(parent) => line.with("logicalParentUuid", parent),
                    None => line,
                };
            }
        };
        line.link(&uuid, parent.as_deref())
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(10_000))]

        #[test]
        fn whatever_lines_follow_each_other_the_conversation_says_the_same(
            lines in proptest::collection::vec((0_u8..15, 0_u8..24, 0_usize..14, 0_u8..3), 1..12),
            is_agent in proptest::prelude::any::<bool>(),
        ) {
            let mut last = None;
            let mut made_lines = Vec::new();
            for (place, (kind, odd, other, message)) in lines.into_iter().enumerate() {
                // A few repeat a uuid, follow any line, or none.
                let own = if odd == 0 { other } else { place };
                let after = match odd {
                    1..=3 => Some(other),
                    4 => None,
                    _ => last,
                };
                made_lines.push(made(place, kind, own, after, message));
                if !matches!(kind, 8 | 11 | 12) {
                    last = Some(own);
                }
            }
            check("made", &testkit::file(&made_lines), is_agent);
        }
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
