//! What hangs beside the conversation, taken apart into lines.
//!
//! Behind a prompt that was left behind there may be others: each is a line of
//! its own, from where it left to its end. Lines in which nobody spoke are calls
//! that ran in parallel and the app's second attempts, and stay with the line
//! they hang on; so does everything below a line that came loose, because that
//! is shown whole.

use crate::branch::prompt_of;
use crate::graph::{Graph, NodeId};
use std::collections::HashMap;

/// The lines beside the conversation.
#[derive(Default)]
pub(crate) struct Limbs {
    /// From the top down.
    pub(crate) paths: Vec<Vec<NodeId>>,
    /// The line each node is on, and where.
    places: HashMap<NodeId, (usize, usize)>,
    /// The line each line is told with.
    told_with: Vec<usize>,
}

impl Limbs {
    /// Takes apart what these messages, in file order, stand on, up to what has
    /// a place already.
    pub(crate) fn new(
        graph: &Graph<'_>,
        messages: &[NodeId],
        is_placed: impl Fn(NodeId) -> bool,
    ) -> Self {
        let mut limbs = Limbs::default();
        // The last message of a piece is the end of its longest line.
        for end in messages.iter().rev() {
            let number = limbs.paths.len();
            let mut path = Vec::new();
            let mut next = Some(*end);
            while let Some(id) = next.filter(|id| !is_placed(*id) && limbs.place(*id).is_none()) {
                limbs.places.insert(id, (number, 0));
                path.push(id);
                next = graph.parent(id);
            }
            if path.is_empty() {
                continue;
            }
            path.reverse();
            for (index, id) in path.iter().enumerate() {
                limbs.places.insert(*id, (number, index));
            }
            let above = next.and_then(|id| limbs.place(id)).map(|(above, _)| above);
            let above = above.filter(|above| *above != number);
            let with = above.map(|above| limbs.told_with[above]).filter(|with| {
                limbs.missing(graph, *with).is_some()
                    || !path.iter().any(|id| prompt_of(graph, *id).is_some())
            });
            limbs.told_with.push(with.unwrap_or(number));
            limbs.paths.push(path);
        }
        limbs
    }

    /// The line a message is told with.
    pub(crate) fn of(&self, id: NodeId) -> Option<usize> {
        self.place(id).map(|(limb, _)| self.told_with[limb])
    }

    /// What a line follows and nobody has.
    pub(crate) fn missing<'g>(&self, graph: &'g Graph<'_>, limb: usize) -> Option<&'g str> {
        let top = *self.paths[limb].first()?;
        graph.node(top).parent.as_deref().filter(|_| graph.parent(top).is_none())
    }

    /// How a line beside the conversation goes on after a node on it.
    pub(crate) fn after(&self, id: NodeId) -> &[NodeId] {
        match self.place(id) {
            Some((limb, index)) => &self.paths[limb][index + 1..],
            None => &[],
        }
    }

    fn place(&self, id: NodeId) -> Option<(usize, usize)> {
        self.places.get(&id).copied()
    }
}
