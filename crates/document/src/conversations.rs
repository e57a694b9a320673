//! A conversation: its messages, turns, branches, orphaned segments and
//! compactions.

use crate::turns::TurnDocument;
use crate::{Document, Keyword, MarkDocument, SessionDocument, TurnId};
use conversation::{
    Branch, Conversation, Gap, Message, MessageState, NodeId, OrphanedSegment, Turn, TurnNumber,
    TurnNumbers, Turns,
};
use library::catalog::FoundSession;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashSet;
use transcript::{Block, Body, Content, Record};

/// A conversation as Claude Code or its SDK would show it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConversationDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session: SessionDocument,
    /// The sub-agent whose conversation it is; `null`: the session's own.
    pub agent_id: Option<Cow<'a, str>>,
    /// The view: `app` or `sdk`.
    pub view: Keyword,
    /// The messages. With `--agents inline` or `flat` those of sub-agents follow, each with its `agent_id`. `export` also writes messages before compactions.
    pub messages: Vec<MessageDocument>,
    /// The turns.
    pub turns: Vec<TurnDocument<'a>>,
    /// Abandoned branches.
    pub branches: Vec<BranchDocument<'a>>,
    /// Orphaned segments.
    pub orphaned_segments: Vec<OrphanedSegmentDocument<'a>>,
    /// Compactions.
    pub compactions: Vec<CompactionDocument>,
}

impl Document for ConversationDocument<'_> {
    const SCHEMA: &'static str = "annals/conversation/1";
    const COMMAND: &'static str = "`annals show`, `annals export --format json`";
    const ROWS: Option<&'static str> = Some("messages");
}

/// A message.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MessageDocument {
    /// Its id.
    pub uuid: String,
    /// The type of its record.
    #[serde(rename = "type")]
    pub kind: String,
    /// `user` or `assistant`.
    pub role: String,
    /// Its time, as recorded.
    pub timestamp: Option<String>,
    /// The turn it is in: a number over all generations, `b1.2` for turn 2 of abandoned branch 1, or `o1.2` for turn 2 of orphaned segment 1. Messages of a sub-agent have the numbers of its conversation.
    pub turn: TurnId,
    /// `live`; `abandoned`: on an abandoned branch; `orphaned`: in an orphaned segment; `compacted`: before the last compaction.
    pub state: Keyword,
    /// The sub-agent that wrote it.
    pub agent_id: Option<String>,
    /// The model that wrote it.
    pub model: Option<String>,
    /// Its content blocks, as they are in the transcript.
    pub blocks: Vec<Box<RawValue>>,
    /// Where it is in the transcript.
    pub meta: MessageMetaDocument,
}

/// Where a message is in the transcript.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MessageMetaDocument {
    /// Its line, from 1.
    pub line: u64,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// The id of the record it follows.
    pub parent_uuid: Option<String>,
    /// Whether it was typed while the model worked.
    pub is_queued: bool,
    /// Whether it is the summary that a compaction left.
    pub is_compact_summary: bool,
}

/// An abandoned branch.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BranchDocument<'a> {
    /// Its number, for `--abandoned`.
    pub number: usize,
    /// [Why it was abandoned](conversation.md#branches): `edit`, `rewind`, `exit`, `parallel`, `unexplained`, or `retry` by Claude Code.
    pub kind: Keyword,
    /// The message it leaves from.
    pub from_uuid: Option<Cow<'a, str>>,
    /// Its first prompt.
    pub prompt: Option<Cow<'a, str>>,
    /// How many prompts it has.
    pub prompts: usize,
    /// The time of its first message, as recorded.
    pub started_at: Option<Cow<'a, str>>,
    /// The time of its last message, as recorded.
    pub ended_at: Option<Cow<'a, str>>,
    /// The ids of its messages.
    pub messages: Vec<Cow<'a, str>>,
}

/// An orphaned segment: messages that a gap separates from the conversation.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OrphanedSegmentDocument<'a> {
    /// The id of the missing record.
    pub missing_uuid: Cow<'a, str>,
    /// The line of its first message.
    pub line: Option<u64>,
    /// Where the gaps are.
    pub gaps: Vec<GapDocument>,
    /// The ids of its messages.
    pub messages: Vec<Cow<'a, str>>,
    /// Its messages; in an export they are among the `messages` of the document, and this is empty.
    pub full_messages: Vec<MessageDocument>,
}

