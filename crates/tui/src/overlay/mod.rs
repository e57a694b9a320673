//! Windows over a screen: tables and texts that scroll, and the keys.
//!
//! A window asks the worker for its content, which knows nothing of widths: it is laid out
//! for the window's width here. A row that leads somewhere can be chosen; the screen below
//! goes there.
//!
//! Deliberately not here: finding the content (`work/windows.rs`), and windows that ask
//! (`prompt.rs`).

mod content;
#[cfg(test)]
mod tests;

pub(crate) use content::{Block, Choice, Content};

use crate::action::{Action, Mode};
use crate::event::{Event, Key, MouseKind};
use crate::keymap::Keymap;
use crate::prompt::window;
use crate::screen::{Effect, Input, Screen, View};
use crate::session::model::SessionModel;
use crate::theme::Theme;
use crate::work::{SessionAnswer, SessionRequest};
use crate::worker::{Answer, Request};
use library::sessions::TurnNumber;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// What a window is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WindowKind {
    /// The sub-agents.
    Agents,
    /// Generations, turns, branches, relatives.
    Tree,
    /// The tool calls.
    Tools,
    /// Those that failed.
    Errors,
    /// The files that were read and changed.
    Files,
    /// What all sessions did to a file.
    FileHistory(String),
    /// The plans.
    Plans,
    /// One version of a plan.
    Plan(usize),
    /// The bookmarks.
    Marks,
    /// Tokens, costs and the context window.
    Usage,
    /// The keys of a screen.
    Help(Mode),
}

impl WindowKind {
    fn title(&self) -> String {
        match self {
            WindowKind::Agents => "agents".to_owned(),
            WindowKind::Tree => "branches and turns".to_owned(),
            WindowKind::Tools => "tool calls (e: only errors)".to_owned(),
            WindowKind::Errors => "failed tool calls (e: all)".to_owned(),
            WindowKind::Files => "files".to_owned(),
            WindowKind::FileHistory(path) => path.clone(),
            WindowKind::Plans => "plans".to_owned(),
            WindowKind::Plan(number) => format!("plan {number}"),
            WindowKind::Marks => "bookmarks".to_owned(),
            WindowKind::Usage => "usage of this session".to_owned(),
            WindowKind::Help(_) => "keys".to_owned(),
        }
    }
}

/// Where a row leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goto {
    /// A turn of the session below.
    Turn(TurnNumber),
    /// A line of its transcript.
    Line(u64),
    /// A sub-agent, and a line of its transcript.
    Agent(String, Option<u64>),
    /// An abandoned branch of it, by its number.
    Branch(usize),
    /// Another session, and a turn of it.
    Session(String, Option<TurnNumber>),
}

/// The keys of a screen.
pub(crate) fn help(mode: Mode) -> Box<dyn Screen> {
    Box::new(Window { kind: WindowKind::Help(mode), ..Window::empty() })
}

/// A window.
#[derive(Debug)]
pub(crate) struct Window {
    kind: WindowKind,
    model: Option<Arc<SessionModel>>,
    content: Option<Result<Arc<Content>, String>>,
    /// The selected line, where lines can be chosen.
    selected: usize,
    /// The line at the top.
    offset: usize,
    lines: RefCell<Option<LaidOut>>,
}

