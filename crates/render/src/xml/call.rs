//! Calls of tools and what came of them, as elements.

use super::discovery::is_discovery;
use super::prune::{self, Piece};
use super::rules::Rule;
use super::steps::{SHORT_DOCS, answered, paper, picture, repeated};
use super::walk::Walk;
use super::writer::{Element, left_out};
use crate::telling::{Detail, as_left_standing};
use conversation::{Status, ToolCall};
use std::borrow::Cow;
use transcript::{Block, Content, json};

/// Arguments that are paths.
const PATHS: [&str; 3] = ["file_path", "notebook_path", "path"];

/// Tools with which the model speaks to the person and hears from them.
const WITH_PERSON: [&str; 2] = ["AskUserQuestion", "ExitPlanMode"];

/// Reminders shorter than this are told again.
const SHORT_REMINDER: usize = 100;

/// What a tool answered.
pub(super) struct Told<'c> {
    /// What stands in the transcript.
    pub(super) content: Option<&'c Content<'c>>,
    /// All of it, where that is kept in a file of its own.
    pub(super) whole: Option<String>,
}

impl<'v, 'a> Walk<'v, 'a> {
    pub(super) fn call(&mut self, call: &'v ToolCall<'a>, depth: usize) {
        let places = self.export.agents_at(call);
        let is_told = self.export.tools != Detail::None;
        let is_left = self.rules.has(Rule::Discovery) && places.is_empty() && is_discovery(call);
        if is_left && is_told {
            let answer = call.answer.as_ref().map_or(0, |answer| answer.text().len());
            let input = call.input.as_ref().map_or(0, |input| input.as_str().len());
            let left = left_out(Rule::Discovery).number("calls", 1);
            self.entry(left.number("bytes", (answer + input) as u64));
            return;
        }
        let speaks_below = places.iter().any(|place| self.will_tell(*place, depth + 1));
        // What agents were asked and answered stands nowhere else.
        let is_whole = WITH_PERSON.contains(&&*call.tool) || call.is_spawn() && !speaks_below;
        if is_told {
            self.tool_use(call, is_whole);
        }
        for place in places {
            self.agent(*place, depth + 1);
        }
        if is_told {
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
        // Something other than an object.
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
        let kept = answer.persisted_name();
        let whole = kept.as_deref().and_then(self.export.persisted);
        let element = element.optional("persisted", kept.as_deref());
        if let ("Read", Status::Ok, Some(id)) = (&*call.tool, status, call.id.as_deref()) {
            let text = whole.as_deref().map_or_else(|| answer.text(), Cow::Borrowed);
            let path = call.argument("file_path").unwrap_or_default();
            if text.len() >= SHORT_DOCS
                && let Some(told) = self.reads.where_told(&path, &text, id)
                && self.rules.has(Rule::Reads)
            {
                let mut element = element;
                element.child(repeated(Rule::Reads, &told, &text));
                self.entry(element);
                return;
            }
        }
        // What a person says when they refuse is theirs.
        let is_whole = is_whole || status == Status::Denied;
        let failed = matches!(status, Status::Error | Status::Interrupted);
        let told = Told { content: answer.content.as_ref(), whole };
        self.result(element, call.id.as_deref(), told, failed, !is_whole);
    }

    /// The result of a call.
    pub(super) fn result(
        &mut self,
        mut element: Element,
        id: Option<&str>,
        told: Told<'_>,
        failed: bool,
        may_prune: bool,
    ) {
        let text = match told.whole {
            Some(whole) => Cow::Owned(whole),
            None => told.content.map(answered).unwrap_or_default(),
        };
        let text = as_left_standing(&text);
        let text = text.trim_end();
        let is_short = may_prune && self.rules.has(Rule::Results);
        let tell = |element: &mut Element, text: &str| {
            if is_short {
                tell(element, prune::result(text, failed), Rule::Results);
            } else {
                element.text(text);
            }
        };
        let mut rest = text;
        if let Some(id) = id.filter(|_| self.rules.has(Rule::Docs)) {
            while let Some((before, reminder, after)) = reminder(rest) {
                tell(&mut element, before);
                rest = after;
                let is_long = reminder.len() >= SHORT_REMINDER;
                match is_long.then(|| self.docs.where_told("", reminder, id)).flatten() {
                    Some(told) => element.child(repeated(Rule::Docs, &told, reminder)),
                    None => element.text(reminder),
                }
            }
        }
        tell(&mut element, rest);
        for block in told.content.iter().flat_map(|content| content.blocks()) {
            match block {
                Block::Image(source) => element.child(picture(source)),
                Block::Document { title, source, .. } => {
                    element.child(paper(title.as_deref(), source));
                }
                _ => {}
            }
        }
        self.entry(element);
    }
}

/// The first reminder of the app's in a text: what stands before it, the
/// reminder, what follows.
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
        // Which files changed is never lost.
        let short = if call.is_change() { None } else { prune::path(value) };
        return match short {
            Some(short) => element.attribute("cut", "path").with_text(&short),
            None => element.with_text(value),
        };
    }
    let mut element = element;
    tell(&mut element, prune::argument(value), Rule::Parameters);
    element
}

fn tell(element: &mut Element, pieces: Vec<Piece<'_>>, rule: Rule) {
    for piece in pieces {
        match piece {
            Piece::Told(text) => element.text(text),
            Piece::Left { lines, bytes } => {
                let left = left_out(rule).counted("lines", Some(lines).filter(|lines| *lines > 0));
                element.child(left.number("bytes", bytes));
            }
        }
    }
}
