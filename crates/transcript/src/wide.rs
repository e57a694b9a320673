//! All top-level keys of all kinds in one struct, and taking it apart.
//!
//! A line's `type` often comes after its content, so the kind is not known while
//! the content is read. One wide struct takes everything in a single pass.

use crate::fields::fields;
use crate::ids::{AgentId, RequestId, SessionId, ToolUseId, Uuid};
use crate::json;
use crate::kind::RecordKind;
use crate::message::{Content, Message};
use crate::parts::{
    Attachment, CompactMetadata, FileSnapshot, ForkedFrom, Origin, Snapshot, WorktreeState,
};
use crate::record::{
    Assistant, Body, Envelope, LastPrompt, Progress, QueueOperation, Record, System, User,
};
use crate::value::{Count, Json, Number, Str};

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
}

/// A time is a string, or a number in simplified transcripts; either way it is
/// kept as written.
fn written_time(raw: Json<'_>) -> Str<'_> {
    raw.into_string_or_text()
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
