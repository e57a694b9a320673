//! The pieces that each line puts into the context.
//!
//! Not every record reaches the model: the output of hooks is mostly for the
//! person, and a line can be marked as visible in the transcript only. Those add
//! nothing.

use super::reads::FileRead;
use super::{Category, IMAGE_TOKENS, Size, label};
use std::collections::HashMap;
use transcript::{
    Assistant, Attachment, Block, Body, Content, Json, Record, System, ToolResult, ToolUse, User,
    json,
};

/// One item in the context.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) category: Category,
    pub(super) name: Option<String>,
    pub(super) label: String,
    pub(super) line: u64,
    pub(super) bytes: u64,
    /// Characters of text. Those of scripts without spaces between words count four
    /// times, because each is about one token.
    pub(super) characters: u64,
    /// Images, and documents that are not text.
    pub(super) images: u64,
    pub(super) file_read: Option<FileRead>,
}

impl Piece {
    fn new(category: Category, name: Option<&str>, text: Text, line: u64) -> Piece {
        Piece {
            category,
            name: name.map(str::to_owned),
            label: String::new(),
            line,
            bytes: text.bytes,
            characters: text.characters,
            images: 0,
            file_read: None,
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate of something that fits into memory"
    )]
    pub(super) fn size(&self, characters_per_token: f64) -> Size {
        let text = (self.characters as f64 / characters_per_token).ceil() as u64;
        Size { count: 1, bytes: self.bytes, tokens: text + self.images * IMAGE_TOKENS }
    }
}

/// An amount of text.
#[derive(Clone, Copy, Default)]
struct Text {
    bytes: u64,
    characters: u64,
}

impl Text {
    fn of(text: &str) -> Text {
        let mut amount = Text::default();
        amount.add(text);
        amount
    }

    fn add(&mut self, text: &str) {
        // The first code point of Chinese, Japanese and Korean.
        const WIDE: char = '\u{2e80}';
        self.bytes += text.len() as u64;
        self.characters += text.chars().map(|c| if c < WIDE { 1 } else { 4 }).sum::<u64>();
    }

    fn add_json(&mut self, text: &str) {
        json::string_values(text, |text| self.add(&text));
    }
}

/// A call whose result is still to come.
#[derive(Clone, Debug, Default)]
struct KnownCall {
    name: Option<String>,
    label: String,
    file_read: Option<FileRead>,
}

/// Collects the pieces, line by line.
#[derive(Default)]
pub(super) struct PieceCollector {
    pub(super) pieces: Vec<Piece>,
    calls: HashMap<String, KnownCall>,
    /// The newest system prompt, and the newest list of tools.
    snapshot: [Option<Piece>; 2],
}

impl PieceCollector {
    /// Takes over the system prompt and the tools that a line says are in effect. They are
    /// before everything else in each window, also in windows after a compaction, and a later
    /// snapshot replaces an earlier one.
    pub(super) fn note_snapshot(&mut self, record: &Record<'_>, line: u64) {
        let Body::Attachment(attachment) = &record.body else { return };
        if attachment.kind.as_deref() != Some(SNAPSHOT) {
            return;
        }
        let Some(snapshot) = attachment_text(record) else { return };
        let mut prompt = Text::default();
        prompt.add_json(json::member(snapshot, "systemPrompt").unwrap_or_default());
        // The schema of a tool is what the model is given: its name and description too.
        let mut tools = Text::default();
        for tool in json::elements(json::member(snapshot, "tools").unwrap_or_default()) {
            tools.add(json::member(tool, "schema").unwrap_or(tool));
        }
        let parts = [("system_prompt", prompt), ("tools", tools)];
        for (newest, (name, text)) in self.snapshot.iter_mut().zip(parts) {
            if text.bytes > 0 {
                *newest = Some(Piece::new(Category::SystemAndMemory, Some(name), text, line));
            }
        }
    }

