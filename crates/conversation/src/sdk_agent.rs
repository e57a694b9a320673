//! The messages of a sub-agent's transcript, as the official reader returns
//! them.
//!
//! A plain walk up from the last message: nothing is relinked, recovered or
//! hidden. System and progress lines are ignored, so a line whose parent is one
//! of them has no parent.

use crate::graph::{Graph, NodeId};
use crate::node::Node;
use crate::sdk::{self, Message};
use std::collections::{HashMap, HashSet};
use transcript::RecordKind;

/// The messages, in order, and their chain.
pub(crate) fn messages(graph: &Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    let counts = |node: &Node<'_>| node.is_message() || node.kind == RecordKind::Attachment;
    let counting = || graph.all_ids().filter(|id| counts(graph.node(*id)));
    let by_uuid: HashMap<&str, NodeId> = counting().map(|id| (&*graph.node(id).uuid, id)).collect();
    let mut chain = Vec::new();
    let mut seen = HashSet::new();
    // The last message counts even if another line has replaced it.
    let mut next = graph.all_ids().rev().find(|id| graph.node(*id).is_message());
    while let Some(id) = next.filter(|id| seen.insert(&*graph.node(*id).uuid)) {
        chain.push(id);
        let parent = graph.node(id).parent.as_deref();
        next = parent.and_then(|parent| by_uuid.get(parent)).copied();
    }
    chain.reverse();
    (sdk::messages_on_chain(graph, &chain, &sdk::consumed_commands(graph, &chain)), chain)
}
