//! What can happen in a session that is looked on.
//!
//! Whoever applies the events of a transcript in order has its conversation as
//! it stands: a message is put behind the one it names, what was taken back,
//! undone or compacted is taken out, and what is live again or moved is put
//! behind the one that is named.

use crate::catalog::session::Session;
use conversation::{Calls, Outcome, ToolCall};
use store::{Agent, LiveSession};
use transcript::Record;
use usage::{Counters, PicoUsd};

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// The session.
    pub session_id: String,
    /// The sub-agent in whose transcript it happened.
    pub agent_id: Option<String>,
    /// Whether it was there before anybody looked on.
    pub is_past: bool,
    /// What happened.
    pub what: EventKind,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// A session is looked on from now.
    SessionStarted {
        /// What is known of it; nothing while it has no transcript.
        session: Option<Box<Session>>,
        /// The process that writes it, if one does.
        process: Option<Box<LiveSession>>,
    },
    /// The process that writes it says what it does.
    Status(Option<String>),
    /// A session ended.
    SessionEnded(SessionEnd),
    /// A sub-agent began.
    AgentStarted(Box<Agent>),
    /// A sub-agent ended.
    AgentEnded(Outcome),
    /// Something was said, or said differently than before.
    Message(Box<MessageWritten>),
    /// A tool was called.
    CallStarted(Box<ToolCallEvent>),
    /// A tool answered.
    CallEnded(Box<ToolCallEvent>),
    /// Lines were taken out of the transcript.
    Retracted(Retraction),
    /// The conversation goes on from another place than its last message.
    Rewound(Rewind),
    /// These messages now stand before a compaction.
    Compacted(Vec<String>),
    /// These messages stand in another place: behind `after`, in this order.
    Moved {
        /// The messages.
        uuids: Vec<String>,
        /// The message before them; none before the first.
        after: Option<String>,
    },
    /// Another file has taken the transcript's place.
    Replaced,
    /// What the session has used so far.
    Usage(Box<Figures>),
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// Its process did.
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
    /// What it is known by.
    pub uuid: String,
    /// The message it follows in the conversation; none before the first.
    pub after: Option<String>,
    /// Whether it was typed while the model worked.
    pub is_queued: bool,
    /// Its line, masked where that is asked for.
    pub line: Vec<u8>,
}

impl MessageWritten {
    /// Its record.
    pub fn record(&self) -> Option<Record<'_>> {
        transcript::entries(&self.line).next().map(|entry| entry.record)
    }
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub struct ToolCallEvent {
    /// Its id.
    pub id: String,
    /// The lines that call and answer, masked where that is asked for.
    pub(super) lines: Vec<Vec<u8>>,
}

impl ToolCallEvent {
    /// Hands the call to `tell`, answered if it is.
    pub fn read<R>(&self, tell: impl FnOnce(&ToolCall<'_>) -> R) -> Option<R> {
        let mut calls = Calls::default();
        for entry in self.lines.iter().flat_map(|line| transcript::entries(line)) {
            calls.note(entry.line, entry.record);
        }
        let is_it = |call: &&ToolCall<'_>| call.id.as_deref() == Some(&*self.id);
        calls.all().iter().find(is_it).map(tell)
    }
}

/// What was taken back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retraction {
    /// Messages that are no longer written anywhere.
    pub uuids: Vec<String>,
    /// Calls that are no longer.
    pub calls: Vec<String>,
    /// Calls that no longer have an answer.
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
    /// Messages that were left behind.
    pub undone: Vec<String>,
    /// Messages that had been left behind and stand again, in this order.
    pub live: Vec<String>,
    /// The message before those; none before the first.
    pub after: Option<String>,
}

/// What a session has used, its sub-agents included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// API calls.
    pub calls: u64,
    /// Tokens.
    pub counters: Counters,
    /// What those cost that have a price.
    pub cost: PicoUsd,
    /// How many have none.
    pub unpriced: u64,
    /// The model that answered last in the main conversation.
    pub model: Option<String>,
    /// The tokens that it was last given there; nothing before the first answer,
    /// nor between a compaction and the next.
    pub window: Option<u64>,
    /// How many it may be given, where the models tell.
    pub window_limit: Option<u64>,
}

impl Figures {
    /// The share of the window that is used.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn window_share(&self) -> Option<f64> {
        self.window.zip(self.window_limit).map(|(used, limit)| used as f64 / limit as f64)
    }
}
