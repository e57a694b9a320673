//! Tool calls and their results as elements.

use super::discovery::is_discovery;
use super::prune::{self, Piece};
use super::rules::Rule;
use super::steps::{SHORT_DOCS, document, image, repeated, result_text};
use super::walk::Walk;
use super::writer::{Element, omission_of};
use crate::turn_text::{Detail, final_terminal_text};
use conversation::{Status, ToolCall, ToolKind};
use std::borrow::Cow;
use transcript::{Block, Content, json};

/// Arguments that are paths.
const PATHS: [&str; 3] = ["file_path", "notebook_path", "path"];

/// Tools with which the model asks the user.
const USER_DIALOGS: [&str; 2] = ["AskUserQuestion", "ExitPlanMode"];

/// Reminders shorter than this are repeated.
const SHORT_REMINDER: usize = 100;

/// The content of a tool result.
pub(super) struct ResultContent<'c> {
    /// The content in the transcript.
    pub(super) content: Option<&'c Content<'c>>,
    /// The full text, if it was saved in a separate file.
    pub(super) whole: Option<String>,
}

impl<'v, 'a> Walk<'v, 'a> {
    pub(super) fn call(&mut self, call: &'v ToolCall<'a>, depth: usize) {
        let indexes = self.export.agents_at(call);
        let is_shown = self.export.tools != Detail::None;
        let is_omitted =
            self.rules.has(Rule::Discovery) && indexes.is_empty() && is_discovery(call);
        if is_omitted && is_shown {
            let answer = call.answer.as_ref().map_or(0, |answer| answer.text().len());
            let input = call.input.as_ref().map_or(0, |input| input.as_str().len());
            let omission = omission_of(Rule::Discovery).number("calls", 1);
            self.entry(omission.number("bytes", (answer + input) as u64));
            return;
        }
        let shows_agents = indexes.iter().any(|index| self.will_show(*index, depth + 1));
        // Without the agent's conversation, its prompt and answer are only here.
        let is_whole = USER_DIALOGS.contains(&&*call.tool) || call.is_spawn() && !shows_agents;
        if is_shown {
            self.tool_use(call, is_whole);
        }
        for index in indexes {
            self.agent(*index, depth + 1);
        }
        if is_shown {
            self.tool_result(call, is_whole);
        }
    }

    fn tool_use(&mut self, call: &ToolCall<'_>, is_whole: bool) {
        let mut element = Element::new("tool_use")
            .attribute("name", &call.tool)
            .optional("id", call.id.as_deref());
        let input = call.input.as_ref().map_or("", |input| input.as_str());
        let is_short = self.rules.has(Rule::Parameters) && !is_whole;
        let mut has_members = false;
        for (key, value) in json::Members::new(input.as_bytes()) {
            has_members = true;
            let raw = format!("\"{}\"", String::from_utf8_lossy(key));
            let key = json::decode_string(&raw).map(|decoded| decoded.text).unwrap_or_default();
            let value = input.get(value).unwrap_or_default();
            let decoded = json::decode_string(value).map(|decoded| decoded.text);
            element.child(argument(call, &key, decoded.as_deref().unwrap_or(value), is_short));
        }
        // The input is not an object.
        if !has_members && !input.is_empty() && input != "{}" {
            element.child(argument(call, "", input, is_short));
        }
        self.entry(element);
    }

    fn tool_result(&mut self, call: &'v ToolCall<'a>, is_whole: bool) {
        let status = call.status();
        let element = Element::new("tool_result")
            .attribute("tool", &call.tool)
            .optional("id", call.id.as_deref())
            .optional("status", (status != Status::Ok).then(|| status.name()));
        let Some(answer) = &call.answer else {
            self.entry(element);
            return;
        };
        let persisted = answer.persisted_name();
        let whole = persisted.as_deref().and_then(self.export.persisted);
        let element = element.optional("persisted", persisted.as_deref());
        let is_read = call.kind() == ToolKind::Read && call.tool != "NotebookRead";
        if let (true, Status::Ok, Some(id)) = (is_read, status, call.id.as_deref()) {
            let text = whole.as_deref().map_or_else(|| answer.text(), Cow::Borrowed);
            let path = call.files().into_iter().next().unwrap_or_default();
            if text.len() >= SHORT_DOCS
                && let Some(first) = self.reads.first_id_of(&path, &text, id)
                && self.rules.has(Rule::Reads)
            {
                let mut element = element;
                element.child(repeated(Rule::Reads, &first, &text));
                self.entry(element);
                return;
            }
        }
        // The result of a denied call contains the user's own words.
        let is_whole = is_whole || status == Status::Denied;
        let failed = matches!(status, Status::Error | Status::Interrupted);
        let result = ResultContent { content: answer.content.as_ref(), whole };
        self.result(element, call.id.as_deref(), result, failed, !is_whole);
    }

    /// Writes the result of a call.
    pub(super) fn result(
        &mut self,
        mut element: Element,
        id: Option<&str>,
        result: ResultContent<'_>,
        failed: bool,
        may_prune: bool,
    ) {
        let text = match result.whole {
            Some(whole) => Cow::Owned(whole),
            None => result.content.map(result_text).unwrap_or_default(),
        };
        let text = final_terminal_text(&text);
        let text = text.trim_end();
        let is_short = may_prune && self.rules.has(Rule::Results);
        let push = |element: &mut Element, text: &str| {
            if is_short {
                push_pieces(element, prune::result(text, failed), Rule::Results);
            } else {
                element.text(text);
            }
        };
        let mut rest = text;
        if let Some(id) = id.filter(|_| self.rules.has(Rule::Docs)) {
            while let Some((before, reminder, after)) = reminder(rest) {
                push(&mut element, before);
                rest = after;
                let is_long = reminder.len() >= SHORT_REMINDER;
                match is_long.then(|| self.docs.first_id_of("", reminder, id)).flatten() {
                    Some(first) => element.child(repeated(Rule::Docs, &first, reminder)),
                    None => element.text(reminder),
                }
            }
        }
        push(&mut element, rest);
        for block in result.content.iter().flat_map(|content| content.blocks()) {
            match block {
                Block::Image(source) => element.child(image(source)),
                Block::Document { title, source, .. } => {
                    element.child(document(title.as_deref(), source));
                }
                _ => {}
            }
        }
        self.entry(element);
    }
}

/// The text before the app's first reminder, the reminder, and the text after it.
fn reminder(text: &str) -> Option<(&str, &str, &str)> {
    const END: &str = "</system-reminder>";
    let start = text.find("<system-reminder>")?;
    let end = start + text[start..].find(END)? + END.len();
    Some((&text[..start], &text[start..end], &text[end..]))
}

fn argument(call: &ToolCall<'_>, key: &str, value: &str, is_short: bool) -> Element {
    let element = Element::new("param").filled("name", key);
    if !is_short {
        return element.with_text(value);
    }
    if PATHS.contains(&key) {
        // Paths of changed files are never shortened.
        let short = if call.is_change() { None } else { prune::path(value) };
        return match short {
            Some(short) => element.attribute("cut", "path").with_text(&short),
            None => element.with_text(value),
        };
    }
    let mut element = element;
    push_pieces(&mut element, prune::argument(value), Rule::Parameters);
    element
}

fn push_pieces(element: &mut Element, pieces: Vec<Piece<'_>>, rule: Rule) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => element.text(text),
            Piece::Omission { lines, bytes } => {
                let omission =
                    omission_of(rule).counted("lines", Some(lines).filter(|lines| *lines > 0));
                element.child(omission.number("bytes", bytes));
            }
        }
    }
}
