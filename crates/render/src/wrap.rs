//! Wrapping of prose.
//!
//! Lines break at spaces and next to wide characters, as in Chinese and Japanese.
//! Nothing is hyphenated or joined: each line of the text is wrapped separately.
//! Deliberately not here: escape sequences; the text is already harmless.

use crate::columns::{unit, without_tabs};
use std::ops::Range;

/// The text in lines of at most this width, without newlines. The minimum is two columns;
/// a character wider than the width (a Khmer one takes three) gets a separate line.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let line = without_tabs(line);
        each_line(&line, width, |range| lines.push(line[range].to_owned()));
    }
    lines
}

/// Calls `line` with the range of each wrapped line of a line of text, in order and
/// without the spaces at the breaks. An empty text is one empty line.
pub(crate) fn each_line(text: &str, width: usize, mut line: impl FnMut(Range<usize>)) {
    let width = width.max(2);
    let indentation = after_spaces(text, 0);
    if indentation == text.len() {
        line(0..0);
        return;
    }
    // The words get at least half of the line, however deep the indentation is.
    let mut start = indentation - indentation.min((width - 2) / 2);
    let mut words = indentation;
    while start < text.len() {
        let (end, next) = line_end(text, start, words, width);
        line(start..end);
        start = next;
        words = next;
    }
}

/// The end of the line from `start`, whose words begin at `words`, and the start of the
/// next.
fn line_end(text: &str, start: usize, words: usize, width: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let window = &bytes[start..bytes.len().min(start.saturating_add(width).saturating_add(1))];
    if !window.is_ascii() {
        return line_end_by_units(text, start, words, width);
    }
    if window.len() <= width {
        return (text.trim_end_matches(' ').len(), text.len());
    }
    match window.iter().rposition(|byte| *byte == b' ') {
        Some(space) if start + space > words => {
            let space = start + space;
            (before_spaces(text, space), after_spaces(text, space))
        }
        _ => (start + width, start + width),
    }
}

fn line_end_by_units(text: &str, start: usize, words: usize, width: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut column = words - start;
    let mut at = words;
    let mut last_break = None;
    let mut after_wide = false;
    while at < bytes.len() {
        if bytes[at] == b' ' {
            let next = after_spaces(text, at);
            last_break = Some((at, next));
            column += next - at;
            at = next;
            after_wide = false;
            continue;
        }
        let (length, columns) = unit(&text[at..]);
        let is_wide = columns > 1;
        if (is_wide || after_wide) && at > words && bytes[at - 1] != b' ' {
            last_break = Some((at, at));
        }
        if column + columns > width && at > words {
            return last_break.unwrap_or((at, at));
        }
        column += columns;
        at += length;
        after_wide = is_wide;
    }
    (text.trim_end_matches(' ').len(), text.len())
}

fn before_spaces(text: &str, end: usize) -> usize {
    text[..end].trim_end_matches(' ').len()
}

fn after_spaces(text: &str, start: usize) -> usize {
    let spaces = text.as_bytes()[start..].iter().take_while(|byte| **byte == b' ');
    start + spaces.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn lines_break_at_spaces_and_wide_characters() {
        let table: &[(&str, usize, &[&str])] = &[
            ("", 10, &[]),
            ("\n", 10, &[""]),
            ("one two", 10, &["one two"]),
            ("one two three", 8, &["one two", "three"]),
            ("exactly ten", 11, &["exactly ten"]),
            ("exactly ten", 10, &["exactly", "ten"]),
            ("a\n\nb\n", 10, &["a", "", "b"]),
            ("a  b", 10, &["a  b"]),
            ("ab   cd", 5, &["ab", "cd"]),
            ("  indented text", 10, &["  indented", "text"]),
            ("                    x", 6, &["  x"]),
            ("   \nx", 6, &["", "x"]),
            ("abcdefghij", 4, &["abcd", "efgh", "ij"]),
            ("x abcdefghij", 4, &["x", "abcd", "efgh", "ij"]),
            ("日本語の文", 4, &["日本", "語の", "文"]),
            ("日本語", 5, &["日本", "語"]),
            ("see 日本語", 8, &["see 日本", "語"]),
            ("über naïve café", 10, &["über naïve", "café"]),
            ("e\u{301}e\u{301}e\u{301}", 2, &["e\u{301}e\u{301}", "e\u{301}"]),
            ("a\tb", 20, &["a       b"]),
            ("end  ", 10, &["end"]),
            ("日", 0, &["日"]),
        ];
        for (text, width, expected) in table {
            assert_eq!(&wrapped(text, *width), expected, "{text:?} in {width}");
        }
    }

    fn prose() -> impl Strategy<Value = String> {
        prop_oneof![any::<String>(), "[a-c日é☎\u{fe0f}\u{301} ]{0,40}", "[a-d ]{0,60}"]
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_width(text in prose(), width in 3usize..30) {
            for line in wrapped(&text.replace(char::is_control, ""), width) {
                prop_assert!(line.width() <= width, "{line:?} in {width}");
            }
        }

        #[test]
        fn only_spaces_are_lost(text in prose(), width in 0usize..30) {
            let text = text.replace(char::is_control, "");
            let squeezed = |text: &str| text.replace(' ', "");
            prop_assert_eq!(squeezed(&wrapped(&text, width).concat()), squeezed(&text));
        }
    }
}
