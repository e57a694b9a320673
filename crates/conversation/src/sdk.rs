//! The official reader's view: what the TypeScript SDK's `getSessionMessages`
//! returns, line by line.

use crate::graph::{Graph, NodeId};
use crate::node::Node;
use std::collections::{HashMap, HashSet};
use transcript::RecordKind;

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

/// The messages of a session, in order, and the chain they stand on.
pub(crate) fn messages(graph: &mut Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    graph.drop_unread();
    graph.relink_preserved();
    by_shape(graph)
}

/// The messages of a relinked graph and their chain, by its shape alone.
pub(crate) fn by_shape(graph: &Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    let Some((last, leaf)) = last_message(graph) else { return (Vec::new(), Vec::new()) };
    let mut chain = graph.with_parallel(&graph.chain_to(last));
    let waiting = graph.waiting_commands(last, &chain);
    let messages = shown(graph, &chain, &waiting);
    // What the app noted after the last message belongs to it.
    let to_leaf = graph.chain_to(leaf);
    let after = to_leaf.iter().rposition(|id| *id == last).map_or(&[][..], |at| &to_leaf[at + 1..]);
    let noted: Vec<NodeId> = after.iter().copied().filter(|id| !waiting.contains(id)).collect();
    chain.extend(noted);
    chain.extend(waiting);
    (messages, chain)
}

/// What of a chain is shown, and of the commands that wait at its end: queued
/// commands as messages, and no lines of the app, of agents or of teams.
pub(crate) fn shown(graph: &Graph<'_>, chain: &[NodeId], waiting: &[NodeId]) -> Vec<Message> {
    let mut commands = taken_in(graph, chain);
    commands.extend(waiting);
    commands.retain(|id| !graph.node(*id).is_meta_command);
    let mut messages = said(graph, &[chain, waiting].concat(), &commands);
    messages.retain(|message| {
        let node = graph.node(message.node);
        if message.is_queued { node.is_main() } else { !node.is_hidden() }
    });
    messages
}

/// The messages of a chain, some of its queued commands among them.
pub(crate) fn said(graph: &Graph<'_>, chain: &[NodeId], commands: &[NodeId]) -> Vec<Message> {
    let commands: HashSet<NodeId> = commands.iter().copied().collect();
    let uuids: HashSet<&str> = chain.iter().map(|id| &*graph.node(*id).uuid).collect();
    let mut sources = HashSet::new();
    let mut messages = Vec::new();
    for id in chain {
        let node = graph.node(*id);
        if node.is_message() {
            let uuid = node.uuid.to_string();
            messages.push(Message { node: *id, uuid, is_queued: false });
        } else if node.is_sayable && commands.contains(id) {
            // One that became a message of its own is said by that.
            let source = node.source_uuid.as_deref();
            let other = source.filter(|source| *source != &*node.uuid);
            let is_said = other.is_some_and(|source| uuids.contains(source));
            if !is_said && source.is_none_or(|source| sources.insert(source)) {
                let uuid = source.unwrap_or(&node.uuid).to_owned();
                messages.push(Message { node: *id, uuid, is_queued: true });
            }
        }
    }
    messages
}

/// The queued commands of a chain that the model took in: what is said next is
/// its answer or a tool's, or says that it was stopped. What the app itself
/// said is passed over.
pub(crate) fn taken_in(graph: &Graph<'_>, chain: &[NodeId]) -> Vec<NodeId> {
    let mut taken_in = Vec::new();
    let mut is_answered = false;
    for id in chain.iter().rev() {
        let node = graph.node(*id);
        if node.kind == RecordKind::Assistant || node.is_result || node.is_interruption {
            is_answered = true;
        } else if node.kind == RecordKind::User && !node.is_meta && !node.is_compact_summary {
            is_answered = false;
        } else if node.is_queued_command() && is_answered {
            taken_in.push(*id);
        }
    }
    taken_in
}

/// The last message, and the line that leads to it: the one that a walk up meets first from the last line, of
/// those nothing follows, from which it meets one at all.
fn last_message(graph: &Graph<'_>) -> Option<(NodeId, NodeId)> {
    let eligible = |node: &Node<'_>| {
        let briefing =
            node.kind == RecordKind::Attachment && node.subtype.as_deref() == Some("fork_briefing");
        node.is_main() && node.kind != RecordKind::Progress && !briefing
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
    let mut nearest = Nearest::new(graph);
    let main = graph
        .ids()
        .rev()
        .filter(|id| eligible(graph.node(*id)) && !followed.contains(id))
        .find_map(|id| Some((nearest.message(id)?, id)));
    main.or_else(|| {
        // Lines of any kind then, and the last of the messages above them.
        let terminal = graph.ids().filter(|id| !followed_by_any.contains(id));
        let messages = terminal.filter_map(|id| Some((nearest.message(id)?, id)));
        messages.max_by_key(|(message, _)| {
            let node = graph.node(*message);
            (node.is_main() && !node.is_meta, *message)
        })
    })
}

/// The nearest messages above lines, remembered so that many walks over one
/// long chain do not add up.
struct Nearest<'g, 'a> {
    graph: &'g Graph<'a>,
    known: HashMap<NodeId, Option<NodeId>>,
}

impl<'g, 'a> Nearest<'g, 'a> {
    fn new(graph: &'g Graph<'a>) -> Self {
        Nearest { graph, known: HashMap::new() }
    }

    /// The line itself, if it is a message, or the nearest above it.
    fn message(&mut self, id: NodeId) -> Option<NodeId> {
        let mut path = Vec::new();
        let mut next = Some(id);
        let found = loop {
            let Some(id) = next else { break None };
            if self.graph.node(id).is_message() {
                break Some(id);
            }
            if let Some(known) = self.known.get(&id) {
                break *known;
            }
            // Nothing, unless the walk finds more; so a cycle ends it.
            self.known.insert(id, None);
            path.push(id);
            next = self.graph.parent(id);
        };
        self.known.extend(path.into_iter().map(|id| (id, found)));
        found
    }
}
