//! The lines of a transcript that belong to its conversation, linked as a graph.
//!
//! A node holds the fields that the rules need and the location of its line. The
//! content is parsed again when it is shown, so that a long session takes little
//! memory.

use crate::conversation::View;
use crate::damaged_lines::DamagedLine;
use crate::node::Node;
use crate::parallel_calls::Parallel;
use crate::sdk_start;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;
use transcript::{
    Body, Entry, LastPrompt, Line, LineEnd, Problem, Reason, RecordKind, SalvagedIds, Str,
    parse_line,
};

/// The number of a node in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) usize);

impl NodeId {
    /// Its index among the nodes, in file order.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The lines of a transcript that belong to its conversation.
#[derive(Clone, Debug, Default)]
pub struct Graph<'a> {
    /// The nodes, in file order.
    pub(crate) nodes: Vec<Node<'a>>,
    pub(crate) by_uuid: HashMap<Str<'a>, NodeId>,
    /// The nodes whose uuid a later line repeats.
    replaced: HashSet<NodeId>,
    /// The recorded positions of the conversation, newest last, each with the number
    /// of nodes before it.
    pub(crate) checkpoints: Vec<(usize, LastPrompt<'a>)>,
    /// How many nodes come before the line at which the official reader starts, if
    /// it does not read the whole file.
    pub(crate) sdk_start: usize,
    /// The parents of relinked lines, as written.
    pub(crate) written_parents: HashMap<NodeId, Option<Str<'a>>>,
    /// Whether several objects on one line are accepted, and damaged lines.
    accepts_damage: bool,
    /// The damaged lines whose ids can be read, until they are linked.
    pub(crate) damaged: Vec<DamagedLine>,
    /// The numbers of the damaged lines, by the uuids that can be read from them.
    pub(crate) damaged_numbers: HashMap<String, u64>,
    /// The sessions that lines were copied from, with the number of lines.
    pub forked_from: BTreeMap<String, u64>,
    /// The last line of each agent that `progress` records repeat, if those lines
    /// are read.
    repeated_agents: Option<HashMap<String, Str<'a>>>,
    /// Built on first use, after the last relinking.
    pub(crate) parallel: OnceLock<Parallel>,
}

impl<'a> Graph<'a> {
    /// Reads the lines of a whole transcript. In the app's view of a session, the
    /// lines of agents that `progress` records repeat are lines too, beside the
    /// conversation.
    pub(crate) fn read(bytes: &'a [u8], view: View, is_agent: bool) -> Self {
        let is_app = view == View::App;
        let mut graph = Graph {
            accepts_damage: is_app,
            repeated_agents: (is_app && !is_agent).then(HashMap::new),
            ..Graph::default()
        };
        let is_large = sdk_start::is_large(bytes);
        for line in transcript::lines(bytes) {
            if is_large && sdk_start::begins_with(line) {
                graph.sdk_start = graph.nodes.len();
            }
            graph.add_line(line);
        }
        graph.link_damaged_lines();
        graph
    }

