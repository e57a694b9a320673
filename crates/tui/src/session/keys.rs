//! What the actions of a session do.

use super::outline::RowTarget;
use super::reader::Position;
use super::{Pane, SessionScreen};
use crate::action::{Action, Mode};
use crate::line_input::LineInput;
use crate::operation::Target;
use crate::overlay::{Goto, WindowKind};
use crate::screen::{Effect, Opening, View};
use crate::session::find::Find;
use crate::work::SessionRequest;
use crate::worker::Request;
use crate::{operation, overlay};
use library::session::Presence;
use library::sessions::Part;
use std::rc::Rc;

impl SessionScreen {
    pub(super) fn act(&mut self, action: Action, view: &View<'_>) -> Vec<Effect> {
        if self.input.is_some() {
            return self.act_on_input(action, view);
        }
        match action {
            Action::Back if self.find.is_some() && self.opening.query.is_empty() => {
                self.find = None;
                return Vec::new();
            }
            Action::Back | Action::Leave => return self.leave(),
            Action::Help => return vec![Effect::Push(overlay::help(Mode::Session))],
            _ => {}
        }
        if self.model.is_none() {
            if action == Action::Redraw {
                self.problem = None;
                return vec![Effect::Ask(self.request())];
            }
            return Vec::new();
        }
        match action {
            Action::Up
            | Action::Down
            | Action::HalfUp
            | Action::HalfDown
            | Action::PageUp
            | Action::PageDown
            | Action::Top
            | Action::Bottom => {
                self.scroll(action, view);
                Vec::new()
            }
            Action::NextPrompt | Action::PreviousPrompt => {
                self.jump_by_turns(view, action == Action::NextPrompt);
                self.focus_text_if_hidden(view);
                Vec::new()
            }
            Action::NextError => self.jump_to_error(view),
            Action::NextGeneration | Action::PreviousGeneration => {
                self.jump_to_generation(view, action == Action::NextGeneration)
            }
            Action::Find => {
                self.focus = Pane::Text;
                self.input = Some(LineInput::default());
                Vec::new()
            }
            Action::FindNext | Action::FindPrevious => {
                self.jump_to_match(view, action == Action::FindNext)
            }
            Action::Tools => {
                self.look.tools = self.look.tools.next();
                let mut effects = self.ask_for_outputs();
                effects.push(Effect::Notice(format!("Tools: {}", self.look.tools.name())));
                effects
            }
            Action::Thinking => {
                self.look.thinking = !self.look.thinking;
                vec![Effect::Notice(format!("Thinking: {}", shown(self.look.thinking)))]
            }
            Action::Diffs => {
                self.look.diffs = !self.look.diffs;
                vec![Effect::Notice(format!("Diffs: {}", shown(self.look.diffs)))]
            }
            Action::Agents => self.window(WindowKind::Agents),
            Action::Branches => self.window(WindowKind::Tree),
            Action::ToolCalls => self.window(WindowKind::Tools),
            Action::Files => self.window(WindowKind::Files),
            Action::Plans => self.window(WindowKind::Plans),
            Action::Marks => self.window(WindowKind::Marks),
            Action::Usage => self.window(WindowKind::Usage),
            Action::Parent => self.open_parent(),
            Action::FocusOutline => self.focus_on(Pane::Outline),
            Action::FocusText => self.focus_on(Pane::Text),
            Action::SwitchPane => self.focus_on(match self.focus {
                Pane::Outline => Pane::Text,
                Pane::Text => Pane::Outline,
            }),
            Action::Zoom => {
                self.is_zoomed = !self.is_zoomed;
                Vec::new()
            }
            Action::Fold => {
                self.fold(view);
                Vec::new()
            }
            Action::Follow => self.toggle_follow(view),
            Action::Open => self.open_selected(view),
            Action::Redraw => vec![Effect::Ask(self.request())],
            action => operation::begin(action, &self.target(view)).unwrap_or_default(),
        }
    }

    fn act_on_input(&mut self, action: Action, view: &View<'_>) -> Vec<Effect> {
        match action {
            Action::Back => self.input = None,
            Action::Open => {
                let text = self.input.take().map(|input| input.text()).unwrap_or_default();
                // Nothing typed: the same again.
                if !text.trim().is_empty() {
                    self.find = Find::any([text.as_str()]);
                    self.opening.query.clear();
                }
                self.jumped_to = None;
                return self.jump_to_match(view, true);
            }
            _ => {}
        }
        Vec::new()
    }

