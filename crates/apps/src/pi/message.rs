//! Messages: their entries and what they used.

use std::collections::HashMap;

use crate::{
    ApiCall, CallInput, ChangeKind, EntryKind, FileChange, JsonText, TokenCounts, parse_usd,
};

use crate::pi::diff::to_unified;

/// Calls that change files, until their results come.
pub(crate) type PendingWrites = HashMap<String, PendingWrite>;

/// A call of `write` or `edit`.
#[derive(Clone, Debug)]
pub(crate) struct PendingWrite {
    path: String,
    content: Option<String>,
}

/// The entries of a message.
pub(crate) fn parse_kinds(
    message: JsonText<'_>,
    writes: &mut PendingWrites,
) -> Result<Vec<EntryKind>, String> {
    let role = message.string("role").unwrap_or_default();
    let mut kinds = match role.as_str() {
        "user" => content_kinds(message, EntryKind::Prompt),
        "assistant" => assistant_kinds(message, writes),
        "toolResult" => result_kinds(message, writes),
        "bashExecution" => vec![command_notice(message)],
        // `hookMessage` before version 3.
        "custom" | "hookMessage" => custom_kinds(message),
        "branchSummary" => vec![notice("branch_summary", message, "summary")],
        "compactionSummary" => {
            vec![EntryKind::Compaction(message.string("summary").unwrap_or_default())]
        }
        _ => return Err(format!("message {role}")),
    };
    if kinds.is_empty() {
        kinds.push(EntryKind::Silent("message".to_owned()));
    }
    Ok(kinds)
}

/// What an extension put into the conversation.
pub(crate) fn custom_kinds(message: JsonText<'_>) -> Vec<EntryKind> {
    let kind = message.string("customType").unwrap_or_default();
    if message.is_true("display") {
        content_kinds(message, |text| EntryKind::Notice(kind.clone(), text))
    } else {
        vec![EntryKind::Silent(kind)]
    }
}

pub(crate) fn notice(kind: &str, value: JsonText<'_>, key: &str) -> EntryKind {
    EntryKind::Notice(kind.to_owned(), value.string(key).unwrap_or_default())
}

/// A command that the person ran with `!`.
fn command_notice(message: JsonText<'_>) -> EntryKind {
    let text = |key| message.string(key).unwrap_or_default();
    let (command, output) = (text("command"), text("output"));
    EntryKind::Notice("command".to_owned(), format!("$ {command}\n{output}").trim_end().to_owned())
}

/// The text of a content, which is a string or a list of blocks, and its other blocks.
fn content_kinds(
    message: JsonText<'_>,
    of_text: impl FnOnce(String) -> EntryKind,
) -> Vec<EntryKind> {
    let Some(content) = message.get("content") else { return Vec::new() };
    if let Some(text) = content.as_string() {
        return vec![of_text(text.into_owned())];
    }
    let mut texts = Vec::new();
    let mut others = Vec::new();
    for block in content.elements() {
        match block.string("text") {
            Some(text) => texts.push(text),
            None => others.extend(attachment(block)),
        }
    }
    let text = (!texts.is_empty()).then(|| of_text(texts.join("\n")));
    text.into_iter().chain(others).collect()
}

fn attachment(block: JsonText<'_>) -> Option<EntryKind> {
    let data = block.get("data")?;
    let kind = block.string("mimeType").or_else(|| block.string("type")).unwrap_or_default();
    Some(EntryKind::Attachment { kind, bytes: data.text().len().saturating_sub(2) as u64 })
}

fn assistant_kinds(message: JsonText<'_>, writes: &mut PendingWrites) -> Vec<EntryKind> {
    let mut kinds = Vec::new();
    for block in message.get("content").into_iter().flat_map(JsonText::elements) {
        let text = |key| block.string(key).unwrap_or_default();
        match text("type").as_str() {
            "text" => kinds.push(EntryKind::Text(text("text"))),
            "thinking" => kinds.push(EntryKind::Thinking(text("thinking"))),
            "toolCall" => {
                let (id, tool, arguments) = (text("id"), text("name"), block.get("arguments"));
                if let Some(arguments) = arguments.filter(|_| tool == "write" || tool == "edit")
                    && let Some(path) = arguments.filled("path")
                {
                    let content = arguments.string("content").filter(|_| tool == "write");
                    writes.insert(id.clone(), PendingWrite { path, content });
                }
                let input = arguments.map_or("{}", JsonText::text).to_owned();
                kinds.push(EntryKind::Call { id, tool, input: CallInput::Json(input) });
            }
            other => kinds.push(EntryKind::Unknown(other.to_owned())),
        }
    }
    match message.string("stopReason").as_deref() {
        Some("error") => {
            kinds.push(EntryKind::Error(message.string("errorMessage").unwrap_or_default()));
        }
        Some("aborted") => kinds.push(EntryKind::Interruption),
        _ => {}
    }
    kinds
}

fn result_kinds(message: JsonText<'_>, writes: &mut PendingWrites) -> Vec<EntryKind> {
    let call = message.string("toolCallId").unwrap_or_default();
    let is_error = message.is_true("isError");
    let mut changes = Vec::new();
    if let Some(PendingWrite { path, content }) = writes.remove(&call).filter(|_| !is_error) {
        let diff = message.get("details").and_then(|details| details.string("diff"));
        changes.push(FileChange {
            kind: if content.is_some() { ChangeKind::Write } else { ChangeKind::Edit },
            moved_to: None,
            diff: diff.and_then(|diff| to_unified(&path, &diff)),
            content,
            path,
        });
    }
    let result = |text| EntryKind::Result { call, text, is_error, exit_code: None, changes };
    let mut kinds = content_kinds(message, EntryKind::Prompt);
    let text = match kinds.first() {
        Some(EntryKind::Prompt(text)) => {
            let text = text.clone();
            kinds.remove(0);
            text
        }
        _ => String::new(),
    };
    std::iter::once(result(text)).chain(kinds).collect()
}

/// The API call of an assistant's message. Its key is equal in every copy of the message.
pub(crate) fn parse_api_call(message: JsonText<'_>, timestamp: &str) -> Option<ApiCall> {
    let usage = message
        .get("usage")
        .filter(|_| message.string("role").is_some_and(|role| role == "assistant"))?;
    let count = |key| usage.count(key).unwrap_or_default();
    let tokens = TokenCounts {
        input: count("input"),
        cache_read: count("cacheRead"),
        cache_write: count("cacheWrite"),
        output: count("output"),
        reasoning: 0,
    };
    let model = message.filled("model");
    let TokenCounts { input, cache_read, cache_write, output, .. } = tokens;
    let name = model.as_deref().unwrap_or_default();
    let cost = usage.find(&["cost", "total"]).and_then(|cost| parse_usd(cost.text()));
    Some(ApiCall {
        key: format!("{timestamp}:{name}:{input}:{cache_read}:{cache_write}:{output}"),
        entry: 0,
        time: None,
        model,
        agent: None,
        workplace: None,
        tokens,
        context_window: None,
        reported_pico_usd: cost,
    })
}
