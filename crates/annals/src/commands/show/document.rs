//! A conversation in JSON.

use crate::commands::session_document::SessionDocument;
use crate::marks::{MarkDocument, Marks};
use conversation::{
    Branch, Conversation, LostSegment, Message, NodeId, State, Tokens, Turn, Turns,
};
use jiff::Timestamp;
use library::{Found, PlacedMarks};
use render::json::serialize_optional_moment;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::HashMap;
use transcript::{Body, Content, Record};

/// A conversation. Names are fixed; fields may be added.
#[derive(Serialize)]
pub(crate) struct Document<'a> {
    schema: &'static str,
    session: SessionDocument,
    agent_id: Option<&'a str>,
    view: &'static str,
    pub(crate) messages: Vec<MessageDocument>,
    turns: Vec<TurnDocument<'a>>,
    branches: Vec<BranchDocument<'a>>,
    lost: Vec<LostDocument<'a>>,
    compactions: Vec<CompactionDocument>,
}

/// A message.
#[derive(Serialize)]
pub(crate) struct MessageDocument {
    uuid: String,
    #[serde(rename = "type")]
    kind: String,
    role: String,
    timestamp: Option<String>,
    turn: u64,
    state: &'static str,
    agent_id: Option<String>,
    model: Option<String>,
    blocks: Vec<Box<RawValue>>,
    meta: Meta,
}

#[derive(Serialize)]
struct Meta {
    line: u64,
    offset: u64,
    parent_uuid: Option<String>,
    is_queued: bool,
    is_compact_summary: bool,
}

#[derive(Serialize)]
struct TurnDocument<'a> {
    number: u64,
    prompt: Option<&'a str>,
    #[serde(serialize_with = "serialize_optional_moment")]
    started_at: Option<Timestamp>,
    #[serde(serialize_with = "serialize_optional_moment")]
    ended_at: Option<Timestamp>,
    model_ms: u64,
    tools_ms: u64,
    waiting_ms: u64,
    noted_ms: Option<u64>,
    tokens: TokensDocument,
    responses: u64,
    models: Vec<&'a str>,
    tool_calls: u64,
    errors: u64,
    denials: u64,
    interruptions: u64,
    failures: u64,
    hooks: HooksDocument,
    files: Vec<FileDocument<'a>>,
    marks: Vec<MarkDocument>,
}

/// Tokens of API calls.
#[derive(Serialize)]
pub(crate) struct TokensDocument {
    input: u64,
    cache_read: u64,
    cache_write: u64,
    pub(crate) output: u64,
}

impl From<Tokens> for TokensDocument {
    fn from(tokens: Tokens) -> Self {
        TokensDocument {
            input: tokens.input,
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
            output: tokens.output,
        }
    }
}

#[derive(Serialize)]
struct HooksDocument {
    ran: u64,
    failed: u64,
    duration_ms: u64,
}

#[derive(Serialize)]
struct FileDocument<'a> {
    path: &'a str,
    reads: u64,
    changes: u64,
    added: u64,
    removed: u64,
}

#[derive(Serialize)]
struct BranchDocument<'a> {
    number: usize,
    kind: &'static str,
    from_uuid: Option<&'a str>,
    prompt: Option<&'a str>,
    prompts: usize,
    started_at: Option<&'a str>,
    ended_at: Option<&'a str>,
    messages: Vec<&'a str>,
}

#[derive(Serialize)]
struct LostDocument<'a> {
    missing_uuid: &'a str,
    line: Option<u64>,
    messages: Vec<&'a str>,
}

#[derive(Serialize)]
struct CompactionDocument {
    uuid: String,
    line: u64,
    timestamp: Option<String>,
    trigger: Option<String>,
    pre_tokens: Option<u64>,
    post_tokens: Option<u64>,
    duration_ms: Option<f64>,
    summary: Option<String>,
    state: Option<&'static str>,
}

/// What a document is made of: a conversation, the line of it that is shown,
/// and the turns wanted.
pub(crate) struct Shown<'a> {
    pub(crate) found: &'a Found,
    pub(crate) view: &'static str,
    pub(crate) conversation: &'a Conversation<'a>,
    pub(crate) messages: &'a [Message],
    pub(crate) telling: &'a Turns<'a>,
    pub(crate) turns: &'a [&'a Turn<'a>],
    pub(crate) all_marks: &'a Marks,
    pub(crate) marks: &'a PlacedMarks<'a>,
}

impl<'a> Shown<'a> {
    pub(crate) fn document(&self) -> Document<'a> {
        let said = self.conversation;
        Document {
            schema: "annals/conversation/1",
            session: SessionDocument::new(&self.found.session, self.all_marks),
            agent_id: self.found.agent.as_ref().map(|agent| agent.id.as_str()),
            view: self.view,
            messages: self.messages(),
            turns: self.turns.iter().map(|turn| turn_document(turn, self.marks)).collect(),
            branches: (1..).zip(&said.branches).map(|(n, it)| branch(said, n, it)).collect(),
            lost: said.lost.iter().map(|lost| lost_document(said, lost)).collect(),
            compactions: said.compactions.iter().map(|id| compaction(said, *id)).collect(),
        }
    }

    /// The messages of the wanted turns. Each belongs to the turn of its first
    /// step; one without steps, as a result shown at its call, to the turn it
    /// stands in.
    pub(crate) fn messages(&self) -> Vec<MessageDocument> {
        let mut numbers: HashMap<NodeId, u64> = HashMap::new();
        for turn in &self.telling.turns {
            for step in &turn.steps {
                numbers.entry(step.node).or_insert(turn.number);
            }
        }
        let wanted = |number: u64| {
            self.turns.len() == self.telling.turns.len()
                || self.turns.iter().any(|turn| turn.number == number)
        };
        let mut turn = 0;
        let mut documents = Vec::new();
        for message in self.messages {
            turn = numbers.get(&message.node).copied().unwrap_or(turn);
            if wanted(turn) {
                documents.extend(message_document(self.conversation, turn, message, None));
            }
        }
        documents
    }
}

