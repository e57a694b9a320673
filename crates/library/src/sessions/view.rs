//! The conversation of one transcript by the rules of one view, with what is derived
//! from it on first use and then kept: the turns of all generations, what stands
//! beside them, the costs of lines.
//!
//! A server shows a long session in many small pieces; each of them would otherwise
//! build all turns again.

use conversation::{Conversation, NodeId, PlacedAnnotations, Turns, View};
use self_cell::self_cell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use usage::{CostMode, Fold, PicoUsd, Pricer, Prices};

self_cell!(
    /// A conversation together with the bytes it borrows from.
    struct ParsedTranscript {
        owner: Arc<Vec<u8>>,
        #[covariant]
        dependent: Conversation,
    }

    impl {Debug}
);

/// The turns of all generations, with everything that stands beside them.
#[derive(Debug)]
pub struct WholeConversation<'c> {
    /// The lines of all generations, oldest first.
    pub chain: Vec<NodeId>,
    /// Their turns.
    pub turns: Turns<'c>,
    /// The branches and orphaned segments among them.
    pub annotations: PlacedAnnotations<'c>,
}

self_cell!(
    /// The turns of a conversation together with the conversation.
    struct BuiltTurns {
        owner: Arc<ParsedTranscript>,
        #[covariant]
        dependent: WholeConversation,
    }

    impl {Debug}
);

/// A conversation, and what is derived from it.
#[derive(Debug)]
pub struct ConversationView {
    parsed: Arc<ParsedTranscript>,
    inline_agents: OnceLock<Vec<(String, Vec<NodeId>)>>,
    whole: OnceLock<BuiltTurns>,
    line_costs: OnceLock<HashMap<NodeId, PicoUsd>>,
}

impl ConversationView {
    pub(crate) fn new(bytes: &Arc<Vec<u8>>, is_agent: bool, view: View) -> Self {
        let parsed = ParsedTranscript::new(Arc::clone(bytes), |bytes| {
            parse_conversation(bytes, is_agent, view)
        });
        ConversationView {
            parsed: Arc::new(parsed),
            inline_agents: OnceLock::new(),
            whole: OnceLock::new(),
            line_costs: OnceLock::new(),
        }
    }

    /// The conversation.
    pub fn conversation(&self) -> &Conversation<'_> {
        self.parsed.borrow_dependent()
    }

    /// The bytes of its transcript, with secrets masked.
    pub fn bytes(&self) -> &[u8] {
        self.parsed.borrow_owner()
    }

    /// The turns of all generations, with everything that stands beside them.
    pub fn whole(&self) -> &WholeConversation<'_> {
        let built = self.whole.get_or_init(|| {
            BuiltTurns::new(Arc::clone(&self.parsed), |parsed| {
                let conversation = parsed.borrow_dependent();
                let chain = conversation.full_chain().0;
                let turns = conversation.all_turns();
                let annotations = conversation.place_annotations(&chain, &turns);
                WholeConversation { chain, turns, annotations }
            })
        });
        built.borrow_dependent()
    }

    /// The costs of API calls at the API's prices, by the lines that represent them.
    pub fn line_costs(&self) -> &HashMap<NodeId, PicoUsd> {
        self.line_costs.get_or_init(|| line_costs(self.bytes(), self.conversation()))
    }

    /// The agents written into the main transcript, each with its lines.
    pub(crate) fn inline_agents(&self) -> &[(String, Vec<NodeId>)] {
        self.inline_agents.get_or_init(|| self.conversation().inline_agents())
    }

    pub(crate) fn inline_agent(&self, id: &str) -> Option<Vec<NodeId>> {
        let own = self.inline_agents().iter().filter(|(own, _)| own == id);
        let lines: Vec<NodeId> = own.flat_map(|(_, lines)| lines).copied().collect();
        (!lines.is_empty()).then_some(lines)
    }
}

/// The conversation in a transcript: a sub-agent's, or a session's own.
pub(crate) fn parse_conversation(bytes: &[u8], is_agent: bool, view: View) -> Conversation<'_> {
    let read = if is_agent { Conversation::read_agent } else { Conversation::read };
    let mut conversation = read(bytes, view);
    if view != View::App {
        // A turn has the same number in every view.
        conversation.number_as(&read(bytes, View::App));
    }
    conversation
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
