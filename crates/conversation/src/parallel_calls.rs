//! Puts the lines of parallel tool calls back into the chain.
//!
//! One API response is several lines, one per block, each the child of the one
//! before; results answer them in any order. A walk up from the leaf therefore
//! finds only some of them. The others are found by their message id and the calls
//! they answer, and go after the last line of their response that the walk found.

use crate::collation::compare_timestamps;
use crate::graph::{Graph, NodeId};
use crate::node::{Node, Side};
use std::collections::{HashMap, HashSet};
use transcript::RecordKind;

/// The lines of responses, and the results that belong to each. It refers to lines
/// and calls by number, so that it does not borrow from the graph that holds it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parallel {
    /// The lines of each response, in order.
    responses: Vec<Vec<NodeId>>,
    /// The response of each line.
    response: HashMap<NodeId, usize>,
    /// Calls that several responses claim, and that belong to none: (the line, the
    /// index among its calls).
    disputed: HashSet<(NodeId, usize)>,
    /// The results that have a line as parent, name it, or name a call of it, in order.
    results: HashMap<NodeId, Vec<NodeId>>,
    /// The position of each result.
    order: HashMap<NodeId, usize>,
}

/// The line and the response that make a call.
#[derive(Clone, Debug)]
struct CallClaim {
    /// The last line with it.
    line: NodeId,
    response: usize,
    /// Whether several responses claim the call; then it belongs to none.
    is_disputed: bool,
}

impl Parallel {
    fn new(graph: &Graph<'_>) -> Self {
        let mut parallel = Parallel::default();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut claims: HashMap<&str, CallClaim> = HashMap::new();
        let ids = graph.in_first_order();
        for id in &ids {
            let node = graph.node(*id);
            let Some(message) = response_of(node) else { continue };
            let response = *numbers.entry(message).or_insert_with(|| {
                parallel.responses.push(Vec::new());
                parallel.responses.len() - 1
            });
            parallel.responses[response].push(*id);
            parallel.response.insert(*id, response);
            for call in &node.calls {
                let claim = CallClaim { line: *id, response, is_disputed: false };
                let claim = claims.entry(call).or_insert(claim);
                claim.line = *id;
                claim.is_disputed |= claim.response != response;
            }
        }
        for id in parallel.response.keys() {
            for (number, call) in graph.node(*id).calls.iter().enumerate() {
                if claims.get(&**call).is_some_and(|claim| claim.is_disputed) {
                    parallel.disputed.insert((*id, number));
                }
            }
        }
        let mut sides = Sides { graph, known: HashMap::new() };
        for id in ids {
            parallel.add_result(id, graph, &claims, &mut sides);
        }
        parallel
    }

    fn add_result(
        &mut self,
        id: NodeId,
        graph: &Graph<'_>,
        claims: &HashMap<&str, CallClaim>,
        sides: &mut Sides<'_, '_>,
    ) {
        let node = graph.node(id);
        // A result without a parent is a separate root.
        if node.kind != RecordKind::User || !node.is_result || !node.has_parent {
            return;
        }
        let parent = graph.parent(id);
        let named = node.answered_line.as_deref().and_then(|line| graph.find(line));
        let calls = node.answers.iter().filter_map(|call| claims.get(&**call));
        let of_calls = calls.filter(|claim| !claim.is_disputed).map(|claim| claim.line);
        let mut lines: Vec<NodeId> = parent.into_iter().collect();
        for line in named.into_iter().chain(of_calls) {
            if Some(line) != parent && sides.are_same(id, line) {
                lines.push(line);
            }
        }
        lines.retain(|line| response_of(graph.node(*line)).is_some());
        lines.sort_unstable();
        lines.dedup();
        self.order.insert(id, self.order.len());
        for line in lines {
            self.results.entry(line).or_default().push(id);
        }
    }

