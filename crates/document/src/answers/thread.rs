//! One thread of a session's conversation: the main one, a generation, a branch, an
//! orphaned segment, or a sub-agent's; with the turns that are built once and kept.

use conversation::{Conversation, NodeId, PlacedAnnotations, StepKind, TurnNumber, Turns, View};
use library::sessions::{AgentConversation, OpenSession, Part, Selection, SelectionError};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::str::FromStr;
use usage::PicoUsd;

/// Which thread of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ThreadPart {
    /// All generations of the conversation.
    #[default]
    Main,
    /// One generation, from 1.
    Generation(usize),
    /// The turns of an abandoned branch after its fork, by its number.
    Branch(usize),
    /// An orphaned segment, by its number.
    Orphan(usize),
}

/// A text that names no thread.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid part {0:?}: use main, gen:2, b1 or o1")]
pub struct InvalidThreadPart(String);

impl FromStr for ThreadPart {
    type Err = InvalidThreadPart;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |digits: &str| digits.parse().ok().filter(|number| *number > 0);
        let part = if text == "main" {
            Some(ThreadPart::Main)
        } else if let Some(digits) = text.strip_prefix("gen:") {
            number(digits).map(ThreadPart::Generation)
        } else if let Some(digits) = text.strip_prefix('b') {
            number(digits).map(ThreadPart::Branch)
        } else {
            text.strip_prefix('o').and_then(number).map(ThreadPart::Orphan)
        };
        part.ok_or_else(|| InvalidThreadPart(text.to_owned()))
    }
}

/// A thread of a session's conversation.
#[derive(Debug)]
pub(crate) struct Thread<'s> {
    pub(crate) conversation: &'s Conversation<'s>,
    /// The costs of the lines of its transcript.
    pub(crate) costs: &'s HashMap<NodeId, PicoUsd>,
    pub(crate) chain: Cow<'s, [NodeId]>,
    pub(crate) turns: Cow<'s, Turns<'s>>,
    /// What stands beside it.
    pub(crate) annotations: Option<&'s PlacedAnnotations<'s>>,
}

impl<'s> Thread<'s> {
    /// A thread of a session, or of one of its sub-agents.
    pub(crate) fn new(
        session: &'s OpenSession,
        part: &ThreadPart,
        agent: Option<&str>,
        view: View,
    ) -> Result<Self, SelectionError> {
        if let Some(id) = agent {
            return Thread::of_agent(session, id, view);
        }
        let (conversation, costs) = (session.conversation(view), session.line_costs(view));
        let owned = |chain: Vec<NodeId>| {
            let turns = Cow::Owned(conversation.turns_of(&chain));
            let chain = Cow::Owned(chain);
            Thread { conversation, costs, chain, turns, annotations: None }
        };
        let is_inline = session.found().inline_agent.is_some();
        match part {
            ThreadPart::Main if !is_inline => {
                let whole = session.whole(view);
                Ok(Thread {
                    conversation,
                    costs,
                    chain: Cow::Borrowed(&whole.chain),
                    turns: Cow::Borrowed(&whole.turns),
                    annotations: Some(&whole.annotations),
                })
            }
            ThreadPart::Branch(number) if !is_inline => {
                let branches = &conversation.branches;
                let branch = number.checked_sub(1).and_then(|place| branches.get(place));
                let missing = SelectionError::NoBranch { number: *number, count: branches.len() };
                Ok(owned(conversation.lines_of_branch(branch.ok_or(missing)?)))
            }
            ThreadPart::Main | ThreadPart::Branch(_) => Thread::of_part(session, Part::Whole, view),
            ThreadPart::Generation(number) => {
                Thread::of_part(session, Part::Generation(*number), view)
            }
            ThreadPart::Orphan(number) => {
                Thread::of_part(session, Part::OrphanedSegment(*number), view)
            }
        }
    }

    fn of_part(session: &'s OpenSession, part: Part, view: View) -> Result<Self, SelectionError> {
        let selected = session.turns(&Selection { view, ..Selection::of(part) })?;
        Ok(Thread {
            conversation: selected.conversation,
            costs: session.line_costs(view),
            chain: Cow::Owned(selected.chain),
            turns: selected.turns,
            annotations: None,
        })
    }

