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

use crate::hashed_key::HashedKeys;
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
    seen: HashSet<u32, HashedKeys>,
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
            self.turns.note(entry, is_agent, false, |uuid| self.seen.contains(&part(uuid)));
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
        let is_aside = !is_first && parent != self.last;
        self.turns.note(entry, is_agent, is_aside, |uuid| self.seen.contains(&part(uuid)));
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
mod tests;
