//! The messages that are not on the chain of the conversation, split into paths.
//!
//! An abandoned prompt can have other abandoned prompts below it. Each of them
//! starts a separate path, from the fork to its end. A path without a prompt
//! (parallel calls, retries by the app) belongs to the path above it. So does
//! everything below an orphaned segment, because that is shown as a whole.

use crate::branch::prompt_of;
use crate::graph::{Graph, NodeId};
use std::collections::HashMap;

/// The paths outside the conversation.
#[derive(Default)]
pub(crate) struct OffChain {
    /// The nodes of each path, from the top down.
    pub(crate) paths: Vec<Vec<NodeId>>,
    /// The path of each node, and its index there.
    places: HashMap<NodeId, (usize, usize)>,
    /// The path that each path is shown with.
    shown_with: Vec<usize>,
}

impl OffChain {
    /// Splits these messages, given in file order, and their ancestors into paths,
    /// up to the nodes that are already placed.
    pub(crate) fn new(
        graph: &Graph<'_>,
        messages: &[NodeId],
        is_placed: impl Fn(NodeId) -> bool,
    ) -> Self {
        let mut off_chain = OffChain::default();
        // The last message of a segment ends its longest path.
        for end in messages.iter().rev() {
            let number = off_chain.paths.len();
            let mut path = Vec::new();
            let mut next = Some(*end);
            while let Some(id) = next.filter(|id| !is_placed(*id) && off_chain.place(*id).is_none())
            {
                off_chain.places.insert(id, (number, 0));
                path.push(id);
                next = graph.parent(id);
            }
            if path.is_empty() {
                continue;
            }
            path.reverse();
            for (index, id) in path.iter().enumerate() {
                off_chain.places.insert(*id, (number, index));
            }
            let above = next.and_then(|id| off_chain.place(id)).map(|(above, _)| above);
            let above = above.filter(|above| *above != number);
            let with = above.map(|above| off_chain.shown_with[above]).filter(|with| {
                off_chain.missing(graph, *with).is_some()
                    || !path.iter().any(|id| prompt_of(graph, *id).is_some())
            });
            off_chain.shown_with.push(with.unwrap_or(number));
            off_chain.paths.push(path);
        }
        off_chain
    }

    /// The path that a message is shown with.
    pub(crate) fn of(&self, id: NodeId) -> Option<usize> {
        self.place(id).map(|(path, _)| self.shown_with[path])
    }

    /// The uuid of a path's parent, if that record is missing.
    pub(crate) fn missing<'g>(&self, graph: &'g Graph<'_>, path: usize) -> Option<&'g str> {
        let top = *self.paths[path].first()?;
        graph.node(top).parent.as_deref().filter(|_| graph.parent(top).is_none())
    }

    /// The rest of a path after one of its nodes.
    pub(crate) fn after(&self, id: NodeId) -> &[NodeId] {
        match self.place(id) {
            Some((path, index)) => &self.paths[path][index + 1..],
            None => &[],
        }
    }

    fn place(&self, id: NodeId) -> Option<(usize, usize)> {
        self.places.get(&id).copied()
    }
}
