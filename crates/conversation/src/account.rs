//! Every message accounted for: what is live, what was undone, what came loose,
//! what was compacted away.

use crate::branch::Branch;
use crate::graph::{Graph, NodeId};
use crate::limb::Limbs;
use crate::node::Node;
use crate::sdk::{self, Message};
use crate::{agent, app};
use std::collections::{HashMap, HashSet};

/// Whose rules find the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The app's: what a person sees when they resume.
    App,
    /// The official reader's.
    Sdk,
}

impl View {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            View::App => "app",
            View::Sdk => "sdk",
        }
    }
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
    /// The lines it stands on: messages, and what the app noted between them.
    pub chain: Vec<NodeId>,
    /// What was said before each compaction that led here, oldest first. The
    /// present generation is the chain.
    pub past: Vec<Vec<NodeId>>,
    /// What was left behind.
    pub branches: Vec<Branch>,
    /// What came loose.
    pub lost: Vec<LostSegment>,
    /// The boundaries of compactions, in file order.
    pub compactions: Vec<NodeId>,
    /// Whether it is a sub-agent's.
    pub is_agent: bool,
    states: HashMap<NodeId, State>,
}

impl<'a> Conversation<'a> {
    /// Finds the conversation in a whole transcript.
    pub fn read(bytes: &'a [u8], view: View) -> Self {
        let mut graph = Graph::read(bytes, view);
        let (messages, chain) = match view {
            View::App => app::messages(&mut graph),
            View::Sdk => sdk::messages(&mut graph),
        };
        Conversation::new(graph, messages, chain, |node| !node.is_sidechain && !node.is_team)
    }

    /// Finds the conversation in a sub-agent's transcript. To the official
    /// reader it is what the last message goes back to and nothing else; the
    /// app also knows the calls that ran in parallel.
    pub fn read_agent(bytes: &'a [u8], view: View) -> Self {
        let mut graph = Graph::read(bytes, view);
        let (messages, chain) = match view {
            View::App => app::agent_messages(&mut graph),
            View::Sdk => agent::messages(&graph),
        };
        Conversation { is_agent: true, ..Conversation::new(graph, messages, chain, |_| true) }
    }

