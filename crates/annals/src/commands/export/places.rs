//! Where what hangs at a conversation stands in it.

use conversation::{Conversation, NodeId};
use render::Chapter;
use std::collections::{HashMap, HashSet};

/// Where lines of the main chapter stand that have steps.
pub(super) struct Places<'a> {
    said: &'a Conversation<'a>,
    /// Where each line stands.
    places: HashMap<NodeId, usize>,
    /// The line that is told at each place, or next after it.
    next: Vec<Option<NodeId>>,
    /// The highest number that a line up to each place has in the file.
    highest: Vec<u64>,
}

impl<'a> Places<'a> {
    pub(super) fn new(said: &'a Conversation<'a>, chain: &[NodeId], main: &Chapter<'_>) -> Self {
        let steps = main.turns.iter().flat_map(|turn| &turn.steps);
        let shown: HashSet<NodeId> = steps.map(|step| step.node).collect();
        let mut next: Vec<Option<NodeId>> = chain
            .iter()
            .rev()
            .scan(None, |next, id| {
                *next = if shown.contains(id) { Some(*id) } else { *next };
                Some(*next)
            })
            .collect();
        next.reverse();
        let highest = chain.iter().scan(0, |highest, id| {
            *highest = said.graph.node(*id).line.max(*highest);
            Some(*highest)
        });
        Places {
            said,
            places: (0..).zip(chain).map(|(place, id)| (*id, place)).collect(),
            next,
            highest: highest.collect(),
        }
    }

    fn next(&self, from: usize) -> Option<NodeId> {
        self.next.get(from).copied().flatten()
    }

    /// The line that is told next after one.
    pub(super) fn after(&self, line: Option<NodeId>) -> Option<NodeId> {
        match line {
            None => self.next(0),
            Some(line) => self.next(self.places.get(&line)? + 1),
        }
    }

    /// The line that is told next after one in the file.
    pub(super) fn below(&self, line: Option<NodeId>) -> Option<NodeId> {
        let line = self.said.graph.node(line?).line;
        self.next(self.highest.partition_point(|highest| *highest <= line))
    }
}
