//! Whether HTML is what a fragment may be: closed elements, known tags and attributes,
//! unique ids.

use std::collections::HashSet;

const TAGS: [&str; 43] = [
    "a",
    "b",
    "blockquote",
    "br",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "section",
    "span",
    "strong",
    "sub",
    "sup",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "input",
    "kbd",
    "small",
];

const VOID: [&str; 4] = ["br", "hr", "img", "input"];

const ATTRIBUTES: [&str; 17] = [
    "id",
    "class",
    "href",
    "src",
    "alt",
    "loading",
    "rel",
    "open",
    "start",
    "data-turn",
    "data-step",
    "data-tool",
    "data-status",
    "data-agent",
    "data-branch",
    "data-orphan",
    "title",
];

/// Checks HTML, and returns the ids of its elements in order.
pub(crate) fn checked_ids(html: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut ids = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a lone > in {:?}", &rest[..at]);
        rest = &rest[at + 1..];
        if let Some(closing) = rest.strip_prefix('/') {
            let end = closing.find('>').expect("a closed tag");
            assert_eq!(open.pop(), Some(&closing[..end]), "in {html}");
            rest = &closing[end + 1..];
            continue;
        }
        let end = rest.find([' ', '>']).expect("a closed tag");
        let name = &rest[..end];
        assert!(TAGS.contains(&name), "the tag {name:?} in {html}");
        rest = attributes(&rest[end..], &mut ids);
        if !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(!rest.contains('>'), "a lone >");
    assert!(open.is_empty(), "unclosed {open:?}");
    let unique: HashSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "repeated ids in {ids:?}");
    ids
}

/// Reads the attributes of a tag, and returns what follows it.
fn attributes<'h>(mut rest: &'h str, ids: &mut Vec<String>) -> &'h str {
    loop {
        rest = rest.trim_start_matches(' ');
        if let Some(after) = rest.strip_prefix('>') {
            return after;
        }
        let end = rest.find(['=', ' ', '>']).expect("a closed tag");
        let name = &rest[..end];
        assert!(ATTRIBUTES.contains(&name), "the attribute {name:?}");
        rest = &rest[end..];
        let Some(value) = rest.strip_prefix('=') else { continue };
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => {
                let (value, after) = quoted.split_once('"').expect("a closing quote");
                (value, after)
            }
            None => value.split_at(value.find([' ', '>']).expect("a closed tag")),
        };
        assert!(!value.contains(['<', '>']), "{value}");
        if matches!(name, "href" | "src") {
            let starts = ["https://", "http://", "mailto:", "#", "/"];
            assert!(starts.iter().any(|start| value.starts_with(start)), "{value}");
        }
        if name == "id" {
            ids.push(value.to_owned());
        }
        rest = after;
    }
}
