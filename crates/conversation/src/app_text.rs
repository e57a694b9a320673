//! Plain text from the tags and nested error objects that the app writes.

use transcript::prompt::trim;
use transcript::{Json, System, json};

/// The innermost message and the status of an API error, as far as recorded.
pub(crate) fn failure(system: &System<'_>) -> Option<String> {
    let error = system.error.as_ref()?;
    let mut inner = error.as_str();
    let mut message = None;
    // Errors are nested a few levels deep.
    for _ in 0..4 {
        message = json::member(inner, "message").and_then(json::decode_string).or(message);
        let Some(next) = json::member(inner, "error") else { break };
        inner = next;
    }
    let mut words = message.map(|message| message.text.into_owned()).unwrap_or_default();
    if let Some(status) = error.member("status").filter(|status| *status != "null") {
        words.push_str(&format!(" ({status})"));
    }
    let words = words.trim_start();
    (!words.is_empty()).then(|| words.to_owned())
}

/// The text of an API error in the form of a message. If it has no text, the kind and
/// the status of the error.
pub(crate) fn failure_message(
    text: String,
    error: Option<&Json<'_>>,
    status: Option<&Json<'_>>,
) -> String {
    if !trim(&text).is_empty() {
        return text;
    }
    let kind = error.and_then(|error| json::decode_string(error.as_str()));
    let kind = kind.map(|kind| kind.text.into_owned()).filter(|kind| kind != "unknown");
    let status = status.map(Json::as_str).filter(|status| *status != "null");
    match (kind, status) {
        (Some(kind), Some(status)) => format!("{kind} ({status})"),
        (Some(kind), None) => kind,
        (None, Some(status)) => format!("status {status}"),
        (None, None) => String::new(),
    }
}

/// The text of API errors, one after the other, that have no reason.
pub(crate) fn silent_failure(count: u64) -> String {
    match count {
        1 => "no reason recorded".to_owned(),
        count => format!("no reason recorded, {count} times in a row"),
    }
}

/// A text in tags of the app: (the first tag, the content of all tags, one per
/// line).
pub(crate) fn untagged(text: &str) -> (String, String) {
    let (tags, rest) = tags(text);
    let Some((first, _)) = tags.first() else { return ("note".to_owned(), text.to_owned()) };
    // A single tag mostly holds a list of other tags.
    if let ([(_, only)], "") = (&tags[..], rest)
        && opening_tag(only).is_some()
    {
        let (tags, rest) = self::tags(only);
        let named = tags.iter().map(|(name, inner)| format!("{name}: {inner}"));
        return (first.to_string(), lines(named.chain([rest.to_owned()])));
    }
    let inner = tags.iter().map(|(_, inner)| (*inner).to_owned());
    (first.to_string(), lines(inner.chain([rest.to_owned()])))
}

/// The tags at the beginning of a text, each with its content, and the rest. An
/// unclosed tag extends to the end.
fn tags(text: &str) -> (Vec<(&str, &str)>, &str) {
    let mut tags = Vec::new();
    let mut rest = trim(text);
    while let Some(name) = opening_tag(rest) {
        let after = &rest[name.len() + 2..];
        let (inner, next) = after.split_once(&format!("</{name}>")).unwrap_or((after, ""));
        tags.push((name, trim(inner)));
        rest = trim(next);
    }
    (tags, rest)
}

/// The name of the tag at the beginning of a text.
fn opening_tag(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))?;
    (end > 0 && rest[end..].starts_with('>')).then(|| &rest[..end])
}

fn lines(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_lines() {
        let table = [
            ("plain", ("note", "plain")),
            ("<a>x</a>", ("a", "x")),
            ("<out>x</out><err></err>", ("out", "x")),
            ("<out>x</out> <err>y</err> z", ("out", "x\ny\nz")),
            ("<open>x", ("open", "x")),
            ("<task><id>1</id><state>done</state></task>", ("task", "id: 1\nstate: done")),
            ("<not a tag>x", ("note", "<not a tag>x")),
        ];
        for (text, (tag, inner)) in table {
            assert_eq!(untagged(text), (tag.to_owned(), inner.to_owned()), "{text}");
        }
    }
}
