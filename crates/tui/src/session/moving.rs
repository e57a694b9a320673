//! Moving in a session: turns, errors, generations, matches.

use super::find::Find;
use super::layout::Layout;
use super::outline::RowTarget;
use super::reader::{Position, backward, forward};
use super::{Jump, Pane, SessionScreen};
use crate::screen::{Effect, View};
use std::rc::Rc;

impl SessionScreen {
    /// The place of the turn that is read: the one that was jumped to, the last one at the
    /// end, or the one at the top.
    pub(super) fn current_turn(&self, layout: &Layout, height: usize) -> usize {
        let last = layout.model().rows().len().saturating_sub(1);
        if let Some(jump) = self.jumped_to {
            return jump.turn.min(last);
        }
        let top = self.reader.top;
        let turn = match layout.model().turn_of(top.piece) {
            None => return last,
            Some((turn, _)) => turn,
        };
        // The end of a turn is a blank line or two: what follows is read.
        let next = layout.model().pieces_of(turn).end;
        let heading = Position { piece: next, line: 0 };
        if turn < last && forward(layout, top, 2) >= heading {
            return turn + 1;
        }
        if self.reader.is_at_end(layout, height) && top > Position::default() {
            // Everything that follows is visible.
            return last;
        }
        turn
    }

    /// Where a session is opened: at the match, at the turn, or at the end.
    pub(super) fn begin(&mut self, layout: &Rc<Layout>, height: usize) {
        let model = Rc::clone(layout);
        let model = model.model();
        let last = model.rows().len().saturating_sub(1);
        let at_line = self.line.and_then(|line| model.piece_of_line(line));
        let turn = self.opening.turn.and_then(|number| model.find_turn(number));
        if let Some(piece) = at_line {
            self.reader.show(&**layout, Position { piece, line: 0 }, height / 3);
            return;
        }
        let Some(turn) = turn else {
            self.reader.go_to_end(&**layout, height);
            if let Some(start) = model.rows().get(last).map(|row| row.start) {
                // The last prompt, unless that would leave much of the screen empty.
                let heading = Position { piece: start, line: 0 };
                self.reader.top = self.reader.top.min(heading);
                self.jumped_to = Some(Jump { turn: last, target: heading, top: self.reader.top });
            }
            return;
        };
        self.jump_to_turn(layout, turn);
        let pieces = model.pieces_of(turn);
        if let Some(find) = self.find.clone()
            && let Some(found) = find_line(layout, &find, pieces.start, pieces.end)
        {
            self.reader.show(&**layout, found, height / 3);
            // The heading stays at the top if the match is on the same screen.
            let heading = Position { piece: pieces.start, line: 0 };
            if forward(&**layout, heading, height.saturating_sub(1)) >= found {
                self.reader.top = heading;
            }
            self.jumped_to = Some(Jump { turn, target: found, top: self.reader.top });
        }
    }

    pub(super) fn jump_to_turn(&mut self, layout: &Layout, turn: usize) {
        let Some(row) = layout.model().rows().get(turn) else { return };
        self.reader.top = Position { piece: row.start, line: 0 };
        self.reader.settle(layout);
        let top = self.reader.top;
        self.jumped_to = Some(Jump { turn, target: top, top });
    }

    pub(super) fn jump_to(&mut self, layout: &Layout, position: Position, view: &View<'_>) {
        let height = self.areas(view).text_height();
        self.reader.show(layout, position, height / 3);
        let turn = layout.model().turn_of(position.piece).map(|(turn, _)| turn);
        let top = self.reader.top;
        self.jumped_to = turn.map(|turn| Jump { turn, target: position, top });
    }

    /// The next or the previous prompt.
    pub(super) fn jump_by_turns(&mut self, view: &View<'_>, is_next: bool) {
        let Some(layout) = self.layout(view) else { return };
        let height = self.areas(view).text_height();
        let current = self.current_turn(&layout, height);
        let start = layout.model().rows().get(current).map_or(0, |row| row.start);
        let target = if is_next {
            current + 1
        } else if self.jumped_to.is_none() && self.reader.top.piece > start {
            // First to the beginning of this one.
            current
        } else {
            current.saturating_sub(1)
        };
        if target < layout.model().rows().len() {
            self.jump_to_turn(&layout, target);
        }
    }

    /// The next error, and after the last the first.
    pub(super) fn jump_to_error(&mut self, view: &View<'_>) -> Vec<Effect> {
        let Some(layout) = self.layout(view) else { return Vec::new() };
        let model = layout.model();
        let here = self.jumped_to.map_or(self.reader.top, |jump| jump.target);
        let mut errors = model.errors().iter().copied().filter(|piece| layout.height(*piece) > 0);
        let next = errors.clone().find(|piece| *piece > here.piece);
        match next.or_else(|| errors.next()) {
            Some(piece) => {
                self.jump_to(&layout, Position { piece, line: 0 }, view);
                Vec::new()
            }
            None if model.errors().is_empty() => vec![Effect::Notice("No errors".to_owned())],
            None => vec![Effect::Notice("Errors are hidden with the tools".to_owned())],
        }
    }

