//! The screen of one session.

use crate::action::{Action, Mode};
use crate::event::Event;
use crate::screen::{Effect, Input, Opening, Screen, View};
use crate::text;
use crate::work::{Answer, PreviewAnswer, PreviewRequest};
use crate::worker::Request;
use ratatui::Frame;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

/// Opens a session.
pub(crate) fn screen(opening: Opening) -> Box<dyn Screen> {
    Box::new(SessionScreen { opening, answer: PreviewAnswer::default(), lines: Vec::new(), top: 0 })
}

#[derive(Debug)]
struct SessionScreen {
    opening: Opening,
    answer: PreviewAnswer,
    lines: Vec<Line<'static>>,
    top: usize,
}

impl Screen for SessionScreen {
    fn handle(&mut self, input: &Input<'_>, view: &View<'_>) -> Vec<Effect> {
        match input {
            Input::Action(Action::Back | Action::Leave) => return vec![Effect::Close],
            Input::Action(Action::Up) => self.top = self.top.saturating_sub(1),
            Input::Action(Action::Down) => self.top = (self.top + 1).min(self.lines.len()),
            Input::Event(Event::Resize) => {
                let Opening { id, turn, .. } = self.opening.clone();
                let request = PreviewRequest { id, turn, width: view.area.width };
                return vec![Effect::Ask(Request::Preview(request))];
            }
            Input::Event(Event::Answer(Answer::Preview(answer))) => {
                self.answer = answer.clone();
                self.lines = text::painted(&answer.text, view.theme);
                self.top = answer.start;
            }
            _ => {}
        }
        Vec::new()
    }

    fn draw(&self, frame: &mut Frame<'_>, view: &View<'_>) {
        let lines: Vec<Line<'_>> = self.lines.iter().skip(self.top).cloned().collect();
        frame.render_widget(ratatui::widgets::Clear, view.area);
        frame.render_widget(Paragraph::new(lines), view.area);
    }

    fn mode(&self) -> Mode {
        Mode::Session
    }

    fn hints(&self) -> Vec<Action> {
        vec![Action::Back, Action::Up, Action::Down]
    }
}
