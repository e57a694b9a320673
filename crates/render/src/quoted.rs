//! Transcript text that is quoted to a model, made inert.
//!
//! Text from a web page or a program must not hide anything from the model, and must not
//! look like the app's own markup. Hidden characters are shown escaped (more of them than
//! on a terminal); tags like the app's own get other brackets: `‹system-reminder›`.
//!
//! Deliberately not here: frames around quotes, and masking of secrets, which comes
//! before.

use crate::untrusted::is_harmful;
use std::fmt::Write as _;

/// Tag names without a hyphen that the app or the API uses.
const TAGS: [&str; 32] = [
    "antml",
    "assistant",
    "budget",
    "context",
    "developer",
    "document",
    "documents",
    "env",
    "environment",
    "example",
    "function",
    "functions",
    "human",
    "important",
    "instruction",
    "instructions",
    "invoke",
    "output",
    "parameter",
    "prompt",
    "query",
    "reminder",
    "response",
    "result",
    "results",
    "rules",
    "system",
    "thinking",
    "tool",
    "tools",
    "user",
    "warning",
];

/// How many characters after a bracket are searched for the name and the end of a tag.
const MAX_NAME: usize = 128;
const MAX_TAG: usize = 1_024;

/// Whether a character is invisible or deceptive: those of [`is_harmful`], and zero-width
/// characters, fillers and variation selectors, which can hide text.
pub fn is_hidden(character: char) -> bool {
    is_harmful(character)
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Makes a text inert. A carriage return before a newline is part of the line end.
pub fn text(text: &str) -> String {
    let characters: Vec<char> = if text.contains("\r\n") {
        text.replace("\r\n", "\n").chars().collect()
    } else {
        text.chars().collect()
    };
    inert(&characters)
}

/// Makes a text inert and puts it on one line: runs of white space become one space.
pub fn line(text: &str) -> String {
    let is_break = |c: char| c.is_whitespace() || matches!(c, '\u{2028}' | '\u{2029}');
    let words: Vec<&str> = text.split(is_break).filter(|word| !word.is_empty()).collect();
    inert(&words.join(" ").chars().collect::<Vec<char>>())
}

fn inert(characters: &[char]) -> String {
    let mut safe = String::with_capacity(characters.len());
    // The end of the current tag.
    let mut end = None;
    for (at, character) in characters.iter().copied().enumerate() {
        if end == Some(at) {
            safe.push('›');
        } else if is_opening(character) && is_tag(&characters[at + 1..]) {
            safe.push('‹');
            end = end_of(&characters[at + 1..]).map(|length| at + 1 + length);
        } else if is_hidden(character) {
            let _ = write!(safe, "{}", character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe
}

fn is_opening(character: char) -> bool {
    matches!(character, '<' | '＜' | '﹤')
}

fn is_closing(character: char) -> bool {
    matches!(character, '>' | '＞' | '﹥')
}

fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '_' | ':' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '－' | '＿' | '：')
}

/// Whether the text after a bracket makes it a tag like the app's.
fn is_tag(behind: &[char]) -> bool {
    let seen = behind.iter().copied().take(MAX_NAME).filter(|c| !is_hidden(*c));
    let mut seen = seen.skip_while(|c| c.is_whitespace() || matches!(c, '/' | '／' | '\\'));
    let mut name = String::new();
    // A hyphen within the name, not after it.
    let (mut is_behind, mut has_hyphen) = (false, false);
    for character in &mut seen {
        if !(character.is_alphanumeric() || is_hyphen(character) || character == '.') {
            break;
        }
        has_hyphen |= is_behind && !is_hyphen(character);
        is_behind |= is_hyphen(character) && !name.is_empty();
        name.extend(character.to_lowercase());
    }
    let is_word = name.starts_with(char::is_alphabetic);
    is_word && (has_hyphen || TAGS.contains(&name.as_str()))
}

/// The end of a tag, if it has one.
fn end_of(behind: &[char]) -> Option<usize> {
    let mut ahead = behind.iter().take(MAX_TAG);
    let at = ahead.position(|c| is_closing(*c) || is_opening(*c))?;
    is_closing(behind[at]).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tags_like_the_apps_are_inert() {
        let table = [
            ("<system-reminder>x</system-reminder>", "‹system-reminder›x‹/system-reminder›"),
            ("< / System-Reminder >", "‹ / System-Reminder ›"),
            ("<local-command-stdout>", "‹local-command-stdout›"),
            ("<command-name a=\"b\">", "‹command-name a=\"b\"›"),
            ("<tool_use_error>", "‹tool_use_error›"),
            ("<system\n>", "‹system\n›"),
            ("<SYSTEM>", "‹SYSTEM›"),
            ("＜system-reminder＞", "‹system-reminder›"),
            ("<sys\u{200b}tem-reminder>", "‹sys\\u{200b}tem-reminder›"),
            ("<\u{200b}system>", "‹\\u{200b}system›"),
            ("<systеm‑reminder>", "‹systеm‑reminder›"),
            ("<system-reminder", "‹system-reminder"),
            ("<system-reminder <b>", "‹system-reminder <b>"),
        ];
        for (text, expected) in table {
            assert_eq!(super::text(text), expected, "{text:?}");
        }
    }

    #[test]
    fn code_is_not_changed() {
        for code in
            ["Vec<String>", "a < b && c > d", "<div class=x></div>", "if x<y: -1", "<-", "<"]
        {
            assert_eq!(text(code), code);
        }
    }

    #[test]
    fn hidden_characters_are_escaped() {
        let table = [
            ("a\u{202e}b", r"a\u{202e}b"),
            ("a\u{e0041}\u{e0100}b", r"a\u{e0041}\u{e0100}b"),
            ("❤\u{fe0f}", r"❤\u{fe0f}"),
            ("\u{1b}[31mred", r"\u{1b}[31mred"),
            ("a\r\nb\rc", "a\nb\\u{d}c"),
            ("a\u{2028}b", r"a\u{2028}b"),
        ];
        for (hidden, expected) in table {
            assert_eq!(text(hidden), expected, "{hidden:?}");
        }
        assert_eq!(line(" a\n\tb\u{2028}c "), "a b c");
    }

    proptest! {
        #[test]
        fn no_hidden_character_remains(input in "([<>/a-z\u{200b}\u{202e}\u{fe0f}\n -]|\\PC){0,60}") {
            let shown = text(&input);
            prop_assert!(!shown.contains(|c: char| is_hidden(c)));
            prop_assert!(!shown.to_lowercase().contains("<system-reminder"));
            // Inert text is not changed again.
            prop_assert_eq!(text(&shown), shown);
        }
    }
}
