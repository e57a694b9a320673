//! One transcript that is being written: it receives lines and returns events.
//!
//! The lines are kept in memory, because the conversation depends on all of
//! them: parallel calls, rewinds and compactions change the place of much
//! earlier messages. For a large transcript, reading all of them takes a while.
//! There, lines that plainly follow the last message are reported at once, and
//! the whole is read when there is time ([`Lane::settle`]), which corrects
//! hasty reports.

use crate::watch::calls::{CallLog, Step};
use crate::watch::conversation_diff::{Fate, PresentMessage, Report, ReportedConversation};
use crate::watch::event::{EventKind, MessageWritten, Retraction, ToolCallEvent};
use crate::watch::fingerprint;
use conversation::context_usage::call_of;
use conversation::{
    ContextCall, Conversation, MessageState, Outcome, TurnCue, TurnNumber, View, turn_cue,
};
use memchr::memmem;
use std::collections::HashSet;
use std::ops::Range;
use transcript::{Block, Body, Entry, Line, LineEnd, Record, RecordKind, parse_line};
use usage::CallLine;

/// Transcripts up to this size are read as a whole every time.
const QUICK: usize = 4 << 20;

/// A line of the transcript.
#[derive(Debug)]
struct BufferedLine {
    /// Where it begins in the file.
    offset: u64,
    /// Where it begins in the buffered bytes; masking changes lengths.
    start: usize,
    calls: Vec<String>,
    answers: Vec<String>,
    usage: Vec<CallLine<'static>>,
    /// The API call whose tokens it records.
    call: Option<Box<ContextCall>>,
    /// The outcome of an agent whose work ends with this line.
    outcome: Option<Outcome>,
    /// The turn it belongs to, once it was reported.
    turn: Option<TurnNumber>,
}

/// An event, with the end of its line.
pub(super) struct LaneEvent {
    pub(super) is_past: bool,
    pub(super) what: EventKind,
}

/// One transcript.
#[derive(Debug)]
pub(super) struct Lane {
    is_agent: bool,
    bytes: Vec<u8>,
    lines: Vec<BufferedLine>,
    /// The number of lines at the last report.
    reported_lines: usize,
    reported: ReportedConversation,
    calls: CallLog,
    /// The line that the next one normally follows.
    tip: Option<String>,
    /// The turn of that line.
    tip_turn: Option<TurnNumber>,
    /// Whether something was reported without reading the whole.
    is_hasty: bool,
    is_begun: bool,
    /// Lines before this offset were there before following began.
    past_until: u64,
    quick: usize,
    /// The last call.
    last_call: Option<Box<ContextCall>>,
    /// Whether lines with usage were removed since the last request for them.
    pub(super) lost_usage: bool,
    /// The number of lines whose usage was requested.
    counted_lines: usize,
}

impl Lane {
    /// A transcript whose lines before an offset are the past.
    pub(super) fn new(is_agent: bool, past_until: u64) -> Lane {
        Lane {
            is_agent,
            bytes: Vec::new(),
            lines: Vec::new(),
            reported_lines: 0,
            reported: ReportedConversation::default(),
            calls: CallLog::default(),
            tip: None,
            tip_turn: None,
            is_hasty: false,
            is_begun: false,
            past_until,
            quick: QUICK,
            last_call: None,
            lost_usage: false,
            counted_lines: 0,
        }
    }

    /// The same, hasty beyond another size.
    #[cfg(test)]
    pub(super) fn hasty_beyond(self, quick: usize) -> Lane {
        Lane { quick, ..self }
    }

    /// Adds a line, masked if masking is on.
    pub(super) fn add(&mut self, line: Line<'_>) {
        let mut held = BufferedLine {
            offset: line.offset,
            start: self.bytes.len(),
            calls: Vec::new(),
            answers: Vec::new(),
            usage: Vec::new(),
            call: None,
            outcome: None,
            turn: None,
        };
        for entry in parse_line(line) {
            held.note(&entry.record);
        }
        if memmem::find(line.bytes, usage::NEEDLE.as_bytes()).is_some() {
            usage::read_line(line, |read| {
                if let usage::UsageLine::Call(call) = read {
                    held.usage.push(call.into_owned());
                }
            });
        }
        self.calls.add(held.offset, &held.calls, &held.answers);
        self.bytes.extend_from_slice(line.bytes);
        if line.end == LineEnd::Newline {
            self.bytes.push(b'\n');
        }
        self.lines.push(held);
    }

