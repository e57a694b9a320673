//! Finding text in a conversation, and marking it where it is shown. Case is ignored.
//!
//! Characters are compared one by one, so that the places of matches are places in the text
//! as it is.

use library::search::Query;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::ops::Range;

/// What is looked for.
#[derive(Clone, Debug)]
pub(crate) enum Find {
    /// Any of some texts, in lower case.
    Texts(Vec<Vec<char>>),
    /// What a search found, by its rules.
    Query(Box<Query>),
}

/// A character in lower case, if that is one character. Only ASCII becomes ASCII, so that
/// bytes can be compared.
fn lower(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) if one.is_ascii() == character.is_ascii() => one,
        _ => character,
    }
}

impl Find {
    /// Looks for any of these; `None` if there is nothing to look for.
    pub(crate) fn any<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<Find> {
        let needles = texts.into_iter().map(|text| text.trim().chars().map(lower).collect());
        let needles: Vec<Vec<char>> =
            needles.filter(|needle: &Vec<char>| !needle.is_empty()).collect();
        (!needles.is_empty()).then_some(Find::Texts(needles))
    }

    /// Looks for the words of a search; `None` if it has none.
    pub(crate) fn query(text: &str) -> Option<Find> {
        let query = Query::parse(text).ok()?;
        (!text.trim().is_empty()).then(|| Find::Query(Box::new(query)))
    }

    /// Whether a text, however long, has one of them.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let needles = match self {
            Find::Texts(needles) => needles,
            Find::Query(query) => return !query.match_ranges(text).is_empty(),
        };
        needles.iter().any(|needle| {
            let is_ascii = needle.iter().all(char::is_ascii);
            if is_ascii {
                let needle: String = needle.iter().collect();
                let needle = needle.as_bytes();
                return text
                    .as_bytes()
                    .windows(needle.len())
                    .any(|part| part.eq_ignore_ascii_case(needle));
            }
            !matches_of(text, std::slice::from_ref(needle)).is_empty()
        })
    }

    /// The places of matches in a line.
    pub(crate) fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        match self {
            Find::Texts(needles) => matches_of(text, needles),
            Find::Query(query) => {
                let mut ranges: Vec<Range<usize>> =
                    query.match_ranges(text).into_iter().map(|(range, _)| range).collect();
                ranges.sort_by_key(|range| range.start);
                ranges
            }
        }
    }

    /// Whether a line has a match.
    pub(crate) fn is_on(&self, line: &Line<'_>) -> bool {
        !self.ranges(&line.to_string()).is_empty()
    }

    /// A line with its matches marked.
    pub(crate) fn marked(&self, line: &Line<'static>, hit: Style) -> Line<'static> {
        let ranges = self.ranges(&line.to_string());
        if ranges.is_empty() {
            return line.clone();
        }
        let mut spans = Vec::new();
        let mut start = 0;
        for span in &line.spans {
            let text = &*span.content;
            let mut at = 0;
            for range in &ranges {
                let from = range.start.saturating_sub(start).clamp(at, text.len());
                let to = range.end.saturating_sub(start).clamp(from, text.len());
                if from == to {
                    continue;
                }
                if at < from {
                    spans.push(Span::styled(text[at..from].to_owned(), span.style));
                }
                spans.push(Span::styled(text[from..to].to_owned(), span.style.patch(hit)));
                at = to;
            }
            if at < text.len() {
                spans.push(Span::styled(text[at..].to_owned(), span.style));
            }
            start += text.len();
        }
        Line::from(spans)
    }
}

/// The places of matches, the longest at each place, without those inside of others.
fn matches_of(text: &str, needles: &[Vec<char>]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (start, _) in text.char_indices() {
        if found.last().is_some_and(|last| start < last.end) {
            continue;
        }
        let longest = needles.iter().filter_map(|needle| {
            let mut rest = text[start..].char_indices();
            for wanted in needle {
                let (_, character) = rest.next()?;
                if lower(character) != *wanted {
                    return None;
                }
            }
            Some(rest.next().map_or(text.len(), |(at, _)| start + at))
        });
        if let Some(end) = longest.max() {
            found.push(start..end);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::style::{Color, Stylize as _};

    #[test]
    fn matches_ignore_case_and_keep_places() {
        let find = Find::any(["clock", "Zeit"]).expect("words");
        assert_eq!(find.ranges("The CLOCK of ZEIT"), [4..9, 13..17]);
        assert!(find.is_in("a clOck"));
        assert!(!find.is_in("a cloc"));
        assert!(Find::any(["", "  "]).is_none());
        let turkish = Find::any(["İx"]).expect("words");
        assert!(turkish.is_in("aİX"));
    }

    #[test]
    fn matches_are_marked_across_spans() {
        let find = Find::any(["clock"]).expect("words");
        let line = Line::from(vec!["a clo".red(), "ck on".blue()]);
        let marked = find.marked(&line, Style::new().bg(Color::Yellow));
        let shown: Vec<(&str, bool)> =
            marked.spans.iter().map(|span| (&*span.content, span.style.bg.is_some())).collect();
        assert_eq!(shown, [("a ", false), ("clo", true), ("ck", true), (" on", false)]);
    }

    proptest! {
        #[test]
        fn marking_loses_no_text(text in any::<String>(), other in "[a-cé日İ]{0,12}", word in "[a-cé日İ]{1,3}") {
            let find = Find::any([word.as_str()]).expect("a word");
            let line = Line::from(vec![Span::raw(text.replace('\n', "")), Span::raw(other)]);
            let marked = find.marked(&line, Style::new().bg(Color::Yellow));
            prop_assert_eq!(marked.to_string(), line.to_string());
            let is_marked = marked.spans.iter().any(|span| span.style.bg.is_some());
            prop_assert_eq!(is_marked, find.is_on(&line));
        }
    }
}
