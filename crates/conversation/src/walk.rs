//! From a leaf to the root.

use crate::graph::{Graph, NodeId};
use std::collections::HashSet;

impl Graph<'_> {
    /// The line from the root to a leaf as the lines were written, whatever was
    /// relinked since; where what is written is missing, as they are linked.
    pub(crate) fn written_chain_to(&self, leaf: NodeId) -> Vec<NodeId> {
        let above = |id: NodeId| {
            let written = self.written_parent(id);
            written.and_then(|uuid| self.find(uuid)).or_else(|| self.parent(id))
        };
        walk(leaf, above)
    }

    /// The line from the root to a leaf. A missing parent or a cycle ends it.
    pub(crate) fn chain_to(&self, leaf: NodeId) -> Vec<NodeId> {
        walk(leaf, |id| self.parent(id))
    }
}

fn walk(leaf: NodeId, above: impl Fn(NodeId) -> Option<NodeId>) -> Vec<NodeId> {
    let mut chain = Vec::new();
    let mut seen = HashSet::new();
    let mut next = Some(leaf);
    while let Some(id) = next.filter(|id| seen.insert(*id)) {
        chain.push(id);
        next = above(id);
    }
    chain.reverse();
    chain
}
