//! The events of a session.

use std::collections::{HashMap, HashSet};

use crate::{
    ApiCall, CallInput, Entry, EntryKind, Header, JsonText, LineFormat, LineReader, Place, Session,
};

use crate::copilot::known_types::is_silent;
use crate::copilot::responses::Responses;
use crate::copilot::tool_result::parse_result;
use crate::copilot::usage::{parse_record, parse_shutdown};

/// Reads a session's `events.jsonl`.
pub type Reader = LineReader<EventLog>;

/// What has to be remembered from event to event.
#[derive(Clone, Debug, Default)]
pub struct EventLog {
    /// The calls that messages have requested.
    requested: HashSet<String>,
    /// The turn of each agent, and under the empty name that of the session.
    turns: HashMap<String, String>,
    /// Reasoning that a separate event showed, by agent.
    reasoning: HashMap<String, String>,
    /// The keys of calls with a record.
    recorded: HashSet<String>,
    responses: Responses,
}

impl LineFormat for EventLog {
    fn read_value(&mut self, session: &mut Session, place: Place, value: JsonText<'_>) {
        let (Some(kind), true) = (value.string("type"), value.is_object()) else {
            session.unknown.add("line");
            session.entries.push(Entry::new(place, EntryKind::Unknown("line".to_owned())));
            return;
        };
        let data = value.get("data").unwrap_or(value);
        let event = Event {
            id: value.filled("id"),
            agent: value.filled("agentId"),
            model: data.filled("model"),
            kind,
            data,
        };
        let time = value.time("timestamp");
        session.header.note_time(time);
        note_event(&mut session.header, &event);
        let turn = self.turn(&event);
        let first = session.entries.len();
        for kind in self.kinds(session, &event) {
            session.entries.push(Entry {
                id: event.id.clone(),
                time,
                turn: turn.clone(),
                agent: event.agent.clone(),
                model: event.model.clone(),
                ..Entry::new(place, kind)
            });
        }
        let own = first..session.entries.len();
        let agent = event.agent.as_deref().unwrap_or_default();
        let entries = session.entries.as_mut_slice();
        match event.kind.as_str() {
            "assistant.turn_start" => self.responses.begin(agent),
            "assistant.reasoning" => self.responses.note_reasoning(entries, first, agent),
            "assistant.message" => {
                let id = data.filled("messageId").or_else(|| event.id.clone());
                let call = data.filled("apiCallId");
                self.responses.note_message(entries, own, agent, call, id);
            }
            _ => {}
        }
        let at = |call: ApiCall| ApiCall { entry: first, time, agent: event.agent.clone(), ..call };
        match event.kind.as_str() {
            "session.usage_record" => {
                if let Some(call) = parse_record(data, event.id.as_deref().unwrap_or_default()) {
                    self.responses.note_record(&mut session.entries, agent, &call.key);
                    self.add_record(session, at(call));
                }
            }
            "session.shutdown" if self.recorded.is_empty() => {
                let sums = parse_shutdown(data, &session.header.id);
                if !sums.is_empty() {
                    session.api_calls = sums.into_iter().map(at).collect();
                }
            }
            _ => {}
        }
    }
}

/// The parts of an event.
struct Event<'a> {
    id: Option<String>,
    agent: Option<String>,
    model: Option<String>,
    kind: String,
    data: JsonText<'a>,
}

impl EventLog {
    /// Adds a call with a record; sums of a shutdown do not count beside it.
    fn add_record(&mut self, session: &mut Session, call: ApiCall) {
        if self.recorded.is_empty() {
            session.api_calls.clear();
        }
        if self.recorded.insert(call.key.clone()) {
            session.api_calls.push(call);
        }
    }

    /// The turn of an event: the one it names, or the latest of its agent.
    fn turn(&mut self, event: &Event<'_>) -> Option<String> {
        let agent = event.agent.clone().unwrap_or_default();
        if let Some(turn) = event.data.filled("interactionId") {
            self.turns.insert(agent, turn.clone());
            return Some(turn);
        }
        self.turns.get(&agent).cloned()
    }

