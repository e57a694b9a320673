//! Tool calls, each with its answer.
//!
//! A call is in one line and its answer in another: mostly the next, but it can also
//! come before the call, much later, or in another file of the session. Only the
//! call's id links them. Every call is listed, answered or not.

use crate::tool_kind::ToolKind;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::OnceLock;
use transcript::{
    Block, Body, Content, Json, Message, Record, RecordKind, Str, ToolResult, ToolUse, json,
};

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It succeeded.
    Ok,
    /// The tool failed.
    Error,
    /// A person, a rule or a hook did not allow it.
    Denied,
    /// The person interrupted it.
    Interrupted,
    /// There is no answer.
    Missing,
}

impl Status {
    /// Whether the call did not do what it was made for.
    pub fn is_failure(self) -> bool {
        matches!(self, Status::Error | Status::Denied | Status::Interrupted)
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Error => "error",
            Status::Denied => "denied",
            Status::Interrupted => "interrupted",
            Status::Missing => "missing",
        }
    }
}

/// The line of a call or an answer.
#[derive(Clone, Debug, Default)]
pub struct Origin<'a> {
    /// Its number, from 1.
    pub line: u64,
    /// Its uuid.
    pub uuid: Option<Str<'a>>,
    /// The sub-agent it belongs to.
    pub agent_id: Option<Str<'a>>,
    /// Whether it belongs to a sub-agent written into the main transcript.
    pub is_sidechain: bool,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// Whether the line was copied from another session: by a branch, or by an agent in the
    /// background that replays the conversation.
    pub is_copy: bool,
}

impl<'a> Origin<'a> {
    /// The origin of the calls and answers in a record.
    pub fn of(line: u64, record: &Record<'a>) -> Self {
        Origin {
            line,
            uuid: record.envelope.uuid.clone().map(Str::from),
            agent_id: record.envelope.agent_id.clone().map(Str::from),
            is_sidechain: record.envelope.is_sidechain,
            time: record.time(),
            is_copy: record.envelope.forked_from.is_some()
                || record.envelope.session_kind.as_deref() == Some("bg"),
        }
    }
}

/// The answer of a tool.
#[derive(Clone, Debug, Default)]
pub struct Answer<'a> {
    /// The line it is in.
    pub origin: Origin<'a>,
    /// The content that the model received.
    pub content: Option<Content<'a>>,
    /// The structured result that the app recorded: an object, a string or a list.
    pub structured: Option<Json<'a>>,
    /// The positions of the members of that object, which can be large and is
    /// searched for many of them.
    members: OnceLock<Vec<(Vec<u8>, Range<usize>)>>,
    /// Whether the tool failed.
    pub is_error: bool,
    /// How it was denied, if recorded.
    pub denial: Option<Str<'a>>,
}

/// A tool call with its answer.
#[derive(Clone, Debug, Default)]
pub struct ToolCall<'a> {
    /// The line it is in.
    pub origin: Origin<'a>,
    /// Its id; plain transcripts have no ids.
    pub id: Option<Str<'a>>,
    /// The tool.
    pub tool: Str<'a>,
    /// Its arguments.
    pub input: Option<Json<'a>>,
    /// The model that called.
    pub model: Option<Str<'a>>,
    /// The skill it was called under.
    pub skill: Option<Str<'a>>,
    /// The API response that made the call.
    pub message_id: Option<Str<'a>>,
    /// The answer.
    pub answer: Option<Answer<'a>>,
}

/// How the answers of denied calls begin.
const DENIALS: [&str; 6] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "This command requires approval",
    "Claude requested permissions to ",
    "Permission to use ",
    "Permission for this action ",
];

const INTERRUPTION: &str = "[Request interrupted by user";