    /// All pieces, and how many of them are before those of the first line.
    pub(super) fn finish(self) -> (Vec<Piece>, usize) {
        let mut pieces: Vec<Piece> = self.snapshot.into_iter().flatten().collect();
        let before = pieces.len();
        pieces.extend(self.pieces);
        (pieces, before)
    }

    pub(super) fn note(&mut self, record: &Record<'_>, line: u64) {
        match &record.body {
            Body::User(user) => self.user(user, record, line),
            Body::Assistant(assistant) => self.assistant(assistant, line),
            Body::Attachment(attachment) => self.attachment(attachment, record, line),
            Body::System(system) => self.system(system, line),
            _ => {}
        }
    }

    fn user(&mut self, user: &User<'_>, record: &Record<'_>, line: u64) {
        let message = user.message.as_deref().and_then(|message| message.content.as_ref());
        let Some(content) = message.or(user.content.as_ref()) else { return };
        let known = user.source_tool_use_id.as_ref().and_then(|id| self.calls.get(id.as_str()));
        let (category, name) = if user.is_compact_summary {
            (Category::CompactSummaries, None)
        } else if user.is_visible_in_transcript_only {
            return;
        } else if let Some(known) = known {
            // The text of a skill is a separate line.
            (Category::ToolResults, known.name.clone())
        } else if record.envelope.is_meta {
            (Category::Attachments, Some("note".to_owned()))
        } else {
            let is_by_app = user.prompt_source.as_deref() == Some("system");
            match user.origin_kind.as_deref() {
                None if is_by_app => (Category::Attachments, Some("note".to_owned())),
                None | Some("human") => (Category::Prompts, None),
                Some(sender) => (Category::Attachments, Some(sender.to_owned())),
            }
        };
        self.user_content(content, category, name.as_deref(), line);
    }

    /// Adds user content, including tool results.
    fn user_content(
        &mut self,
        content: &Content<'_>,
        category: Category,
        name: Option<&str>,
        line: u64,
    ) {
        if let Content::Text(text) = content {
            return self.text(category, name, text, line);
        }
        for block in content.blocks() {
            match block {
                Block::Text(text) => self.text(category, name, text, line),
                Block::ToolResult(result) => self.result(result, line),
                Block::Image(_) | Block::Document { .. } => {
                    self.picture(block, "prompt", "", line);
                }
                _ => {}
            }
        }
    }

    fn assistant(&mut self, assistant: &Assistant<'_>, line: u64) {
        if assistant.is_api_error_message {
            return;
        }
        let message = assistant.message.as_deref().and_then(|message| message.content.as_ref());
        let Some(content) = message.or(assistant.content.as_ref()) else { return };
        if let Content::Text(text) = content {
            self.text(Category::AssistantText, None, text, line);
        }
        for block in content.blocks() {
            match block {
                Block::Text(text) => self.text(Category::AssistantText, None, text, line),
                Block::Thinking { thinking, signature, .. } => {
                    // Hidden thinking is about as long as its signature.
                    let signature = signature.as_deref().unwrap_or_default();
                    let shown = if thinking.is_empty() { signature } else { thinking };
                    let piece = self.add(Category::Thinking, None, Text::of(shown), line);
                    piece.label = label::of_text(thinking);
                }
                Block::RedactedThinking { data, .. } => {
                    let data = data.as_deref().unwrap_or_default();
                    self.add(Category::Thinking, None, Text::of(data), line);
                }
                Block::ToolUse(call) | Block::ServerToolUse(call) => self.call(call, line),
                Block::ServerToolResult { result, .. } => self.result(result, line),
                _ => {}
            }
        }
    }

    fn call(&mut self, call: &ToolUse<'_>, line: u64) {
        let name = call.name.as_deref().unwrap_or("(unnamed)");
        let mut known = KnownCall { name: Some(name.to_owned()), ..KnownCall::default() };
        let mut text = Text::of(name);
        if let Some(input) = &call.input {
            text.add(input.as_str());
            known.label = label::of_input(input);
            known.file_read = file_read(name, input);
        }
        self.add(Category::ToolInputs, Some(name), text, line).label.clone_from(&known.label);
        if let Some(id) = &call.id {
            self.calls.insert(id.to_string(), known);
        }
    }

