//! The lines of a page: their prefixes, and the gaps between blocks.
//!
//! Blocks in quotes and lists have a prefix before each line: the bar of a quote, the
//! marker of an item and then its indent. The depth is limited by a number and by the
//! width; deeper levels are shown without a prefix. Deliberately not here: the kinds of
//! blocks.

use super::inline::Inline;
use crate::style::{Paint, Style};
use crate::wrap::each_line;

/// How many levels are shown: more do not help, and lines would grow with depth.
const MAX_LEVELS: usize = 12;
/// The minimum columns for text on a narrow page.
const MIN_ROOM: usize = 10;
/// The longest horizontal rule.
const RULE: usize = 40;

struct Level {
    first: String,
    rest: String,
    columns: usize,
    /// Whether no line has been written in it yet.
    fresh: bool,
}

/// The lines written so far.
pub(super) struct Page {
    out: String,
    width: Option<usize>,
    paint: Paint,
    levels: Vec<Level>,
    columns: usize,
    /// The marker of an item too deep to be shown as a level.
    lead: Option<String>,
    /// Whether an empty line separates the next block from the last.
    pub(super) gap: bool,
}

impl Page {
    pub(super) fn new(width: Option<usize>, paint: Paint, capacity: usize) -> Self {
        Page {
            out: String::with_capacity(capacity),
            width: width.map(|width| width.max(2)),
            paint,
            levels: Vec::new(),
            columns: 0,
            lead: None,
            gap: false,
        }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn paint(&self) -> Paint {
        self.paint
    }

    pub(super) fn is_wrapped(&self) -> bool {
        self.width.is_some()
    }

    /// The columns available for text, if they are limited.
    pub(super) fn room(&self) -> Option<usize> {
        self.width.map(|width| width.saturating_sub(self.columns))
    }

    /// Enters a quote. Returns whether it is shown, which [`Page::leave`] needs to know.
    pub(super) fn enter_quote(&mut self) -> bool {
        let bar = if self.paint.enabled {
            self.paint.paint(Style::Dim, "│") + " "
        } else {
            "> ".to_owned()
        };
        self.enter(bar.clone(), bar, 2)
    }

    /// Enters a list item; its marker is ASCII.
    pub(super) fn enter_item(&mut self, marker: String) -> bool {
        let columns = marker.len();
        if self.has_room_for(columns) {
            return self.enter(marker, " ".repeat(columns), columns);
        }
        self.lead = Some(marker);
        false
    }

    fn has_room_for(&self, columns: usize) -> bool {
        self.levels.len() < MAX_LEVELS && self.room().is_none_or(|room| room >= columns + MIN_ROOM)
    }

    fn enter(&mut self, first: String, rest: String, columns: usize) -> bool {
        let is_shown = self.has_room_for(columns);
        if is_shown {
            self.levels.push(Level { first, rest, columns, fresh: true });
            self.columns += columns;
        }
        is_shown
    }

    /// Leaves the innermost level.
    pub(super) fn leave(&mut self, was_shown: bool) {
        if was_shown && let Some(level) = self.levels.pop() {
            self.columns -= level.columns;
        }
    }

    /// Whether the marker of the innermost item is not written yet.
    pub(super) fn has_bare_marker(&self, is_shown: bool) -> bool {
        if is_shown {
            self.levels.last().is_some_and(|level| level.fresh)
        } else {
            self.lead.is_some()
        }
    }

    /// Writes a marker without text.
    pub(super) fn bare_marker(&mut self) {
        if self.lead.is_some() {
            self.begin_block();
        } else {
            self.open_gap();
            self.begin_line();
            self.end_line();
        }
    }

    /// Starts a block that is not prose.
    pub(super) fn begin_block(&mut self) {
        if self.lead.is_some() {
            self.prose(&mut Inline::new(self.paint));
        } else {
            self.open_gap();
        }
    }

    fn open_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if !gap || self.out.is_empty() {
            return;
        }
        for level in self.levels.iter().take_while(|level| !level.fresh) {
            self.out.push_str(&level.rest);
        }
        self.end_line();
    }

    fn begin_line(&mut self) {
        for level in &mut self.levels {
            self.out.push_str(if level.fresh { &level.first } else { &level.rest });
            level.fresh = false;
        }
    }

    fn end_line(&mut self) {
        let end = self.out.trim_end_matches(' ').len();
        self.out.truncate(end);
        self.out.push('\n');
    }

    /// Writes a block of prose, wrapped to the width.
    pub(super) fn prose(&mut self, prose: &mut Inline) {
        self.open_gap();
        if let Some(lead) = self.lead.take() {
            prose.lead_with(&lead);
        }
        let room = self.room().unwrap_or(usize::MAX);
        let mut start = 0;
        for line in prose.text().split('\n') {
            each_line(line, room, |part| {
                self.begin_line();
                prose.write(start + part.start..start + part.end, &mut self.out);
                self.end_line();
            });
            start += line.len() + 1;
        }
    }

    /// Writes one line that is already harmless and fits.
    pub(super) fn line(&mut self, line: &str) {
        self.begin_line();
        if line.is_empty() {
            self.end_line();
        } else {
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    pub(super) fn rule(&mut self) {
        self.begin_block();
        if self.paint.enabled {
            let columns = self.room().unwrap_or(RULE).min(RULE);
            self.line(&self.paint.paint(Style::Dim, &"─".repeat(columns)));
        } else {
            self.line(if self.room().is_some_and(|room| room < 3) { "--" } else { "---" });
        }
    }
}
