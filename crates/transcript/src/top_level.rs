//! One struct with the top-level keys of all record types, and its conversion into
//! a [`Record`].
//!
//! The `type` of a line often comes after its content, so the type is not known
//! while the content is read. One struct for all types reads everything in a
//! single pass. To support a new key, add it here and in `record.rs`.

use crate::content::Content;
use crate::fields::fields;
use crate::ids::{AgentId, RequestId, SessionId, ToolUseId, Uuid};
use crate::json;
use crate::kind::RecordKind;
use crate::message::Message;
use crate::nested::{
    Attachment, CompactMetadata, FileSnapshot, ForkedFrom, Origin, Snapshot, WorktreeState,
};
use crate::record::{
    Assistant, Body, Envelope, LastPrompt, Progress, QueueOperation, Record, System, User,
};
use crate::value::{Count, Json, Number, Str};

fields! {
    /// Every top-level key of every known record type.
    pub(crate) struct TopLevel<'a> {
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
        classifier_meta_lines: Json<'a> = "classifierMetaLines",
        tool_ends_turn: Json<'a> = "toolEndsTurn",
        mcp_meta: Json<'a> = "mcpMeta",
        user_feedback: Json<'a> = "userFeedback",
        interrupted_by_shutdown: Json<'a> = "interruptedByShutdown",
        queue_priority: Json<'a> = "queuePriority",
        api_error_status: Json<'a> = "apiErrorStatus",
        api_error_is_transient: Json<'a> = "apiErrorIsTransient",
        attribution_mcp_tool: Str<'a> = "attributionMcpTool",
        frame_url: Str<'a> = "frameUrl",
        title: Str<'a> = "title",
        path: Str<'a> = "path",
        parent_session_id: SessionId<'a> = "parentSessionId",
        parent_last_uuid: Uuid<'a> = "parentLastUuid",
        context_length: Json<'a> = "contextLength",
        requested_model: Str<'a> = "requestedModel",
    }
}

impl<'a> Record<'a> {
    /// Builds a record. `text` is the JSON that `fields` was read from.
    pub(crate) fn new(raw: &'a [u8], text: &str, fields: TopLevel<'a>) -> Self {
        let kind = fields.type_name.as_deref().map_or(RecordKind::Untyped, RecordKind::of_type);
        let mut fields = fields;
        let type_name = fields.type_name.take();
        let envelope = Envelope {
            uuid: fields.uuid.take(),
            parent_uuid: fields.parent_uuid.take(),
            logical_parent_uuid: fields.logical_parent_uuid.take(),
            session_id: fields.session_id.take().or(fields.session_id_snake.take()),
            timestamp: fields.timestamp.take().map(timestamp_text),
            cwd: fields.cwd.take(),
            version: fields.version.take(),
            git_branch: fields.git_branch.take(),
            user_type: fields.user_type.take(),
            entrypoint: fields.entrypoint.take(),
            is_sidechain: fields.is_sidechain.unwrap_or_default(),
            agent_id: fields.agent_id.take(),
            team_name: fields.team_name.take(),
            slug: fields.slug.take(),
            session_kind: fields.session_kind.take(),
            is_meta: fields.is_meta.unwrap_or_default(),
            prompt_id: fields.prompt_id.take(),
            forked_from: fields.forked_from.take(),
        };
        Record { raw, kind, type_name, envelope, body: Body::new(kind, text, fields) }
    }
}

