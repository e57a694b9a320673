//! Output: the only module that knows terminals, colour and pagers.

use crate::failure::reported_read_errors;
use anyhow::Context as _;
use document::{Document, WarnedDocument, WarningDocument};
use library::apps::UnreadApps;
use redact::Redactor;
use render::Paint;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use store::LargeLines;

/// The output format of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
    Jsonl,
    Csv,
}

/// Writes the output of a command.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) format: Format,
    pub(crate) paint: Paint,
    /// Whether standard output is a terminal.
    pub(crate) is_terminal: bool,
    /// Whether an agent runs the command: its output is short.
    pub(crate) is_agent: bool,
    /// Whether a line can be erased and written again in place.
    pub(crate) is_erasable: bool,
    /// The requested width.
    columns: Option<usize>,
    width: usize,
    /// How many rows of a table fit the terminal, below its titles and above a note and
    /// the next prompt of the shell.
    fitting_rows: usize,
    pager: Option<String>,
    /// Masks secrets that remain in the output: in names of folders and files.
    redactor: Option<Arc<Redactor>>,
    /// What could not be read of the apps: every document says it.
    unread: UnreadApps,
    /// The lines that were too large to be read: every document names them.
    large_lines: LargeLines,
    /// Whether an answer had no rows.
    found_nothing: AtomicBool,
    /// A lock that is held until an answer is complete, and not while somebody reads it.
    lock: Mutex<Option<File>>,
}

/// The error of a value that is not JSON.
pub(crate) const UNWRITABLE: &str = "cannot write the output as JSON";

/// The settings that determine how output looks.
pub(crate) struct OutputOptions {
    pub(crate) format: Format,
    pub(crate) color: crate::cli::Color,
    pub(crate) no_color: bool,
    pub(crate) is_dumb: bool,
    pub(crate) is_agent: bool,
    pub(crate) columns: Option<usize>,
    pub(crate) lines: Option<usize>,
    pub(crate) pager: Option<String>,
    pub(crate) no_pager: bool,
    pub(crate) redactor: Option<Arc<Redactor>>,
    pub(crate) unread: UnreadApps,
    pub(crate) large_lines: LargeLines,
}

