//! Where answers go: one place that knows terminals, colour and pagers.

use anyhow::Context as _;
use document::Moment;
use redact::Redactor;
use render::Paint;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a command answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
    Jsonl,
    Csv,
}

/// The answer's way out.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) format: Format,
    pub(crate) paint: Paint,
    /// Whether a person is looking.
    pub(crate) is_terminal: bool,
    /// Whether an agent is: short answers.
    pub(crate) is_agent: bool,
    /// Whether a line can be written anew in its place.
    pub(crate) is_erasable: bool,
    /// The width that was asked for.
    columns: Option<usize>,
    width: usize,
    pager: Option<String>,
    /// Masks what is left of secrets in answers: names of folders and files.
    redactor: Option<Arc<Redactor>>,
}

/// A row of an answer that has rows.
pub(crate) trait Row: Serialize {
    /// The columns of a spreadsheet.
    const COLUMNS: &'static [&'static str];

    /// Its cells, one for each column.
    fn cells(&self) -> Vec<String>;
}

/// A time as a cell of a spreadsheet.
pub(crate) fn moment(time: Option<Moment>) -> String {
    time.map(|time| time.to_string()).unwrap_or_default()
}

/// A text as a cell of a spreadsheet.
pub(crate) fn cell(text: Option<&str>) -> String {
    text.unwrap_or_default().to_owned()
}

/// What decides how output looks.
pub(crate) struct Wishes {
    pub(crate) format: Format,
    pub(crate) color: crate::cli::Color,
    pub(crate) no_color: bool,
    pub(crate) is_dumb: bool,
    pub(crate) is_agent: bool,
    pub(crate) columns: Option<usize>,
    pub(crate) pager: Option<String>,
    pub(crate) no_pager: bool,
    pub(crate) redactor: Option<Arc<Redactor>>,
}

impl Output {
    pub(crate) fn new(wishes: Wishes) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let enabled = match wishes.color {
            crate::cli::Color::Always => true,
            crate::cli::Color::Never => false,
            crate::cli::Color::Auto => is_terminal && !wishes.no_color && !wishes.is_agent,
        };
        let paged = is_terminal && !wishes.is_agent && !wishes.no_pager;
        Output {
            format: wishes.format,
            paint: Paint { enabled },
            is_terminal,
            is_agent: wishes.is_agent,
            is_erasable: is_terminal && !wishes.is_dumb && !wishes.is_agent,
            columns: wishes.columns,
            width: wishes.columns.or_else(terminal_width).unwrap_or(100).max(20),
            pager: paged.then(|| wishes.pager.unwrap_or_else(|| "less -FRX".to_owned())),
            redactor: wishes.redactor,
        }
    }

    /// The width tables should fit, if they should: not in a pipe, where the
    /// reader is a program.
    pub(crate) fn width(&self) -> Option<usize> {
        self.is_terminal.then_some(self.width)
    }

    /// The same by now: people make their terminals larger and smaller.
    pub(crate) fn width_now(&self) -> Option<usize> {
        let width = self.columns.or_else(terminal_width).unwrap_or(self.width);
        self.is_terminal.then_some(width.max(20))
    }

    /// How many rows to show: what was asked for, else what fits the reader.
    pub(crate) fn limit(&self, asked: Option<usize>) -> Option<usize> {
        match asked {
            Some(0) => None,
            Some(limit) => Some(limit),
            None if self.format != Format::Text => None,
            None if self.is_agent => Some(10),
            None if self.is_terminal => Some(20),
            None => None,
        }
    }

    /// Text that is ready to be shown.
    pub(crate) fn text(&self, text: &str) -> anyhow::Result<()> {
        self.whole(&self.masked_text(text))
    }

    /// A report of something done: nobody waits for a pager to say it.
    pub(crate) fn unpaged(&self, text: &str) -> anyhow::Result<()> {
        let text = self.masked_text(text);
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    }

    /// Text as it may be handed on.
    pub(crate) fn masked_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.redactor.as_ref().map_or(Cow::Borrowed(text), |redactor| redactor.mask(text))
    }

    /// Bytes as they are.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        self.write(|out| out.write_all(bytes).map_err(Into::into))
    }

    fn whole(&self, text: &str) -> anyhow::Result<()> {
        self.write(|out| out.write_all(text.as_bytes()).map_err(Into::into))
    }

    /// One JSON document.
    pub(crate) fn json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        let text = render::json::document(value).context("cannot write the output as JSON")?;
        self.whole(&self.safe_json(&text))
    }

    /// JSON objects, one a line.
    pub(crate) fn jsonl<T: Serialize>(
        &self,
        values: impl IntoIterator<Item = T>,
    ) -> anyhow::Result<()> {
        self.write(|out| {
            for value in values {
                let text = render::json::row(&value).context("cannot write the output as JSON")?;
                out.write_all(self.safe_json(&text).as_bytes())?;
            }
            Ok(())
        })
    }

    /// An answer of rows in whatever format is asked for: `document` wraps them
    /// for JSON, `text` shows them to people.
    pub(crate) fn rows<R: Row, D: Serialize>(
        &self,
        rows: Vec<R>,
        document: impl FnOnce(Vec<R>) -> D,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        match self.format {
            Format::Json => self.json(&document(rows)),
            Format::Jsonl => self.jsonl(rows),
            Format::Csv => {
                let head = self.csv_row(R::COLUMNS.iter().copied());
                let text = rows.iter().fold(head, |text, row| {
                    text + &self.csv_row(row.cells().iter().map(String::as_str))
                });
                self.whole(&text)
            }
            Format::Text => self.text(&text()),
        }
    }

    /// A note below a table that was cut short.
    pub(crate) fn cut_note(&self, shown: usize, total: usize, what: &str) -> String {
        if shown >= total {
            return String::new();
        }
        let note = format!("Showing {shown} of {total} {what} (--limit 0 shows all)");
        self.paint.paint(render::Style::Dim, &note) + "\n"
    }

    /// A row of a spreadsheet as it may be shown where this output goes: in a file or
    /// a pipe the very characters, on a terminal none that it obeys.
    pub(crate) fn csv_row<'c>(&self, cells: impl IntoIterator<Item = &'c str>) -> String {
        let row = render::csv::row(cells);
        let masked = self.masked_text(&row);
        if self.is_terminal {
            render::untrusted::text(&masked).into_owned()
        } else {
            masked.into_owned()
        }
    }

    /// JSON as it may be shown where this output goes.
    pub(crate) fn safe_json<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let masked = self.masked_json(text);
        if self.is_terminal { render::untrusted::json(&masked).into_owned().into() } else { masked }
    }

    /// JSON as it may be handed on.
    pub(crate) fn masked_json<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.redactor.as_ref().map_or(Cow::Borrowed(text), |redactor| redactor.mask_json(text))
    }

    /// Hands `write` the place to write to: standard output, or a pager.
    pub(crate) fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let Some((mut pager, stdin)) = self.pager.as_deref().and_then(start_pager) else {
            let mut out = BufWriter::new(io::stdout().lock());
            write(&mut out)?;
            out.flush()?;
            return Ok(());
        };
        // ^C is for the pager: it stops its searching, not us. Once the pager is
        // gone, the signal means again what it always does.
        let is_ours = Arc::new(AtomicBool::new(false));
        let registered = signal_hook::flag::register_conditional_default(
            signal_hook::consts::SIGINT,
            Arc::clone(&is_ours),
        );
        let mut out = BufWriter::new(stdin);
        let written = write(&mut out).and_then(|()| out.flush().map_err(Into::into));
        drop(out);
        let status = pager.wait().context("cannot wait for the pager")?;
        drop(registered);
        is_ours.store(true, Ordering::Relaxed);
        if written.is_err() && !status.success() {
            let pager = self.pager.as_deref().unwrap_or_default();
            anyhow::bail!(
                "the pager {pager:?} stopped before the end of the output ({status})\nhint: pass --no-pager"
            );
        }
        written
    }
}