impl ToolCall<'_> {
    /// The outcome.
    pub fn status(&self) -> Status {
        self.answer.as_ref().map_or(Status::Missing, Answer::status)
    }

    /// How long it took, if known.
    pub fn milliseconds(&self) -> Option<u64> {
        let answer = self.answer.as_ref()?;
        let written = self.origin.time.zip(answer.origin.time).and_then(|(start, end)| {
            u64::try_from(end.as_millisecond() - start.as_millisecond()).ok()
        });
        written.or_else(|| {
            let number = |key| answer.member(key)?.parse().ok();
            number("totalDurationMs").or_else(|| number("durationMs"))
        })
    }

    /// A text argument.
    pub fn argument(&self, key: &str) -> Option<Cow<'_, str>> {
        self.input.as_ref()?.member_string(key)
    }

    /// The server and the tool of an MCP call.
    pub fn mcp(&self) -> Option<(&str, &str)> {
        mcp_tool(&self.tool)
    }

    /// The command that it runs.
    pub fn command(&self) -> Option<Cow<'_, str>> {
        command_of(self.input.as_ref()?)
    }

    /// The files that it reads or changes.
    pub fn files(&self) -> Vec<Cow<'_, str>> {
        let mut path = self.argument("file_path").or_else(|| self.argument("notebook_path"));
        if path.is_none() && matches!(self.kind(), ToolKind::Read | ToolKind::Change) {
            // The names of other apps, which may also name files only in the result.
            path = self.argument("filePath").or_else(|| self.argument("path"));
            if path.is_none() && self.is_change() {
                return self.recorded_paths();
            }
        }
        path.filter(|path| !path.is_empty()).into_iter().collect()
    }

    /// What its tool does.
    pub fn kind(&self) -> ToolKind {
        ToolKind::of(&self.tool)
    }

    /// Whether it changes the files it names.
    pub fn is_change(&self) -> bool {
        self.kind() == ToolKind::Change
    }

    /// Whether it writes whole files rather than changing parts of them.
    pub fn is_whole_write(&self) -> bool {
        matches!(&*self.tool, "Write" | "write" | "write_file" | "create")
    }

    /// Whether it starts a sub-agent.
    pub fn is_spawn(&self) -> bool {
        is_spawn(&self.tool)
    }

    /// Whether it waits for the person rather than for the tool.
    pub fn asks_person(&self) -> bool {
        matches!(&*self.tool, "AskUserQuestion" | "ExitPlanMode") || self.status() == Status::Denied
    }
}

/// The command in the arguments of a shell. Codex also writes it as a list of words.
pub(crate) fn command_of<'i>(input: &'i Json<'_>) -> Option<Cow<'i, str>> {
    input.member_string("command").or_else(|| input.member_string("cmd")).or_else(|| {
        let words = json::elements(input.member("command")?);
        let words: Option<Vec<_>> =
            words.map(|word| Some(json::decode_string(word)?.text)).collect();
        match words?.as_slice() {
            [] => None,
            [_, option, script] if matches!(&**option, "-c" | "-lc") => Some(script.clone()),
            words => Some(Cow::Owned(words.join(" "))),
        }
    })
}

/// The server and the tool in the name of an MCP tool.
pub fn mcp_tool(name: &str) -> Option<(&str, &str)> {
    let rest = name.strip_prefix("mcp__")?;
    Some(rest.split_once("__").unwrap_or((rest, "")))
}

/// Whether a tool starts sub-agents.
pub fn is_spawn(tool: &str) -> bool {
    ToolKind::of(tool) == ToolKind::Agent
}

