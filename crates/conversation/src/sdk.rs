//! The official reader's view: what the TypeScript SDK's `getSessionMessages`
//! returns, line by line.

use crate::graph::{Graph, Node, NodeId};
use std::collections::HashSet;
use transcript::RecordKind;

/// Beyond this size the official reader drops what was compacted away.
const LARGE: u64 = 5 * 1024 * 1024;

/// Kinds of senders whose lines are shown although the app wrote them.
const SENDERS: [&str; 6] =
    ["channel", "observer", "observer-activity", "slack-ping", "voice-call", "peer"];

/// A message of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The node it comes from.
    pub node: NodeId,
    /// Its uuid, which for a queued command may be another than the node's.
    pub uuid: String,
    /// Whether it was typed while the model worked.
    pub is_queued: bool,
}

/// The messages of a sub-agent's transcript, in order: the last thing said, and
/// a plain walk up from it.
pub(crate) fn agent_messages(graph: &Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    let chain = agent_chain(graph);
    (said(graph, &chain), chain)
}

/// What the last thing said goes back to.
pub(crate) fn agent_chain(graph: &Graph<'_>) -> Vec<NodeId> {
    let leaf = graph.ids().rev().find(|id| graph.node(*id).is_message());
    leaf.map(|leaf| graph.chain_to(leaf)).unwrap_or_default()
}

/// Everything said on a chain, nothing filtered.
pub(crate) fn said(graph: &Graph<'_>, chain: &[NodeId]) -> Vec<Message> {
    let said = chain.iter().copied().filter(|id| graph.node(*id).is_message());
    said.map(|node| Message { node, uuid: graph.node(node).uuid.to_string(), is_queued: false })
        .collect()
}

/// The messages of a session, in order, and the chain they stand on.
pub(crate) fn messages(graph: &mut Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    if graph.size > LARGE {
        graph.drop_compacted();
    }
    graph.relink_preserved();
    let chain = chain(graph);
    (shown(graph, &chain), chain)
}

/// The chain of a relinked graph, by its shape alone.
pub(crate) fn chain(graph: &Graph<'_>) -> Vec<NodeId> {
    leaf(graph).map(|leaf| graph.with_parallel(&graph.chain_to(leaf))).unwrap_or_default()
}

/// What of a chain is shown: queued commands as messages, and no lines of the
/// app, of agents or of teams.
pub(crate) fn shown(graph: &Graph<'_>, chain: &[NodeId]) -> Vec<Message> {
    let said: HashSet<&str> = chain.iter().map(|id| &*graph.node(*id).uuid).collect();
    let mut messages = Vec::new();
    // Whether what is said next is no prompt: then the queued one was taken in.
    let mut answered = false;
    // Whether nothing but queued commands follows: those are still waiting.
    let mut waiting = true;
    for id in chain.iter().rev() {
        let node = graph.node(*id);
        waiting &= is_queued_command(node);
        if node.is_message() {
            answered = node.kind == RecordKind::Assistant || !node.answers.is_empty();
            if !is_hidden(node) {
                messages.push(Message { node: *id, uuid: node.uuid.to_string(), is_queued: false });
            }
        } else if is_queued_command(node)
            && (answered || waiting)
            && !node.is_sidechain
            && !node.is_team
        {
            // One that became a message of its own is said by that.
            let own = node.source_uuid.as_deref();
            if own.is_none_or(|uuid| !said.contains(uuid)) {
                let uuid = own.unwrap_or(&node.uuid).to_owned();
                messages.push(Message { node: *id, uuid, is_queued: true });
            }
        }
    }
    messages.reverse();
    messages
}

fn is_queued_command(node: &Node<'_>) -> bool {
    node.kind == RecordKind::Attachment && node.subtype.as_deref() == Some("queued_command")
}

fn is_hidden(node: &Node<'_>) -> bool {
    let by_sender = node.origin.as_deref().is_some_and(|origin| SENDERS.contains(&origin));
    (node.is_meta && !by_sender) || node.is_sidechain || node.is_team
}

/// The end of the conversation: the last line, of those nothing follows, from
/// which a walk up meets something said.
fn leaf(graph: &Graph<'_>) -> Option<NodeId> {
    let eligible = |node: &Node<'_>| {
        let briefing =
            node.kind == RecordKind::Attachment && node.subtype.as_deref() == Some("fork_briefing");
        !node.is_sidechain && !node.is_team && node.kind != RecordKind::Progress && !briefing
    };
    let mut followed = HashSet::new();
    let mut followed_by_any = HashSet::new();
    for id in graph.ids() {
        if let Some(parent) = graph.parent(id) {
            followed_by_any.insert(parent);
            if eligible(graph.node(id)) {
                followed.insert(parent);
            }
        }
    }
    let said = Said::new(graph);
    let main = graph
        .ids()
        .rev()
        .filter(|id| eligible(graph.node(*id)) && !followed.contains(id))
        .find(|id| said.reaches(graph, *id));
    main.or_else(|| {
        let terminal = || {
            graph.ids().rev().filter(|id| !followed_by_any.contains(id) && said.reaches(graph, *id))
        };
        let plain = |id: &NodeId| {
            let node = graph.node(*id);
            !node.is_sidechain && !node.is_team && !node.is_meta
        };
        terminal().find(plain).or_else(|| terminal().next())
    })
}

/// Whether walks up meet something said, remembered so that many walks over one
/// long chain do not add up.
struct Said(std::cell::RefCell<Vec<Option<bool>>>);

impl Said {
    fn new(graph: &Graph<'_>) -> Self {
        Said(std::cell::RefCell::new(vec![None; graph.nodes.len()]))
    }

    fn reaches(&self, graph: &Graph<'_>, id: NodeId) -> bool {
        let mut known = self.0.borrow_mut();
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let mut next = Some(id);
        let mut answer = false;
        while let Some(id) = next.filter(|id| seen.insert(*id)) {
            if graph.node(id).is_message() || known[id.index()] == Some(true) {
                answer = true;
                break;
            }
            if known[id.index()] == Some(false) {
                break;
            }
            path.push(id);
            next = graph.parent(id);
        }
        for id in path {
            known[id.index()] = Some(answer);
        }
        answer
    }
}

impl Graph<'_> {
    /// Drops everything before each boundary that preserved nothing.
    fn drop_compacted(&mut self) {
        let last =
            self.nodes.iter().rposition(|node| node.is_boundary() && node.preserved.is_none());
        let Some(last) = last else { return };
        self.nodes.drain(..last);
        self.by_uuid = self
            .nodes
            .iter()
            .enumerate()
            .map(|(number, node)| (node.uuid.clone(), NodeId(number)))
            .collect();
    }
}
