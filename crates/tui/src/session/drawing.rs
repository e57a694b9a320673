//! How the screen of a session is drawn, and where its parts are.

use super::header::Header;
use super::reader::{Position, forward};
use super::{Pane, SessionScreen};
use crate::screen::View;
use crate::text;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// From this width on, the outline stands beside the conversation.
const TWO_PANES: u16 = 72;

/// The narrowest pane that can be dragged to.
const NARROWEST: u16 = 16;

/// From this height on, the header has two lines.
const TWO_LINES: u16 = 12;

/// Where the parts of the screen are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Areas {
    pub(crate) header: Rect,
    pub(crate) outline: Option<Rect>,
    pub(crate) divider: Option<Rect>,
    pub(crate) text: Option<Rect>,
    body: Rect,
}

impl Areas {
    pub(crate) fn new(area: Rect, focus: Pane, is_zoomed: bool, divider: Option<u16>) -> Areas {
        let header_height = if area.height >= TWO_LINES { 2 } else { 1 }.min(area.height);
        let header = Rect { height: header_height, ..area };
        let body = Rect { y: area.y + header_height, height: area.height - header_height, ..area };
        if is_zoomed || area.width < TWO_PANES {
            let (outline, text) = match focus {
                Pane::Outline => (Some(body), None),
                Pane::Text => (None, Some(body)),
            };
            return Areas { header, outline, divider: None, text, body };
        }
        let most = area.width.saturating_sub(NARROWEST * 2).max(NARROWEST);
        let width = divider.unwrap_or((area.width / 4).clamp(22, 40)).clamp(NARROWEST, most);
        let outline = Rect { width, ..body };
        let line = Rect { x: body.x + width, width: 1, ..body };
        let text = Rect { x: line.x + 1, width: body.width - width - 1, ..body };
        Areas { header, outline: Some(outline), divider: Some(line), text: Some(text), body }
    }

    /// The columns for the conversation, with a margin at its left.
    pub(crate) fn text_width(&self) -> u16 {
        self.text.unwrap_or(self.body).width.saturating_sub(1)
    }

    pub(crate) fn text_height(&self) -> usize {
        self.text.unwrap_or(self.body).height.into()
    }
}

impl SessionScreen {
    pub(super) fn draw_all(&self, frame: &mut Frame<'_>, view: &View<'_>) {
        let areas = self.areas(view);
        let (Some(model), Some(layout)) = (&self.model, self.layout(view)) else {
            self.draw_waiting(frame, view);
            return;
        };
        let header = Header {
            model,
            details: self.details.as_deref(),
            look: self.look,
            turn: self.current_turn(&layout, areas.text_height()),
            is_following: self.is_following,
        };
        header.draw(frame, areas.header, view);
        if let Some(area) = areas.outline {
            self.outline.draw(frame, area, *view.theme, self.focus == Pane::Outline);
        }
        if let Some(area) = areas.divider {
            let style = if self.is_dragging { view.theme.title() } else { view.theme.border() };
            for row in area.top()..area.bottom() {
                frame.buffer_mut().set_string(area.x, row, "│", style);
            }
        }
        if let Some(area) = areas.text {
            self.draw_text(frame, area, view);
        }
    }

    fn draw_text(&self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        let Some(layout) = self.layout(view) else { return };
        let area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        let is_empty = layout.model().rows().is_empty();
        if is_empty && layout.height(layout.pieces() - 1) == 0 {
            let note = "No messages that Claude Code would show.";
            let line = Line::from(text::cut_span(note, area.width.into(), view.theme.dim()));
            frame.render_widget(line, Rect { height: area.height.min(1), ..area });
        }
        let mut at = Some(self.reader.top);
        for row in area.top()..area.bottom() {
            let Some(position) = at else { break };
            let lines = layout.lines(position.piece);
            let Some(line) = lines.get(position.line) else { break };
            let place = Rect { y: row, height: 1, ..area };
            match &self.find {
                Some(find) => frame.render_widget(find.marked(line, view.theme.hit()), place),
                None => frame.render_widget(line, place),
            }
            let next = forward(&*layout, position, 1);
            at = (next != position).then_some(next);
        }
        if let Some(input) = &self.input {
            let place = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
            frame.render_widget(ratatui::widgets::Clear, place);
            let (shown, column) = input.visible(usize::from(area.width).saturating_sub(2));
            let line = Line::from(vec![Span::styled("/", view.theme.key()), Span::raw(shown)]);
            frame.render_widget(line, place);
            let column = place.x.saturating_add(1).saturating_add(column);
            frame.set_cursor_position((column.min(place.right().saturating_sub(1)), place.y));
        }
    }

    /// What is shown before there is a conversation.
    fn draw_waiting(&self, frame: &mut Frame<'_>, view: &View<'_>) {
        let width: usize = view.area.width.into();
        let title = self.opening.title.as_deref().unwrap_or(&self.opening.id);
        let mut lines = vec![Line::from(text::cut_span(title, width, view.theme.title()))];
        match &self.problem {
            None => lines.push(Line::from(Span::styled("Reading…", view.theme.dim()))),
            Some(problem) => {
                lines.push(Line::default());
                let bad = view.theme.style(render::Style::Bad);
                let mut style = bad;
                for line in problem.lines() {
                    for line in render::wrapped(&render::untrusted::line(line), width.max(2)) {
                        lines.push(Line::from(Span::styled(line, style)));
                    }
                    style = Style::new();
                }
            }
        }
        for (row, line) in (view.area.top()..view.area.bottom()).zip(lines) {
            frame.render_widget(line, Rect { y: row, height: 1, ..view.area });
        }
    }

    /// The position at a row of the conversation, if there is a line.
    pub(super) fn position_at(&self, view: &View<'_>, row: usize) -> Option<Position> {
        let layout = self.layout(view)?;
        let position = forward(&*layout, self.reader.top, row);
        // The last line is returned for everything below it.
        let before = forward(&*layout, self.reader.top, row.saturating_sub(1));
        (row == 0 || before != position).then_some(position)
    }
}
