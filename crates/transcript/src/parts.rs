//! The objects that records hold: attachments, what compactions did, backups.
//!
//! Each is a list of fields; what is not in it stays in the record's bytes.

use crate::fields::fields;
use crate::ids::{SessionId, ToolUseId, Uuid};
use crate::message::Content;
use crate::value::{Count, Json, Number, Str};

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
