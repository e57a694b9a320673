//! Where what hangs at a conversation stands in it.

use conversation::{Conversation, NodeId};
use render::Chapter;
use std::collections::HashSet;

/// Where lines of the main chapter stand that have steps.
pub(super) struct Places<'a> {
    said: &'a Conversation<'a>,
    chain: &'a [NodeId],
    shown: HashSet<NodeId>,
}

impl<'a> Places<'a> {
    pub(super) fn new(said: &'a Conversation<'a>, chain: &'a [NodeId], main: &Chapter<'_>) -> Self {
        let steps = main.turns.iter().flat_map(|turn| &turn.steps);
        Places { said, chain, shown: steps.map(|step| step.node).collect() }
    }

    fn next(&self, from: usize) -> Option<NodeId> {
        self.chain.get(from..)?.iter().copied().find(|id| self.shown.contains(id))
    }

    /// The line that is told next after one.
    pub(super) fn after(&self, line: Option<NodeId>) -> Option<NodeId> {
        match line {
            None => self.next(0),
            Some(line) => self.next(self.chain.iter().position(|id| *id == line)? + 1),
        }
    }

    /// The line that is told next after one in the file.
    pub(super) fn below(&self, line: Option<NodeId>) -> Option<NodeId> {
        let number = |id: NodeId| self.said.graph.node(id).line;
        let line = number(line?);
        self.next(self.chain.iter().position(|id| number(*id) > line)?)
    }
}
