//! Definitions of links, which the parser swallows.
//!
//! `[done]: yes` defines a link named `done` for Markdown; a person who wrote
//! down a state wants to read it. The parser gives no event for such a line, so
//! lines that may be definitions are found beforehand, and those that no event
//! covers are shown as they are.

use pulldown_cmark::{Event, Tag};
use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

/// Lines that may be definitions, in order, and not passed by the parser yet.
pub(super) struct Definitions<'t> {
    text: &'t str,
    starts: Peekable<IntoIter<usize>>,
}

/// Those of a text, if there are any.
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
    /// Passes those that the event shows.
    pub(super) fn pass(&mut self, event: &Event<'_>, place: &Range<usize>) {
        if covers(event) {
            while self.starts.next_if(|start| place.contains(start)).is_some() {}
        }
    }

    /// The lines that lie before what the event is about, or in what it ends,
    /// and that no event showed.
    pub(super) fn before(&mut self, event: &Event<'_>, place: &Range<usize>) -> Vec<&'t str> {
        let passed = if matches!(event, Event::End(_)) { place.end } else { place.start };
        self.lines_until(passed)
    }

    /// The lines that are left.
    pub(super) fn rest(mut self) -> Vec<&'t str> {
        self.lines_until(self.text.len())
    }

    /// A definition may go on for lines; until the next event all is swallowed.
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

/// Whether what an event is about is shown; blocks only hold what is.
fn covers(event: &Event<'_>) -> bool {
    match event {
        Event::Start(tag) => matches!(tag, Tag::Link { .. } | Tag::Image { .. }),
        Event::End(_) => false,
        _ => true,
    }
}
