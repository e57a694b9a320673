//! From a leaf to the root.

use crate::graph::{Graph, NodeId};
use std::collections::HashSet;

impl Graph<'_> {
    /// The line from the root to a leaf. A missing parent or a cycle ends it.
    pub(crate) fn chain_to(&self, leaf: NodeId) -> Vec<NodeId> {
        let mut chain = Vec::new();
        let mut seen = HashSet::new();
        let mut next = Some(leaf);
        while let Some(id) = next.filter(|id| seen.insert(*id)) {
            chain.push(id);
            next = self.parent(id);
        }
        chain.reverse();
        chain
    }
}
