//! A record: one object of a transcript, typed as far as this version knows it.
//!
//! It has the envelope every line shares and the body of its kind; how they are
//! read out of a line is in `wide.rs`.

use crate::ids::{AgentId, RequestId, SessionId, ToolUseId, Uuid};
use crate::json;
use crate::kind::RecordKind;
use crate::message::{Content, Message};
use crate::parts::{
    Attachment, CompactMetadata, FileSnapshot, ForkedFrom, Snapshot, WorktreeState,
};
use crate::time::parse_timestamp;
use crate::value::{Count, Json, Number, Str};
use crate::wide::Wide;
use jiff::Timestamp;

/// One object of a transcript.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The object's own bytes, exactly as they stand in the file.
    pub raw: &'a [u8],
    /// What it is.
    pub kind: RecordKind,
    /// Its `type` as written; `None` if it has none.
    pub type_name: Option<Str<'a>>,
    /// What every kind may carry.
    pub envelope: Envelope<'a>,
    /// What its kind carries.
    pub body: Body<'a>,
}

/// What a line says about itself, whatever its kind.
#[derive(Clone, Debug, Default)]
pub struct Envelope<'a> {
    /// This line.
    pub uuid: Option<Uuid<'a>>,
    /// The line it follows.
    pub parent_uuid: Option<Uuid<'a>>,
    /// The line it follows across a compaction.
    pub logical_parent_uuid: Option<Uuid<'a>>,
    /// The session it belongs to; of a sub-agent's line, the parent's.
    pub session_id: Option<SessionId<'a>>,
    /// When it was written, as written.
    pub timestamp: Option<Str<'a>>,
    /// The working directory.
    pub cwd: Option<Str<'a>>,
    /// The version of Claude Code.
    pub version: Option<Str<'a>>,
    /// The git branch.
    pub git_branch: Option<Str<'a>>,
    /// `external`, nearly always.
    pub user_type: Option<Str<'a>>,
    /// How Claude Code was started: `cli`, `sdk-ts`, `claude-vscode`, ….
    pub entrypoint: Option<Str<'a>>,
    /// Whether it belongs to a sub-agent.
    pub is_sidechain: bool,
    /// The sub-agent it belongs to.
    pub agent_id: Option<AgentId<'a>>,
    /// The team of agents it belongs to.
    pub team_name: Option<Str<'a>>,
    /// The name a plan of this session would have.
    pub slug: Option<Str<'a>>,
    /// `bg`, `daemon`, `daemon-worker`.
    pub session_kind: Option<Str<'a>>,
    /// Written by the app on the person's behalf, not typed.
    pub is_meta: bool,
    /// The prompt it answers.
    pub prompt_id: Option<Str<'a>>,
    /// The session and line it was copied from.
    pub forked_from: Option<ForkedFrom<'a>>,
}

