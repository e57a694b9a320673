//! The mouse on the list: a click selects, a click on the selected row opens, the wheel
//! scrolls what it is over, and the line between the panes can be dragged.

use super::draw::{Areas, areas};
use super::{ListScreen, Panes};
use crate::event::{Mouse, MouseKind};
use crate::screen::{Effect, View};
use ratatui::layout::Position;

/// How far the wheel goes.
const WHEEL: isize = 3;

impl ListScreen {
    pub(super) fn mouse(&mut self, mouse: Mouse, view: &View<'_>) -> Vec<Effect> {
        let Areas { list, preview, query, .. } = areas(self, view);
        let at = Position::new(mouse.column, mouse.row);
        let is_over_preview = preview.is_some_and(|preview| preview.contains(at));
        match mouse.kind {
            MouseKind::WheelUp if is_over_preview => self.scroll_preview(-WHEEL),
            MouseKind::WheelDown if is_over_preview => self.scroll_preview(WHEEL),
            MouseKind::WheelUp => self.move_by(-WHEEL, view),
            MouseKind::WheelDown => self.move_by(WHEEL, view),
            MouseKind::Press if query.contains(at) => {
                self.is_typing = true;
                Vec::new()
            }
            MouseKind::Press => {
                let is_divider = preview.is_some_and(|preview| {
                    self.panes == Panes::Both
                        && mouse.column == list.right()
                        && preview.x > list.right()
                        && preview.rows().any(|row| row.y == mouse.row)
                });
                if is_divider {
                    self.is_dragging = true;
                    return Vec::new();
                }
                if list.contains(at) { self.click(mouse.row - list.y, view) } else { Vec::new() }
            }
            MouseKind::Drag if self.is_dragging => {
                let width = u32::from(view.area.width.max(1));
                let share = u32::from(mouse.column.saturating_sub(view.area.x)) * 100 / width;
                self.share = u16::try_from(share).unwrap_or(50).clamp(20, 80);
                self.changed(view)
            }
            MouseKind::Release => {
                self.is_dragging = false;
                Vec::new()
            }
            MouseKind::Drag => Vec::new(),
        }
    }

    fn click(&mut self, line: u16, view: &View<'_>) -> Vec<Effect> {
        let mut lines = usize::from(line);
        for place in self.top..self.matched.shown.len() {
            let height = self.lines_between(place, place + 1);
            if lines < height {
                if place == self.selected {
                    return self.open();
                }
                self.selected = place;
                return self.show_preview(view).into_iter().collect();
            }
            lines -= height;
        }
        Vec::new()
    }
}