    /// Removes everything from an offset on; lines may be added again.
    pub(super) fn retract(&mut self, from: u64) {
        let kept = self.lines.partition_point(|line| line.offset < from);
        let Some(first) = self.lines.get(kept) else { return };
        self.bytes.truncate(first.start);
        for line in self.lines.drain(kept..) {
            self.calls.remove(line.offset, &line.calls, &line.answers);
            self.lost_usage |= !line.usage.is_empty();
        }
        self.reported_lines = self.reported_lines.min(kept);
        self.counted_lines = self.counted_lines.min(kept);
        // The last reported message may be gone: the whole must be read.
        self.tip = None;
    }

    /// Whether [`Lane::settle`] has something to do.
    pub(super) fn is_hasty(&self) -> bool {
        self.is_hasty
    }

    /// Whether any line is there.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The events since the last time.
    pub(super) fn update(&mut self) -> Vec<LaneEvent> {
        let is_quick = self.is_begun && self.bytes.len() > self.quick;
        match is_quick.then(|| self.hastily()).flatten() {
            Some(lane_events) => lane_events,
            None => self.settle(),
        }
    }

    /// The events, from reading the whole.
    pub(super) fn settle(&mut self) -> Vec<LaneEvent> {
        let conversation = if self.is_agent {
            Conversation::read_agent(&self.bytes, View::App)
        } else {
            Conversation::read(&self.bytes, View::App)
        };
        let graph = &conversation.graph;
        let mut seen = HashSet::new();
        let messages: Vec<PresentMessage> = conversation
            .messages
            .iter()
            .filter(|message| seen.insert(&*message.uuid))
            .map(|message| {
                let node = graph.node(message.node);
                let turn = conversation.turn_of(message.node);
                PresentMessage {
                    uuid: message.uuid.clone(),
                    node: node.uuid.to_string(),
                    span: span(node.offset, node.bytes),
                    fingerprint: message_fingerprint(node.bytes, turn),
                    is_queued: message.is_queued,
                    turn,
                }
            })
            .collect();
        let fate = |uuid: &str| match graph.find(uuid) {
            None => Fate::Retraction,
            Some(id) if conversation.state(id) == Some(MessageState::Compacted) => Fate::Compacted,
            Some(_) => Fate::Undone,
        };
        let tip = conversation.chain.last().map(|id| graph.node(*id).uuid.to_string());
        let tip_turn = conversation.chain.last().and_then(|id| conversation.turn_of(*id));
        for id in graph.ids() {
            let start = usize::try_from(graph.node(id).offset).unwrap_or(usize::MAX);
            let after = self.lines.partition_point(|line| line.start <= start);
            if let Some(line) = after.checked_sub(1).and_then(|place| self.lines.get_mut(place)) {
                line.turn = conversation.turn_of(id);
            }
        }
        let last_call = conversation.chain.iter().rev().find_map(|id| {
            let node = graph.node(*id);
            let is_answer = node.kind == RecordKind::Assistant;
            let entry = is_answer.then(|| transcript::entries(node.bytes).next()).flatten();
            entry.and_then(|entry| call_of(&entry.record))
        });
        let mut retracted = Retraction::default();
        let steps = self.calls.steps(&mut retracted, bytes_at(&self.lines, &self.bytes));
        let reports = self.reported.become_these(&messages, retracted, fate);
        let lane_events = self.interleave(reports, steps);
        self.tip = tip;
        self.tip_turn = tip_turn;
        self.last_call = last_call.map(Box::new);
        self.mark_reported();
        self.is_hasty = false;
        lane_events
    }

    fn mark_reported(&mut self) {
        self.reported_lines = self.lines.len();
        self.is_begun = true;
    }

