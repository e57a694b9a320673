//! Which turns of an open session are selected.
//!
//! A selection names a part (the current generation, all generations, one of
//! them, an abandoned branch, an agent) and a range of its turns. Turns are
//! numbered over the whole session, whatever the part. Annotations are placed
//! for the whole part, whatever the range.

use crate::sessions::view::ConversationView;
use conversation::{
    Conversation, Message, NodeId, PlacedAnnotations, PlacedBranch, StepKind, ToolCall, Turn,
    TurnNumber, TurnNumbers, Turns, View,
};
use std::borrow::Cow;
use std::collections::HashSet;

/// A part of a session's conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The current generation: what the model still has in its context.
    #[default]
    Present,
    /// All generations, oldest first.
    Whole,
    /// One generation; 1 is the first.
    Generation(usize),
    /// The conversation as it would be on an abandoned branch, by its number.
    AbandonedBranch(usize),
    /// An orphaned segment, by its number.
    OrphanedSegment(usize),
    /// All of a sub-agent's conversation, by its id.
    Agent(String),
}

impl Part {
    /// The part that has a turn.
    pub fn with_turn(turn: TurnNumber) -> Self {
        let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        match turn {
            TurnNumber::Main(_) => Part::Whole,
            TurnNumber::Branch { branch, .. } => Part::AbandonedBranch(number(branch)),
            TurnNumber::Orphan { segment, .. } => Part::OrphanedSegment(number(segment)),
        }
    }

    /// Its name in messages.
    fn name(&self) -> String {
        match self {
            Part::Present | Part::Whole => "the session".to_owned(),
            Part::Generation(number) => format!("generation {number}"),
            Part::AbandonedBranch(number) => format!("abandoned branch {number}"),
            Part::OrphanedSegment(number) => format!("orphaned segment {number}"),
            Part::Agent(_) => "the sub-agent".to_owned(),
        }
    }
}

/// A range of turns. By default all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnRange {
    /// From this turn.
    pub from: Option<TurnNumber>,
    /// To this turn.
    pub to: Option<TurnNumber>,
    /// And this many turns before and after those.
    pub around: usize,
    /// Only the last turns of those.
    pub last: Option<usize>,
    /// Only turns that mention this text.
    pub mentioning: Option<String>,
}

/// Which turns of a session to return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The rules by which the conversation is read.
    pub view: View,
    /// The part of it.
    pub part: Part,
    /// The turns of the part.
    pub range: TurnRange,
}

impl TurnRange {
    /// One turn.
    pub fn only(turn: TurnNumber) -> Self {
        TurnRange { from: Some(turn), to: Some(turn), ..TurnRange::default() }
    }
}

impl Default for Selection {
    fn default() -> Self {
        Selection::of(Part::Present)
    }
}

impl Selection {
    /// A part as the app shows it, with all of its turns.
    pub fn of(part: Part) -> Self {
        Selection { view: View::App, part, range: TurnRange::default() }
    }

    /// Whether everything is selected: all turns of all generations.
    pub fn is_whole(&self) -> bool {
        self.part == Part::Whole && self.range == TurnRange::default()
    }
}

/// A number with its noun.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Why a selection matches nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// No branch has the number.
    #[error("no branch {number}: the session has {}", counted(*count, "abandoned branch", "abandoned branches"))]
    NoBranch {
        /// The number.
        number: usize,
        /// How many branches there are.
        count: usize,
    },
    /// No orphaned segment has the number.
    #[error("no orphaned segment {number}: the session has {count}")]
    NoSegment {
        /// The number.
        number: usize,
        /// How many segments there are.
        count: usize,
    },
    /// No turn has the number.
    #[error("no turn {number}: {there}")]
    NoTurn {
        /// The number.
        number: TurnNumber,
        /// Which turns there are.
        there: String,
    },
    /// No generation has the number.
    #[error("no generation {number}: the session has {}", counted(*last, "generation", "generations"))]
    NoGeneration {
        /// The number.
        number: usize,
        /// The last generation.
        last: usize,
    },
    /// No agent has the id.
    #[error("no sub-agent has the id {0}")]
    NoAgent(String),
    /// The agent's conversation cannot be read.
    #[error("cannot read sub-agent {id}: {reason}")]
    UnreadableAgent {
        /// The agent.
        id: String,
        /// Why.
        reason: String,
    },
    /// No turn mentions the text.
    #[error("no turn mentions {0:?}")]
    NotMentioned(String),
    /// The range ends before it begins.
    #[error("invalid range: turn {from} comes after turn {to}")]
    ReversedRange {
        /// The first turn.
        from: TurnNumber,
        /// The last turn.
        to: TurnNumber,
    },
}

