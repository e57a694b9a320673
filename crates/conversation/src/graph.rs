//! The lines of a transcript that form its conversation, and how they hang
//! together.
//!
//! A node keeps what the rules look at and where its line stands; what the line
//! says is read again when it is shown, so that a long session costs little.

use std::collections::{BTreeMap, HashMap};
use transcript::{
    Block, Body, LastPrompt, Line, LineEnd, Record, RecordKind, Str, json, parse_line,
};

/// The number of a node in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) usize);

impl NodeId {
    /// Its place among the nodes, in file order.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A line of the conversation.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// The line's number, from 1.
    pub line: u64,
    /// Where its bytes start.
    pub offset: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// What it is.
    pub kind: RecordKind,
    /// The subtype of a `system` line, or the kind of an attachment.
    pub subtype: Option<Str<'a>>,
    /// Its uuid.
    pub uuid: Str<'a>,
    /// The line it follows; relinking changes it.
    pub parent: Option<Str<'a>>,
    /// The line it follows, as written.
    pub written_parent: Option<Str<'a>>,
    /// The line it follows across a compaction.
    pub logical_parent: Option<Str<'a>>,
    /// When it was written, as written.
    pub timestamp: Option<Str<'a>>,
    /// Whether it belongs to a sub-agent.
    pub is_sidechain: bool,
    /// The sub-agent it belongs to.
    pub agent_id: Option<Str<'a>>,
    /// Whether it belongs to a team of agents.
    pub is_team: bool,
    /// Written by the app in the person's name.
    pub is_meta: bool,
    /// Who it came from.
    pub origin: Option<Str<'a>>,
    /// The summary of what was compacted.
    pub is_compact_summary: bool,
    /// The API response it is a part of.
    pub message_id: Option<Str<'a>>,
    /// Calls of tools in it.
    pub calls: Vec<Str<'a>>,
    /// Calls it answers.
    pub answers: Vec<Str<'a>>,
    /// The line with the call it answers, where it says so.
    pub answered_line: Option<Str<'a>>,
    /// The uuid a queued command would have had as a message.
    pub source_uuid: Option<Str<'a>>,
    /// What a compaction kept whole.
    pub(crate) preserved: Option<Preserved<'a>>,
}

/// What a compaction kept whole.
#[derive(Clone, Debug)]
pub(crate) struct Preserved<'a> {
    /// One by one: (the line they hang below, the lines).
    pub(crate) messages: Option<(Str<'a>, Vec<Str<'a>>)>,
    /// As a range: (the first, the line they hang below, the last).
    pub(crate) segment: Option<(Str<'a>, Str<'a>, Str<'a>)>,
}

impl Node<'_> {
    /// Whether it is a compaction's boundary.
    pub fn is_boundary(&self) -> bool {
        self.kind == RecordKind::System && self.subtype.as_deref() == Some("compact_boundary")
    }

    /// Whether it is something somebody said: a user's or the model's line.
    pub fn is_message(&self) -> bool {
        matches!(self.kind, RecordKind::User | RecordKind::Assistant)
    }

    /// When it was written, in milliseconds since the epoch.
    pub fn milliseconds(&self) -> Option<i64> {
        let time = transcript::parse_timestamp(self.timestamp.as_deref()?)?;
        Some(time.as_millisecond())
    }
}

/// The lines of a transcript that form its conversation.
#[derive(Clone, Debug, Default)]
pub struct Graph<'a> {
    /// The nodes, in file order.
    pub(crate) nodes: Vec<Node<'a>>,
    pub(crate) by_uuid: HashMap<Str<'a>, NodeId>,
    /// Where the conversation stood, newest last: with the number of nodes that
    /// stand before.
    pub(crate) checkpoints: Vec<(usize, LastPrompt<'a>)>,
    /// The size of the transcript.
    pub(crate) size: u64,
    /// Sessions that lines were copied from, with how many.
    pub forked_from: BTreeMap<String, u64>,
}

impl<'a> Graph<'a> {
    /// Reads the lines of a whole transcript.
    pub fn read(bytes: &'a [u8]) -> Self {
        let mut graph = Graph { size: bytes.len() as u64, ..Graph::default() };
        for line in transcript::lines(bytes) {
            graph.add_line(line);
        }
        graph
    }

