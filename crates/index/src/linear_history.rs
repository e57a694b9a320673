//! Detects transcripts with a linear history.
//!
//! Most transcripts have no abandoned branches and no orphaned segments: every line
//! follows the line before it or answers a call of the message before it, and
//! everything before the last compaction is compacted. The state of each message is
//! then known without building the conversation. Linearity depends only on the lines
//! in their order; if it does not hold, nothing is recorded.
//!
//! The first line may have a parent that is in no file, and a compaction one that was
//! never written: it is then taken to follow the last message. A compaction of version
//! 1.0.x has no boundary: its summary is a new root.

use crate::linear_turns::LinearTurns;
use crate::text::call_hash;
use std::collections::HashSet;
use transcript::{Body, Entry, LastPrompt, Problem, Reason, Record, RecordKind};

/// The state of the check after the lines read so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinearHistory {
    /// The last line, and whether it is a progress line, which others skip.
    last: Option<i64>,
    is_progress: bool,
    /// The model's last message and its lines.
    message: Option<i64>,
    lines: Vec<i64>,
    /// The offset of the last compaction that is followed by a message.
    pub(crate) compacted: Option<u64>,
    /// The offset of a compaction that is not followed by a message yet.
    pending: Option<u64>,
    /// Missing parents of lines; they must not appear later.
    absent: Vec<i64>,
    /// The current leaf that Claude Code recorded last, if that line has not been read
    /// yet.
    awaited: Option<i64>,
    /// Whether the current leaf that Claude Code recorded last is a line before the next
    /// one, which then has to follow it.
    has_leaf: bool,
    /// Part of the hash of every line and message of the model so far: a hash that is not
    /// among them has not been read.
    seen: HashSet<u32>,
    /// Which lines begin turns.
    pub(crate) turns: LinearTurns,
}

/// The part of a hash that is stored; different parts mean different lines.
fn part(number: i64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of it")]
    let part = number as u32;
    part
}

impl LinearHistory {
    /// Adds an entry; returns whether the history is still linear.
    #[must_use]
    pub(crate) fn note(&mut self, entry: &Entry<'_>, is_agent: bool) -> bool {
        let record = &entry.record;
        let envelope = &record.envelope;
        if let Body::LastPrompt(prompt) = &record.body {
            return is_agent || self.note_last_prompt(prompt);
        }
        if record.kind == RecordKind::Damaged {
            // If its ids can be read, the conversation may go through it. A torn last
            // line is still being written. If a line does not begin with an object, the
            // conversation takes all of it as damaged, also an object that follows.
            let is_torn = |problem: &Problem| problem.reason == Reason::TornLastLine;
            let begins = entry.bytes.iter().find(|byte| **byte > b' ');
            return entry.problems.iter().any(is_torn)
                || (begins.is_none_or(|byte| *byte == b'{')
                    && transcript::salvage_ids(entry.bytes).uuids.is_empty());
        }
        let Some(uuid) = &envelope.uuid else { return true };
        let uuid = call_hash(uuid.as_str());
        let logical = envelope.logical_parent_uuid.as_ref().map(|it| call_hash(it.as_str()));
        let is_named = logical.is_some_and(|logical| self.seen.contains(&part(logical)));
        if self.absent.contains(&uuid) || !self.seen.insert(part(uuid)) {
            return false;
        }
        self.turns.note_uuid(uuid);
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
        if is_old_compaction(record) && self.last.is_some() {
            self.turns.note_compaction();
            self.turns.note(entry, is_agent, false);
            return logical.is_none() && self.note_old_compaction(entry, uuid, is_awaited);
        }
        let parent = envelope.parent_uuid.as_ref().map(|parent| call_hash(parent.as_str()));
        let is_first = self.last.is_none();
        let follows = parent == self.last
            || is_first
            || (is_answer(record) && parent.is_some_and(|parent| self.lines.contains(&parent)));
        if !follows || parent == Some(uuid) {
            return false;
        }
        self.turns.note(entry, is_agent, !is_first && parent != self.last);
        if is_first {
            self.absent.extend(parent);
        }
        if record.message().is_some() {
            self.compacted = self.pending.take().or(self.compacted);
            let hangs = parent.is_some_and(|parent| self.lines.contains(&parent));
            if !is_answer(record) || (!hangs && matches!(record.body, Body::User(_))) {
                // A line that followed the earlier message would abandon this one.
                self.lines.clear();
            }
        }
        if let (Body::Assistant(_), Some(message)) = (&record.body, record.message()) {
            let id = message.id.as_ref().map(|id| call_hash(id.as_str()));
            if id.is_none() || id != self.message {
                if id.is_some_and(|id| !self.seen.insert(part(id))) {
                    // The parts of one message belong together, wherever they are.
                    return false;
                }
                self.lines.clear();
                self.turns.note_response();
                self.message = id;
            }
            self.lines.push(uuid);
        }
        self.last = Some(uuid);
        self.is_progress = record.kind == RecordKind::Progress;
        !is_awaited || self.note_leaf(uuid)
    }