    /// The events, if the new lines plainly follow the last one.
    fn hastily(&mut self) -> Option<Vec<LaneEvent>> {
        let mut tip = self.tip.clone()?;
        let mut turn = self.tip_turn;
        let mut turns = Vec::new();
        let new = self.lines.get(self.reported_lines..)?;
        let start = new.first().map_or(self.bytes.len(), |line| line.start);
        let mut messages = Vec::new();
        let mut fresh = HashSet::new();
        let mut last_call = None;
        for line in transcript::lines(&self.bytes[start..]) {
            turns.push(turn);
            let mut entries = parse_line(line);
            let (entry, None) = (entries.next()?, entries.next()) else { return None };
            if !entry.record.kind.is_chain_member() {
                match entry.record.body {
                    Body::LastPrompt(_) => return None,
                    _ => continue,
                }
            }
            let (uuid, is_message) = self.plain_next(&entry, &tip, &fresh)?;
            fresh.insert(uuid.clone());
            turn = next_turn(turn, &entry.record, self.is_agent);
            turns.pop();
            turns.push(turn);
            if is_message {
                last_call = call_of(&entry.record).or(last_call);
                messages.push(PresentMessage {
                    uuid: uuid.clone(),
                    node: uuid.clone(),
                    span: span(entry.offset + start as u64, entry.bytes),
                    fingerprint: message_fingerprint(entry.bytes, turn),
                    is_queued: false,
                    turn,
                });
            }
            tip = uuid;
        }
        for (line, turn) in self.lines[self.reported_lines..].iter_mut().zip(turns) {
            line.turn = turn;
        }
        let mut retracted = Retraction::default();
        let steps = self.calls.steps(&mut retracted, bytes_at(&self.lines, &self.bytes));
        let mut reports: Vec<Report<'_>> = Vec::new();
        if !retracted.is_empty() {
            reports.push(Report::Removals(EventKind::Retracted(retracted)));
        }
        for message in &messages {
            let after = self.reported.push(message);
            reports.push(Report::Message(message, after));
        }
        let lane_events = self.interleave(reports, steps);
        self.tip = Some(tip);
        self.tip_turn = turn;
        self.last_call = last_call.map(Box::new).or(self.last_call.take());
        self.mark_reported();
        self.is_hasty = true;
        Some(lane_events)
    }

    /// The uuid of a line that plainly follows the last one, and whether it is
    /// a message; `fresh` are the new ones.
    fn plain_next(
        &self,
        entry: &Entry<'_>,
        tip: &str,
        fresh: &HashSet<String>,
    ) -> Option<(String, bool)> {
        let knows = |uuid: &str| self.reported.knows(uuid) || fresh.contains(uuid);
        let envelope = &entry.record.envelope;
        let uuid = envelope.uuid.as_ref()?.to_string();
        let is_message = match (&entry.record.body, entry.record.subtype()) {
            (Body::User(user), _) => !user.is_compact_summary,
            (Body::Assistant(_), _) => true,
            (Body::System(_), subtype) if subtype != Some("compact_boundary") => false,
            (Body::Attachment(_), Some(kind))
                if !kind.starts_with("queued_") && !kind.starts_with("fork_") =>
            {
                false
            }
            _ => return None,
        };
        let is_own = self.is_agent || (!envelope.is_sidechain && envelope.team_name.is_none());
        let parent = envelope.parent_uuid.as_ref()?.as_str();
        // Results of parallel calls come in any order.
        let is_answer =
            || entry.record.message().is_some_and(|it| it.tool_results().next().is_some());
        let follows = parent == tip || (is_answer() && knows(parent));
        (is_own && follows && !envelope.is_meta && !knows(&uuid)).then_some((uuid, is_message))
    }

    /// Messages in their order, with calls between them by their lines.
    fn interleave(&self, reports: Vec<Report<'_>>, steps: Vec<Step>) -> Vec<LaneEvent> {
        let mut lane_events = Vec::with_capacity(reports.len() + steps.len());
        let mut steps = steps.into_iter().peekable();
        let is_past = |offset: u64| !self.is_begun && offset < self.past_until;
        let call = |step: Step| {
            let line = bytes_at(&self.lines, &self.bytes);
            let lines = step.lines.iter().map(|at| line(*at).to_vec()).collect();
            let turn = step.lines.first().and_then(|at| self.turn_at(*at));
            let called = Box::new(ToolCallEvent { id: step.id, turn, lines });
            let what = if step.is_end {
                EventKind::CallEnded(called)
            } else {
                EventKind::CallStarted(called)
            };
            LaneEvent { is_past: is_past(step.offset), what }
        };
        for report in reports {
            match report {
                Report::Removals(what) | Report::Moves(what) => {
                    lane_events.push(LaneEvent { is_past: false, what });
                }
                Report::Message(message, after) => {
                    let offset = self.offset_in_file(message.span.start);
                    while let Some(step) = steps.next_if(|step| step.offset < offset) {
                        lane_events.push(call(step));
                    }
                    let written = MessageWritten {
                        uuid: message.uuid.clone(),
                        after,
                        turn: message.turn,
                        is_queued: message.is_queued,
                        line: self.bytes.get(message.span.clone()).unwrap_or_default().to_vec(),
                    };
                    let what = EventKind::Message(Box::new(written));
                    lane_events.push(LaneEvent { is_past: is_past(offset), what });
                    while let Some(step) = steps.next_if(|step| step.offset == offset) {
                        lane_events.push(call(step));
                    }
                }
            }
        }
        lane_events.extend(steps.map(call));
        lane_events
    }

