//! Texts in the forms in which the engine recognises them.

use std::borrow::Cow;
use transcript::prompt::{is_space, trim, typed_text};

/// A character that is not shown and is not white space.
const MARK: char = '\u{200b}';

/// A prompt such that the engine takes it for one.
///
/// The engine reads Claude Code's user records, in which a blank text, a text that starts with a
/// tag, and a note about an interruption are not prompts, and `/compact` is written twice.
pub(crate) fn prompt_text(text: &str) -> Cow<'_, str> {
    let is_typed = matches!(typed_text(Cow::Borrowed(text)), Some(Cow::Borrowed(_)));
    let is_attempt = matches!(trim(text).split(is_space).next(), Some("/compact" | "/clear"));
    if is_typed && !is_attempt { Cow::Borrowed(text) } else { Cow::Owned(format!("{MARK}{text}")) }
}

/// A notice in a tag that names its kind, unless it has that tag already.
pub(crate) fn notice_text(kind: &str, text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let tag: String =
        kind.chars().take(100).map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
    let tag = if tag.is_empty() { "notice" } else { &tag };
    let has_tag = trim(text).strip_prefix('<').and_then(|rest| rest.strip_prefix(tag));
    if has_tag.is_some_and(|rest| rest.starts_with('>')) {
        return text.to_owned();
    }
    format!("<{tag}>\n{text}\n</{tag}>")
}

/// What is shown of a file that is not text.
pub(crate) fn attachment_title(kind: &str, bytes: u64) -> String {
    let kind = if kind.is_empty() { "attachment" } else { kind };
    match bytes {
        0 => kind.to_owned(),
        1 => format!("{kind}, 1 byte"),
        bytes => format!("{kind}, {bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_prompts_that_would_be_mistaken_are_marked() {
        for text in ["Count the fish.", "a <b> c", "<1>", "/compactor", " two\nlines "] {
            assert_eq!(prompt_text(text), text);
        }
        let mistaken = [
            "",
            " \n",
            "<div>why?</div>",
            "<command-name>/x</command-name>",
            "<bash-input>ls</bash-input>",
            "[Request interrupted by user] really",
            "/compact",
            " /clear now",
        ];
        for text in mistaken {
            let marked = prompt_text(text);
            assert_eq!(marked.strip_prefix(MARK), Some(text));
            assert_eq!(typed_text(marked.clone()), Some(marked));
        }
    }

    #[test]
    fn a_notice_has_one_tag() {
        let cases = [
            (("info", "x"), "<info>\nx\n</info>"),
            (("", "x"), "<notice>\nx\n</notice>"),
            (("a b<", "x"), "<a-b->\nx\n</a-b->"),
            (("context", "<context>x</context>"), "<context>x</context>"),
            (("context", "<contexts>x"), "<context>\n<contexts>x\n</context>"),
        ];
        for ((kind, text), expected) in cases {
            assert_eq!(notice_text(kind, text), expected);
        }
    }
}
