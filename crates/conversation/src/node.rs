//! A line of the conversation, with the fields that the rules need.
//!
//! The official reader is JavaScript and asks whether a value is truthy, not
//! whether it is `true`. Lines with values of other types than Claude Code writes
//! are checked again for that; all others are used as parsed.

use transcript::{Block, Body, Content, Entry, Message, Reason, Record, RecordKind, Str, json};

/// The kinds of senders whose lines are shown although the app wrote them.
const SENDERS: [&str; 6] =
    ["channel", "observer", "observer-activity", "slack-ping", "voice-call", "peer"];

/// How the line begins that records that a person stopped the model.
const INTERRUPTIONS: [&str; 2] =
    ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];

/// A line of the conversation.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// The line's number, from 1.
    pub line: u64,
    /// Where its bytes start.
    pub offset: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The kind of record.
    pub kind: RecordKind,
    /// The subtype of a `system` line, or the kind of an attachment.
    pub subtype: Option<Str<'a>>,
    /// Its uuid.
    pub uuid: Str<'a>,
    /// The uuid of its parent; relinking changes it.
    pub parent: Option<Str<'a>>,
    /// The uuid of its parent across a compaction.
    pub logical_parent: Option<Str<'a>>,
    /// When it was written, as written.
    pub timestamp: Option<Str<'a>>,
    /// Whether it belongs to a sub-agent.
    pub is_sidechain: bool,
    /// The sub-agent it belongs to.
    pub agent_id: Option<Str<'a>>,
    /// Whether it belongs to a team of agents.
    pub is_team: bool,
    /// Whether the app wrote it as a user line.
    pub is_meta: bool,
    /// The kind of its sender.
    pub origin: Option<Str<'a>>,
    /// Whether it is the summary of a compacted part.
    pub is_compact_summary: bool,
    /// The API response it is a part of.
    pub message_id: Option<Str<'a>>,
    /// The ids of the tool calls in it.
    pub calls: Vec<Str<'a>>,
    /// The ids of the tool calls it answers.
    pub answers: Vec<Str<'a>>,
    /// The uuid of the line with the call it answers, if recorded.
    pub answered_line: Option<Str<'a>>,
    /// The uuid a queued command would have had as a message.
    pub source_uuid: Option<Str<'a>>,
    /// Whether it is a line of an agent that a `progress` record repeats.
    pub(crate) is_repeated: bool,
    /// Whether it names a parent, even if that is not a uuid.
    pub(crate) has_parent: bool,
    /// Whether it holds a tool result, even one that names no call.
    pub(crate) is_result: bool,
    /// Whether it records that a person stopped the model.
    pub(crate) is_interruption: bool,
    /// Whether a queued command has a prompt.
    pub(crate) has_prompt: bool,
    /// Whether the app queued the command, not a person.
    pub(crate) is_meta_command: bool,
    /// The lines that a compaction preserved.
    pub(crate) preserved: Option<Preserved<'a>>,
}

/// The lines that a compaction preserved. A line not named by a string is missing.
#[derive(Clone, Debug)]
pub(crate) enum Preserved<'a> {
    /// A list of lines to put below an anchor; empty unless all are strings.
    Messages { anchor: Option<Str<'a>>, uuids: Vec<Str<'a>> },
    /// The first line, the line to put them below, and the last line.
    Segment { head: Option<Str<'a>>, anchor: Option<Str<'a>>, tail: Option<Str<'a>> },
}

impl<'a> Node<'a> {
    /// The node of an entry; `None` if it does not belong to a conversation.
    pub(crate) fn new(entry: Entry<'a>) -> Option<Self> {
        let wrong_types = entry.problems.iter().any(|problem| {
            matches!(problem.reason, Reason::WrongType { .. } | Reason::DuplicateKey { .. })
        });
        let Entry { line, offset, bytes, record, .. } = entry;
        if !record.kind.is_chain_member() {
            return None;
        }
        let raw = record.raw;
        let Record { kind, envelope, body, .. } = record;
        let parent = envelope.parent_uuid.map(Str::from);
        let mut node = Node {
            line,
            offset,
            bytes,
            kind,
            subtype: None,
            uuid: Str::from(envelope.uuid?),
            has_parent: parent.is_some(),
            parent,
            logical_parent: envelope.logical_parent_uuid.map(Str::from),
            timestamp: envelope.timestamp,
            is_sidechain: envelope.is_sidechain,
            agent_id: envelope.agent_id.map(Str::from),
            is_team: envelope.team_name.is_some_and(|name| !name.is_empty()),
            is_meta: envelope.is_meta,
            origin: None,
            is_compact_summary: false,
            message_id: None,
            calls: Vec::new(),
            answers: Vec::new(),
            answered_line: None,
            source_uuid: None,
            is_repeated: false,
            is_result: false,
            is_interruption: false,
            has_prompt: false,
            is_meta_command: false,
            preserved: None,
        };
        node.read_body(body, raw);
        if wrong_types {
            node.read_truthy_flags(&String::from_utf8_lossy(raw));
        }
        Some(node)
    }

