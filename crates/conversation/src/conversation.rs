//! The conversation of a session, with a state for every message: live, on an
//! abandoned branch, orphaned, or compacted.

use crate::branch::Branch;
use crate::graph::{Graph, NodeId};
use crate::node::Node;
use crate::off_chain::OffChain;
use crate::orphaned_segment::{GapPlace, OrphanedSegment};
use crate::sdk::{self, Message};
use crate::turn_number::TurnNumbers;
use crate::{app, sdk_agent};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// The rules by which the conversation is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The app's rules: the conversation that a person sees on resuming.
    App,
    /// The rules of the official reader.
    Sdk,
}

impl View {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            View::App => "app",
            View::Sdk => "sdk",
        }
    }
}

/// Where a message is, relative to the current conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageState {
    /// In the current conversation.
    Live,
    /// On an abandoned branch.
    Abandoned,
    /// In a segment whose parent record is missing.
    Orphaned,
    /// Before a compaction.
    Compacted,
}

impl MessageState {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            MessageState::Live => "live",
            MessageState::Abandoned => "abandoned",
            MessageState::Orphaned => "orphaned",
            MessageState::Compacted => "compacted",
        }
    }
}

/// A session's conversation, and an account of all other messages.
#[derive(Clone, Debug)]
pub struct Conversation<'a> {
    /// The lines of the transcript.
    pub graph: Graph<'a>,
    /// The current conversation, by the rules of the view.
    pub messages: Vec<Message>,
    /// The lines of the current conversation: messages, and the app's own records
    /// between them.
    pub chain: Vec<NodeId>,
    /// The lines before each compaction, oldest first. The current generation is
    /// `chain`.
    pub past_generations: Vec<Vec<NodeId>>,
    /// The abandoned branches.
    pub branches: Vec<Branch>,
    /// The segments that a gap separates from the conversation.
    pub orphaned_segments: Vec<OrphanedSegment>,
    /// The compactions, in file order: boundaries, and the summaries of old
    /// compactions, which have none.
    pub compactions: Vec<NodeId>,
    /// Whether it is a sub-agent's conversation.
    pub is_agent: bool,
    states: HashMap<NodeId, MessageState>,
    /// Counted on first use.
    pub(crate) turn_numbers: OnceLock<TurnNumbers>,
}

impl<'a> Conversation<'a> {
    /// Finds the conversation in a whole transcript.
    pub fn read(bytes: &'a [u8], view: View) -> Self {
        let mut graph = Graph::read(bytes, view, false);
        let (messages, chain) = match view {
            View::App => app::messages(&mut graph),
            View::Sdk => sdk::messages(&mut graph),
        };
        Conversation::new(graph, messages, chain, |node| !node.is_sidechain && !node.is_team)
    }

    /// Finds the conversation in a sub-agent's transcript. The official reader
    /// takes only the ancestors of the last message; the app also adds the calls
    /// that ran in parallel.
    pub fn read_agent(bytes: &'a [u8], view: View) -> Self {
        let mut graph = Graph::read(bytes, view, true);
        let (messages, chain) = match view {
            View::App => app::agent_messages(&mut graph),
            View::Sdk => sdk_agent::messages(&graph),
        };
        Conversation { is_agent: true, ..Conversation::new(graph, messages, chain, |_| true) }
    }

