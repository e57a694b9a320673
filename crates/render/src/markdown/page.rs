//! The lines of a page: what stands before them, and the gaps between blocks.
//!
//! A block in quotes and lists has something before each of its lines: the bar
//! of a quote, the marker of an item and then the space below it. How deep that
//! goes is bounded, by a number and by the width; what lies deeper is shown
//! without. What the blocks are is not known here.

use super::inline::Inline;
use crate::style::{Paint, Style};
use crate::wrap::each_line;

/// Levels that are shown: more say nothing, and lines would grow with depth.
const MOST_LEVELS: usize = 12;
/// The columns that are left to the text of a narrow page.
const LEAST_ROOM: usize = 10;
/// A rule need not cross a wide terminal.
const RULE: usize = 40;

struct Level {
    first: String,
    rest: String,
    columns: usize,
    /// Whether no line has been written below it yet.
    fresh: bool,
}

/// Lines under way.
pub(super) struct Page {
    out: String,
    width: Option<usize>,
    paint: Paint,
    levels: Vec<Level>,
    columns: usize,
    /// The marker of an item too deep to be shown as a level.
    lead: Option<String>,
    /// Whether the next block is parted from the last by an empty line.
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

    /// The columns left to text, if they are bounded.
    pub(super) fn room(&self) -> Option<usize> {
        self.width.map(|width| width.saturating_sub(self.columns))
    }

    /// Goes into a quote. Whether it shows must be told to [`Page::leave`].
    pub(super) fn enter_quote(&mut self) -> bool {
        let bar = if self.paint.enabled {
            self.paint.paint(Style::Dim, "│") + " "
        } else {
            "> ".to_owned()
        };
        self.enter(bar.clone(), bar, 2)
    }

    /// Goes into an item of a list; its marker is ASCII.
    pub(super) fn enter_item(&mut self, marker: String) -> bool {
        let columns = marker.len();
        if self.has_place_for(columns) {
            return self.enter(marker, " ".repeat(columns), columns);
        }
        self.lead = Some(marker);
        false
    }

    fn has_place_for(&self, columns: usize) -> bool {
        self.levels.len() < MOST_LEVELS
            && self.room().is_none_or(|room| room >= columns + LEAST_ROOM)
    }

    fn enter(&mut self, first: String, rest: String, columns: usize) -> bool {
        let is_shown = self.has_place_for(columns);
        if is_shown {
            self.levels.push(Level { first, rest, columns, fresh: true });
            self.columns += columns;
        }
        is_shown
    }

    /// Leaves what was entered last.
    pub(super) fn leave(&mut self, was_shown: bool) {
        if was_shown && let Some(level) = self.levels.pop() {
            self.columns -= level.columns;
        }
    }

    /// Whether the marker of the item that was entered last is still unwritten.
    pub(super) fn has_bare_marker(&self, is_shown: bool) -> bool {
        if is_shown {
            self.levels.last().is_some_and(|level| level.fresh)
        } else {
            self.lead.is_some()
        }
    }

    /// Writes a marker that nothing follows.
    pub(super) fn bare_marker(&mut self) {
        if self.lead.is_some() {
            self.begin_block();
        } else {
            self.open_gap();
            self.begin_line();
            self.end_line();
        }
    }

    /// Begins a block that is not prose.
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

    /// Writes a block of prose, broken to the width.
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

    /// Writes one line that is harmless and of its width already.
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