    fn add_line(&mut self, line: Line<'a>) {
        let mut entries = parse_line(line);
        // What is no JSON by itself is not part of anybody's conversation; it
        // is shown as damage in view `all`.
        let (Some(entry), None) = (entries.next(), entries.next()) else { return };
        if line.end == LineEnd::EndOfInput && !entry.provisional {
            return;
        }
        if let Body::LastPrompt(last) = entry.record.body {
            self.checkpoints.push((self.nodes.len(), last));
            return;
        }
        if let Some(origin) = entry.record.envelope.forked_from.as_ref()
            && let Some(session) = &origin.session_id
        {
            *self.forked_from.entry(session.to_string()).or_default() += 1;
        }
        let Some(node) = node(entry.line, entry.offset, entry.bytes, entry.record) else { return };
        let id = NodeId(self.nodes.len());
        // A later line of the same uuid takes the earlier one's place.
        self.by_uuid.insert(node.uuid.clone(), id);
        self.nodes.push(node);
    }

    /// The nodes in file order, those replaced by a later line left out.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> {
        (0..self.nodes.len()).map(NodeId).filter(|id| self.is_current(*id))
    }

    /// Whether no later line has the same uuid.
    pub fn is_current(&self, id: NodeId) -> bool {
        self.by_uuid.get(&self.nodes[id.0].uuid) == Some(&id)
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.0]
    }

    /// The node of a uuid.
    pub fn find(&self, uuid: &str) -> Option<NodeId> {
        self.by_uuid.get(&Str::from(uuid)).copied()
    }

    /// The node a node follows, if it is there.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.find(self.nodes[id.0].parent.as_deref()?)
    }
}

fn node<'a>(line: u64, offset: u64, bytes: &'a [u8], record: Record<'a>) -> Option<Node<'a>> {
    if !record.kind.is_chain_member() || !bytes.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let envelope = record.envelope;
    let subtype = match &record.body {
        Body::System(system) => system.subtype.clone(),
        Body::Attachment(attachment) => attachment.kind.clone(),
        _ => None,
    };
    let mut node = Node {
        line,
        offset,
        bytes,
        kind: record.kind,
        subtype,
        uuid: Str::from(envelope.uuid?),
        written_parent: envelope.parent_uuid.clone().map(Str::from),
        parent: envelope.parent_uuid.map(Str::from),
        logical_parent: envelope.logical_parent_uuid.map(Str::from),
        timestamp: envelope.timestamp,
        is_sidechain: envelope.is_sidechain,
        agent_id: envelope.agent_id.map(Str::from),
        is_team: envelope.team_name.is_some(),
        is_meta: envelope.is_meta,
        origin: None,
        is_compact_summary: false,
        message_id: None,
        calls: Vec::new(),
        answers: Vec::new(),
        answered_line: None,
        source_uuid: None,
        preserved: None,
    };
    match record.body {
        Body::User(user) => {
            node.origin = user.origin_kind;
            node.is_compact_summary = user.is_compact_summary;
            node.answered_line = user.source_tool_assistant_uuid.map(Str::from);
            if let Some(message) = user.message {
                node.note_blocks(message.blocks());
            }
        }
        Body::Assistant(assistant) => {
            if let Some(message) = assistant.message {
                node.note_blocks(message.blocks());
                node.message_id = message.id.map(Str::from);
            }
        }
        Body::Attachment(attachment) => node.source_uuid = attachment.source_uuid.map(Str::from),
        Body::System(system) => {
            node.preserved = system.compact_metadata.and_then(preserved);
        }
        _ => {}
    }
    Some(node)
}

impl<'a> Node<'a> {
    fn note_blocks(&mut self, blocks: &[Block<'a>]) {
        for block in blocks {
            match block {
                Block::ToolUse(call) => self.calls.extend(call.id.clone().map(Str::from)),
                Block::ToolResult(result) => {
                    self.answers.extend(result.tool_use_id.clone().map(Str::from));
                }
                _ => {}
            }
        }
    }
}

fn preserved(metadata: transcript::CompactMetadata<'_>) -> Option<Preserved<'_>> {
    let messages = metadata.preserved_messages.and_then(|kept| {
        let list = kept.uuids?;
        let uuids = json::elements(list.as_str()).filter_map(json::decode_string);
        let uuids = uuids.map(|decoded| Str::from(decoded.text.into_owned())).collect();
        Some((Str::from(kept.anchor_uuid?), uuids))
    });
    let segment = metadata.preserved_segment.and_then(|kept| {
        let (head, anchor, tail) = (kept.head_uuid?, kept.anchor_uuid?, kept.tail_uuid?);
        Some((Str::from(head), Str::from(anchor), Str::from(tail)))
    });
    (messages.is_some() || segment.is_some()).then_some(Preserved { messages, segment })
}