    fn of_agent(session: &'s OpenSession, id: &str, view: View) -> Result<Self, SelectionError> {
        let missing = || SelectionError::NoAgent(id.to_owned());
        let node = session.agents().find(id).or(session.own_agent().filter(|own| own.id == id));
        let agent = session.agent_conversation(node.ok_or_else(missing)?, view);
        let unreadable = |reason| SelectionError::UnreadableAgent { id: id.to_owned(), reason };
        Ok(Thread::of_conversation(&agent.map_err(unreadable)?))
    }

    /// The whole conversation of a sub-agent.
    pub(crate) fn of_conversation(agent: &AgentConversation<'s>) -> Self {
        let (conversation, costs) = (agent.conversation(), agent.line_costs());
        match agent {
            AgentConversation::File { view, .. } => {
                let whole = view.whole();
                Thread {
                    conversation,
                    costs,
                    chain: Cow::Borrowed(&whole.chain),
                    turns: Cow::Borrowed(&whole.turns),
                    annotations: Some(&whole.annotations),
                }
            }
            AgentConversation::Lines { .. } => {
                let turns = agent.whole_turns();
                let chain = Cow::Owned(agent.whole_lines());
                Thread { conversation, costs, chain, turns, annotations: None }
            }
        }
    }

    /// The positions of the turns from one to another, both included. A thread need not
    /// have every number.
    pub(crate) fn positions(
        &self,
        from: Option<TurnNumber>,
        to: Option<TurnNumber>,
    ) -> Result<Range<usize>, SelectionError> {
        let turns = &self.turns.turns;
        let is_main = |number: TurnNumber| matches!(number, TurnNumber::Main(_));
        let is_from = |own: TurnNumber, from: TurnNumber| {
            own == from || (is_main(own) && is_main(from) && own > from)
        };
        let start = match from {
            None => 0,
            Some(from) => {
                let start = turns.iter().position(|turn| is_from(turn.number, from));
                start.ok_or_else(|| self.missing(from))?
            }
        };
        let end = match to {
            None => turns.len(),
            Some(to) => {
                let last = turns.iter().rposition(|turn| is_from(to, turn.number));
                last.map(|last| last + 1).ok_or_else(|| self.missing(to))?
            }
        };
        match (from, to) {
            (Some(from), Some(to)) if end <= start => {
                Err(SelectionError::ReversedRange { from, to })
            }
            _ => Ok(start..end.max(start)),
        }
    }

    fn missing(&self, number: TurnNumber) -> SelectionError {
        let turns = &self.turns.turns;
        let there = match (turns.first(), turns.last()) {
            (Some(first), Some(last)) => {
                format!("this part has turns {} to {}", first.number, last.number)
            }
            _ => "this part has no turns".to_owned(),
        };
        SelectionError::NoTurn { number, there }
    }

    /// The calls in the turns at these positions.
    pub(crate) fn calls_at(
        &self,
        positions: Range<usize>,
    ) -> impl Iterator<Item = &conversation::ToolCall<'s>> {
        let turns = self.turns.turns.get(positions).unwrap_or_default();
        turns.iter().flat_map(|turn| &turn.steps).filter_map(|step| match step.kind {
            StepKind::Call(number) => self.turns.calls.get(number),
            _ => None,
        })
    }

    /// The costs of its turns; turns without a known price are absent.
    pub(crate) fn turn_costs(&self) -> HashMap<TurnNumber, PicoUsd> {
        crate::pages::turn_costs(self.costs, &self.chain, &self.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_from_their_names() {
        let table = [
            ("main", Some(ThreadPart::Main)),
            ("gen:2", Some(ThreadPart::Generation(2))),
            ("b1", Some(ThreadPart::Branch(1))),
            ("o3", Some(ThreadPart::Orphan(3))),
            ("b0", None),
            ("b", None),
            ("gen:", None),
            ("x", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
