//! The costs of the turns of a conversation.

use conversation::{Conversation, NodeId, Turn, TurnNumber, Turns};
use render::Chapter;
use std::collections::HashMap;
use std::sync::OnceLock;
use usage::{CostMode, Fold, PicoUsd, Pricer, Prices};

/// A conversation with the costs of its lines.
pub(super) struct Costed<'a> {
    conversation: &'a Conversation<'a>,
    costs: HashMap<NodeId, PicoUsd>,
}

impl<'a> Costed<'a> {
    /// The conversation in the bytes of a transcript.
    pub(super) fn new(conversation: &'a Conversation<'a>, bytes: &[u8]) -> Self {
        Costed { conversation, costs: line_costs(bytes, conversation) }
    }

    /// A line of it, with the turns to show of it.
    pub(super) fn chapter(
        &self,
        chain: &[NodeId],
        turns: &'a Turns<'a>,
        range: Vec<&'a Turn<'a>>,
    ) -> Chapter<'a> {
        // A line without steps belongs to the turn around it.
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
            if let Some(cost) = self.costs.get(node) {
                let sum = costs.entry(turn).or_default();
                *sum = sum.plus(*cost);
            }
        }
        Chapter {
            conversation: self.conversation,
            chain: chain.to_vec(),
            all_turns: turns,
            turns: range,
            costs,
        }
    }
}

/// The costs of API calls, by the lines that represent them.
fn line_costs(bytes: &[u8], conversation: &Conversation<'_>) -> HashMap<NodeId, PicoUsd> {
    static TABLE: OnceLock<Prices> = OnceLock::new();
    let mut fold = Fold::default();
    for line in transcript::lines(bytes) {
        usage::read_line(line, |read| {
            if let usage::UsageLine::Call(call) = read {
                fold.note(0, &call);
            }
        });
    }
    let calls = fold.finish();
    let mut pricer = Pricer::new(TABLE.get_or_init(Prices::embedded), CostMode::Auto);
    let graph = &conversation.graph;
    let nodes: HashMap<u64, NodeId> = graph.ids().map(|id| (graph.node(id).offset, id)).collect();
    let mut costs: HashMap<NodeId, PicoUsd> = HashMap::new();
    for call in &calls.calls {
        let node = nodes.get(&call.chosen_line.1);
        let cost = pricer.cost(call, &calls.names).total;
        if let (Some(node), Some(cost)) = (node, cost) {
            let sum = costs.entry(*node).or_default();
            *sum = sum.plus(cost);
        }
    }
    costs
}
