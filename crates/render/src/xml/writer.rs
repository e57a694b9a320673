//! Elements, and text that cannot break out of them.
//!
//! Characters that XML 1.0 does not allow, and those that act on a terminal or are
//! invisible to a reader, are shown as `\u{1b}`. Apart from that, text is only changed
//! so that lines end in newlines.

use super::rules::Rule;
use crate::untrusted::is_harmful;
use jiff::Timestamp;
use std::fmt::Write as _;

/// A piece of a document.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// The start of an element that contains others.
    Open(Opening),
    /// The end of the innermost open element.
    Close,
    /// A complete element.
    Entry(String),
}

/// The start of an element that contains others.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    name: &'static str,
    /// `<name a="b"`, not closed.
    start: String,
}

impl Opening {
    /// The start tag, or the one that continues the element in a later part.
    pub(super) fn start(&self, is_continued: bool) -> String {
        let continued = if is_continued { " continued=\"true\"" } else { "" };
        format!("{}{continued}>\n", self.start)
    }

    pub(super) fn end(&self) -> String {
        format!("</{}>\n", self.name)
    }
}

/// An element under construction.
#[derive(Debug)]
pub(super) struct Element {
    name: &'static str,
    text: String,
    has_content: bool,
}

impl Element {
    pub(super) fn new(name: &'static str) -> Self {
        Element { name, text: format!("<{name}"), has_content: false }
    }

    /// Adds an attribute; attributes come before any content.
    #[must_use]
    pub(super) fn attribute(mut self, name: &str, value: &str) -> Self {
        debug_assert!(!self.has_content, "{name} comes too late");
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        push_escaped(&mut self.text, value, true);
        self.text.push('"');
        self
    }

    #[must_use]
    pub(super) fn optional(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.attribute(name, value),
            None => self,
        }
    }

    /// Adds an attribute unless it is empty.
    #[must_use]
    pub(super) fn filled(self, name: &str, value: &str) -> Self {
        self.optional(name, Some(value).filter(|value| !value.is_empty()))
    }

    #[must_use]
    pub(super) fn number(self, name: &str, value: u64) -> Self {
        self.attribute(name, &value.to_string())
    }

    #[must_use]
    pub(super) fn counted(self, name: &str, value: Option<u64>) -> Self {
        match value {
            Some(value) => self.number(name, value),
            None => self,
        }
    }

    /// Adds an attribute `true` if the flag is set.
    #[must_use]
    pub(super) fn flag(self, name: &str, is_set: bool) -> Self {
        self.optional(name, is_set.then_some("true"))
    }

    fn begin_content(&mut self) {
        if !self.has_content {
            self.has_content = true;
            self.text.push('>');
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.begin_content();
            push_escaped(&mut self.text, text, false);
        }
    }

    pub(super) fn child(&mut self, child: Element) {
        self.begin_content();
        self.text.push_str(&child.closed());
    }

    #[must_use]
    pub(super) fn with_text(mut self, text: &str) -> Self {
        self.text(text);
        self
    }

    fn closed(mut self) -> String {
        if self.has_content {
            let _ = write!(self.text, "</{}>", self.name);
        } else {
            self.text.push_str("/>");
        }
        self.text
    }

    /// The element on separate lines.
    pub(super) fn finish(self) -> String {
        self.closed() + "\n"
    }

    /// The element as the start of one that contains others.
    pub(super) fn open(self) -> Item {
        debug_assert!(!self.has_content, "content comes as items");
        Item::Open(Opening { name: self.name, start: self.text })
    }
}

/// The mark for content that a rule left out.
pub(super) fn omission_of(rule: Rule) -> Element {
    Element::new("omitted").attribute("rule", rule.name())
}

/// A time as the value of an attribute.
pub(super) fn moment(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn is_illegal(character: char) -> bool {
    is_harmful(character) || matches!(character, '\u{fffe}' | '\u{ffff}')
}

fn push_escaped(out: &mut String, text: &str, in_attribute: bool) {
    let mut from = 0;
    for (at, character) in text.char_indices() {
        // The common case needs no escape.
        if character.is_ascii_alphanumeric() || character == ' ' {
            continue;
        }
        let replacement = match character {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' if !in_attribute => "",
            '"' if in_attribute => "&quot;",
            '\n' if in_attribute => "&#10;",
            '\t' if in_attribute => "&#9;",
            '\n' | '\t' => continue,
            other if is_illegal(other) => "",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        from = at + character.len_utf8();
        match character {
            // Within text only `]]>` needs an escape.
            '>' => out.push_str(if out.ends_with("]]") { "&gt;" } else { ">" }),
            '\r' if text[from..].starts_with('\n') => {}
            _ if replacement.is_empty() => {
                let _ = write!(out, "{}", character.escape_unicode());
            }
            _ => out.push_str(replacement),
        }
    }
    out.push_str(&text[from..]);
}
