//! The screen of a session: an outline beside the conversation.
//!
//! The worker opens the session and answers twice: with the conversation, and then with what
//! takes longer. Only what is visible is laid out (`layout.rs`), so that a session of any
//! size scrolls at once. The reader's place is a piece of the conversation and a line in it
//! (`reader.rs`); it survives other widths, other looks and new lines of a growing session.
//!
//! Deliberately not here: reading files (`work/session.rs`), what turns look like (`render`),
//! the windows over a session (`overlay`), and actions on sessions (`operation.rs`).

pub(crate) mod details;
mod drawing;
pub(crate) mod find;
mod header;
mod keys;
pub(crate) mod layout;
pub(crate) mod model;
mod mouse;
mod moving;
mod outline;
mod reader;
#[cfg(test)]
mod tests;
pub(crate) mod text;

pub(crate) use self::header::UNKNOWN_ON_DISK;

use crate::action::{Action, Mode};
use crate::event::Event;
use crate::line_input::LineInput;
use crate::overlay::Goto;
use crate::screen::{Effect, Input, Opening, Screen, View};
use crate::work::{OperationAnswer, SessionAnswer, SessionRequest};
use crate::worker::{Answer, Request};
use details::Details;
use drawing::Areas;
use find::Find;
use layout::{Layout, LayoutOptions};
use library::sessions::Part;
use model::SessionModel;
use outline::Outline;
use ratatui::Frame;
use reader::{Position, Reader};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use text::{Look, Outputs, Tools};

/// The screen of a session or sub-agent.
pub(crate) fn screen(opening: Opening) -> Box<dyn Screen> {
    Box::new(SessionScreen::new(opening, Part::Whole))
}

/// The panes of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    /// The turns.
    Outline,
    /// The conversation.
    Text,
}

/// A jump: the turn, the line it was about, and the line that it put at the top.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    turn: usize,
    target: Position,
    top: Position,
}

/// The screen.
#[derive(Debug)]
pub(crate) struct SessionScreen {
    opening: Opening,
    part: Part,
    /// The line of the transcript to show first.
    line: Option<u64>,
    /// The screen below shows this session or agent.
    below: Option<String>,
    model: Option<Arc<SessionModel>>,
    details: Option<Arc<Details>>,
    /// Outputs in separate files, once they are to be shown.
    outputs: Option<Arc<Outputs>>,
    problem: Option<String>,
    is_following: bool,
    look: Look,
    folded: Rc<BTreeSet<usize>>,
    reader: Reader,
    /// Where the reader jumped to, while they have not moved since.
    jumped_to: Option<Jump>,
    outline: Outline,
    focus: Pane,
    is_zoomed: bool,
    /// The width of the outline, once the divider was moved.
    divider: Option<u16>,
    is_dragging: bool,
    find: Option<Find>,
    /// The line in which text to find is typed.
    input: Option<LineInput>,
    layout: RefCell<Option<Rc<Layout>>>,
}

impl SessionScreen {
    pub(crate) fn new(opening: Opening, part: Part) -> SessionScreen {
        SessionScreen {
            is_following: opening.is_followed,
            find: Find::query(&opening.query),
            opening,
            part,
            line: None,
            below: None,
            model: None,
            details: None,
            outputs: None,
            problem: None,
            look: Look::default(),
            folded: Rc::default(),
            reader: Reader::default(),
            jumped_to: None,
            outline: Outline::default(),
            focus: Pane::Text,
            is_zoomed: false,
            divider: None,
            is_dragging: false,
            input: None,
            layout: RefCell::default(),
        }
    }

    /// What the worker has to open.
    fn request(&self) -> Request {
        let (id, part) = (self.opening.id.clone(), self.part.clone());
        Request::Session(if self.is_following {
            SessionRequest::Follow { id, part }
        } else {
            SessionRequest::Open { id, part }
        })
    }

    fn areas(&self, view: &View<'_>) -> Areas {
        Areas::new(view.area, self.focus, self.is_zoomed, self.divider)
    }