impl Answer<'_> {
    /// The outcome of the call that it answers.
    pub fn status(&self) -> Status {
        if self.denial.is_some() {
            return Status::Denied;
        }
        if self.member("interrupted") == Some("true")
            || self.member("wasInterrupted") == Some("true")
        {
            return Status::Interrupted;
        }
        let text = self.text();
        let trimmed = transcript::prompt::trim(&text);
        if trimmed.starts_with(INTERRUPTION) {
            return Status::Interrupted;
        }
        if self.is_error && DENIALS.iter().any(|denial| trimmed.starts_with(denial)) {
            return Status::Denied;
        }
        if self.is_error { Status::Error } else { Status::Ok }
    }

    /// The content that the model received, as text.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.content {
            Some(content) => content.text(),
            None => Cow::Borrowed(""),
        }
    }

    /// A member of the structured result.
    pub fn member(&self, key: &str) -> Option<&str> {
        let text = self.structured.as_ref()?.as_str();
        let members = self.members.get_or_init(|| {
            let members = json::Members::new(text.as_bytes());
            members.map(|(key, value)| (key.to_owned(), value)).collect()
        });
        let found = members.iter().rev().find(|(name, _)| name == key.as_bytes())?;
        text.get(found.1.clone())
    }

    /// The exit code that the app recorded beside the result.
    pub fn recorded_exit_code(&self) -> Option<i64> {
        self.member("exitCode")?.parse().ok()
    }

    /// A string member of the structured result, decoded.
    pub fn member_string(&self, key: &str) -> Option<Cow<'_, str>> {
        json::decode_string(self.member(key)?).map(|decoded| decoded.text)
    }

    /// The name of the file to which a large output was saved: from the structured
    /// result, else from a marker at the start of the text. Only the name is used; the
    /// recorded path is never opened.
    pub fn persisted_name(&self) -> Option<String> {
        let recorded = self.member_string("persistedOutputPath");
        persisted_name(recorded.as_deref(), &self.text())
    }
}

/// Whether a result says that its call failed, and was neither denied nor interrupted.
pub(crate) fn is_failed_result(
    result: &ToolResult<'_>,
    structured: Option<&Json<'_>>,
    denial: Option<&Str<'_>>,
) -> bool {
    let answer = || Answer {
        content: result.content.clone(),
        structured: structured.cloned(),
        is_error: true,
        denial: denial.cloned(),
        ..Answer::default()
    };
    result.is_error && answer().status() == Status::Error
}

/// The name of the file to which an output was saved: from the recorded path, else
/// from a marker at the start of the text that the model received.
pub fn persisted_name(recorded: Option<&str>, text: &str) -> Option<String> {
    let path = recorded.or_else(|| {
        let rest = text.trim_start().strip_prefix("<persisted-output>")?;
        let (_, path) = rest.split_once("saved to: ")?;
        Some(path.lines().next()?.trim())
    })?;
    path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The calls of a session, in reading order.
#[derive(Clone, Debug, Default)]
pub struct Calls<'a> {
    calls: Vec<ToolCall<'a>>,
    by_id: HashMap<Str<'a>, usize>,
    /// Answers that came before their calls.
    early_answers: HashMap<Str<'a>, Answer<'a>>,
    /// Calls without an id that wait for an answer: all, and by tool.
    waiting: BTreeSet<usize>,
    waiting_by_tool: HashMap<Str<'a>, Vec<usize>>,
}

impl<'a> Calls<'a> {
    /// Adds the calls and answers of a record.
    pub fn note(&mut self, line: u64, record: Record<'a>) {
        let origin = Origin::of(line, &record);
        let is_answer = record.kind == RecordKind::ToolResult;
        match record.body {
            Body::Assistant(assistant) => {
                let Some(message) = assistant.message else { return };
                let skill = assistant.attribution_skill;
                self.note_blocks(&origin, *message, skill.as_ref(), None, None);
            }
            Body::User(user) => {
                let Some(message) = user.message else { return };
                let denial = user.tool_denial_kind;
                self.note_blocks(&origin, *message, None, user.tool_use_result, denial.as_ref());
            }
            Body::Tool { message: Some(message), .. } => {
                let is_error = message.is_error.unwrap_or_default();
                let result = ToolResult::new(message.tool_use_id, message.content, is_error);
                self.answer(&origin, result, None, None);
            }
            Body::Tool { content, name, output, .. } if is_answer => {
                self.answer_last(origin, content, name.as_ref(), output);
            }
            Body::Tool { name, input, .. } if name.is_some() || input.is_some() => {
                self.begin(&origin, ToolUse::new(None, name, input));
            }
            _ => {}
        }
    }