    fn leave(&mut self) -> Vec<Effect> {
        if !self.is_following {
            return vec![Effect::Close];
        }
        // Nobody waits for more of it.
        vec![Effect::Ask(Request::Session(SessionRequest::Unfollow)), Effect::Close]
    }

    fn focus_on(&mut self, pane: Pane) -> Vec<Effect> {
        self.focus = pane;
        Vec::new()
    }

    fn focus_text_if_hidden(&mut self, view: &View<'_>) {
        if self.areas(view).text.is_none() {
            self.focus = Pane::Text;
        }
    }

    fn scroll(&mut self, action: Action, view: &View<'_>) {
        let areas = self.areas(view);
        if self.focus == Pane::Outline {
            let page = areas.outline.map_or(1, |area| usize::from(area.height).max(1));
            let row = self.outline.selected;
            let last = self.outline.len().saturating_sub(1);
            self.outline.select(match action {
                Action::Up => row.saturating_sub(1),
                Action::Down => row + 1,
                Action::HalfUp => row.saturating_sub(page / 2),
                Action::HalfDown => row + page / 2,
                Action::PageUp => row.saturating_sub(page),
                Action::PageDown => row + page,
                Action::Top => 0,
                _ => last,
            });
            self.follow_outline(view);
            return;
        }
        let Some(layout) = self.layout(view) else { return };
        let height = areas.text_height();
        // A line of the page before stays visible.
        let page = height.saturating_sub(1).max(1);
        self.jumped_to = None;
        match action {
            Action::Up => self.reader.up(&*layout, 1),
            Action::Down => self.reader.down(&*layout, 1, height),
            Action::HalfUp => self.reader.up(&*layout, (height / 2).max(1)),
            Action::HalfDown => self.reader.down(&*layout, (height / 2).max(1), height),
            Action::PageUp => self.reader.up(&*layout, page),
            Action::PageDown => self.reader.down(&*layout, page, height),
            Action::Top => self.reader.go_to_start(&*layout),
            _ => self.reader.go_to_end(&*layout, height),
        }
    }

    /// Folds or unfolds the turn that is read.
    fn fold(&mut self, view: &View<'_>) {
        let Some(layout) = self.layout(view) else { return };
        let height = self.areas(view).text_height();
        let turn = match self.outline.selected().map(|row| &row.target) {
            Some(RowTarget::Turn(turn)) if self.focus == Pane::Outline => *turn,
            _ => self.current_turn(&layout, height),
        };
        let mut folded = (*self.folded).clone();
        if !folded.remove(&turn) {
            folded.insert(turn);
        }
        self.folded = Rc::new(folded);
        if let Some(layout) = self.layout(view) {
            self.jump_to_turn(&layout, turn);
        }
    }

    fn toggle_follow(&mut self, view: &View<'_>) -> Vec<Effect> {
        let model = self.model.as_ref();
        let presence = model.map(|model| model.session().found().session.presence);
        if presence.is_some_and(Presence::is_in_archive) {
            let text = "The session is shown from the archive: it cannot be followed";
            return vec![Effect::Problem(text.to_owned())];
        }
        self.is_following = !self.is_following;
        if !self.is_following {
            let unfollow = Effect::Ask(Request::Session(SessionRequest::Unfollow));
            return vec![unfollow, Effect::Notice("Not following any more".to_owned())];
        }
        if let Some(layout) = self.layout(view) {
            self.jumped_to = None;
            self.reader.go_to_end(&*layout, self.areas(view).text_height());
        }
        vec![Effect::Ask(self.request()), Effect::Notice("Following the session".to_owned())]
    }

    /// A window over the session, which the worker fills.
    fn window(&self, kind: WindowKind) -> Vec<Effect> {
        let Some(model) = &self.model else { return Vec::new() };
        vec![Effect::Push(Box::new(overlay::Window::new(kind, model)))]
    }

    fn open_parent(&mut self) -> Vec<Effect> {
        let found = self.model.as_ref().map(|model| model.session().found());
        let own_session = found
            .filter(|found| found.agent_id().is_some() || self.part != Part::Whole)
            .map(|found| found.session.id.clone());
        let parent = self.details.as_ref().and_then(|details| details.parent.clone());
        let parent = if self.part == Part::Whole { parent.or(own_session) } else { own_session };
        match parent {
            None => vec![Effect::Notice("No parent: no other session started this one".to_owned())],
            Some(parent) if self.below.as_ref() == Some(&parent) => self.leave(),
            Some(parent) => {
                let opening = Opening { id: parent, ..Opening::default() };
                self.open(opening, Part::Whole, None)
            }
        }
    }

