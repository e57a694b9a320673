//! The messages of a sub-agent's transcript, as the official reader returns
//! them.
//!
//! A plain walk up from the last thing said: nothing is relinked, recovered or
//! hidden. System and progress lines do not count, so that a line which follows
//! one follows nothing.

use crate::graph::{Graph, NodeId};
use crate::node::Node;
use crate::sdk::{self, Message};
use std::collections::{HashMap, HashSet};
use transcript::RecordKind;

/// The messages, in order, and the chain they stand on.
pub(crate) fn messages(graph: &Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    let counts = |node: &Node<'_>| node.is_message() || node.kind == RecordKind::Attachment;
    let counting = || graph.all_ids().filter(|id| counts(graph.node(*id)));
    let by_uuid: HashMap<&str, NodeId> = counting().map(|id| (&*graph.node(id).uuid, id)).collect();
    let mut chain = Vec::new();
    let mut seen = HashSet::new();
    // The last thing said counts even if another line has taken its uuid.
    let mut next = graph.all_ids().rev().find(|id| graph.node(*id).is_message());
    while let Some(id) = next.filter(|id| seen.insert(&*graph.node(*id).uuid)) {
        chain.push(id);
        let parent = graph.node(id).parent.as_deref();
        next = parent.and_then(|parent| by_uuid.get(parent)).copied();
    }
    chain.reverse();
    (sdk::said(graph, &chain, &sdk::taken_in(graph, &chain)), chain)
}
