//! The conversation turn by turn: a prompt, and everything until the next.
//!
//! A turn is a list of steps in the order they happened, and what it came to:
//! how long the model, the tools and the person took, tokens, files, errors.

use crate::account::Conversation;
use crate::call::{Calls, Origin, Status};
use crate::graph::{Graph, NodeId};
use crate::sdk::{self, Message};
use crate::tool::Summary;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use transcript::prompt::{is_interruption, trim, typed_prompt, typed_text};
use transcript::{Assistant, Attachment, Block, Body, Content, Record, Source, Str, System, User};

/// What happened.
#[derive(Clone, Debug)]
pub enum What<'a> {
    /// The person spoke; in a sub-agent's conversation, whoever started it.
    Prompt {
        /// What they said.
        text: Cow<'a, str>,
        /// Whether they said it while the model worked.
        is_queued: bool,
    },
    /// The model spoke.
    Said(Str<'a>),
    /// The model thought; empty where the API keeps the thought sealed.
    Thought(Str<'a>),
    /// The model called a tool: a number in [`Telling::calls`].
    Called(usize),
    /// A tool answered a call that is not here.
    Answered {
        /// The call.
        call: Str<'a>,
        /// The answer.
        content: Option<Content<'a>>,
        /// Whether it failed.
        is_error: bool,
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
    /// What was compacted, in a model's words.
    Summary(Str<'a>),
    /// A compaction.
    Compaction {
        /// `auto` or `manual`.
        trigger: Option<Str<'a>>,
        /// Tokens before.
        before: Option<u64>,
        /// Tokens after.
        after: Option<u64>,
    },
    /// The person cut the model off.
    Interruption,
    /// The API failed.
    Failure(Cow<'a, str>),
    /// Something the app or a program noted: (what it is, what it says).
    Notice(Cow<'a, str>, Cow<'a, str>),
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The line it stands in.
    pub node: NodeId,
    /// When.
    pub time: Option<Timestamp>,
    /// What.
    pub what: What<'a>,
}

/// Tokens of API calls, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Not from the cache.
    pub input: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written to the cache.
    pub cache_write: u64,
    /// Answered.
    pub output: u64,
}

impl Tokens {
    /// What an API response says of itself.
    pub fn of(usage: &transcript::Usage<'_>) -> Self {
        let count = |count: Option<transcript::Count>| count.map_or(0, |count| count.0);
        Tokens {
            input: count(usage.input_tokens),
            cache_read: count(usage.cache_read_input_tokens),
            cache_write: count(usage.cache_creation_input_tokens),
            output: count(usage.output_tokens),
        }
    }

    /// How full the window was.
    pub fn window(self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Everything, of whatever price.
    pub fn total(self) -> u64 {
        self.window().saturating_add(self.output)
    }

    /// Of two lines of one response, the one that says more; the later of two
    /// that say the same.
    #[must_use]
    pub fn or_fuller(self, later: Tokens) -> Tokens {
        if later.output >= self.output { later } else { self }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.saturating_add(other.input),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            output: self.output.saturating_add(other.output),
        }
    }
}

/// How a turn touched a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touch {
    /// How often it was read.
    pub reads: u64,
    /// How often it was changed.
    pub changes: u64,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
}

/// Hooks that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// How many.
    pub ran: u64,
    /// How many failed or objected.
    pub failed: u64,
    /// How long they took, as far as they say.
    pub milliseconds: u64,
}

impl Hooks {
    fn plus(self, other: Hooks) -> Hooks {
        Hooks {
            ran: self.ran.saturating_add(other.ran),
            failed: self.failed.saturating_add(other.failed),
            milliseconds: self.milliseconds.saturating_add(other.milliseconds),
        }
    }

    fn less(self, other: Hooks) -> Hooks {
        Hooks {
            ran: self.ran.saturating_sub(other.ran),
            failed: self.failed.saturating_sub(other.failed),
            milliseconds: self.milliseconds.saturating_sub(other.milliseconds),
        }
    }
}

/// A prompt, and everything until the next.
#[derive(Clone, Debug, Default)]
pub struct Turn<'a> {
    /// Its number, from 1; 0 stands before the first prompt.
    pub number: u64,
    /// What happened.
    pub steps: Vec<Step<'a>>,
    /// The first time written in it.
    pub started: Option<Timestamp>,
    /// The last.
    pub ended: Option<Timestamp>,
    /// Milliseconds spent by the model.
    pub model_ms: u64,
    /// By tools.
    pub tools_ms: u64,
    /// Waiting for the person: questions within it, and after it until the next.
    pub waiting_ms: u64,
    /// How long the app says it took.
    pub noted_ms: Option<u64>,
    /// Tokens of its API calls.
    pub tokens: Tokens,
    /// How many API calls it took.
    pub responses: u64,
    /// Models that answered.
    pub models: Vec<Str<'a>>,
    /// Files it touched.
    pub files: BTreeMap<String, Touch>,
    /// How many tools were called.
    pub calls: u64,
    /// How many of them failed.
    pub errors: u64,
    /// How many were denied.
    pub denials: u64,
    /// How often the person cut the model off.
    pub interruptions: u64,
    /// How often the API failed.
    pub failures: u64,
    /// Hooks that ran.
    pub hooks: Hooks,
}

