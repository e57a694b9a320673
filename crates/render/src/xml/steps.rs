//! Messages, thinking and notices as elements.

use super::call::ResultContent;
use super::rules::Rule;
use super::walk::Walk;
use super::writer::{Element, moment, omission_of};
use crate::turn_text::final_terminal_text;
use conversation::{Step, StepKind, TurnNumber};
use std::borrow::Cow;
use transcript::{Content, Source};

/// Instructions shorter than this are repeated.
pub(super) const SHORT_DOCS: usize = 200;

impl<'v, 'a> Walk<'v, 'a> {
    /// Writes a step that is not a call. `calls` says whether its record also has a call.
    pub(super) fn step(&mut self, turn: TurnNumber, step: &'v Step<'a>, calls: bool) {
        match &step.kind {
            StepKind::Prompt { text, is_queued } => {
                self.flush_bookkeeping();
                self.last_text = None;
                let prompt = Element::new("user")
                    .filled("turn", &turn.to_string())
                    .optional("time", step.time.map(moment).as_deref())
                    .flag("queued", *is_queued);
                self.entry(prompt.with_text(text));
            }
            StepKind::Text(text) => {
                let is_echo = calls && self.last_text == Some(&**text);
                self.last_text = Some(text);
                if is_echo && self.rules.has(Rule::Echo) {
                    self.entry(omission_of(Rule::Echo).number("bytes", text.len() as u64));
                } else {
                    self.entry(Element::new("assistant").with_text(text));
                }
            }
            StepKind::Thinking(_) if !self.export.thinking => {}
            StepKind::Thinking(text) if text.trim().is_empty() => {
                // The API withheld the text.
                if !self.rules.has(Rule::Bookkeeping) {
                    self.entry(Element::new("thinking").flag("sealed", true));
                }
            }
            StepKind::Thinking(text) => self.entry(Element::new("thinking").with_text(text)),
            StepKind::Call(_) => {}
            StepKind::UnmatchedResult { call, content, is_error } => {
                let element = Element::new("tool_result").filled("id", call);
                let element = element.optional("status", is_error.then_some("error"));
                let element = element.flag("orphan", true);
                let result = ResultContent { content: content.as_ref(), whole: None };
                self.result(element, None, result, *is_error, true);
            }
            StepKind::Image(source) => self.entry(image(source)),
            StepKind::Document { title, source } => self.entry(document(title.as_deref(), source)),
            StepKind::Summary(text) => self.entry(Element::new("summary").with_text(text)),
            StepKind::Compaction { trigger, before, after } => {
                self.flush_bookkeeping();
                let compaction = Element::new("compaction")
                    .optional("trigger", trigger.as_deref())
                    .counted("before", *before)
                    .counted("after", *after);
                self.entry(compaction);
            }
            StepKind::Interruption => self.entry(Element::new("interruption")),
            StepKind::ApiError(text) => {
                let failure = Element::new("failure").attribute("status", "error");
                self.entry(failure.with_text(text));
            }
            StepKind::Notice(kind, text) => {
                self.noted(Element::new("notice").attribute("kind", kind), text);
            }
        }
    }

    /// Writes a text by the app, or a reference to the first occurrence of the same text.
    pub(super) fn noted(&mut self, element: Element, text: &str) {
        // The text may be program output for a terminal.
        let text = &*final_terminal_text(text);
        if text.len() < SHORT_DOCS {
            self.entry(element.with_text(text));
            return;
        }
        let id = format!("n{}", self.notes + 1);
        let first = self.docs.first_id_of("", text.trim(), &id);
        if let Some(first) = first.filter(|_| self.rules.has(Rule::Docs)) {
            let mut element = element;
            element.child(repeated(Rule::Docs, &first, text));
            self.entry(element);
            return;
        }
        self.notes += 1;
        self.entry(element.attribute("id", &id).with_text(text));
    }
}

/// The reference that replaces a repeated text.
pub(super) fn repeated(rule: Rule, first_id: &str, text: &str) -> Element {
    let lines = text.lines().count() as u64;
    omission_of(rule)
        .attribute("same_as", first_id)
        .number("lines", lines)
        .number("bytes", text.len() as u64)
}

/// The size of base64 data or of a text.
fn size(source: &Source<'_>) -> Option<u64> {
    let length = source.data.as_deref()?.len() as u64;
    Some(if source.kind.as_deref() == Some("text") { length } else { length / 4 * 3 })
}

/// A placeholder for an image.
pub(super) fn image(source: &Source<'_>) -> Element {
    Element::new("image")
        .optional("type", source.media_type.as_deref())
        .counted("bytes", size(source))
        .optional("url", source.url.as_deref())
}

/// A placeholder for a document.
pub(super) fn document(title: Option<&str>, source: &Source<'_>) -> Element {
    Element::new("document")
        .optional("title", title)
        .optional("type", source.media_type.as_deref())
        .counted("bytes", size(source))
        .optional("url", source.url.as_deref())
}

/// The content of a tool result as text.
pub(super) fn result_text<'c>(content: &'c Content<'_>) -> Cow<'c, str> {
    let Content::Members(members) = content else { return content.text() };
    let lines: Vec<String> =
        members.iter().map(|(name, value)| format!("{name}: {}", value.as_str())).collect();
    lines.join("\n").into()
}
