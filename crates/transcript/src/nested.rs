//! The objects nested in records: attachments, compaction details, file backups.
//!
//! Each is a list of fields. Keys that are not listed stay in the raw bytes of the
//! record.

use crate::content::Content;
use crate::fields::fields;
use crate::ids::{SessionId, ToolUseId, Uuid};
use crate::value::{Count, Json, Number, Str};

fields! {
    /// What an `attachment` record adds to the context. Every type of attachment
    /// has different keys; those that more than one reader needs are listed here.
    pub struct Attachment<'a> {
        /// The type: `hook_success`, `queued_command`, ….
        kind: Str<'a> = "type",
        /// The content: text, a list or an object.
        content: Json<'a> = "content",
        /// `hook_*`: the name of the hook.
        hook_name: Str<'a> = "hookName",
        /// `hook_*`: the event that started it.
        hook_event: Str<'a> = "hookEvent",
        /// The tool call it refers to.
        tool_use_id: ToolUseId<'a> = "toolUseID",
        /// `hook_*`: the command line.
        command: Str<'a> = "command",
        /// `hook_*`: the standard output.
        stdout: Str<'a> = "stdout",
        /// `hook_*`: the standard error.
        stderr: Str<'a> = "stderr",
        /// `hook_*`: the exit code.
        exit_code: Number = "exitCode",
        /// `hook_*`: the duration in milliseconds.
        duration_ms: Number = "durationMs",
        /// `queued_command`: the prompt, text or blocks.
        prompt: Content<'a> = "prompt",
        /// `queued_command`: `prompt`, `task-notification`, ….
        command_mode: Str<'a> = "commandMode",
        /// `queued_command`: the uuid that its message would have had.
        source_uuid: Uuid<'a> = "source_uuid",
        /// `queued_command`: the sender.
        origin: Origin<'a> = "origin",
        /// `queued_command`: whether the app queued it.
        is_meta: Json<'a> = "isMeta",
        /// `*_in_ide`: the name of the editor.
        ide_name: Str<'a> = "ideName",
        /// `selected_lines_in_ide`: the first line.
        line_start: Json<'a> = "lineStart",
        /// `selected_lines_in_ide`: the last line.
        line_end: Json<'a> = "lineEnd",
        /// `async_hook_response`: the process of the hook.
        process_id: Json<'a> = "processId",
        /// `async_hook_response`: the answer of the hook.
        response: Json<'a> = "response",
        /// `structured_output`: the data.
        data: Json<'a> = "data",
        /// `read_truncation_notice`: the text.
        banner: Str<'a> = "banner",
        /// `goal_status`: whether the goal is reached.
        met: Json<'a> = "met",
        /// `goal_status`.
        sentinel: Json<'a> = "sentinel",
        /// `goal_status`: the goal.
        condition: Str<'a> = "condition",
        /// `file`, `edited_text_file`, …: the file.
        filename: Str<'a> = "filename",
        /// The path as shown to the user.
        display_path: Str<'a> = "displayPath",
        /// `nested_memory`: the file.
        path: Str<'a> = "path",
        /// `edited_text_file`: the changed lines.
        snippet: Str<'a> = "snippet",
        /// Reminders: the text.
        text: Str<'a> = "text",
        /// Reminders: the number of items.
        item_count: Count = "itemCount",
        /// Listings: whether it is the first of the session.
        is_initial: bool = "isInitial",
        /// Listings: the listed names.
        names: Json<'a> = "names",
        /// `*_delta`: added names.
        added_names: Json<'a> = "addedNames",
        /// `*_delta`: added lines.
        added_lines: Json<'a> = "addedLines",
        /// `*_delta`: added blocks.
        added_blocks: Json<'a> = "addedBlocks",
        /// `*_delta`: added types.
        added_types: Json<'a> = "addedTypes",
        /// `*_delta`: removed names.
        removed_names: Json<'a> = "removedNames",
        /// `*_delta`: removed types.
        removed_types: Json<'a> = "removedTypes",
        /// `deferred_tools_delta`: names that were added again.
        readded_names: Json<'a> = "readdedNames",
        /// `deferred_tools_delta`: servers that need a login.
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
    /// Details of a compaction.
    pub struct CompactMetadata<'a> {
        /// `auto` or `manual`.
        trigger: Str<'a> = "trigger",
        /// Tokens in the context before it.
        pre_tokens: Count = "preTokens",
        /// Tokens in the context after it.
        post_tokens: Count = "postTokens",
        /// The duration in milliseconds.
        duration_ms: Number = "durationMs",
        /// Tokens removed by this and earlier compactions.
        cumulative_dropped_tokens: Count = "cumulativeDroppedTokens",
        /// Tools discovered before it.
        pre_compact_discovered_tools: Json<'a> = "preCompactDiscoveredTools",
        /// Messages that were not summarized, as a list.
        preserved_messages: PreservedMessages<'a> = "preservedMessages",
        /// Messages that were not summarized, as a range.
        preserved_segment: PreservedSegment<'a> = "preservedSegment",
    }
}

