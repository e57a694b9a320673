//! Windows that ask: a line of text, a question, or what to copy.

use crate::action::{Action, Mode};
use crate::event::{Event, Key};
use crate::line_input::LineInput;
use crate::operation::Target;
use crate::screen::{Effect, Input, Screen, View};
use crate::text;
use crate::work::Operation;
use crate::worker::Request;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};
use std::path::PathBuf;

/// What an answer is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The tag of a session.
    Tag(String),
    /// The title of a session.
    Rename(String),
    /// The folder to resume a session in.
    Folder { id: String, is_fork: bool },
    /// Whether to restore a session.
    Restore(String),
}

/// A window with a question.
#[derive(Debug)]
pub(crate) struct Prompt {
    title: String,
    /// `None`: yes or no.
    input: Option<LineInput>,
    purpose: Purpose,
}

impl Prompt {
    /// Asks for a line of text.
    pub(crate) fn line(title: &str, text: &str, purpose: Purpose) -> Effect {
        let input = Some(LineInput::new(text));
        Effect::Push(Box::new(Prompt { title: title.to_owned(), input, purpose }))
    }

    /// Asks for yes or no.
    pub(crate) fn question(title: &str, purpose: Purpose) -> Effect {
        Effect::Push(Box::new(Prompt { title: title.to_owned(), input: None, purpose }))
    }

    /// What a person wants, once they have answered.
    fn accepted(&self, view: &View<'_>) -> Vec<Effect> {
        let text = self.input.as_ref().map(LineInput::text).unwrap_or_default();
        let operation = match &self.purpose {
            Purpose::Tag(id) => Operation::Tag(id.clone(), text),
            Purpose::Rename(_) | Purpose::Folder { .. } if text.trim().is_empty() => {
                return Vec::new();
            }
            Purpose::Rename(id) => Operation::Rename(id.clone(), text),
            Purpose::Folder { id, is_fork } => {
                let folder = match (text.strip_prefix('~'), view.home) {
                    (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                        format!("{home}{rest}")
                    }
                    _ => text.clone(),
                };
                let folder = Some(PathBuf::from(folder.trim()));
                Operation::CheckResume { id: id.clone(), is_fork: *is_fork, folder }
            }
            Purpose::Restore(id) => Operation::Restore(id.clone()),
        };
        vec![Effect::Close, Effect::Ask(Request::Act(operation))]
    }
}

impl Screen for Prompt {
    fn handle(&mut self, input: &Input<'_>, view: &View<'_>) -> Vec<Effect> {
        match input {
            Input::Action(Action::Back) => vec![Effect::Close],
            Input::Action(Action::Open) => self.accepted(view),
            Input::Event(event) => match (&mut self.input, event) {
                (Some(line), event) => {
                    line.handle(event);
                    Vec::new()
                }
                (None, Event::Key(key)) if *key == Key::char('y') => self.accepted(view),
                (None, Event::Key(key)) if *key == Key::char('n') => vec![Effect::Close],
                _ => Vec::new(),
            },
            Input::Action(_) => Vec::new(),
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, view: &View<'_>) {
        let width = view.area.width.saturating_sub(4).clamp(20, 70);
        let inner_width = usize::from(width) - 4;
        let title = render::untrusted::line(&self.title).into_owned();
        let mut lines: Vec<Line<'_>> =
            render::wrapped(&title, inner_width).into_iter().take(3).map(Line::from).collect();
        let mut cursor = None;
        match &self.input {
            Some(input) => {
                let (shown, column) = input.visible(inner_width - 3);
                cursor = Some((column + 2, lines.len()));
                let prompt = Span::styled("› ", view.theme.key());
                lines.push(Line::from(vec![prompt, Span::raw(shown)]));
            }
            None => lines.push(Line::from(vec![
                Span::styled("y", view.theme.key()),
                Span::raw(" yes   "),
                Span::styled("n", view.theme.key()),
                Span::raw(" no"),
            ])),
        }
        let inner = window(frame, view, "", width, lines.len());
        frame.render_widget(Paragraph::new(lines), inner);
        if let Some((column, row)) = cursor {
            let row = inner.y.saturating_add(u16::try_from(row).unwrap_or(u16::MAX));
            frame.set_cursor_position((inner.x.saturating_add(column), row));
        }
    }

    fn mode(&self) -> Mode {
        Mode::Prompt
    }

    fn hints(&self) -> Vec<Action> {
        vec![Action::Open, Action::Back]
    }

    fn is_overlay(&self) -> bool {
        true
    }
}

/// Draws an empty window in the middle; returns the area inside of it, with a margin.
pub(crate) fn window(
    frame: &mut Frame<'_>,
    view: &View<'_>,
    title: &str,
    width: u16,
    lines: usize,
) -> Rect {
    let height = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2).min(view.area.height);
    let width = width.min(view.area.width);
    let area = Rect {
        x: view.area.x + (view.area.width - width) / 2,
        y: view.area.y + (view.area.height - height) / 3,
        width,
        height,
    };
    frame.render_widget(Clear, area);
    let title = match text::cut(title, width.saturating_sub(4).into()) {
        title if title.is_empty() => title,
        title => format!(" {title} "),
    };
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(view.theme.border())
        .title(Span::styled(title, view.theme.title()));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
}

