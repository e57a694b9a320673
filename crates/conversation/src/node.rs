//! A line of the conversation, with what the rules look at.
//!
//! The official reader is JavaScript and asks whether a value counts as true,
//! not whether it is `true`. Lines with values of another type than Claude Code
//! writes are looked at again for that; all others are taken as parsed.

use transcript::{Block, Body, Content, Entry, Message, Reason, Record, RecordKind, Str, json};

/// Kinds of senders whose lines are shown although the app wrote them.
const SENDERS: [&str; 6] =
    ["channel", "observer", "observer-activity", "slack-ping", "voice-call", "peer"];

/// How the line begins that says that a person stopped the model.
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
    /// What it is.
    pub kind: RecordKind,
    /// The subtype of a `system` line, or the kind of an attachment.
    pub subtype: Option<Str<'a>>,
    /// Its uuid.
    pub uuid: Str<'a>,
    /// The line it follows; relinking changes it.
    pub parent: Option<Str<'a>>,
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
    /// Whether it says that it follows something, be that a uuid or not.
    pub(crate) has_parent: bool,
    /// Whether it holds the result of a tool, be its call named or not.
    pub(crate) is_result: bool,
    /// Whether it says that a person stopped the model.
    pub(crate) is_interruption: bool,
    /// Whether a queued command holds something that can be said.
    pub(crate) is_sayable: bool,
    /// Whether a queued command is the app's, not a person's.
    pub(crate) is_meta_command: bool,
    /// What a compaction kept whole.
    pub(crate) preserved: Option<Preserved<'a>>,
}

/// What a compaction kept whole. A line that is named by no text is not there.
#[derive(Clone, Debug)]
pub(crate) enum Preserved<'a> {
    /// One by one, below a line; none unless all are named by texts.
    Messages { anchor: Option<Str<'a>>, uuids: Vec<Str<'a>> },
    /// The first line, the line they hang below, the last line.
    Segment { head: Option<Str<'a>>, anchor: Option<Str<'a>>, tail: Option<Str<'a>> },
}

impl<'a> Node<'a> {
    /// The node of an entry; `None` if it is no part of a conversation.
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
            is_result: false,
            is_interruption: false,
            is_sayable: false,
            is_meta_command: false,
            preserved: None,
        };
        node.take_body(body, raw);
        if wrong_types {
            node.note_truth(&String::from_utf8_lossy(raw));
        }
        Some(node)
    }

    fn take_body(&mut self, body: Body<'a>, raw: &[u8]) {
        match body {
            Body::User(user) => {
                self.origin = user.origin_kind;
                self.is_compact_summary = user.is_compact_summary;
                self.answered_line = user.source_tool_assistant_uuid.map(Str::from);
                if let Some(message) = user.message {
                    self.is_interruption = is_interruption(&message);
                    self.note_blocks(message.blocks());
                }
            }
            Body::Assistant(assistant) => {
                if self.is_meta {
                    self.origin = origin(&String::from_utf8_lossy(raw)).map(Str::from);
                }
                if let Some(message) = assistant.message {
                    self.note_blocks(message.blocks());
                    self.message_id = message.id.map(Str::from).filter(|id| !id.is_empty());
                }
            }
            Body::Attachment(attachment) => {
                self.subtype = attachment.kind;
                if self.is_queued_command() {
                    let prompt = &attachment.prompt;
                    self.is_sayable = matches!(prompt, Some(Content::Text(_) | Content::Blocks(_)));
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

    fn note_blocks(&mut self, blocks: &[Block<'a>]) {
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

    /// Takes what is not `true` but counts as true for true.
    fn note_truth(&mut self, text: &str) {
        let holds = |key| json::member(text, key).is_some_and(is_truthy);
        self.is_sidechain = holds("isSidechain");
        self.is_meta = holds("isMeta");
        self.is_team = holds("teamName");
        self.is_compact_summary = holds("isCompactSummary");
        self.has_parent = holds("parentUuid");
        if self.kind == RecordKind::Assistant && self.is_meta {
            self.origin = origin(text).map(Str::from);
        }
    }

    /// Whether it is a compaction's boundary.
    pub fn is_boundary(&self) -> bool {
        self.kind == RecordKind::System && self.subtype.as_deref() == Some("compact_boundary")
    }

    /// Whether it is something somebody said: a user's or the model's line.
    pub fn is_message(&self) -> bool {
        matches!(self.kind, RecordKind::User | RecordKind::Assistant)
    }

    /// Whether it is what a person typed while the model worked.
    pub(crate) fn is_queued_command(&self) -> bool {
        self.kind == RecordKind::Attachment && self.subtype.as_deref() == Some("queued_command")
    }

    /// Whether a message of it is kept from the person who reads.
    pub(crate) fn is_hidden(&self) -> bool {
        let by_sender = self.origin.as_deref().is_some_and(|kind| SENDERS.contains(&kind));
        (self.is_meta && !by_sender) || !self.is_main()
    }

    /// Whether it belongs to no sub-agent and no team.
    pub(crate) fn is_main(&self) -> bool {
        !self.is_sidechain && !self.is_team
    }

    /// Which side it is on, by the letter; `None` if that equals no other.
    pub(crate) fn side(&self) -> Option<Side> {
        let text = String::from_utf8_lossy(self.bytes);
        let value = |key| match json::member(&text, key) {
            // Objects and lists equal nothing but themselves.
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

/// Whether JavaScript takes a JSON value for true.
pub(crate) fn is_truthy(json: &str) -> bool {
    match json.trim() {
        "" | "null" | "false" | "\"\"" => false,
        value => value.parse() != Ok(0.0),
    }
}

/// The kind of sender that the object in `text` names.
fn origin(text: &str) -> Option<String> {
    let kind = json::member(json::member(text, "origin")?, "kind")?;
    json::decode_string(kind).map(|decoded| decoded.text.into_owned())
}

/// Whether the whole message is a note that a person stopped the model.
fn is_interruption(message: &Message<'_>) -> bool {
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

/// Whether the attachment of a line was queued by the app on its own.
fn is_meta_command(text: &str) -> bool {
    let attachment = json::member(text, "attachment").unwrap_or_default();
    let by_sender = || origin(attachment).is_some_and(|kind| SENDERS.contains(&&*kind));
    json::member(attachment, "isMeta").is_some_and(is_truthy) && !by_sender()
}

fn preserved(metadata: transcript::CompactMetadata<'_>) -> Option<Preserved<'_>> {
    // Messages named one by one shut out a segment, even if they name nothing.
    if let Some(kept) = metadata.preserved_messages {
        let list = kept.uuids.as_ref().map(transcript::Json::as_str).unwrap_or_default();
        let uuids: Option<Vec<Str<'_>>> = json::elements(list)
            .map(|uuid| Some(Str::from(json::decode_string(uuid)?.text.into_owned())))
            .collect();
        let anchor = kept.anchor_uuid.map(Str::from);
        return Some(Preserved::Messages { anchor, uuids: uuids.unwrap_or_default() });
    }
    metadata.preserved_segment.map(|kept| Preserved::Segment {
        head: kept.head_uuid.map(Str::from),
        anchor: kept.anchor_uuid.map(Str::from),
        tail: kept.tail_uuid.map(Str::from),
    })
}
