//! Builds event documents from the events of the library.

use crate::sessions::shown;
use crate::tools::input;
use crate::{
    AgentEndedEventDocument, AgentStartedEventDocument, CallEndedEventDocument,
    CallStartedEventDocument, CompactedEventDocument, Document as _, Keyword, MarkDocument,
    MessageEventDocument, Moment, MovedEventDocument, ProcessDocument, ReplacedEventDocument,
    RetractedEventDocument, RewoundEventDocument, SessionDocument, SessionEndedEventDocument,
    SessionStartedEventDocument, StatusEventDocument, TurnId, UsageEventDocument,
    WatchContextDocument, WatchEventDocument, WatchTokensDocument,
};
use conversation::ToolCall;
use library::session::Session;
use library::watch::{Event, EventKind, MessageWritten, ToolCallEvent, UsageUpdate};
use std::borrow::Cow;
use store::LiveSession;
use transcript::{Block, Body, Record};

/// Makes an event with the members that all events have.
macro_rules! event {
    ($of:expr, $variant:ident $type:ident $name:literal { $($member:ident: $value:expr),* $(,)? }) => {
        WatchEventDocument::$variant(Box::new($type {
            schema: WatchEventDocument::SCHEMA.into(),
            event: $name.into(),
            session_id: $of.session_id.as_str().into(),
            agent_id: $of.agent_id.as_deref().map(Cow::from),
            is_past: $of.is_past,
            $($member: $value,)*
        }))
    };
}

impl<'e> WatchEventDocument<'e> {
    /// An event, with the bookmarks that `marks` finds in a session.
    pub fn new(event: &'e Event, marks: impl Fn(&Session) -> Vec<MarkDocument>) -> Self {
        let text = |text: &'e Option<String>| text.as_deref().map(Cow::from);
        match &event.what {
            EventKind::SessionStarted { session, process } => {
                event!(event, SessionStarted SessionStartedEventDocument "session_started" {
                    session: session
                        .as_deref()
                        .map(|session| SessionDocument::new(session, marks(session))),
                    process: process.as_deref().map(ProcessDocument::from),
                })
            }
            EventKind::Status(status) => {
                event!(event, Status StatusEventDocument "status" { status: text(status) })
            }
            EventKind::SessionEnded(end) => {
                event!(event, SessionEnded SessionEndedEventDocument "session_ended" {
                    reason: end.name().into(),
                })
            }
            EventKind::AgentStarted(agent) => {
                let meta = &agent.meta;
                event!(event, AgentStarted AgentStartedEventDocument "agent_started" {
                    kind: text(&meta.agent_type),
                    name: text(&meta.name),
                    description: text(&meta.description),
                    model: text(&meta.model),
                    tool_use_id: text(&meta.tool_use_id),
                    parent_agent_id: text(&meta.parent_agent_id),
                    workflow: text(&agent.workflow),
                    phase: text(&meta.workflow_phase),
                    path: shown(&agent.path),
                })
            }
            EventKind::AgentEnded(outcome) => {
                event!(event, AgentEnded AgentEndedEventDocument "agent_ended" {
                    outcome: outcome.name().into(),
                })
            }
            EventKind::Message(written) => message(event, written),
            EventKind::CallStarted(called) => {
                let started = |call: &ToolCall<'_>| call_started(event, called, call);
                called.read(started).unwrap_or_else(|| started(&ToolCall::default()))
            }
            EventKind::CallEnded(called) => {
                let ended = |call: &ToolCall<'_>| call_ended(event, called, call);
                called.read(ended).unwrap_or_else(|| ended(&ToolCall::default()))
            }
            EventKind::Retracted(back) => {
                event!(event, Retracted RetractedEventDocument "retracted" {
                    uuids: Cow::from(&back.uuids),
                    calls: Cow::from(&back.calls),
                    answers: Cow::from(&back.answers),
                })
            }
            EventKind::Rewound(back) => event!(event, Rewound RewoundEventDocument "rewound" {
                abandoned: Cow::from(&back.undone),
                live: Cow::from(&back.live),
                after: text(&back.after),
            }),
            EventKind::Compacted(uuids) => {
                event!(event, Compacted CompactedEventDocument "compacted" { uuids: Cow::from(uuids) })
            }
            EventKind::Moved { uuids, after } => event!(event, Moved MovedEventDocument "moved" {
                uuids: Cow::from(uuids),
                after: text(after),
            }),
            EventKind::Replaced => event!(event, Replaced ReplacedEventDocument "replaced" {}),
            EventKind::Usage(figures) => usage_event(event, figures),
        }
    }
}

