//! A terminal with a status line at its bottom that is updated in place. In a pipe,
//! and on a terminal that cannot do that, there is no such line.
//!
//! Deliberately not here: escaping of control characters. Callers pass escaped text.

use crate::output::Output;
use std::io::{self, Write as _};

/// Moves the cursor to the start of its row and clears everything after it.
const CLEAR: &str = "\r\u{1b}[J";

/// The terminal or pipe.
pub(super) struct Screen<'o> {
    output: &'o Output,
    /// The width of the status line as last written, in columns.
    status: usize,
}

impl<'o> Screen<'o> {
    pub(super) fn new(output: &'o Output) -> Self {
        Screen { output, status: 0 }
    }

    /// Writes text above the status line, and the status line again. Flushes the
    /// output.
    pub(super) fn lines(&mut self, text: &str, status: &str) -> anyhow::Result<()> {
        let mut all = self.cleared();
        all += text;
        all += &self.status_line(status);
        write(&all)
    }

    /// Redraws after the terminal was resized.
    pub(super) fn resized(&mut self, status: &str) -> anyhow::Result<()> {
        self.lines("", status)
    }

    /// Leaves the status line as a normal line.
    pub(super) fn end(mut self, status: &str) -> anyhow::Result<()> {
        if !self.output.is_erasable {
            return Ok(());
        }
        let mut all = self.cleared();
        if !status.is_empty() {
            all += &self.status_line(status);
            all.push('\n');
        }
        write(&all)
    }

    /// The sequence that erases the status line. If the terminal has become narrower,
    /// the line takes several rows.
    fn cleared(&mut self) -> String {
        let columns = std::mem::take(&mut self.status);
        let Some(width) = self.output.width_now().filter(|_| columns > 0) else {
            return String::new();
        };
        let above = (columns - 1) / width;
        if above > 0 { format!("\u{1b}[{above}A{CLEAR}") } else { CLEAR.to_owned() }
    }

    fn status_line(&mut self, status: &str) -> String {
        let Some(width) = self.output.width_now().filter(|_| self.output.is_erasable) else {
            return String::new();
        };
        // Leaves enough columns that the line never wraps, not even with the `^C` that
        // the terminal prints.
        let line = render::cut(status, Some(width - 3));
        self.status = render::columns(&line);
        self.output.paint.paint(render::Style::Dim, &line)
    }
}

fn write(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