fields! {
    /// Messages that a compaction did not summarize, as a list.
    pub struct PreservedMessages<'a> {
        /// The record that they follow.
        anchor_uuid: Uuid<'a> = "anchorUuid",
        /// The records, in order.
        uuids: Json<'a> = "uuids",
        /// All such records, including those preserved by earlier compactions.
        all_uuids: Json<'a> = "allUuids",
    }
}

fields! {
    /// Messages that a compaction did not summarize, as a range.
    pub struct PreservedSegment<'a> {
        /// The first record.
        head_uuid: Uuid<'a> = "headUuid",
        /// The record that they follow.
        anchor_uuid: Uuid<'a> = "anchorUuid",
        /// The last record.
        tail_uuid: Uuid<'a> = "tailUuid",
    }
}

fields! {
    /// Where a copied record comes from.
    pub struct ForkedFrom<'a> {
        /// The session.
        session_id: SessionId<'a> = "sessionId",
        /// The record.
        message_uuid: Uuid<'a> = "messageUuid",
    }
}

fields! {
    /// File backups of a message.
    pub struct Snapshot<'a> {
        /// The message.
        message_id: Uuid<'a> = "messageId",
        /// The backups: an object keyed by file name.
        tracked_file_backups: Json<'a> = "trackedFileBackups",
        /// The time of the backup.
        timestamp: Str<'a> = "timestamp",
    }
}

fields! {
    /// Simplified transcripts: the content of one file.
    pub struct FileSnapshot<'a> {
        /// The file.
        file_path: Str<'a> = "file_path",
        /// The text.
        content: Str<'a> = "content",
        /// The time, in seconds since the epoch.
        timestamp: Number = "timestamp",
    }
}

fields! {
    /// The git worktree that a session entered; all fields are absent when it left.
    pub struct WorktreeState<'a> {
        /// The working directory before.
        original_cwd: Str<'a> = "originalCwd",
        /// The folder of the worktree.
        worktree_path: Str<'a> = "worktreePath",
        /// The name of the worktree.
        worktree_name: Str<'a> = "worktreeName",
        /// The branch of the worktree.
        worktree_branch: Str<'a> = "worktreeBranch",
        /// The branch before.
        original_branch: Str<'a> = "originalBranch",
        /// The commit before.
        original_head_commit: Str<'a> = "originalHeadCommit",
        /// The session.
        session_id: SessionId<'a> = "sessionId",
        /// Whether a hook created it.
        hook_based: bool = "hookBased",
    }
}

fields! {
    /// The sender of a message.
    pub struct Origin<'a> {
        /// `human`, `peer`, `coordinator`, `task-notification`, `channel`, ….
        kind: Str<'a> = "kind",
        /// `task-notification`: its kind.
        subkind: Str<'a> = "subkind",
        /// `channel`: the server.
        server: Str<'a> = "server",
        /// `peer`: the address of the sender.
        from: Str<'a> = "from",
        /// `peer`: the mode of the sender.
        from_mode: Str<'a> = "fromMode",
        /// `peer`: the session of the sender.
        from_session: Str<'a> = "fromSession",
        /// `peer`: the name of the sender.
        name: Str<'a> = "name",
        /// `peer`: the text.
        body: Str<'a> = "body",
        /// `peer`: the id of the message.
        message_id: Str<'a> = "msg_id",
        /// `peer`: the sessions that passed it on.
        hop_chain: Json<'a> = "hopChain",
        /// `peer`: the process that sent it.
        verified_peer_pid: Json<'a> = "verifiedPeerPid",
        /// `peer`: when that process started.
        verified_peer_start: Json<'a> = "verifiedPeerProcStart",
        /// `peer`: the sub-agent that sent it.
        sender_task_id: Str<'a> = "senderTaskId",
    }
}
