//! The part of a text to show for its matches.
//!
//! Whole lines, with the requested number of lines around them; very long lines
//! and matches are truncated to what a person can read. Omissions are shown as
//! `…`.

use crate::pattern::Pattern;

/// Part of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// Where in it the matches are.
    pub(super) matches: Vec<(usize, usize)>,
    /// Whether there are more matches.
    pub(super) is_cut: bool,
}

/// The most matches of one text to show.
const MOST_MATCHES: usize = 100;

/// How many bytes of a line to show before and after a match, and of a match
/// itself.
const REACH: usize = 500;
const LONGEST_MATCH: usize = 4000;

/// The sign for omitted text.
const GAP: &str = "…";

/// How much to show around a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextLines {
    /// Its lines, and this many lines before and after them.
    Lines {
        /// How many lines before.
        before: usize,
        /// How many lines after.
        after: usize,
    },
    /// Nothing: the matches alone, one a line.
    Nothing,
}

impl ContextLines {
    /// This many lines before and after.
    pub fn lines(count: usize) -> Self {
        ContextLines::Lines { before: count, after: count }
    }
}

/// The lines of a text that match.
pub(super) fn of(pattern: &Pattern, text: &str, around: ContextLines) -> Excerpt {
    match around {
        ContextLines::Lines { before, after } => lines(pattern, text, before, after),
        ContextLines::Nothing => matches_alone(pattern, text),
    }
}

/// The matches, one a line. Empty ones have nothing to show.
fn matches_alone(pattern: &Pattern, text: &str) -> Excerpt {
    let mut excerpt = Excerpt::default();
    for found in pattern.find_all(text).filter(|found| !found.is_empty()) {
        if excerpt.matches.len() == MOST_MATCHES {
            excerpt.is_cut = true;
            break;
        }
        if !excerpt.text.is_empty() {
            excerpt.text.push('\n');
        }
        let start = excerpt.text.len();
        let end = found.end.min(text.ceil_char_boundary(found.start + LONGEST_MATCH));
        excerpt.text += &text[found.start..end];
        excerpt.matches.push((start, excerpt.text.len()));
        if end < found.end {
            excerpt.text += GAP;
        }
    }
    excerpt
}

fn lines(pattern: &Pattern, text: &str, lines_before: usize, lines_after: usize) -> Excerpt {
    let mut excerpt = Excerpt::default();
    // The end of the text shown so far.
    let mut shown = 0;
    for (number, found) in pattern.find_all(text).enumerate() {
        if number == MOST_MATCHES {
            excerpt.is_cut = true;
            break;
        }
        let end = found.end.min(text.ceil_char_boundary(found.start + LONGEST_MATCH));
        let from = before(text, found.start, lines_before);
        let to = after(text, found.start, end, lines_after);
        if number == 0 || from > shown {
            let is_line_start = from == 0 || text.as_bytes()[from - 1] == b'\n';
            if number > 0 {
                // No gap between consecutive lines.
                let next = text[shown..from].strip_prefix('\n').map(str::is_empty);
                excerpt.text += match next {
                    Some(true) => "\n",
                    _ if text[shown..from].contains('\n') => "\n…\n",
                    _ => GAP,
                };
            }
            if !is_line_start && (number == 0 || text[shown..from].contains('\n')) {
                excerpt.text += GAP;
            }
            excerpt.text += &text[from..found.start];
        } else if shown < found.start {
            excerpt.text += &text[shown..found.start];
        }
        // The text shown so far may reach into the match or beyond it.
        let shown_to = shown.max(found.start);
        let is_new = number == 0 || from > shown;
        let shown_to = if is_new { found.start } else { shown_to };
        let back = shown_to - found.start;
        let start = excerpt.text.len() - back;
        if shown_to < to {
            excerpt.text += &text[shown_to..to];
        }
        excerpt.matches.push((start, start + (end - found.start)));
        shown = shown_to.max(to);
    }
    let is_line_end = shown == text.len()
        || text.as_bytes()[shown] == b'\n'
        || shown.checked_sub(1).is_none_or(|last| text.as_bytes()[last] == b'\n');
    if !is_line_end {
        excerpt.text += GAP;
    }
    excerpt
}

/// Where to start showing a match.
fn before(text: &str, start: usize, context: usize) -> usize {
    let least = start.saturating_sub(REACH.saturating_mul(context.saturating_add(1)));
    let least = text.floor_char_boundary(least);
    let mut at = start;
    for _ in 0..=context {
        match memchr::memrchr(b'\n', &text.as_bytes()[least..at]) {
            Some(newline) => at = least + newline,
            None => return least,
        }
    }
    at + 1
}

