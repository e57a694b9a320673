//! What stands in `message`: role, content blocks, usage.
//!
//! Content is a string or a list of blocks, at the top and again inside a tool
//! result. Which it is, is decided by the value's own type while it is read;
//! `serde(untagged)` would buffer it and cannot hold raw values.

use crate::fields::fields;
use crate::ids::{MessageId, ToolUseId};
use crate::json;
use crate::problem::Reason;
use crate::value::{Count, Json, Lenient, Number, Place, Str};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

fields! {
    /// The API message of a `user` or `assistant` line.
    pub struct Message<'a> {
        /// `user` or `assistant`.
        role: Str<'a> = "role",
        /// The text or the blocks.
        content: Content<'a> = "content",
        /// The model that answered; `<synthetic>` for the app's own words.
        model: Str<'a> = "model",
        /// The API response this line is a part of.
        id: MessageId<'a> = "id",
        /// Always `message`, where there.
        kind: Str<'a> = "type",
        /// Tokens of the whole response so far, repeated on each of its lines.
        usage: Box<Usage<'a>> = "usage",
        /// Why the model stopped; absent while it streams.
        stop_reason: Str<'a> = "stop_reason",
        /// The stop sequence met, if that was why.
        stop_sequence: Json<'a> = "stop_sequence",
        /// More on why the model stopped.
        stop_details: Json<'a> = "stop_details",
        /// What the API said about the request.
        diagnostics: Json<'a> = "diagnostics",
        /// Edits the API made to the context.
        context_management: Json<'a> = "context_management",
        /// The code execution container.
        container: Json<'a> = "container",
        /// Simplified transcripts: seconds since the epoch.
        timestamp: Number = "timestamp",
        /// Simplified transcripts: a tool result that is the whole message.
        tool_use_id: ToolUseId<'a> = "tool_use_id",
        /// Simplified transcripts: whether that result is an error.
        is_error: bool = "is_error",
    }
}

fields! {
    /// Tokens of one API response.
    pub struct Usage<'a> {
        /// Prompt tokens not read from or written to the cache.
        input_tokens: Count = "input_tokens",
        /// Tokens written to the cache, of either lifetime.
        cache_creation_input_tokens: Count = "cache_creation_input_tokens",
        /// Tokens read from the cache.
        cache_read_input_tokens: Count = "cache_read_input_tokens",
        /// Tokens answered so far.
        output_tokens: Count = "output_tokens",
        /// Cache writes by lifetime.
        cache_creation: CacheCreation = "cache_creation",
        /// `standard`, `batch`, `priority`.
        service_tier: Str<'a> = "service_tier",
        /// Where the model ran.
        inference_geo: Str<'a> = "inference_geo",
        /// Tools that ran at the API's side.
        server_tool_use: ServerToolUse = "server_tool_use",
        /// The model calls behind this response, where there were several.
        iterations: Json<'a> = "iterations",
        /// `standard` or `fast`.
        speed: Str<'a> = "speed",
        /// Output tokens by kind.
        output_tokens_details: Json<'a> = "output_tokens_details",
    }
}

fields! {
    /// Cache writes by lifetime.
    pub struct CacheCreation {
        /// Written for five minutes.
        ephemeral_5m_input_tokens: Count = "ephemeral_5m_input_tokens",
        /// Written for an hour.
        ephemeral_1h_input_tokens: Count = "ephemeral_1h_input_tokens",
    }
}

fields! {
    /// Tools that ran at the API's side, billed per request.
    pub struct ServerToolUse {
        /// Web searches.
        web_search_requests: Count = "web_search_requests",
        /// Web pages fetched.
        web_fetch_requests: Count = "web_fetch_requests",
    }
}

fields! {
    /// Where an image or document comes from.
    pub struct Source<'a> {
        /// `base64`, `url`, `file`, `text`.
        kind: Str<'a> = "type",
        /// Its media type.
        media_type: Str<'a> = "media_type",
        /// Its bytes in base64, or its text.
        data: Str<'a> = "data",
        /// Its address.
        url: Str<'a> = "url",
        /// Its id at the API.
        file_id: Str<'a> = "file_id",
    }
}

