//! Letters of other scripts: passwords have them too, and the tests of characters know
//! ASCII only.

use std::borrow::Cow;

/// The length in bytes of a letter beyond ASCII that words with blanks between them are
/// made of: Latin, Greek, Cyrillic, Hangul. Zero for everything else, and for scripts
/// without blanks, where a value has no end.
pub(crate) fn letter_length(letter: char) -> usize {
    let is_letter = matches!(letter,
        '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}'
        | '\u{ac00}'..='\u{d7a3}');
    if is_letter || letter.is_ascii_alphanumeric() { letter.len_utf8() } else { 0 }
}

/// The length of the letter beyond ASCII that starts at `at`; zero if none does.
pub(crate) fn wide_letter(bytes: &[u8], at: usize) -> usize {
    let length = match bytes.get(at) {
        Some(0xC3..=0xD4) => 2,
        Some(0xE1 | 0xEA..=0xED) => 3,
        _ => return 0,
    };
    bytes
        .get(at..at + length)
        .and_then(|letter| str::from_utf8(letter).ok())
        .and_then(|letter| letter.chars().next())
        .map_or(0, letter_length)
}

/// Whether a byte belongs to a word: a visible one, or a part of any character beyond ASCII.
pub(crate) fn is_visible(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte >= 0x80
}

/// The text with ASCII letters of the same case in place of each letter beyond ASCII.
pub(crate) fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            _ if letter.is_ascii() || !letter.is_alphanumeric() => plain.push(letter),
            _ if letter.is_uppercase() => plain.push('E'),
            _ if letter.is_lowercase() => plain.push('e'),
            // A syllable or a word.
            _ => plain.push_str("ee"),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_scripts_with_blanks_are_letters() {
        for (text, letters, plain) in [
            ("Möwe", 4, "Mewe"),
            ("Żółw", 4, "Eeew"),
            ("고래7", 3, "eeee7"),
            ("Берёза", 6, "Eeeeee"),
            ("さくら", 0, "eeeeee"),
            ("«x»", 1, "«x»"),
        ] {
            assert_eq!(text.chars().filter(|c| letter_length(*c) > 0).count(), letters, "{text}");
            assert_eq!(ascii(text), plain);
        }
        assert_eq!(wide_letter("aö".as_bytes(), 1), 2);
        assert_eq!(wide_letter("a고".as_bytes(), 1), 3);
        assert_eq!(wide_letter("a»".as_bytes(), 1), 0);
    }
}
