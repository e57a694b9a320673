//! The app's view: what a person sees when they resume the session.
//!
//! As the official reader's, but for where the conversation stands: the app
//! writes that down (`last-prompt`), so that a rewind stays a rewind. Progress
//! lines are no part of the chain, and a line whose parent is missing follows
//! the line written just before it.

use crate::graph::{Graph, NodeId};
use crate::sdk::{self, Message};
use transcript::{RecordKind, Str};

/// How far apart two lines may be written and still follow each other.
const NEAR: i64 = 5_000;

/// The messages of a session, in order, and the chain they stand on.
pub(crate) fn messages(graph: &mut Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    graph.bridge_progress();
    graph.adopt_orphans();
    graph.relink_preserved();
    match standing(graph) {
        Standing::Nothing => (Vec::new(), Vec::new()),
        Standing::At(leaf) => {
            let chain = graph.with_parallel(&graph.chain_to(leaf));
            let end = chain.iter().rposition(|id| graph.node(*id).is_message());
            let (said, after) = chain.split_at(end.map_or(0, |place| place + 1));
            let commands = after.iter().copied().filter(|id| graph.node(*id).is_queued_command());
            (sdk::shown(graph, said, &commands.collect::<Vec<_>>()), chain)
        }
        Standing::Unsaid => sdk::by_shape(graph),
    }
}

/// The messages of a sub-agent's transcript: as the official reader's, with the
/// calls that ran in parallel.
pub(crate) fn agent_messages(graph: &mut Graph<'_>) -> (Vec<Message>, Vec<NodeId>) {
    graph.bridge_progress();
    graph.adopt_orphans();
    let leaf = graph.ids().rev().find(|id| graph.node(*id).is_message());
    let chain = leaf.map(|leaf| graph.with_parallel(&graph.chain_to(leaf))).unwrap_or_default();
    (sdk::said(graph, &chain, &sdk::taken_in(graph, &chain)), chain)
}

/// Where the app says the conversation stands.
enum Standing {
    /// It says nothing that still holds.
    Unsaid,
    /// Before the first prompt: rewound to nothing.
    Nothing,
    /// At this line.
    At(NodeId),
}

fn standing(graph: &Graph<'_>) -> Standing {
    let newest = graph.checkpoints.iter().rev().find(|(_, last)| last.leaf_uuid.is_some());
    let Some((before, last)) = newest else { return Standing::Unsaid };
    // A compaction since then started anew.
    let compacted = graph.ids().any(|id| id.index() >= *before && graph.node(id).is_boundary());
    if compacted {
        return Standing::Unsaid;
    }
    let leaf = last.leaf_uuid.as_ref().and_then(Option::as_ref);
    let Some(leaf) = leaf else {
        return if last.explicit { Standing::Nothing } else { Standing::Unsaid };
    };
    let Some(leaf) = graph.find(leaf.as_str()) else { return Standing::Unsaid };
    if last.explicit {
        return Standing::At(leaf);
    }
    Standing::At(last_line(graph).filter(|line| descends(graph, *line, leaf)).unwrap_or(leaf))
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
    /// Lets what follows a progress line follow what that one follows.
    fn bridge_progress(&mut self) {
        let mut bridged = vec![false; self.nodes.len()];
        for place in 0..self.nodes.len() {
            // The line and the progress lines above it: all of them follow what
            // the topmost follows. A cycle leads nowhere and ends the walk.
            let mut path = Vec::new();
            let mut next = Some(NodeId(place));
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

    /// Gives a line whose parent is missing the nearest line before it, if that
    /// was written within five seconds on the same side.
    fn adopt_orphans(&mut self) {
        // The last line of each side so far, with its time.
        let mut last: [Option<(NodeId, i64)>; 2] = [None, None];
        for place in 0..self.nodes.len() {
            let node = &self.nodes[place];
            if node.kind == RecordKind::Progress {
                continue;
            }
            let side = usize::from(node.is_sidechain);
            let time = node.milliseconds();
            let missing = node.parent.as_deref().is_some_and(|parent| self.find(parent).is_none());
            if let (true, Some(time), Some((before, then))) = (missing, time, last[side])
                && (time - then).abs() <= NEAR
            {
                let adopted = self.nodes[before.index()].uuid.to_string();
                self.nodes[place].parent = Some(Str::from(adopted));
            }
            if let Some(time) = time {
                last[side] = Some((NodeId(place), time));
            }
        }
    }
}
