//! The result of a query: as a table, as a document, or row by row.

use crate::context::Context;
use crate::failure::CliError;
use crate::incomplete::gap;
use crate::output::{Format, Output};
use anyhow::Context as _;
use document::answers::unique_columns;
use document::{SqlDocument, SqlRowDocument, hexadecimal};
use index::{SqlSink, SqlValue};
use library::search::Freshness;
use render::{Column, Style, Table};
use std::io::Write;

/// The largest result that is held in memory, as it will be written. It is copied a few
/// times before that (masked, escaped), within the limit on the memory of a query.
const LARGEST_ANSWER: usize = 32 << 20;

/// What a row or a value takes besides its text: the space in memory, and quotes,
/// indentation and separators when it is written.
const BESIDES: usize = 64;

/// A result that is held until it is complete.
pub(super) struct Answer {
    limit: Option<usize>,
    columns: Vec<String>,
    rows: Vec<Vec<SqlValue>>,
    bytes: usize,
    is_cut: bool,
}

impl Answer {
    pub(super) fn new(limit: Option<usize>) -> Answer {
        Answer { limit, columns: Vec::new(), rows: Vec::new(), bytes: 0, is_cut: false }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn show(&self, context: &Context, fresh: &Freshness) -> anyhow::Result<()> {
        if self.bytes > LARGEST_ANSWER {
            let most = LARGEST_ANSWER >> 20;
            let message = format!(
                "the result is larger than {most} MB\nhint: --jsonl and --csv stream it row by row"
            );
            return Err(CliError::Misuse(message).into());
        }
        if context.output.format == Format::Json {
            return context.output.json(&SqlDocument::new(&self.columns, &self.rows, fresh));
        }
        context.output.text(&self.table(&context.output, gap(context, fresh).is_none()))
    }

    fn table(&self, output: &Output, is_whole: bool) -> String {
        if self.rows.is_empty() {
            return if is_whole { "No rows.\n" } else { "No rows in what the index has.\n" }
                .to_owned();
        }
        let columns = self.columns.iter().enumerate().map(|(place, name)| {
            let column = Column::new(render::untrusted::line(name).into_owned());
            let is_number = |row: &Vec<SqlValue>| {
                matches!(row[place], SqlValue::Integer(_) | SqlValue::Real(_) | SqlValue::Null)
            };
            if self.rows.iter().all(is_number) { column.right() } else { column.shrinks_to(8) }
        });
        let mut table = Table::new(columns.collect());
        for row in &self.rows {
            table.row(row.iter().map(|value| match value {
                SqlValue::Null => "NULL".to_owned(),
                // Complete text: half of a secret would not be recognized.
                other => output.masked_text(&text(other)).into_owned(),
            }));
        }
        let mut shown = if table.fits(output.width()) {
            table.render(output.width(), output.paint)
        } else {
            self.records(output)
        };
        if self.is_cut {
            let note = format!("Showing the first {} rows (--limit 0 shows all)", self.rows.len());
            shown.push_str(&(output.paint.paint(Style::Dim, &note) + "\n"));
        }
        shown
    }
}

impl Answer {
    /// The rows one below the other, for results with more columns than fit the terminal.
    fn records(&self, output: &Output) -> String {
        let names: Vec<_> = self.columns.iter().map(|name| render::untrusted::line(name)).collect();
        let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        let mut shown = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let heading = format!("━━ row {} ━━", number + 1);
            shown += &format!("{}\n", output.paint.paint(Style::Heading, &heading));
            for (name, value) in names.iter().zip(row) {
                let value = match value {
                    SqlValue::Null => "NULL".to_owned(),
                    other => output.masked_text(&text(other)).into_owned(),
                };
                let name = output.paint.paint(Style::Dim, &format!("{name:<widest$}"));
                let line = format!("{name}  {}\n", render::untrusted::line(&value));
                shown += &output.hanging(&line, widest + 2);
            }
        }
        shown
    }
}

impl SqlSink for Answer {
    fn columns(&mut self, names: &[String]) {
        self.columns = unique_columns(names);
    }

    fn row(&mut self, values: Vec<SqlValue>) -> bool {
        if self.limit.is_some_and(|limit| self.rows.len() >= limit) {
            self.is_cut = true;
            return false;
        }
        let bytes = values.iter().zip(&self.columns).map(|(value, name)| match value {
            SqlValue::Text(text) => name.len() + written_length(text) + BESIDES,
            // Each byte is shown as two digits.
            SqlValue::Blob(bytes) => name.len() + 2 * bytes.len() + BESIDES,
            _ => name.len() + BESIDES,
        });
        self.bytes += BESIDES + bytes.sum::<usize>();
        if self.bytes > LARGEST_ANSWER {
            return false;
        }
        self.rows.push(values);
        true
    }
}

/// A result that is written row by row.
pub(super) struct Stream<'s> {
    output: &'s Output,
    out: &'s mut dyn Write,
    limit: Option<usize>,
    columns: Vec<String>,
    rows: usize,
    written: anyhow::Result<()>,
}

impl<'s> Stream<'s> {
    pub(super) fn new(
        context: &'s Context,
        out: &'s mut dyn Write,
        limit: Option<usize>,
    ) -> Stream<'s> {
        let output = &context.output;
        Stream { output, out, limit, columns: Vec::new(), rows: 0, written: Ok(()) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Whether everything has been written so far.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.written
    }

    fn line<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) -> anyhow::Result<()> {
        Ok(self.out.write_all(self.output.csv_row(cells).as_bytes())?)
    }

    fn write(&mut self, values: &[SqlValue]) -> anyhow::Result<()> {
        if self.output.format == Format::Csv {
            let cells: Vec<String> = values.iter().map(text).collect();
            return self.line(cells.iter().map(String::as_str));
        }
        let row = render::json::row(&SqlRowDocument::new(&self.columns, values))
            .context("cannot write the output as JSON")?;
        Ok(self.out.write_all(self.output.safe_json(&row).as_bytes())?)
    }
}

impl SqlSink for Stream<'_> {
    fn columns(&mut self, names: &[String]) {
        self.columns = unique_columns(names);
        if self.output.format == Format::Csv {
            let columns = self.columns.clone();
            self.written = self.line(columns.iter().map(String::as_str));
        }
    }

    fn row(&mut self, values: Vec<SqlValue>) -> bool {
        if self.written.is_err() || self.limit.is_some_and(|limit| self.rows >= limit) {
            return false;
        }
        self.rows += 1;
        self.written = self.write(&values);
        self.written.is_ok()
    }
}

/// The length of text in JSON, where a control character takes six bytes.
fn written_length(text: &str) -> usize {
    text.len() + 5 * text.bytes().filter(u8::is_ascii_control).count()
}

/// A value as text: empty for NULL, hexadecimal digits for bytes.
fn text(value: &SqlValue) -> String {
    match value {
        SqlValue::Null => String::new(),
        SqlValue::Integer(number) => number.to_string(),
        SqlValue::Real(number) => format!("{number:?}"),
        SqlValue::Text(text) => text.clone(),
        SqlValue::Blob(bytes) => hexadecimal(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_are_there_once() {
        let table = [
            (&["a", "b"][..], &["a", "b"][..]),
            (&["a", "a", "a"], &["a", "a_2", "a_3"]),
            (&["a", "a", "a_2"], &["a", "a_3", "a_2"]),
            (&["", ""], &["", "_2"]),
        ];
        for (given, expected) in table {
            let given: Vec<String> = given.iter().map(|&name| name.to_owned()).collect();
            assert_eq!(unique_columns(&given), expected);
        }
    }
}
