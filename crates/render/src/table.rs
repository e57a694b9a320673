//! Tables that fit the terminal, with one line per row.
//!
//! Columns are as wide as their cells. If the table is too wide for the terminal,
//! columns that may shrink do so, the widest first, and their cells are truncated with
//! `…`. If that is not enough, columns are dropped. Cells are untrusted and made
//! harmless here.

use crate::columns::unit;
use crate::style::{Paint, Style};
use crate::untrusted;
use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;

/// The alignment of cells in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Left-aligned.
    Left,
    /// Right-aligned, for numbers.
    Right,
    /// Aligned at the decimal point, for amounts.
    Decimal,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    title: Cow<'static, str>,
    align: Align,
    style: Style,
    shrinks_to: Option<usize>,
    drop_order: Option<u8>,
    keeps_end: bool,
    is_wide: bool,
}

impl Column {
    /// A column of fixed width.
    pub fn new(title: impl Into<Cow<'static, str>>) -> Self {
        Column {
            title: title.into(),
            align: Align::Left,
            style: Style::Plain,
            shrinks_to: None,
            drop_order: None,
            keeps_end: false,
            is_wide: false,
        }
    }

    /// Aligns the cells to the right.
    #[must_use]
    pub fn right(mut self) -> Self {
        self.align = Align::Right;
        self
    }

    /// Aligns the cells at their decimal points.
    #[must_use]
    pub fn decimal(mut self) -> Self {
        self.align = Align::Decimal;
        self
    }

    /// Shows the cells in a style.
    #[must_use]
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Lets the column shrink to this width on a narrow terminal.
    #[must_use]
    pub fn shrinks_to(mut self, width: usize) -> Self {
        self.shrinks_to = Some(width);
        self
    }

    /// Truncates cells at their beginning, between two folders: for paths. The column
    /// does not shrink below the last folder of any path, within reason.
    #[must_use]
    pub fn keeps_end(mut self) -> Self {
        self.keeps_end = true;
        self
    }

    /// Gives the column at least 40 % of the width if its cells need that: for titles.
    /// Other columns are dropped to make room.
    #[must_use]
    pub fn wide(mut self) -> Self {
        self.is_wide = true;
        self
    }

    /// Drops the column if even shrunk columns do not fit; the highest number is dropped
    /// first.
    #[must_use]
    pub fn drop_order(mut self, order: u8) -> Self {
        self.drop_order = Some(order);
        self
    }
}

/// Rows of cells with column titles.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    /// Whether the last row is the total of the others.
    has_total: bool,
}

const GAP: &str = "  ";

/// The part of the width that a wide column gets.
const WIDE_PERCENT: usize = 40;

/// The longest name of a folder that is never truncated.
const LONGEST_FOLDER: usize = 24;

impl Table {
    /// An empty table.
    pub fn new(columns: Vec<Column>) -> Self {
        Table { columns, rows: Vec::new(), has_total: false }
    }

