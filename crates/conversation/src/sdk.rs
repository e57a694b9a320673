//! The official reader's view: what the TypeScript SDK's `getSessionMessages`
//! returns, line by line.

use crate::graph::{Graph, NodeId};
use crate::node::Node;
use std::collections::{HashMap, HashSet};
use transcript::RecordKind;

/// A message in a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The node it comes from.
    pub node: NodeId,
    /// Its uuid; for a queued command, it can differ from the node's.
    pub uuid: String,
    /// Whether it was queued while the model was working.
    pub is_queued: bool,
}

/// The messages of a session, in order, and their chain.
pub(crate) fn messages(graph: &mut Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    graph.drop_unread();
    graph.relink_preserved();
    messages_by_structure(graph)
}

/// The messages of a relinked graph and their chain, by its structure alone.
pub(crate) fn messages_by_structure(graph: &Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    let Some((last, leaf)) = last_message(graph) else { return (Vec::new(), Vec::new()) };
    let mut chain = graph.with_parallel(&graph.chain_to(last));
    let waiting = graph.waiting_commands(last, &chain);
    let messages = shown_messages(graph, &chain, &waiting);
    // The app's own records after the last message belong to the chain.
    let to_leaf = graph.chain_to(leaf);
    let after = to_leaf.iter().rposition(|id| *id == last).map_or(&[][..], |at| &to_leaf[at + 1..]);
    let trailing: Vec<NodeId> = after.iter().copied().filter(|id| !waiting.contains(id)).collect();
    chain.extend(trailing);
    chain.extend(waiting);
    (messages, chain)
}

/// The messages of a chain that are shown, followed by the queued commands that
/// wait at its end. Lines of the app, of agents and of teams are left out.
pub(crate) fn shown_messages(
    graph: &Graph<'_>,
    chain: &[NodeId],
    waiting: &[NodeId],
) -> Vec<Message> {
    let mut commands = consumed_commands(graph, chain);
    commands.extend(waiting);
    commands.retain(|id| !graph.node(*id).is_meta_command);
    let mut messages = messages_on_chain(graph, &[chain, waiting].concat(), &commands);
    messages.retain(|message| {
        let node = graph.node(message.node);
        if message.is_queued { node.is_main() } else { !node.is_hidden() }
    });
    messages
}

/// The messages of a chain, including the given queued commands.
pub(crate) fn messages_on_chain(
    graph: &Graph<'_>,
    chain: &[NodeId],
    commands: &[NodeId],
) -> Vec<Message> {
    let commands: HashSet<NodeId> = commands.iter().copied().collect();
    let uuids: HashSet<&str> = chain.iter().map(|id| &*graph.node(*id).uuid).collect();
    let mut sources = HashSet::new();
    let mut messages = Vec::new();
    for id in chain {
        let node = graph.node(*id);
        if node.is_message() {
            let uuid = node.uuid.to_string();
            messages.push(Message { node: *id, uuid, is_queued: false });
        } else if node.has_prompt && commands.contains(id) {
            // A command that became a message is represented by that message.
            let source = node.source_uuid.as_deref();
            let other = source.filter(|source| *source != &*node.uuid);
            let is_duplicate = other.is_some_and(|source| uuids.contains(source));
            if !is_duplicate && source.is_none_or(|source| sources.insert(source)) {
                let uuid = source.unwrap_or(&node.uuid).to_owned();
                messages.push(Message { node: *id, uuid, is_queued: true });
            }
        }
    }
    messages
}

/// The queued commands of a chain that the model received: the next message is by
/// the model, a tool result, or an interruption. Messages by the app itself are
/// skipped.
pub(crate) fn consumed_commands(graph: &Graph<'_>, chain: &[NodeId]) -> Vec<NodeId> {
    let mut consumed_commands = Vec::new();
    let mut is_answered = false;
    for id in chain.iter().rev() {
        let node = graph.node(*id);
        if node.kind == RecordKind::Assistant || node.is_result || node.is_interruption {
            is_answered = true;
        } else if node.kind == RecordKind::User && !node.is_meta && !node.is_compact_summary {
            is_answered = false;
        } else if node.is_queued_command() && is_answered {
            consumed_commands.push(*id);
        }
    }
    consumed_commands
}

/// The last message and its leaf. A walk up from each leaf, last one first, looks
/// for the nearest message; the first leaf that has one decides.
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
        // Otherwise any leaf counts, and the last message above one is taken.
        let terminal = graph.ids().filter(|id| !followed_by_any.contains(id));
        let messages = terminal.filter_map(|id| Some((nearest.message(id)?, id)));
        messages.max_by_key(|(message, _)| {
            let node = graph.node(*message);
            (node.is_main() && !node.is_meta, *message)
        })
    })
}

/// The nearest message above each line, cached so that many walks over one long
/// chain take linear time.
struct Nearest<'g, 'a> {
    graph: &'g Graph<'a>,
    known: HashMap<NodeId, Option<NodeId>>,
}

impl<'g, 'a> Nearest<'g, 'a> {
    fn new(graph: &'g Graph<'a>) -> Self {
        Nearest { graph, known: HashMap::new() }
    }

    /// The line itself if it is a message, else the nearest message above it.
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
            // Until the walk finds a message, the answer is none; so a cycle ends it.
            self.known.insert(id, None);
            path.push(id);
            next = self.graph.parent(id);
        };
        self.known.extend(path.into_iter().map(|id| (id, found)));
        found
    }
}
