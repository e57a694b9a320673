//! The states and turns of all lines, for those who have lines but no conversation: hits,
//! prompts, secrets.

use crate::conversation::{Conversation, MessageState};
use crate::graph::NodeId;
use crate::turn_number::TurnNumber;
use std::collections::BTreeMap;

/// What a line is in its conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineState<'c> {
    /// The line, from 1.
    pub line: u64,
    /// The id of its record.
    pub uuid: &'c str,
    /// The state of its message, if it is one.
    pub state: Option<MessageState>,
    /// The turn it is in. Lines of agents that are written into the transcript have the
    /// numbers of these agents' own conversations.
    pub turn: Option<TurnNumber>,
}

impl Conversation<'_> {
    /// The states of its lines. A line of an agent appears a second time, with its turn;
    /// of two turns of a line, the first counts.
    pub fn line_states(&self) -> Vec<LineState<'_>> {
        let of = |id: NodeId, state, turn| {
            let node = self.graph.node(id);
            LineState { line: node.line, uuid: &node.uuid, state, turn }
        };
        let ids = self.graph.ids();
        let mut states: Vec<_> = ids.map(|id| of(id, self.state(id), self.turn_of(id))).collect();
        let mut agents: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
        if !self.is_agent {
            for (id, lines) in self.inline_agents() {
                agents.entry(id).or_default().extend(lines);
            }
        }
        for lines in agents.into_values() {
            let numbers = self.inline_turn_numbers(&lines);
            let turns = lines.iter().filter_map(|line| Some((*line, numbers.of(*line)?)));
            states.extend(turns.map(|(line, turn)| of(line, None, Some(turn))));
        }
        states
    }
}
