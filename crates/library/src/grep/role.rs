//! What a block of a record is, in one word.

use transcript::{Block, Body, Content, Record};

/// Who said a text, or what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A prompt, or what the app says in the person's place.
    User,
    /// An answer.
    Assistant,
    /// A thought.
    Thinking,
    /// A call of a tool: its name and its arguments.
    ToolUse,
    /// What a tool answered.
    ToolResult,
    /// What stands for the messages before a compaction, or for a session.
    Summary,
    /// What the app noted.
    System,
    /// What the app put into the context.
    Attachment,
    /// A prompt typed while the model worked.
    Queued,
    /// A name: of the session, an agent, a pull request; a tag; the last prompt
    /// as the app repeats it.
    Title,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 10] = [
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
    ];

    /// What has it, for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Role::User => "Prompts",
            Role::Assistant => "Answers",
            Role::Thinking => "Thoughts",
            Role::ToolUse => "Calls of tools",
            Role::ToolResult => "What tools answered",
            Role::Summary => "Of what was compacted, or of a session",
            Role::System => "What the app noted",
            Role::Attachment => "What the app put into the context",
            Role::Queued => "Prompts typed while the model worked",
            Role::Title => "Names and tags",
        }
    }

    /// Its name in reports.
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
        }
    }
}

/// The role of a piece of a record's text, and the tool that it calls.
pub(super) fn of_piece(record: &Record<'_>, block: usize) -> (Role, Option<String>) {
    let (said, own) = match &record.body {
        Body::User(user) if user.is_compact_summary => return (Role::Summary, None),
        Body::User(user) => (Role::User, user.content.as_ref()),
        Body::Assistant(assistant) => (Role::Assistant, assistant.content.as_ref()),
        Body::System(_) => return (Role::System, None),
        Body::Attachment(attachment) => {
            let is_queued = attachment.kind.as_deref() == Some("queued_command");
            return (if is_queued { Role::Queued } else { Role::Attachment }, None);
        }
        Body::QueueOperation(_) => return (Role::Queued, None),
        Body::Summary { .. } => return (Role::Summary, None),
        Body::Tool { name, output, content, message, .. } => {
            let is_answer = output.is_some() || content.is_some() || message.is_some();
            let role = if is_answer { Role::ToolResult } else { Role::ToolUse };
            return (role, name.as_deref().map(str::to_owned));
        }
        _ => return (Role::Title, None),
    };
    let message = record.message();
    let content = message.and_then(|message| message.content.as_ref()).or(own);
    let Some(Content::Blocks(blocks)) = content else {
        // In simplified transcripts a result may be the whole message.
        let is_result = message.is_some_and(|message| message.tool_use_id.is_some());
        return (if is_result { Role::ToolResult } else { said }, None);
    };
    match blocks.get(block) {
        Some(Block::Thinking { .. }) => (Role::Thinking, None),
        Some(Block::ToolUse(call) | Block::ServerToolUse(call)) => {
            (Role::ToolUse, call.name.as_deref().map(str::to_owned))
        }
        Some(Block::ToolResult(_) | Block::ServerToolResult { .. }) => (Role::ToolResult, None),
        _ => (said, None),
    }
}