    fn note_blocks(
        &mut self,
        origin: &Origin<'a>,
        message: Message<'a>,
        skill: Option<&Str<'a>>,
        structured: Option<Json<'a>>,
        denial: Option<&Str<'a>>,
    ) {
        let Some(Content::Blocks(blocks)) = message.content else { return };
        // The structured result is recorded once for the whole line.
        let results = blocks.iter().filter(|block| matches!(block, Block::ToolResult(_))).count();
        let structured = structured.filter(|_| results == 1);
        for block in blocks {
            match block {
                Block::ToolUse(call) | Block::ServerToolUse(call) => {
                    let number = self.begin(origin, call);
                    self.calls[number].model.clone_from(&message.model);
                    self.calls[number].skill = skill.cloned();
                    self.calls[number].message_id = message.id.clone().map(Str::from);
                }
                Block::ToolResult(result) | Block::ServerToolResult { result, .. } => {
                    self.answer(origin, result, structured.clone(), denial.cloned());
                }
                _ => {}
            }
        }
    }

    /// Adds a call and returns its number. A repeated id is the same call.
    pub(crate) fn begin(&mut self, origin: &Origin<'a>, call: ToolUse<'a>) -> usize {
        let id = call.id.map(Str::from);
        if let Some(number) = id.as_ref().and_then(|id| self.by_id.get(id)).copied() {
            self.calls[number].input = call.input.or(self.calls[number].input.take());
            return number;
        }
        let number = self.calls.len();
        let tool = call.name.unwrap_or_else(|| Str::from("(unnamed)"));
        let answer = id.as_ref().and_then(|id| self.early_answers.remove(id));
        if let Some(id) = &id {
            self.by_id.insert(id.clone(), number);
        } else {
            self.waiting.insert(number);
            self.waiting_by_tool.entry(tool.clone()).or_default().push(number);
        }
        self.calls.push(ToolCall {
            origin: origin.clone(),
            id,
            tool,
            input: call.input,
            model: None,
            skill: None,
            message_id: None,
            answer,
        });
        number
    }

    /// Adds an answer and returns the number of its call. A later answer to the same
    /// call replaces the earlier one, unless only the later one was copied.
    pub(crate) fn answer(
        &mut self,
        origin: &Origin<'a>,
        result: ToolResult<'a>,
        structured: Option<Json<'a>>,
        denial: Option<Str<'a>>,
    ) -> Option<usize> {
        let id = Str::from(result.tool_use_id?);
        let answer = Answer {
            origin: origin.clone(),
            content: result.content,
            structured,
            is_error: result.is_error,
            denial,
            members: OnceLock::new(),
        };
        let known = self.by_id.get(&id).copied();
        if let Some(number) = known {
            let before = &mut self.calls[number].answer;
            let is_original = before.as_ref().is_some_and(|before| !before.origin.is_copy);
            if !(is_original && answer.origin.is_copy) {
                *before = Some(answer);
            }
        } else {
            self.early_answers.insert(id, answer);
        }
        known
    }

    /// Plain transcripts: adds an answer to the last open call of its tool.
    fn answer_last(
        &mut self,
        origin: Origin<'a>,
        content: Option<Content<'a>>,
        name: Option<&Str<'a>>,
        output: Option<Json<'a>>,
    ) {
        let tool = match name {
            Some(name) => name.clone(),
            None => match self.waiting.last() {
                Some(number) => self.calls[*number].tool.clone(),
                None => return,
            },
        };
        let open = self.waiting_by_tool.get_mut(&tool).and_then(Vec::pop);
        let Some(number) = open else { return };
        self.waiting.remove(&number);
        self.calls[number].answer = Some(Answer {
            origin,
            content: content.or_else(|| output.as_ref().map(output_content)),
            structured: output,
            ..Answer::default()
        });
    }

    /// A call by its number.
    pub fn get(&self, number: usize) -> Option<&ToolCall<'a>> {
        self.calls.get(number)
    }

    /// All calls.
    pub fn all(&self) -> &[ToolCall<'a>] {
        &self.calls
    }

    /// How many answers have no call.
    pub fn unmatched_answers(&self) -> usize {
        self.early_answers.len()
    }

    /// All calls, owned.
    pub fn into_vec(self) -> Vec<ToolCall<'a>> {
        self.calls
    }
}

/// The output of a plain transcript's tool, as content.
fn output_content<'a>(output: &Json<'a>) -> Content<'a> {
    let text = match output.string() {
        Some(text) => text.into_owned(),
        None => output.as_str().to_owned(),
    };
    Content::Text(Str::from(text))
}
