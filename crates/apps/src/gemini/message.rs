//! One message: its entries and what it used.

use crate::{ApiCall, CallInput, Entry, EntryKind, JsonText, Place, TokenCounts};
use jiff::Timestamp;

use crate::gemini::tool_call::{parse_tool_call, response_text};

/// The program answers its own summary with this sentence when it compresses a history.
const AFTER_SUMMARY: &str = "Got it. Thanks for the additional context!";

/// Files that a prompt refers to follow it in the same message, after this text.
const REFERENCED_FILES: &str = "--- Content from referenced files ---";

/// A message as one line, or one element of a history, has it.
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) time: Option<Timestamp>,
    pub(crate) model: Option<String>,
    pub(crate) kinds: Vec<EntryKind>,
    pub(crate) tokens: Option<TokenCounts>,
    /// Whether it is a response of the model.
    is_by_model: bool,
    /// A kind of message that is not known.
    pub(crate) unknown: Option<String>,
}

impl Message {
    /// The message, if the value has an id.
    pub(crate) fn parse(value: JsonText<'_>) -> Option<Message> {
        let id = value.string("id")?;
        let kind = value.string("type").unwrap_or_default();
        let is_by_model = kind == "gemini";
        let mut unknown = None;
        let mut kinds = match kind.as_str() {
            "user" => user_kinds(value),
            "gemini" => model_kinds(value),
            "info" | "warning" => vec![EntryKind::Notice(kind, content_text(value))],
            "error" => vec![EntryKind::Error(content_text(value))],
            _ => {
                unknown = Some(format!("message {kind}"));
                vec![EntryKind::Unknown(kind)]
            }
        };
        if kinds.is_empty() {
            kinds.push(EntryKind::Silent("message".to_owned()));
        }
        Some(Message {
            id,
            time: value.time("timestamp"),
            model: value.filled("model"),
            kinds,
            tokens: value.get("tokens").map(parse_tokens),
            is_by_model,
            unknown,
        })
    }

    /// Its entries.
    pub(crate) fn entries(&self, place: Place) -> impl Iterator<Item = Entry> {
        self.kinds.iter().map(move |kind| Entry {
            id: Some(self.id.clone()),
            time: self.time,
            model: self.model.clone(),
            response: self.is_by_model.then(|| self.id.clone()),
            ..Entry::new(place, kind.clone())
        })
    }

    /// The API call it reports, whose first entry has the number `entry`.
    pub(crate) fn api_call(&self, entry: usize) -> Option<ApiCall> {
        Some(ApiCall {
            key: self.id.clone(),
            entry,
            time: self.time,
            model: self.model.clone(),
            agent: None,
            workplace: None,
            tokens: self.tokens?,
            context_window: None,
            reported_pico_usd: None,
        })
    }

    /// Whether the program answered its own summary with this message.
    pub(crate) fn follows_summary(&self) -> bool {
        matches!(self.kinds.as_slice(), [EntryKind::Text(text)] if text == AFTER_SUMMARY)
    }
}

/// Cached input is part of the input; thoughts are beside the output, and so is what tools
/// added to the input.
fn parse_tokens(tokens: JsonText<'_>) -> TokenCounts {
    let count = |key| tokens.count(key).unwrap_or_default();
    let (input, cached, thoughts) = (count("input"), count("cached"), count("thoughts"));
    TokenCounts {
        input: input.saturating_sub(cached).saturating_add(count("tool")),
        cache_read: cached,
        cache_write: 0,
        output: count("output").saturating_add(thoughts),
        reasoning: thoughts,
    }
}

