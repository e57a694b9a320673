//! An open session as a screen reads it: the turns of one part of it, divided into pieces
//! that can be laid out one by one, and what stands between them.
//!
//! The worker builds it; the screen only reads it. The parts that take longer (agents, costs,
//! bookmarks) come later, as [`Details`](super::details::Details).
//!
//! Deliberately not here: how a piece looks (`text.rs`), and where the reader is.

use conversation::{NodeId, StepKind, Turn, Turns};
use library::sessions::{
    OpenSession, Part, SelectedTurns, Selection, SelectionError, TurnNumber, large_line_bytes,
};
use self_cell::self_cell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The longest prompt that the outline keeps, in columns.
const PROMPT: usize = 160;

/// Something that stands between the lines of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    /// An orphaned segment, by its place in [`ShownPart::orphans`].
    Orphan(usize),
    /// An abandoned branch.
    Branch {
        /// Its number, from 1.
        number: usize,
        /// How many messages it has.
        messages: usize,
        /// Its first prompt.
        prompt: String,
    },
}

/// An orphaned segment with its turns.
#[derive(Debug)]
pub(crate) struct ShownOrphan<'s> {
    /// Its number, from 1.
    pub(crate) number: usize,
    pub(crate) turns: Turns<'s>,
    pub(crate) messages: usize,
    /// Its first line in the transcript.
    pub(crate) line: u64,
    pub(crate) gaps: String,
}

/// The turns of a part, and what stands between them.
#[derive(Debug)]
pub(crate) struct ShownPart<'s> {
    pub(crate) selected: SelectedTurns<'s>,
    pub(crate) orphans: Vec<ShownOrphan<'s>>,
    /// What stands before a line.
    pub(crate) before: HashMap<NodeId, Vec<Beside>>,
    /// What stands after the last turn.
    pub(crate) after: Vec<Beside>,
}

impl<'s> ShownPart<'s> {
    fn new(session: &'s OpenSession, part: &Part) -> Result<Self, SelectionError> {
        let selected = session.turns(&Selection::of(part.clone()))?;
        let conversation = selected.conversation;
        let mut orphans = Vec::new();
        let mut before: HashMap<NodeId, Vec<Beside>> = HashMap::new();
        let mut after = Vec::new();
        let placed = selected.annotations();
        let mut put = |place: Option<NodeId>, beside| match place {
            Some(node) => before.entry(node).or_default().push(beside),
            None => after.push(beside),
        };
        for orphan in &placed.orphans {
            let lines = &orphan.segment.messages;
            let Some(first) = lines.first() else { continue };
            put(orphan.before, Beside::Orphan(orphans.len()));
            orphans.push(ShownOrphan {
                number: orphan.number,
                turns: conversation.turns_of(lines),
                messages: lines.len(),
                line: conversation.graph.node(*first).line,
                gaps: render::gaps_text(orphan.segment),
            });
        }
        for branch in &placed.branches {
            let prompt = branch.branch.prompt.clone().unwrap_or_default();
            let messages = branch.branch.messages.len();
            put(branch.before, Beside::Branch { number: branch.number, messages, prompt });
        }
        drop(placed);
        Ok(ShownPart { selected, orphans, before, after })
    }

    /// All turns of the part.
    pub(crate) fn turns(&self) -> &[Turn<'s>] {
        &self.selected.turns.turns
    }
}

self_cell!(
    /// A part together with the session it borrows from.
    struct PartOfSession {
        owner: Arc<OpenSession>,
        #[not_covariant]
        dependent: ShownPart,
    }

    impl {Debug}
);

/// A turn in the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnRow {
    /// Its number.
    pub number: TurnNumber,
    /// The first line of its prompt; empty without one.
    pub prompt: String,
    /// How many of its steps are errors.
    pub errors: u64,
    /// The generation it begins in, from 1.
    pub generation: usize,
    /// Its first piece.
    pub(crate) start: usize,
}