    fn result(&mut self, result: &ToolResult<'_>, line: u64) {
        let id = result.tool_use_id.as_ref();
        let known = id.and_then(|id| self.calls.get(id.as_str())).cloned().unwrap_or_default();
        let name = known.name.as_deref().unwrap_or("(unknown)");
        let mut text = Text::default();
        match &result.content {
            Some(Content::Text(content)) => text.add(content),
            Some(Content::Blocks(blocks)) => {
                for block in blocks {
                    if matches!(block, Block::Image(_) | Block::Document { .. }) {
                        self.picture(block, name, &known.label, line);
                    } else {
                        text.add(&transcript::text::of_block(block));
                    }
                }
            }
            Some(Content::Members(members)) => {
                for (_, value) in members {
                    text.add_json(value.as_str());
                }
            }
            None => {}
        }
        let piece = self.add(Category::ToolResults, Some(name), text, line);
        piece.label = known.label;
        piece.file_read = known.file_read.filter(|_| !result.is_error);
    }

    fn attachment(&mut self, attachment: &Attachment<'_>, record: &Record<'_>, line: u64) {
        let kind = attachment.kind.as_deref().unwrap_or("(untyped)");
        if kind == SNAPSHOT {
            return;
        }
        if kind == "queued_command" {
            if let Some(prompt) = &attachment.prompt {
                match attachment.command_mode.as_deref() {
                    None | Some("prompt") => {
                        self.user_content(prompt, Category::Prompts, None, line);
                    }
                    Some(mode) => {
                        self.user_content(prompt, Category::Attachments, Some(mode), line);
                    }
                }
            }
            return;
        }
        if kind.starts_with("hook_") && !reaches_the_model(kind, attachment) {
            return;
        }
        let is_system = is_listing(kind) || is_system_reminder(kind);
        let category = if is_system { Category::SystemAndMemory } else { Category::Attachments };
        let is_picture = attachment
            .content
            .as_ref()
            .and_then(|content| content.member_string("type"))
            .is_some_and(|kind| matches!(&*kind, "image" | "pdf"));
        let text = if is_picture { Text::default() } else { attached_text(record) };
        let piece =
            self.add(if is_picture { Category::Images } else { category }, Some(kind), text, line);
        piece.images = u64::from(is_picture);
        piece.label = label::of_attachment(attachment);
        if kind == "file" {
            let path = attachment.filename.as_deref();
            piece.file_read = path.map(|path| FileRead { path: path.to_owned(), part: None });
        }
    }

    fn system(&mut self, system: &System<'_>, line: u64) {
        // The output of a command reaches the model; other system records do not.
        if system.subtype.as_deref() != Some("local_command") {
            return;
        }
        if let Some(content) = &system.content {
            self.text(Category::Attachments, Some("local_command"), &content.text(), line);
        }
    }

    fn text(&mut self, category: Category, name: Option<&str>, text: &str, line: u64) {
        self.add(category, name, Text::of(text), line).label = label::of_text(text);
    }

    fn picture(&mut self, block: &Block<'_>, name: &str, label: &str, line: u64) {
        let (Block::Image(source) | Block::Document { source, .. }) = block else { return };
        let data = source.data.as_deref().unwrap_or_default();
        let is_text = source.kind.as_deref() == Some("text");
        let text =
            if is_text { Text::of(data) } else { Text { bytes: data.len() as u64, characters: 0 } };
        let piece = self.add(Category::Images, Some(name), text, line);
        piece.images = u64::from(!is_text);
        label.clone_into(&mut piece.label);
    }

    fn add(&mut self, category: Category, name: Option<&str>, text: Text, line: u64) -> &mut Piece {
        self.pieces.push(Piece::new(category, name, text, line));
        let last = self.pieces.len() - 1;
        &mut self.pieces[last]
    }
}