/// The parts of a content: a string, one part, or a list of both.
fn parts(content: JsonText<'_>) -> Vec<JsonText<'_>> {
    if content.is_list() { content.elements().collect() } else { vec![content] }
}

fn part_text(part: JsonText<'_>) -> Option<String> {
    match part.as_string() {
        Some(text) => Some(text.into_owned()),
        None => part.string("text").filter(|_| !part.is_true("thought")),
    }
}

fn joined_text(content: JsonText<'_>) -> String {
    parts(content).into_iter().filter_map(part_text).collect()
}

fn content_text(message: JsonText<'_>) -> String {
    message.get("content").map(joined_text).unwrap_or_default()
}

fn user_kinds(message: JsonText<'_>) -> Vec<EntryKind> {
    let Some(content) = message.get("content") else { return Vec::new() };
    let mut typed = String::new();
    let mut referenced = String::new();
    let mut others = Vec::new();
    for part in parts(content) {
        match part_text(part) {
            Some(text) if !referenced.is_empty() || text.trim() == REFERENCED_FILES => {
                referenced.push_str(&text);
            }
            Some(text) => typed.push_str(&text),
            None => others.extend(other_part(part)),
        }
    }
    if let Some(shown) = message.get("displayContent").map(joined_text)
        && !shown.is_empty()
    {
        typed = shown;
    }
    let mut kinds = Vec::new();
    if !typed.is_empty() {
        kinds.push(typed_kind(typed));
    }
    if !referenced.is_empty() {
        kinds.push(EntryKind::Notice("referenced_files".to_owned(), referenced));
    }
    kinds.extend(others);
    kinds
}

/// What the text of a user message is: the program also writes some itself.
fn typed_kind(text: String) -> EntryKind {
    let start = text.trim_start();
    for tag in ["session_context", "hook_context"] {
        if start.strip_prefix('<').and_then(|rest| rest.strip_prefix(tag)).is_some() {
            return EntryKind::Notice(tag.to_owned(), text);
        }
    }
    if start.starts_with("<state_snapshot>") {
        return EntryKind::Compaction(text);
    }
    EntryKind::Prompt(text)
}

fn model_kinds(message: JsonText<'_>) -> Vec<EntryKind> {
    let mut kinds = Vec::new();
    for thought in message.get("thoughts").into_iter().flat_map(JsonText::elements) {
        let texts = [thought.filled("subject"), thought.filled("description")];
        let texts: Vec<String> = texts.into_iter().flatten().collect();
        kinds.push(EntryKind::Thinking(texts.join("\n")));
    }
    let text = content_text(message);
    if !text.is_empty() {
        kinds.push(EntryKind::Text(text));
    }
    let calls: Vec<_> = message.get("toolCalls").into_iter().flat_map(JsonText::elements).collect();
    if calls.is_empty() {
        // A history has the calls as parts of the content.
        let content = message.get("content").map(parts).unwrap_or_default();
        kinds.extend(content.into_iter().filter_map(other_part));
    } else {
        kinds.extend(calls.into_iter().flat_map(parse_tool_call));
    }
    kinds
}

/// A part that is not text.
fn other_part(part: JsonText<'_>) -> Option<EntryKind> {
    if let Some(call) = part.get("functionCall") {
        return Some(EntryKind::Call {
            id: call.string("id").unwrap_or_default(),
            tool: call.string("name").unwrap_or_default(),
            input: CallInput::Json(call.get("args").map_or("{}", JsonText::text).to_owned()),
        });
    }
    if let Some(response) = part.get("functionResponse") {
        let failed = response.find(&["response", "error"]).is_some();
        return Some(EntryKind::Result {
            call: response.string("id").unwrap_or_default(),
            text: response_text(response),
            is_error: failed,
            exit_code: None,
            changes: Vec::new(),
        });
    }
    for key in ["inlineData", "fileData"] {
        if let Some(data) = part.get(key) {
            let bytes = data.get("data").or_else(|| data.get("fileUri"));
            return Some(EntryKind::Attachment {
                kind: data.string("mimeType").unwrap_or_else(|| key.to_owned()),
                bytes: bytes.map_or(0, |text| text.text().len().saturating_sub(2) as u64),
            });
        }
    }
    None
}