    /// Adds a row with one cell per column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells = cells.into_iter().map(|cell| untrusted::line(&cell).into_owned()).collect();
        self.rows.push(cells);
    }

    /// Adds the last row, which totals the others: bold, below a rule.
    pub fn total(&mut self, cells: impl IntoIterator<Item = String>) {
        self.row(cells);
        self.has_total = true;
    }

    /// Whether it has rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table, at most `width` wide if its columns allow that.
    pub fn render(&self, width: Option<usize>, paint: Paint) -> String {
        if self.columns.iter().all(|column| column.align != Align::Decimal) {
            return self.render_padded(width, paint);
        }
        let mut table = self.clone();
        table.pad_fractions();
        table.render_padded(width, paint)
    }

    /// Pads the amounts of each column so that their decimal points are below each other.
    fn pad_fractions(&mut self) {
        for (at, column) in self.columns.iter().enumerate() {
            if column.align != Align::Decimal {
                continue;
            }
            let fractions = self.rows.iter().map(|row| fraction(&row[at]).width());
            let longest = fractions.max().unwrap_or(0);
            for row in self.rows.iter_mut().filter(|row| !row[at].is_empty()) {
                let missing = longest - fraction(&row[at]).width();
                row[at].push_str(&" ".repeat(missing));
            }
        }
    }

    fn render_padded(&self, width: Option<usize>, paint: Paint) -> String {
        // Empty columns are not shown.
        let mut shown: Vec<usize> = (0..self.columns.len())
            .filter(|column| self.rows.iter().any(|row| !row[*column].is_empty()))
            .collect();
        while let Some(limit) = width
            && self.min_width(&shown, limit) > limit
            && let Some(last) = shown
                .iter()
                .copied()
                .filter(|at| self.columns[*at].drop_order.is_some())
                .max_by_key(|at| self.columns[*at].drop_order)
        {
            shown.retain(|column| *column != last);
        }
        let widths = self.widths(&shown, width);
        let mut text = String::new();
        let titles =
            shown.iter().map(|column| (self.columns[*column].title.as_ref(), Style::Heading));
        text.push_str(&self.line(titles, &shown, &widths, paint));
        for (number, row) in (1..).zip(&self.rows) {
            let is_total = self.has_total && number == self.rows.len();
            if is_total {
                let whole = widths.iter().sum::<usize>() + gaps(&shown);
                let rule = "─".repeat(whole.min(width.unwrap_or(whole)));
                text.push_str(&(paint.paint(Style::Dim, &rule) + "\n"));
            }
            let cells = shown.iter().map(|column| {
                let style = if is_total { Style::Strong } else { self.columns[*column].style };
                (row[*column].as_str(), style)
            });
            text.push_str(&self.line(cells, &shown, &widths, paint));
        }
        text
    }

    /// The width of a column without truncation.
    fn natural_width(&self, column: usize) -> usize {
        let title = self.columns[column].title.width();
        self.rows.iter().map(|row| row[column].width()).fold(title, usize::max)
    }

    /// The smallest total width of these columns in a table of a width.
    fn min_width(&self, shown: &[usize], limit: usize) -> usize {
        let widths = shown.iter().map(|column| self.least_width(*column, limit));
        widths.sum::<usize>() + gaps(shown)
    }

    /// The width that a column keeps in a table of a width.
    fn least_width(&self, column: usize, limit: usize) -> usize {
        let natural = self.natural_width(column);
        let Column { shrinks_to, keeps_end, is_wide, title, .. } = &self.columns[column];
        let Some(least) = *shrinks_to else { return natural };
        let least = if *keeps_end {
            let names = self.rows.iter().map(|row| last_folder(&row[column]).width());
            names.fold(title.width(), usize::max).min(least.max(LONGEST_FOLDER))
        } else if *is_wide {
            least.max((limit * WIDE_PERCENT).div_ceil(100))
        } else {
            least
        };
        natural.min(least)
    }

    /// Whether the table fits a width, if there is one, with the columns that can be
    /// dropped dropped.
    pub fn fits(&self, limit: Option<usize>) -> bool {
        let needed = |column: &usize| self.columns[*column].drop_order.is_none();
        let needed: Vec<usize> = (0..self.columns.len()).filter(needed).collect();
        limit.is_none_or(|limit| self.min_width(&needed, limit) <= limit)
    }

    fn widths(&self, shown: &[usize], limit: Option<usize>) -> Vec<usize> {
        let mut widths: Vec<usize> =
            shown.iter().map(|column| self.natural_width(*column)).collect();
        let Some(limit) = limit else { return widths };
        let gaps = gaps(shown);
        let mut least: Vec<usize> =
            shown.iter().map(|column| self.least_width(*column, limit)).collect();
        if least.iter().sum::<usize>() + gaps > limit {
            // Nothing more can be dropped, so wide columns shrink too.
            let shrunk = |column: &usize| self.columns[*column].shrinks_to.unwrap_or(usize::MAX);
            least = shown.iter().map(shrunk).collect();
        }
        while widths.iter().sum::<usize>() + gaps > limit {
            let widest = (0..widths.len())
                .filter(|at| widths[*at] > least[*at])
                .max_by_key(|at| widths[*at]);
            match widest {
                Some(at) => widths[at] -= 1,
                None => break,
            }
        }
        widths
    }

    fn line<'a>(
        &self,
        cells: impl Iterator<Item = (&'a str, Style)>,
        shown: &[usize],
        widths: &[usize],
        paint: Paint,
    ) -> String {
        let mut line = String::new();
        for (at, (cell, style)) in cells.enumerate() {
            let width = Some(widths[at]);
            let cut = if self.columns[shown[at]].keeps_end {
                cut_start(cell, width)
            } else {
                cut(cell, width)
            };
            let padding = " ".repeat(widths[at].saturating_sub(cut.width()));
            if at > 0 {
                line.push_str(GAP);
            }
            let painted = paint.paint(style, &cut);
            let last = at + 1 == shown.len();
            match self.columns[shown[at]].align {
                Align::Right | Align::Decimal => line.push_str(&(padding + &painted)),
                Align::Left if last => line.push_str(&painted),
                Align::Left => line.push_str(&(painted + &padding)),
            }
        }
        line.truncate(line.trim_end().len());
        line + "\n"
    }
}