/// The window that asks what to copy.
#[derive(Debug)]
pub(crate) struct CopyMenu {
    target: Target,
}

impl CopyMenu {
    pub(crate) fn new(target: Target) -> CopyMenu {
        CopyMenu { target }
    }

    fn items(&self) -> Vec<(char, &'static str)> {
        let mut items =
            vec![('i', "id"), ('c', "command that resumes it"), ('l', "link to the web app")];
        if self.target.message.is_some() {
            items.push(('m', "message as shown"));
        }
        items
    }

    fn chosen(&self, letter: char) -> Vec<Effect> {
        let id = self.target.id.clone();
        match letter {
            'i' => {
                let id = self.target.agent.clone().unwrap_or(id);
                let notice = Effect::Notice(format!("Copied {id}"));
                vec![Effect::Close, Effect::Copy(id), notice]
            }
            'c' => vec![Effect::Close, Effect::Ask(Request::Act(Operation::Command(id)))],
            'l' => {
                let turn = self.target.turn;
                vec![Effect::Close, Effect::Ask(Request::Act(Operation::Link { id, turn }))]
            }
            'm' => match &self.target.message {
                Some(message) => vec![
                    Effect::Close,
                    Effect::Copy(render::untrusted::text(message).into_owned()),
                    Effect::Notice("Copied the message".to_owned()),
                ],
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

impl Screen for CopyMenu {
    fn handle(&mut self, input: &Input<'_>, _: &View<'_>) -> Vec<Effect> {
        match input {
            Input::Action(Action::Back | Action::Leave) => vec![Effect::Close],
            Input::Event(Event::Key(key)) => {
                let letter = key
                    .typed()
                    .filter(|letter| self.items().iter().any(|(known, _)| known == letter));
                letter.map(|letter| self.chosen(letter)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, view: &View<'_>) {
        let items = self.items();
        let lines: Vec<Line<'_>> = items
            .iter()
            .map(|(letter, label)| {
                let letter = Span::styled(letter.to_string(), view.theme.key());
                Line::from(vec![letter, Span::raw(format!("  {label}"))])
            })
            .collect();
        let inner = window(frame, view, "copy", 34, lines.len());
        frame.render_widget(Paragraph::new(lines), inner);
    }

    fn mode(&self) -> Mode {
        Mode::Overlay
    }

    fn hints(&self) -> Vec<Action> {
        vec![Action::Back]
    }

    fn is_overlay(&self) -> bool {
        true
    }
}
