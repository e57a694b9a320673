//! The API message inside a record: role, content, usage.
//!
//! The blocks of its content are in `content.rs`.

use crate::content::{Block, Content, ToolResult, ToolUse};
use crate::fields::fields;
use crate::ids::{MessageId, ToolUseId};
use crate::value::{Count, Json, Number, Str};
use std::borrow::Cow;

fields! {
    /// The API message of a `user` or `assistant` record.
    ///
    /// ```
    /// let line = concat!(
    ///     r#"{"type":"assistant","message":{"id":"msg_1","usage":{"output_tokens":12},"#,
    ///     r#""content":[{"type":"text","text":"Done."},{"type":"tool_use","name":"Bash"}]}}"#,
    /// );
    /// let record = transcript::entries(line.as_bytes()).next().unwrap().record;
    /// let message = record.message().unwrap();
    /// assert_eq!(message.text(), "Done.");
    /// assert_eq!(message.tool_uses().count(), 1);
    /// assert_eq!(message.usage.as_ref().unwrap().output_tokens.unwrap().0, 12);
    /// ```
    pub struct Message<'a> {
        /// `user` or `assistant`.
        role: Str<'a> = "role",
        /// The text or the blocks.
        content: Content<'a> = "content",
        /// The model; `<synthetic>` for text written by Claude Code itself.
        model: Str<'a> = "model",
        /// The API response that this record is a part of.
        id: MessageId<'a> = "id",
        /// Always `message`, if present.
        kind: Str<'a> = "type",
        /// Tokens of the whole response so far, repeated in each of its records.
        usage: Box<Usage<'a>> = "usage",
        /// Why the model stopped; absent while the response streams.
        stop_reason: Str<'a> = "stop_reason",
        /// The stop sequence that ended the response, if one did.
        stop_sequence: Json<'a> = "stop_sequence",
        /// Details of the stop reason.
        stop_details: Json<'a> = "stop_details",
        /// Diagnostics of the API.
        diagnostics: Json<'a> = "diagnostics",
        /// Changes that the API made to the context.
        context_management: Json<'a> = "context_management",
        /// The code execution container.
        container: Json<'a> = "container",
        /// Simplified transcripts: seconds since the epoch.
        timestamp: Number = "timestamp",
        /// Simplified transcripts: the call, if the whole message is a tool result.
        tool_use_id: ToolUseId<'a> = "tool_use_id",
        /// Simplified transcripts: whether that result is an error.
        is_error: bool = "is_error",
    }
}

fields! {
    /// Tokens of one API response.
    pub struct Usage<'a> {
        /// Input tokens that were neither read from nor written to the cache.
        input_tokens: Count = "input_tokens",
        /// Tokens written to the cache, for any lifetime.
        cache_creation_input_tokens: Count = "cache_creation_input_tokens",
        /// Tokens read from the cache.
        cache_read_input_tokens: Count = "cache_read_input_tokens",
        /// Output tokens so far.
        output_tokens: Count = "output_tokens",
        /// Cache writes by lifetime.
        cache_creation: CacheCreation = "cache_creation",
        /// `standard`, `batch`, `priority`.
        service_tier: Str<'a> = "service_tier",
        /// Where the model ran.
        inference_geo: Str<'a> = "inference_geo",
        /// Calls of server tools.
        server_tool_use: ServerToolUse = "server_tool_use",
        /// The model calls behind this response, if there were several.
        iterations: Json<'a> = "iterations",
        /// `standard` or `fast`.
        speed: Str<'a> = "speed",
        /// Output tokens by kind.
        output_tokens_details: Json<'a> = "output_tokens_details",
        /// The size of the model's context window. Claude Code does not write it; the
        /// transcripts that annals makes of other apps' sessions have it where the app does.
        context_window: Count = "context_window",
    }
}

fields! {
    /// Cache writes by lifetime.
    pub struct CacheCreation {
        /// Tokens written for five minutes.
        ephemeral_5m_input_tokens: Count = "ephemeral_5m_input_tokens",
        /// Tokens written for an hour.
        ephemeral_1h_input_tokens: Count = "ephemeral_1h_input_tokens",
    }
}

fields! {
    /// Calls of server tools, billed per request.
    pub struct ServerToolUse {
        /// Web searches.
        web_search_requests: Count = "web_search_requests",
        /// Web pages fetched.
        web_fetch_requests: Count = "web_fetch_requests",
    }
}

impl<'a> Message<'a> {
    /// The blocks; empty if the content is not a list.
    pub fn blocks(&self) -> &[Block<'a>] {
        self.content.as_ref().map_or(&[], Content::blocks)
    }

    /// The text: the plain text, or the text blocks joined by newlines.
    pub fn text(&self) -> Cow<'_, str> {
        self.content.as_ref().map_or(Cow::Borrowed(""), Content::text)
    }

    /// The results of tools in this message, without those of server tools.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult<'a>> {
        self.blocks().iter().filter_map(|block| match block {
            Block::ToolResult(result) => Some(result),
            _ => None,
        })
    }

    /// The tool calls in this message, including those of server tools.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse<'a>> {
        self.blocks().iter().filter_map(|block| match block {
            Block::ToolUse(call) | Block::ServerToolUse(call) => Some(call),
            _ => None,
        })
    }
}