impl Turn<'_> {
    /// What the person asked for.
    pub fn prompt(&self) -> Option<&str> {
        self.steps.iter().find_map(|step| match &step.what {
            What::Prompt { text, .. } => Some(&**text),
            _ => None,
        })
    }
}

/// A conversation told turn by turn.
#[derive(Clone, Debug, Default)]
pub struct Telling<'a> {
    /// The turns.
    pub turns: Vec<Turn<'a>>,
    /// The calls in them.
    pub calls: Calls<'a>,
}

impl Telling<'_> {
    /// Whether a turn speaks of something, whatever the case of its letters:
    /// in what was said, thought, asked of tools or answered by them.
    pub fn mentions(&self, turn: &Turn<'_>, words: &str) -> bool {
        let words = words.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&words);
        turn.steps.iter().any(|step| match &step.what {
            What::Prompt { text, .. } | What::Failure(text) | What::Notice(_, text) => has(text),
            What::Said(text) | What::Thought(text) | What::Summary(text) => has(text),
            What::Answered { content, .. } => {
                content.as_ref().is_some_and(|content| has(&content.text()))
            }
            What::Called(number) => self.calls.get(*number).is_some_and(|call| {
                let mut found = has(&call.tool);
                if let Some(input) = &call.input {
                    transcript::json::string_values(input.as_str(), |text| found |= has(&text));
                }
                found || call.answer.as_ref().is_some_and(|answer| has(&answer.text()))
            }),
            What::Image(_)
            | What::Document { .. }
            | What::Compaction { .. }
            | What::Interruption => false,
        })
    }
}

impl<'a> Conversation<'a> {
    /// Tells the conversation as it stands.
    pub fn tell(&self) -> Telling<'a> {
        tell(&self.graph, &self.chain, &self.messages, self.is_agent)
    }

    /// Tells another line of it: a generation, a branch, a lost piece, an agent
    /// written into the main transcript.
    pub fn tell_lines(&self, chain: &[NodeId], is_agent: bool) -> Telling<'a> {
        tell(&self.graph, chain, &self.messages_on(chain, is_agent), is_agent)
    }

    /// The messages on another line of it.
    pub fn messages_on(&self, chain: &[NodeId], is_agent: bool) -> Vec<Message> {
        if is_agent {
            sdk::said(&self.graph, chain, &sdk::taken_in(&self.graph, chain))
        } else {
            sdk::shown(&self.graph, chain, &[])
        }
    }
}

fn tell<'a>(
    graph: &Graph<'a>,
    chain: &[NodeId],
    messages: &[Message],
    is_agent: bool,
) -> Telling<'a> {
    let shown: HashMap<NodeId, &Message> =
        messages.iter().map(|message| (message.node, message)).collect();
    let mut teller = Teller { is_agent, ..Teller::default() };
    for id in chain {
        let node = graph.node(*id);
        let Some(entry) = transcript::entries(node.bytes).next() else { continue };
        let is_queued = shown.get(id).map(|message| message.is_queued);
        teller.note(*id, node.line, entry.record, is_queued);
    }
    teller.finish()
}