/// The file that a call reads, if any.
fn file_read(tool: &str, input: &Json<'_>) -> Option<FileRead> {
    if !matches!(tool, "Read" | "NotebookRead") {
        return None;
    }
    let path = input.member_string("file_path").or_else(|| input.member_string("notebook_path"))?;
    let part: Vec<&str> =
        ["offset", "limit", "pages"].map(|key| input.member(key).unwrap_or_default()).to_vec();
    let is_whole = part.iter().all(|value| matches!(*value, "" | "null"));
    Some(FileRead { path: path.into_owned(), part: (!is_whole).then(|| part.join(" ")) })
}

/// The attachment that holds the system prompt and the tools in effect.
const SNAPSHOT: &str = "prompt_snapshot";

/// Attachments with what the system prompt of older versions says: where, when and as which
/// model the model works.
const SYSTEM_REMINDERS: [&str; 8] = [
    "agent_ask_notice",
    "date",
    "date_change",
    "environment",
    "model",
    "plugin_note",
    "remote_session_change",
    "session_context",
];

/// Whether an attachment is the system prompt in effect, or a part of it that newer versions
/// write apart: nothing that a person attached.
pub fn is_system_reminder(kind: &str) -> bool {
    kind == SNAPSHOT || SYSTEM_REMINDERS.contains(&kind)
}

/// Whether an attachment belongs to the content that every session starts with.
fn is_listing(kind: &str) -> bool {
    let marks = ["memory", "memories", "listing", "tools_delta", "mcp_instructions"];
    marks.iter().any(|mark| kind.contains(mark))
}

/// Whether the output of a hook reaches the model: the context it added, why it
/// blocked something, and its output before a prompt.
fn reaches_the_model(kind: &str, attachment: &Attachment<'_>) -> bool {
    match kind {
        "hook_additional_context" | "hook_blocking_error" | "hook_stopped_continuation" => true,
        "hook_success" => {
            matches!(
                attachment.hook_event.as_deref(),
                Some("SessionStart" | "UserPromptSubmit" | "SubagentStart")
            )
        }
        _ => false,
    }
}

/// Members of attachments that are for the app, not for the model.
const FOR_THE_APP: [&str; 24] = [
    "type",
    "toolUseID",
    "hookName",
    "hookEvent",
    "command",
    "stdout",
    "stderr",
    "displayPath",
    "source_uuid",
    "commandMode",
    "removedNames",
    "removedTypes",
    "readdedNames",
    "needsAuthMcpServers",
    "pendingMcpServers",
    "names",
    "addedTypes",
    "allowedTools",
    "reminderType",
    "autoModeConsentFlow",
    "planFilePath",
    "path",
    "filename",
    "origin",
];

/// The attachment of a record, as JSON.
fn attachment_text<'r>(record: &Record<'r>) -> Option<&'r str> {
    json::member(str::from_utf8(record.raw).ok()?, "attachment")
}

/// The text that an attachment puts into the context: the text that the model was given,
/// where the record has it. Without that, each kind has different members, so all strings
/// count except those known to be for the app.
fn attached_text(record: &Record<'_>) -> Text {
    let mut text = Text::default();
    let raw = str::from_utf8(record.raw).unwrap_or_default();
    if let Some(rendered) = json::member(raw, "rendered") {
        for given in json::elements(rendered) {
            text.add_json(json::member(given, "content").unwrap_or_default());
        }
        return text;
    }
    let Some(attachment) = attachment_text(record) else { return text };
    let has = |key| json::member(attachment, key).is_some_and(|value| value.len() > 2);
    // The lines and blocks of a listing repeat its names.
    let names_are_repeated = has("addedLines") || has("addedBlocks");
    for (key, value) in json::Members::new(attachment.as_bytes()) {
        let Ok(key) = str::from_utf8(key) else { continue };
        if FOR_THE_APP.contains(&key) || (key == "addedNames" && names_are_repeated) {
            continue;
        }
        text.add_json(attachment.get(value).unwrap_or_default());
    }
    text
}
