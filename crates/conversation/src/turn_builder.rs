//! Lines → turns.
//!
//! Each line of a chain is read once, in order: prompts begin turns, blocks
//! become steps, results are matched with their calls, and the app's own records
//! between them are added up.

use crate::app_text;
use crate::call::{Origin, ToolCall, is_failed_result};
use crate::conversation::Conversation;
use crate::graph::NodeId;
use crate::hook_counts::whole_milliseconds;
use crate::sdk::{self, Message};
use crate::turn::{Hooks, ResponseTokens, Step, StepKind, Turn, Turns};
use crate::turn_number::{TurnNumber, TurnNumbers, prompt_in};
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use transcript::prompt::{is_command, is_interruption, trim, typed_text};
use transcript::{Assistant, Attachment, Block, Body, Content, Record, Str, System, User};

impl<'a> Conversation<'a> {
    /// The turns of the current conversation.
    pub fn turns(&self) -> Turns<'a> {
        self.build_turns(&self.chain, &self.messages, self.is_agent, self.turn_numbers())
    }

    /// The turns of another chain: a generation, a branch or an orphaned segment.
    pub fn turns_of(&self, chain: &[NodeId]) -> Turns<'a> {
        let messages = self.messages_on(chain, self.is_agent);
        self.build_turns(chain, &messages, self.is_agent, self.turn_numbers())
    }

    /// The turns of an agent written into the main transcript.
    pub fn inline_turns(&self, lines: &[NodeId]) -> Turns<'a> {
        let messages = self.messages_on(lines, true);
        self.build_turns(lines, &messages, true, &self.inline_turn_numbers(lines))
    }

    /// The turns of all generations, oldest first.
    pub fn all_turns(&self) -> Turns<'a> {
        let (chain, messages) = self.full_chain();
        self.build_turns(&chain, &messages, self.is_agent, self.turn_numbers())
    }

    /// The lines of all generations, oldest first, and the messages on them. A line
    /// that a compaction preserved appears once, in the generation it comes from.
    pub fn full_chain(&self) -> (Vec<NodeId>, Vec<Message>) {
        let mut seen = HashSet::new();
        let mut chain = Vec::new();
        let mut messages = Vec::new();
        for past in &self.past_generations {
            let own: Vec<NodeId> = past.iter().copied().filter(|id| seen.insert(*id)).collect();
            messages.extend(self.messages_on(&own, self.is_agent));
            chain.extend(own);
        }
        let is_new = |message: &&Message| !seen.contains(&message.node);
        messages.extend(self.messages.iter().filter(is_new).cloned());
        chain.extend(self.chain.iter().filter(|id| !seen.contains(id)));
        (chain, messages)
    }

    /// The messages on another chain.
    pub fn messages_on(&self, chain: &[NodeId], is_agent: bool) -> Vec<Message> {
        if is_agent {
            sdk::messages_on_chain(&self.graph, chain, &sdk::consumed_commands(&self.graph, chain))
        } else {
            sdk::shown_messages(&self.graph, chain, &[])
        }
    }

    fn build_turns(
        &self,
        chain: &[NodeId],
        messages: &[Message],
        is_agent: bool,
        numbers: &TurnNumbers,
    ) -> Turns<'a> {
        let shown: HashMap<NodeId, &Message> =
            messages.iter().map(|message| (message.node, message)).collect();
        let mut builder = TurnBuilder { is_agent, ..TurnBuilder::default() };
        for (id, number) in chain.iter().zip(numbers.along(chain)) {
            let node = self.graph.node(*id);
            let Some(entry) = transcript::entries(node.bytes).next() else { continue };
            let is_queued = shown.get(id).map(|message| message.is_queued);
            builder.note(*id, (node.line, number), entry.record, is_queued);
        }
        builder.finish()
    }
}

#[derive(Default)]
struct TurnBuilder<'a> {
    is_agent: bool,
    turns: Turns<'a>,
    turn: Turn<'a>,
    /// When the latest message was written.
    latest: Option<Timestamp>,
    /// The turn of each API response, and the latest token counts of that response.
    responses: HashMap<Str<'a>, (TurnNumber, ResponseTokens)>,
    /// The models that answered in this turn.
    models: HashSet<Str<'a>>,
    /// The hooks already counted, by the tool use id they ran for.
    hooks: HashMap<Str<'a>, Hooks>,
    /// How many API errors without a reason the last step stands for.
    silent_failures: u64,
}