/// The width of the gaps between columns.
fn gaps(shown: &[usize]) -> usize {
    GAP.len() * shown.len().saturating_sub(1)
}

/// An amount from its decimal point on.
fn fraction(amount: &str) -> &str {
    let points = amount.match_indices('.').map(|(at, _)| at);
    let mut decimal =
        points.filter(|at| amount[at + 1..].starts_with(|after: char| after.is_ascii_digit()));
    decimal.next_back().map_or("", |at| &amount[at..])
}

/// Facts separated by dots: as many as fit a width, if there is one. At least the first is
/// shown, truncated if it has to be.
pub fn joined_facts(facts: &[impl AsRef<str>], width: Option<usize>) -> String {
    let limit = width.unwrap_or(usize::MAX);
    let mut joined = String::new();
    for fact in facts {
        let fact = fact.as_ref();
        if joined.is_empty() {
            joined = cut(fact, width);
        } else if joined.width() + fact.width() + 3 <= limit {
            joined += &format!(" · {fact}");
        } else {
            break;
        }
    }
    joined
}

/// Truncates a text to a width, if there is one, and marks it with `…`.
pub fn cut(text: &str, width: Option<usize>) -> String {
    let width = width.unwrap_or(usize::MAX);
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let (mut at, mut taken) = (0, 1);
    while at < text.len() {
        let (bytes, columns) = unit(&text[at..]);
        taken += columns;
        if taken > width {
            break;
        }
        kept.push_str(&text[at..at + bytes]);
        at += bytes;
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

/// Truncates a path at its beginning: between folders if the last one fits, otherwise
/// between words of its name.
fn cut_start(path: &str, width: Option<usize>) -> String {
    let Some(width) = width.filter(|width| path.width() > *width) else { return path.to_owned() };
    // `…/tidepool/src`, then `src`.
    for (at, _) in path.match_indices(['/', '\\']).skip_while(|(at, _)| *at == 0) {
        let rest = &path[at..];
        if rest.width() < width {
            return format!("…{rest}");
        }
    }
    let name = last_folder(path);
    if name.width() <= width {
        return name.to_owned();
    }
    let end = cut_end(name, width);
    let word = end.find(['-', '_', '.', ' ']).map(|at| &end[at..]);
    match word.filter(|word| word.width() * 2 > width) {
        Some(word) => format!("…{word}"),
        None => format!("…{end}"),
    }
}

/// The end of a text, one column narrower than a width.
fn cut_end(text: &str, width: usize) -> &str {
    let fits = |at: &usize| text[*at..].width() < width;
    let starts = text.char_indices().map(|(at, _)| at);
    starts.into_iter().find(fits).map_or("", |at| &text[at..])
}

/// The last folder or file of a path.
fn last_folder(path: &str) -> &str {
    let trimmed = path.trim_end_matches(['/', '\\']);
    let start = trimmed.rfind(['/', '\\']).map_or(0, |at| at + 1);
    &path[start..]
}

#[cfg(test)]
mod tests;
