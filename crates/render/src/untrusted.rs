//! Transcript text, made harmless.
//!
//! Terminals obey control characters; bidi controls change the visible order of text;
//! tag characters hide text. All of them are shown escaped, so that no text is lost and
//! no control is obeyed. Colour codes, which programs write into their output, are
//! removed: they show nothing themselves.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character could act on a terminal or deceive a reader. Newline and
/// tab are left to the caller.
pub fn is_harmful(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Whether a text is one line and nothing in it is harmful, so that it is shown as it is.
pub fn is_harmless_line(text: &str) -> bool {
    !text.contains(|c| is_harmful(c) || breaks(c))
}

/// Makes a text harmless: harmful characters are shown as `\u{1b}`. A carriage return
/// before a newline is part of the line end.
pub fn text(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") || text.contains(COLOUR_START) {
        let plain = without_colours(text).replace("\r\n", "\n");
        return Cow::Owned(escaped(&plain, is_harmful).into_owned());
    }
    escaped(text, is_harmful)
}

/// The beginning of a colour code.
const COLOUR_START: &str = "\u{1b}[";

/// A text without its colour codes, such as `\u{1b}[1;31m`. Other control sequences stay.
pub fn without_colours(text: &str) -> Cow<'_, str> {
    if !text.contains(COLOUR_START) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, parameters)) = rest.split_once(COLOUR_START) {
        plain.push_str(before);
        let end = parameters.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'));
        if let Some(after) = end.and_then(|end| parameters[end..].strip_prefix('m')) {
            rest = after;
        } else {
            plain.push_str(COLOUR_START);
            rest = parameters;
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Makes a text harmless and puts it on one line: runs of white space become one space.
pub fn line(text: &str) -> Cow<'_, str> {
    if text.contains(COLOUR_START) {
        let plain = without_colours(text);
        // The rest of a code around another one stays escaped.
        return Cow::Owned(plain_line(&plain).into_owned());
    }
    plain_line(text)
}

fn plain_line(text: &str) -> Cow<'_, str> {
    let text = text.trim_ascii();
    if !text.contains(breaks) {
        return escaped(text, is_harmful);
    }
    let joined = text.split(breaks).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    Cow::Owned(escaped(&joined, is_harmful).into_owned())
}

/// Adds a piece to a line, in the form of [`line()`]. Spaces at the ends of the piece
/// stay, because they may separate it from the next.
pub(crate) fn push_line(line: &mut String, piece: &str) {
    let printable = |so_far, byte| so_far & matches!(byte, b' '..=b'~');
    if piece.bytes().fold(true, printable) || !piece.contains(|c| is_harmful(c) || breaks(c)) {
        line.push_str(piece);
        return;
    }
    for character in piece.chars() {
        if breaks(character) {
            line.push(' ');
        } else if is_harmful(character) {
            let _ = write!(line, "{}", character.escape_unicode());
        } else {
            line.push(character);
        }
    }
}

/// JSON whose strings cannot act: harmful characters become JSON escapes, so the document
/// stays the same. A carriage return between two tokens is white space there, where an escape
/// is not JSON: it becomes a space.
pub fn json(text: &str) -> Cow<'_, str> {
    // Nearly all of it is decided by single bytes, which is several times as fast as looking
    // at characters.
    if !text.bytes().any(may_begin_harm) || !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let (mut is_string, mut is_escape) = (false, false);
    for character in text.chars() {
        if character == '\r' && !is_string {
            safe.push(' ');
        } else if is_harmful(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(character);
        }
        is_string = is_string && character != '\n';
        is_string ^= character == '"' && !is_escape;
        is_escape = is_string && character == '\\' && !is_escape;
    }
    Cow::Owned(safe)
}

/// Whether a harmful character can begin with this byte, or be it.
fn may_begin_harm(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0xb..=0x1f | 0x7f | 0xc2 | 0xd8 | 0xe2 | 0xf3)
}

fn breaks(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}')
}

