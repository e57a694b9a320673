//! The costs of the turns of a conversation.

use conversation::{Conversation, NodeId, Turn, TurnNumber, Turns};
use render::Chapter;
use std::collections::HashMap;
use usage::PicoUsd;

/// A conversation with the costs of its lines.
pub(super) struct Costed<'a> {
    conversation: &'a Conversation<'a>,
    costs: &'a HashMap<NodeId, PicoUsd>,
}

impl<'a> Costed<'a> {
    /// A conversation with the costs of its lines.
    pub(super) fn new(
        conversation: &'a Conversation<'a>,
        costs: &'a HashMap<NodeId, PicoUsd>,
    ) -> Self {
        Costed { conversation, costs }
    }

    /// A line of it, with the turns to show of it.
    pub(super) fn chapter(
        &self,
        chain: &[NodeId],
        turns: &'a Turns<'a>,
        range: Vec<&'a Turn<'a>>,
    ) -> Chapter<'a> {
        let costs = turn_costs(self.costs, chain, turns);
        Chapter {
            conversation: self.conversation,
            chain: chain.to_vec(),
            all_turns: turns,
            turns: range,
            costs,
        }
    }
}

/// The costs of turns, from those of the lines of their chain. A line without steps
/// belongs to the turn around it.
pub(crate) fn turn_costs(
    line_costs: &HashMap<NodeId, PicoUsd>,
    chain: &[NodeId],
    turns: &Turns<'_>,
) -> HashMap<TurnNumber, PicoUsd> {
    let mut shown: HashMap<NodeId, TurnNumber> = HashMap::new();
    for turn in &turns.turns {
        for step in &turn.steps {
            shown.entry(step.node).or_insert(turn.number);
        }
    }
    let mut costs: HashMap<TurnNumber, PicoUsd> = HashMap::new();
    let mut turn = turns.turns.first().map_or_else(TurnNumber::default, |turn| turn.number);
    for node in chain {
        turn = shown.get(node).copied().unwrap_or(turn);
        if let Some(cost) = line_costs.get(node) {
            let sum = costs.entry(turn).or_default();
            *sum = sum.plus(*cost);
        }
    }
    costs
}