/// A message of a conversation.
pub(crate) fn message_document(
    said: &Conversation<'_>,
    turn: u64,
    message: &Message,
    agent_id: Option<&str>,
) -> Option<MessageDocument> {
    let node = said.graph.node(message.node);
    let record = transcript::entries(node.bytes).next()?.record;
    let api = record.message();
    let kind = if message.is_queued { Some("user") } else { record.type_name.as_deref() };
    Some(MessageDocument {
        uuid: message.uuid.clone(),
        kind: kind.unwrap_or_default().to_owned(),
        role: api.and_then(|api| api.role.as_deref()).unwrap_or("user").to_owned(),
        timestamp: node.timestamp.as_deref().map(str::to_owned),
        turn,
        state: said.state(message.node).unwrap_or(State::Live).name(),
        agent_id: agent_id.or(node.agent_id.as_deref()).map(str::to_owned),
        model: api.and_then(|api| api.model.as_deref()).map(str::to_owned),
        blocks: blocks(&record),
        meta: Meta {
            line: node.line,
            offset: node.offset,
            parent_uuid: said.graph.written_parent(message.node).map(ToString::to_string),
            is_queued: message.is_queued,
            is_compact_summary: node.is_compact_summary,
        },
    })
}

/// The blocks of a message as they stand; plain text as a text block.
fn blocks(record: &Record<'_>) -> Vec<Box<RawValue>> {
    let raw = |text: String| RawValue::from_string(text).ok();
    let content = match &record.body {
        Body::Attachment(attachment) => attachment.prompt.as_ref(),
        _ => record.message().and_then(|message| message.content.as_ref()),
    };
    match content {
        Some(Content::Text(text)) => {
            raw(serde_json::json!({"type": "text", "text": &**text}).to_string())
                .into_iter()
                .collect()
        }
        Some(Content::Blocks(_)) => {
            record.raw_blocks().filter_map(|block| raw(block.to_owned())).collect()
        }
        Some(Content::Members(_)) | None => Vec::new(),
    }
}

fn turn_document<'a>(turn: &'a Turn<'_>, marks: &PlacedMarks<'_>) -> TurnDocument<'a> {
    let files = turn.files.iter().map(|(path, touch)| FileDocument {
        path,
        reads: touch.reads,
        changes: touch.changes,
        added: touch.added,
        removed: touch.removed,
    });
    TurnDocument {
        number: turn.number,
        prompt: turn.prompt(),
        started_at: turn.started,
        ended_at: turn.ended,
        model_ms: turn.model_ms,
        tools_ms: turn.tools_ms,
        waiting_ms: turn.waiting_ms,
        noted_ms: turn.noted_ms,
        tokens: turn.tokens.into(),
        responses: turn.responses,
        models: turn.models.iter().map(|model| &**model).collect(),
        tool_calls: turn.calls,
        errors: turn.errors,
        denials: turn.denials,
        interruptions: turn.interruptions,
        failures: turn.failures,
        hooks: HooksDocument {
            ran: turn.hooks.ran,
            failed: turn.hooks.failed,
            duration_ms: turn.hooks.milliseconds,
        },
        files: files.collect(),
        marks: marks.at_turn(turn.number).map(MarkDocument::from).collect(),
    }
}

fn branch<'a>(said: &'a Conversation<'_>, number: usize, branch: &'a Branch) -> BranchDocument<'a> {
    let time = |id: Option<&NodeId>| said.graph.node(*id?).timestamp.as_deref();
    BranchDocument {
        number,
        kind: branch.kind.name(),
        from_uuid: branch.from.map(|id| &*said.graph.node(id).uuid),
        prompt: branch.prompt.as_deref(),
        prompts: branch.prompts,
        started_at: time(branch.messages.first()),
        ended_at: time(branch.messages.last()),
        messages: uuids(said, &branch.messages),
    }
}

fn lost_document<'a>(said: &'a Conversation<'_>, lost: &'a LostSegment) -> LostDocument<'a> {
    LostDocument {
        missing_uuid: &lost.missing,
        line: lost.messages.first().map(|id| said.graph.node(*id).line),
        messages: uuids(said, &lost.messages),
    }
}

fn uuids<'a>(said: &'a Conversation<'_>, ids: &[NodeId]) -> Vec<&'a str> {
    ids.iter().map(|id| &*said.graph.node(*id).uuid).collect()
}

fn compaction(said: &Conversation<'_>, id: NodeId) -> CompactionDocument {
    let node = said.graph.node(id);
    let told = said.compaction(id);
    CompactionDocument {
        uuid: node.uuid.to_string(),
        line: node.line,
        timestamp: node.timestamp.as_deref().map(str::to_owned),
        trigger: told.trigger,
        pre_tokens: told.before,
        post_tokens: told.after,
        duration_ms: told.milliseconds,
        summary: told.summary,
        state: said.state(id).map(State::name),
    }
}