/// Starts a pager, without a shell and without the ways out that `less` offers.
fn start_pager(command: &str) -> Option<(Child, std::process::ChildStdin)> {
    let mut words = command.split_whitespace();
    let mut child = Command::new(words.next()?)
        .args(words)
        .env("LESSSECURE", "1")
        // What we write is UTF-8, whatever the locale says.
        .env("LESSCHARSET", "utf-8")
        .stdin(Stdio::piped())
        .spawn()
        .ok()?;
    let stdin = child.stdin.take()?;
    Some((child, stdin))
}

fn terminal_width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use redact::Level;

    #[test]
    fn a_row_of_a_spreadsheet_is_exact_in_a_file_and_harmless_on_a_terminal() {
        let secret = ["ghp_aB3dE6g", "H9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"];
        let cells = |output: &Output| {
            let hidden = secret.join("\u{1b}[1m");
            output.csv_row(["a\u{1b}]0;x\u{7}\u{9b}b", "\u{202e}c", hidden.as_str()])
        };
        let mut output = Output::new(Wishes {
            format: Format::Csv,
            color: crate::cli::Color::Never,
            no_color: true,
            is_dumb: true,
            is_agent: false,
            columns: None,
            pager: None,
            no_pager: true,
            redactor: Some(Arc::new(Redactor::new(Level::Standard, [7; 32]))),
        });
        output.is_terminal = false;
        let row = cells(&output);
        assert!(
            row.starts_with("a\u{1b}]0;x\u{7}\u{9b}b,\u{202e}c,[redacted:github-token:"),
            "{row:?}"
        );
        output.is_terminal = true;
        let row = cells(&output);
        let start = r"a\u{1b}]0;x\u{7}\u{9b}b,\u{202e}c,[redacted:github-token:";
        assert!(row.starts_with(start), "{row:?}");
    }
}