    fn add_line(&mut self, line: Line<'a>) {
        // Bytes that a crash left before an object (mostly NUL) are skipped.
        let junk = line.bytes.iter().take_while(|byte| **byte <= b' ').count();
        let bytes = &line.bytes[junk..];
        let line = Line { bytes, offset: line.offset + junk as u64, ..line };
        if !bytes.starts_with(b"{") {
            if line.end == LineEnd::Newline {
                self.add_damaged(line.number, line.offset, bytes);
            }
            return;
        }
        let mut entries = parse_line(line);
        let (Some(entry), second) = (entries.next(), entries.next()) else { return };
        if let Some(second) = second {
            // The official reader ignores a line with two objects. But the app
            // wrote both, so the app's view must show them.
            if self.accepts_damage {
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
        if entry.record.kind == RecordKind::Damaged {
            // A torn last line is still being written.
            let is_torn = |problem: &Problem| problem.reason == Reason::TornLastLine;
            if !entry.problems.iter().any(is_torn) {
                self.add_damaged(entry.line, entry.offset, entry.bytes);
            }
            return;
        }
        if let Body::LastPrompt(last) = entry.record.body {
            self.checkpoints.push((self.nodes.len(), last));
            return;
        }
        if let Some(origin) = entry.record.envelope.forked_from.as_ref()
            && let Some(session) = &origin.session_id
        {
            *self.forked_from.entry(session.to_string()).or_default() += 1;
        }
        let repeated = self.repeated_agents.as_ref().and_then(|_| entry.agent_line());
        if let Some(node) = Node::new(entry) {
            self.add_node(node);
        }
        if let Some(node) = repeated.and_then(Node::of_repeated) {
            self.add_repeated(node);
        }
    }

    /// Adds a line of an agent: it follows the one before. A uuid that is known is
    /// not replaced by it.
    fn add_repeated(&mut self, mut node: Node<'a>) {
        let agent = node.agent_id.as_deref().unwrap_or_default().to_owned();
        let Some(agents) = &mut self.repeated_agents else { return };
        if self.by_uuid.contains_key(&node.uuid) {
            return;
        }
        node.parent = agents.insert(agent, node.uuid.clone());
        node.has_parent = node.parent.is_some();
        self.add_node(node);
    }

    fn add_node(&mut self, mut node: Node<'a>) {
        let id = NodeId(self.nodes.len());
        // An empty text names no line, though compactions can move it.
        if let Some(parent) = node.parent.take_if(|parent| parent.is_empty()) {
            node.has_parent = false;
            self.written_parents.insert(id, Some(parent));
        }
        // A later line with the same uuid replaces the earlier one.
        self.replaced.extend(self.by_uuid.insert(node.uuid.clone(), id));
        self.nodes.push(node);
    }

    /// Adds a damaged line, without a position in the conversation yet.
    fn add_damaged(&mut self, line: u64, offset: u64, bytes: &'a [u8]) {
        if !self.accepts_damage {
            return;
        }
        let ids = transcript::salvage_ids(bytes);
        if !ids.uuids.is_empty() {
            let id = NodeId(self.nodes.len());
            self.nodes.push(Node::damaged(line, offset, bytes));
            // Not a line of the conversation, unless another line names it.
            self.replaced.insert(id);
            self.damaged.push(DamagedLine { id, ids });
        }
    }

    /// Gives a damaged line its position in the conversation.
    pub(crate) fn link_damaged(&mut self, id: NodeId, uuid: &str, ids: &SalvagedIds) {
        let node = &mut self.nodes[id.0];
        node.uuid = Str::from(uuid.to_owned());
        node.parent = ids.parent_uuid.clone().flatten().map(Str::from);
        node.has_parent = node.parent.is_some();
        node.timestamp = ids.timestamp.clone().map(Str::from);
        node.is_sidechain = ids.is_sidechain;
        self.by_uuid.insert(node.uuid.clone(), id);
        self.replaced.remove(&id);
    }

    /// Drops the lines that the official reader does not read.
    pub(crate) fn drop_unread(&mut self) {
        if self.sdk_start == 0 {
            return;
        }
        self.nodes.drain(..self.sdk_start);
        let sdk_start = std::mem::take(&mut self.sdk_start);
        let moved = |id: NodeId| id.0.checked_sub(sdk_start).map(NodeId);
        // A line is never replaced by an earlier one, so the remaining lines
        // still replace the same ones.
        self.by_uuid.retain(|_, id| moved(*id).map(|moved| *id = moved).is_some());
        self.replaced = self.replaced.iter().filter_map(|id| moved(*id)).collect();
        let written = std::mem::take(&mut self.written_parents).into_iter();
        self.written_parents =
            written.filter_map(|(id, parent)| Some((moved(id)?, parent))).collect();
    }

    /// The nodes in file order, without those replaced by a later line.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> {
        self.all_ids().filter(|id| self.is_current(*id))
    }

    /// The nodes in the order in which their uuids first occur. A line that
    /// replaces an earlier one takes its position.
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

    /// The parent of a node, if it exists.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.find(self.nodes[id.0].parent.as_deref()?)
    }

    /// The parent uuid of a node as written, relinked or not.
    pub fn written_parent(&self, id: NodeId) -> Option<&Str<'a>> {
        self.written_parents.get(&id).unwrap_or(&self.nodes[id.0].parent).as_ref()
    }
}
