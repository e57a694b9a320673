//! Events as JSON, one a line: `annals/watch-event/1`, which docs/watch.md
//! describes.

use crate::commands::session_document::SessionDocument;
use crate::context::Context;
use conversation::ToolCall;
use jiff::Timestamp;
use library::{Event, EventKind, Figures, MessageWritten, ToolCallEvent};
use render::json::serialize_optional_moment;
use serde::Serialize;
use serde_json::value::RawValue;
use store::{Agent, LiveSession};
use transcript::{Block, Body};

/// What every event begins with.
#[derive(Serialize)]
struct Head<'e> {
    schema: &'static str,
    event: &'static str,
    session_id: &'e str,
    agent_id: Option<&'e str>,
    is_past: bool,
}

/// An event as a line.
pub(super) fn event(context: &Context, event: &Event) -> anyhow::Result<String> {
    match &event.what {
        EventKind::SessionStarted { session, process } => joined(
            event,
            "session_started",
            &SessionStarted {
                session: session
                    .as_deref()
                    .map(|session| SessionDocument::new(session, context.marks())),
                process: process.as_deref().map(ProcessDocument::new),
            },
        ),
        EventKind::Status(status) => joined(event, "status", &Status { status: status.as_deref() }),
        EventKind::SessionEnded(end) => {
            joined(event, "session_ended", &Ended { reason: end.name() })
        }
        EventKind::AgentStarted(agent) => joined(event, "agent_started", &AgentStarted::new(agent)),
        EventKind::AgentEnded(outcome) => {
            joined(event, "agent_ended", &AgentEnded { outcome: outcome.name() })
        }
        EventKind::Message(said) => joined(event, "message", &Message::new(said)),
        EventKind::CallStarted(called) => joined(event, "call_started", &CallStarted::new(called)),
        EventKind::CallEnded(called) => joined(event, "call_ended", &CallEnded::new(called)),
        EventKind::Retracted(back) => joined(
            event,
            "retracted",
            &Retracted { uuids: &back.uuids, calls: &back.calls, answers: &back.answers },
        ),
        EventKind::Rewound(back) => joined(
            event,
            "rewound",
            &Rewound { undone: &back.undone, live: &back.live, after: back.after.as_deref() },
        ),
        EventKind::Compacted(uuids) => joined(event, "compacted", &Compacted { uuids }),
        EventKind::Moved { uuids, after } => {
            joined(event, "moved", &Moved { uuids, after: after.as_deref() })
        }
        EventKind::Replaced => joined(event, "replaced", &Replaced {}),
        EventKind::Usage(figures) => joined(event, "usage", &Usage::new(figures)),
    }
}

/// The members of both, in one object.
fn joined(event: &Event, name: &'static str, body: &impl Serialize) -> anyhow::Result<String> {
    let head = Head {
        schema: "annals/watch-event/1",
        event: name,
        session_id: &event.session_id,
        agent_id: event.agent_id.as_deref(),
        is_past: event.is_past,
    };
    let (head, body) = (render::json::row(&head)?, render::json::row(body)?);
    let (head, body) = (head.trim_end(), body.trim_end());
    let head = head.strip_suffix('}').unwrap_or(head);
    let body = body.strip_prefix('{').unwrap_or(body);
    let comma = if body == "}" { "" } else { "," };
    Ok(format!("{head}{comma}{body}\n"))
}

#[derive(Serialize)]
struct SessionStarted {
    session: Option<SessionDocument>,
    process: Option<ProcessDocument>,
}

/// A process that writes a session.
#[derive(Serialize)]
pub(crate) struct ProcessDocument {
    pid: u32,
    status: Option<String>,
    kind: Option<String>,
    name: Option<String>,
    cwd: Option<String>,
    #[serde(serialize_with = "serialize_optional_moment")]
    started_at: Option<Timestamp>,
}

impl ProcessDocument {
    pub(crate) fn new(process: &LiveSession) -> Self {
        let process = process.clone();
        ProcessDocument {
            pid: process.pid,
            status: process.status,
            kind: process.kind,
            name: process.name,
            cwd: process.cwd,
            started_at: process.started_at,
        }
    }
}

#[derive(Serialize)]
struct Status<'e> {
    status: Option<&'e str>,
}

#[derive(Serialize)]
struct Ended {
    reason: &'static str,
}

#[derive(Serialize)]
struct AgentStarted<'e> {
    r#type: Option<&'e str>,
    name: Option<&'e str>,
    description: Option<&'e str>,
    model: Option<&'e str>,
    tool_use_id: Option<&'e str>,
    parent_agent_id: Option<&'e str>,
    workflow: Option<&'e str>,
    phase: Option<&'e str>,
    path: String,
}

impl<'e> AgentStarted<'e> {
    fn new(agent: &'e Agent) -> Self {
        let meta = &agent.meta;
        AgentStarted {
            r#type: meta.agent_type.as_deref(),
            name: meta.name.as_deref(),
            description: meta.description.as_deref(),
            model: meta.model.as_deref(),
            tool_use_id: meta.tool_use_id.as_deref(),
            parent_agent_id: meta.parent_agent_id.as_deref(),
            workflow: agent.workflow.as_deref(),
            phase: meta.workflow_phase.as_deref(),
            path: agent.path.to_string_lossy().into_owned(),
        }
    }
}

#[derive(Serialize)]
struct AgentEnded {
    outcome: &'static str,
}