fields! {
    /// Every key any block is known to have.
    pub(crate) struct BlockFields<'a> {
        /// Which block it is.
        kind: Str<'a> = "type",
        /// `text`.
        text: Str<'a> = "text",
        /// `tool_use`.
        id: ToolUseId<'a> = "id",
        /// `tool_use`.
        name: Str<'a> = "name",
        /// `tool_use`.
        input: Json<'a> = "input",
        /// `tool_result`.
        tool_use_id: ToolUseId<'a> = "tool_use_id",
        /// `tool_result`.
        content: Content<'a> = "content",
        /// `tool_result`.
        is_error: bool = "is_error",
        /// `thinking`.
        thinking: Str<'a> = "thinking",
        /// `thinking`.
        signature: Str<'a> = "signature",
        /// `tool_use`.
        caller: Json<'a> = "caller",
        /// `redacted_thinking`.
        data: Str<'a> = "data",
        /// `image`, `document`.
        source: Source<'a> = "source",
        /// `document`.
        title: Str<'a> = "title",
        /// `document`.
        context: Str<'a> = "context",
        /// `text`, `document`.
        citations: Json<'a> = "citations",
        /// `tool_reference`.
        tool_name: Str<'a> = "tool_name",
        /// Any block.
        cache_control: Json<'a> = "cache_control",
    }
}

/// The content of a message or of a tool result.
#[derive(Clone, Debug)]
pub enum Content<'a> {
    /// Plain text.
    Text(Str<'a>),
    /// A list of blocks.
    Blocks(Vec<Block<'a>>),
    /// An object, as some tools at the API's side answer; its members in order.
    Members(Vec<(Str<'a>, Json<'a>)>),
}

/// A call of a tool.
#[derive(Clone, Debug, Default)]
pub struct ToolUse<'a> {
    /// The call's id, which its result repeats.
    pub id: Option<ToolUseId<'a>>,
    /// The tool.
    pub name: Option<Str<'a>>,
    /// Its arguments, an object of the tool's own making.
    pub input: Option<Json<'a>>,
    /// Who called it, where that is not the model itself.
    pub caller: Option<Json<'a>>,
}

/// What a tool answered.
#[derive(Clone, Debug, Default)]
pub struct ToolResult<'a> {
    /// The call it answers.
    pub tool_use_id: Option<ToolUseId<'a>>,
    /// The answer.
    pub content: Option<Content<'a>>,
    /// Whether the tool failed.
    pub is_error: bool,
}

