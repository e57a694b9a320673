//! What a block of a record is, in one word.

use crate::ids::ToolUseId;
use crate::message::{Block, Content};
use crate::record::{Body, Record};
use std::borrow::Cow;

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
    /// A plan in a file of its own.
    Plan,
}

impl Role {
    /// All of them.
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
            Role::Plan => "Plans in files of their own",
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
            Role::Plan => "plan",
        }
    }
}

/// What a piece of a record's text is.
#[derive(Clone, Debug)]
pub struct Said<'r> {
    /// Who said it.
    pub role: Role,
    /// The tool that is called or that answers, where the record itself says it.
    pub tool: Option<Cow<'r, str>>,
    /// The call that it answers.
    pub answers: Option<Cow<'r, str>>,
}

impl From<Role> for Said<'_> {
    fn from(role: Role) -> Self {
        Said { role, tool: None, answers: None }
    }
}

/// What a piece of a record's text is.
pub fn of_piece<'r>(record: &'r Record<'_>, block: usize) -> Said<'r> {
    let (said, own) = match &record.body {
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
            return Said { tool: name.as_deref().map(Cow::Borrowed), ..role.into() };
        }
        _ => return Role::Title.into(),
    };
    let answer = |id: Option<&'r ToolUseId<'_>>| Said {
        answers: id.map(|id| Cow::Borrowed(id.as_str())),
        ..Role::ToolResult.into()
    };
    let message = record.message();
    let content = message.and_then(|message| message.content.as_ref()).or(own);
    let Some(Content::Blocks(blocks)) = content else {
        // In simplified transcripts a result may be the whole message.
        let id = message.and_then(|message| message.tool_use_id.as_ref());
        return if id.is_some() { answer(id) } else { said.into() };
    };
    match blocks.get(block) {
        Some(Block::Thinking { .. }) => Role::Thinking.into(),
        Some(Block::ToolUse(call) | Block::ServerToolUse(call)) => {
            Said { tool: call.name.as_deref().map(Cow::Borrowed), ..Role::ToolUse.into() }
        }
        Some(Block::ToolResult(result) | Block::ServerToolResult { result, .. }) => {
            answer(result.tool_use_id.as_ref())
        }
        _ => said.into(),
    }
}