    /// The conversation in lines, for this width; `None` while it is read.
    fn layout(&self, view: &View<'_>) -> Option<Rc<Layout>> {
        let options = LayoutOptions {
            model: self.model.as_ref()?,
            details: self.details.as_ref(),
            outputs: self.outputs.as_ref(),
            width: self.areas(view).text_width(),
            look: self.look,
            folded: &self.folded,
        };
        let new = Layout::new(&options, view);
        let mut layout = self.layout.borrow_mut();
        match &*layout {
            Some(layout) if layout.is_like(&new) => Some(Rc::clone(layout)),
            _ => {
                let new = Rc::new(new);
                *layout = Some(Rc::clone(&new));
                Some(new)
            }
        }
    }

    /// Makes all positions valid after anything changed.
    fn settle(&mut self, view: &View<'_>) {
        let areas = self.areas(view);
        if let Some(layout) = self.layout(view) {
            self.reader.settle(&*layout);
            if self.jumped_to.is_some_and(|jump| jump.top != self.reader.top) {
                self.jumped_to = None;
            }
            if self.focus == Pane::Text || areas.outline.is_none() {
                let turn = self.current_turn(&layout, areas.text_height());
                self.outline.select_turn(turn);
            }
        }
        self.outline.settle(areas.outline.map_or(0, |area| area.height.into()));
    }

    fn take(&mut self, answer: &SessionAnswer, view: &View<'_>) -> Vec<Effect> {
        match answer {
            SessionAnswer::Opened { id, part, model } => {
                if (id, part) != (&self.opening.id, &self.part) {
                    return Vec::new();
                }
                match model {
                    Ok(model) => {
                        self.show(Arc::clone(model), view);
                        return self.ask_for_outputs();
                    }
                    // What is shown stays.
                    Err(problem) if self.model.is_some() => {
                        return vec![Effect::Problem(problem.clone())];
                    }
                    Err(problem) => self.problem = Some(problem.clone()),
                }
            }
            SessionAnswer::Detailed { model, details } => {
                if self.model.as_ref().is_some_and(|own| Arc::ptr_eq(own, model)) {
                    self.details = Some(Arc::clone(details));
                    self.outline.refresh(model, Some(details));
                }
            }
            SessionAnswer::Outputs { model, outputs } => {
                if self.model.as_ref().is_some_and(|own| Arc::ptr_eq(own, model)) {
                    self.outputs = Some(Arc::clone(outputs));
                }
            }
            SessionAnswer::Window { .. } => {}
        }
        Vec::new()
    }

    /// Asks for outputs in separate files, if they are to be shown.
    fn ask_for_outputs(&self) -> Vec<Effect> {
        match &self.model {
            Some(model) if self.look.tools == Tools::Full => {
                let model = Arc::clone(model);
                vec![Effect::Ask(Request::Session(SessionRequest::Outputs { model }))]
            }
            _ => Vec::new(),
        }
    }

    /// Shows a session that was read, for the first time or again.
    fn show(&mut self, model: Arc<SessionModel>, view: &View<'_>) {
        let height = self.areas(view).text_height();
        let is_first = self.model.is_none();
        let was_at_end = match self.layout(view) {
            Some(layout) => self.reader.is_at_end(&*layout, height),
            None => true,
        };
        self.problem = None;
        self.outline.refresh(&model, self.details.as_deref());
        self.model = Some(model);
        // Until new details come, those of before are nearly right.
        let Some(layout) = self.layout(view) else { return };
        if is_first {
            self.begin(&layout, height);
            return;
        }
        self.jumped_to = None;
        if self.is_following && was_at_end {
            self.reader.go_to_end(&*layout, height);
        }
    }