fn message<'e>(event: &'e Event, written: &MessageWritten) -> WatchEventDocument<'e> {
    let record = written.record();
    let record = record.as_ref();
    let mut text = String::new();
    let (mut role, mut is_compact_summary): (Option<Keyword>, bool) = (None, false);
    match record.map(|record| &record.body) {
        Some(Body::Assistant(_)) => role = Some("assistant".into()),
        Some(Body::User(user)) => {
            role = Some("user".into());
            is_compact_summary = user.is_compact_summary;
        }
        Some(Body::Attachment(attachment)) => {
            role = Some("user".into());
            let prompt = attachment.prompt.as_ref();
            text = prompt.map(|prompt| prompt.text().into_owned()).unwrap_or_default();
        }
        _ => {}
    }
    let own = record.and_then(|record| record.message());
    if let Some(own) = own {
        text = own.text().into_owned();
    }
    let is_thinking = |block: &Block<'_>| {
        matches!(block, Block::Thinking { .. } | Block::RedactedThinking { .. })
    };
    let id = |id: &Option<transcript::ToolUseId<'_>>| id.as_ref().map(ToString::to_string);
    event!(event, Message MessageEventDocument "message" {
        uuid: written.uuid.clone(),
        after: written.after.clone(),
        role: role,
        timestamp: record.and_then(Record::time).map(Moment),
        model: own.and_then(|own| own.model.as_deref()).map(str::to_owned),
        text: text,
        has_thinking: own.is_some_and(|own| own.blocks().iter().any(is_thinking)),
        calls: own.map(|own| own.tool_uses().filter_map(|call| id(&call.id)).collect())
            .unwrap_or_default(),
        answers: own
            .map(|own| own.tool_results().filter_map(|one| id(&one.tool_use_id)).collect())
            .unwrap_or_default(),
        is_queued: written.is_queued,
        is_compact_summary: is_compact_summary,
        turn: written.turn.map(TurnId),
    })
}

fn call_started<'e>(
    event: &'e Event,
    called: &ToolCallEvent,
    call: &ToolCall<'_>,
) -> WatchEventDocument<'e> {
    event!(event, CallStarted CallStartedEventDocument "call_started" {
        id: called.id.clone(),
        tool: call.tool.to_string(),
        title: render::call_title(call, None),
        input: input(call),
        uuid: call.origin.uuid.as_ref().map(ToString::to_string),
        timestamp: call.origin.time.map(Moment),
        turn: called.turn.map(TurnId),
    })
}

fn call_ended<'e>(
    event: &'e Event,
    called: &ToolCallEvent,
    call: &ToolCall<'_>,
) -> WatchEventDocument<'e> {
    let answer = call.answer.as_ref();
    let origin = answer.map(|answer| &answer.origin);
    event!(event, CallEnded CallEndedEventDocument "call_ended" {
        id: called.id.clone(),
        tool: call.tool.to_string(),
        title: render::call_title(call, None),
        status: call.status().name().into(),
        duration_ms: call.milliseconds(),
        result: answer.map(|answer| answer.text().into_owned()).unwrap_or_default(),
        uuid: origin.and_then(|origin| origin.uuid.as_ref()).map(ToString::to_string),
        timestamp: origin.and_then(|origin| origin.time).map(Moment),
        turn: called.turn.map(TurnId),
    })
}

fn usage_event<'e>(event: &'e Event, figures: &'e UsageUpdate) -> WatchEventDocument<'e> {
    let counters = &figures.counters;
    event!(event, Usage UsageEventDocument "usage" {
        calls: figures.calls,
        model: figures.model.as_deref().map(Cow::from),
        tokens: WatchTokensDocument {
            input: counters.input,
            output: counters.output,
            cache_read: counters.read,
            cache_write: counters.write_5m.saturating_add(counters.write_1h),
        },
        cost_usd: figures.cost.decimal(),
        unpriced_calls: figures.unpriced,
        context: figures.window.map(|tokens| WatchContextDocument {
            tokens,
            limit: figures.window_limit,
            used_percent: figures.window_share().map(|share| (share * 1000.0).round() / 10.0),
        }),
    })
}

impl From<&LiveSession> for ProcessDocument {
    fn from(process: &LiveSession) -> Self {
        let process = process.clone();
        ProcessDocument {
            pid: process.pid,
            status: process.status,
            kind: process.kind,
            name: process.name,
            cwd: process.cwd,
            started_at: process.started_at.map(Moment),
        }
    }
}
