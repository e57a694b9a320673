//! Long output with its middle left out.
//!
//! For the output of commands: plain text, not wrapped and not coloured.

use crate::columns::without_tabs;
use crate::{bytes, cut, untrusted};

/// The first and the last lines of a text, with a line between them that says how much
/// is left out and which option shows it; a short text is complete. Lines are harmless
/// and truncated to the width. Every line ends with a newline.
pub fn folded(
    text: &str,
    head: usize,
    tail: usize,
    width: Option<usize>,
    option: Option<&str>,
) -> String {
    let mut shown = String::new();
    let (first, middle, last) = parts(text, head, tail);
    push_lines(&mut shown, first, width);
    if !middle.is_empty() {
        let count = middle.lines().count();
        let size = bytes(middle.len() as u64);
        let option = option.map(|option| format!(", {option} shows them")).unwrap_or_default();
        shown += &cut(&format!("… {count} lines ({size}) left out{option} …"), width);
        shown.push('\n');
    }
    push_lines(&mut shown, last, width);
    shown
}

/// The beginning, the middle to leave out, and the end of a text. The middle is empty if
/// it has only one line: the line that replaces it would be as long.
fn parts(text: &str, head: usize, tail: usize) -> (&str, &str, &str) {
    let head_end = match head.checked_sub(1) {
        None => 0,
        Some(nth) => match text.match_indices('\n').nth(nth) {
            Some((at, _)) => at + 1,
            None => return (text, "", ""),
        },
    };
    let (first, rest) = text.split_at(head_end);
    let tail_start = match tail.checked_sub(1) {
        None => rest.len(),
        Some(nth) => {
            let mut ends = rest.strip_suffix('\n').unwrap_or(rest).rmatch_indices('\n');
            match ends.nth(nth) {
                Some((at, _)) => at + 1,
                None => return (text, "", ""),
            }
        }
    };
    let (middle, last) = rest.split_at(tail_start);
    if middle.lines().nth(1).is_none() {
        return (text, "", "");
    }
    (first, middle, last)
}

fn push_lines(shown: &mut String, text: &str, width: Option<usize>) {
    for line in text.lines() {
        let line = untrusted::text(line);
        match width {
            None => shown.push_str(&line),
            Some(_) => shown.push_str(&cut(&without_tabs(&line), width)),
        }
        shown.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn middle_of_long_output_is_left_out() {
        let table = [
            ("", 2, 1, ""),
            ("\n", 2, 1, "\n"),
            ("a\nb\nc", 2, 1, "a\nb\nc\n"),
            ("a\nb\nc\nd\n", 2, 1, "a\nb\nc\nd\n"),
            ("a\nb\nc\nd\ne\n", 2, 1, "a\nb\n… 2 lines (4 B) left out …\ne\n"),
            ("a\nb\nc\nd\ne", 0, 2, "… 3 lines (6 B) left out …\nd\ne\n"),
            ("a\nb\nc\nd\ne", 2, 0, "a\nb\n… 3 lines (5 B) left out …\n"),
            ("a\nb", 0, 0, "… 2 lines (3 B) left out …\n"),
            ("a", 0, 0, "a\n"),
            ("a\nb\nc\n\n", 1, 1, "a\n… 2 lines (4 B) left out …\n\n"),
            ("a\r\nb\r\n", 5, 5, "a\nb\n"),
        ];
        for (text, head, tail, expected) in table {
            let shown = folded(text, head, tail, None, None);
            assert_eq!(shown, expected, "{text:?} {head} {tail}");
        }
    }

    #[test]
    fn line_for_the_middle_names_the_option_that_shows_it() {
        let shown = folded("a\nb\nc\nd", 1, 1, None, Some("--tools full"));
        assert_eq!(shown, "a\n… 2 lines (4 B) left out, --tools full shows them …\nd\n");
    }

    #[test]
    fn lines_are_harmless_and_truncated() {
        let shown = folded("\u{1b}[2Jcleared\n\tindented text\nok", 5, 5, Some(12), None);
        assert_eq!(shown, "\\u{1b}[2Jcl…\n        ind…\nok\n");
    }

    proptest! {
        #[test]
        fn shown_lines_are_harmless_and_fit_the_width(
            text in any::<String>(),
            lines in "[a日\t\n]{0,60}",
            head in 0usize..4,
            tail in 0usize..4,
            width in 1usize..20,
        ) {
            for text in [text, lines] {
                let shown = folded(&text, head, tail, Some(width), None);
                prop_assert!(!shown.contains(untrusted::is_harmful));
                for line in shown.lines() {
                    prop_assert!(line.width() <= width, "{line:?} in {width}");
                }
                prop_assert!(shown.lines().count() <= head + tail + 1);
            }
        }
    }
}