/// A gap in the records, beside or in an orphaned segment.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GapDocument {
    /// `before` or `after`: the records there are missing; `inside`: a record of the segment is damaged.
    pub place: Keyword,
    /// The damaged line; `null` if the missing record is not in the file.
    pub damaged_line: Option<u64>,
}

impl GapDocument {
    /// The gaps of a segment, in order.
    pub(crate) fn of(segment: &OrphanedSegment) -> Vec<Self> {
        let gap = |gap: &Gap| GapDocument {
            place: gap.place.name().into(),
            damaged_line: gap.damaged_line,
        };
        segment.gaps.iter().map(gap).collect()
    }
}

/// A compaction.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CompactionDocument {
    /// The id of its record.
    pub uuid: String,
    /// Its line, from 1.
    pub line: u64,
    /// Its time, as recorded.
    pub timestamp: Option<String>,
    /// What started it: `manual` or `auto`.
    pub trigger: Option<String>,
    /// Tokens of the context before it.
    pub pre_tokens: Option<u64>,
    /// Tokens of the context after it.
    pub post_tokens: Option<u64>,
    /// How long it took, in milliseconds.
    #[serde(deserialize_with = "crate::exact::optional")]
    #[schemars(with = "Option<f64>")]
    pub duration_ms: Option<f64>,
    /// The summary it left.
    pub summary: Option<String>,
    /// Its state, as of a message.
    pub state: Option<Keyword>,
}

/// The blocks that the messages of a document keep, beside text and images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptBlocks {
    /// Calls of tools and their results.
    pub tools: bool,
    /// Thinking.
    pub thinking: bool,
}

impl KeptBlocks {
    fn keep(self, block: &RawValue) -> bool {
        match serde_json::from_str(block.get()) {
            Ok(Block::Thinking { .. } | Block::RedactedThinking { .. }) => self.thinking,
            Ok(
                Block::ToolUse(_)
                | Block::ServerToolUse(_)
                | Block::ToolResult(_)
                | Block::ServerToolResult { .. },
            ) => self.tools,
            _ => true,
        }
    }
}

impl ConversationDocument<'_> {
    /// Drops other blocks, and messages that had nothing else.
    pub fn keep_blocks(&mut self, kept: KeptBlocks) {
        let segments = self.orphaned_segments.iter_mut();
        let of_segments = segments.map(|segment| &mut segment.full_messages);
        for messages in std::iter::once(&mut self.messages).chain(of_segments) {
            messages.retain_mut(|message| {
                let was_empty = message.blocks.is_empty();
                message.blocks.retain(|block| kept.keep(block));
                was_empty || !message.blocks.is_empty()
            });
        }
    }
}

/// The source of a conversation document.
#[derive(Clone, Copy, Debug)]
pub struct ConversationParts<'a> {
    /// The session or sub-agent.
    pub found: &'a FoundSession,
    /// The name of the view.
    pub view: &'static str,
    /// The whole conversation.
    pub conversation: &'a Conversation<'a>,
    /// The messages of the chosen path.
    pub messages: &'a [Message],
    /// The turns of the chosen path.
    pub all_turns: &'a Turns<'a>,
    /// The turns that are wanted.
    pub turns: &'a [&'a Turn<'a>],
    /// The numbers of the messages' turns.
    pub numbers: &'a TurnNumbers,
}

impl<'a> ConversationParts<'a> {
    /// The document, with the session's bookmarks and those that `turn_marks`
    /// finds at a turn.
    pub fn document(
        &self,
        session_marks: Vec<MarkDocument>,
        turn_marks: impl Fn(TurnNumber) -> Vec<MarkDocument>,
    ) -> ConversationDocument<'a> {
        let conversation = self.conversation;
        let turns = self.turns.iter().map(|turn| TurnDocument::new(turn, turn_marks(turn.number)));
        let branches = (1..).zip(&conversation.branches);
        ConversationDocument {
            schema: ConversationDocument::SCHEMA.into(),
            session: SessionDocument::new(&self.found.session, session_marks),
            agent_id: self.found.agent.as_ref().map(|agent| agent.id.as_str().into()),
            view: self.view.into(),
            messages: self.messages(),
            turns: turns.collect(),
            branches: branches
                .map(|(number, branch)| BranchDocument::new(conversation, number, branch))
                .collect(),
            orphaned_segments: conversation
                .orphaned_segments
                .iter()
                .map(|lost| OrphanedSegmentDocument::new(conversation, lost))
                .collect(),
            compactions: conversation
                .compactions
                .iter()
                .map(|id| CompactionDocument::new(conversation, *id))
                .collect(),
        }
    }

    /// The messages of the wanted turns.
    fn messages(&self) -> Vec<MessageDocument> {
        let wanted: HashSet<TurnNumber> = self.turns.iter().map(|turn| turn.number).collect();
        let is_all = self.turns.len() == self.all_turns.turns.len();
        let documents = self.messages.iter().filter_map(|message| {
            let turn = self.numbers.of(message.node).unwrap_or_default();
            if !is_all && !wanted.contains(&turn) {
                return None;
            }
            MessageDocument::new(self.conversation, turn, message, None)
        });
        documents.collect()
    }
}