impl Output {
    pub(crate) fn new(options: OutputOptions) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let enabled = match options.color {
            crate::cli::Color::Always => true,
            crate::cli::Color::Never => false,
            crate::cli::Color::Auto => is_terminal && !options.no_color && !options.is_agent,
        };
        // A dumb terminal shows what a pager would do to it as plain text.
        let paged = is_terminal && !options.is_agent && !options.no_pager && !options.is_dumb;
        let height = options.lines.or_else(|| terminal_size().map(|(_, lines)| lines));
        Output {
            format: options.format,
            paint: Paint { enabled },
            is_terminal,
            is_agent: options.is_agent,
            is_erasable: is_terminal && !options.is_dumb && !options.is_agent,
            columns: options.columns,
            width: options.columns.or_else(terminal_width).unwrap_or(100).max(20),
            fitting_rows: height.unwrap_or(24).saturating_sub(AROUND_ROWS).max(FEWEST_ROWS),
            pager: paged.then(|| options.pager.unwrap_or_else(|| "less -FRX".to_owned())),
            redactor: options.redactor,
            unread: options.unread,
            large_lines: options.large_lines,
            found_nothing: AtomicBool::new(false),
            lock: Mutex::new(None),
        }
    }

    /// Notes whether the answer has rows, where its table is not made of them ([`Output::rows`]).
    pub(crate) fn note_found(&self, rows: usize) {
        self.found_nothing.store(rows == 0, Ordering::Relaxed);
    }

    /// Whether the answer has no rows.
    pub(crate) fn found_nothing(&self) -> bool {
        self.found_nothing.load(Ordering::Relaxed)
    }

    /// The width tables should fit, if they should: not in a pipe, where the
    /// reader is a program.
    pub(crate) fn width(&self) -> Option<usize> {
        self.is_terminal.then_some(self.width)
    }

    /// The current width: the user may have resized the terminal.
    pub(crate) fn width_now(&self) -> Option<usize> {
        let width = self.columns.or_else(terminal_width).unwrap_or(self.width);
        self.is_terminal.then_some(width.max(20))
    }

    /// Text for people with its lines wrapped at words, if it is for a terminal. The
    /// continuation of a line is indented by this many columns more than the line.
    pub(crate) fn hanging(&self, text: &str, indent: usize) -> String {
        render::hanging(text, indent, self.width())
    }

    /// How many rows of a table fit the terminal beside this many other lines; `None` if
    /// the output is not for a terminal.
    pub(crate) fn rows_beside(&self, lines: usize) -> Option<usize> {
        let is_for_person = self.is_terminal && !self.is_agent;
        // A note below the table is among the other lines.
        let fitting = (self.fitting_rows + 1).saturating_sub(lines).max(FEWEST_ROWS);
        is_for_person.then_some(fitting)
    }

    /// How many rows to show: the requested limit, otherwise the default for the
    /// reader: on a terminal as many as fit its height.
    pub(crate) fn limit(&self, asked: Option<usize>) -> Option<usize> {
        match asked {
            Some(0) => None,
            Some(limit) => Some(limit),
            None if self.format != Format::Text => None,
            None if self.is_agent => Some(10),
            None if self.is_terminal => Some(self.fitting_rows),
            None => None,
        }
    }

    /// Holds a lock until the answer is complete.
    pub(crate) fn hold(&self, file: Option<File>) {
        if let Ok(mut lock) = self.lock.lock() {
            *lock = file;
        }
    }

    /// Writes text, through the pager if there is one.
    pub(crate) fn text(&self, text: &str) -> anyhow::Result<()> {
        self.whole(&self.masked_text(text))
    }

    /// Writes text without a pager, for reports of completed work.
    pub(crate) fn unpaged(&self, text: &str) -> anyhow::Result<()> {
        Output::unpaged_unmasked(&self.masked_text(text))
    }

    /// Writes text of our own that looks like a secret, without a pager.
    pub(crate) fn unpaged_unmasked(text: &str) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    }

    /// The text with secrets masked.
    pub(crate) fn masked_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.redactor.as_ref().map_or(Cow::Borrowed(text), |redactor| redactor.mask(text))
    }

    /// Writes bytes unchanged.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        self.write(|out| out.write_all(bytes).map_err(Into::into))
    }

    fn whole(&self, text: &str) -> anyhow::Result<()> {
        self.hold(None);
        self.write(|out| out.write_all(text.as_bytes()).map_err(Into::into))
    }

    /// What every document says that the answer may lack.
    pub(crate) fn warnings(&self) -> Vec<WarningDocument> {
        let large_lines = self.large_lines.all();
        WarningDocument::of(&self.unread.list(), &reported_read_errors(), &large_lines)
    }

    /// Writes one JSON document.
    pub(crate) fn json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        let warnings = self.warnings();
        let value = WarnedDocument { document: value, warnings: &warnings };
        let text = render::json::document(&value).context(UNWRITABLE)?;
        self.whole(&self.safe_json(&text))
    }

    /// Writes JSON objects, one per line.
    pub(crate) fn jsonl<T: Serialize>(
        &self,
        values: impl IntoIterator<Item = T>,
    ) -> anyhow::Result<()> {
        self.write(|out| {
            for value in values {
                let text = render::json::row(&value).context(UNWRITABLE)?;
                out.write_all(self.safe_json(&text).as_bytes())?;
            }
            Ok(())
        })
    }

    /// Writes rows in the requested format: `document` wraps them for JSON, `text`
    /// renders them for people.
    pub(crate) fn rows<R: Serialize, D: Document>(
        &self,
        rows: Vec<R>,
        document: impl FnOnce(Vec<R>) -> D,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        self.note_found(rows.len());
        match self.format {
            Format::Json => self.json(&document(rows)),
            Format::Jsonl => self.jsonl(rows),
            Format::Csv => {
                let values: Result<Vec<Value>, _> = rows.iter().map(serde_json::to_value).collect();
                let values = values.context(UNWRITABLE)?;
                let document = serde_json::to_value(document(rows)).context(UNWRITABLE)?;
                let head = self.csv_heading::<D>();
                let text = values
                    .iter()
                    .fold(head, |text, row| text + &self.csv_cells::<D>(row, &document));
                self.whole(&text)
            }
            Format::Text => self.text(&text()),
        }
    }

    /// The names of a document's columns.
    pub(crate) fn csv_heading<D: Document>(&self) -> String {
        self.csv_row(D::COLUMNS.iter().map(|column| column.name))
    }

    /// A row in the columns of its document.
    pub(crate) fn csv_cells<D: Document>(&self, row: &Value, document: &Value) -> String {
        let cells: Vec<String> =
            D::COLUMNS.iter().map(|column| column.cell(row, document)).collect();
        self.csv_row(cells.iter().map(String::as_str))
    }

    /// The note below a table that does not show all rows.
    pub(crate) fn cut_note(&self, shown: usize, total: usize, what: &str) -> String {
        if shown >= total {
            return String::new();
        }
        let note = format!("Showing {shown} of {total} {what} (--limit 0 shows all)");
        self.hanging(&self.paint.paint(render::Style::Dim, &note), 2) + "\n"
    }

    /// A CSV row with secrets masked and control characters escaped, in a pipe too.
    pub(crate) fn csv_row<'c>(&self, cells: impl IntoIterator<Item = &'c str>) -> String {
        let row = render::csv::row(cells);
        // Masked first: a secret with control characters in it is recognised, but not one
        // with their escapes.
        render::untrusted::text(&self.masked_text(&row)).into_owned()
    }

    /// JSON with secrets masked and control characters escaped, in a pipe too: what reads the
    /// pipe may be a terminal in the end, and the document is the same.
    pub(crate) fn safe_json<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.masked_json(text) {
            Cow::Borrowed(text) => render::untrusted::json(text),
            Cow::Owned(text) => render::untrusted::json(&text).into_owned().into(),
        }
    }

    /// JSON with secrets masked.
    pub(crate) fn masked_json<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.redactor.as_ref().map_or(Cow::Borrowed(text), |redactor| redactor.mask_json(text))
    }

    /// Calls `write` with the output stream: standard output, or a pager.
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
        // Somebody may read for hours.
        self.hold(None);
        // ^C is meant for the pager, whose searches it stops. Once the pager has
        // exited, the signal has its default effect again.
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