    /// The node of a line of an agent that a `progress` record repeats.
    pub(crate) fn of_repeated(entry: Entry<'a>) -> Option<Self> {
        Some(Node { is_repeated: true, ..Node::new(entry)? })
    }

    /// The node of a line that cannot be parsed.
    pub(crate) fn damaged(line: u64, offset: u64, bytes: &'a [u8]) -> Self {
        Node {
            line,
            offset,
            bytes,
            kind: RecordKind::Damaged,
            subtype: None,
            uuid: Str::default(),
            parent: None,
            logical_parent: None,
            timestamp: None,
            is_sidechain: false,
            agent_id: None,
            is_team: false,
            is_meta: false,
            origin: None,
            is_compact_summary: false,
            message_id: None,
            calls: Vec::new(),
            answers: Vec::new(),
            answered_line: None,
            source_uuid: None,
            has_parent: false,
            is_result: false,
            is_interruption: false,
            has_prompt: false,
            is_meta_command: false,
            preserved: None,
            is_repeated: false,
        }
    }

    /// Whether it is a damaged line.
    pub fn is_damaged(&self) -> bool {
        self.kind == RecordKind::Damaged
    }

    fn read_body(&mut self, body: Body<'a>, raw: &[u8]) {
        match body {
            Body::User(user) => {
                let is_verbatim = user.is_verbatim();
                self.origin = user.origin_kind;
                self.is_compact_summary = user.is_compact_summary;
                self.answered_line = user.source_tool_assistant_uuid.map(Str::from);
                if let Some(message) = user.message {
                    self.is_interruption = !is_verbatim && is_interruption(&message);
                    self.add_blocks(message.blocks());
                }
            }
            Body::Assistant(assistant) => {
                if self.is_meta {
                    self.origin = origin(&String::from_utf8_lossy(raw)).map(Str::from);
                }
                if let Some(message) = assistant.message {
                    self.add_blocks(message.blocks());
                    self.message_id = message.id.map(Str::from).filter(|id| !id.is_empty());
                }
            }
            Body::Attachment(attachment) => {
                self.subtype = attachment.kind;
                if self.is_queued_command() {
                    let prompt = &attachment.prompt;
                    self.has_prompt = matches!(prompt, Some(Content::Text(_) | Content::Blocks(_)));
                    self.is_meta_command = is_meta_command(&String::from_utf8_lossy(raw));
                }
                let source = attachment.source_uuid.map(Str::from);
                self.source_uuid = source.filter(|uuid| !uuid.is_empty());
            }
            Body::System(system) => {
                self.subtype = system.subtype;
                self.preserved = system.compact_metadata.and_then(preserved);
            }
            _ => {}
        }
    }