/// The turns that a selection matches.
#[derive(Debug)]
pub struct SelectedTurns<'s> {
    /// The conversation they belong to.
    pub conversation: &'s Conversation<'s>,
    /// The lines of the part: messages, and the app's notes between them.
    pub chain: Vec<NodeId>,
    /// All turns of the part.
    pub turns: Cow<'s, Turns<'s>>,
    /// Whether the part belongs to a sub-agent.
    pub is_agent: bool,
    /// The part.
    pub part: Part,
    /// The turns of the range, as positions in `turns`.
    pub(crate) positions: Vec<usize>,
}

impl<'s> SelectedTurns<'s> {
    /// A part of a conversation, with all of its turns.
    pub(crate) fn of_part(view: &'s ConversationView, part: &Part) -> Result<Self, SelectionError> {
        let conversation = view.conversation();
        let of_lines = |chain: Vec<NodeId>| (Cow::Owned(conversation.turns_of(&chain)), chain);
        let (turns, chain) = match part {
            Part::Present => (Cow::Owned(conversation.turns()), conversation.chain.clone()),
            Part::Whole | Part::Agent(_) => {
                let whole = view.whole();
                (Cow::Borrowed(&whole.turns), whole.chain.clone())
            }
            Part::Generation(number) => {
                let lines = conversation.generation(*number);
                of_lines(lines.map(<[NodeId]>::to_vec).ok_or_else(|| {
                    let last = conversation.past_generations.len() + 1;
                    SelectionError::NoGeneration { number: *number, last }
                })?)
            }
            Part::AbandonedBranch(number) => {
                let branches = &conversation.branches;
                let branch = number.checked_sub(1).and_then(|place| branches.get(place));
                let count = branches.len();
                let missing = SelectionError::NoBranch { number: *number, count };
                of_lines(conversation.chain_of_branch(branch.ok_or(missing)?))
            }
            Part::OrphanedSegment(number) => {
                let segments = &conversation.orphaned_segments;
                let segment = number.checked_sub(1).and_then(|place| segments.get(place));
                let count = segments.len();
                let missing = SelectionError::NoSegment { number: *number, count };
                of_lines(segment.ok_or(missing)?.messages.clone())
            }
        };
        Ok(SelectedTurns::all(conversation, chain, turns, conversation.is_agent, part.clone()))
    }

    /// The lines of an agent written into the transcript of its session.
    pub(crate) fn of_inline_agent(
        conversation: &'s Conversation<'s>,
        lines: Vec<NodeId>,
        id: &str,
    ) -> Self {
        let turns = Cow::Owned(conversation.inline_turns(&lines));
        SelectedTurns::all(conversation, lines, turns, true, Part::Agent(id.to_owned()))
    }

    fn all(
        conversation: &'s Conversation<'s>,
        chain: Vec<NodeId>,
        turns: Cow<'s, Turns<'s>>,
        is_agent: bool,
        part: Part,
    ) -> Self {
        let positions = (0..turns.turns.len()).collect();
        SelectedTurns { conversation, chain, turns, is_agent, part, positions }
    }

    /// The same, limited to the turns of a range.
    pub(crate) fn within(mut self, range: &TurnRange) -> Result<Self, SelectionError> {
        let (first, last) = self.bounds(range)?;
        let text = range.mentioning.as_deref();
        let turns = &self.turns;
        self.positions.retain(|position| {
            let turn = &turns.turns[*position];
            (first..=last).contains(position) && text.is_none_or(|text| turns.mentions(turn, text))
        });
        if let Some(text) = text.filter(|_| self.positions.is_empty()) {
            return Err(SelectionError::NotMentioned(text.to_owned()));
        }
        let most = range.last.unwrap_or(usize::MAX);
        self.positions.drain(..self.positions.len().saturating_sub(most));
        Ok(self)
    }

