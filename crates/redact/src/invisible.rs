//! Text without its invisible parts: terminal escape sequences and zero-width
//! characters. If they interrupt a secret, stripping them later would put it
//! together again, so such a text is searched without them as well.
//!
//! The output keeps all of them; this is only used to find positions.

use std::borrow::Cow;
use std::ops::Range;

use crate::view::View;

/// The longest operating system command that is recognized.
const LONGEST_COMMAND: usize = 4096;

/// The visible part of a text; `None` if all of it is visible, as is nearly always
/// the case.
pub(crate) fn visible(text: &str) -> Option<View> {
    let bytes = text.as_bytes();
    let mut search = InvisibleRanges { bytes, at: 0, escape: memchr::memchr(0x1B, bytes) };
    let mut hidden = search.next()?;
    let mut visible = View::with_capacity(bytes.len());
    let mut done = 0;
    loop {
        visible.push(&text[done..hidden.start], done);
        if hidden.is_empty() {
            return Some(visible);
        }
        done = hidden.end;
        hidden = search.next().unwrap_or(bytes.len()..bytes.len());
    }
}

/// Whether the text is ASCII without escape sequences: all of it is visible, and
/// nothing in it is wide. Most strings are short and plain: one pass without
/// branches.
pub(crate) fn is_plain(text: &str) -> bool {
    text.as_bytes().iter().fold(0, |found, b| found | (b & 0x80) | u8::from(*b == 0x1B)) == 0
}

/// The visible text.
pub(crate) fn strip(text: &str) -> Cow<'_, str> {
    visible(text).map_or(Cow::Borrowed(text), |visible| Cow::Owned(visible.text))
}

/// Iterates over the invisible ranges.
struct InvisibleRanges<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The start of the next escape sequence: searched once for all the
    /// characters before it.
    escape: Option<usize>,
}

impl Iterator for InvisibleRanges<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let before = &self.bytes[self.at..self.escape.unwrap_or(self.bytes.len())];
        let character = memchr::memchr3_iter(0xE2, 0xEF, 0xC2, before)
            .find_map(|at| width(&before[at..]).map(|length| self.at + at..self.at + at + length));
        if let Some(character) = character {
            self.at = character.end;
            return Some(character);
        }
        let start = self.escape?;
        self.at = start + sequence_length(&self.bytes[start..]);
        self.escape = memchr::memchr(0x1B, &self.bytes[self.at..]).map(|next| self.at + next);
        Some(start..self.at)
    }
}

/// The length of a zero-width character.
fn width(bytes: &[u8]) -> Option<usize> {
    match bytes {
        // Soft hyphen.
        [0xC2, 0xAD, ..] => Some(2),
        // Zero width space and joiners, word joiner, byte order mark.
        [0xE2, 0x80, 0x8B..=0x8D, ..] | [0xE2, 0x81, 0xA0, ..] | [0xEF, 0xBB, 0xBF, ..] => Some(3),
        _ => None,
    }
}

/// The length of the escape sequence at the start. It is ASCII throughout, or
/// ends where its content does.
fn sequence_length(bytes: &[u8]) -> usize {
    match bytes.get(1) {
        Some(b'[') => {
            let inner = bytes[2..].iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
            2 + inner + usize::from(bytes.get(2 + inner).is_some_and(|b| (0x40..0x7F).contains(b)))
        }
        Some(b']') => {
            let inner = &bytes[2..bytes.len().min(2 + LONGEST_COMMAND)];
            match memchr::memchr3(0x07, 0x1B, b'\n', inner) {
                Some(end) if inner[end] == 0x07 => 2 + end + 1,
                Some(end) if inner[end..].starts_with(b"\x1b\\") => 2 + end + 2,
                _ => 2,
            }
        }
        // The character set.
        Some(b'(' | b')') if bytes.get(2).is_some_and(u8::is_ascii_alphanumeric) => 3,
        Some(b'=' | b'>' | b'7' | b'8' | b'M' | b'c' | b'\\') => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_parts_are_stripped_and_ranges_map_to_the_whole_text() {
        for (text, seen) in [
            ("a\u{1b}[01;31mbc\u{1b}[Kd\u{1b}[m", "abcd"),
            ("\u{200b}ab\u{200d}c\u{2060}d\u{feff}", "abcd"),
            ("ab\u{ad}cd", "abcd"),
            ("ab\u{1b}]8;;https://x/\u{7}cd\u{1b}]8;;\u{1b}\\", "abcd"),
            ("a\u{1b}", "a"),
            ("\u{1b}(Bab", "ab"),
            ("\u{1b}[", ""),
            ("é\u{1b}[→", "é→"),
            ("\u{1b}]é", "é"),
        ] {
            let visible = visible(text).unwrap();
            assert_eq!(visible.text, seen, "{text:?}");
            if seen == "abcd" {
                let source_range = visible.source_range(1..3);
                assert!(text[source_range.clone()].starts_with('b'), "{text:?}");
                assert!(text[source_range].ends_with('c'), "{text:?}");
            }
        }
    }

    #[test]
    fn a_fully_visible_text_is_not_copied() {
        for text in ["", "plain", "naïve — “text” → 秘密 …", "\u{fffd}"] {
            assert!(visible(text).is_none(), "{text}");
        }
    }
}
