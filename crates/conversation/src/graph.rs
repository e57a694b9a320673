//! The lines of a transcript that form its conversation, and how they hang
//! together.
//!
//! A node keeps what the rules look at and where its line stands; what the line
//! says is read again when it is shown, so that a long session costs little.

use crate::account::View;
use crate::cut;
use crate::node::Node;
use crate::recover::Parallel;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;
use transcript::{Body, Entry, LastPrompt, Line, LineEnd, Str, parse_line};

/// The number of a node in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) usize);

impl NodeId {
    /// Its place among the nodes, in file order.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The lines of a transcript that form its conversation.
#[derive(Clone, Debug, Default)]
pub struct Graph<'a> {
    /// The nodes, in file order.
    pub(crate) nodes: Vec<Node<'a>>,
    pub(crate) by_uuid: HashMap<Str<'a>, NodeId>,
    /// Those whose uuid a later line has.
    replaced: HashSet<NodeId>,
    /// Where the conversation stood, newest last: with the number of nodes that
    /// stand before.
    pub(crate) checkpoints: Vec<(usize, LastPrompt<'a>)>,
    /// How many nodes stand before the line with which the official reader
    /// begins, where it does not read all.
    pub(crate) begins: usize,
    /// What the lines that were relinked say that they follow.
    pub(crate) written: HashMap<NodeId, Option<Str<'a>>>,
    /// Whether objects that share a line count.
    takes_glued: bool,
    /// Sessions that lines were copied from, with how many.
    pub forked_from: BTreeMap<String, u64>,
    /// Built when first asked for, after the last relinking.
    pub(crate) parallel: OnceLock<Parallel>,
}

impl<'a> Graph<'a> {
    /// Reads the lines of a whole transcript.
    pub fn read(bytes: &'a [u8], view: View) -> Self {
        let mut graph = Graph { takes_glued: view == View::App, ..Graph::default() };
        let is_large = cut::is_large(bytes);
        for line in transcript::lines(bytes) {
            if is_large && cut::begins_with(line) {
                graph.begins = graph.nodes.len();
            }
            graph.add_line(line);
        }
        graph
    }

    fn add_line(&mut self, line: Line<'a>) {
        // What a crash left before an object (NUL bytes, mostly) is no harm.
        let junk = line.bytes.iter().take_while(|byte| **byte <= b' ').count();
        let bytes = &line.bytes[junk..];
        if !bytes.starts_with(b"{") {
            return;
        }
        let line = Line { bytes, offset: line.offset + junk as u64, ..line };
        let mut entries = parse_line(line);
        let (Some(entry), second) = (entries.next(), entries.next()) else { return };
        if let Some(second) = second {
            // To the official reader a line with two objects is none. The app
            // did write both, and what was said must be found.
            if self.takes_glued {
                let all = [entry, second].into_iter().chain(entries);
                all.filter(|entry| entry.record.raw.starts_with(b"{"))
                    .for_each(|entry| self.add_entry(entry));
            }
            return;
        }
        if line.end == LineEnd::EndOfInput && !entry.provisional {
            return;
        }
        self.add_entry(entry);
    }

    fn add_entry(&mut self, entry: Entry<'a>) {
        if let Body::LastPrompt(last) = entry.record.body {
            self.checkpoints.push((self.nodes.len(), last));
            return;
        }
        if let Some(origin) = entry.record.envelope.forked_from.as_ref()
            && let Some(session) = &origin.session_id
        {
            *self.forked_from.entry(session.to_string()).or_default() += 1;
        }
        let Some(mut node) = Node::new(entry) else { return };
        let id = NodeId(self.nodes.len());
        // An empty text names no line, though compactions can move it.
        if let Some(parent) = node.parent.take_if(|parent| parent.is_empty()) {
            node.has_parent = false;
            self.written.insert(id, Some(parent));
        }
        // A later line of the same uuid takes the earlier one's place.
        self.replaced.extend(self.by_uuid.insert(node.uuid.clone(), id));
        self.nodes.push(node);
    }

    /// Drops what the official reader does not read.
    pub(crate) fn drop_unread(&mut self) {
        if self.begins == 0 {
            return;
        }
        self.nodes.drain(..self.begins);
        let begins = std::mem::take(&mut self.begins);
        let moved = |id: NodeId| id.0.checked_sub(begins).map(NodeId);
        // A line is never replaced by an earlier one, so that what is left
        // replaces what it did.
        self.by_uuid.retain(|_, id| moved(*id).map(|moved| *id = moved).is_some());
        self.replaced = self.replaced.iter().filter_map(|id| moved(*id)).collect();
        let written = std::mem::take(&mut self.written).into_iter();
        self.written = written.filter_map(|(id, parent)| Some((moved(id)?, parent))).collect();
    }

    /// The nodes in file order, those replaced by a later line left out.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> {
        self.all_ids().filter(|id| self.is_current(*id))
    }

    /// The nodes in the order in which their uuids first occur. A line that
    /// replaces an earlier one stands in its place here.
    pub(crate) fn in_first_order(&self) -> Vec<NodeId> {
        if self.replaced.is_empty() {
            return self.all_ids().collect();
        }
        let mut seen = HashSet::new();
        let firsts = self.nodes.iter().filter(|node| seen.insert(&node.uuid));
        firsts.filter_map(|node| self.find(&node.uuid)).collect()
    }

    /// All nodes in file order.
    pub(crate) fn all_ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// Whether no later line has the same uuid.
    pub fn is_current(&self, id: NodeId) -> bool {
        self.replaced.is_empty() || !self.replaced.contains(&id)
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.0]
    }

    /// The node of a uuid.
    pub fn find(&self, uuid: &str) -> Option<NodeId> {
        self.by_uuid.get(&Str::from(uuid)).copied()
    }

    /// The node a node follows, if it is there.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.find(self.nodes[id.0].parent.as_deref()?)
    }

    /// The uuid a node follows by what its line says, relinked or not.
    pub fn written_parent(&self, id: NodeId) -> Option<&Str<'a>> {
        self.written.get(&id).unwrap_or(&self.nodes[id.0].parent).as_ref()
    }
}