/// Starts a pager, without a shell and without the shell escapes of `less`.
fn start_pager(command: &str) -> Option<(Child, std::process::ChildStdin)> {
    let mut words = command.split_whitespace();
    let mut child = Command::new(words.next()?)
        .args(words)
        .env("LESSSECURE", "1")
        // The output is UTF-8 in every locale.
        .env("LESSCHARSET", "utf-8")
        .stdin(Stdio::piped())
        .spawn()
        .ok()?;
    let stdin = child.stdin.take()?;
    Some((child, stdin))
}

/// The lines around the rows of a table: titles, a note, and the prompt of the shell.
const AROUND_ROWS: usize = 4;

/// How many rows are shown on the lowest terminal.
const FEWEST_ROWS: usize = 5;

pub(crate) fn terminal_width() -> Option<usize> {
    terminal_size().map(|(columns, _)| columns)
}

/// The columns and lines of the terminal.
fn terminal_size() -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    let (columns, lines) = (usize::from(size.ws_col), usize::from(size.ws_row));
    (columns > 0 && lines > 0).then_some((columns, lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use redact::Level;

    #[test]
    fn csv_is_masked_and_escaped_in_a_pipe_and_on_a_terminal() {
        let secret = ["ghp_aB3dE6g", "H9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"];
        let cells = |output: &Output| {
            let hidden = secret.join("\u{1b}[1m");
            output.csv_row(["a\u{1b}]0;x\u{7}\u{9b}b", "\u{202e}c", hidden.as_str()])
        };
        let mut output = Output::new(OutputOptions {
            format: Format::Csv,
            color: crate::cli::Color::Never,
            no_color: true,
            is_dumb: true,
            is_agent: false,
            columns: None,
            lines: None,
            pager: None,
            no_pager: true,
            redactor: Some(Arc::new(Redactor::new(Level::Standard, [7; 32]))),
            unread: UnreadApps::default(),
            large_lines: LargeLines::default(),
        });
        for is_terminal in [false, true] {
            output.is_terminal = is_terminal;
            let row = cells(&output);
            let start = r"a\u{1b}]0;x\u{7}\u{9b}b,\u{202e}c,[redacted:github-token:";
            assert!(row.starts_with(start), "{row:?}");
            let json = output.safe_json("[\"\u{7f}\u{9b}\u{202e}\u{e0041}é\"]").into_owned();
            assert_eq!(json, r#"["\u007f\u009b\u202e\udb40\udc41é"]"#);
        }
    }
}
