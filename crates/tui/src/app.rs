//! The stack of screens: passes events on, carries effects out, draws.
//!
//! Pure: tests drive it with events and draw it on a `TestBackend`. Everything that needs the
//! terminal or the worker leaves it as a [`Command`].

use crate::action::Action;
use crate::event::{Event, MouseKind};
use crate::keymap::{Hint, Keymap, hint_line};
use crate::screen::{Effect, Input, Outcome, Screen, View};
use crate::theme::Theme;
use crate::worker::{Answer, Request};
use crate::{operation, session, text};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph, Wrap};

/// The smallest terminal, in columns and rows.
pub(crate) const SMALLEST: (u16, u16) = (40, 8);

/// What the loop around the app has to do.
#[derive(Debug)]
pub(crate) enum Command {
    /// Ask the worker.
    Ask(Request),
    /// Copy with the terminal.
    Copy(String),
    /// Suspend the program.
    Suspend,
    /// Draw everything again.
    Redraw,
    /// End.
    Finish(Outcome),
}

/// What stays the same while the program runs.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) theme: Theme,
    pub(crate) keymap: Keymap,
    pub(crate) zone: TimeZone,
    pub(crate) home: Option<String>,
}

/// The screens and what is said about them.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) settings: Settings,
    screens: Vec<Box<dyn Screen>>,
    /// A message, and whether something failed.
    notice: Option<(String, bool)>,
    area: Rect,
    now: Timestamp,
}

impl App {
    pub(crate) fn new(
        settings: Settings,
        first: Box<dyn Screen>,
        area: Rect,
        now: Timestamp,
    ) -> App {
        App { settings, screens: vec![first], notice: None, area, now }
    }

    /// Sets the time that screens see.
    pub(crate) fn set_now(&mut self, now: Timestamp) {
        self.now = now;
    }

    /// Takes an event.
    pub(crate) fn handle(&mut self, event: &Event) -> Vec<Command> {
        let Some(top) = self.screens.last() else { return Vec::new() };
        let mode = top.mode();
        let action = match event {
            Event::Key(key) => self.settings.keymap.action(mode, *key),
            Event::Mouse(mouse) if mouse.kind == MouseKind::Press && !self.is_too_small() => {
                let mut hints = self.hints().into_iter();
                let at = (mouse.column, mouse.row);
                hints.find(|hint| hint.area.contains(at.into())).map(|hint| hint.action)
            }
            _ => None,
        };
        if matches!(event, Event::Key(_) | Event::Paste(_) | Event::Mouse(_)) {
            self.notice = None;
        }
        match action {
            Some(Action::Quit) => return vec![Command::Finish(Outcome::Quit)],
            Some(Action::Suspend) => return vec![Command::Suspend],
            _ => {}
        }
        let mut commands = Vec::new();
        if action == Some(Action::Redraw) {
            commands.push(Command::Redraw);
        }
        match (action, event) {
            (Some(action), _) => {
                self.pass(self.screens.len(), &Input::Action(action), &mut commands);
            }
            // Every screen has to know; answers find their screen by what they are about.
            (None, Event::Resize | Event::Answer(_)) => {
                for depth in 1..=self.screens.len() {
                    self.pass(depth, &Input::Event(event), &mut commands);
                }
                // What a person did is answered here, whatever screen it was done on.
                if let Event::Answer(Answer::Act(answer)) = event {
                    for effect in operation::effects(answer) {
                        self.carry_out(effect, self.screens.len(), &mut commands);
                    }
                }
            }
            (None, event) => self.pass(self.screens.len(), &Input::Event(event), &mut commands),
        }
        commands
    }

    /// Takes the new size of the terminal.
    pub(crate) fn resize(&mut self, area: Rect) -> Vec<Command> {
        self.area = area;
        self.handle(&Event::Resize)
    }

