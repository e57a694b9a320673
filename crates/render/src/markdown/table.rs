//! Tables within prose: aligned columns, and wrapped cells on narrow pages.
//!
//! Without colours a table stays valid Markdown unless a cell is wrapped. The tables of
//! commands are in `crate::table`.

use super::inline::Inline;
use super::page::Page;
use crate::columns::columns;
use crate::style::{Paint, Style};
use crate::wrap::each_line;
use pulldown_cmark::Alignment;
use std::ops::Range;

/// The minimum width of a column; a narrower page gets no columns at all.
const MIN_COLUMN: usize = 6;
/// The maximum padding on a page without a width: otherwise a single long cell would pad
/// every row.
const MAX_PADDED: usize = 60;

/// A table under construction.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Inline>>,
}

/// The characters that draw the lines of a table.
struct Frame {
    /// Before, between and after the cells of a row.
    row: [String; 3],
    /// The same for the rule below the head, and its fill.
    rule: [&'static str; 4],
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Table { alignments, rows: Vec::new() }
    }

    pub(super) fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(super) fn push_cell(&mut self, cell: Inline) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// Whether the current row is the head.
    pub(super) fn is_in_head(&self) -> bool {
        self.rows.len() == 1
    }

    pub(super) fn write(mut self, page: &mut Page) {
        page.begin_block();
        let Some(widths) = self.widths(page.room()) else {
            for row in &mut self.rows {
                page.prose(&mut joined(row, page.paint()));
            }
            return;
        };
        let frame = Frame::new(page.paint());
        for (at, row) in self.rows.iter().enumerate() {
            self.write_row(row, &widths, &frame, page);
            if at == 0 {
                page.line(&self.rule(&widths, &frame, page.paint()));
            }
        }
    }

    /// The widths of the columns, if they fit.
    fn widths(&self, room: Option<usize>) -> Option<Vec<usize>> {
        let mut widths = vec![1; self.alignments.len()];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = columns(cell.text()).max(*width);
            }
        }
        let Some(room) = room else {
            return Some(widths.iter().map(|width| *width.min(&MAX_PADDED)).collect());
        };
        let room = room.checked_sub(3 * widths.len() + 1)?;
        let taken = |most: usize| widths.iter().map(|width| *width.min(&most)).sum::<usize>();
        if taken(MIN_COLUMN) > room {
            return None;
        }
        // The widest columns shrink until all fit.
        let (mut fits, mut too_much) = (MIN_COLUMN, room.max(MIN_COLUMN) + 1);
        while too_much - fits > 1 {
            let middle = fits.midpoint(too_much);
            if taken(middle) <= room {
                fits = middle;
            } else {
                too_much = middle;
            }
        }
        let mut spare = room - taken(fits);
        for width in &mut widths {
            if *width > fits {
                let more = spare.min(1);
                spare -= more;
                *width = fits + more;
            }
        }
        Some(widths)
    }

    fn write_row(&self, row: &[Inline], widths: &[usize], frame: &Frame, page: &mut Page) {
        let is_wrapped = page.is_wrapped();
        let lines = |(cell, width): (&Inline, &usize)| {
            let mut lines: Vec<Range<usize>> = Vec::new();
            if is_wrapped && columns(cell.text()) > *width {
                each_line(cell.text(), *width, |line| lines.push(line));
            } else {
                lines.push(0..cell.text().len());
            }
            lines
        };
        let cells: Vec<_> = row.iter().zip(widths).map(lines).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        let [before, between, after] = &frame.row;
        let mut line = String::new();
        for nth in 0..height {
            line.clear();
            line.push_str(before);
            for (column, width) in widths.iter().enumerate() {
                if column > 0 {
                    line.push_str(between);
                }
                let part = cells.get(column).and_then(|lines| lines.get(nth)).cloned();
                let shown = part.clone().map_or("", |part| &row[column].text()[part]);
                let padding = width.saturating_sub(columns(shown));
                let left = match self.alignments[column] {
                    Alignment::Right => padding,
                    Alignment::Center => padding / 2,
                    Alignment::Left | Alignment::None => 0,
                };
                line.extend(std::iter::repeat_n(' ', left));
                if let Some(part) = part {
                    row[column].write(part, &mut line);
                }
                line.extend(std::iter::repeat_n(' ', padding - left));
            }
            line.push_str(after);
            page.line(&line);
        }
    }

    fn rule(&self, widths: &[usize], frame: &Frame, paint: Paint) -> String {
        let [before, between, after, fill] = frame.rule;
        let mut rule = before.to_owned();
        for (column, width) in widths.iter().enumerate() {
            if column > 0 {
                rule.push_str(between);
            }
            // Markdown marks the alignment with colons.
            let colon = if paint.enabled { fill } else { ":" };
            let (left, right) = match self.alignments[column] {
                Alignment::None => (fill, fill),
                Alignment::Left => (colon, fill),
                Alignment::Right => (fill, colon),
                Alignment::Center => (colon, colon),
            };
            rule.push_str(left);
            rule.push_str(&fill.repeat(*width));
            rule.push_str(right);
        }
        rule.push_str(after);
        paint.paint(Style::Dim, &rule)
    }
}

impl Frame {
    fn new(paint: Paint) -> Frame {
        if !paint.enabled {
            return Frame {
                row: ["| ", " | ", " |"].map(str::to_owned),
                rule: ["|", "|", "|", "-"],
            };
        }
        let bar = paint.paint(Style::Dim, "│");
        Frame {
            row: [format!("{bar} "), format!(" {bar} "), format!(" {bar}")],
            rule: ["├", "┼", "┤", "─"],
        }
    }
}

/// The cells of a row on one line.
fn joined(row: &[Inline], paint: Paint) -> Inline {
    let mut prose = Inline::new(paint);
    for (column, cell) in row.iter().enumerate() {
        prose.push_own(if column > 0 { " | " } else { "" });
        prose.push(cell.text());
    }
    prose
}
