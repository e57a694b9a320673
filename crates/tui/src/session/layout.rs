//! The lines of a conversation on a screen of some width: pieces are laid out when they
//! become visible, and forgotten when they are far away.

use super::details::Details;
use super::model::SessionModel;
use super::text::{Look, Outputs, TextStyle};
use crate::action::{Action, Mode};
use crate::screen::View;
use crate::text;
use crate::theme::Theme;
use jiff::tz::TimeZone;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// How many lines are kept. More than several screens, so that moving around is free.
const MOST_LINES: usize = 4000;

/// The lines of one piece.
pub(crate) type Lines = Rc<[Line<'static>]>;

/// Everything that lines depend on. Another layout has other lines.
#[derive(Clone, Debug)]
struct Key {
    model: Arc<SessionModel>,
    details: Option<Arc<Details>>,
    outputs: Option<Arc<Outputs>>,
    width: usize,
    look: Look,
    theme: Theme,
    folded: Rc<BTreeSet<usize>>,
    tools_key: String,
    branches_key: String,
    fold_key: String,
    zone: TimeZone,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let details = |key: &Key| key.details.as_ref().map(Arc::as_ptr);
        let outputs = |key: &Key| key.outputs.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.model, &other.model)
            && details(self) == details(other)
            && outputs(self) == outputs(other)
            && Rc::ptr_eq(&self.folded, &other.folded)
            && (self.width, self.look, self.theme) == (other.width, other.look, other.theme)
            && self.tools_key == other.tools_key
            && self.branches_key == other.branches_key
            && self.fold_key == other.fold_key
    }
}

/// The conversation in lines.
#[derive(Debug)]
pub(crate) struct Layout {
    key: Key,
    laid_out: RefCell<BTreeMap<usize, Lines>>,
}

/// What decides how a conversation looks.
#[derive(Debug)]
pub(crate) struct LayoutOptions<'l> {
    pub(crate) model: &'l Arc<SessionModel>,
    pub(crate) details: Option<&'l Arc<Details>>,
    pub(crate) outputs: Option<&'l Arc<Outputs>>,
    pub(crate) width: u16,
    pub(crate) look: Look,
    pub(crate) folded: &'l Rc<BTreeSet<usize>>,
}

impl Layout {
    pub(crate) fn new(options: &LayoutOptions<'_>, view: &View<'_>) -> Layout {
        let label = |action| {
            let key = view.keymap.key(Mode::Session, action);
            key.map(|key| key.to_string()).unwrap_or_default()
        };
        let key = Key {
            model: Arc::clone(options.model),
            details: options.details.cloned(),
            outputs: options.outputs.cloned(),
            width: usize::from(options.width).max(4),
            look: options.look,
            theme: *view.theme,
            folded: Rc::clone(options.folded),
            tools_key: label(Action::Tools),
            branches_key: label(Action::Branches),
            fold_key: label(Action::Fold),
            zone: view.zone.clone(),
        };
        Layout { key, laid_out: RefCell::default() }
    }

    /// Whether another layout would have the same lines.
    pub(crate) fn is_like(&self, other: &Layout) -> bool {
        self.key == other.key
    }

    pub(crate) fn model(&self) -> &Arc<SessionModel> {
        &self.key.model
    }

    pub(crate) fn pieces(&self) -> usize {
        self.key.model.pieces()
    }

    /// The lines of a piece.
    pub(crate) fn lines(&self, piece: usize) -> Lines {
        if let Some(lines) = self.laid_out.borrow().get(&piece) {
            return Rc::clone(lines);
        }
        let lines: Lines = self.lay_out(piece).into();
        let mut laid_out = self.laid_out.borrow_mut();
        let mut count: usize = laid_out.values().map(|lines| lines.len()).sum();
        // Those that are furthest away go first.
        while count + lines.len() > MOST_LINES && !laid_out.is_empty() {
            let (first, last) = (laid_out.keys().next().copied(), laid_out.keys().last().copied());
            let (Some(first), Some(last)) = (first, last) else { break };
            let furthest = if piece.abs_diff(first) > piece.abs_diff(last) { first } else { last };
            count -= laid_out.remove(&furthest).map_or(0, |lines| lines.len());
        }
        laid_out.insert(piece, Rc::clone(&lines));
        lines
    }

    pub(crate) fn height(&self, piece: usize) -> usize {
        self.lines(piece).len()
    }

