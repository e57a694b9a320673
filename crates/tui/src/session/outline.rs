//! The outline of a session: its turns, with generations, branches, orphaned segments and
//! agents in their places.

use super::details::Details;
use super::model::{Beside, SessionModel};
use crate::text;
use crate::theme::Theme;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowTarget {
    /// A turn, by its place.
    Turn(usize),
    /// The beginning of a generation.
    Generation,
    /// An abandoned branch, by its number.
    Branch(usize),
    /// An orphaned segment.
    Orphan,
    /// An agent, by its place in the details.
    Agent(usize),
}

/// A row of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutlineRow {
    pub(crate) target: RowTarget,
    /// The piece it leads to.
    pub(crate) piece: usize,
    /// Before the label: a number or a sign.
    sign: String,
    label: String,
    /// After the label.
    note: String,
}

/// The rows and the selected one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    rows: Vec<OutlineRow>,
    pub(crate) selected: usize,
    /// The row at the top.
    offset: usize,
}

impl Outline {
    /// Takes the rows of a session. The selection stays at the same turn.
    pub(crate) fn refresh(&mut self, model: &SessionModel, details: Option<&Details>) {
        let target = self.rows.get(self.selected).map(|row| row.target.clone());
        self.rows = rows(model, details);
        let same = self.rows.iter().position(|row| Some(&row.target) == target.as_ref());
        self.selected = same.unwrap_or(self.selected).min(self.rows.len().saturating_sub(1));
    }

    pub(crate) fn selected(&self) -> Option<&OutlineRow> {
        self.rows.get(self.selected)
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn select(&mut self, row: usize) {
        self.selected = row.min(self.rows.len().saturating_sub(1));
    }

    /// Selects the row of a turn, unless something else of that turn is selected.
    pub(crate) fn select_turn(&mut self, turn: usize) {
        let row = self.rows.iter().position(|row| row.target == RowTarget::Turn(turn));
        self.selected = row.unwrap_or(self.selected);
    }

    /// The row at a line of the pane.
    pub(crate) fn row_at(&self, line: usize) -> Option<usize> {
        Some(self.offset + line).filter(|row| *row < self.rows.len())
    }

    /// Scrolls so that the selected row is visible, with a row around it.
    pub(crate) fn settle(&mut self, height: usize) {
        let margin = usize::from(height > 4);
        let most = self.rows.len().saturating_sub(height);
        let low = (self.selected + 1 + margin).saturating_sub(height);
        let high = self.selected.saturating_sub(margin);
        self.offset = self.offset.max(low).min(high).min(most);
    }

    pub(crate) fn draw(&self, frame: &mut Frame<'_>, area: Rect, theme: Theme, has_keys: bool) {
        let visible = self.rows.iter().enumerate().skip(self.offset);
        for (line, (number, row)) in (area.top()..area.bottom()).zip(visible) {
            let is_selected = number == self.selected;
            let style = match (is_selected, has_keys) {
                (true, true) => theme.selected(),
                (true, false) => theme.selected_elsewhere(),
                (false, _) => Style::new(),
            };
            let shown = row.line(area.width.into(), theme, is_selected);
            let place = Rect { y: line, height: 1, ..area };
            frame.render_widget(shown, place);
            frame.buffer_mut().set_style(place, style);
        }
    }
}

impl OutlineRow {
    fn line(&self, width: usize, theme: Theme, is_selected: bool) -> Line<'static> {
        let style = match self.target {
            RowTarget::Turn(_) => Style::new(),
            RowTarget::Generation => theme.style(render::Style::Accent),
            RowTarget::Branch(_) | RowTarget::Orphan => theme.style(render::Style::Warning),
            RowTarget::Agent(_) => theme.style(render::Style::Id),
        };
        let bar = if is_selected { "▌" } else { " " };
        let room = width.saturating_sub(1 + render::columns(&self.sign) + 1);
        let note_width = if self.note.is_empty() { 0 } else { render::columns(&self.note) + 1 };
        let note = if note_width < room { self.note.as_str() } else { "" };
        let room = if note.is_empty() { room } else { room - note_width };
        let mut spans = vec![
            Span::raw(bar),
            Span::styled(self.sign.clone(), style.patch(theme.dim())),
            Span::raw(" "),
            text::cut_span(&self.label, room, style),
        ];
        if !note.is_empty() {
            spans.push(Span::styled(format!(" {note}"), theme.style(render::Style::Bad)));
        }
        Line::from(spans)
    }
}

fn rows(model: &SessionModel, details: Option<&Details>) -> Vec<OutlineRow> {
    let turns = model.rows();
    let digits = turns.iter().map(|row| row.number.to_string().len()).max().unwrap_or(1);
    let has_generations = turns.iter().any(|row| row.generation > 1);
    let mut between: Vec<OutlineRow> =
        model.besides().iter().map(|it| beside_row(it, digits)).collect();
    let agents = details.into_iter().flat_map(|details| details.agents.iter().enumerate());
    between.extend(agents.map(|(place, agent)| OutlineRow {
        target: RowTarget::Agent(place),
        piece: agent.piece.unwrap_or(model.pieces() - 1),
        sign: format!("{:>digits$} ⤷", ""),
        label: agent.label.clone(),
        note: String::new(),
    }));
    between.sort_by_key(|row| row.piece);
    let mut between = between.into_iter().peekable();
    let mut rows = Vec::with_capacity(turns.len());
    let mut generation = 1;
    for (place, turn) in turns.iter().enumerate() {
        // What stands before the heading of a turn comes before its row.
        while let Some(row) = between.next_if(|row| row.piece <= turn.start) {
            rows.push(row);
        }
        if has_generations && (place == 0 || turn.generation != generation) {
            generation = turn.generation;
            rows.push(OutlineRow {
                target: RowTarget::Generation,
                piece: turn.start,
                sign: "─".repeat(digits),
                label: format!("generation {generation} ──"),
                note: String::new(),
            });
        }
        let nothing = match turn.number {
            number if number.is_before_first_prompt() => "(before the first prompt)",
            _ => "(continued)",
        };
        let is_marked = details.is_some_and(|details| details.is_marked(Some(turn.number)));
        let star = if is_marked { "★ " } else { "" };
        let prompt = if turn.prompt.is_empty() { nothing } else { &turn.prompt };
        rows.push(OutlineRow {
            target: RowTarget::Turn(place),
            piece: turn.start,
            sign: format!("{:>digits$}", turn.number.to_string()),
            label: format!("{star}{prompt}"),
            note: if turn.errors > 0 { format!("✗{}", turn.errors) } else { String::new() },
        });
    }
    rows.extend(between);
    rows
}

fn beside_row(placed: &super::model::PlacedBeside, digits: usize) -> OutlineRow {
    let (target, sign, label) = match &placed.beside {
        Beside::Orphan(_) => {
            let label = format!("orphaned ({})", placed.messages);
            (RowTarget::Orphan, "╌", label)
        }
        Beside::Branch { number, prompt, .. } => {
            let label =
                format!("abandoned ({}) {}", placed.messages, super::model::first_words(prompt));
            (RowTarget::Branch(*number), "⎇", label)
        }
    };
    let sign = format!("{:>digits$} {sign}", "");
    OutlineRow { target, piece: placed.piece, sign, label, note: String::new() }
}
