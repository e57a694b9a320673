//! The turns of a transcript with a linear history.
//!
//! In such a transcript the conversation has the order of the file, so that the
//! number of a turn is the number of prompts before it. Prompts queued while the
//! model worked count if the model received them, which a later line decides; until
//! then, and wherever a line is not as Claude Code writes it, the turn is unknown and
//! the conversation has to be read.

use crate::line_states::LineStates;
use crate::rows::Part;
use crate::source::{Source, SourceKind};
use crate::text::call_hash;
use conversation::{Conversation, TurnCue, View, turn_cue};
use std::io::Read as _;
use store::Files;
use transcript::{Entry, Problem, Reason};

/// The largest transcript that is read as a whole to count its turns.
const LARGEST: u64 = 16 << 20;

/// Notes the turns of a transcript that has been read to its end: their number, from its
/// history if that is linear, else from the conversation, together with the states of all
/// lines.
pub(crate) fn note_turns(files: &Files, source: &Source, part: &mut Part) {
    if part.stamp.is_none() || !source.kind.has_lines() {
        return;
    }
    let is_main = source.kind == SourceKind::Main;
    let known = part.history.as_ref().and_then(|history| history.turns.count());
    if known.is_some() {
        part.turns = known.filter(|_| is_main);
        return;
    }
    let Some(bytes) = read_whole(files, source) else { return };
    let is_agent = source.kind == SourceKind::Agent;
    let read = if is_agent { Conversation::read_agent } else { Conversation::read };
    let conversation = read(&bytes, View::App);
    part.turns = is_main.then(|| conversation.last_turn());
    part.line_states = Some(LineStates::of(&conversation));
}

/// A transcript, unless it is too large or cannot be read.
fn read_whole(files: &Files, source: &Source) -> Option<Vec<u8>> {
    let mut file = files.open(&source.path).ok().filter(|_| source.stamp.bytes <= LARGEST)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Which lines begin turns, as far as the lines read so far tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinearTurns {
    /// The offsets of the lines that begin turns.
    starts: Vec<u64>,
    /// The offsets of queued commands that no later line has decided about.
    waiting: Vec<u64>,
    /// The lines that queued commands would have become.
    sources: Vec<i64>,
    /// The first queued command since the model's last message.
    command: Option<u64>,
    /// The offset from which on turns are unknown.
    unknown: Option<u64>,
}

impl LinearTurns {
    /// The number of the turn at an offset, if it is known.
    pub(crate) fn turn_at(&self, offset: u64) -> Option<u32> {
        let end = self.unknown.into_iter().chain(self.waiting.first().copied()).min();
        if end.is_some_and(|end| end <= offset) {
            return None;
        }
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).ok()
    }

    /// The number of turns, if it is known.
    fn count(&self) -> Option<u32> {
        self.turn_at(u64::MAX)
    }

    /// Turns are unknown from an offset on.
    fn give_up(&mut self, from: u64) {
        self.unknown = Some(self.unknown.map_or(from, |known| known.min(from)));
    }

    /// Notes a line with a uuid that may be anywhere in the transcript.
    pub(crate) fn note_uuid(&mut self, uuid: i64) {
        if self.sources.contains(&uuid) {
            // A command became a message after all.
            self.give_up(0);
        }
    }

    /// Notes the beginning of a message of the model.
    pub(crate) fn note_response(&mut self) {
        self.command = None;
    }

    /// Notes a compaction.
    pub(crate) fn note_compaction(&mut self) {
        if let Some(first) = self.waiting.first().copied() {
            self.give_up(first);
        }
        self.waiting.clear();
        self.command = None;
    }

    /// Notes a line of the conversation. `is_aside` says that it does not follow the
    /// line before it, but an earlier line of the model's message; `is_known`, whether a line
    /// with a uuid may have been before it.
    pub(crate) fn note(
        &mut self,
        entry: &Entry<'_>,
        is_agent: bool,
        is_aside: bool,
        is_known: impl Fn(i64) -> bool,
    ) {
        // The conversation takes several objects on one line one after another, as here.
        let is_glue = |problem: &Problem| matches!(problem.reason, Reason::SeveralObjects(_));
        if !entry.problems.iter().all(is_glue) {
            self.give_up(entry.offset);
        }
        // The conversation has such a line before the command.
        if let Some(command) = self.command.filter(|_| is_aside) {
            self.give_up(command);
        }
        match turn_cue(&entry.record, is_agent) {
            TurnCue::Prompt => {
                self.waiting.clear();
                self.command = None;
                self.starts.push(entry.offset);
            }
            TurnCue::Message => {
                self.waiting.clear();
                self.command = None;
            }
            TurnCue::Answer => self.starts.append(&mut self.waiting),
            TurnCue::Command { source } => {
                let source = source.map(call_hash);
                if source.is_some_and(|source| self.sources.contains(&source)) {
                    self.give_up(entry.offset);
                }
                if source.is_some_and(is_known) {
                    // The command is a message already.
                    self.give_up(0);
                }
                self.sources.extend(source);
                self.waiting.push(entry.offset);
                self.command.get_or_insert(entry.offset);
            }
            TurnCue::Nothing => {}
        }
    }

    /// Appends it to packed numbers.
    pub(crate) fn pack(&self, numbers: &mut Vec<i64>) {
        for place in [self.command, self.unknown] {
            numbers.extend([i64::from(place.is_some()), place.unwrap_or_default().cast_signed()]);
        }
        for list in [&self.starts, &self.waiting] {
            numbers.push(i64::try_from(list.len()).unwrap_or_default());
            numbers.extend(list.iter().map(|offset| offset.cast_signed()));
        }
        numbers.extend(&self.sources);
    }

    /// Reads it back from the rest of packed numbers.
    pub(crate) fn unpack(mut numbers: impl Iterator<Item = i64>) -> Option<LinearTurns> {
        let mut places = [None; 2];
        for place in &mut places {
            let (is_there, offset) = (numbers.next()?, numbers.next()?);
            *place = (is_there != 0).then_some(offset.cast_unsigned());
        }
        let mut lists = [Vec::new(), Vec::new()];
        for list in &mut lists {
            let count = usize::try_from(numbers.next()?).ok()?;
            list.extend(numbers.by_ref().take(count).map(i64::cast_unsigned));
            if list.len() < count {
                return None;
            }
        }
        let ([command, unknown], [starts, waiting]) = (places, lists);
        Some(LinearTurns { starts, waiting, sources: numbers.collect(), command, unknown })
    }
}
