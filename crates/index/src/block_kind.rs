//! The kind of a block, by its role and its text.

use crate::rows::BlockKind;
use conversation::recall::OWN_TOOLS;
use transcript::{Body, Record, Role, prompt};

/// The kind of a block of a record. `is_typed` is whether a person typed the record.
pub(crate) fn kind_of(record: &Record<'_>, role: Role, is_typed: bool, text: &str) -> BlockKind {
    let is_text = || prompt::is_typed_part(record, text);
    match role {
        // Claude Code adds reminders next to the typed text.
        Role::User if is_typed && is_text() => BlockKind::Prompt,
        Role::Queued if prompt::is_queued_by_person(record) && is_text() => BlockKind::Prompt,
        Role::User | Role::Queued | Role::System | Role::Attachment => BlockKind::Note,
        Role::Assistant => BlockKind::Answer,
        Role::Thinking => BlockKind::Thinking,
        Role::ToolUse | Role::ToolResult if is_recall_record(record) => BlockKind::Recall,
        Role::ToolUse => BlockKind::Call,
        Role::ToolResult => BlockKind::Result,
        Role::Summary => BlockKind::Summary,
        Role::Title => BlockKind::Title,
        Role::Plan => BlockKind::Plan,
    }
}

/// Whether a record of another tool's transcript is a call of annals.
fn is_recall_record(record: &Record<'_>) -> bool {
    matches!(&record.body, Body::Tool { name: Some(name), .. } if name.starts_with(OWN_TOOLS))
}