#[derive(Default)]
struct Teller<'a> {
    is_agent: bool,
    telling: Telling<'a>,
    turn: Turn<'a>,
    /// When the last message was written.
    then: Option<Timestamp>,
    /// What each API response said last of its tokens, and in which turn.
    responses: HashMap<Str<'a>, (u64, Tokens)>,
    /// Models that answered in this turn.
    models: HashSet<Str<'a>>,
    /// Hooks already counted, by the id under which they ran.
    hooks: HashMap<Str<'a>, Hooks>,
}

impl<'a> Teller<'a> {
    fn note(&mut self, node: NodeId, line: u64, record: Record<'a>, is_queued: Option<bool>) {
        let time = record.time();
        let origin = Origin::of(line, &record);
        let prompt = match is_queued {
            Some(true) => queued_prompt(&record),
            Some(false) => self.prompt_of(&record),
            None => None,
        };
        if let Some(text) = prompt {
            let waited = self.passed(time);
            self.turn.waiting_ms += waited;
            self.begin_turn();
            let is_queued = is_queued == Some(true);
            self.step(node, time, What::Prompt { text, is_queued });
            if let Body::User(user) = record.body {
                self.pictures(node, time, *user);
            }
            return;
        }
        match (record.body, is_queued.is_some()) {
            (Body::User(user), true) => self.user(node, &origin, *user),
            (Body::Assistant(assistant), true) => self.assistant(node, &origin, *assistant),
            (Body::System(system), _) => self.system(node, time, *system),
            // Queued, and typed by nobody: the end of a task.
            (Body::Attachment(attachment), true) => {
                if let Some(prompt) = &attachment.prompt {
                    self.notice(node, time, &prompt.text());
                }
            }
            (Body::Attachment(attachment), false) => self.attachment(*attachment),
            _ => {}
        }
    }

