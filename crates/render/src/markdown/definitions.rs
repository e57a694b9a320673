//! Link definitions, for which the parser emits no events.
//!
//! In Markdown, `[done]: yes` defines a link named `done`, but the writer may have meant
//! it as text. So lines that may be definitions are found beforehand, and those that no
//! event covers are shown verbatim.

use pulldown_cmark::{Event, Tag};
use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

/// Lines that may be definitions and that the parser has not passed yet, in order.
pub(super) struct Definitions<'t> {
    text: &'t str,
    starts: Peekable<IntoIter<usize>>,
}

/// Finds the possible definitions of a text.
pub(super) fn find(text: &str) -> Option<Definitions<'_>> {
    if !text.contains("]:") {
        return None;
    }
    let mut starts = Vec::new();
    let mut line_start = 0;
    for line in text.split('\n') {
        let words =
            line.trim_start_matches(|c: char| " \t>-+*.)".contains(c) || c.is_ascii_digit());
        if words.starts_with('[') && words.contains("]:") {
            starts.push(line_start + line.len() - words.len());
        }
        line_start += line.len() + 1;
    }
    (!starts.is_empty()).then(|| Definitions { text, starts: starts.into_iter().peekable() })
}

impl<'t> Definitions<'t> {
    /// Removes those that an event shows.
    pub(super) fn pass(&mut self, event: &Event<'_>, range: &Range<usize>) {
        if covers(event) {
            while self.starts.next_if(|start| range.contains(start)).is_some() {}
        }
    }

    /// The lines before an event, or within the block that it ends, that no event showed.
    pub(super) fn before(&mut self, event: &Event<'_>, range: &Range<usize>) -> Vec<&'t str> {
        let passed = if matches!(event, Event::End(_)) { range.end } else { range.start };
        self.lines_until(passed)
    }

    /// The remaining lines.
    pub(super) fn rest(mut self) -> Vec<&'t str> {
        self.lines_until(self.text.len())
    }

    /// A definition can span several lines; the parser skips all of them.
    fn lines_until(&mut self, end: usize) -> Vec<&'t str> {
        let Some(start) = self.starts.next_if(|start| *start < end) else { return Vec::new() };
        while self.starts.next_if(|start| *start < end).is_some() {}
        let lines = self.text.get(start..end).unwrap_or_default().lines();
        lines
            .map(|line| line.trim_matches([' ', '\t', '>']))
            .filter(|line| !line.is_empty())
            .collect()
    }
}

/// Whether an event shows text itself; block events only contain it.
fn covers(event: &Event<'_>) -> bool {
    match event {
        Event::Start(tag) => matches!(tag, Tag::Link { .. } | Tag::Image { .. }),
        Event::End(_) => false,
        _ => true,
    }
}
