//! The content of a message: text, or a list of blocks.
//!
//! Content is a string or a list of blocks, in a message and again in a tool
//! result. The JSON type of the value decides which, while it is read;
//! `serde(untagged)` would buffer the value and cannot hold raw JSON.

use crate::fields::fields;
use crate::ids::ToolUseId;
use crate::json;
use crate::problem::Reason;
use crate::value::{FieldContext, Json, LenientRead, Str};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

fields! {
    /// The data of an image or document, or where it is.
    pub struct Source<'a> {
        /// `base64`, `url`, `file`, `text`.
        kind: Str<'a> = "type",
        /// Its media type.
        media_type: Str<'a> = "media_type",
        /// Its bytes in base64, or its text.
        data: Str<'a> = "data",
        /// Its URL.
        url: Str<'a> = "url",
        /// Its id in the Files API.
        file_id: Str<'a> = "file_id",
    }
}

fields! {
    /// The known keys of all block types.
    pub(crate) struct BlockFields<'a> {
        /// The block type.
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
///
/// These are all the forms it can have: a number, `true`, `false` or `null` in
/// its place is a [`Reason::WrongType`], so matching may be exhaustive.
#[derive(Clone, Debug)]
pub enum Content<'a> {
    /// Plain text.
    Text(Str<'a>),
    /// A list of blocks.
    Blocks(Vec<Block<'a>>),
    /// An object, the result of some server tools: its members in order.
    Members(Vec<(Str<'a>, Json<'a>)>),
}

/// A tool call.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToolUse<'a> {
    /// The id of the call; its result has the same id.
    pub id: Option<ToolUseId<'a>>,
    /// The name of the tool.
    pub name: Option<Str<'a>>,
    /// The arguments, an object whose keys depend on the tool.
    pub input: Option<Json<'a>>,
    /// The caller, if it is not the model itself.
    pub caller: Option<Json<'a>>,
}

/// The result of a tool call.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToolResult<'a> {
    /// The id of the call.
    pub tool_use_id: Option<ToolUseId<'a>>,
    /// The content of the result.
    pub content: Option<Content<'a>>,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl<'a> ToolUse<'a> {
    /// A call with these parts, made by the model itself.
    pub fn new(id: Option<ToolUseId<'a>>, name: Option<Str<'a>>, input: Option<Json<'a>>) -> Self {
        ToolUse { id, name, input, caller: None }
    }
}

impl<'a> ToolResult<'a> {
    /// A result with these parts.
    pub fn new(
        tool_use_id: Option<ToolUseId<'a>>,
        content: Option<Content<'a>>,
        is_error: bool,
    ) -> Self {
        ToolResult { tool_use_id, content, is_error }
    }
}

/// One block of content.
///
/// ```
/// use transcript::{Block, entries};
///
/// let line = concat!(
///     r#"{"type":"assistant","message":{"content":[{"type":"text","text":"Listing:"},"#,
///     r#"{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}"#,
/// );
/// let record = entries(line.as_bytes()).next().unwrap().record;
/// for block in record.message().unwrap().blocks() {
///     match block {
///         Block::Text(text) => assert_eq!(&**text, "Listing:"),
///         Block::ToolUse(call) => {
///             let input = call.input.as_ref().unwrap();
///             assert_eq!(input.member_string("command").as_deref(), Some("ls"));
///         }
///         // The list of block types is open.
///         _ => {}
///     }
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Block<'a> {
    /// Text.
    Text(Str<'a>),
    /// Thinking of the model; often empty, with only the signature.
    #[non_exhaustive]
    Thinking {
        /// The text.
        thinking: Str<'a>,
        /// The signature of the API.
        signature: Option<Str<'a>>,
    },
    /// Thinking that the API encrypted.
    #[non_exhaustive]
    RedactedThinking {
        /// The encrypted data.
        data: Option<Str<'a>>,
    },
    /// A call of a tool that Claude Code runs.
    ToolUse(ToolUse<'a>),
    /// A call of a server tool, which the API runs.
    ServerToolUse(ToolUse<'a>),
    /// The result of a tool that Claude Code ran.
    ToolResult(ToolResult<'a>),
    /// The result of a server tool (`web_search_tool_result`, …).
    #[non_exhaustive]
    ServerToolResult {
        /// The block type.
        kind: Str<'a>,
        /// The result.
        result: ToolResult<'a>,
    },
    /// An image.
    Image(Source<'a>),
    /// A document.
    #[non_exhaustive]
    Document {
        /// The title.
        title: Option<Str<'a>>,
        /// The content.
        source: Source<'a>,
    },
    /// A tool named in a result of the tool search.
    #[non_exhaustive]
    ToolReference {
        /// The name of the tool.
        name: Option<Str<'a>>,
    },
    /// A block type that this crate does not know; its JSON is in
    /// [`Record::raw_blocks`](crate::Record::raw_blocks).
    #[non_exhaustive]
    Unknown {
        /// The block type, if it has one.
        kind: Option<Str<'a>>,
    },
}

/// The end of the block types of server tool results; each server tool has its
/// own type.
const SERVER_RESULT: &str = "_tool_result";

impl Block<'_> {
    /// The block type as written, if it has one.
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

impl<'a> LenientRead<'a> for Block<'a> {
    const EXPECTED: &'static str = "an object";

    fn read(raw: &str, context: &mut FieldContext<'_>) -> Option<Self> {
        BlockFields::read(raw, context).map(Block::from)
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

impl<'a> LenientRead<'a> for Content<'a> {
    const EXPECTED: &'static str = "a string or a list of blocks";

    fn read(raw: &str, context: &mut FieldContext<'_>) -> Option<Self> {
        match raw.as_bytes().first() {
            Some(b'"') => Str::read(raw, context).map(Content::Text),
            Some(b'[') => {
                let mut blocks = Vec::new();
                for (number, raw) in json::elements(raw).enumerate() {
                    // An unreadable block keeps its position, so that block numbers
                    // match those of the raw list.
                    let block =
                        context.enter(&number.to_string(), |context| Block::read(raw, context));
                    blocks.push(block.unwrap_or(Block::Unknown { kind: None }));
                }
                Some(Content::Blocks(blocks))
            }
            Some(b'{') => {
                let pairs = json::pairs(raw).unwrap_or_else(|error| {
                    context.note(Reason::NotJson(error.to_string()));
                    Vec::new()
                });
                let members = pairs.into_iter().filter_map(|(key, raw)| {
                    Some((key.into_owned().into(), Json::read(raw, context)?))
                });
                Some(Content::Members(members.collect()))
            }
            _ => {
                context.wrong_type(Self::EXPECTED, raw);
                None
            }
        }
    }
}

impl<'a> Content<'a> {
    /// The blocks; empty if the content is not a list.
    pub fn blocks(&self) -> &[Block<'a>] {
        match self {
            Content::Blocks(blocks) => blocks,
            Content::Text(_) | Content::Members(_) => &[],
        }
    }

    /// The text: the plain text, or the text blocks joined by newlines.
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