    /// What Enter opens: the selected row of the outline, or what is visible.
    fn open_selected(&mut self, view: &View<'_>) -> Vec<Effect> {
        if self.focus == Pane::Outline {
            let Some(row) = self.outline.selected().cloned() else { return Vec::new() };
            return match row.target {
                RowTarget::Agent(place) => self.open_agent(place, view),
                RowTarget::Branch(number) => self.go_to(&Goto::Branch(number), view),
                _ => {
                    self.follow_outline(view);
                    self.focus_on(Pane::Text)
                }
            };
        }
        let visible = self.openable(view);
        match visible.as_slice() {
            [] => vec![Effect::Notice("Nothing to open on this screen".to_owned())],
            [one] => {
                let one = one.clone();
                self.go_to(&one, view)
            }
            several if several.iter().all(|it| matches!(it, Goto::Branch(_))) => {
                self.window(WindowKind::Tree)
            }
            _ => self.window(WindowKind::Agents),
        }
    }

    fn open_agent(&mut self, place: usize, view: &View<'_>) -> Vec<Effect> {
        let agent = self.details.as_ref().and_then(|details| details.agents.get(place));
        match agent.map(|agent| agent.id.clone()) {
            Some(id) => self.go_to(&Goto::Agent(id, None), view),
            None => Vec::new(),
        }
    }

    /// The agents and branches on the screen.
    fn openable(&self, view: &View<'_>) -> Vec<Goto> {
        let height = self.areas(view).text_height();
        let positions = (0..height).map_while(|row| self.position_at(view, row));
        positions.filter_map(|position| self.openable_at(view, position)).collect()
    }

    /// The agent or branch that a line names.
    pub(super) fn openable_at(&self, view: &View<'_>, position: Position) -> Option<Goto> {
        let layout = self.layout(view)?;
        let lines = layout.lines(position.piece);
        let text = lines.get(position.line)?.to_string();
        let text = text.trim_start();
        if let Some(rest) = text.strip_prefix("⤷ ") {
            let details = self.details.as_ref()?;
            let is_it = |id: &str| rest.starts_with(&*render::untrusted::line(id));
            let agent = details.agents.iter().find(|agent| is_it(&agent.id))?;
            return Some(Goto::Agent(agent.id.clone(), None));
        }
        if !text.starts_with("⎇ abandoned branch") {
            return None;
        }
        let model = layout.model();
        let here = model.besides().iter().filter(|placed| placed.piece == position.piece);
        let branches: Vec<usize> = here
            .filter_map(|placed| match placed.beside {
                super::model::Beside::Branch { number, .. } => Some(number),
                super::model::Beside::Orphan(_) => None,
            })
            .collect();
        // Branches of one place stand one below the other.
        let before = lines.iter().take(position.line);
        let is_branch = |line: &&ratatui::text::Line<'static>| {
            line.to_string().starts_with("⎇ abandoned branch")
        };
        branches.get(before.filter(is_branch).count()).copied().map(Goto::Branch)
    }

    /// What an action on sessions is about.
    fn target(&self, view: &View<'_>) -> Target {
        let Some(model) = &self.model else { return Target::default() };
        let found = model.session().found();
        let layout = self.layout(view);
        let height = self.areas(view).text_height();
        let turn = layout.as_ref().map(|layout| self.current_turn(layout, height));
        let row = turn.and_then(|turn| model.rows().get(turn));
        Target {
            id: found.session.id.clone(),
            agent: found.agent_id().map(str::to_owned),
            turn: row.map(|row| row.number),
            title: found.session.heading().map(str::to_owned),
            tag: found.session.metadata.tag.clone(),
            presence: found.session.presence.into(),
            is_running: found.session.is_running,
            message: turn.zip(layout).map(|(turn, layout)| {
                let pieces = layout.model().pieces_of(turn);
                let lines = pieces.flat_map(|piece| layout.lines(piece).to_vec());
                lines.fold(String::new(), |text, line| text + &line.to_string() + "\n")
            }),
        }
    }
}

fn shown(is_shown: bool) -> &'static str {
    if is_shown { "shown" } else { "hidden" }
}