impl<'a> TurnBuilder<'a> {
    fn note(
        &mut self,
        node: NodeId,
        (line, number): (u64, TurnNumber),
        record: Record<'a>,
        is_queued: Option<bool>,
    ) {
        let time = record.time();
        let origin = Origin::of(line, &record);
        let prompt = is_queued.and_then(|is_queued| prompt_in(&record, is_queued, self.is_agent));
        if prompt.is_some() {
            let waited = self.elapsed(time);
            self.turn.waiting_ms += waited;
        }
        if number != self.turn.number {
            self.begin_turn(number);
        }
        if let Some(text) = prompt {
            let is_queued = is_queued == Some(true);
            self.step(node, time, StepKind::Prompt { text, is_queued });
            if let Body::User(user) = record.body {
                self.images(node, time, *user);
            }
            return;
        }
        match (record.body, is_queued.is_some()) {
            (Body::User(user), true) => self.user(node, &origin, *user),
            (Body::Assistant(assistant), true) => self.assistant(node, &origin, *assistant),
            (Body::System(system), _) => self.system(node, time, *system),
            // A queued record that nobody typed reports the end of a task, or is the
            // message of another agent.
            (Body::Attachment(attachment), true) => {
                let sender = attachment.origin.and_then(|origin| origin.kind);
                if let Some(prompt) = &attachment.prompt {
                    self.notice(node, time, sender.as_deref(), &prompt.text());
                }
            }
            (Body::Damaged, _) => {
                let (what, why) = match transcript::large_line_bytes(record.raw) {
                    Some(bytes) => {
                        ("too large", format!("is too large to be read: {} MiB", bytes >> 20))
                    }
                    None => ("damaged", "cannot be read".to_owned()),
                };
                let text = format!("line {line} of the transcript {why}");
                let kind = StepKind::Notice(Cow::Borrowed(what), Cow::Owned(text));
                self.step(node, time, kind);
            }
            (Body::Attachment(attachment), false) => self.attachment(*attachment),
            _ => {}
        }
    }

    fn begin_turn(&mut self, number: TurnNumber) {
        self.models = HashSet::new();
        let turn = std::mem::replace(&mut self.turn, Turn { number, ..Turn::default() });
        if !turn.steps.is_empty() {
            self.turns.turns.push(turn);
        }
    }

    fn step(&mut self, node: NodeId, time: Option<Timestamp>, kind: StepKind<'a>) {
        if let Some(time) = time {
            self.turn.started = Some(self.turn.started.map_or(time, |first| first.min(time)));
            self.turn.ended = Some(self.turn.ended.map_or(time, |last| last.max(time)));
        }
        self.silent_failures = 0;
        self.turn.steps.push(Step { node, time, kind });
    }

    /// Milliseconds since the last message; 0 where times run backwards.
    fn elapsed(&mut self, time: Option<Timestamp>) -> u64 {
        let Some(time) = time else { return 0 };
        // Results come in any order: what ended before the last has no time of
        // its own.
        let latest = self.latest.unwrap_or(time);
        self.latest = Some(latest.max(time));
        u64::try_from(time.as_millisecond() - latest.as_millisecond()).unwrap_or(0)
    }

    fn user(&mut self, node: NodeId, origin: &Origin<'a>, user: User<'a>) {
        let time = origin.time;
        let content = match user.message {
            Some(message) => message.content,
            None => user.content,
        };
        if user.is_compact_summary {
            self.elapsed(time);
            let text = content.map(|content| content.text().into_owned()).unwrap_or_default();
            self.step(node, time, StepKind::Summary(Str::from(text)));
            return;
        }
        let sender = user.origin_kind.as_deref();
        match content {
            Some(Content::Text(text)) => self.notice(node, time, sender, &text),
            Some(Content::Blocks(blocks)) => {
                let is_result = |block: &Block<'_>| matches!(block, Block::ToolResult(_));
                let single = blocks.iter().filter(|block| is_result(block)).count() == 1;
                let structured = user.tool_use_result.filter(|_| single);
                for block in blocks {
                    match block {
                        Block::ToolResult(result) => {
                            let call = result.tool_use_id.clone().map(Str::from);
                            let denial = user.tool_denial_kind.clone();
                            let is_error =
                                is_failed_result(&result, structured.as_ref(), denial.as_ref());
                            let orphan = (result.content.clone(), is_error);
                            let known =
                                self.turns.calls.answer(origin, result, structured.clone(), denial);
                            self.result(node, time, known, call, orphan);
                        }
                        Block::Text(text) => self.notice(node, time, sender, &text),
                        block => self.other(node, time, block),
                    }
                }
            }
            Some(Content::Members(_)) | None => {}
        }
    }

