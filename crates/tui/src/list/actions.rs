//! What keys do on the list: moving, choosing, switches, and actions on the selected session.

use super::{ListPurpose, ListScreen, Panes, draw};
use crate::action::Action;
use crate::operation;
use crate::screen::{Effect, Opening, Outcome, Screen as _, View};
use crate::work::ListRequest;
use crate::worker::Request;

impl ListScreen {
    pub(super) fn open(&self) -> Vec<Effect> {
        let Some((row, hit)) = self.selected() else { return Vec::new() };
        if self.purpose != ListPurpose::Browse {
            return self.choose();
        }
        if row.presence == crate::work::RowPresence::PromptsOnly {
            let text = "its transcript was deleted: only its prompts are left";
            return vec![Effect::Problem(text.to_owned())];
        }
        vec![Effect::Open(Opening {
            id: hit.and_then(|hit| hit.agent.clone()).unwrap_or_else(|| row.id.clone()),
            title: row.title.clone(),
            turn: hit.and_then(|hit| hit.turn),
            query: if hit.is_some() { self.input.text() } else { String::new() },
            is_followed: row.is_running && hit.is_none(),
        })]
    }

    /// Ends the program with the selected session, or with those chosen so far.
    fn choose(&self) -> Vec<Effect> {
        let ids = match self.selected() {
            _ if !self.chosen.is_empty() => self.chosen.clone(),
            Some((row, _)) => vec![row.id.clone()],
            None => return Vec::new(),
        };
        vec![Effect::Finish(Outcome::Chosen(ids))]
    }

    fn select(&mut self, view: &View<'_>) -> Vec<Effect> {
        if self.purpose != ListPurpose::PickSeveral {
            return Vec::new();
        }
        if let Some(id) = self.selected().map(|(row, _)| row.id.clone()) {
            match self.chosen.iter().position(|known| *known == id) {
                Some(place) => drop(self.chosen.remove(place)),
                None => self.chosen.push(id),
            }
        }
        self.move_by(1, view)
    }

    fn back(&mut self, view: &View<'_>) -> Vec<Effect> {
        if self.purpose != ListPurpose::Browse {
            return vec![Effect::Close];
        }
        if !self.input.is_empty() {
            self.input.clear();
            self.is_typing = true;
            return self.edited(view);
        }
        if self.is_typing {
            self.is_typing = false;
            return Vec::new();
        }
        vec![Effect::Close]
    }

    pub(super) fn act(&mut self, action: Action, view: &View<'_>) -> Vec<Effect> {
        let page = isize::try_from(draw::list_height(self, view)).unwrap_or(1).max(2);
        match action {
            Action::Up => self.move_by(-1, view),
            Action::Down => self.move_by(1, view),
            Action::HalfUp if self.is_typing => {
                self.input.clear();
                self.edited(view)
            }
            Action::HalfUp => self.move_by(-page / 2, view),
            Action::HalfDown => self.move_by(page / 2, view),
            Action::PageUp => self.move_by(-page, view),
            Action::PageDown => self.move_by(page, view),
            Action::Top => self.move_by(isize::MIN, view),
            Action::Bottom => self.move_by(isize::MAX, view),
            Action::Open => self.open(),
            Action::Choose => self.choose(),
            Action::Select => self.select(view),
            Action::Back => self.back(view),
            Action::Leave => vec![Effect::Close],
            Action::Help => vec![Effect::Push(crate::overlay::help(self.mode()))],
            Action::Query => {
                self.is_typing = true;
                Vec::new()
            }
            Action::Scope => {
                self.choice.is_here = !self.choice.is_here;
                self.switched(view)
            }
            Action::OnlyMine => {
                self.choice.is_mine = !self.choice.is_mine;
                self.switched(view)
            }
            Action::SubAgents => {
                self.choice.with_agents = !self.choice.with_agents;
                self.switched(view)
            }
            Action::Folded => {
                self.choice.with_folded = !self.choice.with_folded;
                self.switched(view)
            }
            Action::Sort => {
                self.choice.next_sort();
                self.switched(view)
            }
            Action::Since => {
                self.choice.next_days();
                self.switched(view)
            }
            Action::TogglePreview => {
                self.panes =
                    if self.panes == Panes::OnlyList { Panes::Both } else { Panes::OnlyList };
                self.changed(view)
            }
            Action::Zoom => {
                self.panes = match self.panes {
                    Panes::Both => Panes::OnlyPreview,
                    Panes::OnlyPreview => Panes::OnlyList,
                    Panes::OnlyList => Panes::Both,
                };
                self.changed(view)
            }
            Action::PreviewUp => self.scroll_preview(-3),
            Action::PreviewDown => self.scroll_preview(3),
            Action::Redraw => vec![Effect::Ask(Request::List(ListRequest::Followed))],
            // In a picker nothing but choosing is done.
            _ if self.purpose != ListPurpose::Browse => Vec::new(),
            action => self
                .target()
                .and_then(|target| operation::begin(action, &target))
                .unwrap_or_default(),
        }
    }
}
