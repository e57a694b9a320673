//! Queued commands that still wait: typed while the model was working, and below
//! the last message.
//!
//! The official reader looks for them by the parents as written as well as by the
//! relinked ones, including replaced lines; so does this module.

use crate::graph::{Graph, NodeId};
use crate::node::Node;
use std::collections::{HashMap, HashSet};

impl Graph<'_> {
    /// The queued commands below the last message of a chain that no message
    /// follows, in the order of a walk down: earlier branches first.
    pub(crate) fn waiting_commands(&self, last: NodeId, chain: &[NodeId]) -> Vec<NodeId> {
        if !self.nodes.iter().any(Node::is_queued_command) {
            return Vec::new();
        }
        let below = self.others_by_parent();
        let mut seen: HashSet<&str> = chain.iter().map(|id| &*self.node(*id).uuid).collect();
        let followed = self.followed_by_others(&seen);
        let mut waiting = Vec::new();
        let mut next = Vec::new();
        let mut here = Some(last);
        while let Some(id) = here {
            let lines = below.get(&*self.node(id).uuid).into_iter().flatten().copied();
            let mut lines: Vec<NodeId> =
                lines.filter(|line| !seen.contains(&*self.node(*line).uuid)).collect();
            lines.sort_by(|one, two| self.by_time(*one, *two));
            next.extend(lines.into_iter().rev());
            here = loop {
                let Some(id) = next.pop() else { break None };
                if seen.insert(&self.node(id).uuid) {
                    break Some(id);
                }
            };
            waiting.extend(here.filter(|id| {
                let node = self.node(*id);
                let is_followed = self.find(&node.uuid).is_some_and(|id| followed.contains(&id));
                node.is_queued_command() && !is_followed
            }));
        }
        waiting
    }

    /// The lines that are not messages, by their parents: both the written and the
    /// relinked one.
    fn others_by_parent(&self) -> HashMap<&str, Vec<NodeId>> {
        let mut below: HashMap<&str, Vec<NodeId>> = HashMap::new();
        for id in self.all_ids().filter(|id| !self.node(*id).is_message()) {
            let written = self.written_parent(id).map(|uuid| &**uuid);
            let current = self.find(&self.node(id).uuid).unwrap_or(id);
            let relinked = self.node(current).parent.as_deref();
            let other = relinked.filter(|parent| Some(*parent) != written);
            for parent in written.filter(|parent| !parent.is_empty()).into_iter().chain(other) {
                below.entry(parent).or_default().push(id);
            }
        }
        below
    }

    /// The ancestors, as written, of messages that are not on the chain, up to the
    /// chain.
    fn followed_by_others(&self, on_chain: &HashSet<&str>) -> HashSet<NodeId> {
        let mut followed = HashSet::new();
        let is_other = |id: &NodeId| !on_chain.contains(&*self.node(*id).uuid);
        for id in self.all_ids().filter(is_other) {
            if !self.node(id).is_message() || !self.node(id).is_main() {
                continue;
            }
            let above = |id| {
                let parent = self.written_parent(id).filter(|parent| !parent.is_empty());
                self.find(parent?).filter(is_other)
            };
            let mut next = above(id);
            while let Some(id) = next.filter(|id| followed.insert(*id)) {
                next = above(id);
            }
        }
        followed
    }
}