    /// `is_own` tells the lines of this conversation from those of agents
    /// written into the same file.
    fn new(
        graph: Graph<'a>,
        messages: Vec<Message>,
        chain: Vec<NodeId>,
        is_own: impl Fn(&Node<'_>) -> bool,
    ) -> Self {
        let mut conversation = Conversation {
            compactions: graph.ids().filter(|id| graph.node(*id).is_boundary()).collect(),
            graph,
            messages,
            chain,
            past: Vec::new(),
            branches: Vec::new(),
            lost: Vec::new(),
            is_agent: false,
            states: HashMap::new(),
        };
        conversation.states.extend(conversation.chain.iter().map(|id| (*id, State::Live)));
        conversation.find_past(&is_own);
        conversation.mark_rest(&is_own);
        conversation
    }

    /// What became of a message; `None` for lines that are none, and for those
    /// of sub-agents.
    pub fn state(&self, id: NodeId) -> Option<State> {
        self.states.get(&id).copied()
    }

    /// The lines of a generation, from 1: what was said between two
    /// compactions. The last is the conversation as it stands.
    pub fn generation(&self, number: usize) -> Option<&[NodeId]> {
        let place = number.checked_sub(1)?;
        match self.past.get(place) {
            Some(chain) => Some(chain),
            None => (place == self.past.len()).then_some(&*self.chain),
        }
    }

    /// The lines the conversation would stand on had a branch been kept.
    pub fn alternative(&self, branch: &Branch) -> Vec<NodeId> {
        let leaf = branch.messages.last().copied();
        leaf.map(|leaf| self.graph.with_parallel(&self.graph.chain_to(leaf))).unwrap_or_default()
    }

    /// The sub-agents written into the main transcript: each with its id and
    /// its lines, in file order.
    pub fn inline_agents(&self) -> Vec<(String, Vec<NodeId>)> {
        let mut agents: Vec<(String, Vec<NodeId>)> = Vec::new();
        let mut of: HashMap<NodeId, usize> = HashMap::new();
        for id in self.graph.ids() {
            let node = self.graph.node(id);
            if !node.is_sidechain {
                continue;
            }
            let parent = self.graph.written_parent(id).and_then(|uuid| self.graph.find(uuid));
            let number = parent.and_then(|parent| of.get(&parent)).copied();
            let number = number.unwrap_or_else(|| {
                let name = node.agent_id.as_deref().unwrap_or(&node.uuid);
                agents.push((name.to_owned(), Vec::new()));
                agents.len() - 1
            });
            of.insert(id, number);
            agents[number].1.push(id);
        }
        agents
    }

    /// The lines of each generation, oldest first. A line that a compaction
    /// kept whole stands in both.
    pub fn generations(&self) -> impl Iterator<Item = &[NodeId]> {
        self.past.iter().chain([&self.chain]).map(Vec::as_slice)
    }

    /// Walks back over the boundaries: behind each is what it compacted.
    fn find_past(&mut self, is_own: &impl Fn(&Node<'_>) -> bool) {
        // Chains, newest first.
        let mut chains: Vec<Vec<NodeId>> = Vec::new();
        let mut seen = HashSet::new();
        let first_boundary = |chain: &[NodeId], graph: &Graph<'_>| {
            chain.iter().copied().find(|id| graph.node(*id).is_boundary())
        };
        let mut next = first_boundary(&self.chain, &self.graph);
        while let Some(boundary) = next.take().filter(|boundary| seen.insert(*boundary)) {
            let Some(before) = self.line_before(boundary, is_own) else { break };
            let chain = self.graph.written_chain_to(before);
            next = first_boundary(&chain, &self.graph);
            chains.push(chain);
        }
        chains.reverse();
        // Once for all, because each time looks at every line.
        let whole: Vec<NodeId> = chains.iter().flatten().copied().collect();
        if whole.is_empty() {
            return;
        }
        let mut starts: HashSet<NodeId> =
            chains.iter().filter_map(|chain| chain.first()).copied().collect();
        for id in self.graph.with_parallel(&whole) {
            if starts.remove(&id) {
                self.past.push(Vec::new());
            }
            if let Some(last) = self.past.last_mut() {
                last.push(id);
                self.states.entry(id).or_insert(State::Compacted);
            }
        }
    }

    /// The line a compaction came after: the one it names, else the last one
    /// written before it.
    fn line_before(&self, boundary: NodeId, is_own: &impl Fn(&Node<'_>) -> bool) -> Option<NodeId> {
        let named = self.graph.node(boundary).logical_parent.as_deref();
        let named = named.and_then(|uuid| self.graph.find(uuid)).filter(|id| *id != boundary);
        named.or_else(|| {
            let earlier = self.graph.ids().rev().filter(|id| *id < boundary);
            earlier.into_iter().find(|id| {
                let node = self.graph.node(*id);
                node.is_message() && is_own(node)
            })
        })
    }

    /// Messages on no chain: undone where they hang on something, lost where
    /// what they hang on is missing.
    fn mark_rest(&mut self, is_own: &impl Fn(&Node<'_>) -> bool) {
        let rest: Vec<NodeId> = self
            .graph
            .ids()
            .filter(|id| {
                let node = self.graph.node(*id);
                node.is_message() && is_own(node) && !self.states.contains_key(id)
            })
            .collect();
        if rest.is_empty() {
            return;
        }
        let limbs = Limbs::new(&self.graph, &rest, |id| self.states.contains_key(&id));
        // In the order their first messages stand in the file.
        let mut pieces: HashMap<usize, usize> = HashMap::new();
        let mut messages: Vec<(usize, Vec<NodeId>)> = Vec::new();
        for id in rest {
            let Some(limb) = limbs.of(id) else { continue };
            let piece = *pieces.entry(limb).or_insert_with(|| {
                messages.push((limb, Vec::new()));
                messages.len() - 1
            });
            messages[piece].1.push(id);
        }
        let mut places: HashMap<NodeId, (usize, usize)> = HashMap::new();
        for (number, chain) in self.generations().enumerate() {
            places.extend(chain.iter().enumerate().map(|(place, id)| (*id, (number, place))));
        }
        // Where the oldest generation itself begins at a hole, what stands before
        // it in the file is no branch: nobody went back behind it.
        let oldest = self.generations().next().and_then(|chain| chain.first()).copied();
        let hole = oldest.and_then(|first| {
            let above = self.graph.written_parent(first)?;
            self.graph.find(above).is_none().then(|| (first, above.to_string()))
        });
        for (limb, messages) in messages {
            let is_root =
                limbs.paths[limb].first().is_some_and(|top| self.graph.parent(*top).is_none());
            let before_hole = hole.as_ref().filter(|(first, _)| {
                is_root && messages.first().is_some_and(|message| message < first)
            });
            let missing = limbs.missing(&self.graph, limb).map(str::to_owned);
            if let Some(missing) = missing.or(before_hole.map(|(_, above)| above.clone())) {
                self.states.extend(messages.iter().map(|id| (*id, State::Lost)));
                self.lost.push(LostSegment { missing, messages });
                continue;
            }
            self.states.extend(messages.iter().map(|id| (*id, State::Undone)));
            let from = limbs.paths[limb].first().and_then(|top| self.graph.parent(*top));
            let instead = match from.map(|from| (from, places.get(&from))) {
                None => self.generation(1).unwrap_or_default(),
                Some((_, Some((number, place)))) => {
                    self.generation(number + 1).map_or(&[][..], |chain| &chain[place + 1..])
                }
                Some((from, None)) => limbs.after(from),
            };
            let branch = Branch::new(&self.graph, instead, from, messages);
            self.branches.push(branch);
        }
        // Those a person would call branches come first; the rest are the
        // app's own second attempts.
        self.branches.sort_by_key(|branch| !branch.kind.is_real());
    }
}