    /// The results that belong to a response: those with one of its lines as parent,
    /// and the others.
    fn results_of(&self, graph: &Graph<'_>, lines: &[NodeId]) -> (Vec<NodeId>, Vec<NodeId>) {
        let own: HashSet<NodeId> = lines.iter().copied().collect();
        let results = lines.iter().filter_map(|line| self.results.get(line)).flatten().copied();
        let follows = |id: &NodeId| graph.parent(*id).is_some_and(|line| own.contains(&line));
        let (following, mut naming): (Vec<_>, Vec<_>) = results.partition(follows);
        naming.sort_unstable_by_key(|id| self.order.get(id));
        (following, naming)
    }
}

/// The sides of lines; each line is read once.
struct Sides<'g, 'a> {
    graph: &'g Graph<'a>,
    known: HashMap<NodeId, Option<Side>>,
}

impl Sides<'_, '_> {
    fn are_same(&mut self, one: NodeId, two: NodeId) -> bool {
        for id in [one, two] {
            self.known.entry(id).or_insert_with(|| self.graph.node(id).side());
        }
        self.known[&one].is_some() && self.known[&one] == self.known[&two]
    }
}

/// The response a line is a part of.
fn response_of<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    node.message_id.as_deref().filter(|_| node.kind == RecordKind::Assistant)
}

impl Graph<'_> {
    /// The chain, with the lines of its responses that are outside it.
    pub(crate) fn with_parallel(&self, chain: &[NodeId]) -> Vec<NodeId> {
        let parallel = self.parallel.get_or_init(|| Parallel::new(self));
        let on_chain: HashSet<NodeId> = chain.iter().copied().collect();
        let mut answered: HashSet<&str> = HashSet::new();
        let mut last_of: HashMap<usize, NodeId> = HashMap::new();
        for id in chain {
            let node = self.node(*id);
            answered.extend(node.answers.iter().map(|call| &**call));
            last_of.extend(parallel.response.get(id).map(|response| (*response, *id)));
        }
        let mut taken = on_chain.clone();
        let mut after: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for id in chain {
            let Some(response) = parallel.response.get(id) else { continue };
            // Each response once, at its first line.
            let Some(place) = last_of.remove(response) else { continue };
            let lines = &parallel.responses[*response];
            let calls = lines.iter().flat_map(|line| {
                let calls = self.node(*line).calls.iter().enumerate();
                calls.map(|(number, call)| ((*line, number), &**call))
            });
            let mut open: HashSet<&str> = calls
                .filter(|(place, _)| !parallel.disputed.contains(place))
                .map(|(_, call)| call)
                .filter(|call| !answered.contains(call))
                .collect();
            let mut found: Vec<NodeId> = Vec::new();
            let (following, naming) = parallel.results_of(self, lines);
            for id in following {
                if taken.insert(id) {
                    close(&mut open, self.node(id));
                    found.push(id);
                }
            }
            for id in naming {
                let answers_open = self.node(id).answers.iter().any(|call| open.contains(&**call));
                if answers_open && taken.insert(id) {
                    close(&mut open, self.node(id));
                    found.push(id);
                }
            }
            let mut others: Vec<NodeId> =
                lines.iter().copied().filter(|id| !on_chain.contains(id)).collect();
            others.sort_by(|one, two| self.by_time(*one, *two));
            found.sort_by(|one, two| self.by_time(*one, *two));
            others.append(&mut found);
            after.insert(place, others);
        }
        let mut whole = Vec::with_capacity(chain.len());
        for id in chain {
            whole.push(*id);
            whole.extend(after.remove(id).into_iter().flatten());
        }
        whole
    }

    pub(crate) fn by_time(&self, one: NodeId, two: NodeId) -> std::cmp::Ordering {
        let time = |id: NodeId| self.node(id).timestamp.as_deref().unwrap_or_default();
        compare_timestamps(time(one), time(two))
    }
}

/// Removes the calls that a result answers.
fn close(open: &mut HashSet<&str>, result: &Node<'_>) {
    for call in &result.answers {
        open.remove(&**call);
    }
}
