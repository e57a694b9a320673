//! Wrapping of prose.
//!
//! Lines break at spaces and next to wide characters, as in Chinese and Japanese.
//! Nothing is hyphenated or joined: each line of the text is wrapped separately.
//! Deliberately not here: escape sequences other than colours of our own; the text is
//! already harmless.

use crate::columns::{unit, without_tabs};
use std::borrow::Cow;
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

/// The lines of a text, each wrapped to this width, with the continuation of a line
/// indented by this many columns more than the line itself. The text may have colours
/// from [`Paint`](crate::Paint), which take no space. A word that is longer than a line,
/// such as a path, stays whole, so that it can be copied. Without a width nothing is
/// wrapped. Lines end as in the text.
pub fn hanging(text: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let mut shown = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        push_hanging(&mut shown, line, indent, width);
        shown.push_str(end);
    }
    shown
}

fn push_hanging(shown: &mut String, line: &str, indent: usize, width: usize) {
    let (plain, colours) = without_colours(line);
    if crate::columns(&plain) <= width {
        shown.push_str(line);
        return;
    }
    // The words get at least half of the width, however deep the indentation is.
    let margin = (after_spaces(&plain, 0) + indent).min(width / 2);
    let mut colours = colours.into_iter().peekable();
    let mut push = |shown: &mut String, from: usize, to: usize| {
        let mut at = from;
        while let Some((place, colour)) = colours.next_if(|(place, _)| *place <= to) {
            // A colour in the spaces of a break belongs to the next word.
            let place = place.max(at);
            shown.push_str(&plain[at..place]);
            shown.push_str(colour);
            at = place;
        }
        shown.push_str(&plain[at..to]);
    };
    let (mut at, mut column) = (0, 0);
    while at < plain.len() {
        let start = after_spaces(&plain, at);
        if start == plain.len() {
            break;
        }
        let end = segment_end(&plain, start);
        let columns = crate::columns(&plain[start..end]);
        let spaces = if column == 0 { (start - at).min(width / 2) } else { start - at };
        let is_first = column + spaces <= margin;
        let is_long = columns > width - margin;
        if column == 0 || column + spaces + columns <= width || (is_first && is_long) {
            push(shown, start - spaces, end);
            column += spaces + columns;
        } else {
            shown.push('\n');
            shown.extend(std::iter::repeat_n(' ', margin));
            push(shown, start, end);
            column = margin + columns;
        }
        at = end;
    }
    push(shown, plain.len(), plain.len());
}

/// The end of what must stay on one line: a word, or a wide character of one.
fn segment_end(text: &str, start: usize) -> usize {
    let mut at = start;
    let mut after_wide = false;
    while at < text.len() && text.as_bytes()[at] != b' ' {
        let (length, columns) = unit(&text[at..]);
        if at > start && (columns > 1 || after_wide) {
            break;
        }
        after_wide = columns > 1;
        at += length;
    }
    at
}

/// A line without its colours, and the colours with their places in it.
fn without_colours(line: &str) -> (Cow<'_, str>, Vec<(usize, &str)>) {
    if !line.contains('\u{1b}') {
        return (Cow::Borrowed(line), Vec::new());
    }
    let (mut plain, mut colours, mut rest) = (String::new(), Vec::new(), line);
    while let Some(start) = rest.find('\u{1b}') {
        let end = rest[start..].find('m').map_or(rest.len(), |end| start + end + 1);
        plain.push_str(&rest[..start]);
        colours.push((plain.len(), &rest[start..end]));
        rest = &rest[end..];
    }
    plain.push_str(rest);
    (Cow::Owned(plain), colours)
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

    #[test]
    fn continuations_hang_below_the_words_of_their_line() {
        let table = [
            ("short", 4, 20, "short"),
            ("one two three\nfour", 2, 8, "one two\n  three\nfour"),
            ("  one two three", 2, 10, "  one two\n    three"),
            ("a  several words here", 3, 12, "a  several\n   words\n   here"),
            ("a /long/path b", 2, 6, "a /long/path\n  b"),
            ("one /long/path b", 2, 6, "one\n  /long/path\n  b"),
            ("name  /long/path", 6, 9, "name\n    /long/path"),
            ("x one\n", 40, 4, "x one\n"),
            ("日本語の文", 1, 5, "日本\n 語の\n 文"),
        ];
        for (text, indent, width, expected) in table {
            assert_eq!(hanging(text, indent, Some(width)), expected, "{text:?} in {width}");
            assert_eq!(hanging(text, indent, None), text);
        }
    }

    #[test]
    fn colours_take_no_space_and_survive_wrapping() {
        let paint = crate::Paint { enabled: true };
        let text = format!("one {} four", paint.paint(crate::Style::Bad, "two three"));
        let shown = hanging(&text, 2, Some(8));
        assert_eq!(shown, "one \u{1b}[31mtwo\n  three\u{1b}[0m\n  four");
        assert_eq!(crate::style::unpainted(&shown), hanging("one two three four", 2, Some(8)));
    }

    fn prose() -> impl Strategy<Value = String> {
        prop_oneof![any::<String>(), "[a-c日é☎\u{fe0f}\u{301} ]{0,40}", "[a-d ]{0,60}"]
    }

    proptest! {
        #[test]
        fn hanging_lines_fit_and_lose_only_spaces(
            words in prose(),
            indent in 0usize..9,
            width in 6usize..40,
        ) {
            let text = words.replace(char::is_control, "");
            let paint = crate::Paint { enabled: true };
            let painted = format!("{text} {}", paint.paint(crate::Style::Dim, &text));
            let shown = hanging(&painted, indent, Some(width));
            let plain = crate::style::unpainted(&shown);
            for line in plain.lines() {
                // Only a long word at its end may make it wider.
                let word = line.rsplit(' ').next().unwrap_or_default();
                let is_long = word.width() > width / 2;
                prop_assert!(is_long || line.width() <= width, "{line:?} in {width}");
            }
            let squeezed = |text: &str| text.replace([' ', '\n'], "");
            prop_assert_eq!(squeezed(&plain), squeezed(&format!("{text} {text}")));
        }

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
