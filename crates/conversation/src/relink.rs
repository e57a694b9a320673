//! What compactions kept whole, put back in its place.
//!
//! A compaction starts a new root. Messages it kept stand before it in the file
//! and are hung below their anchor; what followed the anchor goes below them.

use crate::graph::{Graph, NodeId};
use transcript::Str;

impl Graph<'_> {
    /// Relinks what each boundary preserved, in file order.
    pub(crate) fn relink_preserved(&mut self) {
        let boundaries: Vec<NodeId> =
            self.ids().filter(|id| self.node(*id).is_boundary()).collect();
        for boundary in boundaries {
            let Some(preserved) = self.node(boundary).preserved.clone() else { continue };
            if let Some((anchor, uuids)) = preserved.messages {
                if uuids.iter().all(|uuid| self.find(uuid).is_some()) {
                    self.chain_below(&anchor, &uuids);
                }
            } else if let Some((head, anchor, tail)) = preserved.segment {
                self.move_children(&anchor, &tail, std::slice::from_ref(&head));
                self.set_parent(&head, &anchor);
            }
        }
    }

    fn chain_below(&mut self, anchor: &str, uuids: &[Str<'_>]) {
        let Some(last) = uuids.last() else { return };
        self.move_children(anchor, last, uuids);
        let mut above = anchor;
        for uuid in uuids {
            self.set_parent(uuid, above);
            above = uuid;
        }
    }

    /// Hangs what follows `from` below `to`, but for `kept` themselves.
    fn move_children(&mut self, from: &str, to: &str, kept: &[Str<'_>]) {
        for node in &mut self.nodes {
            let follows = node.parent.as_deref() == Some(from);
            if follows && !kept.contains(&node.uuid) {
                node.parent = Some(Str::from(to.to_owned()));
            }
        }
    }

    fn set_parent(&mut self, uuid: &str, parent: &str) {
        if let Some(id) = self.find(uuid) {
            self.nodes[id.0].parent = Some(Str::from(parent.to_owned()));
        }
    }
}
