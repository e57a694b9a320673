//! The app's view: what a person sees on resuming the session.
//!
//! It differs from the official reader's view in three ways. The app records the
//! current position (`last-prompt`), so that a rewind stays a rewind. Progress
//! lines are not part of the chain. A line whose parent is missing follows the line
//! written just before it.

use crate::graph::{Graph, NodeId};
use crate::sdk::{self, Message};
use transcript::{RecordKind, Str};

/// How many milliseconds after a line an orphaned line can still follow it.
const ADOPTION_LIMIT_MS: i64 = 5_000;

/// The messages of a session, in order, and their chain.
pub(crate) fn messages(graph: &mut Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    graph.bridge_progress();
    graph.adopt_orphans();
    graph.relink_preserved();
    match recorded_position(graph) {
        Position::Start => (Vec::new(), Vec::new()),
        Position::At(leaf) => {
            let chain = graph.with_parallel(&graph.chain_to(leaf));
            let end = chain.iter().rposition(|id| graph.node(*id).is_message());
            let (to_last, after) = chain.split_at(end.map_or(0, |last| last + 1));
            let commands = after.iter().copied().filter(|id| graph.node(*id).is_queued_command());
            (sdk::shown_messages(graph, to_last, &commands.collect::<Vec<_>>()), chain)
        }
        Position::Unrecorded => sdk::messages_by_structure(graph),
    }
}

/// The messages of a sub-agent's transcript: those of the official reader, and the
/// calls that ran in parallel.
pub(crate) fn agent_messages(graph: &mut Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    graph.bridge_progress();
    graph.adopt_orphans();
    let leaf = graph.ids().rev().find(|id| graph.node(*id).is_message());
    let chain = leaf.map(|leaf| graph.with_parallel(&graph.chain_to(leaf))).unwrap_or_default();
    (sdk::messages_on_chain(graph, &chain, &sdk::consumed_commands(graph, &chain)), chain)
}

/// The current position of the conversation, as the app recorded it.
enum Position {
    /// There is no record that still applies.
    Unrecorded,
    /// Before the first prompt: everything was rewound.
    Start,
    /// At this line.
    At(NodeId),
}

fn recorded_position(graph: &Graph<'_>) -> Position {
    let newest = graph.checkpoints.iter().rev().find(|(_, last)| last.leaf_uuid.is_some());
    let Some((before, last)) = newest else { return Position::Unrecorded };
    // A later compaction makes the record obsolete.
    let compacted = graph.ids().any(|id| id.index() >= *before && graph.node(id).is_boundary());
    if compacted {
        return Position::Unrecorded;
    }
    let leaf = last.leaf_uuid.as_ref().and_then(Option::as_ref);
    let Some(leaf) = leaf else {
        return if last.explicit { Position::Start } else { Position::Unrecorded };
    };
    let Some(leaf) = graph.find(leaf.as_str()) else { return Position::Unrecorded };
    if last.explicit {
        return Position::At(leaf);
    }
    Position::At(last_line(graph).filter(|line| descends(graph, *line, leaf)).unwrap_or(leaf))
}

/// The last line of the main conversation.
fn last_line(graph: &Graph<'_>) -> Option<NodeId> {
    graph.ids().rev().find(|id| {
        let node = graph.node(*id);
        !node.is_sidechain && node.kind != RecordKind::Progress
    })
}

fn descends(graph: &Graph<'_>, line: NodeId, from: NodeId) -> bool {
    graph.chain_to(line).contains(&from)
}

impl Graph<'_> {
    /// Replaces parents that are progress lines by the parents of those lines.
    fn bridge_progress(&mut self) {
        let mut bridged = vec![false; self.nodes.len()];
        for index in 0..self.nodes.len() {
            // The line and the progress lines above it all get the parent of the
            // topmost. A cycle ends the walk.
            let mut path = Vec::new();
            let mut next = Some(NodeId(index));
            while let Some(id) = next.filter(|id| !bridged[id.index()]) {
                bridged[id.index()] = true;
                path.push(id);
                next = self.parent(id).filter(|above| self.is_progress(*above));
            }
            let Some(top) = next.or(path.last().copied()) else { continue };
            let above = self.node(top).parent.clone();
            for id in path {
                self.nodes[id.index()].parent.clone_from(&above);
            }
        }
    }

    fn is_progress(&self, id: NodeId) -> bool {
        self.node(id).kind == RecordKind::Progress
    }

    /// Makes the nearest line before an orphaned line its parent, if it was written
    /// within five seconds and on the same side.
    fn adopt_orphans(&mut self) {
        // The last line of each side so far, with its time.
        let mut last: [Option<(NodeId, i64)>; 2] = [None, None];
        for index in 0..self.nodes.len() {
            let node = &self.nodes[index];
            if node.kind == RecordKind::Progress {
                continue;
            }
            let side = usize::from(node.is_sidechain);
            let time = node.milliseconds();
            let missing = node.parent.as_deref().is_some_and(|parent| self.find(parent).is_none());
            if let (true, Some(time), Some((before, then))) = (missing, time, last[side])
                && (time - then).abs() <= ADOPTION_LIMIT_MS
            {
                let adopted = self.nodes[before.index()].uuid.to_string();
                self.nodes[index].parent = Some(Str::from(adopted));
            }
            if let Some(time) = time {
                last[side] = Some((NodeId(index), time));
            }
        }
    }
}
