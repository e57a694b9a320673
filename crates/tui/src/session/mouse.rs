//! The mouse on the screen of a session: click, wheel, and the divider.

use super::outline::RowTarget;
use super::{Pane, SessionScreen};
use crate::event::{Mouse, MouseKind};
use crate::screen::{Effect, View};

/// How far the wheel scrolls.
const WHEEL: usize = 3;

impl SessionScreen {
    pub(super) fn mouse(&mut self, mouse: Mouse, view: &View<'_>) -> Vec<Effect> {
        let areas = self.areas(view);
        let at = (mouse.column, mouse.row).into();
        let in_outline = areas.outline.filter(|area| area.contains(at));
        let in_text = areas.text.filter(|area| area.contains(at));
        match mouse.kind {
            MouseKind::Press if areas.divider.is_some_and(|area| area.contains(at)) => {
                self.is_dragging = true;
            }
            MouseKind::Drag if self.is_dragging => {
                self.divider = Some(mouse.column.saturating_sub(view.area.x));
            }
            MouseKind::Drag => {}
            MouseKind::Release => self.is_dragging = false,
            MouseKind::Press => {
                if let Some(area) = in_outline {
                    return self.click_outline(usize::from(mouse.row - area.y), view);
                }
                if let Some(area) = in_text {
                    self.focus = Pane::Text;
                    let position = self.position_at(view, usize::from(mouse.row - area.y));
                    let target = position.and_then(|position| self.openable_at(view, position));
                    return target.map(|it| self.go_to(&it, view)).unwrap_or_default();
                }
            }
            MouseKind::WheelUp | MouseKind::WheelDown => {
                let is_down = mouse.kind == MouseKind::WheelDown;
                if in_outline.is_some() && self.focus == Pane::Outline {
                    let row = self.outline.selected;
                    self.outline.select(if is_down { row + 1 } else { row.saturating_sub(1) });
                    self.follow_outline(view);
                } else if let Some(layout) = self.layout(view) {
                    self.jumped_to = None;
                    if is_down {
                        self.reader.down(&*layout, WHEEL, areas.text_height());
                    } else {
                        self.reader.up(&*layout, WHEEL);
                    }
                }
            }
        }
        Vec::new()
    }

    fn click_outline(&mut self, line: usize, view: &View<'_>) -> Vec<Effect> {
        let Some(row) = self.outline.row_at(line) else { return Vec::new() };
        let is_again = self.focus == Pane::Outline && row == self.outline.selected;
        self.focus = Pane::Outline;
        self.outline.select(row);
        let target = self.outline.selected().map(|row| row.target.clone());
        // A second click opens what has a separate screen.
        if is_again && matches!(target, Some(RowTarget::Agent(_) | RowTarget::Branch(_))) {
            return self.act(crate::action::Action::Open, view);
        }
        self.follow_outline(view);
        Vec::new()
    }
}