    /// The mode of the screen, and what is selected, for actions on sessions.
    fn handle_event(&mut self, event: &Event, view: &View<'_>) -> Vec<Effect> {
        match event {
            Event::Resize if self.model.is_none() && self.problem.is_none() => {
                vec![Effect::Ask(self.request())]
            }
            Event::Answer(Answer::Session(answer)) => self.take(answer, view),
            // A bookmark or a title may be another one now.
            Event::Answer(Answer::Act(OperationAnswer::Done(_)))
                if self.model.is_some() && !self.is_following =>
            {
                vec![Effect::Ask(self.request())]
            }
            Event::Mouse(mouse) => self.mouse(*mouse, view),
            Event::Goto(place) => self.go_to(place, view),
            Event::Key(_) | Event::Paste(_) => {
                if let Some(input) = &mut self.input {
                    input.handle(event);
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Opens another session or agent, or another part of this one, on top.
    fn open(&self, opening: Opening, part: Part, line: Option<u64>) -> Vec<Effect> {
        let mut screen = SessionScreen::new(opening, part);
        screen.below = Some(self.opening.id.clone());
        screen.line = line;
        screen.look = self.look;
        vec![Effect::Push(Box::new(screen))]
    }

    fn go_to(&mut self, place: &Goto, view: &View<'_>) -> Vec<Effect> {
        let Some(layout) = self.layout(view) else { return Vec::new() };
        let of = |id: &str| Opening { id: id.to_owned(), ..Opening::default() };
        match place {
            Goto::Turn(number) => {
                let Some(turn) = layout.model().find_turn(*number) else {
                    // A turn of a branch or a segment is shown with that part.
                    let opening = Opening { turn: Some(*number), ..of(&self.opening.id) };
                    return self.open(opening, Part::with_turn(*number), None);
                };
                self.jump_to_turn(&layout, turn);
            }
            Goto::Line(line) => match layout.model().piece_of_line(*line) {
                Some(piece) => self.jump_to(&layout, Position { piece, line: 0 }, view),
                None => return vec![Effect::Notice(format!("line {line} is not shown here"))],
            },
            Goto::Agent(id, line) => return self.open(of(id), Part::Whole, *line),
            Goto::Branch(number) => {
                let part = Part::AbandonedBranch(*number);
                return self.open(of(&self.opening.id), part, None);
            }
            Goto::Session(id, turn) => {
                return self.open(Opening { turn: *turn, ..of(id) }, Part::Whole, None);
            }
        }
        Vec::new()
    }
}

impl Screen for SessionScreen {
    fn handle(&mut self, input: &Input<'_>, view: &View<'_>) -> Vec<Effect> {
        let effects = match input {
            Input::Action(action) => self.act(*action, view),
            Input::Event(event) => self.handle_event(event, view),
        };
        self.settle(view);
        effects
    }

    fn draw(&self, frame: &mut Frame<'_>, view: &View<'_>) {
        self.draw_all(frame, view);
    }

    fn mode(&self) -> Mode {
        if self.input.is_some() { Mode::Prompt } else { Mode::Session }
    }

    fn hints(&self) -> Vec<Action> {
        if self.input.is_some() {
            return vec![Action::Open, Action::Back];
        }
        let mut hints = vec![Action::NextPrompt];
        if self.find.is_some() {
            hints.extend([Action::FindNext, Action::FindPrevious]);
        }
        let model = self.model.as_ref();
        if model.is_some_and(|model| !model.errors().is_empty()) {
            hints.push(Action::NextError);
        }
        hints.extend([Action::Tools, Action::Find, Action::Resume]);
        if self.details.as_ref().is_some_and(|details| !details.agents.is_empty()) {
            hints.push(Action::Agents);
        }
        if model.is_some_and(|model| !model.besides().is_empty()) {
            hints.push(Action::Branches);
        }
        if model.is_some_and(|model| model.session().found().session.is_running) {
            hints.push(Action::Follow);
        }
        hints.extend([Action::Help, Action::Back, Action::Thinking, Action::Diffs]);
        hints.extend([Action::ToolCalls, Action::Files, Action::Usage, Action::Copy, Action::Zoom]);
        hints
    }
}