    /// Passes an input to the screen at a depth, and carries its effects out.
    fn pass(&mut self, depth: usize, input: &Input<'_>, commands: &mut Vec<Command>) {
        let (view, screens) = self.split();
        let Some(screen) = depth.checked_sub(1).and_then(|place| screens.get_mut(place)) else {
            return;
        };
        for effect in screen.handle(input, &view) {
            self.carry_out(effect, depth, commands);
        }
    }

    fn carry_out(&mut self, effect: Effect, depth: usize, commands: &mut Vec<Command>) {
        match effect {
            Effect::Ask(request) => commands.push(Command::Ask(request)),
            Effect::Copy(text) => commands.push(Command::Copy(text)),
            Effect::Finish(outcome) => commands.push(Command::Finish(outcome)),
            Effect::Notice(text) => self.notice = Some((text, false)),
            Effect::Problem(text) => self.notice = Some((text, true)),
            Effect::Open(opening) => {
                self.carry_out(Effect::Push(session::screen(opening)), depth, commands);
            }
            Effect::Push(screen) => {
                self.screens.push(screen);
                // A new screen learns its size and asks for what it shows.
                self.pass(self.screens.len(), &Input::Event(&Event::Resize), commands);
            }
            Effect::Close => self.close(depth, None, commands),
            Effect::CloseWith(event) => self.close(depth, Some(*event), commands),
        }
    }

    fn close(&mut self, depth: usize, event: Option<Event>, commands: &mut Vec<Command>) {
        // Whatever lies over a screen goes with it.
        self.screens.truncate(depth.saturating_sub(1));
        if self.screens.is_empty() {
            commands.push(Command::Finish(Outcome::Quit));
            return;
        }
        let event = event.unwrap_or(Event::Resize);
        self.pass(self.screens.len(), &Input::Event(&event), commands);
    }

    fn is_too_small(&self) -> bool {
        self.area.width < SMALLEST.0 || self.area.height < SMALLEST.1
    }

    /// The screens' part of the terminal; the last row is for hints.
    fn screen_area(&self) -> Rect {
        Rect { height: self.area.height.saturating_sub(1), ..self.area }
    }

    fn split(&mut self) -> (View<'_>, &mut Vec<Box<dyn Screen>>) {
        let area = self.screen_area();
        let Settings { theme, keymap, zone, home } = &self.settings;
        let view = View { area, theme, keymap, now: self.now, zone, home: home.as_deref() };
        (view, &mut self.screens)
    }

    /// The hints of the topmost screen.
    fn hints(&self) -> Vec<Hint> {
        let Some(top) = self.screens.last() else { return Vec::new() };
        let row = Rect { y: self.area.bottom().saturating_sub(1), height: 1, ..self.area };
        let row = Rect { x: row.x + 1, width: row.width.saturating_sub(2), ..row };
        let hints = top.hints().into_iter().map(|action| (action, top.label(action)));
        self.settings.keymap.hints(top.mode(), hints, row)
    }

    /// Draws the screens.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = self.area.intersection(frame.area());
        if self.is_too_small() {
            let (columns, rows) = SMALLEST;
            let message = format!("annals needs {columns}×{rows}; ^C quits");
            frame.render_widget(Paragraph::new(message).wrap(Wrap { trim: true }), area);
            return;
        }
        let hints = self.hints();
        let notice = self.notice.clone();
        let (view, screens) = self.split();
        let opaque = screens.iter().rposition(|screen| !screen.is_overlay()).unwrap_or(0);
        for screen in &screens[opaque..] {
            screen.draw(frame, &view);
        }
        let theme = *view.theme;
        let row = Rect { y: area.bottom() - 1, height: 1, ..area };
        let row = Rect { x: row.x + 1, width: row.width - 2, ..row };
        frame.render_widget(Clear, row);
        let line = match notice {
            Some((text, failed)) => {
                let meaning = if failed { render::Style::Bad } else { render::Style::Good };
                Line::from(text::cut_span(&text, row.width.into(), theme.style(meaning)))
            }
            None => hint_line(&hints, theme),
        };
        frame.render_widget(line, row);
    }
}
