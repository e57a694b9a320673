//! Rows that are written as they are found, in the requested format.
//!
//! For output that is too long to hold in memory. Totals come at the end. The
//! destination is decided by `Output`.

use crate::output::{Format, Output, UNWRITABLE};
use anyhow::Context as _;
use document::Document;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use std::marker::PhantomData;

/// Output that is being written.
///
/// `D` is the document that the rows stand in.
pub(crate) struct Streamed<'o, D> {
    output: &'o Output,
    out: &'o mut dyn Write,
    has_rows: bool,
    document: PhantomData<D>,
}

impl<'o, D: Document> Streamed<'o, D> {
    pub(crate) fn new(output: &'o Output, out: &'o mut dyn Write) -> Self {
        Streamed { output, out, has_rows: false, document: PhantomData }
    }

    /// Writes the part before the rows: for JSON the members before the list, for CSV the
    /// columns.
    pub(crate) fn begin(&mut self, members: &[(&str, &str)]) -> anyhow::Result<()> {
        match self.output.format {
            Format::Json => {
                let mut text = "{\n".to_owned();
                for (name, value) in members {
                    let value = json(&value)?;
                    text += &format!("  \"{name}\": {},\n", self.output.safe_json(&value));
                }
                let list = D::ROWS.unwrap_or_default();
                write!(self.out, "{text}  \"{list}\": [")?;
            }
            Format::Csv => {
                write!(self.out, "{}", self.output.csv_heading::<D>())?;
            }
            Format::Jsonl | Format::Text => {}
        }
        Ok(())
    }

    /// Writes one row; `text` renders it for people.
    pub(crate) fn row(
        &mut self,
        row: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        match self.output.format {
            Format::Json => {
                let row = json(row)?;
                let row = self.output.safe_json(&row);
                let comma = if self.has_rows { "," } else { "" };
                // A JSON string never contains a raw newline.
                write!(self.out, "{comma}\n    {}", row.replace('\n', "\n    "))?;
            }
            Format::Jsonl => {
                let row = render::json::row(row).context(UNWRITABLE)?;
                self.out.write_all(self.output.safe_json(&row).as_bytes())?;
            }
            Format::Csv => {
                let row = serde_json::to_value(row).context(UNWRITABLE)?;
                let row = self.output.csv_cells::<D>(&row, &Value::Null);
                self.out.write_all(row.as_bytes())?;
            }
            Format::Text => {
                let text = text();
                self.out.write_all(self.output.masked_text(&text).as_bytes())?;
            }
        }
        self.has_rows = true;
        Ok(())
    }

    /// Writes the part after the rows; `text` renders it for people.
    pub(crate) fn end(
        self,
        members: &[(&str, usize)],
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        match self.output.format {
            Format::Json => {
                write!(self.out, "{}]", if self.has_rows { "\n  " } else { "" })?;
                for (name, value) in members {
                    write!(self.out, ",\n  \"{name}\": {value}")?;
                }
                let warnings = self.output.warnings();
                if !warnings.is_empty() {
                    let warnings = json(&warnings)?;
                    let warnings = self.output.safe_json(&warnings).replace('\n', "\n  ");
                    write!(self.out, ",\n  \"warnings\": {warnings}")?;
                }
                self.out.write_all(b"\n}\n")?;
            }
            Format::Text => self.out.write_all(text().as_bytes())?,
            Format::Jsonl | Format::Csv => {}
        }
        Ok(())
    }
}

/// A value as part of a document.
fn json(value: &impl Serialize) -> anyhow::Result<String> {
    let mut text = render::json::document(value).context(UNWRITABLE)?;
    text.truncate(text.trim_end().len());
    Ok(text)
}