    /// Notes that the last line was the current leaf; linear if the next line follows it.
    fn note_leaf(&mut self, last: i64) -> bool {
        // A line that followed an earlier one would abandon it.
        self.lines.retain(|line| *line == last);
        self.has_leaf = true;
        !self.is_progress && self.pending.is_none()
    }

    /// Notes the current leaf that Claude Code recorded: linear if it is the last line, a
    /// later line, or a missing one.
    fn note_last_prompt(&mut self, prompt: &LastPrompt<'_>) -> bool {
        let Some(leaf) = &prompt.leaf_uuid else { return true };
        let leaf = leaf.as_ref().map(|leaf| call_hash(leaf.as_str()));
        if prompt.explicit {
            return false;
        }
        (self.awaited, self.has_leaf) = (None, false);
        let Some(leaf) = leaf else { return true };
        if self.last == Some(leaf) {
            return self.note_leaf(leaf);
        }
        self.awaited = Some(leaf);
        !self.seen.contains(&part(leaf))
    }

    /// Notes a compaction; linear if it preserved no messages, so that the next line
    /// starts a new chain.
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
        (self.is_progress, self.awaited, self.has_leaf) = (false, None, false);
        self.lines.clear();
        self.turns.note_compaction();
        true
    }

    /// Notes the summary of an old compaction, which is a message itself; linear if the
    /// current leaf is not a line before it, and no boundary is.
    fn note_old_compaction(&mut self, entry: &Entry<'_>, uuid: i64, is_awaited: bool) -> bool {
        if self.has_leaf || self.pending.is_some() {
            return false;
        }
        (self.last, self.message, self.compacted) = (Some(uuid), None, Some(entry.offset));
        self.is_progress = false;
        self.lines.clear();
        !is_awaited || self.note_leaf(uuid)
    }

    /// Packs everything except `seen`.
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
            Some(i64::from(self.has_leaf)),
            count(&self.absent),
            count(&self.lines),
        ];
        let numbers = start
            .into_iter()
            .flat_map(|number| [number.is_some().into(), number.unwrap_or_default()]);
        let lists = self.absent.iter().chain(&self.lines).copied();
        let mut numbers: Vec<i64> = numbers.chain(lists).collect();
        self.turns.pack(&mut numbers);
        numbers.into_iter().flat_map(i64::to_le_bytes).collect()
    }

    /// Packs `seen`.
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
        let (is_progress, has_leaf) = (optional()?? != 0, optional()?? != 0);
        let counts = [usize::try_from(optional()??).ok()?, usize::try_from(optional()??).ok()?];
        let [absent, lines] = counts.map(|count| numbers.by_ref().take(count).collect::<Vec<_>>());
        if !rest.is_empty() || absent.len() < counts[0] || lines.len() < counts[1] {
            return None;
        }
        let turns = LinearTurns::unpack(numbers)?;
        let seen = seen.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        Some(LinearHistory {
            last,
            is_progress,
            message,
            lines,
            compacted,
            pending,
            absent,
            awaited,
            has_leaf,
            seen,
            turns,
        })
    }
}