/// A line, and where it leads.
pub(crate) type WindowLine = (Line<'static>, Option<Choice>);

/// Lines for a width and a theme.
#[derive(Debug)]
struct LaidOut {
    width: usize,
    theme: Theme,
    lines: Rc<Vec<WindowLine>>,
}

/// The widest window.
const WIDEST: u16 = 120;

impl Window {
    fn empty() -> Window {
        Window {
            kind: WindowKind::Agents,
            model: None,
            content: None,
            selected: 0,
            offset: 0,
            lines: RefCell::default(),
        }
    }

    /// A window about an open session.
    pub(crate) fn new(kind: WindowKind, model: &Arc<SessionModel>) -> Window {
        Window { kind, model: Some(Arc::clone(model)), ..Window::empty() }
    }

    fn set_content(&mut self, content: Result<Arc<Content>, String>) {
        self.content = Some(content);
        *self.lines.borrow_mut() = None;
        (self.selected, self.offset) = (0, 0);
    }

    fn size(view: &View<'_>) -> (u16, usize) {
        let width = view.area.width.saturating_sub(2).min(WIDEST);
        (width, usize::from(view.area.height.saturating_sub(2)))
    }

    /// The lines for the window's width.
    fn lines(&self, view: &View<'_>) -> Rc<Vec<WindowLine>> {
        let width = usize::from(Window::size(view).0).saturating_sub(4).max(8);
        let mut cached = self.lines.borrow_mut();
        if let Some(own) = &*cached
            && (own.width, own.theme) == (width, *view.theme)
        {
            return Rc::clone(&own.lines);
        }
        let dim =
            |text: &str| vec![(Line::from(Span::styled(text.to_owned(), view.theme.dim())), None)];
        let lines = Rc::new(match &self.content {
            None => dim("Reading…"),
            Some(Err(problem)) => {
                let bad = view.theme.style(render::Style::Bad);
                let problem = render::untrusted::line(problem);
                let lines = render::wrapped(&problem, width).into_iter();
                lines.map(|line| (Line::from(Span::styled(line, bad)), None)).collect()
            }
            Some(Ok(content)) => content.lines(width, *view.theme),
        });
        *cached = Some(LaidOut { width, theme: *view.theme, lines: Rc::clone(&lines) });
        lines
    }

    /// Moves by a number of rows that can be chosen, or by lines where none can.
    fn step(&mut self, lines: &[WindowLine], height: usize, by: isize) {
        let choices: Vec<usize> = choices(lines);
        if choices.is_empty() {
            let most = lines.len().saturating_sub(height);
            self.offset = self.offset.saturating_add_signed(by).min(most);
            return;
        }
        let own = choices.iter().position(|line| *line >= self.selected).unwrap_or(0);
        let target = own.saturating_add_signed(by).min(choices.len() - 1);
        if target == own && by < 0 {
            // What stands above the first row is seen again.
            self.offset = 0;
        }
        self.selected = choices[target];
    }

    /// Makes the selection and the scroll position valid.
    fn settle(&mut self, view: &View<'_>) {
        let lines = self.lines(view);
        let height = visible_height(view, lines.len());
        let choices = choices(&lines);
        if let Some(nearest) =
            choices.iter().copied().find(|line| *line >= self.selected).or(choices.last().copied())
        {
            self.selected = nearest;
            self.offset = self.offset.max((nearest + 1).saturating_sub(height)).min(nearest);
            if Some(&nearest) == choices.first() && nearest < height {
                self.offset = 0;
            }
        } else {
            self.selected = 0;
        }
        self.offset = self.offset.min(lines.len().saturating_sub(height));
    }

    fn choose(&mut self, view: &View<'_>) -> Vec<Effect> {
        let lines = self.lines(view);
        match lines.get(self.selected).and_then(|(_, choice)| choice.clone()) {
            None => Vec::new(),
            Some(Choice::Goto(place)) => vec![Effect::CloseWith(Box::new(Event::Goto(place)))],
            Some(Choice::Window(kind)) => match &self.model {
                Some(model) => vec![Effect::Push(Box::new(Window::new(kind, model)))],
                None => Vec::new(),
            },
        }
    }

    fn key(&mut self, key: Key) -> Vec<Effect> {
        let other = match &self.kind {
            WindowKind::Tools => WindowKind::Errors,
            WindowKind::Errors => WindowKind::Tools,
            _ => return Vec::new(),
        };
        if key != Key::char('e') {
            return Vec::new();
        }
        self.kind = other;
        self.content = None;
        *self.lines.borrow_mut() = None;
        self.ask()
    }

    fn ask(&self) -> Vec<Effect> {
        let Some(model) = &self.model else { return Vec::new() };
        let (kind, model) = (self.kind.clone(), Arc::clone(model));
        vec![Effect::Ask(Request::Session(SessionRequest::Window { kind, model }))]
    }
}

fn choices(lines: &[WindowLine]) -> Vec<usize> {
    let choices = lines.iter().enumerate().filter(|(_, (_, choice))| choice.is_some());
    choices.map(|(line, _)| line).collect()
}

fn visible_height(view: &View<'_>, lines: usize) -> usize {
    Window::size(view).1.saturating_sub(2).min(lines).max(1)
}

impl Screen for Window {
    fn handle(&mut self, input: &Input<'_>, view: &View<'_>) -> Vec<Effect> {
        let lines = self.lines(view);
        let height = visible_height(view, lines.len());
        let page = isize::try_from(height.saturating_sub(1).max(1)).unwrap_or(1);
        let mut effects = Vec::new();
        match input {
            Input::Action(action) => match action {
                Action::Back | Action::Leave => effects.push(Effect::Close),
                Action::Help if matches!(self.kind, WindowKind::Help(_)) => {
                    effects.push(Effect::Close);
                }
                Action::Up => self.step(&lines, height, -1),
                Action::Down => self.step(&lines, height, 1),
                Action::HalfUp => self.step(&lines, height, -(page / 2).max(1)),
                Action::HalfDown => self.step(&lines, height, (page / 2).max(1)),
                Action::PageUp => self.step(&lines, height, -page),
                Action::PageDown => self.step(&lines, height, page),
                Action::Top => self.step(&lines, height, isize::MIN),
                Action::Bottom => self.step(&lines, height, isize::MAX),
                Action::Open => effects = self.choose(view),
                Action::Help => effects.push(Effect::Push(help(Mode::Overlay))),
                _ => {}
            },
            Input::Event(Event::Resize) if self.content.is_none() => match self.kind {
                WindowKind::Help(mode) => {
                    self.set_content(Ok(Arc::new(keys_of(view.keymap, mode))));
                }
                _ => effects = self.ask(),
            },
            Input::Event(Event::Answer(Answer::Session(SessionAnswer::Window {
                kind,
                content,
            }))) if *kind == self.kind => {
                self.set_content(content.clone());
            }
            // What was chosen in a window over this one is for the session below.
            Input::Event(Event::Goto(place)) => {
                effects.push(Effect::CloseWith(Box::new(Event::Goto(place.clone()))));
            }
            Input::Event(Event::Key(key)) => effects = self.key(*key),
            Input::Event(Event::Mouse(mouse)) => match mouse.kind {
                MouseKind::WheelUp => self.step(&lines, height, -3),
                MouseKind::WheelDown => self.step(&lines, height, 3),
                MouseKind::Press => {
                    let inner = inner_area(view, &lines);
                    if inner.contains((mouse.column, mouse.row).into()) {
                        let line = self.offset + usize::from(mouse.row - inner.y);
                        let is_choice = lines.get(line).is_some_and(|(_, choice)| choice.is_some());
                        if is_choice && line == self.selected {
                            effects = self.choose(view);
                        } else if is_choice {
                            self.selected = line;
                        }
                    } else {
                        effects.push(Effect::Close);
                    }
                }
                MouseKind::Drag | MouseKind::Release => {}
            },
            Input::Event(_) => {}
        }
        self.settle(view);
        effects
    }

    fn draw(&self, frame: &mut Frame<'_>, view: &View<'_>) {
        let lines = self.lines(view);
        let (width, _) = Window::size(view);
        let height = visible_height(view, lines.len());
        let more = lines.len() > height;
        let position = if more {
            let last = (self.offset + height).min(lines.len());
            format!(" {}–{last} of {}", self.offset + 1, lines.len())
        } else {
            String::new()
        };
        let title = format!("{}{position}", self.kind.title());
        let inner = window(frame, view, &title, width, height);
        let can_choose = lines.iter().any(|(_, choice)| choice.is_some());
        let visible = lines.iter().enumerate().skip(self.offset);
        for (row, (number, (line, _))) in (inner.top()..inner.bottom()).zip(visible) {
            let place = Rect { y: row, height: 1, ..inner };
            frame.render_widget(line, place);
            if can_choose && number == self.selected {
                frame.buffer_mut().set_style(place, view.theme.selected());
            }
        }
    }

    fn mode(&self) -> Mode {
        Mode::Overlay
    }

    fn hints(&self) -> Vec<Action> {
        let leads = match &self.content {
            Some(Ok(content)) => content.has_choices(),
            _ => false,
        };
        let mut hints = Vec::new();
        if leads {
            hints.push(Action::Open);
        }
        hints.extend([Action::Down, Action::Up, Action::PageDown, Action::Bottom, Action::Back]);
        hints
    }

    fn is_overlay(&self) -> bool {
        true
    }
}

/// Where the lines of a window are: as [`window`] draws it.
fn inner_area(view: &View<'_>, lines: &[WindowLine]) -> Rect {
    let (width, _) = Window::size(view);
    let inner_height = u16::try_from(visible_height(view, lines.len())).unwrap_or(u16::MAX);
    let height = inner_height.saturating_add(2).min(view.area.height);
    let x = view.area.x + (view.area.width - width.min(view.area.width)) / 2;
    let y = view.area.y + (view.area.height - height) / 3;
    Rect { x: x + 2, y: y + 1, width: width.saturating_sub(4), height: height.saturating_sub(2) }
}

/// The keys of a screen, with what they do.
fn keys_of(keymap: &Keymap, mode: Mode) -> Content {
    let mut table = render::Table::new(vec![
        render::Column::new("KEYS").style(render::Style::Id),
        render::Column::new("").shrinks_to(16).wide(),
    ]);
    let mut rows = 0;
    for (_, keys, help) in keymap.described(mode) {
        if !keys.is_empty() {
            table.row([keys, help.to_owned()]);
            rows += 1;
        }
    }
    Content::new(vec![Block::Table(table, vec![None; rows])])
}