/// What stands between turns, with its piece, for the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlacedBeside {
    pub(crate) piece: usize,
    pub(crate) beside: Beside,
    /// How many messages, for an orphaned segment.
    pub(crate) messages: usize,
}

/// One part of an open session.
#[derive(Debug)]
pub struct SessionModel {
    cell: PartOfSession,
    part: Part,
    rows: Vec<TurnRow>,
    /// The pieces with errors.
    errors: Vec<usize>,
    besides: Vec<PlacedBeside>,
    /// The piece after all turns.
    last_piece: usize,
    /// Lines of the transcript that are neither empty nor JSON.
    damaged: usize,
    large: usize,
}

/// The first line of a text that has words, cut.
pub(crate) fn first_words(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    // Cutting measures the whole text.
    let line = line.get(..line.floor_char_boundary(PROMPT * 8)).unwrap_or_default();
    crate::text::cut(line.trim(), PROMPT)
}

impl SessionModel {
    /// A part of an open session, with all of its turns.
    pub fn new(session: Arc<OpenSession>, part: Part) -> Result<SessionModel, SelectionError> {
        let cell = PartOfSession::try_new(session, |session| ShownPart::new(session, &part))?;
        let mut model = SessionModel {
            cell,
            part,
            rows: Vec::new(),
            errors: Vec::new(),
            besides: Vec::new(),
            last_piece: 0,
            damaged: 0,
            large: 0,
        };
        model.with_index();
        let lines = || model.session().bytes().split(|byte| *byte == b'\n');
        let is_damaged = |line: &&[u8]| {
            let line = line.trim_ascii();
            let is_whole = line.starts_with(b"{") && line.ends_with(b"}");
            !line.is_empty() && !is_whole && large_line_bytes(line).is_none()
        };
        let damaged = lines().filter(is_damaged).count();
        model.large = lines().filter(|line| large_line_bytes(line).is_some()).count();
        model.damaged = damaged;
        Ok(model)
    }

    fn with_index(&mut self) {
        let (rows, errors, besides, last_piece) = self.with(|_, shown| index_of(shown));
        (self.rows, self.errors, self.besides) = (rows, errors, besides);
        self.last_piece = last_piece;
    }

    /// The session.
    pub fn session(&self) -> &Arc<OpenSession> {
        self.cell.borrow_owner()
    }

    /// The part that is shown.
    pub fn part(&self) -> &Part {
        &self.part
    }

    /// The turns, for the outline.
    pub fn rows(&self) -> &[TurnRow] {
        &self.rows
    }

    pub(crate) fn errors(&self) -> &[usize] {
        &self.errors
    }

    pub(crate) fn besides(&self) -> &[PlacedBeside] {
        &self.besides
    }

    /// How many lines of the transcript are damaged.
    pub(crate) fn damaged(&self) -> usize {
        self.damaged
    }

    /// How many are too large to be read.
    pub(crate) fn large(&self) -> usize {
        self.large
    }

