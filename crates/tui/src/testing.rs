//! Helpers for tests: screens drawn on a `TestBackend`, plain and coloured.

use crate::app::{App, Command, Settings};
use crate::event::{Event, Key};
use crate::host::{Host, ResumeProblem};
use crate::keymap::Keymap;
use crate::screen::Screen;
use crate::theme::{Background, Theme, ThemeName};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use std::path::Path;

/// The sizes that every screen is drawn at: the smallest, the usual and a large one.
pub(crate) const SIZES: [(u16, u16); 3] = [(40, 8), (80, 24), (200, 60)];

/// The time in tests.
pub(crate) fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().expect("a time")
}

/// The settings in tests.
pub(crate) fn settings() -> Settings {
    Settings {
        theme: Theme::new(ThemeName::Auto, Background::Dark),
        keymap: Keymap::default(),
        zone: TimeZone::UTC,
        home: Some("/home/ada".to_owned()),
    }
}

/// An app with one screen, at a size, in UTC.
pub(crate) fn app(screen: Box<dyn Screen>, (width, height): (u16, u16)) -> App {
    App::new(settings(), screen, Rect::new(0, 0, width, height), now())
}

/// A binary that can do nothing.
pub(crate) struct NoHost;

impl Host for NoHost {
    fn resume_problem(&self, _: &str, _: bool, _: Option<&Path>) -> Option<ResumeProblem> {
        None
    }

    fn resume_command(&self, session: &str, _: bool) -> Result<String, String> {
        Ok(format!("claude --resume {session}"))
    }

    fn export(&self, session: &str) -> Result<String, String> {
        assert_ne!(session, "panic", "the worker panics");
        Err("no exports in tests".to_owned())
    }

    fn open_in_web(&self, _: &str, _: Option<&str>) -> Result<String, String> {
        Err("no web app in tests".to_owned())
    }

    fn web_link(&self, _: &str, _: Option<&str>) -> Result<String, String> {
        Err("no web app in tests".to_owned())
    }
}

/// Types keys, named as in the configuration and separated by spaces; the commands of all.
pub(crate) fn type_keys(app: &mut App, keys: &str) -> Vec<Command> {
    let keys = keys.split(' ').filter(|key| !key.is_empty());
    let keys = keys.map(|key| key.parse::<Key>().unwrap_or_else(|error| panic!("{error}")));
    keys.flat_map(|key| app.handle(&Event::Key(key))).collect()
}

/// Draws an app.
pub(crate) fn drawn(app: &mut App, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a test terminal");
    terminal.draw(|frame| app.draw(frame)).expect("drawing on a test terminal");
    terminal.backend().buffer().clone()
}

/// The text of a buffer, without spaces at the ends of lines.
pub(crate) fn plain(buffer: &Buffer) -> String {
    without_trailing_spaces(&rows(buffer, |_| ""))
}

/// The text of a buffer, with the style of each run of cells in brackets before it where it
/// changes: `{b cyan/blue}`.
pub(crate) fn colored(buffer: &Buffer) -> String {
    let mut last = String::new();
    let text = rows(buffer, |cell| {
        let style = style_name(cell.fg, cell.bg, cell.modifier);
        if style == last {
            return String::new();
        }
        last.clone_from(&style);
        format!("{{{style}}}")
    });
    without_trailing_spaces(&text)
}

fn without_trailing_spaces(text: &str) -> String {
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

fn rows<S: AsRef<str>>(
    buffer: &Buffer,
    mut before: impl FnMut(&ratatui::buffer::Cell) -> S,
) -> String {
    let area = buffer.area;
    let mut text = String::new();
    for row in area.top()..area.bottom() {
        let mut skip = 0;
        for column in area.left()..area.right() {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let cell = &buffer[(column, row)];
            text += before(cell).as_ref();
            text += cell.symbol();
            // A wide character covers the next cell.
            skip = render::columns(cell.symbol()).saturating_sub(1);
        }
        text.push('\n');
    }
    text
}

fn style_name(foreground: Color, background: Color, modifier: Modifier) -> String {
    let mut words = Vec::new();
    let letters = [
        (Modifier::BOLD, 'b'),
        (Modifier::DIM, 'd'),
        (Modifier::ITALIC, 'i'),
        (Modifier::UNDERLINED, 'u'),
        (Modifier::REVERSED, 'r'),
        (Modifier::CROSSED_OUT, 'x'),
    ];
    let set: String = letters
        .iter()
        .filter(|(one, _)| modifier.contains(*one))
        .map(|(_, letter)| *letter)
        .collect();
    if !set.is_empty() {
        words.push(set);
    }
    let color = match (foreground, background) {
        (Color::Reset, Color::Reset) => String::new(),
        (color, Color::Reset) => color.to_string().to_lowercase(),
        (color, back) => format!("{color}/{back}").to_lowercase(),
    };
    if !color.is_empty() {
        words.push(color);
    }
    words.join(" ")
}
