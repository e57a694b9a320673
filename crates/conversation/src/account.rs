//! Every message accounted for: what is live, what was undone, what came loose,
//! what was compacted away.

use crate::app;
use crate::graph::{Graph, NodeId};
use crate::sdk::{self, Message};
use std::collections::{HashMap, HashSet};

/// Whose rules find the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The app's: what a person sees when they resume.
    App,
    /// The official reader's.
    Sdk,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Part of the conversation as it stands.
    Live,
    /// Said, and left behind by a rewind or an edit.
    Undone,
    /// What it follows is missing.
    Lost,
    /// Before a compaction.
    Compacted,
}

impl State {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            State::Live => "live",
            State::Undone => "undone",
            State::Lost => "lost",
            State::Compacted => "compacted",
        }
    }
}

/// A continuation that was left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The line it left the conversation after; none if it began one.
    pub from: Option<NodeId>,
    /// Its messages, in file order.
    pub messages: Vec<NodeId>,
}

/// A piece whose parent is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostSegment {
    /// The uuid that is missing.
    pub missing: String,
    /// Its messages, in file order.
    pub messages: Vec<NodeId>,
}

/// A session's conversation, and an account of the rest.
#[derive(Clone, Debug)]
pub struct Conversation<'a> {
    /// The lines.
    pub graph: Graph<'a>,
    /// The conversation as it stands, by the view's rules.
    pub messages: Vec<Message>,
    /// What was left behind.
    pub branches: Vec<Branch>,
    /// What came loose.
    pub lost: Vec<LostSegment>,
    /// The boundaries of compactions, in file order.
    pub compactions: Vec<NodeId>,
    states: HashMap<NodeId, State>,
}

impl<'a> Conversation<'a> {
    /// Finds the conversation in a whole transcript.
    pub fn read(bytes: &'a [u8], view: View) -> Self {
        let mut graph = Graph::read(bytes);
        let (messages, chain) = match view {
            View::App => app::messages(&mut graph),
            View::Sdk => sdk::messages(&mut graph),
        };
        let mut conversation = Conversation {
            compactions: graph.ids().filter(|id| graph.node(*id).is_boundary()).collect(),
            graph,
            messages,
            branches: Vec::new(),
            lost: Vec::new(),
            states: HashMap::new(),
        };
        conversation.mark_chain(&chain);
        conversation.mark_rest();
        conversation
    }

    /// Finds the conversation in a sub-agent's transcript, by the official
    /// reader's rule: everything the last message goes back to, and no account
    /// of the rest.
    pub fn read_agent(bytes: &'a [u8]) -> Self {
        let graph = Graph::read(bytes);
        let messages = sdk::agent_messages(&graph);
        let states = messages.iter().map(|message| (message.node, State::Live)).collect();
        Conversation {
            graph,
            messages,
            branches: Vec::new(),
            lost: Vec::new(),
            compactions: Vec::new(),
            states,
        }
    }

    /// What became of a message; `None` for lines that are none, and for those
    /// of sub-agents.
    pub fn state(&self, id: NodeId) -> Option<State> {
        self.states.get(&id).copied()
    }

    /// The live chain, and behind each boundary on it what was compacted.
    fn mark_chain(&mut self, chain: &[NodeId]) {
        self.states.extend(chain.iter().map(|id| (*id, State::Live)));
        let mut boundaries: Vec<NodeId> =
            chain.iter().copied().filter(|id| self.graph.node(*id).is_boundary()).collect();
        let mut seen = HashSet::new();
        while let Some(boundary) = boundaries.pop().filter(|id| seen.insert(*id)) {
            let before = self.graph.node(boundary).logical_parent.as_deref();
            let Some(before) = before.and_then(|uuid| self.graph.find(uuid)) else { continue };
            for id in self.graph.with_parallel(&self.graph.chain_to(before)) {
                self.states.entry(id).or_insert(State::Compacted);
                if self.graph.node(id).is_boundary() {
                    boundaries.push(id);
                }
            }
        }
    }

    /// Messages on no chain: undone where they hang on something, lost where
    /// what they hang on is missing. Each piece is named by its first line.
    fn mark_rest(&mut self) {
        let mut pieces: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        let mut heads: HashMap<NodeId, NodeId> = HashMap::new();
        let mut order = Vec::new();
        let rest: Vec<NodeId> = self
            .graph
            .ids()
            .filter(|id| {
                let node = self.graph.node(*id);
                node.is_message()
                    && !node.is_sidechain
                    && !node.is_team
                    && !self.states.contains_key(id)
            })
            .collect();
        for id in rest {
            let head = self.head_of(id, &mut heads);
            if !pieces.contains_key(&head) {
                order.push(head);
            }
            pieces.entry(head).or_default().push(id);
        }
        for head in order {
            let Some(messages) = pieces.remove(&head) else { continue };
            let from = self.graph.parent(head);
            let missing = self.graph.node(head).parent.as_deref().filter(|_| from.is_none());
            let missing = missing.map(str::to_owned);
            let state = if missing.is_some() { State::Lost } else { State::Undone };
            self.states.extend(messages.iter().map(|id| (*id, state)));
            match missing {
                Some(missing) => self.lost.push(LostSegment { missing, messages }),
                None => self.branches.push(Branch { from, messages }),
            }
        }
    }

    /// The topmost line above that is on no chain, remembered for the next.
    fn head_of(&self, id: NodeId, heads: &mut HashMap<NodeId, NodeId>) -> NodeId {
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let mut head = id;
        let mut next = Some(id);
        while let Some(id) = next.filter(|id| !self.states.contains_key(id) && seen.insert(*id)) {
            if let Some(known) = heads.get(&id) {
                head = *known;
                break;
            }
            head = id;
            path.push(id);
            next = self.graph.parent(id);
        }
        heads.extend(path.into_iter().map(|id| (id, head)));
        head
    }
}