/// One block of content.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Block<'a> {
    /// What was said.
    Text(Str<'a>),
    /// What the model thought; often empty with only the signature left.
    Thinking {
        /// The thought.
        thinking: Str<'a>,
        /// The API's seal on it.
        signature: Option<Str<'a>>,
    },
    /// A thought the API keeps sealed.
    RedactedThinking {
        /// The sealed bytes.
        data: Option<Str<'a>>,
    },
    /// A call of a tool on this machine.
    ToolUse(ToolUse<'a>),
    /// A call of a tool at the API's side.
    ServerToolUse(ToolUse<'a>),
    /// What a tool on this machine answered.
    ToolResult(ToolResult<'a>),
    /// What a tool at the API's side answered (`web_search_tool_result`, …).
    ServerToolResult {
        /// The block's type.
        kind: Str<'a>,
        /// The answer.
        result: ToolResult<'a>,
    },
    /// A picture.
    Image(Source<'a>),
    /// A document.
    Document {
        /// Its name.
        title: Option<Str<'a>>,
        /// Its content.
        source: Source<'a>,
    },
    /// A tool named in an answer of the tool search.
    ToolReference {
        /// The tool.
        name: Option<Str<'a>>,
    },
    /// A block this version does not know; its bytes are in
    /// [`Record::raw_blocks`](crate::Record::raw_blocks).
    Unknown {
        /// Its type, if it has one.
        kind: Option<Str<'a>>,
    },
}

/// Blocks of the API's own tools: known by their name's ending, because each
/// such tool brings its own.
const SERVER_RESULT: &str = "_tool_result";

impl Block<'_> {
    /// The block's type as written, where it has one.
    pub fn kind(&self) -> Option<&str> {
        Some(match self {
            Block::Text(_) => "text",
            Block::Thinking { .. } => "thinking",
            Block::RedactedThinking { .. } => "redacted_thinking",
            Block::ToolUse(_) => "tool_use",
            Block::ServerToolUse(_) => "server_tool_use",
            Block::ToolResult(_) => "tool_result",
            Block::ServerToolResult { kind, .. } => kind,
            Block::Image(_) => "image",
            Block::Document { .. } => "document",
            Block::ToolReference { .. } => "tool_reference",
            Block::Unknown { kind } => return kind.as_deref(),
        })
    }
}

impl<'a> From<BlockFields<'a>> for Block<'a> {
    fn from(block: BlockFields<'a>) -> Self {
        let BlockFields { kind, id, name, input, caller, tool_use_id, content, is_error, .. } =
            block;
        let Some(kind) = kind else { return Block::Unknown { kind: None } };
        let call = |id, name, input, caller| ToolUse { id, name, input, caller };
        let result = |tool_use_id, content, is_error: Option<bool>| ToolResult {
            tool_use_id,
            content,
            is_error: is_error.unwrap_or_default(),
        };
        match &*kind {
            "text" => Block::Text(block.text.unwrap_or_default()),
            "thinking" => Block::Thinking {
                thinking: block.thinking.unwrap_or_default(),
                signature: block.signature,
            },
            "redacted_thinking" => Block::RedactedThinking { data: block.data },
            "tool_use" => Block::ToolUse(call(id, name, input, caller)),
            "server_tool_use" => Block::ServerToolUse(call(id, name, input, caller)),
            "tool_result" => Block::ToolResult(result(tool_use_id, content, is_error)),
            "image" => Block::Image(block.source.unwrap_or_default()),
            "document" => {
                Block::Document { title: block.title, source: block.source.unwrap_or_default() }
            }
            "tool_reference" => Block::ToolReference { name: block.tool_name },
            other if other.ends_with(SERVER_RESULT) => {
                Block::ServerToolResult { result: result(tool_use_id, content, is_error), kind }
            }
            _ => Block::Unknown { kind: Some(kind) },
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Block<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BlockFields::deserialize(deserializer).map(Block::from)
    }
}

impl<'a> Lenient<'a> for Block<'a> {
    const EXPECTED: &'static str = "an object";

    fn read(raw: &str, at: &mut Place<'_>) -> Option<Self> {
        BlockFields::read(raw, at).map(Block::from)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list of blocks")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Content<'de>, E> {
        Ok(Content::Text(text.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Content<'de>, E> {
        Ok(Content::Text(text.to_owned().into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Content<'de>, A::Error> {
        let mut blocks = Vec::new();
        while let Some(block) = list.next_element()? {
            blocks.push(block);
        }
        Ok(Content::Blocks(blocks))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Content::Members(members))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

impl<'a> Lenient<'a> for Content<'a> {
    const EXPECTED: &'static str = "a string or a list of blocks";

    fn read(raw: &str, at: &mut Place<'_>) -> Option<Self> {
        match raw.as_bytes().first() {
            Some(b'"') => Str::read(raw, at).map(Content::Text),
            Some(b'[') => {
                let mut blocks = Vec::new();
                for (number, raw) in json::elements(raw).enumerate() {
                    // A block that cannot be read still takes its place, so that
                    // block numbers agree with the raw list.
                    let block = at.within(&number.to_string(), |at| Block::read(raw, at));
                    blocks.push(block.unwrap_or(Block::Unknown { kind: None }));
                }
                Some(Content::Blocks(blocks))
            }
            Some(b'{') => {
                let pairs = json::pairs(raw).unwrap_or_else(|error| {
                    at.note(Reason::NotJson(error.to_string()));
                    Vec::new()
                });
                let members = pairs
                    .into_iter()
                    .filter_map(|(key, raw)| Some((key.into_owned().into(), Json::read(raw, at)?)));
                Some(Content::Members(members.collect()))
            }
            _ => {
                at.wrong_type(Self::EXPECTED, raw);
                None
            }
        }
    }
}

impl<'a> Content<'a> {
    /// The blocks, or an empty slice for plain text.
    pub fn blocks(&self) -> &[Block<'a>] {
        match self {
            Content::Blocks(blocks) => blocks,
            Content::Text(_) | Content::Members(_) => &[],
        }
    }

    /// What was said: the plain text, or the text blocks joined by newlines.
    pub fn text(&self) -> Cow<'_, str> {
        let blocks = match self {
            Content::Text(text) => return Cow::Borrowed(text),
            Content::Members(_) => return Cow::Borrowed(""),
            Content::Blocks(blocks) => blocks,
        };
        let mut texts = blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(&**text),
            _ => None,
        });
        let Some(first) = texts.next() else { return Cow::Borrowed("") };
        texts.fold(Cow::Borrowed(first), |joined, text| Cow::Owned(format!("{joined}\n{text}")))
    }
}

impl<'a> Message<'a> {
    /// The blocks; empty if the content is plain text.
    pub fn blocks(&self) -> &[Block<'a>] {
        self.content.as_ref().map_or(&[], Content::blocks)
    }

    /// What was said: the plain text, or the text blocks joined by newlines.
    pub fn text(&self) -> Cow<'_, str> {
        self.content.as_ref().map_or(Cow::Borrowed(""), Content::text)
    }

    /// The results of tools in this message.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult<'a>> {
        self.blocks().iter().filter_map(|block| match block {
            Block::ToolResult(result) => Some(result),
            _ => None,
        })
    }

    /// The calls of tools in this message, at either side.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse<'a>> {
        self.blocks().iter().filter_map(|block| match block {
            Block::ToolUse(call) | Block::ServerToolUse(call) => Some(call),
            _ => None,
        })
    }
}
