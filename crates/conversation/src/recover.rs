//! Parallel tool calls, put back beside the chain.
//!
//! One API response is several lines, one per block, each following the one
//! before; results answer them in any order. A walk up from the leaf therefore
//! meets only some of them. The others are found by their message id and the
//! calls they answer, and stand after the last line of their response that the
//! walk met.

use crate::graph::{Graph, Node, NodeId};
use std::collections::{HashMap, HashSet};
use transcript::RecordKind;

impl Graph<'_> {
    /// The chain with the lines of its responses that hang beside it.
    pub(crate) fn with_parallel(&self, chain: &[NodeId]) -> Vec<NodeId> {
        let on_chain: HashSet<NodeId> = chain.iter().copied().collect();
        let responses = self.responses();
        let results = Results::new(self);
        let mut answered_on_chain: HashSet<&str> = HashSet::new();
        for id in chain {
            answered_on_chain.extend(self.node(*id).answers.iter().map(|call| &**call));
        }
        let mut last_of: HashMap<&str, NodeId> = HashMap::new();
        for id in chain {
            if let Some(message) = self.response_of(*id) {
                last_of.insert(message, *id);
            }
        }
        let mut taken = on_chain.clone();
        let mut after: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        let mut done = HashSet::new();
        for id in chain {
            let Some(message) = self.response_of(*id).filter(|message| done.insert(*message))
            else {
                continue;
            };
            let Some(group) = responses.get(message) else { continue };
            let mut siblings: Vec<NodeId> =
                group.iter().copied().filter(|id| !on_chain.contains(id)).collect();
            let mut found: Vec<NodeId> = Vec::new();
            let calls = group.iter().flat_map(|id| &self.node(*id).calls).map(|call| &**call);
            let mut open: HashSet<&str> =
                calls.filter(|call| !answered_on_chain.contains(call)).collect();
            // First what follows the lines, then what names them or their calls.
            let (follow, named) = results.of(self, group);
            for id in follow {
                if taken.insert(id) {
                    close(&mut open, self.node(id));
                    found.push(id);
                }
            }
            for id in named {
                let answers_open = self.node(id).answers.iter().any(|call| open.contains(&**call));
                if answers_open && taken.insert(id) {
                    close(&mut open, self.node(id));
                    found.push(id);
                }
            }
            if siblings.is_empty() && found.is_empty() {
                continue;
            }
            siblings.sort_by(|one, two| self.by_time(*one, *two));
            found.sort_by(|one, two| self.by_time(*one, *two));
            taken.extend(&siblings);
            let place = last_of.get(message).copied().unwrap_or(*id);
            after.entry(place).or_default().extend(siblings.into_iter().chain(found));
        }
        let mut whole = Vec::with_capacity(chain.len());
        for id in chain {
            whole.push(*id);
            whole.extend(after.remove(id).into_iter().flatten());
        }
        whole
    }

    fn response_of(&self, id: NodeId) -> Option<&str> {
        let node = self.node(id);
        if node.kind != RecordKind::Assistant {
            return None;
        }
        node.message_id.as_deref()
    }

    /// The lines of each response, in file order.
    fn responses(&self) -> HashMap<&str, Vec<NodeId>> {
        let mut responses: HashMap<&str, Vec<NodeId>> = HashMap::new();
        for id in self.ids() {
            if let Some(message) = self.response_of(id) {
                responses.entry(message).or_default().push(id);
            }
        }
        responses
    }

    /// Times compare as texts, as the official reader compares them.
    fn by_time(&self, one: NodeId, two: NodeId) -> std::cmp::Ordering {
        let time = |id: NodeId| self.node(id).timestamp.as_deref().unwrap_or_default();
        time(one).cmp(time(two))
    }
}

/// The lines that answer calls, by how they can be found.
struct Results<'g> {
    by_parent: HashMap<&'g str, Vec<NodeId>>,
    by_line: HashMap<&'g str, Vec<NodeId>>,
    by_call: HashMap<&'g str, Vec<NodeId>>,
}

impl<'g> Results<'g> {
    fn new(graph: &'g Graph<'_>) -> Self {
        let mut results =
            Results { by_parent: HashMap::new(), by_line: HashMap::new(), by_call: HashMap::new() };
        for id in graph.ids() {
            let node = graph.node(id);
            if node.kind != RecordKind::User || node.answers.is_empty() {
                continue;
            }
            // One that follows nothing is a root of its own.
            let Some(parent) = node.parent.as_deref() else { continue };
            results.by_parent.entry(parent).or_default().push(id);
            if let Some(line) = node.answered_line.as_deref() {
                results.by_line.entry(line).or_default().push(id);
            }
            for call in &node.answers {
                results.by_call.entry(call).or_default().push(id);
            }
        }
        results
    }

    /// The results of a response: those that follow one of its lines, and, in
    /// file order, those that name a line or a call of it on the same side.
    fn of(&self, graph: &Graph<'_>, group: &[NodeId]) -> (Vec<NodeId>, Vec<NodeId>) {
        let mut following = Vec::new();
        let mut naming = Vec::new();
        for line in group {
            let node = graph.node(*line);
            following.extend(self.by_parent.get(&*node.uuid).into_iter().flatten());
            let by_line = self.by_line.get(&*node.uuid).into_iter().flatten();
            let by_call =
                node.calls.iter().flat_map(|call| self.by_call.get(&**call).into_iter().flatten());
            naming.extend(by_line.chain(by_call).filter(|id| {
                let result = graph.node(**id);
                result.is_sidechain == node.is_sidechain && result.agent_id == node.agent_id
            }));
        }
        naming.sort_unstable();
        naming.dedup();
        (following, naming)
    }
}

/// Strikes out the calls a result answers.
fn close(open: &mut HashSet<&str>, result: &Node<'_>) {
    for call in &result.answers {
        open.remove(&**call);
    }
}
