//! Writes what ratatui draws: cells → bytes for the terminal.
//!
//! One write per frame, between the sequences that make terminals show it at once. Nothing
//! but these sequences, and text that passed `text.rs`, is ever written.

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};
use std::fmt::Write as _;
use std::io::{self, Write};

/// A terminal that bytes are written to.
#[derive(Debug)]
pub(crate) struct TerminalBackend<W> {
    out: W,
    pending: String,
    size: Size,
    cursor: Position,
}

impl<W: Write> TerminalBackend<W> {
    pub(crate) fn new(out: W, size: Size) -> Self {
        TerminalBackend { out, pending: String::new(), size, cursor: Position::ORIGIN }
    }

    pub(crate) fn resize(&mut self, size: Size) {
        self.size = size;
    }

    /// Adds a sequence of annals' own to the next write.
    pub(crate) fn push(&mut self, sequence: &str) {
        self.pending += sequence;
    }
}

/// The modifiers that are used, with their numbers.
const MODIFIERS: [(Modifier, u8); 6] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::REVERSED, 7),
    (Modifier::CROSSED_OUT, 9),
];

/// The look of a cell.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Look {
    foreground: Color,
    background: Color,
    modifier: Modifier,
}

impl Look {
    fn of(cell: &Cell) -> Look {
        Look { foreground: cell.fg, background: cell.bg, modifier: cell.modifier }
    }

    /// The sequence that gives text this look, whatever it had before.
    fn write(self, text: &mut String) {
        text.push_str("\u{1b}[0");
        for (modifier, number) in MODIFIERS {
            if self.modifier.contains(modifier) {
                let _ = write!(text, ";{number}");
            }
        }
        write_color(text, self.foreground, 30);
        write_color(text, self.background, 40);
        text.push('m');
    }
}

/// The numbers of a colour; `base` is 30 for text and 40 for its background.
fn write_color(text: &mut String, color: Color, base: u8) {
    let number = match color {
        Color::Reset => return,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 60,
        Color::LightRed => 61,
        Color::LightGreen => 62,
        Color::LightYellow => 63,
        Color::LightBlue => 64,
        Color::LightMagenta => 65,
        Color::LightCyan => 66,
        Color::White => 67,
        Color::Indexed(index) => {
            let _ = write!(text, ";{};5;{index}", base + 8);
            return;
        }
        Color::Rgb(red, green, blue) => {
            let _ = write!(text, ";{};2;{red};{green};{blue}", base + 8);
            return;
        }
    };
    let _ = write!(text, ";{}", base + number);
}

impl<W: Write> Backend for TerminalBackend<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let text = &mut self.pending;
        let mut look = None;
        let mut next: Option<(u16, u16)> = None;
        for (column, row, cell) in content {
            if next != Some((column, row)) {
                let _ = write!(text, "\u{1b}[{};{}H", row + 1, column + 1);
            }
            if look != Some(Look::of(cell)) {
                Look::of(cell).write(text);
                look = Some(Look::of(cell));
            }
            text.push_str(cell.symbol());
            // Where the cursor is after a wide character, terminals do not agree.
            let is_narrow = cell.symbol().is_ascii();
            next = is_narrow.then_some((column + 1, row));
        }
        if look.is_some() {
            text.push_str("\u{1b}[0m");
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.push("\u{1b}[?25l");
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.push("\u{1b}[?25h");
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = position.into();
        let (row, column) = (self.cursor.y + 1, self.cursor.x + 1);
        let _ = write!(self.pending, "\u{1b}[{row};{column}H");
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.push("\u{1b}[0m\u{1b}[2J");
        Ok(())
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.push(match region {
            ClearType::All => "\u{1b}[0m\u{1b}[2J",
            ClearType::AfterCursor => "\u{1b}[0m\u{1b}[J",
            ClearType::BeforeCursor => "\u{1b}[0m\u{1b}[1J",
            ClearType::CurrentLine => "\u{1b}[0m\u{1b}[2K",
            ClearType::UntilNewLine => "\u{1b}[0m\u{1b}[K",
        });
        Ok(())
    }

    fn size(&self) -> io::Result<Size> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        // Terminals that do not know it ignore it.
        let frame = format!("\u{1b}[?2026h{}\u{1b}[?2026l", self.pending);
        self.pending.clear();
        self.out.write_all(frame.as_bytes())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::Terminal;
    use ratatui::layout::Rect;
    use ratatui::style::{Style, Stylize};
    use ratatui::text::{Line, Span};
    use ratatui::{TerminalOptions, Viewport};

    #[test]
    fn only_changes_are_written_in_one_piece() {
        let area = Rect::new(0, 0, 12, 1);
        let backend = TerminalBackend::new(Vec::new(), area.as_size());
        let options = TerminalOptions { viewport: Viewport::Fixed(area) };
        let mut terminal = Terminal::with_options(backend, options).unwrap();
        let mut draw = |spans: Vec<Span<'static>>| {
            terminal.draw(|frame| frame.render_widget(Line::from(spans), frame.area())).unwrap();
            let written = std::mem::take(&mut terminal.backend_mut().out);
            String::from_utf8(written).unwrap().replace('\u{1b}', "^")
        };
        let first = draw(vec!["ab".red().bold(), Span::styled("日c", Style::new())]);
        assert_eq!(first, "^[?2026h^[1;1H^[0;1;31mab^[0m日^[1;5Hc^[0m^[?25l^[?2026l");
        let second = draw(vec!["ax".red().bold(), Span::styled("日c", Style::new())]);
        assert_eq!(second, "^[?2026h^[1;2H^[0;1;31mx^[0m^[?25l^[?2026l");
    }
}
