//! A record: one object of a transcript, typed as far as this version knows it.
//!
//! All top-level keys of all kinds are read into one wide struct in a single
//! pass (a line's `type` often comes after its content), and then taken apart
//! into the envelope every line shares and the body of its kind.

use crate::fields::fields;
use crate::ids::{AgentId, RequestId, SessionId, ToolUseId, Uuid};
use crate::json;
use crate::kind::RecordKind;
use crate::message::{Content, Message};
use crate::time::parse_timestamp;
use crate::value::{Count, Json, Number, Str};
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

fields! {
    /// What an `attachment` line puts into the context. Every kind of
    /// attachment has keys of its own; those that matter to more than one
    /// reader are named here.
    pub struct Attachment<'a> {
        /// Which attachment it is: `hook_success`, `queued_command`, ….
        kind: Str<'a> = "type",
        /// Its content: text, a list, or an object.
        content: Json<'a> = "content",
        /// `hook_*`: the hook.
        hook_name: Str<'a> = "hookName",
        /// `hook_*`: when it ran.
        hook_event: Str<'a> = "hookEvent",
        /// The call it is about.
        tool_use_id: ToolUseId<'a> = "toolUseID",
        /// `hook_*`: what was run.
        command: Str<'a> = "command",
        /// `hook_*`: what it said.
        stdout: Str<'a> = "stdout",
        /// `hook_*`: what it complained of.
        stderr: Str<'a> = "stderr",
        /// `hook_*`: how it ended.
        exit_code: Number = "exitCode",
        /// `hook_*`: how long it took.
        duration_ms: Number = "durationMs",
        /// `queued_command`: the prompt, text or blocks.
        prompt: Content<'a> = "prompt",
        /// `queued_command`: `prompt`, `task-notification`, ….
        command_mode: Str<'a> = "commandMode",
        /// `queued_command`: the uuid its message would have had.
        source_uuid: Uuid<'a> = "source_uuid",
        /// `file`, `edited_text_file`, …: the file.
        filename: Str<'a> = "filename",
        /// The file, as shown.
        display_path: Str<'a> = "displayPath",
        /// `nested_memory`: the file.
        path: Str<'a> = "path",
        /// `edited_text_file`: what changed.
        snippet: Str<'a> = "snippet",
        /// Reminders: the text.
        text: Str<'a> = "text",
        /// Reminders: how many items.
        item_count: Count = "itemCount",
        /// Listings: whether it is the first.
        is_initial: bool = "isInitial",
        /// Listings: what is listed.
        names: Json<'a> = "names",
        /// `*_delta`: what came.
        added_names: Json<'a> = "addedNames",
        /// `*_delta`: what came.
        added_lines: Json<'a> = "addedLines",
        /// `*_delta`: what came.
        added_blocks: Json<'a> = "addedBlocks",
        /// `*_delta`: what came.
        added_types: Json<'a> = "addedTypes",
        /// `*_delta`: what went.
        removed_names: Json<'a> = "removedNames",
        /// `*_delta`: what went.
        removed_types: Json<'a> = "removedTypes",
        /// `deferred_tools_delta`: what came back.
        readded_names: Json<'a> = "readdedNames",
        /// `deferred_tools_delta`: servers that want a login.
        needs_auth_mcp_servers: Json<'a> = "needsAuthMcpServers",
        /// `deferred_tools_delta`: servers not ready yet.
        pending_mcp_servers: Json<'a> = "pendingMcpServers",
        /// `agent_listing_delta`.
        show_concurrency_note: Json<'a> = "showConcurrencyNote",
        /// `skill_listing`.
        skill_count: Count = "skillCount",
        /// `invoked_skills`.
        skills: Json<'a> = "skills",
        /// `command_permissions`.
        allowed_tools: Json<'a> = "allowedTools",
        /// `date_change`.
        new_date: Str<'a> = "newDate",
        /// `diagnostics`.
        files: Json<'a> = "files",
        /// `diagnostics`.
        is_new: bool = "isNew",
        /// `auto_mode`.
        reminder_type: Str<'a> = "reminderType",
        /// `auto_mode`.
        auto_mode_consent_flow: Json<'a> = "autoModeConsentFlow",
        /// `auto_mode`.
        bash_first: Json<'a> = "bashFirst",
        /// `auto_mode`.
        bypass: Json<'a> = "bypass",
        /// `auto_mode`.
        steer_only: Json<'a> = "steerOnly",
    }
}