impl MessageDocument {
    /// A message of a conversation; `None` if its record is gone.
    pub fn new(
        conversation: &Conversation<'_>,
        turn: TurnNumber,
        message: &Message,
        agent_id: Option<&str>,
    ) -> Option<Self> {
        let node = conversation.graph.node(message.node);
        let record = transcript::entries(node.bytes).next()?.record;
        let api = record.message();
        let kind = if message.is_queued { Some("user") } else { record.type_name.as_deref() };
        Some(MessageDocument {
            uuid: message.uuid.clone(),
            kind: kind.unwrap_or_default().to_owned(),
            role: api.and_then(|api| api.role.as_deref()).unwrap_or("user").to_owned(),
            timestamp: node.timestamp.as_deref().map(str::to_owned),
            turn: turn.into(),
            state: conversation.state(message.node).unwrap_or(MessageState::Live).name().into(),
            agent_id: agent_id.or(node.agent_id.as_deref()).map(str::to_owned),
            model: api.and_then(|api| api.model.as_deref()).map(str::to_owned),
            blocks: blocks(&record),
            meta: MessageMetaDocument {
                line: node.line,
                offset: node.offset,
                parent_uuid: conversation
                    .graph
                    .written_parent(message.node)
                    .map(ToString::to_string),
                is_queued: message.is_queued,
                is_compact_summary: node.is_compact_summary,
            },
        })
    }
}

/// The blocks of a message as they are; plain text as a text block.
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

impl<'a> BranchDocument<'a> {
    fn new(conversation: &'a Conversation<'_>, number: usize, branch: &'a Branch) -> Self {
        let time =
            |id: Option<&NodeId>| conversation.graph.node(*id?).timestamp.as_deref().map(Cow::from);
        BranchDocument {
            number,
            kind: branch.kind.name().into(),
            from_uuid: branch.from.map(|id| Cow::from(&*conversation.graph.node(id).uuid)),
            prompt: branch.prompt.as_deref().map(Cow::from),
            prompts: branch.prompts,
            started_at: time(branch.messages.first()),
            ended_at: time(branch.messages.last()),
            messages: uuids(conversation, &branch.messages),
        }
    }
}

impl<'a> OrphanedSegmentDocument<'a> {
    fn new(conversation: &'a Conversation<'_>, lost: &'a OrphanedSegment) -> Self {
        let message = |id: &NodeId| {
            let uuid = conversation.graph.node(*id).uuid.to_string();
            let message = Message { node: *id, uuid, is_queued: false };
            let turn = conversation.turn_of(*id).unwrap_or_default();
            MessageDocument::new(conversation, turn, &message, None)
        };
        OrphanedSegmentDocument {
            missing_uuid: Cow::from(&*lost.missing),
            line: lost.messages.first().map(|id| conversation.graph.node(*id).line),
            gaps: GapDocument::of(lost),
            messages: uuids(conversation, &lost.messages),
            full_messages: lost.messages.iter().filter_map(message).collect(),
        }
    }
}

fn uuids<'a>(conversation: &'a Conversation<'_>, ids: &[NodeId]) -> Vec<Cow<'a, str>> {
    ids.iter().map(|id| Cow::from(&*conversation.graph.node(*id).uuid)).collect()
}

impl CompactionDocument {
    fn new(conversation: &Conversation<'_>, id: NodeId) -> Self {
        let node = conversation.graph.node(id);
        let compaction = conversation.compaction(id);
        CompactionDocument {
            uuid: node.uuid.to_string(),
            line: node.line,
            timestamp: node.timestamp.as_deref().map(str::to_owned),
            trigger: compaction.trigger,
            pre_tokens: compaction.before,
            post_tokens: compaction.after,
            duration_ms: compaction.milliseconds,
            summary: compaction.summary,
            state: conversation.state(id).map(|state| state.name().into()),
        }
    }
}