    /// `is_own` distinguishes the lines of this conversation from those of agents
    /// written into the same file.
    fn new(
        graph: Graph<'a>,
        messages: Vec<Message>,
        chain: Vec<NodeId>,
        is_own: impl Fn(&Node<'_>) -> bool,
    ) -> Self {
        let mut conversation = Conversation {
            compactions: graph.compactions(&is_own),
            graph,
            messages,
            chain,
            past_generations: Vec::new(),
            branches: Vec::new(),
            orphaned_segments: Vec::new(),
            is_agent: false,
            states: HashMap::new(),
            turn_numbers: OnceLock::new(),
        };
        conversation.states.extend(conversation.chain.iter().map(|id| (*id, MessageState::Live)));
        conversation.find_past(&is_own);
        conversation.mark_rest(&is_own);
        conversation
    }

    /// The state of a message; `None` for lines that are not messages, and for
    /// those of sub-agents.
    pub fn state(&self, id: NodeId) -> Option<MessageState> {
        self.states.get(&id).copied()
    }

    /// The lines of a generation, from 1: the span between two compactions. The
    /// last generation is the current conversation.
    pub fn generation(&self, number: usize) -> Option<&[NodeId]> {
        let index = number.checked_sub(1)?;
        match self.past_generations.get(index) {
            Some(chain) => Some(chain),
            None => (index == self.past_generations.len()).then_some(&*self.chain),
        }
    }

    /// The lines that the conversation would have if it had continued on a branch.
    pub fn chain_of_branch(&self, branch: &Branch) -> Vec<NodeId> {
        let leaf = branch.messages.last().copied();
        leaf.map(|leaf| self.graph.with_parallel(&self.graph.chain_to(leaf))).unwrap_or_default()
    }

    /// The sub-agents written into the main transcript, each with its id and its
    /// lines, in file order.
    pub fn inline_agents(&self) -> Vec<(String, Vec<NodeId>)> {
        let mut agents: Vec<(String, Vec<NodeId>)> = Vec::new();
        let mut agent_of: HashMap<NodeId, usize> = HashMap::new();
        for id in self.graph.ids() {
            let node = self.graph.node(id);
            if !node.is_sidechain {
                continue;
            }
            let parent = self.graph.written_parent(id).and_then(|uuid| self.graph.find(uuid));
            let number = parent.and_then(|parent| agent_of.get(&parent)).copied();
            let number = number.unwrap_or_else(|| {
                let name = node.agent_id.as_deref().unwrap_or(&node.uuid);
                agents.push((name.to_owned(), Vec::new()));
                agents.len() - 1
            });
            agent_of.insert(id, number);
            agents[number].1.push(id);
        }
        agents
    }

    /// The lines of each generation, oldest first. A line that a compaction
    /// preserved is in both.
    pub fn generations(&self) -> impl Iterator<Item = &[NodeId]> {
        self.past_generations.iter().chain([&self.chain]).map(Vec::as_slice)
    }

    /// Walks back over the compactions: before each are the lines it compacted.
    fn find_past(&mut self, is_own: &impl Fn(&Node<'_>) -> bool) {
        // Chains, newest first.
        let mut chains: Vec<Vec<NodeId>> = Vec::new();
        let mut seen = HashSet::new();
        let mut next = self.graph.compaction_on(&self.chain);
        while let Some(compaction) = next.take().filter(|compaction| seen.insert(*compaction)) {
            let Some(before) = self.line_before(compaction, is_own) else { break };
            let chain = self.graph.written_chain_to(before);
            // Children can be written before their parents.
            if self.graph.is_old_compaction(compaction) && chain.contains(&compaction) {
                break;
            }
            next = self.graph.compaction_on(&chain);
            chains.push(chain);
        }
        chains.reverse();
        // One call for all chains, because each call scans every line.
        let whole: Vec<NodeId> = chains.iter().flatten().copied().collect();
        if whole.is_empty() {
            return;
        }
        let mut starts: HashSet<NodeId> =
            chains.iter().filter_map(|chain| chain.first()).copied().collect();
        for id in self.graph.with_parallel(&whole) {
            if starts.remove(&id) {
                self.past_generations.push(Vec::new());
            }
            if let Some(last) = self.past_generations.last_mut() {
                last.push(id);
                self.states.entry(id).or_insert(MessageState::Compacted);
            }
        }
    }

    /// The line before a compaction: the one it names, else the last one written
    /// before it.
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

    /// Classifies the messages on no chain: abandoned if their parent exists,
    /// orphaned if it is missing.
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
        let off_chain = OffChain::new(&self.graph, &rest, |id| self.states.contains_key(&id));
        // In the file order of their first messages.
        let mut pieces: HashMap<usize, usize> = HashMap::new();
        let mut messages: Vec<(usize, Vec<NodeId>)> = Vec::new();
        for id in rest {
            let Some(path) = off_chain.of(id) else { continue };
            let piece = *pieces.entry(path).or_insert_with(|| {
                messages.push((path, Vec::new()));
                messages.len() - 1
            });
            messages[piece].1.push(id);
        }
        let mut places: HashMap<NodeId, (usize, usize)> = HashMap::new();
        for (number, chain) in self.generations().enumerate() {
            places.extend(chain.iter().enumerate().map(|(place, id)| (*id, (number, place))));
        }
        // If the parent of the oldest generation is itself missing, the messages
        // before it in the file are not a branch: nobody rewound past it.
        let oldest = self.generations().next().and_then(|chain| chain.first()).copied();
        let gap = oldest.and_then(|first| {
            let above = self.graph.written_parent(first)?;
            self.graph.find(above).is_none().then(|| (first, above.to_string()))
        });
        for (path, messages) in messages {
            let is_root =
                off_chain.paths[path].first().is_some_and(|top| self.graph.parent(*top).is_none());
            let before_gap = gap.as_ref().filter(|(first, _)| {
                is_root && messages.first().is_some_and(|message| message < first)
            });
            let above = off_chain.missing(&self.graph, path).map(str::to_owned);
            let gap = above.map(|missing| (GapPlace::Before, missing));
            let gap = gap.or(before_gap.map(|(_, missing)| (GapPlace::After, missing.clone())));
            if let Some((place, missing)) = gap {
                self.states.extend(messages.iter().map(|id| (*id, MessageState::Orphaned)));
                let lines = &off_chain.paths[path];
                self.orphaned_segments.push(OrphanedSegment::new(
                    &self.graph,
                    place,
                    missing,
                    messages,
                    lines,
                ));
                continue;
            }
            self.states.extend(messages.iter().map(|id| (*id, MessageState::Abandoned)));
            let from = off_chain.paths[path].first().and_then(|top| self.graph.parent(*top));
            let instead = match from.map(|from| (from, places.get(&from))) {
                None => self.generation(1).unwrap_or_default(),
                Some((_, Some((number, place)))) => {
                    self.generation(number + 1).map_or(&[][..], |chain| &chain[place + 1..])
                }
                Some((from, None)) => off_chain.after(from),
            };
            let branch = Branch::new(&self.graph, instead, from, messages);
            self.branches.push(branch);
        }
        // Branches that a person would look for come first.
        self.branches.sort_by_key(Branch::is_minor);
    }
}