fn escaped(text: &str, harmful: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&harmful) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if harmful(character) {
            let _ = write!(safe, "{}", character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escape_sequences_are_shown_escaped() {
        assert_eq!(line("\u{1b}[2Jred\u{7}"), r"\u{1b}[2Jred\u{7}");
        assert_eq!(line("a\u{202e}b\u{9b}2J"), r"a\u{202e}b\u{9b}2J");
        assert_eq!(line("x\u{e0041}y"), r"x\u{e0041}y");
        assert_eq!(line(" a\r\nb\tc "), "a b c");
        assert_eq!(text("a\n\tb\u{1b}"), "a\n\tb\\u{1b}");
    }

    #[test]
    fn pieces_of_a_line_keep_their_ends() {
        let mut line = String::new();
        for piece in ["one ", " two\n", "thrée\u{9b}", "\u{1b}"] {
            push_line(&mut line, piece);
        }
        assert_eq!(line, r"one  two thrée\u{9b}\u{1b}");
    }

    #[test]
    fn ordinary_text_is_not_copied() {
        assert!(matches!(line("héllo 日本 😀"), Cow::Borrowed(_)));
        assert!(matches!(text("two\nlines"), Cow::Borrowed(_)));
    }

    #[test]
    fn every_harmful_character_is_noticed_by_its_first_byte() {
        for character in
            (0..=char::MAX as u32).filter_map(char::from_u32).filter(|c| is_harmful(*c))
        {
            let mut bytes = [0; 4];
            let first = character.encode_utf8(&mut bytes).as_bytes()[0];
            assert!(may_begin_harm(first), "{character:?}");
        }
    }

    #[test]
    fn colour_codes_are_removed_and_other_sequences_are_shown() {
        let table = [
            ("\u{1b}[1mbold\u{1b}[22m, \u{1b}[38;5;208morange\u{1b}[0m", "bold, orange"),
            ("\u{1b}[4:3mwavy\u{1b}[m \u{1b}[31mred\u{1b}[m", "wavy red"),
            ("\u{9b}31mred", r"\u{9b}31mred"),
            ("a\u{1b}[2Jb", r"a\u{1b}[2Jb"),
            ("\u{1b}]0;title\u{7}", r"\u{1b}]0;title\u{7}"),
            ("\u{1b}[1", r"\u{1b}[1"),
            ("\u{1b}[\u{1b}[1m2J", r"\u{1b}[2J"),
        ];
        for (given, expected) in table {
            assert_eq!(text(given), expected, "{given:?}");
            assert_eq!(line(given), expected, "{given:?}");
        }
    }

    #[test]
    fn json_stays_the_same_document() {
        let value = serde_json::json!({"t": "a\u{7f}\u{202e}\u{e0041}\u{9b}\u{1b}"});
        let written = value.to_string();
        let safe = json(&written);
        assert!(!safe.contains(is_harmful));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }

    #[test]
    fn carriage_return_between_json_tokens_becomes_white_space() {
        let written = "{\r\"t\":\r\"a\u{7f}\\\"\\\\\",\r\"u\" :[1,\r2]}\r\n\"\u{9b}\"\r";
        let safe = json(written);
        assert_eq!(safe, r#"{ "t": "a\u007f\"\\", "u" :[1, 2]} "#.to_owned() + "\n\"\\u009b\" ");
        assert!(!safe.contains(is_harmful));
    }

    proptest! {
        #[test]
        fn no_harmful_character_remains(input in any::<String>()) {
            prop_assert!(!line(&input).contains(|c: char| is_harmful(c) || c == '\n' || c == '\t'));
            prop_assert!(!text(&input).contains(is_harmful));
            prop_assert!(!json(&input).contains(is_harmful));
            let mut piece = String::new();
            push_line(&mut piece, &input);
            prop_assert!(!piece.contains(|c: char| is_harmful(c) || c == '\n' || c == '\t'));
        }
    }
}