    fn add_blocks(&mut self, blocks: &[Block<'a>]) {
        for block in blocks {
            match block {
                Block::ToolUse(call) => self.calls.extend(call.id.clone().map(Str::from)),
                Block::ToolResult(result) => {
                    self.is_result = true;
                    self.answers.extend(result.tool_use_id.clone().map(Str::from));
                }
                _ => {}
            }
        }
    }

    /// Reads the flags again by the rules of JavaScript: any truthy value counts.
    fn read_truthy_flags(&mut self, text: &str) {
        let is_set = |key| json::member(text, key).is_some_and(is_truthy);
        self.is_sidechain = is_set("isSidechain");
        self.is_meta = is_set("isMeta");
        self.is_team = is_set("teamName");
        self.is_compact_summary = is_set("isCompactSummary");
        self.has_parent = is_set("parentUuid");
        if self.kind == RecordKind::Assistant && self.is_meta {
            self.origin = origin(text).map(Str::from);
        }
    }

    /// Whether it is a compaction boundary.
    pub fn is_boundary(&self) -> bool {
        self.kind == RecordKind::System && self.subtype.as_deref() == Some("compact_boundary")
    }

    /// Whether it is a message: a user's or the model's line.
    pub fn is_message(&self) -> bool {
        matches!(self.kind, RecordKind::User | RecordKind::Assistant)
    }

    /// Whether it is a command queued while the model was working.
    pub(crate) fn is_queued_command(&self) -> bool {
        self.kind == RecordKind::Attachment && self.subtype.as_deref() == Some("queued_command")
    }

    /// Whether it is not shown to a person.
    pub(crate) fn is_hidden(&self) -> bool {
        let by_sender = self.origin.as_deref().is_some_and(|kind| SENDERS.contains(&kind));
        (self.is_meta && !by_sender) || !self.is_main()
    }

    /// Whether it belongs to neither a sub-agent nor a team.
    pub(crate) fn is_main(&self) -> bool {
        !self.is_sidechain && !self.is_team
    }

    /// Its side, as written; `None` if that equals no other value.
    pub(crate) fn side(&self) -> Option<Side> {
        if self.is_repeated {
            let agent = self.agent_id.as_deref().map(|agent| format!("\"{agent}"));
            return Some(Side { sidechain: "true".to_owned(), agent });
        }
        let text = String::from_utf8_lossy(self.bytes);
        let value = |key| match json::member(&text, key) {
            // In JavaScript, objects and lists only equal themselves.
            Some(json) if json.starts_with(['{', '[']) => None,
            Some(json) => match (json::decode_string(json), json.parse::<f64>()) {
                (Some(decoded), _) => Some(Some(format!("\"{}", decoded.text))),
                (None, Ok(number)) => Some(Some(number.to_string())),
                (None, Err(_)) => Some(Some(json.to_owned())),
            },
            None => Some(None),
        };
        let sidechain = value("isSidechain")?.filter(|json| json != "null");
        let sidechain = sidechain.unwrap_or_else(|| "false".to_owned());
        Some(Side { sidechain, agent: value("agentId")? })
    }

    /// When it was written, in milliseconds since the epoch.
    pub fn milliseconds(&self) -> Option<i64> {
        let time = transcript::parse_timestamp(self.timestamp.as_deref()?)?;
        Some(time.as_millisecond())
    }
}

/// The side a line is on, as the official reader compares it: `isSidechain`
/// and `agentId` as written, texts decoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Side {
    sidechain: String,
    agent: Option<String>,
}

/// Whether a JSON value is truthy in JavaScript.
pub(crate) fn is_truthy(json: &str) -> bool {
    match json.trim() {
        "" | "null" | "false" | "\"\"" => false,
        value => value.parse() != Ok(0.0),
    }
}

/// The kind of sender named by the object in `text`.
fn origin(text: &str) -> Option<String> {
    let kind = json::member(json::member(text, "origin")?, "kind")?;
    json::decode_string(kind).map(|decoded| decoded.text.into_owned())
}

/// Whether the whole message records that a person stopped the model.
pub(crate) fn is_interruption(message: &Message<'_>) -> bool {
    let text = match &message.content {
        Some(Content::Text(text)) => text,
        Some(Content::Blocks(blocks)) => match &blocks[..] {
            [Block::Text(text)] => text,
            _ => return false,
        },
        _ => return false,
    };
    INTERRUPTIONS.iter().any(|beginning| text.starts_with(beginning))
}

/// Whether the app itself queued the attachment of a line.
pub(crate) fn is_meta_command(text: &str) -> bool {
    let attachment = json::member(text, "attachment").unwrap_or_default();
    let by_sender = || origin(attachment).is_some_and(|kind| SENDERS.contains(&&*kind));
    json::member(attachment, "isMeta").is_some_and(is_truthy) && !by_sender()
}

fn preserved(metadata: transcript::CompactMetadata<'_>) -> Option<Preserved<'_>> {
    // A list of messages overrides a segment, even if the list is empty.
    if let Some(messages) = metadata.preserved_messages {
        let list = messages.uuids.as_ref().map(transcript::Json::as_str).unwrap_or_default();
        let uuids: Option<Vec<Str<'_>>> = json::elements(list)
            .map(|uuid| Some(Str::from(json::decode_string(uuid)?.text.into_owned())))
            .collect();
        let anchor = messages.anchor_uuid.map(Str::from);
        return Some(Preserved::Messages { anchor, uuids: uuids.unwrap_or_default() });
    }
    metadata.preserved_segment.map(|segment| Preserved::Segment {
        head: segment.head_uuid.map(Str::from),
        anchor: segment.anchor_uuid.map(Str::from),
        tail: segment.tail_uuid.map(Str::from),
    })
}
