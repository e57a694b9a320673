//! `annals show --view app|sdk`: the conversation in a session.

use crate::commands::session_document::SessionDocument;
use crate::context::Context;
use crate::failure::Ending;
use crate::output::Format;
use conversation::{Conversation, Message, NodeId, State, View};
use library::Found;
use render::Style;
use serde::Serialize;
use serde_json::value::RawValue;
use transcript::{Block, Body, Content, Record};

/// Shows the messages of a session, or of the sub-agent that was named.
pub(crate) fn run(context: &Context, found: &Found, view: View) -> anyhow::Result<()> {
    let Some(path) = found.path() else {
        return Err(
            Ending::NotFound(format!("the transcript of {} is gone", found.session.id)).into()
        );
    };
    let bytes = library::read_whole(path)?;
    let said = Said(match found.agent {
        Some(_) => Conversation::read_agent(&bytes),
        None => Conversation::read(&bytes, view),
    });
    match context.output.format {
        Format::Json => context.output.json(&document(found, view, &said)),
        Format::Jsonl => context.output.jsonl(said.documents()),
        Format::Csv => {
            Err(Ending::Misuse("annals show has no rows for a spreadsheet: use --json".to_owned())
                .into())
        }
        Format::Text => context.output.text(&text(context, &said)),
    }
}

/// A conversation to be shown.
struct Said<'a>(Conversation<'a>);

impl Said<'_> {
    fn uuids(&self, ids: &[NodeId]) -> Vec<String> {
        ids.iter().map(|id| self.0.graph.node(*id).uuid.to_string()).collect()
    }

    /// The messages with the turn each belongs to: a prompt begins one.
    fn turns(&self) -> impl Iterator<Item = (u64, &Message, Record<'_>)> {
        let mut turn = 0;
        self.0.messages.iter().filter_map(move |message| {
            let node = self.0.graph.node(message.node);
            let record = transcript::entries(node.bytes).next()?.record;
            turn +=
                u64::from(message.is_queued || transcript::prompt::typed_prompt(&record).is_some());
            Some((turn, message, record))
        })
    }

    fn documents(&self) -> Vec<MessageDocument> {
        self.turns().map(|(turn, message, record)| self.message(turn, message, &record)).collect()
    }

    fn message(&self, turn: u64, message: &Message, record: &Record<'_>) -> MessageDocument {
        let node = self.0.graph.node(message.node);
        let state = self.0.state(message.node);
        let api = record.message();
        MessageDocument {
            uuid: message.uuid.clone(),
            kind: if message.is_queued {
                "user".to_owned()
            } else {
                record.type_name.as_deref().unwrap_or_default().to_owned()
            },
            role: match api.and_then(|api| api.role.as_deref()) {
                Some(role) => role.to_owned(),
                None => "user".to_owned(),
            },
            timestamp: node.timestamp.as_deref().map(str::to_owned),
            turn,
            state: state.unwrap_or(State::Live).name(),
            agent_id: node.agent_id.as_deref().map(str::to_owned),
            model: api.and_then(|api| api.model.as_deref()).map(str::to_owned),
            blocks: blocks(record),
            meta: Meta {
                line: node.line,
                offset: node.offset,
                is_queued: message.is_queued,
                is_compact_summary: node.is_compact_summary,
            },
        }
    }
}

/// A message in JSON. Names are fixed; fields may be added.
#[derive(Serialize)]
struct MessageDocument {
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
    is_queued: bool,
    is_compact_summary: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    session: SessionDocument,
    agent_id: Option<String>,
    view: &'static str,
    messages: Vec<MessageDocument>,
    branches: Vec<BranchDocument>,
    lost: Vec<LostDocument>,
    compactions: Vec<CompactionDocument>,
}

#[derive(Serialize)]
struct BranchDocument {
    from_uuid: Option<String>,
    messages: Vec<String>,
}

#[derive(Serialize)]
struct LostDocument {
    missing_uuid: String,
    messages: Vec<String>,
}