    fn kinds(&mut self, session: &mut Session, event: &Event<'_>) -> Vec<EntryKind> {
        let data = event.data;
        let text = |key| data.string(key).unwrap_or_default();
        let notice = |kind: &str, key| EntryKind::Notice(kind.to_owned(), text(key));
        let kind = match event.kind.as_str() {
            "user.message" => return prompt_kinds(event),
            "assistant.message" => return self.message_kinds(event),
            "assistant.reasoning" => {
                let agent = event.agent.clone().unwrap_or_default();
                self.reasoning.insert(agent, text("content"));
                EntryKind::Thinking(text("content"))
            }
            "tool.execution_start" | "tool.user_requested"
                if self.requested.insert(text("toolCallId")) =>
            {
                parse_call(data, "toolName")
            }
            "tool.execution_complete" => parse_result(data),
            "subagent.started" => EntryKind::AgentStart {
                agent: event.agent.clone().unwrap_or_else(|| text("agentName")),
                call: data.filled("toolCallId"),
            },
            "session.compaction_complete" => match data.filled("summaryContent") {
                Some(summary) => EntryKind::Compaction(summary),
                None if data.get("error").is_some() => EntryKind::Error(text("error")),
                None => EntryKind::Silent(event.kind.clone()),
            },
            "abort" => EntryKind::Interruption,
            "session.error" => EntryKind::Error(text("message")),
            "subagent.failed" => EntryKind::Error(text("error")),
            "session.info" => notice(&data.filled("infoType").unwrap_or_default(), "message"),
            "session.warning" => notice("warning", "message"),
            "session.handoff" => notice("handoff", "summary"),
            "session.context_cleared" => notice("context_cleared", "initialMessage"),
            "session.task_complete" => notice("task_complete", "summary"),
            "system.notification" => notice("notification", "content"),
            kind if is_silent(kind) || kind == "tool.user_requested" => {
                EntryKind::Silent(kind.to_owned())
            }
            kind => {
                session.unknown.add(kind);
                EntryKind::Unknown(kind.to_owned())
            }
        };
        vec![kind]
    }

    fn message_kinds(&mut self, event: &Event<'_>) -> Vec<EntryKind> {
        let data = event.data;
        let mut kinds = Vec::new();
        let shown = self.reasoning.remove(event.agent.as_deref().unwrap_or_default());
        match data.filled("reasoningText") {
            Some(text) if shown.as_ref() != Some(&text) => kinds.push(EntryKind::Thinking(text)),
            None if shown.is_none()
                && ["reasoningOpaque", "encryptedContent"]
                    .iter()
                    .any(|key| data.filled(key).is_some()) =>
            {
                kinds.push(EntryKind::Thinking(String::new()));
            }
            _ => {}
        }
        if let Some(text) = data.filled("content") {
            kinds.push(EntryKind::Text(text));
        }
        for request in data.get("toolRequests").into_iter().flat_map(JsonText::elements) {
            self.requested.insert(request.string("toolCallId").unwrap_or_default());
            kinds.push(parse_call(request, "name"));
        }
        if kinds.is_empty() {
            kinds.push(EntryKind::Silent(event.kind.clone()));
        }
        kinds
    }
}

fn parse_call(request: JsonText<'_>, name: &str) -> EntryKind {
    let input = match request.get("arguments") {
        Some(arguments) => match arguments.as_string() {
            Some(text) => CallInput::Text(text.into_owned()),
            None => CallInput::Json(arguments.text().to_owned()),
        },
        None => CallInput::Json("{}".to_owned()),
    };
    EntryKind::Call {
        id: request.string("toolCallId").unwrap_or_default(),
        tool: request.string(name).unwrap_or_default(),
        input,
    }
}

/// A user message is typed by the person, asked by a parent, or injected by the program, as its
/// source says.
fn prompt_kinds(event: &Event<'_>) -> Vec<EntryKind> {
    let data = event.data;
    let text = data.string("content").unwrap_or_default();
    let source = data.filled("source").filter(|source| source != "user");
    let kind = match source {
        Some(source) if !source.starts_with("agent-") => EntryKind::Notice(source, text),
        _ if data.is_true("isAutopilotContinuation") => {
            EntryKind::Notice("autopilot".to_owned(), text)
        }
        _ => EntryKind::Prompt(text),
    };
    let attachments = data.get("attachments").into_iter().flat_map(JsonText::elements);
    let attachments = attachments.map(|attachment| EntryKind::Attachment {
        kind: ["mimeType", "displayName", "path", "type"]
            .iter()
            .find_map(|key| attachment.filled(key))
            .unwrap_or_default(),
        bytes: attachment.get("data").map_or(0, |data| data.text().len() as u64),
    });
    std::iter::once(kind).chain(attachments).collect()
}

fn note_event(header: &mut Header, event: &Event<'_>) {
    let data = event.data;
    if event.agent.is_some() {
        return;
    }
    match event.kind.as_str() {
        "session.start" | "session.resume" => {
            if let Some(id) = data.filled("sessionId") {
                header.id = id;
            }
            note(&mut header.version, data.filled("copilotVersion"));
            note(&mut header.source, data.filled("producer"));
            note(&mut header.model, data.filled("selectedModel"));
            if let Some(context) = data.get("context") {
                note_context(header, context);
            }
        }
        "session.context_changed" => note_context(header, data),
        "session.model_change" => note(&mut header.model, data.filled("newModel")),
        "assistant.message" => note(&mut header.model, data.filled("model")),
        "user.message" if header.first_prompt.is_none() => {
            if let Some(EntryKind::Prompt(text)) = prompt_kinds(event).into_iter().next() {
                header.first_prompt = Some(text);
            }
        }
        _ => {}
    }
}

fn note_context(header: &mut Header, context: JsonText<'_>) {
    note(&mut header.directory, context.filled("cwd"));
    note(&mut header.branch, context.filled("branch"));
    note(&mut header.repository, context.filled("repository"));
}

fn note(field: &mut Option<String>, value: Option<String>) {
    if value.is_some() {
        *field = value;
    }
}