#[derive(Default, Serialize)]
struct Message {
    uuid: String,
    after: Option<String>,
    role: Option<&'static str>,
    #[serde(serialize_with = "serialize_optional_moment")]
    timestamp: Option<Timestamp>,
    model: Option<String>,
    text: String,
    has_thinking: bool,
    calls: Vec<String>,
    answers: Vec<String>,
    is_queued: bool,
    is_compact_summary: bool,
}

impl Message {
    fn new(said: &MessageWritten) -> Self {
        let mut message = Message {
            uuid: said.uuid.clone(),
            after: said.after.clone(),
            is_queued: said.is_queued,
            ..Message::default()
        };
        let Some(record) = said.record() else { return message };
        message.timestamp = record.time();
        match &record.body {
            Body::Assistant(_) => message.role = Some("assistant"),
            Body::User(user) => {
                message.role = Some("user");
                message.is_compact_summary = user.is_compact_summary;
            }
            Body::Attachment(attachment) => {
                message.role = Some("user");
                let prompt = attachment.prompt.as_ref();
                message.text = prompt.map(|prompt| prompt.text().into_owned()).unwrap_or_default();
            }
            _ => {}
        }
        if let Some(own) = record.message() {
            message.model = own.model.as_deref().map(str::to_owned);
            message.text = own.text().into_owned();
            message.has_thinking = own.blocks().iter().any(|block| {
                matches!(block, Block::Thinking { .. } | Block::RedactedThinking { .. })
            });
            let id = |id: &Option<transcript::ToolUseId<'_>>| id.as_ref().map(ToString::to_string);
            message.calls = own.tool_uses().filter_map(|call| id(&call.id)).collect();
            message.answers = own.tool_results().filter_map(|one| id(&one.tool_use_id)).collect();
        }
        message
    }
}

#[derive(Serialize)]
struct CallStarted {
    id: String,
    tool: String,
    title: String,
    input: Option<Box<RawValue>>,
    uuid: Option<String>,
    #[serde(serialize_with = "serialize_optional_moment")]
    timestamp: Option<Timestamp>,
}

impl CallStarted {
    fn new(called: &ToolCallEvent) -> Self {
        let document = |call: &ToolCall<'_>| CallStarted {
            id: called.id.clone(),
            tool: call.tool.to_string(),
            title: render::call_title(call, None),
            input: call
                .input
                .as_ref()
                .and_then(|input| RawValue::from_string(input.as_str().to_owned()).ok()),
            uuid: call.origin.uuid.as_ref().map(ToString::to_string),
            timestamp: call.origin.time,
        };
        called.read(document).unwrap_or_else(|| document(&ToolCall::default()))
    }
}

#[derive(Serialize)]
struct CallEnded {
    id: String,
    tool: String,
    title: String,
    status: &'static str,
    duration_ms: Option<u64>,
    result: String,
    uuid: Option<String>,
    #[serde(serialize_with = "serialize_optional_moment")]
    timestamp: Option<Timestamp>,
}

impl CallEnded {
    fn new(called: &ToolCallEvent) -> Self {
        let document = |call: &ToolCall<'_>| {
            let answer = call.answer.as_ref();
            let origin = answer.map(|answer| &answer.origin);
            CallEnded {
                id: called.id.clone(),
                tool: call.tool.to_string(),
                title: render::call_title(call, None),
                status: call.status().name(),
                duration_ms: call.milliseconds(),
                result: answer.map(|answer| answer.text().into_owned()).unwrap_or_default(),
                uuid: origin.and_then(|origin| origin.uuid.as_ref()).map(ToString::to_string),
                timestamp: origin.and_then(|origin| origin.time),
            }
        };
        called.read(document).unwrap_or_else(|| document(&ToolCall::default()))
    }
}

#[derive(Serialize)]
struct Retracted<'e> {
    uuids: &'e [String],
    calls: &'e [String],
    answers: &'e [String],
}

#[derive(Serialize)]
struct Rewound<'e> {
    undone: &'e [String],
    live: &'e [String],
    after: Option<&'e str>,
}

#[derive(Serialize)]
struct Compacted<'e> {
    uuids: &'e [String],
}

#[derive(Serialize)]
struct Moved<'e> {
    uuids: &'e [String],
    after: Option<&'e str>,
}

#[derive(Serialize)]
struct Replaced {}

#[derive(Serialize)]
struct Usage<'e> {
    calls: u64,
    model: Option<&'e str>,
    tokens: Tokens,
    cost_usd: String,
    unpriced_calls: u64,
    context: Option<Window>,
}

#[derive(Serialize)]
struct Tokens {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_write: u64,
}

#[derive(Serialize)]
struct Window {
    tokens: u64,
    limit: Option<u64>,
    used_percent: Option<f64>,
}

impl<'e> Usage<'e> {
    fn new(figures: &'e Figures) -> Self {
        let counters = &figures.counters;
        Usage {
            calls: figures.calls,
            model: figures.model.as_deref(),
            tokens: Tokens {
                input: counters.input,
                output: counters.output,
                cache_read: counters.read,
                cache_write: counters.write_5m.saturating_add(counters.write_1h),
            },
            cost_usd: figures.cost.decimal(),
            unpriced_calls: figures.unpriced,
            context: figures.window.map(|tokens| Window {
                tokens,
                limit: figures.window_limit,
                used_percent: figures.window_share().map(|share| (share * 1000.0).round() / 10.0),
            }),
        }
    }
}
