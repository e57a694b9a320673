//! Chains: the lines from the root to a leaf.

use crate::graph::{Graph, NodeId};
use std::collections::HashSet;

impl Graph<'_> {
    /// The chain from the root to a leaf by the parents as written, before any
    /// relinking; where a written parent is missing, by the current one.
    pub(crate) fn written_chain_to(&self, leaf: NodeId) -> Vec<NodeId> {
        let above = |id: NodeId| {
            let written = self.written_parent(id);
            written.and_then(|uuid| self.find(uuid)).or_else(|| self.parent(id))
        };
        walk(leaf, above)
    }

    /// The chain from the root to a leaf. A missing parent or a cycle ends it.
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