    /// The first turn of the generation before or after.
    pub(super) fn jump_to_generation(&mut self, view: &View<'_>, is_next: bool) -> Vec<Effect> {
        let Some(layout) = self.layout(view) else { return Vec::new() };
        let rows = layout.model().rows();
        let current = self.current_turn(&layout, self.areas(view).text_height());
        let own = rows.get(current).map_or(1, |row| row.generation);
        let wanted = if is_next { own + 1 } else { own.saturating_sub(1) };
        match rows.iter().position(|row| row.generation == wanted) {
            Some(turn) => {
                self.jump_to_turn(&layout, turn);
                Vec::new()
            }
            None => vec![Effect::Notice("No other generation there".to_owned())],
        }
    }

    /// Goes to the row that is selected in the outline.
    pub(super) fn follow_outline(&mut self, view: &View<'_>) {
        let (Some(layout), Some(row)) = (self.layout(view), self.outline.selected().cloned())
        else {
            return;
        };
        match row.target {
            RowTarget::Turn(turn) => self.jump_to_turn(&layout, turn),
            _ => self.jump_to(&layout, Position { piece: row.piece, line: 0 }, view),
        }
    }

    /// The next or the previous match.
    pub(super) fn jump_to_match(&mut self, view: &View<'_>, is_next: bool) -> Vec<Effect> {
        let (Some(layout), Some(find)) = (self.layout(view), self.find.clone()) else {
            return vec![Effect::Notice("Nothing to find: / asks for it".to_owned())];
        };
        let here = match self.jumped_to {
            Some(jump) if jump.top == self.reader.top => jump.target,
            _ if is_next => backward(&*layout, self.reader.top, 1),
            _ => self.reader.top,
        };
        let found = if is_next {
            find_next(&layout, &find, here)
        } else {
            find_previous(&layout, &find, here)
        };
        let Some((position, is_hidden)) = found else {
            return vec![Effect::Notice("No match".to_owned())];
        };
        self.focus = Pane::Text;
        self.jump_to(&layout, position, view);
        if is_hidden {
            return vec![Effect::Notice(
                "The match is in a part that is not shown: t shows more".to_owned(),
            )];
        }
        let is_around = if is_next { position <= here } else { position >= here };
        if is_around {
            return vec![Effect::Notice("The search went around".to_owned())];
        }
        Vec::new()
    }
}

/// The lines of a piece with matches, and whether each is only in a part that is not shown:
/// then it is the first line.
fn matches_in(layout: &Layout, find: &Find, piece: usize) -> Vec<(Position, bool)> {
    let in_source = is_in_source(layout, find, piece);
    if in_source == Some(false) {
        return Vec::new();
    }
    let lines = layout.lines(piece);
    let on = |(line, text): (usize, &ratatui::text::Line<'static>)| {
        find.is_on(text).then_some((Position { piece, line }, false))
    };
    let shown: Vec<_> = lines.iter().enumerate().filter_map(on).collect();
    if shown.is_empty() && !lines.is_empty() && in_source == Some(true) {
        return vec![(Position { piece, line: 0 }, true)];
    }
    shown
}

/// Whether the source of a piece has a match, without laying it out; `None` for a piece with
/// other text than that of its step.
fn is_in_source(layout: &Layout, find: &Find, piece: usize) -> Option<bool> {
    let model = layout.model();
    let (turn, place) = model.turn_of(piece)?;
    let step = place.checked_sub(1)?;
    model.with(|_, shown| {
        let turns = &shown.selected.turns;
        let step = turns.turns.get(turn).and_then(|turn| turn.steps.get(step))?;
        let is_in_text = turns.any_text(step, &|text| find.is_in(text));
        (is_in_text || !shown.before.contains_key(&step.node)).then_some(is_in_text)
    })
}

/// The first line with a match in some pieces.
fn find_line(layout: &Layout, find: &Find, from: usize, to: usize) -> Option<Position> {
    (from..to).find_map(|piece| {
        let found = matches_in(layout, find, piece);
        found.into_iter().find(|(_, is_hidden)| !is_hidden).map(|(position, _)| position)
    })
}

fn find_next(layout: &Layout, find: &Find, here: Position) -> Option<(Position, bool)> {
    let pieces = (here.piece..layout.pieces()).chain(0..=here.piece);
    let mut is_first = true;
    for piece in pieces {
        let mut found = matches_in(layout, find, piece).into_iter();
        let next = if std::mem::take(&mut is_first) {
            found.find(|(position, _)| *position > here)
        } else {
            found.next()
        };
        if next.is_some() {
            return next;
        }
    }
    None
}

fn find_previous(layout: &Layout, find: &Find, here: Position) -> Option<(Position, bool)> {
    let last = layout.pieces();
    let pieces = (0..=here.piece).rev().chain((here.piece.min(last)..last).rev());
    let mut is_first = true;
    for piece in pieces {
        let mut found = matches_in(layout, find, piece).into_iter().rev();
        let next = if std::mem::take(&mut is_first) {
            found.find(|(position, _)| *position < here)
        } else {
            found.next()
        };
        if next.is_some() {
            return next;
        }
    }
    None
}
