//! What the two sides of a conversation do: the person prompts and interrupts,
//! the model responds, calls tools and gets their results.

use serde_json::{Value, json};

use super::object::Object;
use super::tools::Tool;
use super::transcript::{Transcript, TypedPrompt, tokens};

/// A piece of a response before its tool calls.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    Think(&'static str),
    Say(&'static str),
}

/// A tool call that still waits for its result.
pub(super) struct Call {
    id: String,
    assistant: String,
}

impl Transcript {
    pub(super) fn prompt(&mut self, text: &str) -> String {
        self.add_typed_prompt(text);
        self.prompt_with(Value::from(text), &Object::new())
    }

    /// Adds a prompt to the history, unless an agent or a replaying fork sends it.
    pub(super) fn add_typed_prompt(&mut self, text: &str) {
        if !self.sidechain && self.forked_from.is_none() && !text.starts_with('<') {
            self.typed.push(TypedPrompt {
                at: self.clock,
                session: self.setting.session,
                cwd: self.setting.cwd,
                text: text.to_owned(),
            });
        }
    }

    /// A prompt with other content than text, or with more members than usual.
    pub(super) fn prompt_with(&mut self, content: Value, more: &Object) -> String {
        self.turn_started = self.clock;
        self.prompt_id = Some(self.ids.uuid());
        let message = Object::new().with("role", "user").with("content", content);
        let own = self.user(&message).and(more);
        self.chain(self.leaf(), &own, &Object::new())
    }

    pub(super) fn interrupt(&mut self) {
        self.tick();
        let text = Object::new().with("type", "text").with("text", "[Request interrupted by user]");
        let message = Object::new().with("role", "user").with_list("content", &[text]);
        self.chain(self.leaf(), &self.user(&message), &Object::new());
    }

    /// A response without tool calls.
    pub(super) fn reply(&mut self, pieces: &[Piece]) {
        self.respond(pieces, &[]);
    }

    /// A response with tool calls, and their results.
    pub(super) fn work(&mut self, pieces: &[Piece], tools: &[Tool]) {
        let calls = self.respond(pieces, tools);
        self.answer(&calls, tools);
    }

    /// One API response: as many lines as it has blocks, all with one message
    /// id, each with the usage up to that point.
    pub(super) fn respond(&mut self, pieces: &[Piece], tools: &[Tool]) -> Vec<Call> {
        let signature = self.ids.labelled("Eq", 46);
        let mut blocks: Vec<(Object, Option<String>)> =
            pieces.iter().map(|piece| (piece.block(&signature), None)).collect();
        for tool in tools {
            let id = tool.id.map_or_else(|| self.ids.labelled("toolu_01", 22), str::to_owned);
            blocks.push((tool.block(&id), Some(id)));
        }
        let stop = if tools.is_empty() { "end_turn" } else { "tool_use" };
        let searches = tools.iter().filter(|tool| tool.name == "WebSearch").count();
        let (message, request) =
            (self.ids.labelled("msg_01", 22), self.ids.labelled("req_011C", 20));
        let tokens = blocks.iter().fold(30, |sum, (block, _)| sum + tokens(&block.to_json()));
        let mut calls = Vec::new();
        let mut written = 0;
        let cached = self.fresh;
        for (position, (block, call)) in blocks.iter().enumerate() {
            self.tick();
            let last = position + 1 == blocks.len();
            written += tokens_so_far(block);
            let output = if last { tokens } else { written.min(tokens) };
            let own = Object::new()
                .with_object(
                    "message",
                    &Object::new()
                        .with("model", self.setting.model)
                        .with("id", message.as_str())
                        .with("type", "message")
                        .with("role", "assistant")
                        .with_list("content", std::slice::from_ref(block))
                        .with("stop_reason", self.is_new().then_some(stop))
                        .with_object("usage", &self.usage(cached, output, searches)),
                )
                .with("requestId", request.as_str())
                .with("type", "assistant");
            let uuid = self.chain(self.leaf(), &own, &Object::new());
            if let Some(id) = call {
                calls.push(Call { id: id.clone(), assistant: uuid });
            }
        }
        self.context += cached;
        self.fresh = tokens;
        calls
    }

    /// The results of calls. The parent of each is the line of its call, so the results of
    /// parallel calls are siblings, and only the last one is on the path to the next
    /// message.
    pub(super) fn answer(&mut self, calls: &[Call], tools: &[Tool]) {
        for (call, tool) in calls.iter().zip(tools) {
            self.tick();
            self.wait(tool.seconds);
            let block = tool.result_block(&call.id);
            self.fresh += 3 * tokens(&block.to_json());
            let message = Object::new().with("role", "user").with_list("content", &[block]);
            let mut after = Object::new().with_some("toolUseResult", tool.structured.clone());
            if self.is_new() {
                after = after.with("sourceToolAssistantUUID", call.assistant.as_str());
            }
            let parent = Some(call.assistant.clone());
            self.chain(parent, &self.user(&message), &after);
        }
    }

    /// A line of the person's side. Since 2.1 it names the prompt it belongs to.
    fn user(&self, message: &Object) -> Object {
        let prompt = self.prompt_id.as_deref().filter(|_| self.is_new());
        Object::new()
            .with_some("promptId", prompt)
            .with("type", "user")
            .with_object("message", message)
    }

    /// `cached`: the tokens that this call wrote to the cache.
    fn usage(&self, cached: u64, output: u64, searches: usize) -> Object {
        // The main conversation keeps its cache for an hour, agents for five minutes.
        let hour = if self.is_new() && !self.sidechain { cached } else { 0 };
        let usage = Object::new()
            .with("input_tokens", 4 + self.context % 7)
            .with("cache_creation_input_tokens", cached)
            .with("cache_read_input_tokens", self.context)
            .with_object(
                "cache_creation",
                &Object::new()
                    .with("ephemeral_5m_input_tokens", cached - hour)
                    .with("ephemeral_1h_input_tokens", hour),
            )
            .with("output_tokens", output);
        let server = (searches > 0)
            .then(|| json!({ "web_search_requests": searches, "web_fetch_requests": 0 }));
        usage.with_some("server_tool_use", server).with("service_tier", "standard")
    }
}

impl Piece {
    fn block(self, signature: &str) -> Object {
        match self {
            Piece::Think(text) => Object::new()
                .with("type", "thinking")
                .with("thinking", text)
                .with("signature", signature),
            Piece::Say(text) => Object::new().with("type", "text").with("text", text),
        }
    }
}

/// Lines before the last one of a response were written while it streamed.
fn tokens_so_far(block: &Object) -> u64 {
    tokens(&block.to_json()) / 2
}