/// A timestamp is a string, or a number in simplified transcripts; both are kept
/// as written.
fn timestamp_text(raw: Json<'_>) -> Str<'_> {
    raw.into_string_or_text()
}

impl<'a> Body<'a> {
    fn new(kind: RecordKind, text: &str, fields: TopLevel<'a>) -> Self {
        let is_true = Option::<bool>::unwrap_or_default;
        match kind {
            RecordKind::User => Body::User(Box::new(User {
                message: fields.message,
                tool_use_result: fields.tool_use_result,
                is_compact_summary: is_true(fields.is_compact_summary),
                is_visible_in_transcript_only: is_true(fields.is_visible_in_transcript_only),
                source_tool_use_id: fields.source_tool_use_id,
                source_tool_assistant_uuid: fields.source_tool_assistant_uuid,
                permission_mode: fields.permission_mode,
                prompt_source: fields.prompt_source,
                origin_kind: fields.origin.and_then(|origin| origin.kind),
                interrupted_message_id: fields.interrupted_message_id,
                tool_denial_kind: fields.tool_denial_kind,
                todos: fields.todos,
                thinking_metadata: fields.thinking_metadata,
                plan_content: fields.plan_content,
                image_paste_ids: fields.image_paste_ids,
                content: fields.content,
            })),
            RecordKind::Assistant => Body::Assistant(Box::new(Assistant {
                message: fields.message,
                request_id: fields.request_id,
                requested_model: fields.requested_model,
                effort: fields.effort,
                attribution_agent: fields.attribution_agent,
                attribution_skill: fields.attribution_skill,
                attribution_plugin: fields.attribution_plugin,
                attribution_mcp_server: fields.attribution_mcp_server,
                attribution_mcp_tool: fields.attribution_mcp_tool,
                is_api_error_message: is_true(fields.is_api_error_message),
                error: fields.error,
                api_error_status: fields.api_error_status,
                is_aborted_mid_stream: is_true(fields.is_aborted_mid_stream),
                advisor_model: fields.advisor_model,
                cost_usd: fields.cost_usd,
                content: fields.content,
            })),
            RecordKind::System => Body::System(Box::new(System {
                subtype: fields.subtype,
                content: fields.content,
                level: fields.level,
                duration_ms: fields.duration_ms,
                compact_metadata: fields.compact_metadata,
                microcompact_metadata: fields.microcompact_metadata,
                tool_use_id: fields.tool_use_id,
                error: fields.error,
                hook_infos: fields.hook_infos,
                hook_errors: fields.hook_errors,
            })),
            RecordKind::Attachment => Body::Attachment(fields.attachment.unwrap_or_default()),
            RecordKind::Progress => Body::Progress(Box::new(Progress {
                data: fields.data,
                tool_use_id: fields.tool_use_id,
                parent_tool_use_id: fields.parent_tool_use_id,
            })),
            RecordKind::Summary => {
                Body::Summary { summary: fields.summary, leaf_uuid: fields.leaf_uuid }
            }
            RecordKind::CustomTitle => Body::CustomTitle(fields.custom_title),
            RecordKind::AiTitle => Body::AiTitle(fields.ai_title),
            RecordKind::Tag => Body::Tag(fields.tag),
            RecordKind::LastPrompt => Body::LastPrompt(LastPrompt {
                prompt: fields.last_prompt,
                leaf_uuid: match fields.leaf_uuid {
                    Some(uuid) => Some(Some(uuid)),
                    None => json::member(text, "leafUuid").map(|_| None),
                },
                explicit: is_true(fields.explicit),
                rewound: is_true(fields.rewound),
                cut_uuid: fields.cut_uuid,
            }),
            RecordKind::AgentName => Body::AgentName(fields.agent_name),
            RecordKind::AgentColor => Body::AgentColor(fields.agent_color),
            RecordKind::AgentSetting => Body::AgentSetting(fields.agent_setting),
            RecordKind::Mode => Body::Mode(fields.mode),
            RecordKind::PermissionMode => Body::PermissionMode(fields.permission_mode),
            RecordKind::ReplMode => Body::ReplMode(fields.repl_mode.or(fields.mode)),
            RecordKind::WorktreeState => {
                Body::WorktreeState(fields.worktree_session.unwrap_or_default())
            }
            RecordKind::Relocated => Body::Relocated(fields.relocated_cwd),
            RecordKind::PrLink => Body::PrLink {
                number: fields.pr_number,
                url: fields.pr_url,
                repository: fields.pr_repository,
            },
            RecordKind::ContinuedIn => Body::ContinuedIn(fields.continued_in_session_id),
            RecordKind::CostState => Body::CostState {
                total_cost_usd: fields.total_cost_usd,
                model_usage: fields.model_usage,
            },
            RecordKind::BridgeSession => Body::BridgeSession {
                id: fields.bridge_session_id,
                last_sequence_number: fields.last_sequence_number,
            },
            RecordKind::FileHistorySnapshot => Body::FileHistorySnapshot {
                message_id: fields.message_id,
                snapshot: fields.snapshot,
                is_update: is_true(fields.is_snapshot_update),
                file: fields.file_snapshot,
            },
            RecordKind::FileHistoryDelta => Body::FileHistoryDelta {
                message_id: fields.message_id,
                snapshot_message_id: fields.snapshot_message_id,
                tracking_path: fields.tracking_path,
                backup: fields.backup,
            },
            RecordKind::ContentReplacement => Body::ContentReplacement(fields.replacements),
            RecordKind::QueueOperation => Body::QueueOperation(QueueOperation {
                operation: fields.operation,
                content: fields.content,
            }),
            RecordKind::ToolResult | RecordKind::ToolUse => Body::Tool {
                message: fields.message,
                content: fields.content,
                name: fields.tool_name,
                input: fields.tool_input,
                output: fields.tool_output,
            },
            _ => Body::Opaque,
        }
    }
}
