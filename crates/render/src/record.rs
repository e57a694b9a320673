//! A record on one line.

use crate::untrusted;
use std::borrow::Cow;
use transcript::{Block, Body, Content, Record, large_line_bytes};

/// The rest of a long text would be cut off anyway.
const MAX_CHARACTERS: usize = 400;

/// The content of a record on one line; harmless.
pub fn record_line(record: &Record<'_>) -> String {
    let value: Cow<'_, str> = match &record.body {
        Body::User(user) => match (&user.message, &user.content) {
            (Some(message), _) => message.content.as_ref().map(content).unwrap_or_default(),
            (None, Some(value)) => content(value),
            (None, None) => Cow::Borrowed(""),
        },
        Body::Assistant(assistant) => match (&assistant.message, &assistant.content) {
            (Some(message), _) => message.content.as_ref().map(content).unwrap_or_default(),
            (None, Some(value)) => content(value),
            (None, None) => Cow::Borrowed(""),
        },
        Body::System(system) => match (&system.content, &system.duration_ms) {
            (Some(value), _) => content(value),
            (None, Some(duration)) => Cow::Owned(format!("{} ms", duration.0)),
            (None, None) => Cow::Borrowed(""),
        },
        Body::Attachment(attachment) => {
            match (&attachment.prompt, &attachment.hook_name, &attachment.filename) {
                (Some(prompt), _, _) => content(prompt),
                (_, Some(hook), _) => Cow::Borrowed(hook),
                (_, _, Some(file)) => Cow::Borrowed(file),
                _ => attachment.text.as_deref().map(Cow::Borrowed).unwrap_or_default(),
            }
        }
        Body::Progress(progress) => {
            progress.data.as_ref().and_then(|data| data.member_string("type")).unwrap_or_default()
        }
        Body::Summary { summary: text, .. }
        | Body::CustomTitle(text)
        | Body::AiTitle(text)
        | Body::Tag(text)
        | Body::AgentName(text)
        | Body::AgentColor(text)
        | Body::Mode(text)
        | Body::PermissionMode(text)
        | Body::ReplMode(text)
        | Body::Relocated(text) => text.as_deref().map(Cow::Borrowed).unwrap_or_default(),
        Body::LastPrompt(last) => match (&last.prompt, last.explicit) {
            (Some(prompt), false) => Cow::Borrowed(prompt),
            (Some(prompt), true) => Cow::Owned(format!("rewound: {}", &**prompt)),
            (None, explicit) => Cow::Borrowed(if explicit { "rewound" } else { "" }),
        },
        Body::WorktreeState(state) => {
            state.worktree_path.as_deref().map(Cow::Borrowed).unwrap_or_default()
        }
        Body::PrLink { url, .. } => url.as_deref().map(Cow::Borrowed).unwrap_or_default(),
        Body::ContinuedIn(id) => {
            id.as_ref().map(|id| Cow::Borrowed(id.as_str())).unwrap_or_default()
        }
        Body::QueueOperation(operation) => {
            let value = operation.content.as_ref().map(content).unwrap_or_default();
            Cow::Owned(format!("{} {value}", operation.operation.as_deref().unwrap_or_default()))
        }
        Body::FileHistoryDelta { tracking_path, .. } => {
            tracking_path.as_deref().map(Cow::Borrowed).unwrap_or_default()
        }
        Body::Tool { name, content: value, .. } => {
            let value = value.as_ref().map(content).unwrap_or_default();
            Cow::Owned(format!("{} {value}", name.as_deref().unwrap_or_default()))
        }
        Body::Damaged => match large_line_bytes(record.raw) {
            Some(bytes) => Cow::Owned(format!("too large: {} MiB", bytes >> 20)),
            None => String::from_utf8_lossy(record.raw),
        },
        _ => Cow::Borrowed(""),
    };
    one_line(&value)
}

/// The content of a block on one line; harmless.
pub fn block_line(value: &Block<'_>) -> String {
    one_line(&block(value))
}

fn one_line(value: &str) -> String {
    let end = value.char_indices().nth(MAX_CHARACTERS).map_or(value.len(), |(at, _)| at);
    untrusted::line(&value[..end]).into_owned()
}

fn content<'r>(value: &'r Content<'_>) -> Cow<'r, str> {
    match value {
        Content::Text(text) => Cow::Borrowed(text),
        Content::Members(_) => Cow::Borrowed("{…}"),
        Content::Blocks(blocks) => {
            let parts: Vec<_> = blocks.iter().map(block).collect();
            Cow::Owned(parts.join(" · "))
        }
    }
}

fn block<'r>(block: &'r Block<'_>) -> Cow<'r, str> {
    match block {
        Block::Text(text) => Cow::Borrowed(text),
        Block::Thinking { thinking, .. } => Cow::Owned(format!("(thinking) {}", &**thinking)),
        Block::RedactedThinking { .. } => Cow::Borrowed("(thinking, sealed)"),
        Block::ToolUse(call) | Block::ServerToolUse(call) => {
            let name = call.name.as_deref().unwrap_or("(unnamed)");
            let input =
                call.input.as_ref().map(|input| argument(input.as_str())).unwrap_or_default();
            Cow::Owned(format!("→ {name} {input}"))
        }
        Block::ToolResult(result) | Block::ServerToolResult { result, .. } => {
            let arrow = if result.is_error { "✗" } else { "←" };
            let value = result.content.as_ref().map(content).unwrap_or_default();
            Cow::Owned(format!("{arrow} {value}"))
        }
        Block::Image(_) => Cow::Borrowed("[image]"),
        Block::Document { title, .. } => {
            Cow::Owned(format!("[document {}]", title.as_deref().unwrap_or_default()))
        }
        Block::ToolReference { name, .. } => name.as_deref().map(Cow::Borrowed).unwrap_or_default(),
        other => Cow::Owned(format!("[{}]", other.kind().unwrap_or("unknown"))),
    }
}

/// The most useful argument of a call: its first string.
fn argument(input: &str) -> String {
    let mut first = None;
    transcript::json::string_values(input, |text| {
        first.get_or_insert_with(|| text.into_owned());
    });
    first.unwrap_or_default()
}