    fn result(
        &mut self,
        node: NodeId,
        time: Option<Timestamp>,
        known: Option<usize>,
        call: Option<Str<'a>>,
        (content, is_error): (Option<Content<'a>>, bool),
    ) {
        let elapsed = self.elapsed(time);
        let answered = known.and_then(|number| self.turns.calls.get(number));
        if answered.is_some_and(ToolCall::asks_person) {
            self.turn.waiting_ms += elapsed;
        } else {
            self.turn.tools_ms += elapsed;
        }
        if let Some(time) = time {
            self.turn.ended = Some(self.turn.ended.map_or(time, |last| last.max(time)));
        }
        if known.is_none() {
            let call = call.unwrap_or_default();
            self.step(node, time, StepKind::UnmatchedResult { call, content, is_error });
        }
    }

    /// User text that no person typed.
    fn notice(&mut self, node: NodeId, time: Option<Timestamp>, sender: Option<&str>, text: &str) {
        self.elapsed(time);
        let trimmed = trim(text);
        if trimmed.is_empty() {
            return;
        }
        if is_interruption(trimmed) {
            self.turn.interruptions += 1;
            self.step(node, time, StepKind::Interruption);
            return;
        }
        let (tag, inner) = app_text::untagged(trimmed);
        let tag = match sender {
            Some(sender @ ("peer" | "coordinator")) => sender.to_owned(),
            _ => tag,
        };
        let kind = StepKind::Notice(Cow::Owned(tag), Cow::Owned(inner));
        self.step(node, time, kind);
    }

    /// Images and documents attached to a prompt.
    fn images(&mut self, node: NodeId, time: Option<Timestamp>, user: User<'a>) {
        let content = user.message.and_then(|message| message.content).or(user.content);
        let Some(Content::Blocks(blocks)) = content else { return };
        for block in blocks {
            self.other(node, time, block);
        }
    }

    fn assistant(&mut self, node: NodeId, origin: &Origin<'a>, assistant: Assistant<'a>) {
        let time = origin.time;
        self.turn.model_ms += self.elapsed(time);
        let content = match assistant.message {
            Some(message) => {
                let message = *message;
                let id = message.id.map(Str::from).or_else(|| origin.uuid.clone());
                if let (Some(id), Some(usage)) = (id, &message.usage) {
                    let own = self
                        .responses
                        .entry(id)
                        .or_insert((self.turn.number, ResponseTokens::default()));
                    own.1 = own.1.or_with_more_output(ResponseTokens::of(usage));
                }
                if let Some(model) = message.model.filter(|model| *model != "<synthetic>")
                    && self.models.insert(model.clone())
                {
                    self.turn.models.push(model);
                }
                message.content
            }
            None => assistant.content,
        };
        if assistant.is_api_error_message {
            let text = content.map(|content| content.text().into_owned()).unwrap_or_default();
            let status = assistant.api_error_status.as_ref();
            let error = assistant.error.as_ref();
            self.api_error(node, time, app_text::failure_message(text, error, status));
            return;
        }
        if assistant.is_aborted_mid_stream {
            self.turn.interruptions += 1;
        }
        match content {
            Some(Content::Text(text)) => self.step(node, time, StepKind::Text(text)),
            Some(Content::Blocks(blocks)) => {
                for block in blocks {
                    match block {
                        Block::Text(text) if text.trim().is_empty() => {}
                        Block::Text(text) => self.step(node, time, StepKind::Text(text)),
                        Block::Thinking { thinking, .. } => {
                            self.step(node, time, StepKind::Thinking(thinking));
                        }
                        Block::RedactedThinking { .. } => {
                            self.step(node, time, StepKind::Thinking(Str::default()));
                        }
                        Block::ToolUse(call) | Block::ServerToolUse(call) => {
                            let before = self.turns.calls.all().len();
                            let number = self.turns.calls.begin(origin, call);
                            if number == before {
                                self.step(node, time, StepKind::Call(number));
                            }
                        }
                        Block::ServerToolResult { result, .. } => {
                            self.turns.calls.answer(origin, result, None, None);
                        }
                        block => self.other(node, time, block),
                    }
                }
            }
            Some(Content::Members(_)) | None => {}
        }
    }

    /// An error of the API. Several without a reason, one after the other, are one step.
    fn api_error(&mut self, node: NodeId, time: Option<Timestamp>, reason: String) {
        self.turn.failures += 1;
        if !trim(&reason).is_empty() {
            return self.step(node, time, StepKind::ApiError(Cow::Owned(reason)));
        }
        match self.turn.steps.last_mut().map(|last| &mut last.kind) {
            Some(StepKind::ApiError(text)) if self.silent_failures > 0 => {
                self.silent_failures += 1;
                *text = Cow::Owned(app_text::silent_failure(self.silent_failures));
                self.turn.ended = self.turn.ended.max(time);
            }
            _ => {
                let text = Cow::Owned(app_text::silent_failure(1));
                self.step(node, time, StepKind::ApiError(text));
                self.silent_failures = 1;
            }
        }
    }

    fn other(&mut self, node: NodeId, time: Option<Timestamp>, block: Block<'a>) {
        let kind = match block {
            Block::Image(source) => StepKind::Image(source),
            Block::Document { title, source, .. } => StepKind::Document { title, source },
            Block::Unknown { kind, .. } => {
                let kind = kind.map_or(Cow::Borrowed("unknown"), Str::into_cow);
                StepKind::Notice(kind, Cow::Borrowed(""))
            }
            _ => return,
        };
        self.step(node, time, kind);
    }

    fn system(&mut self, node: NodeId, time: Option<Timestamp>, system: System<'a>) {
        let text = |content: Option<Content<'a>>| {
            content.map(|content| content.text().into_owned()).unwrap_or_default()
        };
        let milliseconds = system.duration_ms.map(|number| whole_milliseconds(number.0));
        match system.subtype.as_deref() {
            Some("compact_boundary") => {
                let metadata = system.compact_metadata.unwrap_or_default();
                let kind = StepKind::Compaction {
                    trigger: metadata.trigger,
                    before: metadata.pre_tokens.map(|count| count.0),
                    after: metadata.post_tokens.map(|count| count.0),
                };
                self.step(node, time, kind);
            }
            Some("turn_duration") => self.turn.reported_ms = milliseconds,
            Some("stop_hook_summary") => {
                let all = Hooks::of_summary(&system);
                // Some of these hooks may already have been counted one by one.
                let id = system.tool_use_id.map(Str::from);
                let known = id.and_then(|id| self.hooks.remove(&id)).unwrap_or_default();
                self.turn.hooks = self.turn.hooks.plus(all.less(known));
            }
            Some("api_error") => {
                let message = app_text::failure(&system).unwrap_or_else(|| text(system.content));
                self.api_error(node, time, message);
            }
            // These are shown to the person; the rest is bookkeeping.
            Some(
                kind @ ("local_command"
                | "informational"
                | "away_summary"
                | "model_fallback"
                | "scheduled_task_fire"
                | "agents_killed"
                | "memory_saved"),
            ) => {
                let kind = kind.to_owned();
                let content = text(system.content);
                let inner = match typed_text(Cow::Borrowed(&content)) {
                    Some(command) if is_command(&content) => command.into_owned(),
                    _ => app_text::untagged(&content).1,
                };
                if !inner.is_empty() {
                    self.step(node, time, StepKind::Notice(Cow::Owned(kind), Cow::Owned(inner)));
                }
            }
            _ => {}
        }
    }

    fn attachment(&mut self, attachment: Attachment<'a>) {
        let Some(hook) = Hooks::of_attachment(&attachment) else { return };
        self.turn.hooks = self.turn.hooks.plus(hook);
        if let Some(id) = attachment.tool_use_id {
            let known = self.hooks.entry(Str::from(id)).or_default();
            *known = known.plus(hook);
        }
    }

    fn finish(mut self) -> Turns<'a> {
        if !self.turn.steps.is_empty() {
            self.turns.turns.push(std::mem::take(&mut self.turn));
        }
        let mut index_of: HashMap<TurnNumber, usize> = HashMap::new();
        for (index, turn) in self.turns.turns.iter().enumerate() {
            index_of.insert(turn.number, index);
        }
        for (number, tokens) in self.responses.into_values() {
            let Some(turn) = index_of.get(&number).map(|index| &mut self.turns.turns[*index])
            else {
                continue;
            };
            turn.tokens = turn.tokens.plus(tokens.sum());
            turn.responses += 1;
        }
        for turn in &mut self.turns.turns {
            turn.count_calls(&self.turns.calls);
        }
        self.turns
    }
}