    fn lay_out(&self, piece: usize) -> Vec<Line<'static>> {
        let key = &self.key;
        let style = TextStyle {
            width: key.width,
            look: key.look,
            zone: &key.zone,
            tools_key: &key.tools_key,
            branches_key: &key.branches_key,
            outputs: key.outputs.as_deref(),
        };
        let place = key.model.turn_of(piece);
        let folded = place.filter(|(turn, _)| key.folded.contains(turn));
        if let Some((turn, place)) = folded {
            let pieces = key.model.pieces_of(turn).len();
            let prompt = usize::from(!key.model.rows()[turn].prompt.is_empty());
            if place == 0 {
                let mut lines =
                    self.wrapped(&style.piece(&key.model, key.details.as_deref(), piece));
                if prompt == 1 {
                    let prompt = format!("❯ {}", key.model.rows()[turn].prompt);
                    let good = key.theme.style(render::Style::Good);
                    lines.push(Line::from(text::cut_span(&prompt, key.width, good)));
                }
                return lines;
            }
            if place + 1 < pieces {
                return Vec::new();
            }
            let steps = render::counted(pieces.saturating_sub(2 + prompt), "step");
            let note = format!("▸ {steps} folded ({} unfolds)", key.fold_key);
            let note = text::cut_span(&note, key.width, key.theme.dim());
            return vec![Line::from(note), Line::default()];
        }
        self.wrapped(&style.piece(&key.model, key.details.as_deref(), piece))
    }

    fn wrapped(&self, painted: &str) -> Vec<Line<'static>> {
        let lines = text::painted(painted, &self.key.theme).into_iter();
        lines.flat_map(|line| wrapped_line(line, self.key.width)).collect()
    }
}

/// A line in lines of at most this width, broken at spaces where there are any, and indented
/// like the line itself. Most lines are narrow enough already: `render` wraps prose, but
/// neither complete outputs nor long words.
pub(crate) fn wrapped_line(line: Line<'static>, width: usize) -> Vec<Line<'static>> {
    let columns: usize = line.spans.iter().map(|span| render::columns(&span.content)).sum();
    if columns <= width {
        return vec![line];
    }
    let mut cells: Vec<(&str, usize, Style)> = Vec::new();
    for span in &line.spans {
        cells.extend(units(&span.content).map(|(unit, columns)| (unit, columns, span.style)));
    }
    let indent = cells.iter().take_while(|(unit, ..)| *unit == " ").count();
    // The words get at least half of the line.
    let indent = if indent > width / 2 { 0 } else { indent };
    let mut lines = Vec::new();
    let mut rest = &cells[..];
    while !rest.is_empty() {
        let margin = if lines.is_empty() { 0 } else { indent };
        let (end, next) = break_of(rest, width - margin, if lines.is_empty() { indent } else { 0 });
        let mut spans: Vec<Span<'static>> = Vec::new();
        if margin > 0 {
            spans.push(Span::raw(" ".repeat(margin)));
        }
        for (unit, _, style) in &rest[..end] {
            match spans.last_mut() {
                Some(last) if last.style == *style => last.content.to_mut().push_str(unit),
                _ => spans.push(Span::styled((*unit).to_owned(), *style)),
            }
        }
        lines.push(Line::from(spans));
        rest = &rest[next..];
    }
    lines
}

/// Where a line ends that begins with these characters, and where the next one begins. It is
/// not broken in its first `indent` characters.
fn break_of(cells: &[(&str, usize, Style)], width: usize, indent: usize) -> (usize, usize) {
    let mut taken = 0;
    let fits = cells.iter().position(|(_, columns, _)| {
        taken += columns;
        taken > width
    });
    // A character that is wider than the line gets a line.
    let Some(most) = fits.map(|most| most.max(1)) else { return (cells.len(), cells.len()) };
    let space = (indent.max(1)..=most).rev().find(|place| cells[*place].0 == " ");
    match space.filter(|space| *space * 2 > most) {
        Some(space) => (space, space + 1),
        None => (most, most),
    }
}

/// Characters with the combining characters after them, and the columns of each.
fn units(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut characters = rest.char_indices();
        characters.next()?;
        let is_on_top = |(_, character): &(usize, char)| {
            render::columns(character.encode_utf8(&mut [0; 4])) == 0
        };
        let end = characters.find(|next| !is_on_top(next)).map_or(rest.len(), |(at, _)| at);
        let (unit, after) = rest.split_at(end);
        rest = after;
        Some((unit, render::columns(unit)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::style::Stylize as _;

    fn shown(line: Line<'static>, width: usize) -> Vec<String> {
        wrapped_line(line, width).iter().map(Line::to_string).collect()
    }

    #[test]
    fn wide_characters_and_accents_are_never_split() {
        assert_eq!(shown(Line::from("日本語"), 5), ["日本", "語"]);
        assert_eq!(
            shown(Line::from("e\u{301}e\u{301}e\u{301}"), 2),
            ["e\u{301}e\u{301}", "e\u{301}"]
        );
        assert_eq!(shown(Line::from("short"), 9), ["short"]);
        let styled = Line::from(vec!["abc".red(), "def".blue()]);
        assert_eq!(shown(styled, 4), ["abcd", "ef"]);
        assert_eq!(
            shown(Line::from("    some words of output"), 16),
            ["    some words", "    of output"]
        );
    }

    proptest! {
        #[test]
        fn wrapped_lines_fit_and_lose_only_spaces(text in "[a-c日é\u{301}👩\u{200d}\u{fe0f} ]{0,60}", width in 4_usize..30) {
            let line = Line::from(vec![Span::raw(text.clone()), Span::raw("x").red()]);
            let lines = shown(line, width);
            let words = |text: &str| text.replace(' ', "");
            prop_assert_eq!(words(&lines.concat()), words(&format!("{text}x")));
            for line in lines {
                prop_assert!(render::columns(&line) <= width, "{line:?} in {width}");
            }
        }
    }
}