    /// The turn of the line that begins at an offset of the file.
    fn turn_at(&self, offset: u64) -> Option<TurnNumber> {
        self.lines.get(self.lines.partition_point(|line| line.offset < offset))?.turn
    }

    /// The offset in the file of the line that begins there in the buffered
    /// bytes.
    fn offset_in_file(&self, start: usize) -> u64 {
        let after = self.lines.partition_point(|line| line.start <= start);
        after.checked_sub(1).map_or(0, |place| self.lines[place].offset)
    }
}

impl Lane {
    /// The last call of the conversation.
    pub(super) fn last_call(&self) -> Option<&ContextCall> {
        self.last_call.as_deref()
    }

    /// The context size of that call.
    pub(super) fn window(&self) -> Option<u64> {
        self.last_call().map(ContextCall::window)
    }

    /// The calls on all lines, by each line that records one.
    pub(super) fn api_calls(&self) -> impl Iterator<Item = &ContextCall> {
        self.lines.iter().filter_map(|line| line.call.as_deref())
    }

    /// The usage on lines, in the order of the file.
    pub(super) fn usage(&self) -> impl DoubleEndedIterator<Item = &CallLine<'static>> {
        self.lines.iter().flat_map(|line| &line.usage)
    }

    /// Those not requested yet; all of them after some were removed.
    pub(super) fn new_usage(&mut self) -> impl Iterator<Item = &CallLine<'static>> {
        let from = std::mem::replace(&mut self.counted_lines, self.lines.len());
        self.lines[from.min(self.lines.len())..].iter().flat_map(|line| &line.usage)
    }

    /// Makes all of them count as not requested.
    pub(super) fn count_again(&mut self) {
        self.counted_lines = 0;
        self.lost_usage = false;
    }

    /// The outcome of its work, if the last message ended it.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.lines.iter().rev().find_map(|line| line.outcome)
    }
}

/// A hash of what is reported of a message. A message whose turn has another number than
/// was reported is reported again.
fn message_fingerprint(line: &[u8], turn: Option<TurnNumber>) -> u64 {
    let turn = turn.map(|turn| turn.to_string()).unwrap_or_default();
    fingerprint([line, turn.as_bytes()])
}

/// The turn of a line that plainly follows one of this turn.
fn next_turn(turn: Option<TurnNumber>, record: &Record<'_>, is_agent: bool) -> Option<TurnNumber> {
    match (turn, turn_cue(record, is_agent)) {
        (Some(TurnNumber::Main(number)), TurnCue::Prompt) => {
            Some(TurnNumber::Main(number.saturating_add(1)))
        }
        (turn, _) => turn,
    }
}

/// The range of the bytes that begin there.
fn span(start: u64, bytes: &[u8]) -> Range<usize> {
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    start..start.saturating_add(bytes.len())
}

/// The bytes of the line that begins at an offset of the file.
fn bytes_at<'b>(lines: &'b [BufferedLine], bytes: &'b [u8]) -> impl Fn(u64) -> &'b [u8] {
    |offset| {
        let place = lines.partition_point(|line| line.offset < offset);
        let start = lines.get(place).map_or(bytes.len(), |line| line.start);
        let end = lines.get(place + 1).map_or(bytes.len(), |line| line.start);
        let line = &bytes[start..end];
        line.strip_suffix(b"\n").unwrap_or(line)
    }
}

impl BufferedLine {
    fn note(&mut self, record: &Record<'_>) {
        let Some(message) = record.message() else { return };
        let id = |id: Option<&transcript::ToolUseId<'_>>| id.map(ToString::to_string);
        self.calls.extend(message.tool_uses().filter_map(|call| id(call.id.as_ref())));
        self.answers.extend(message.blocks().iter().filter_map(|block| match block {
            Block::ToolResult(result) | Block::ServerToolResult { result, .. } => {
                id(result.tool_use_id.as_ref())
            }
            _ => None,
        }));
        self.call = self.call.take().or_else(|| call_of(record).map(Box::new));
        self.outcome = match &record.body {
            Body::Assistant(assistant) => Some(if assistant.is_api_error_message {
                Outcome::Failed
            } else if message.tool_uses().next().is_none()
                && matches!(
                    message.stop_reason.as_deref(),
                    Some("end_turn" | "stop_sequence" | "max_tokens" | "refusal")
                )
            {
                Outcome::Done
            } else {
                Outcome::Unfinished
            }),
            Body::User(user) => {
                let text = message.text();
                let is_stop =
                    !user.is_verbatim() && transcript::prompt::is_interruption(text.trim());
                Some(if is_stop { Outcome::Stopped } else { Outcome::Unfinished })
            }
            _ => self.outcome,
        };
    }
}
