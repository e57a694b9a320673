//! What compactions kept whole, put back in its place.
//!
//! A compaction starts a new root. Messages it kept stand before it in the file
//! and are hung below their anchor; what followed the anchor goes below them.
//! Lines that follow the same one move together, as one group, so that many
//! compactions of a long session do not add up.

use crate::graph::{Graph, NodeId};
use crate::node::Preserved;
use std::collections::HashMap;
use transcript::Str;

impl<'a> Graph<'a> {
    /// Relinks what each boundary preserved, in order.
    pub(crate) fn relink_preserved(&mut self) {
        let boundaries: Vec<Preserved<'a>> = self
            .in_first_order()
            .into_iter()
            .map(|id| self.node(id))
            .filter(|node| node.is_boundary())
            .filter_map(|node| node.preserved.clone())
            .collect();
        if boundaries.is_empty() {
            return;
        }
        let mut siblings = Siblings::new(self);
        for preserved in boundaries {
            match preserved {
                Preserved::Messages { anchor, uuids } => {
                    let kept: Option<Vec<NodeId>> =
                        uuids.iter().map(|uuid| self.find(uuid)).collect();
                    siblings.chain_below(anchor, &uuids, &kept.unwrap_or_default());
                }
                Preserved::Segment { head, anchor, tail } => {
                    let head = head.and_then(|head| self.find(&head));
                    if let Some(head) = head {
                        siblings.hang(head, anchor.clone());
                    }
                    siblings.move_others(anchor, tail, head);
                }
            }
        }
        for (id, parent) in siblings.changed(self) {
            let node = &mut self.nodes[id.index()];
            node.has_parent = parent.is_some();
            let written = std::mem::replace(&mut node.parent, parent);
            self.written.entry(id).or_insert(written);
        }
    }
}

/// Lines in groups of those that follow the same line. Groups are joined as
/// sets are in a union-find.
struct Siblings<'a> {
    /// The group of each line; `None` for roots and replaced lines.
    group_of: Vec<Option<usize>>,
    /// The group that took a group in, or itself.
    joined: Vec<usize>,
    /// How many groups are in it.
    sizes: Vec<usize>,
    /// What the lines of a group follow; `None` if that is nowhere.
    parents: Vec<Option<Str<'a>>>,
    /// The group that follows a line.
    below: HashMap<Str<'a>, usize>,
}

impl<'a> Siblings<'a> {
    fn new(graph: &Graph<'a>) -> Self {
        let mut siblings = Siblings {
            group_of: vec![None; graph.nodes.len()],
            joined: Vec::new(),
            sizes: Vec::new(),
            parents: Vec::new(),
            below: HashMap::new(),
        };
        for id in graph.ids() {
            if let Some(parent) = graph.written_parent(id) {
                siblings.hang(id, Some(parent.clone()));
            }
        }
        siblings
    }

    /// Hangs lines below an anchor, one below the other, and what followed the
    /// anchor below the last.
    fn chain_below(&mut self, anchor: Option<Str<'a>>, uuids: &[Str<'a>], kept: &[NodeId]) {
        let mut above = anchor.clone();
        for (id, uuid) in kept.iter().zip(uuids) {
            self.hang(*id, above);
            above = Some(uuid.clone());
        }
        if let [first, ..] = kept {
            self.move_others(anchor, above, Some(*first));
        }
    }

    /// Hangs a line below another, or nowhere.
    fn hang(&mut self, id: NodeId, parent: Option<Str<'a>>) {
        let known = parent.as_ref().and_then(|parent| self.below.get(parent)).copied();
        let group = known.unwrap_or_else(|| {
            let group = self.joined.len();
            self.joined.push(group);
            self.sizes.push(1);
            self.parents.push(parent.clone());
            self.below.extend(parent.map(|parent| (parent, group)));
            group
        });
        self.group_of[id.index()] = Some(group);
    }

    /// Hangs what follows `from` below `to`, but for one line.
    fn move_others(&mut self, from: Option<Str<'a>>, to: Option<Str<'a>>, but: Option<NodeId>) {
        let Some(from) = from.filter(|from| Some(from) != to.as_ref()) else { return };
        let Some(group) = self.below.remove(&from) else { return };
        let group = self.whole(group);
        let stays = but.filter(|id| {
            let own = self.group_of[id.index()];
            own.is_some_and(|own| self.whole(own) == group)
        });
        let other = to.as_ref().and_then(|to| self.below.get(to)).copied();
        let joined = other.map_or(group, |other| self.join(group, other));
        self.parents[joined].clone_from(&to);
        self.below.extend(to.map(|to| (to, joined)));
        if let Some(id) = stays {
            self.hang(id, Some(from));
        }
    }

    fn whole(&mut self, group: usize) -> usize {
        let mut group = group;
        while self.joined[group] != group {
            self.joined[group] = self.joined[self.joined[group]];
            group = self.joined[group];
        }
        group
    }

    fn join(&mut self, one: usize, two: usize) -> usize {
        let (one, two) = (self.whole(one), self.whole(two));
        if one == two {
            return one;
        }
        let (small, large) =
            if self.sizes[one] < self.sizes[two] { (one, two) } else { (two, one) };
        self.joined[small] = large;
        self.sizes[large] += self.sizes[small];
        large
    }

    /// The lines that follow another line than before, and which.
    fn changed(mut self, graph: &Graph<'a>) -> Vec<(NodeId, Option<Str<'a>>)> {
        let mut changed = Vec::new();
        for id in graph.ids() {
            let group = self.group_of[id.index()].map(|group| self.whole(group));
            let parent = group.and_then(|group| self.parents[group].clone());
            let parent = parent.filter(|parent| !parent.is_empty());
            if parent != graph.node(id).parent {
                changed.push((id, parent));
            }
        }
        changed
    }
}