    /// The positions of the first and the last turn of a range.
    fn bounds(&self, range: &TurnRange) -> Result<(usize, usize), SelectionError> {
        let numbers: Vec<TurnNumber> = self.turns.turns.iter().map(|turn| turn.number).collect();
        let missing = |number: TurnNumber| {
            let name = self.part.name();
            let there = match (numbers.first(), numbers.last()) {
                (Some(first), Some(last)) if first == last => {
                    format!("{name} has only turn {first}")
                }
                (Some(first), Some(last)) => format!("{name} has turns {first} to {last}"),
                _ => format!("{name} has no turns"),
            };
            SelectionError::NoTurn { number, there }
        };
        let exact = |number| numbers.iter().position(|own| *own == number);
        // A part need not have every number of the session.
        let is_main = |number: &TurnNumber| matches!(number, TurnNumber::Main(_));
        let mut first = match range.from {
            None => 0,
            Some(from) => exact(from)
                .or_else(|| {
                    numbers.iter().position(|own| is_main(&from) && is_main(own) && *own > from)
                })
                .ok_or_else(|| missing(from))?,
        };
        let end = numbers.len().saturating_sub(1);
        let mut last = match range.to {
            None => end,
            Some(to) => exact(to)
                .or_else(|| {
                    let above = numbers.iter().position(|own| is_main(own) && *own > to);
                    is_main(&to).then(|| above.map_or(Some(end), |above| above.checked_sub(1)))?
                })
                .ok_or_else(|| missing(to))?,
        };
        if let (Some(from), Some(to)) = (range.from, range.to)
            && (first > last || (is_main(&from) && is_main(&to) && from > to))
        {
            return Err(SelectionError::ReversedRange { from, to });
        }
        first = first.saturating_sub(range.around);
        last = last.saturating_add(range.around);
        Ok((first, last))
    }

    /// The turns of the range, in order.
    pub fn selected(&self) -> Vec<&Turn<'s>> {
        self.positions.iter().map(|position| &self.turns.turns[*position]).collect()
    }

    /// Whether the range has all turns of the part.
    pub fn is_complete(&self) -> bool {
        self.positions.len() == self.turns.turns.len()
    }

    /// The calls in the turns of the range.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall<'s>> {
        let turns = self.positions.iter().map(|position| &self.turns.turns[*position]);
        turns.flat_map(|turn| &turn.steps).filter_map(|step| match step.kind {
            StepKind::Call(number) => self.turns.calls.get(number),
            _ => None,
        })
    }

    /// The messages of the part.
    pub fn messages(&self) -> Vec<Message> {
        match (&self.part, self.is_agent && !self.conversation.is_agent) {
            (Part::Present, false) => self.conversation.messages.clone(),
            (Part::Whole | Part::Agent(_), false) => self.conversation.full_chain().1,
            _ => self.conversation.messages_on(&self.chain, self.is_agent),
        }
    }

    /// The uuid of the record that identifies a turn: its prompt, else its first
    /// record.
    pub fn record_of(&self, turn: &Turn<'_>) -> Option<&str> {
        turn.line().map(|line| &*self.conversation.graph.node(line).uuid)
    }

    /// The numbers of the turns of all lines.
    pub fn numbers(&self) -> Cow<'s, TurnNumbers> {
        if self.is_agent && !self.conversation.is_agent {
            return Cow::Owned(self.conversation.inline_turn_numbers(&self.chain));
        }
        Cow::Borrowed(self.conversation.turn_numbers())
    }

    /// Branches and orphaned segments, placed among the turns of the part. The
    /// lines of an agent written into its session's transcript have none.
    pub fn annotations(&self) -> PlacedAnnotations<'_> {
        if self.is_agent && !self.conversation.is_agent {
            return PlacedAnnotations::default();
        }
        self.conversation.place_annotations(&self.chain, &self.turns)
    }

    /// What stands beside the selected turns: branches and orphaned segments that are placed
    /// before one of their lines, and, if the range has all turns of the part, those after its
    /// last. A branch of another branch left from no turn; all turns of the session have it too.
    pub fn annotations_in_range(&self) -> PlacedAnnotations<'_> {
        let steps = self.selected().into_iter().flat_map(|turn| &turn.steps);
        let shown: HashSet<NodeId> = steps.map(|step| step.node).collect();
        let is_whole = matches!(self.part, Part::Whole | Part::Agent(_));
        let left_here = |branch: &PlacedBranch<'_>| {
            is_whole || branch.branch.from.is_none_or(|it| self.chain.contains(&it))
        };
        let is_complete = self.is_complete();
        let mut placed = self.annotations();
        placed.branches.retain(|branch| match branch.before {
            Some(line) => shown.contains(&line),
            None => is_complete && left_here(branch),
        });
        let is_here = |line: NodeId| shown.contains(&line);
        placed.orphans.retain(|orphan| orphan.before.map_or(is_complete, is_here));
        placed
    }
}