    /// What the person, or whoever started the agent, said.
    fn prompt_of(&self, record: &Record<'a>) -> Option<Cow<'a, str>> {
        if !self.is_agent {
            return typed_prompt(record).map(|text| Cow::Owned(text.into_owned()));
        }
        let Body::User(user) = &record.body else { return None };
        let content = user.message.as_ref()?.content.as_ref()?;
        let answers = content.blocks().iter().any(|block| matches!(block, Block::ToolResult(_)));
        let text = content.text();
        let is_prompt = !answers
            && !record.envelope.is_meta
            && !user.is_compact_summary
            && !is_interruption(trim(&text));
        is_prompt.then(|| Cow::Owned(text.into_owned()))
    }

    fn begin_turn(&mut self) {
        let number = self.turn.number + 1;
        self.models = HashSet::new();
        let turn = std::mem::replace(&mut self.turn, Turn { number, ..Turn::default() });
        if !turn.steps.is_empty() {
            self.telling.turns.push(turn);
        }
    }

    fn step(&mut self, node: NodeId, time: Option<Timestamp>, what: What<'a>) {
        if let Some(time) = time {
            self.turn.started = Some(self.turn.started.map_or(time, |first| first.min(time)));
            self.turn.ended = Some(self.turn.ended.map_or(time, |last| last.max(time)));
        }
        self.turn.steps.push(Step { node, time, what });
    }

    /// Milliseconds since the last message; none where times run backwards.
    fn passed(&mut self, time: Option<Timestamp>) -> u64 {
        let Some(time) = time else { return 0 };
        // Results come in any order: what ended before the last has no time of
        // its own.
        let Some(then) = self.then.filter(|then| *then > time) else {
            let then = self.then.replace(time);
            let passed = then.map(|then| time.as_millisecond() - then.as_millisecond());
            return passed.and_then(|passed| u64::try_from(passed).ok()).unwrap_or(0);
        };
        self.then = Some(then);
        0
    }

    fn user(&mut self, node: NodeId, origin: &Origin<'a>, user: User<'a>) {
        let time = origin.time;
        let content = match user.message {
            Some(message) => message.content,
            None => user.content,
        };
        if user.is_compact_summary {
            self.passed(time);
            let text = content.map(|content| content.text().into_owned()).unwrap_or_default();
            self.step(node, time, What::Summary(Str::from(text)));
            return;
        }
        match content {
            Some(Content::Text(text)) => self.notice(node, time, &text),
            Some(Content::Blocks(blocks)) => {
                let is_result = |block: &Block<'_>| matches!(block, Block::ToolResult(_));
                let single = blocks.iter().filter(|block| is_result(block)).count() == 1;
                let structured = user.tool_use_result.filter(|_| single);
                for block in blocks {
                    match block {
                        Block::ToolResult(result) => {
                            let call = result.tool_use_id.clone().map(Str::from);
                            let orphan = (result.content.clone(), result.is_error);
                            let denial = user.tool_denial_kind.clone();
                            let known = self.telling.calls.answer(
                                origin,
                                result,
                                structured.clone(),
                                denial,
                            );
                            self.answered(node, time, known, call, orphan);
                        }
                        Block::Text(text) => self.notice(node, time, &text),
                        block => self.other(node, time, block),
                    }
                }
            }
            Some(Content::Members(_)) | None => {}
        }
    }

    fn answered(
        &mut self,
        node: NodeId,
        time: Option<Timestamp>,
        known: Option<usize>,
        call: Option<Str<'a>>,
        (content, is_error): (Option<Content<'a>>, bool),
    ) {
        let passed = self.passed(time);
        let asks = known.and_then(|number| self.telling.calls.get(number));
        if asks.is_some_and(crate::call::ToolCall::asks_person) {
            self.turn.waiting_ms += passed;
        } else {
            self.turn.tools_ms += passed;
        }
        if let Some(time) = time {
            self.turn.ended = Some(self.turn.ended.map_or(time, |last| last.max(time)));
        }
        if known.is_none() {
            let call = call.unwrap_or_default();
            self.step(node, time, What::Answered { call, content, is_error });
        }
    }

    /// Text in the person's name that no person typed.
    fn notice(&mut self, node: NodeId, time: Option<Timestamp>, text: &str) {
        self.passed(time);
        let said = trim(text);
        if said.is_empty() {
            return;
        }
        if is_interruption(said) {
            self.turn.interruptions += 1;
            self.step(node, time, What::Interruption);
            return;
        }
        let (tag, inner) = untagged(said);
        let what = What::Notice(Cow::Owned(tag), Cow::Owned(inner));
        self.step(node, time, what);
    }

    /// Pictures and documents beside a prompt.
    fn pictures(&mut self, node: NodeId, time: Option<Timestamp>, user: User<'a>) {
        let content = user.message.and_then(|message| message.content).or(user.content);
        let Some(Content::Blocks(blocks)) = content else { return };
        for block in blocks {
            self.other(node, time, block);
        }
    }

    fn assistant(&mut self, node: NodeId, origin: &Origin<'a>, assistant: Assistant<'a>) {
        let time = origin.time;
        self.turn.model_ms += self.passed(time);
        let content = match assistant.message {
            Some(message) => {
                let message = *message;
                let id = message.id.map(Str::from).or_else(|| origin.uuid.clone());
                if let (Some(id), Some(usage)) = (id, &message.usage) {
                    let own =
                        self.responses.entry(id).or_insert((self.turn.number, Tokens::default()));
                    own.1 = own.1.or_fuller(Tokens::of(usage));
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
            self.turn.failures += 1;
            let text = content.map(|content| content.text().into_owned()).unwrap_or_default();
            self.step(node, time, What::Failure(Cow::Owned(text)));
            return;
        }
        if assistant.is_aborted_mid_stream {
            self.turn.interruptions += 1;
        }
        match content {
            Some(Content::Text(text)) => self.step(node, time, What::Said(text)),
            Some(Content::Blocks(blocks)) => {
                for block in blocks {
                    match block {
                        Block::Text(text) if text.trim().is_empty() => {}
                        Block::Text(text) => self.step(node, time, What::Said(text)),
                        Block::Thinking { thinking, .. } => {
                            self.step(node, time, What::Thought(thinking));
                        }
                        Block::RedactedThinking { .. } => {
                            self.step(node, time, What::Thought(Str::default()));
                        }
                        Block::ToolUse(call) | Block::ServerToolUse(call) => {
                            let before = self.telling.calls.all().len();
                            let number = self.telling.calls.begin(origin, call);
                            if number == before {
                                self.step(node, time, What::Called(number));
                            }
                        }
                        Block::ServerToolResult { result, .. } => {
                            self.telling.calls.answer(origin, result, None, None);
                        }
                        block => self.other(node, time, block),
                    }
                }
            }
            Some(Content::Members(_)) | None => {}
        }
    }

    fn other(&mut self, node: NodeId, time: Option<Timestamp>, block: Block<'a>) {
        let what = match block {
            Block::Image(source) => What::Image(source),
            Block::Document { title, source } => What::Document { title, source },
            Block::Unknown { kind } => {
                let kind = kind.map_or(Cow::Borrowed("unknown"), Str::into_cow);
                What::Notice(kind, Cow::Borrowed(""))
            }
            _ => return,
        };
        self.step(node, time, what);
    }

    fn system(&mut self, node: NodeId, time: Option<Timestamp>, system: System<'a>) {
        let text = |content: Option<Content<'a>>| {
            content.map(|content| content.text().into_owned()).unwrap_or_default()
        };
        let milliseconds = system.duration_ms.map(|number| whole(number.0));
        match system.subtype.as_deref() {
            Some("compact_boundary") => {
                let metadata = system.compact_metadata.unwrap_or_default();
                let what = What::Compaction {
                    trigger: metadata.trigger,
                    before: metadata.pre_tokens.map(|count| count.0),
                    after: metadata.post_tokens.map(|count| count.0),
                };
                self.step(node, time, what);
            }
            Some("turn_duration") => self.turn.noted_ms = milliseconds,
            Some("stop_hook_summary") => {
                let list = |json: &Option<transcript::Json<'_>>| {
                    json.as_ref()
                        .map_or(0, |json| transcript::json::elements(json.as_str()).count() as u64)
                };
                let each = system.hook_infos.as_ref().map(|infos| {
                    let took = transcript::json::elements(infos.as_str()).filter_map(|info| {
                        transcript::json::member(info, "durationMs")?.parse::<f64>().ok()
                    });
                    took.map(whole).fold(0, u64::saturating_add)
                });
                let all = Hooks {
                    ran: list(&system.hook_infos).max(1),
                    failed: list(&system.hook_errors),
                    milliseconds: each.unwrap_or_default(),
                };
                // Some of them may have stood there one by one before.
                let id = system.tool_use_id.map(Str::from);
                let known = id.and_then(|id| self.hooks.remove(&id)).unwrap_or_default();
                self.turn.hooks = self.turn.hooks.plus(all.less(known));
            }
            Some("api_error") => {
                self.turn.failures += 1;
                let said = failure(&system).unwrap_or_else(|| text(system.content));
                self.step(node, time, What::Failure(Cow::Owned(said)));
            }
            // What the app tells the person; the rest is bookkeeping.
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
                let said = text(system.content);
                let inner = match typed_text(Cow::Borrowed(&said)) {
                    Some(command) if said.contains("<command-name>") => command.into_owned(),
                    _ => untagged(&said).1,
                };
                if !inner.is_empty() {
                    self.step(node, time, What::Notice(Cow::Owned(kind), Cow::Owned(inner)));
                }
            }
            _ => {}
        }
    }

    fn attachment(&mut self, attachment: Attachment<'a>) {
        let Some(kind) = attachment.kind.as_deref() else { return };
        let Some(ending) = kind.strip_prefix("hook_") else { return };
        let (ran, failed) = match ending {
            "success" | "cancelled" => (1, 0),
            "non_blocking_error"
            | "blocking_error"
            | "error_during_execution"
            | "stopped_continuation" => (1, 1),
            _ => (0, 0),
        };
        let milliseconds = attachment.duration_ms.map_or(0, |number| whole(number.0));
        let hook = Hooks { ran, failed, milliseconds };
        self.turn.hooks = self.turn.hooks.plus(hook);
        if let Some(id) = attachment.tool_use_id {
            let known = self.hooks.entry(Str::from(id)).or_default();
            *known = known.plus(hook);
        }
    }

    fn finish(mut self) -> Telling<'a> {
        if !self.turn.steps.is_empty() {
            self.telling.turns.push(std::mem::take(&mut self.turn));
        }
        let mut places: HashMap<u64, usize> = HashMap::new();
        for (place, turn) in self.telling.turns.iter().enumerate() {
            places.insert(turn.number, place);
        }
        for (number, tokens) in self.responses.into_values() {
            let Some(turn) = places.get(&number).map(|place| &mut self.telling.turns[*place])
            else {
                continue;
            };
            turn.tokens = turn.tokens.plus(tokens);
            turn.responses += 1;
        }
        for turn in &mut self.telling.turns {
            turn.count_calls(&self.telling.calls);
        }
        self.telling
    }
}

