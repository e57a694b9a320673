//! A terminal with a line at its bottom that is written anew in its place. In a
//! pipe, and on a terminal that cannot do that, there is no such line.
//!
//! What is written comes from elsewhere and is harmless.

use crate::output::Output;
use std::io::{self, Write as _};

/// Takes the cursor to the beginning of its row, and clears from there on.
const CLEAR: &str = "\r\u{1b}[J";

/// Where we write.
pub(super) struct Screen<'o> {
    output: &'o Output,
    /// How many columns the line at the bottom takes, as it was last written.
    status: usize,
}

impl<'o> Screen<'o> {
    pub(super) fn new(output: &'o Output) -> Self {
        Screen { output, status: 0 }
    }

    /// Writes text above the line at the bottom, and that line anew. It is seen
    /// at once.
    pub(super) fn lines(&mut self, text: &str, status: &str) -> anyhow::Result<()> {
        let mut all = self.cleared();
        all += text;
        all += &self.status_line(status);
        write(&all)
    }

    /// The terminal has another size.
    pub(super) fn resized(&mut self, status: &str) -> anyhow::Result<()> {
        self.lines("", status)
    }

    /// Leaves the line as one of the others.
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

    /// What takes the line away. Where the terminal has become narrower since, the
    /// line has become several.
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
        // So much is left that no terminal goes on in the next row, not even with
        // the `^C` that it writes itself.
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
