//! The role of a block of text: who wrote it, or what it is.

use crate::content::{Block, Content};
use crate::ids::ToolUseId;
use crate::record::{Body, Record};
use std::borrow::Cow;

/// Who wrote a text, or what it is.
///
/// The list is this crate's own, not Claude Code's, and therefore exhaustive:
/// code that treats roles differently should not miss a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A prompt, or text that Claude Code wrote in the name of the user.
    User,
    /// A text of the model.
    Assistant,
    /// Thinking of the model.
    Thinking,
    /// A tool call: the name of the tool and its arguments.
    ToolUse,
    /// The result of a tool call.
    ToolResult,
    /// A summary of the messages before a compaction, or of a session.
    Summary,
    /// A note of Claude Code.
    System,
    /// Text that Claude Code added to the context.
    Attachment,
    /// A prompt that was typed while the model worked.
    Queued,
    /// A title, a tag, the name of an agent, the URL of a pull request, or a copy
    /// of the last prompt.
    Title,
    /// A plan in a separate file.
    Plan,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 11] = [
        Role::User,
        Role::Assistant,
        Role::Thinking,
        Role::ToolUse,
        Role::ToolResult,
        Role::Summary,
        Role::System,
        Role::Attachment,
        Role::Queued,
        Role::Title,
        Role::Plan,
    ];

    /// What texts have this role, for users.
    pub fn meaning(self) -> &'static str {
        match self {
            Role::User => "Prompts",
            Role::Assistant => "Answers",
            Role::Thinking => "Thinking",
            Role::ToolUse => "Tool calls",
            Role::ToolResult => "Tool results",
            Role::Summary => "Summaries of compactions and sessions",
            Role::System => "System messages of Claude Code",
            Role::Attachment => "Context that Claude Code added",
            Role::Queued => "Prompts typed while the model worked",
            Role::Title => "Titles and tags",
            Role::Plan => "Plans stored in files",
        }
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Thinking => "thinking",
            Role::ToolUse => "tool_use",
            Role::ToolResult => "tool_result",
            Role::Summary => "summary",
            Role::System => "system",
            Role::Attachment => "attachment",
            Role::Queued => "queued",
            Role::Title => "title",
            Role::Plan => "plan",
        }
    }
}

/// The role of a block, and the tool call it belongs to.
#[derive(Clone, Debug)]
pub struct BlockRole<'r> {
    /// The role.
    pub role: Role,
    /// The name of the tool, if the record itself contains it.
    pub tool: Option<Cow<'r, str>>,
    /// The id of the call that the block is the result of.
    pub result_of: Option<Cow<'r, str>>,
}

impl From<Role> for BlockRole<'_> {
    fn from(role: Role) -> Self {
        BlockRole { role, tool: None, result_of: None }
    }
}

/// The role of a block of a record, by its number as in
/// [`BlockText`](crate::text::BlockText).
///
/// ```
/// use transcript::{Role, role};
///
/// let line = br#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1"}]}}"#;
/// let record = transcript::entries(line).next().unwrap().record;
/// let block = role::of_block(&record, 0);
/// assert_eq!((block.role, block.result_of.as_deref()), (Role::ToolResult, Some("t1")));
/// ```
pub fn of_block<'r>(record: &'r Record<'_>, block: usize) -> BlockRole<'r> {
    let (role, own) = match &record.body {
        Body::User(user) if user.is_compact_summary => return Role::Summary.into(),
        Body::User(user) => (Role::User, user.content.as_ref()),
        Body::Assistant(assistant) => (Role::Assistant, assistant.content.as_ref()),
        Body::System(_) => return Role::System.into(),
        Body::Attachment(attachment) => {
            let is_queued = attachment.kind.as_deref() == Some("queued_command");
            return if is_queued { Role::Queued } else { Role::Attachment }.into();
        }
        Body::QueueOperation(_) => return Role::Queued.into(),
        Body::Summary { .. } => return Role::Summary.into(),
        Body::Tool { name, output, content, message, .. } => {
            let is_answer = output.is_some() || content.is_some() || message.is_some();
            let role = if is_answer { Role::ToolResult } else { Role::ToolUse };
            return BlockRole { tool: name.as_deref().map(Cow::Borrowed), ..role.into() };
        }
        _ => return Role::Title.into(),
    };
    let answer = |id: Option<&'r ToolUseId<'_>>| BlockRole {
        result_of: id.map(|id| Cow::Borrowed(id.as_str())),
        ..Role::ToolResult.into()
    };
    let message = record.message();
    let content = message.and_then(|message| message.content.as_ref()).or(own);
    let Some(Content::Blocks(blocks)) = content else {
        // In simplified transcripts a result may be the whole message.
        let id = message.and_then(|message| message.tool_use_id.as_ref());
        return if id.is_some() { answer(id) } else { role.into() };
    };
    match blocks.get(block) {
        Some(Block::Thinking { .. }) => Role::Thinking.into(),
        Some(Block::ToolUse(call) | Block::ServerToolUse(call)) => {
            BlockRole { tool: call.name.as_deref().map(Cow::Borrowed), ..Role::ToolUse.into() }
        }
        Some(Block::ToolResult(result) | Block::ServerToolResult { result, .. }) => {
            answer(result.tool_use_id.as_ref())
        }
        _ => role.into(),
    }
}