impl Turn<'_> {
    fn count_calls(&mut self, calls: &Calls<'_>) {
        let numbers = self.steps.iter().filter_map(|step| match step.what {
            What::Called(number) => calls.get(number),
            _ => None,
        });
        for call in numbers {
            self.calls += 1;
            let status = call.status();
            match status {
                Status::Error => self.errors += 1,
                Status::Denied => self.denials += 1,
                Status::Interrupted => self.interruptions += 1,
                Status::Ok | Status::Missing => {}
            }
            for path in call.files() {
                let touch = self.files.entry(path.into_owned()).or_default();
                if !call.is_change() {
                    touch.reads += 1;
                } else if status == Status::Ok {
                    touch.changes += 1;
                    if let Summary::Change { diff, .. } = call.summary() {
                        touch.added += diff.added;
                        touch.removed += diff.removed;
                    }
                }
            }
        }
    }
}

fn queued_prompt<'a>(record: &Record<'a>) -> Option<Cow<'a, str>> {
    let Body::Attachment(attachment) = &record.body else { return None };
    let text = attachment.prompt.as_ref()?.text();
    typed_text(text).map(|text| Cow::Owned(text.into_owned()))
}

/// What went wrong at the API, as far as it is known: the innermost message, the
/// status, and which attempt it was.
fn failure(system: &System<'_>) -> Option<String> {
    let error = system.error.as_ref()?;
    let mut inner = error.as_str();
    let mut said = None;
    // Errors hold errors, a few deep.
    for _ in 0..4 {
        let message = transcript::json::member(inner, "message");
        said = message.and_then(transcript::json::decode_string).or(said);
        let Some(next) = transcript::json::member(inner, "error") else { break };
        inner = next;
    }
    let mut words = said.map(|said| said.text.into_owned()).unwrap_or_default();
    if let Some(status) = error.member("status").filter(|status| *status != "null") {
        words.push_str(&format!(" ({status})"));
    }
    let words = words.trim_start();
    (!words.is_empty()).then(|| words.to_owned())
}

