//! The lines that set a session's title or tag, byte for byte as Claude Code
//! writes them.
//!
//! A title is trimmed and otherwise unchanged: any length, control characters
//! included. A non-ASCII tag is first normalized (NFKC) and loses its invisible
//! characters. Where the line goes is not known here.

use serde::Serialize;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_public_assigned;

// The order of the members is part of the format: readers search for lines that
// begin with their type.
#[derive(Serialize)]
struct Title<'a> {
    r#type: &'static str,
    #[serde(rename = "customTitle")]
    custom_title: &'a str,
    #[serde(rename = "sessionId")]
    session_id: &'a str,
}

#[derive(Serialize)]
struct Tag<'a> {
    r#type: &'static str,
    tag: &'a str,
    #[serde(rename = "sessionId")]
    session_id: &'a str,
}

/// A title as it is stored; `None` if it is empty after trimming.
pub fn title(text: &str) -> Option<String> {
    Some(trimmed(text).to_owned()).filter(|title| !title.is_empty())
}

/// A tag as it is stored; `None` if it is empty after normalization.
pub fn tag(text: &str) -> Option<String> {
    let mut tag = text.to_owned();
    while !tag.is_ascii() {
        let plain: String = tag.nfkc().filter(|character| is_visible(*character)).collect();
        // Removing characters may have joined others, which now compose.
        if plain == tag {
            break;
        }
        tag = plain;
    }
    Some(trimmed(&tag).to_owned()).filter(|tag| !tag.is_empty())
}

/// The line that sets a session's title.
pub fn title_line(session_id: &str, title: &str) -> serde_json::Result<String> {
    serde_json::to_string(&Title { r#type: "custom-title", custom_title: title, session_id })
}

/// The line that sets a session's tag; an empty tag removes it.
pub fn tag_line(session_id: &str, tag: &str) -> serde_json::Result<String> {
    serde_json::to_string(&Tag { r#type: "tag", tag, session_id })
}

/// Trims JavaScript's white space, which differs from Rust's.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|character: char| {
        character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
    })
}

/// Whether a character is assigned, not for private use and not a format
/// character.
fn is_visible(character: char) -> bool {
    is_public_assigned(character)
        && !matches!(character,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_trimmed_and_otherwise_unchanged() {
        let long = "x".repeat(100_000);
        let table = [
            ("Salt", Some("Salt")),
            ("\u{feff} \t\n Salt \u{2029}\u{3000}", Some("Salt")),
            ("\u{85}Salt\u{200b}", Some("\u{85}Salt\u{200b}")),
            ("a\nb\u{1b}[31m", Some("a\nb\u{1b}[31m")),
            (&long, Some(long.as_str())),
            (" \n", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(title(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn non_ascii_tags_lose_invisible_characters() {
        let table = [
            ("sea", Some("sea")),
            (" a\u{7}b\u{7f} ", Some("a\u{7}b\u{7f}")),
            ("ｓｅａ", Some("sea")),
            ("ﬁn", Some("fin")),
            ("e\u{200b}\u{301}", Some("é")),
            ("a\u{202e}b\u{e0041}c\u{e000}d\u{ffff}", Some("abcd")),
            ("\u{85}é", Some("\u{85}é")),
            ("\u{200b}\u{feff}", None),
            ("\u{a0}", None),
        ];
        for (text, expected) in table {
            assert_eq!(tag(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_have_the_official_order_and_escapes() {
        let line = title_line("i", "a\"\\\n\u{1b}\u{7f}\u{2028}é").expect("a line");
        let expected = "{\"type\":\"custom-title\",\"customTitle\":\"a\\\"\\\\\\n\\u001b\u{7f}\u{2028}é\",\"sessionId\":\"i\"}";
        assert_eq!(line, expected);
        let line = tag_line("i", "").expect("a line");
        assert_eq!(line, r#"{"type":"tag","tag":"","sessionId":"i"}"#);
    }
}