/// What a record of each kind carries beyond the envelope.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Body<'a> {
    /// What the person, or a tool answering, said.
    User(Box<User<'a>>),
    /// One block of what the model said.
    Assistant(Box<Assistant<'a>>),
    /// What the app noted.
    System(Box<System<'a>>),
    /// What the app put into the context.
    Attachment(Box<Attachment<'a>>),
    /// A sign of life.
    Progress(Box<Progress<'a>>),
    /// A title.
    Summary {
        /// The title.
        summary: Option<Str<'a>>,
        /// The line it names; may lie in another file.
        leaf_uuid: Option<Uuid<'a>>,
    },
    /// The title a person gave.
    CustomTitle(Option<Str<'a>>),
    /// The title a model gave.
    AiTitle(Option<Str<'a>>),
    /// A person's tag.
    Tag(Option<Str<'a>>),
    /// The latest prompt.
    LastPrompt(LastPrompt<'a>),
    /// The name of an agent.
    AgentName(Option<Str<'a>>),
    /// The colour of an agent.
    AgentColor(Option<Str<'a>>),
    /// The settings of an agent.
    AgentSetting(Option<Json<'a>>),
    /// The mode of the session.
    Mode(Option<Str<'a>>),
    /// What tools may do unasked.
    PermissionMode(Option<Str<'a>>),
    /// The mode of the prompt.
    ReplMode(Option<Str<'a>>),
    /// The git worktree the session moved into, or out of.
    WorktreeState(WorktreeState<'a>),
    /// The folder the session moved to.
    Relocated(Option<Str<'a>>),
    /// A pull request.
    PrLink {
        /// Its number.
        number: Option<Count>,
        /// Its address.
        url: Option<Str<'a>>,
        /// Its repository, as `owner/name`.
        repository: Option<Str<'a>>,
    },
    /// The session that goes on with this one.
    ContinuedIn(Option<SessionId<'a>>),
    /// The app's own sum.
    CostState {
        /// Its sum of money.
        total_cost_usd: Option<Number>,
        /// Its sums by model: an object keyed by model names.
        model_usage: Option<Json<'a>>,
    },
    /// A session on another machine that mirrors this one.
    BridgeSession {
        /// That session.
        id: Option<Str<'a>>,
        /// How far it has come.
        last_sequence_number: Option<Count>,
    },
    /// Which file backups belong to a message.
    FileHistorySnapshot {
        /// The message; equals a line's uuid and must not be mistaken for one.
        message_id: Option<Uuid<'a>>,
        /// The backups.
        snapshot: Option<Snapshot<'a>>,
        /// Whether it updates an earlier one.
        is_update: bool,
        /// Simplified transcripts: one file.
        file: Option<FileSnapshot<'a>>,
    },
    /// One more file backup.
    FileHistoryDelta {
        /// The message.
        message_id: Option<Uuid<'a>>,
        /// The snapshot it adds to.
        snapshot_message_id: Option<Uuid<'a>>,
        /// The file.
        tracking_path: Option<Str<'a>>,
        /// The backup.
        backup: Option<Json<'a>>,
    },
    /// Content that was replaced afterwards.
    ContentReplacement(Option<Json<'a>>),
    /// A prompt queued, or taken from the queue.
    QueueOperation(QueueOperation<'a>),
    /// Simplified transcripts: a tool call or its answer as a line of its own.
    Tool {
        /// The message that holds the answer.
        message: Option<Box<Message<'a>>>,
        /// The answer, or what was said.
        content: Option<Content<'a>>,
        /// The tool.
        name: Option<Str<'a>>,
        /// Its arguments.
        input: Option<Json<'a>>,
        /// Its answer.
        output: Option<Json<'a>>,
    },
    /// A known kind of which nothing is typed, or an unknown one: see
    /// [`Record::raw`].
    Opaque,
    /// Not a readable object: see [`Record::raw`].
    Damaged,
    /// Nothing but white space.
    Blank,
}

/// A `user` line.
#[derive(Clone, Debug, Default)]
pub struct User<'a> {
    /// What was said, or the results of tools.
    pub message: Option<Box<Message<'a>>>,
    /// The structured answer of the tool; an object, a string or a list.
    pub tool_use_result: Option<Json<'a>>,
    /// The summary that stands for a compacted conversation.
    pub is_compact_summary: bool,
    /// Shown to the person, not to the model.
    pub is_visible_in_transcript_only: bool,
    /// The call this line answers.
    pub source_tool_use_id: Option<ToolUseId<'a>>,
    /// The line with the call this one answers.
    pub source_tool_assistant_uuid: Option<Uuid<'a>>,
    /// What tools might do unasked at the time.
    pub permission_mode: Option<Str<'a>>,
    /// `typed`, `system`, `sdk`.
    pub prompt_source: Option<Str<'a>>,
    /// Who it came from: `human`, `task-notification`, `channel`, ….
    pub origin_kind: Option<Str<'a>>,
    /// The message this interruption cut off.
    pub interrupted_message_id: Option<Str<'a>>,
    /// How a tool was denied.
    pub tool_denial_kind: Option<Str<'a>>,
    /// The to-do list at the time.
    pub todos: Option<Json<'a>>,
    /// How hard the model was asked to think.
    pub thinking_metadata: Option<Json<'a>>,
    /// The plan this prompt starts from.
    pub plan_content: Option<Str<'a>>,
    /// Images pasted into the prompt.
    pub image_paste_ids: Option<Json<'a>>,
    /// Plain transcripts: what was said, without a message around it.
    pub content: Option<Content<'a>>,
}

/// An `assistant` line.
#[derive(Clone, Debug, Default)]
pub struct Assistant<'a> {
    /// One block of the response, with the response's usage so far.
    pub message: Option<Box<Message<'a>>>,
    /// The API request.
    pub request_id: Option<RequestId<'a>>,
    /// How hard the model was asked to try.
    pub effort: Option<Str<'a>>,
    /// The sub-agent type the call is charged to.
    pub attribution_agent: Option<Str<'a>>,
    /// The skill the call is charged to.
    pub attribution_skill: Option<Str<'a>>,
    /// The plugin the call is charged to.
    pub attribution_plugin: Option<Str<'a>>,
    /// The MCP server the call is charged to.
    pub attribution_mcp_server: Option<Str<'a>>,
    /// An error of the API, worded as a message.
    pub is_api_error_message: bool,
    /// What went wrong.
    pub error: Option<Json<'a>>,
    /// The person cut the response off.
    pub is_aborted_mid_stream: bool,
    /// The model that advised.
    pub advisor_model: Option<Str<'a>>,
    /// Old versions: what the app thought the call cost.
    pub cost_usd: Option<Number>,
    /// Plain transcripts: what was said, without a message around it.
    pub content: Option<Content<'a>>,
}

/// A `system` line.
#[derive(Clone, Debug, Default)]
pub struct System<'a> {
    /// What it notes: `compact_boundary`, `turn_duration`, …; absent in 1.0.x.
    pub subtype: Option<Str<'a>>,
    /// Its text.
    pub content: Option<Content<'a>>,
    /// `info`, `warning`, `error`.
    pub level: Option<Str<'a>>,
    /// How long it took.
    pub duration_ms: Option<Number>,
    /// `compact_boundary`: what the compaction did.
    pub compact_metadata: Option<CompactMetadata<'a>>,
    /// `microcompact_boundary`: what it did.
    pub microcompact_metadata: Option<Json<'a>>,
    /// The call it is about.
    pub tool_use_id: Option<ToolUseId<'a>>,
    /// `api_error`: what went wrong.
    pub error: Option<Json<'a>>,
    /// `stop_hook_summary`: the hooks that ran.
    pub hook_infos: Option<Json<'a>>,
    /// `stop_hook_summary`: what went wrong in them.
    pub hook_errors: Option<Json<'a>>,
}

/// A `progress` line.
#[derive(Clone, Debug, Default)]
pub struct Progress<'a> {
    /// What happened; an object with a `type`.
    pub data: Option<Json<'a>>,
    /// The call it is about.
    pub tool_use_id: Option<ToolUseId<'a>>,
    /// The call that one runs under.
    pub parent_tool_use_id: Option<ToolUseId<'a>>,
}

/// A `last-prompt` line: where the conversation stood.
#[derive(Clone, Debug, Default)]
pub struct LastPrompt<'a> {
    /// The prompt.
    pub prompt: Option<Str<'a>>,
    /// The leaf; `Some(None)` if written as `null`: rewound to nothing.
    pub leaf_uuid: Option<Option<Uuid<'a>>>,
    /// Whether a person put the leaf there.
    pub explicit: bool,
    /// Whether this is a rewind.
    pub rewound: bool,
    /// Where the undone branch was cut off.
    pub cut_uuid: Option<Uuid<'a>>,
}

/// A `queue-operation` line.
#[derive(Clone, Debug, Default)]
pub struct QueueOperation<'a> {
    /// `enqueue`, `dequeue`, `remove`, `popAll`.
    pub operation: Option<Str<'a>>,
    /// The prompt.
    pub content: Option<Content<'a>>,
}

impl<'a> Record<'a> {
    /// A record of bytes that are no readable object.
    pub(crate) fn unreadable(raw: &'a [u8], kind: RecordKind) -> Self {
        let body = if kind == RecordKind::Blank { Body::Blank } else { Body::Damaged };
        Record { raw, kind, type_name: None, envelope: Envelope::default(), body }
    }

    /// When it was written. Simplified transcripts keep it in the message.
    pub fn time(&self) -> Option<Timestamp> {
        if let Some(timestamp) = &self.envelope.timestamp {
            return parse_timestamp(timestamp).or_else(|| seconds(timestamp.parse().ok()?));
        }
        seconds(self.message()?.timestamp?.0)
    }

    /// The API message, if its kind has one.
    pub fn message(&self) -> Option<&Message<'a>> {
        match &self.body {
            Body::User(user) => user.message.as_deref(),
            Body::Assistant(assistant) => assistant.message.as_deref(),
            Body::Tool { message, .. } => message.as_deref(),
            _ => None,
        }
    }

    /// What kind of `system` line or attachment it is.
    pub fn subtype(&self) -> Option<&str> {
        match &self.body {
            Body::System(system) => system.subtype.as_deref(),
            Body::Attachment(attachment) => attachment.kind.as_deref(),
            _ => None,
        }
    }

    /// The JSON of each block of the message, in the order of
    /// [`Message::blocks`]; for blocks this version does not know.
    pub fn raw_blocks(&self) -> impl Iterator<Item = &'a str> {
        let text = str::from_utf8(self.raw).unwrap_or_default();
        let content = json::member(text, "message").and_then(|text| json::member(text, "content"));
        json::elements(content.unwrap_or_default())
    }

    /// The top-level members this version has no name for, with their JSON.
    pub fn unknown_members(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let text = str::from_utf8(self.raw).unwrap_or_default();
        json::Members::new(text.as_bytes()).filter_map(move |(key, value)| {
            let key = str::from_utf8(key).ok()?;
            (!Wide::KEYS.contains(&key)).then_some((key, text.get(value)?))
        })
    }
}

fn seconds(value: f64) -> Option<Timestamp> {
    // Milliseconds since the epoch passed 10¹¹ in 1973; seconds will in 5138.
    let milliseconds = if value.abs() < 1e11 { value * 1000.0 } else { value };
    #[expect(clippy::cast_possible_truncation, reason = "checked by from_millisecond")]
    Timestamp::from_millisecond(milliseconds as i64).ok()
}
