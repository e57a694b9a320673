//! Edits JSON as text: finds values, and adds or removes a member or an element
//! without changing any other byte.
//!
//! Text is checked once, strictly and without recursion ([`check()`]); all
//! other functions take checked text. Added values are formatted like their
//! surroundings: indentation, line endings, on one line or several. What
//! members mean is not known here.

mod check;

pub use check::JsonError;
pub(crate) use check::check;
use std::ops::Range;
use transcript::json::{self, skip_space};

/// A value to be written.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// Members, in order.
    Object(Vec<(&'static str, Node)>),
    /// Elements.
    Array(Vec<Node>),
    /// A string, not yet quoted.
    Text(String),
    /// A number.
    Number(u64),
}

/// A member of an object.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its key, decoded.
    pub(crate) key: String,
    /// The whole member, from its key on.
    pub(crate) whole: Range<usize>,
    /// Its value.
    pub(crate) value: Range<usize>,
}

/// White space in JSON.
pub(crate) const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Some programs write this before the text.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The members of an object, in order.
pub(crate) fn members(text: &str, object: &Range<usize>) -> Vec<Member> {
    let bytes = text.as_bytes();
    let mut members = Vec::new();
    let mut at = skip_space(bytes, object.start + 1);
    while bytes.get(at) == Some(&b'"') {
        let key = at..value_end(bytes, at);
        // Skip the colon.
        let start = skip_space(bytes, skip_space(bytes, key.end) + 1);
        let value = start..value_end(bytes, start);
        // Nobody looks for a key with half a surrogate pair.
        let name = serde_json::from_str(&text[key.clone()]).unwrap_or_default();
        at = next_child(bytes, value.end);
        members.push(Member { key: name, whole: key.start..value.end, value });
    }
    members
}

/// The elements of an array, in order.
pub(crate) fn elements(text: &str, array: &Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut elements = Vec::new();
    let mut at = skip_space(bytes, array.start + 1);
    while at + 1 < array.end {
        let element = at..value_end(bytes, at);
        at = next_child(bytes, element.end);
        elements.push(element);
    }
    elements
}

/// Skips a comma, if there is one, and white space.
fn next_child(bytes: &[u8], end: usize) -> usize {
    let at = skip_space(bytes, end);
    if bytes.get(at) == Some(&b',') { skip_space(bytes, at + 1) } else { at }
}

/// Where the value that begins here ends. The text passed [`check()`], so it does
/// end.
fn value_end(bytes: &[u8], start: usize) -> usize {
    json::value_end(bytes, start).unwrap_or(bytes.len())
}

/// The text with a member added at the end of an object.
pub(crate) fn with_member(text: &str, object: &Range<usize>, key: &str, value: &Node) -> String {
    let children: Vec<_> = members(text, object).into_iter().map(|it| it.whole).collect();
    let style = Style::of(text, object, &children);
    let written = format!("{}{}{}", quoted(key), style.colon, style.written(value, &style.indent));
    with_child(text, object, &children, &style, &written)
}

/// The text with an element added at the end of an array.
pub(crate) fn with_element(text: &str, array: &Range<usize>, value: &Node) -> String {
    let children = elements(text, array);
    let style = Style::of(text, array, &children);
    let written = style.written(value, &style.indent);
    with_child(text, array, &children, &style, &written)
}

/// The text with a value replaced.
pub(crate) fn replaced_by(text: &str, value: &Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..value.start], &text[value.end..])
}

/// The text without one child of a container, given the ranges of all its
/// children.
pub(crate) fn without_child(
    text: &str,
    container: &Range<usize>,
    children: &[Range<usize>],
    index: usize,
) -> String {
    let gone = match (index.checked_sub(1), children.get(index + 1)) {
        (_, Some(next)) => children[index].start..next.start,
        (Some(before), None) => children[before].end..children[index].end,
        (None, None) => container.start + 1..container.end - 1,
    };
    replaced_by(text, &gone, "")
}