/// Where to stop.
fn after(text: &str, start: usize, end: usize, context: usize) -> usize {
    let most = end.saturating_add(REACH.saturating_mul(context.saturating_add(1)));
    let most = text.ceil_char_boundary(most.min(text.len()));
    // A newline at the end of a match ends its last line.
    let is_ended = end > start && text.as_bytes()[end - 1] == b'\n';
    let mut at = if is_ended { end - 1 } else { end };
    for number in 0..=context {
        match memchr::memchr(b'\n', &text.as_bytes()[at..most]) {
            Some(newline) if number == context => return (at + newline).max(end),
            Some(newline) => at += newline + 1,
            None => return most.max(end),
        }
    }
    at.max(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::PatternOptions;

    fn excerpt_of(pattern: &str, text: &str, around: ContextLines) -> (String, Vec<String>) {
        let pattern = Pattern::new(pattern, PatternOptions::default()).expect("a pattern");
        let excerpt = of(&pattern, text, around);
        let matches = excerpt.matches.iter().map(|(from, to)| excerpt.text[*from..*to].to_owned());
        let matches = matches.collect();
        (excerpt.text, matches)
    }

    #[test]
    fn matching_lines_are_shown_with_their_context() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix";
        let table: [(&str, usize, &str, &[&str]); 8] = [
            ("three", 0, "three", &["three"]),
            ("three", 1, "two\nthree\nfour", &["three"]),
            ("t", 0, "two\nthree", &["t", "t"]),
            ("one|six", 0, "one\n…\nsix", &["one", "six"]),
            ("one|six", 9, text, &["one", "six"]),
            ("two\nthr", 0, "two\nthree", &["two\nthr"]),
            ("two\n", 0, "two\n", &["two\n"]),
            ("^", 0, text, &["", "", "", "", "", ""]),
        ];
        for (pattern, context, expected, matches) in table {
            let (shown, found) = excerpt_of(pattern, text, ContextLines::lines(context));
            assert_eq!(
                (shown.as_str(), found.as_slice()),
                (expected, &matches.iter().map(ToString::to_string).collect::<Vec<_>>()[..]),
                "{pattern}"
            );
        }
    }

    #[test]
    fn very_long_lines_are_truncated_around_their_matches() {
        let text =
            format!("{}needle{}needle{}", "é".repeat(9000), "ü".repeat(9000), "ö".repeat(9000));
        let (shown, found) = excerpt_of("needle", &text, ContextLines::lines(0));
        assert_eq!(found, ["needle", "needle"]);
        assert!(
            shown.starts_with("…é") && shown.ends_with("ö…") && shown.contains("ü…ü"),
            "{shown}"
        );
        assert!(shown.len() < 4 * REACH + 100, "{}", shown.len());
        let whole = "x".repeat(20_000);
        for around in [ContextLines::lines(0), ContextLines::Nothing] {
            let shown = excerpt_of("x+", &whole, around).0;
            assert!(shown.len() < LONGEST_MATCH + REACH + 10 && shown.ends_with(GAP), "{shown}");
        }
    }

    #[test]
    fn lines_before_and_after_a_match_are_counted_separately() {
        let text = "one\ntwo\nthree\nfour\nfive";
        let shown =
            |before, after| excerpt_of("three", text, ContextLines::Lines { before, after }).0;
        assert_eq!(shown(1, 0), "two\nthree");
        assert_eq!(shown(0, 2), "three\nfour\nfive");
    }

    #[test]
    fn matches_alone_are_shown_one_a_line() {
        let (shown, found) =
            excerpt_of("t[a-z]*", "one two\nthree\nfour, ten", ContextLines::Nothing);
        assert_eq!(shown, "two\nthree\nten");
        assert_eq!(found, ["two", "three", "ten"]);
        assert_eq!(excerpt_of("x*", "one", ContextLines::Nothing).0, "");
    }

    proptest::proptest! {
        #[test]
        fn match_ranges_cover_the_matches(
            text in "([abé\n]|[ab]{300}|é{400}|\n\n){0,12}",
            pattern in proptest::sample::select(vec!["a", "é+", "(?s).", "a\n", "\n+", "^", "b$", "[ab]+", "é\n*a"]),
            context in 0_usize..4,
        ) {
            let pattern = Pattern::new(pattern, PatternOptions::default()).expect("a pattern");
            let excerpt = of(&pattern, &text, ContextLines::lines(context));
            let found: Vec<&str> = pattern.find_all(&text).map(|found| &text[found]).collect();
            let shown: Vec<&str> =
                excerpt.matches.iter().map(|(from, to)| &excerpt.text[*from..*to]).collect();
            proptest::prop_assert_eq!(excerpt.is_cut, found.len() > MOST_MATCHES);
            proptest::prop_assert_eq!(shown.len(), found.len().min(MOST_MATCHES));
            for (shown, found) in shown.iter().zip(found) {
                proptest::prop_assert!(*shown == found || shown.len() >= LONGEST_MATCH);
            }
        }
    }
}