    pub(crate) fn with<R>(
        &self,
        read: impl for<'r, 'q> FnOnce(&'q OpenSession, &'r ShownPart<'q>) -> R,
    ) -> R {
        self.cell.with_dependent(|session, shown| read(session, shown))
    }

    /// How many pieces there are: those of all turns, and one for what comes after them.
    pub(crate) fn pieces(&self) -> usize {
        self.last_piece + 1
    }

    /// The turn of a piece, by its place, and the piece's place in it; `None` for the last
    /// piece.
    pub(crate) fn turn_of(&self, piece: usize) -> Option<(usize, usize)> {
        let turn = self.rows.partition_point(|row| row.start <= piece).checked_sub(1)?;
        (piece < self.last_piece).then(|| (turn, piece - self.rows[turn].start))
    }

    /// The pieces of a turn.
    pub(crate) fn pieces_of(&self, turn: usize) -> Range<usize> {
        let start = self.rows.get(turn).map_or(0, |row| row.start);
        let end = self.rows.get(turn + 1).map_or(self.last_piece, |next| next.start);
        start..end.max(start)
    }

    /// The place of a turn by its number.
    pub(crate) fn find_turn(&self, number: TurnNumber) -> Option<usize> {
        self.rows.iter().position(|row| row.number == number)
    }

    /// The piece that shows a line of the transcript: a step of that line, or the call whose
    /// answer it is.
    pub(crate) fn piece_of_line(&self, line: u64) -> Option<usize> {
        self.with(|_, shown| {
            let graph = &shown.selected.conversation.graph;
            let calls = &shown.selected.turns.calls;
            let answers = |step: &conversation::Step<'_>| match step.kind {
                StepKind::Call(number) => calls
                    .get(number)
                    .and_then(|call| call.answer.as_ref())
                    .is_some_and(|answer| answer.origin.line == line),
                _ => false,
            };
            let place = |is_it: &dyn Fn(&conversation::Step<'_>) -> bool| {
                self.rows.iter().zip(shown.turns()).find_map(|(row, turn)| {
                    let step = turn.steps.iter().position(is_it)?;
                    Some(row.start + 1 + step)
                })
            };
            place(&|step| graph.node(step.node).line == line).or_else(|| place(&answers))
        })
    }

    /// The piece of a call, by its id.
    pub(crate) fn pieces_of_calls(&self) -> HashMap<String, usize> {
        self.with(|_, shown| {
            let calls = &shown.selected.turns.calls;
            let mut pieces = HashMap::new();
            for (row, turn) in self.rows.iter().zip(shown.turns()) {
                for (place, step) in turn.steps.iter().enumerate() {
                    if let StepKind::Call(number) = step.kind
                        && let Some(call) = calls.get(number)
                        && call.is_spawn()
                        && let Some(id) = &call.id
                    {
                        pieces.insert(id.to_string(), row.start + 1 + place);
                    }
                }
            }
            pieces
        })
    }
}

/// The rows of the outline, the pieces with errors, what stands between turns, and the number
/// of pieces of all turns.
fn index_of(shown: &ShownPart<'_>) -> (Vec<TurnRow>, Vec<usize>, Vec<PlacedBeside>, usize) {
    let conversation = shown.selected.conversation;
    let mut generation_of: HashMap<NodeId, usize> = HashMap::new();
    if !conversation.past_generations.is_empty() {
        for (number, lines) in (1..).zip(conversation.generations()) {
            for line in lines {
                generation_of.entry(*line).or_insert(number);
            }
        }
    }
    let (mut rows, mut errors, mut besides) = (Vec::new(), Vec::new(), Vec::new());
    let messages = |beside: &Beside| match beside {
        Beside::Orphan(place) => shown.orphans.get(*place).map_or(0, |orphan| orphan.messages),
        Beside::Branch { messages, .. } => *messages,
    };
    let mut start = 0;
    for turn in shown.turns() {
        let first = turn.steps.first().map(|step| step.node);
        rows.push(TurnRow {
            number: turn.number,
            prompt: first_words(turn.prompt().unwrap_or_default()),
            errors: turn.errors,
            generation: first.and_then(|node| generation_of.get(&node)).copied().unwrap_or(1),
            start,
        });
        let mut last = None;
        for (place, step) in turn.steps.iter().enumerate() {
            if turn.errors > 0 && step.kind.is_error(&shown.selected.turns.calls) {
                errors.push(start + 1 + place);
            }
            if last != Some(step.node) {
                last = Some(step.node);
                // What stands before the first step is shown with the heading.
                let piece = if place == 0 { start } else { start + 1 + place };
                let own = shown.before.get(&step.node).into_iter().flatten();
                besides.extend(own.map(|beside| PlacedBeside {
                    piece,
                    messages: messages(beside),
                    beside: beside.clone(),
                }));
            }
        }
        start += render::piece_count(turn);
    }
    besides.extend(shown.after.iter().map(|beside| PlacedBeside {
        piece: start,
        messages: messages(beside),
        beside: beside.clone(),
    }));
    (rows, errors, besides, start)
}