fields! {
    /// What a compaction did.
    pub struct CompactMetadata<'a> {
        /// `auto` or `manual`.
        trigger: Str<'a> = "trigger",
        /// Tokens of the context before.
        pre_tokens: Count = "preTokens",
        /// Tokens of the context after.
        post_tokens: Count = "postTokens",
        /// How long it took.
        duration_ms: Number = "durationMs",
        /// Tokens dropped by this and earlier compactions.
        cumulative_dropped_tokens: Count = "cumulativeDroppedTokens",
        /// Tools found before it.
        pre_compact_discovered_tools: Json<'a> = "preCompactDiscoveredTools",
        /// Messages kept whole, one by one.
        preserved_messages: PreservedMessages<'a> = "preservedMessages",
        /// Messages kept whole, as a range.
        preserved_segment: PreservedSegment<'a> = "preservedSegment",
    }
}

fields! {
    /// Messages a compaction kept whole, one by one.
    pub struct PreservedMessages<'a> {
        /// The line they hang below.
        anchor_uuid: Uuid<'a> = "anchorUuid",
        /// The lines, in order.
        uuids: Json<'a> = "uuids",
        /// All of them, those that were already kept before included.
        all_uuids: Json<'a> = "allUuids",
    }
}

fields! {
    /// Messages a compaction kept whole, as a range.
    pub struct PreservedSegment<'a> {
        /// The first line.
        head_uuid: Uuid<'a> = "headUuid",
        /// The line they hang below.
        anchor_uuid: Uuid<'a> = "anchorUuid",
        /// The last line.
        tail_uuid: Uuid<'a> = "tailUuid",
    }
}

fields! {
    /// Where a copied line came from.
    pub struct ForkedFrom<'a> {
        /// The session.
        session_id: SessionId<'a> = "sessionId",
        /// The line.
        message_uuid: Uuid<'a> = "messageUuid",
    }
}

fields! {
    /// File backups of a message.
    pub struct Snapshot<'a> {
        /// The message.
        message_id: Uuid<'a> = "messageId",
        /// The backups: an object keyed by file names.
        tracked_file_backups: Json<'a> = "trackedFileBackups",
        /// When.
        timestamp: Str<'a> = "timestamp",
    }
}

fields! {
    /// Simplified transcripts: one file as it was.
    pub struct FileSnapshot<'a> {
        /// The file.
        file_path: Str<'a> = "file_path",
        /// Its text.
        content: Str<'a> = "content",
        /// When, in seconds since the epoch.
        timestamp: Number = "timestamp",
    }
}

fields! {
    /// The git worktree a session moved into; all absent when it moved out.
    pub struct WorktreeState<'a> {
        /// Where the session was before.
        original_cwd: Str<'a> = "originalCwd",
        /// The worktree's folder.
        worktree_path: Str<'a> = "worktreePath",
        /// Its name.
        worktree_name: Str<'a> = "worktreeName",
        /// Its branch.
        worktree_branch: Str<'a> = "worktreeBranch",
        /// The branch before.
        original_branch: Str<'a> = "originalBranch",
        /// The commit before.
        original_head_commit: Str<'a> = "originalHeadCommit",
        /// The session.
        session_id: SessionId<'a> = "sessionId",
        /// Whether a hook made it.
        hook_based: bool = "hookBased",
    }
}

fields! {
    /// Who a message came from.
    pub(crate) struct Origin<'a> {
        /// `human`, `task-notification`, `channel`, ….
        kind: Str<'a> = "kind",
    }
}

