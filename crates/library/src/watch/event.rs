//! The events of a session that is followed.
//!
//! Applying the events of a transcript in order gives its present conversation:
//! a message goes after the one it names; retracted, abandoned and compacted
//! messages are removed; messages that are live again or moved go after the one
//! that is named.

use crate::session::Session;
use conversation::{Calls, Outcome, ToolCall, TurnNumber};
use store::{Agent, LiveSession};
use transcript::Record;
use usage::{Counters, PicoUsd};

/// Something that happened in a session.
#[derive(Clone, Debug)]
pub struct Event {
    /// The session.
    pub session_id: String,
    /// The sub-agent in whose transcript it happened.
    pub agent_id: Option<String>,
    /// Whether it happened before following began.
    pub is_past: bool,
    /// What happened.
    pub what: EventKind,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// A session is followed from now on.
    SessionStarted {
        /// The session; `None` while it has no transcript.
        session: Option<Box<Session>>,
        /// The process that writes it, if one does.
        process: Option<Box<LiveSession>>,
    },
    /// The status that its process reports.
    Status(Option<String>),
    /// A session ended.
    SessionEnded(SessionEnd),
    /// A sub-agent began.
    AgentStarted(Box<Agent>),
    /// A sub-agent ended.
    AgentEnded(Outcome),
    /// A message was written, or changed.
    Message(Box<MessageWritten>),
    /// A tool was called.
    CallStarted(Box<ToolCallEvent>),
    /// A tool call got its result.
    CallEnded(Box<ToolCallEvent>),
    /// Lines were removed from the transcript.
    Retracted(Retraction),
    /// The conversation continues from another message than its last.
    Rewound(Rewind),
    /// These messages are now before a compaction.
    Compacted(Vec<String>),
    /// These messages moved: they are now after `after`, in this order.
    Moved {
        /// The messages.
        uuids: Vec<String>,
        /// The message before them; `None` at the beginning.
        after: Option<String>,
    },
    /// Another file has replaced the transcript.
    Replaced,
    /// What the session has used so far.
    Usage(Box<UsageUpdate>),
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// Its process ended.
    Process,
    /// Its transcript was deleted.
    Deleted,
}

impl SessionEnd {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            SessionEnd::Process => "process_ended",
            SessionEnd::Deleted => "deleted",
        }
    }
}

/// A message.
#[derive(Clone, Debug)]
pub struct MessageWritten {
    /// The uuid it is identified by.
    pub uuid: String,
    /// The message it follows in the conversation; `None` for the first.
    pub after: Option<String>,
    /// The turn it belongs to at this moment.
    pub turn: Option<TurnNumber>,
    /// Whether it was typed while the model worked.
    pub is_queued: bool,
    /// Its line, masked if masking is on.
    pub line: Vec<u8>,
}

impl MessageWritten {
    /// Its record.
    pub fn record(&self) -> Option<Record<'_>> {
        transcript::entries(&self.line).next().map(|entry| entry.record)
    }
}

/// A tool call.
#[derive(Clone, Debug)]
pub struct ToolCallEvent {
    /// Its id.
    pub id: String,
    /// The turn it belongs to at this moment.
    pub turn: Option<TurnNumber>,
    /// The lines of the call and its result, masked if masking is on.
    pub(super) lines: Vec<Vec<u8>>,
}

impl ToolCallEvent {
    /// Passes the call to `take`, with its result if there is one.
    pub fn read<R>(&self, take: impl FnOnce(&ToolCall<'_>) -> R) -> Option<R> {
        let mut calls = Calls::default();
        for entry in self.lines.iter().flat_map(|line| transcript::entries(line)) {
            calls.note(entry.line, entry.record);
        }
        let is_it = |call: &&ToolCall<'_>| call.id.as_deref() == Some(&*self.id);
        calls.all().iter().find(is_it).map(take)
    }
}

/// What was removed from the transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retraction {
    /// Messages whose lines no longer exist.
    pub uuids: Vec<String>,
    /// Calls that no longer exist.
    pub calls: Vec<String>,
    /// Calls that no longer have a result.
    pub answers: Vec<String>,
}

impl Retraction {
    pub(super) fn is_empty(&self) -> bool {
        self.uuids.is_empty() && self.calls.is_empty() && self.answers.is_empty()
    }
}

/// Another branch became the conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewind {
    /// Messages that are now on an abandoned branch.
    pub undone: Vec<String>,
    /// Messages that were abandoned and are part of the conversation again, in
    /// this order.
    pub live: Vec<String>,
    /// The message before those; `None` at the beginning.
    pub after: Option<String>,
}

/// The usage of a session, including its sub-agents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageUpdate {
    /// API calls.
    pub calls: u64,
    /// Tokens.
    pub counters: Counters,
    /// The cost of the calls with a price.
    pub cost: PicoUsd,
    /// How many calls have no price.
    pub unpriced: u64,
    /// The last model of the main conversation.
    pub model: Option<String>,
    /// The context size of its last call there; `None` before the first
    /// response, and between a compaction and the next response.
    pub window: Option<u64>,
    /// The size of the context window of that call's model, if it is known.
    pub window_limit: Option<u64>,
}

impl UsageUpdate {
    /// The used share of the context window.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn window_share(&self) -> Option<f64> {
        self.window.zip(self.window_limit).map(|(used, limit)| used as f64 / limit as f64)
    }
}