/// Whether a record is a compaction of version 1.0.x: a summary that is a root.
fn is_old_compaction(record: &Record<'_>) -> bool {
    let is_summary = matches!(&record.body, Body::User(user) if user.is_compact_summary);
    is_summary && record.envelope.parent_uuid.is_none()
}

/// Whether a record has results of calls, or is another block of the message with the
/// calls.
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
    use conversation::{Conversation, MessageState, TurnNumber, View};
    use std::io::Write as _;

    /// The history of a transcript, if it is linear.
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

    /// Checks that the conversation gives each message of a linear transcript the state
    /// that the history implies; returns whether it is linear.
    fn check(name: &str, bytes: &[u8], is_agent: bool) -> bool {
        let Some(history) = history(bytes, is_agent) else { return false };
        let conversation = if is_agent {
            Conversation::read_agent(bytes, View::App)
        } else {
            Conversation::read(bytes, View::App)
        };
        for entry in transcript::entries(bytes) {
            let envelope = &entry.record.envelope;
            let has_text = !transcript::text::of_record(&entry.record).is_empty();
            let Some(uuid) = envelope.uuid.as_ref().filter(|_| has_text) else { continue };
            if envelope.is_sidechain && !is_agent {
                continue;
            }
            let Some(id) = conversation.graph.find(uuid.as_str()) else { continue };
            let is_past = history.compacted.is_some_and(|compacted| entry.offset < compacted);
            let expected = if is_past { MessageState::Compacted } else { MessageState::Live };
            let turn = history.turns.turn_at(entry.offset).map(TurnNumber::Main);
            let numbered = conversation.turn_of(id);
            assert!(
                turn.is_none() || numbered.is_none() || turn == numbered,
                "{name} line {}: turn {turn:?}, not {numbered:?}",
                entry.line
            );
            let found =
                conversation.state(id).filter(|_| entry.record.kind != RecordKind::Attachment);
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
    fn missing_parents_do_not_break_linearity() {
        use testkit::{Line, assistant, system, user};
        let prompt = |uuid: &str, parent: Option<&str>| user(uuid).link(uuid, parent);
        let boundary = |uuid: &str, logical: Option<&str>| {
            let record = system("compact_boundary").link(uuid, None);
            match logical {
                Some(logical) => record.with("logicalParentUuid", logical),
                None => record,
            }
        };
        let summary =
            |uuid: &str, parent: &str| prompt(uuid, Some(parent)).with("isCompactSummary", true);
        let begin =
            || vec![prompt("a", None), assistant("b").link("b", Some("a")), prompt("c", Some("b"))];
        let compacted = |logical: Option<&str>| {
            let mut lines = begin();
            lines.extend([boundary("x", logical), summary("s", "x"), prompt("d", Some("s"))]);
            lines
        };
        let with = |mut lines: Vec<Line>, more: Vec<Line>| {
            lines.extend(more);
            lines
        };
        let cases: [(&str, Vec<Line>, bool); 10] = [
            ("linear", begin(), true),
            ("a first line that follows one elsewhere", vec![prompt("a", Some("z"))], true),
            ("which comes after all", vec![prompt("a", Some("z")), prompt("z", Some("a"))], false),
            ("a compaction after the last", compacted(Some("c")), true),
            ("after one that is not there", compacted(Some("z")), true),
            ("after one that is not named", compacted(None), true),
            ("after an earlier one", compacted(Some("b")), false),
            ("after itself", compacted(Some("x")), false),
            (
                "after one that comes later",
                with(compacted(Some("z")), vec![prompt("z", Some("d"))]),
                false,
            ),
            (
                "twice",
                with(
                    compacted(Some("z")),
                    vec![boundary("y", Some("w")), summary("t", "y"), prompt("e", Some("t"))],
                ),
                true,
            ),
        ];
        for (name, lines, is_linear) in cases {
            assert_eq!(check(name, &testkit::file(&lines), false), is_linear, "{name}");
        }
    }

    #[test]
    fn damaged_line_breaks_linearity_only_if_its_ids_can_be_read() {
        use testkit::{assistant, user};
        let first = user("one").link("a", None).to_string();
        let damaged = r#"{"parentUuid":"a","message":cut,"uuid":"b"}"#;
        let after = |parent: &str| assistant("two").link("c", Some(parent)).to_string();
        let boundary = testkit::system("compact_boundary").link("x", None);
        let glued = format!("no JSON at all{boundary}");
        let cases = [
            ("the conversation goes through it", [&first, damaged, &after("b")].join("\n"), false),
            ("nobody names it", [&first, damaged, &after("a")].join("\n"), false),
            ("it has no ids", [&first, "{\"message\":cut", &after("a")].join("\n"), true),
            ("it is still being written", [&first, damaged].join("\n"), true),
            (
                "a compaction follows on the same line",
                [first.as_str(), &glued, &after("x")].join("\n"),
                false,
            ),
        ];
        for (name, text, is_linear) in cases {
            let end = if name.starts_with("it is still") { "" } else { "\n" };
            assert_eq!(check(name, format!("{text}{end}").as_bytes(), false), is_linear, "{name}");
        }
    }

    /// A line of a kind, with the number of its uuid and of its parent's: mostly the last
    /// line, else any line, also a missing one.
    fn generated_line(
        position: usize,
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
            0 | 1 => user(&format!("prompt {position}")),
            15 => user(&format!("summary {position}")).with("isCompactSummary", true),
            16 => {
                let line = user(&format!("summary {position}")).with("isCompactSummary", true);
                return line.link(&uuid, None);
            }
            2 | 3 => assistant(&format!("answer {position}")).message("id", id),
            4 => {
                tool_use(&format!("t{position}"), "Bash", &serde_json::json!({})).message("id", id)
            }
            5 | 6 => tool_result(&format!("t{}", position.saturating_sub(1)), "done"),
            7 => system("informational"),
            8 => user(&format!("aside {position}")).with("isSidechain", true),
            9 => testkit::attachment(&serde_json::json!({"type": "todo_reminder"})),
            10 => user("").with("type", "progress").without("message"),
            17 | 18 => {
                let prompt = format!("queued {position}");
                let command = serde_json::json!({"type": "queued_command", "prompt": prompt});
                testkit::attachment(&command)
            }
            19 => {
                let command = serde_json::json!({"type": "queued_command", "prompt": "again",
                    "source_uuid": format!("u{}", position + usize::from(message))});
                testkit::attachment(&command)
            }
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
        fn linear_history_agrees_with_the_conversation_for_any_lines(
            lines in proptest::collection::vec((0_u8..20, 0_u8..24, 0_usize..14, 0_u8..3), 1..12),
            is_agent in proptest::prelude::any::<bool>(),
        ) {
            let mut last = None;
            let mut generated = Vec::new();
            for (position, (kind, odd, other, message)) in lines.into_iter().enumerate() {
                // A few repeat a uuid, or have any parent or none.
                let own = if odd == 0 { other } else { position };
                let after = match odd {
                    1..=3 => Some(other),
                    4 => None,
                    _ => last,
                };
                generated.push(generated_line(position, kind, own, after, message));
                if !matches!(kind, 8 | 11 | 12) {
                    last = Some(own);
                }
            }
            check("generated", &testkit::file(&generated), is_agent);
        }
    }

    #[test]
    fn linear_history_agrees_with_the_conversation_for_the_corpus() {
        let corpus =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
        if !corpus.is_dir() {
            // Not through `println!`, which a passing test hides.
            let _ = writeln!(std::io::stderr(), "SKIPPED: no corpus at {}", corpus.display());
            return;
        }
        let (mut linear, mut all) = (0, 0);
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
                    linear += usize::from(check(&name, &bytes, name.starts_with("agent-")));
                }
            }
        }
        assert!(linear * 2 > all, "{linear} of {all} transcripts are linear");
    }
}