fields! {
    /// Every top-level key of every known kind.
    pub(crate) struct Wide<'a> {
        parent_uuid: Uuid<'a> = "parentUuid",
        is_sidechain: bool = "isSidechain",
        user_type: Str<'a> = "userType",
        cwd: Str<'a> = "cwd",
        session_id: SessionId<'a> = "sessionId",
        version: Str<'a> = "version",
        git_branch: Str<'a> = "gitBranch",
        type_name: Str<'a> = "type",
        message: Box<Message<'a>> = "message",
        uuid: Uuid<'a> = "uuid",
        timestamp: Json<'a> = "timestamp",
        slug: Str<'a> = "slug",
        request_id: RequestId<'a> = "requestId",
        tool_use_result: Json<'a> = "toolUseResult",
        source_tool_assistant_uuid: Uuid<'a> = "sourceToolAssistantUUID",
        entrypoint: Str<'a> = "entrypoint",
        data: Json<'a> = "data",
        parent_tool_use_id: ToolUseId<'a> = "parentToolUseID",
        tool_use_id: ToolUseId<'a> = "toolUseID",
        agent_id: AgentId<'a> = "agentId",
        prompt_id: Str<'a> = "promptId",
        session_id_snake: SessionId<'a> = "session_id",
        attachment: Box<Attachment<'a>> = "attachment",
        subtype: Str<'a> = "subtype",
        content: Content<'a> = "content",
        level: Str<'a> = "level",
        is_meta: bool = "isMeta",
        effort: Str<'a> = "effort",
        advisor_model: Str<'a> = "advisorModel",
        message_id: Uuid<'a> = "messageId",
        snapshot: Snapshot<'a> = "snapshot",
        is_snapshot_update: bool = "isSnapshotUpdate",
        last_prompt: Str<'a> = "lastPrompt",
        leaf_uuid: Uuid<'a> = "leafUuid",
        explicit: bool = "explicit",
        rewound: bool = "rewound",
        cut_uuid: Uuid<'a> = "cutUuid",
        ai_title: Str<'a> = "aiTitle",
        custom_title: Str<'a> = "customTitle",
        summary: Str<'a> = "summary",
        tag: Str<'a> = "tag",
        mode: Str<'a> = "mode",
        permission_mode: Str<'a> = "permissionMode",
        repl_mode: Str<'a> = "replMode",
        operation: Str<'a> = "operation",
        pr_number: Count = "prNumber",
        pr_url: Str<'a> = "prUrl",
        pr_repository: Str<'a> = "prRepository",
        logical_parent_uuid: Uuid<'a> = "logicalParentUuid",
        team_name: Str<'a> = "teamName",
        session_kind: Str<'a> = "sessionKind",
        forked_from: ForkedFrom<'a> = "forkedFrom",
        is_compact_summary: bool = "isCompactSummary",
        is_visible_in_transcript_only: bool = "isVisibleInTranscriptOnly",
        source_tool_use_id: ToolUseId<'a> = "sourceToolUseID",
        prompt_source: Str<'a> = "promptSource",
        origin: Origin<'a> = "origin",
        interrupted_message_id: Str<'a> = "interruptedMessageId",
        tool_denial_kind: Str<'a> = "toolDenialKind",
        todos: Json<'a> = "todos",
        thinking_metadata: Json<'a> = "thinkingMetadata",
        plan_content: Str<'a> = "planContent",
        image_paste_ids: Json<'a> = "imagePasteIds",
        attribution_agent: Str<'a> = "attributionAgent",
        attribution_skill: Str<'a> = "attributionSkill",
        attribution_plugin: Str<'a> = "attributionPlugin",
        attribution_mcp_server: Str<'a> = "attributionMcpServer",
        is_api_error_message: bool = "isApiErrorMessage",
        error: Json<'a> = "error",
        is_aborted_mid_stream: bool = "isAbortedMidStream",
        cost_usd: Number = "costUSD",
        compact_metadata: CompactMetadata<'a> = "compactMetadata",
        microcompact_metadata: Json<'a> = "microcompactMetadata",
        duration_ms: Number = "durationMs",
        hook_count: Count = "hookCount",
        hook_infos: Json<'a> = "hookInfos",
        hook_errors: Json<'a> = "hookErrors",
        hook_additional_context: Json<'a> = "hookAdditionalContext",
        prevented_continuation: Json<'a> = "preventedContinuation",
        stop_reason: Json<'a> = "stopReason",
        has_output: Json<'a> = "hasOutput",
        retry_in_ms: Json<'a> = "retryInMs",
        retry_attempt: Json<'a> = "retryAttempt",
        max_retries: Json<'a> = "maxRetries",
        message_count: Json<'a> = "messageCount",
        pending_background_agent_count: Json<'a> = "pendingBackgroundAgentCount",
        url: Json<'a> = "url",
        agent_name: Str<'a> = "agentName",
        agent_color: Str<'a> = "agentColor",
        agent_setting: Json<'a> = "agentSetting",
        worktree_session: WorktreeState<'a> = "worktreeSession",
        relocated_cwd: Str<'a> = "relocatedCwd",
        continued_in_session_id: SessionId<'a> = "continuedInSessionId",
        total_cost_usd: Number = "totalCostUSD",
        model_usage: Json<'a> = "modelUsage",
        bridge_session_id: Str<'a> = "bridgeSessionId",
        last_sequence_number: Count = "lastSequenceNum",
        snapshot_message_id: Uuid<'a> = "snapshotMessageId",
        tracking_path: Str<'a> = "trackingPath",
        backup: Json<'a> = "backup",
        replacements: Json<'a> = "replacements",
        file_snapshot: FileSnapshot<'a> = "file-snapshot",
        usage: Json<'a> = "usage",
        tool_name: Str<'a> = "tool_name",
        tool_input: Json<'a> = "tool_input",
        tool_output: Json<'a> = "tool_output",
        atis: Json<'a> = "atis",
    }
}