fn with_child(
    text: &str,
    container: &Range<usize>,
    children: &[Range<usize>],
    style: &Style,
    written: &str,
) -> String {
    let line = |indent: &str| {
        if style.is_inline { String::new() } else { format!("{}{indent}", style.newline) }
    };
    if let Some(last) = children.last() {
        let gap = if style.is_inline { style.gap.clone() } else { line(&style.indent) };
        return replaced_by(text, &(last.end..last.end), &format!(",{gap}{written}"));
    }
    let inner = container.start + 1..container.end - 1;
    let (before, after) = (line(&style.indent), line(&style.outer));
    replaced_by(text, &inner, &format!("{before}{written}{after}"))
}

/// The formatting of a container.
struct Style {
    newline: &'static str,
    /// The indentation of one level.
    unit: String,
    /// The indentation of its children, and its own.
    indent: String,
    outer: String,
    is_inline: bool,
    colon: &'static str,
    /// The separator between two children on one line.
    gap: String,
}

impl Style {
    fn of(text: &str, container: &Range<usize>, children: &[Range<usize>]) -> Style {
        let first_end = text.find('\n');
        let is_crlf = first_end.is_some_and(|end| text[..end].ends_with('\r'));
        let start = text.find(|c| c != BYTE_ORDER_MARK && !SPACE.contains(&c)).unwrap_or(0);
        let top = members(text, &(start..text.len())).into_iter().next();
        let unit = match &top {
            None => Some("  "),
            Some(first) => indent_of(&text[start + 1..first.whole.start]),
        };
        let outer = &text[..container.start];
        let outer = &outer[outer.rfind('\n').map_or(0, |end| end + 1)..];
        let outer = &outer[..outer.len() - outer.trim_start_matches(SPACE).len()];
        let beginning = children.first().map(|first| &text[container.start + 1..first.start]);
        let own = beginning.map(indent_of);
        let is_spaced =
            top.is_none_or(|first| text[first.whole.start..first.value.start].ends_with(SPACE));
        let gap = match children {
            [.., before, last] => {
                let between = text[before.end..last.start].trim_start_matches(SPACE);
                Some(between.trim_start_matches(',').to_owned()).filter(|gap| !gap.contains('\n'))
            }
            _ => None,
        };
        let indent = match own {
            Some(Some(indent)) => indent.to_owned(),
            _ => format!("{outer}{}", unit.unwrap_or("  ")),
        };
        Style {
            newline: if is_crlf { "\r\n" } else { "\n" },
            unit: unit.unwrap_or("  ").to_owned(),
            indent,
            outer: outer.to_owned(),
            is_inline: own.unwrap_or(unit).is_none(),
            colon: if is_spaced { ": " } else { ":" },
            gap: gap.unwrap_or_else(|| if is_spaced { " " } else { "" }.to_owned()),
        }
    }

    /// Formats a value at this indentation.
    fn written(&self, value: &Node, indent: &str) -> String {
        let inner = format!("{indent}{}", self.unit);
        let (open, close, children): (_, _, Vec<String>) = match value {
            Node::Text(text) => return quoted(text),
            Node::Number(number) => return number.to_string(),
            Node::Array(elements) => {
                ('[', ']', elements.iter().map(|it| self.written(it, &inner)).collect())
            }
            Node::Object(members) => {
                let member = |(key, value): &(&'static str, Node)| {
                    format!("{}{}{}", quoted(key), self.colon, self.written(value, &inner))
                };
                ('{', '}', members.iter().map(member).collect())
            }
        };
        if self.is_inline {
            let comma = if self.colon == ":" { "," } else { ", " };
            return format!("{open}{}{close}", children.join(comma));
        }
        let newline = self.newline;
        let between = format!(",{newline}{inner}");
        format!("{open}{newline}{inner}{}{newline}{indent}{close}", children.join(&between))
    }
}

/// The indentation at the end of the white space before a first child; `None`
/// if the child is on the same line as its container.
fn indent_of(space: &str) -> Option<&str> {
    space.rfind('\n').map(|end| &space[end + 1..])
}

/// A string as JSON.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