#[derive(Serialize)]
struct CompactionDocument {
    uuid: String,
    line: u64,
    timestamp: Option<String>,
    trigger: Option<String>,
    pre_tokens: Option<u64>,
    post_tokens: Option<u64>,
}

fn document(found: &Found, view: View, said: &Said<'_>) -> Document {
    Document {
        schema: "annals/conversation/1",
        session: SessionDocument::from(&found.session),
        agent_id: found.agent.as_ref().map(|agent| agent.id.clone()),
        view: match view {
            View::App => "app",
            View::Sdk => "sdk",
        },
        messages: said.documents(),
        branches: said
            .0
            .branches
            .iter()
            .map(|branch| BranchDocument {
                from_uuid: branch.from.map(|id| said.0.graph.node(id).uuid.to_string()),
                messages: said.uuids(&branch.messages),
            })
            .collect(),
        lost: said
            .0
            .lost
            .iter()
            .map(|lost| LostDocument {
                missing_uuid: lost.missing.clone(),
                messages: said.uuids(&lost.messages),
            })
            .collect(),
        compactions: said.0.compactions.iter().map(|id| compaction(said, *id)).collect(),
    }
}

fn compaction(said: &Said<'_>, id: NodeId) -> CompactionDocument {
    let node = said.0.graph.node(id);
    let record = transcript::entries(node.bytes).next().map(|entry| entry.record);
    let metadata = record.and_then(|record| match record.body {
        Body::System(system) => system.compact_metadata,
        _ => None,
    });
    CompactionDocument {
        uuid: node.uuid.to_string(),
        line: node.line,
        timestamp: node.timestamp.as_deref().map(str::to_owned),
        trigger: metadata
            .as_ref()
            .and_then(|metadata| metadata.trigger.as_deref())
            .map(str::to_owned),
        pre_tokens: metadata.as_ref().and_then(|metadata| metadata.pre_tokens).map(|count| count.0),
        post_tokens: metadata.and_then(|metadata| metadata.post_tokens).map(|count| count.0),
    }
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

fn text(context: &Context, said: &Said<'_>) -> String {
    let paint = context.output.paint;
    let mut text = String::new();
    let mut last = 0;
    for (turn, message, record) in said.turns() {
        let node = said.0.graph.node(message.node);
        let speaks = turn != last;
        last = turn;
        if speaks {
            let time = record
                .time()
                .map(|time| render::time::moment(time, &context.zone))
                .unwrap_or_default();
            let gap = if text.is_empty() { "" } else { "\n" };
            text +=
                &format!("{gap}{}\n", paint.paint(Style::Heading, &format!("── {turn} · {time}")));
        }
        if node.is_compact_summary {
            text += &format!("{}\n", paint.paint(Style::Dim, "[summary of what was compacted]"));
            continue;
        }
        match record.message().and_then(|message| message.content.as_ref()) {
            Some(Content::Blocks(blocks)) => {
                for block in blocks {
                    text += &shown_block(context, block);
                }
            }
            Some(Content::Text(said)) => {
                text += &format!("{}\n", render::untrusted::text(said.trim_end()));
            }
            _ => text += &format!("{}\n", render::record_line(&record)),
        }
    }
    for branch in &said.0.branches {
        let note = format!("{} messages were undone; --view all shows them", branch.messages.len());
        text += &format!("\n{}\n", paint.paint(Style::Dim, &note));
    }
    for lost in &said.0.lost {
        let note =
            format!("{} messages came loose: what they follow is missing", lost.messages.len());
        text += &format!("\n{}\n", paint.paint(Style::Warning, &note));
    }
    if text.is_empty() { "Nothing was said.\n".to_owned() } else { text }
}

/// What was said whole; what was done on a line.
fn shown_block(context: &Context, block: &Block<'_>) -> String {
    match block {
        Block::Text(said) => format!("{}\n", render::untrusted::text(said.trim_end())),
        Block::Thinking { .. } | Block::RedactedThinking { .. } => String::new(),
        other => {
            let line =
                render::cut(&render::block_line(other), context.output.width().or(Some(200)));
            format!("{}\n", context.output.paint.paint(Style::Dim, &line))
        }
    }
}