impl<'a> Record<'a> {
    /// Takes the wide struct apart. `text` is the JSON it was read from.
    pub(crate) fn new(raw: &'a [u8], text: &str, wide: Wide<'a>) -> Self {
        let kind = wide.type_name.as_deref().map_or(RecordKind::Untyped, RecordKind::of_type);
        let mut wide = wide;
        let type_name = wide.type_name.take();
        let envelope = Envelope {
            uuid: wide.uuid.take(),
            parent_uuid: wide.parent_uuid.take(),
            logical_parent_uuid: wide.logical_parent_uuid.take(),
            session_id: wide.session_id.take().or(wide.session_id_snake.take()),
            timestamp: wide.timestamp.take().map(written_time),
            cwd: wide.cwd.take(),
            version: wide.version.take(),
            git_branch: wide.git_branch.take(),
            user_type: wide.user_type.take(),
            entrypoint: wide.entrypoint.take(),
            is_sidechain: wide.is_sidechain.unwrap_or_default(),
            agent_id: wide.agent_id.take(),
            team_name: wide.team_name.take(),
            slug: wide.slug.take(),
            session_kind: wide.session_kind.take(),
            is_meta: wide.is_meta.unwrap_or_default(),
            prompt_id: wide.prompt_id.take(),
            forked_from: wide.forked_from.take(),
        };
        Record { raw, kind, type_name, envelope, body: Body::new(kind, text, wide) }
    }

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

/// A time is a string, or a number in simplified transcripts; either way it is
/// kept as written.
fn written_time(raw: Json<'_>) -> Str<'_> {
    raw.into_string_or_text()
}

fn seconds(value: f64) -> Option<Timestamp> {
    // Milliseconds since the epoch passed 10¹¹ in 1973; seconds will in 5138.
    let milliseconds = if value.abs() < 1e11 { value * 1000.0 } else { value };
    #[expect(clippy::cast_possible_truncation, reason = "checked by from_millisecond")]
    Timestamp::from_millisecond(milliseconds as i64).ok()
}

impl<'a> Body<'a> {
    fn new(kind: RecordKind, text: &str, wide: Wide<'a>) -> Self {
        let yes = Option::<bool>::unwrap_or_default;
        match kind {
            RecordKind::User => Body::User(Box::new(User {
                message: wide.message,
                tool_use_result: wide.tool_use_result,
                is_compact_summary: yes(wide.is_compact_summary),
                is_visible_in_transcript_only: yes(wide.is_visible_in_transcript_only),
                source_tool_use_id: wide.source_tool_use_id,
                source_tool_assistant_uuid: wide.source_tool_assistant_uuid,
                permission_mode: wide.permission_mode,
                prompt_source: wide.prompt_source,
                origin_kind: wide.origin.and_then(|origin| origin.kind),
                interrupted_message_id: wide.interrupted_message_id,
                tool_denial_kind: wide.tool_denial_kind,
                todos: wide.todos,
                thinking_metadata: wide.thinking_metadata,
                plan_content: wide.plan_content,
                image_paste_ids: wide.image_paste_ids,
                content: wide.content,
            })),
            RecordKind::Assistant => Body::Assistant(Box::new(Assistant {
                message: wide.message,
                request_id: wide.request_id,
                effort: wide.effort,
                attribution_agent: wide.attribution_agent,
                attribution_skill: wide.attribution_skill,
                attribution_plugin: wide.attribution_plugin,
                attribution_mcp_server: wide.attribution_mcp_server,
                is_api_error_message: yes(wide.is_api_error_message),
                error: wide.error,
                is_aborted_mid_stream: yes(wide.is_aborted_mid_stream),
                advisor_model: wide.advisor_model,
                cost_usd: wide.cost_usd,
                content: wide.content,
            })),
            RecordKind::System => Body::System(Box::new(System {
                subtype: wide.subtype,
                content: wide.content,
                level: wide.level,
                duration_ms: wide.duration_ms,
                compact_metadata: wide.compact_metadata,
                microcompact_metadata: wide.microcompact_metadata,
                tool_use_id: wide.tool_use_id,
                error: wide.error,
                hook_infos: wide.hook_infos,
                hook_errors: wide.hook_errors,
            })),
            RecordKind::Attachment => Body::Attachment(wide.attachment.unwrap_or_default()),
            RecordKind::Progress => Body::Progress(Box::new(Progress {
                data: wide.data,
                tool_use_id: wide.tool_use_id,
                parent_tool_use_id: wide.parent_tool_use_id,
            })),
            RecordKind::Summary => {
                Body::Summary { summary: wide.summary, leaf_uuid: wide.leaf_uuid }
            }
            RecordKind::CustomTitle => Body::CustomTitle(wide.custom_title),
            RecordKind::AiTitle => Body::AiTitle(wide.ai_title),
            RecordKind::Tag => Body::Tag(wide.tag),
            RecordKind::LastPrompt => Body::LastPrompt(LastPrompt {
                prompt: wide.last_prompt,
                leaf_uuid: match wide.leaf_uuid {
                    Some(uuid) => Some(Some(uuid)),
                    None => json::member(text, "leafUuid").map(|_| None),
                },
                explicit: yes(wide.explicit),
                rewound: yes(wide.rewound),
                cut_uuid: wide.cut_uuid,
            }),
            RecordKind::AgentName => Body::AgentName(wide.agent_name),
            RecordKind::AgentColor => Body::AgentColor(wide.agent_color),
            RecordKind::AgentSetting => Body::AgentSetting(wide.agent_setting),
            RecordKind::Mode => Body::Mode(wide.mode),
            RecordKind::PermissionMode => Body::PermissionMode(wide.permission_mode),
            RecordKind::ReplMode => Body::ReplMode(wide.repl_mode.or(wide.mode)),
            RecordKind::WorktreeState => {
                Body::WorktreeState(wide.worktree_session.unwrap_or_default())
            }
            RecordKind::Relocated => Body::Relocated(wide.relocated_cwd),
            RecordKind::PrLink => Body::PrLink {
                number: wide.pr_number,
                url: wide.pr_url,
                repository: wide.pr_repository,
            },
            RecordKind::ContinuedIn => Body::ContinuedIn(wide.continued_in_session_id),
            RecordKind::CostState => Body::CostState {
                total_cost_usd: wide.total_cost_usd,
                model_usage: wide.model_usage,
            },
            RecordKind::BridgeSession => Body::BridgeSession {
                id: wide.bridge_session_id,
                last_sequence_number: wide.last_sequence_number,
            },
            RecordKind::FileHistorySnapshot => Body::FileHistorySnapshot {
                message_id: wide.message_id,
                snapshot: wide.snapshot,
                is_update: yes(wide.is_snapshot_update),
                file: wide.file_snapshot,
            },
            RecordKind::FileHistoryDelta => Body::FileHistoryDelta {
                message_id: wide.message_id,
                snapshot_message_id: wide.snapshot_message_id,
                tracking_path: wide.tracking_path,
                backup: wide.backup,
            },
            RecordKind::ContentReplacement => Body::ContentReplacement(wide.replacements),
            RecordKind::QueueOperation => Body::QueueOperation(QueueOperation {
                operation: wide.operation,
                content: wide.content,
            }),
            RecordKind::ToolResult | RecordKind::ToolUse => Body::Tool {
                message: wide.message,
                content: wide.content,
                name: wide.tool_name,
                input: wide.tool_input,
                output: wide.tool_output,
            },
            _ => Body::Opaque,
        }
    }
}
