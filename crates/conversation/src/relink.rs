//! Puts the messages that compactions preserved back into the conversation.
//!
//! A compaction starts a new root. The messages it preserved come before it in the
//! file and are moved below their anchor; the former children of the anchor go
//! below them. Lines with the same parent move together, as one group, so that
//! many compactions of a long session take linear time.

use crate::graph::{Graph, NodeId};
use crate::node::Preserved;
use std::collections::HashMap;
use transcript::Str;

impl<'a> Graph<'a> {
    /// Relinks the lines that each boundary preserved, in order.
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
                    let preserved: Option<Vec<NodeId>> =
                        uuids.iter().map(|uuid| self.find(uuid)).collect();
                    siblings.chain_below(anchor, &uuids, &preserved.unwrap_or_default());
                }
                Preserved::Segment { head, anchor, tail } => {
                    let head = head.and_then(|head| self.find(&head));
                    if let Some(head) = head {
                        siblings.put_below(head, anchor.clone());
                    }
                    siblings.move_others(anchor, tail, head);
                }
            }
        }
        for (id, parent) in siblings.changed(self) {
            let node = &mut self.nodes[id.index()];
            node.has_parent = parent.is_some();
            let written = std::mem::replace(&mut node.parent, parent);
            self.written_parents.entry(id).or_insert(written);
        }
    }
}

/// Lines in groups that share a parent. Groups are joined as in a union-find.
struct Siblings<'a> {
    /// The group of each line; `None` for roots and replaced lines.
    group_of: Vec<Option<usize>>,
    /// The group that each group was joined to, or itself.
    joined: Vec<usize>,
    /// How many groups each group contains.
    sizes: Vec<usize>,
    /// The parent of each group; `None` for roots.
    parents: Vec<Option<Str<'a>>>,
    /// The group below each line.
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
                siblings.put_below(id, Some(parent.clone()));
            }
        }
        siblings
    }

    /// Puts lines below an anchor, one below the other, and the former children of
    /// the anchor below the last.
    fn chain_below(&mut self, anchor: Option<Str<'a>>, uuids: &[Str<'a>], lines: &[NodeId]) {
        let mut above = anchor.clone();
        for (id, uuid) in lines.iter().zip(uuids) {
            self.put_below(*id, above);
            above = Some(uuid.clone());
        }
        if let [first, ..] = lines {
            self.move_others(anchor, above, Some(*first));
        }
    }

    /// Puts a line below another, or makes it a root.
    fn put_below(&mut self, id: NodeId, parent: Option<Str<'a>>) {
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

    /// Moves the children of `from` below `to`, except for one line.
    fn move_others(&mut self, from: Option<Str<'a>>, to: Option<Str<'a>>, except: Option<NodeId>) {
        let Some(from) = from.filter(|from| Some(from) != to.as_ref()) else { return };
        let Some(group) = self.below.remove(&from) else { return };
        let group = self.joined_group(group);
        let stays = except.filter(|id| {
            let own = self.group_of[id.index()];
            own.is_some_and(|own| self.joined_group(own) == group)
        });
        let other = to.as_ref().and_then(|to| self.below.get(to)).copied();
        let joined = other.map_or(group, |other| self.join(group, other));
        self.parents[joined].clone_from(&to);
        self.below.extend(to.map(|to| (to, joined)));
        if let Some(id) = stays {
            self.put_below(id, Some(from));
        }
    }

    fn joined_group(&mut self, group: usize) -> usize {
        let mut group = group;
        while self.joined[group] != group {
            self.joined[group] = self.joined[self.joined[group]];
            group = self.joined[group];
        }
        group
    }

    fn join(&mut self, one: usize, two: usize) -> usize {
        let (one, two) = (self.joined_group(one), self.joined_group(two));
        if one == two {
            return one;
        }
        let (small, large) =
            if self.sizes[one] < self.sizes[two] { (one, two) } else { (two, one) };
        self.joined[small] = large;
        self.sizes[large] += self.sizes[small];
        large
    }

    /// The lines whose parent changed, with the new parent.
    fn changed(mut self, graph: &Graph<'a>) -> Vec<(NodeId, Option<Str<'a>>)> {
        let mut changed = Vec::new();
        for id in graph.ids() {
            let group = self.group_of[id.index()].map(|group| self.joined_group(group));
            let parent = group.and_then(|group| self.parents[group].clone());
            let parent = parent.filter(|parent| !parent.is_empty());
            if parent != graph.node(id).parent {
                changed.push((id, parent));
            }
        }
        changed
    }
}