/// A text in tags of the app: (the first tag, what is in all of them, a line
/// each).
fn untagged(text: &str) -> (String, String) {
    let mut first = None;
    let mut inner: Vec<&str> = Vec::new();
    let mut rest = trim(text);
    while let Some(name) = opening_tag(rest) {
        let after = &rest[name.len() + 2..];
        let close = format!("</{name}>");
        let Some(end) = after.find(&close) else {
            first.get_or_insert(name);
            inner.push(trim(after));
            rest = "";
            break;
        };
        first.get_or_insert(name);
        inner.push(trim(&after[..end]));
        rest = trim(&after[end + close.len()..]);
    }
    let Some(first) = first else { return ("note".to_owned(), text.to_owned()) };
    // What the app tells in one tag is mostly a list of others.
    if let [only] = inner[..]
        && rest.is_empty()
        && opening_tag(only).is_some()
    {
        return (first.to_owned(), untagged_once(only));
    }
    inner.push(rest);
    inner.retain(|part| !part.is_empty());
    (first.to_owned(), inner.join("\n"))
}

/// The same for what is in a tag, and no deeper.
fn untagged_once(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = trim(text);
    while let Some(name) = opening_tag(rest) {
        let after = &rest[name.len() + 2..];
        let close = format!("</{name}>");
        let end = after.find(&close).unwrap_or(after.len());
        lines.push(format!("{name}: {}", trim(&after[..end])));
        rest = trim(after.get(end + close.len()..).unwrap_or_default());
    }
    if !rest.is_empty() {
        lines.push(rest.to_owned());
    }
    lines.join("\n")
}

/// The name of the tag a text begins with.
fn opening_tag(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))?;
    (end > 0 && rest[end..].starts_with('>')).then(|| &rest[..end])
}

/// A number of the app as whole milliseconds.
fn whole(number: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast saturates, and a negative time is none"
    )]
    let whole = number as u64;
    whole
}
