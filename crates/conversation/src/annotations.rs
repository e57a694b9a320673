//! Where the things that are not part of a line of conversation stand in it.
//!
//! One rule for every reader, so that a branch or an agent is found at the same
//! turn on a terminal, on a page and in a document:
//!
//! - an orphaned segment stands where the file has it: before the first shown
//!   message that was written after it;
//! - an abandoned branch stands before the next shown message after the record it
//!   left from;
//! - of one place, orphaned segments come before branches, because a branch may be
//!   read instead of everything that follows;
//! - a sub-agent stands at the call that started it; agents without a shown call
//!   come after the last turn, grouped by workflow and phase.
//!
//! Deliberately not here: reading the transcripts of agents, and how any of this
//! looks.

use crate::agent_links::AgentNode;
use crate::branch::Branch;
use crate::conversation::Conversation;
use crate::graph::NodeId;
use crate::orphaned_segment::OrphanedSegment;
use crate::turn::Turns;
use std::collections::{HashMap, HashSet};

/// How deep agents within agents are shown; deeper ones are only named.
pub const MAX_AGENT_DEPTH: usize = 12;

/// An abandoned branch and its place.
#[derive(Clone, Copy, Debug)]
pub struct PlacedBranch<'c> {
    /// Its number, from 1, as `--abandoned` takes it.
    pub number: usize,
    /// The branch.
    pub branch: &'c Branch,
    /// The shown line it stands before; none: after the last.
    pub before: Option<NodeId>,
}

/// An orphaned segment and its place.
#[derive(Clone, Copy, Debug)]
pub struct PlacedOrphan<'c> {
    /// Its number, from 1, as turn numbers have it.
    pub number: usize,
    /// The segment.
    pub segment: &'c OrphanedSegment,
    /// The shown line it stands before; none: after the last.
    pub before: Option<NodeId>,
}

/// Everything that stands beside a line of conversation.
#[derive(Clone, Debug, Default)]
pub struct PlacedAnnotations<'c> {
    /// Orphaned segments, in file order. They come before branches of the same
    /// place.
    pub orphans: Vec<PlacedOrphan<'c>>,
    /// Abandoned branches that are not minor, in the order of their numbers.
    pub branches: Vec<PlacedBranch<'c>>,
}

impl Conversation<'_> {
    /// Places branches and orphaned segments among the turns of a chain. A branch or a
    /// segment that is itself on the chain is not placed.
    pub fn place_annotations(&self, chain: &[NodeId], turns: &Turns<'_>) -> PlacedAnnotations<'_> {
        let lines = ShownLines::new(self, chain, turns);
        let orphans = (1..).zip(&self.orphaned_segments).filter_map(|(number, segment)| {
            let first = segment.messages.first()?;
            let is_beside = !lines.positions.contains_key(first);
            let before = lines.written_after(*first);
            is_beside.then_some(PlacedOrphan { number, segment, before })
        });
        PlacedAnnotations {
            orphans: orphans.collect(),
            branches: self.placed_branches(&lines, |branch| !branch.is_minor()),
        }
    }

    /// Places the minor branches ([`Branch::is_minor`]), which are shown only on request.
    pub fn place_minor_branches(
        &self,
        chain: &[NodeId],
        turns: &Turns<'_>,
    ) -> Vec<PlacedBranch<'_>> {
        self.placed_branches(&ShownLines::new(self, chain, turns), Branch::is_minor)
    }

    fn placed_branches(
        &self,
        lines: &ShownLines<'_, '_>,
        is_wanted: impl Fn(&Branch) -> bool,
    ) -> Vec<PlacedBranch<'_>> {
        let is_shown = |branch: &Branch| {
            branch.messages.last().is_some_and(|last| lines.positions.contains_key(last))
        };
        let branches = (1..).zip(&self.branches);
        let branches = branches.filter(|(_, branch)| is_wanted(branch) && !is_shown(branch));
        let placed = |(number, branch): (usize, _)| {
            let branch: &Branch = branch;
            PlacedBranch { number, branch, before: lines.following(branch.from) }
        };
        branches.map(placed).collect()
    }
}

/// The lines of a chain, with those that have a step in its turns.
struct ShownLines<'c, 'a> {
    conversation: &'c Conversation<'a>,
    /// The position of each line in the chain.
    positions: HashMap<NodeId, usize>,
    /// The shown line at each position, or the next one after it.
    next: Vec<Option<NodeId>>,
    /// The highest line number up to each position: a chain does not follow the
    /// file everywhere.
    highest: Vec<u64>,
}

impl<'c, 'a> ShownLines<'c, 'a> {
    fn new(conversation: &'c Conversation<'a>, chain: &[NodeId], turns: &Turns<'_>) -> Self {
        let steps = turns.turns.iter().flat_map(|turn| &turn.steps);
        let shown: HashSet<NodeId> = steps.map(|step| step.node).collect();
        let mut next: Vec<Option<NodeId>> = chain
            .iter()
            .rev()
            .scan(None, |next, id| {
                *next = if shown.contains(id) { Some(*id) } else { *next };
                Some(*next)
            })
            .collect();
        next.reverse();
        let highest = chain.iter().scan(0, |highest, id| {
            *highest = conversation.graph.node(*id).line.max(*highest);
            Some(*highest)
        });
        ShownLines {
            conversation,
            positions: (0..).zip(chain).map(|(position, id)| (*id, position)).collect(),
            next,
            highest: highest.collect(),
        }
    }

    fn next(&self, from: usize) -> Option<NodeId> {
        self.next.get(from).copied().flatten()
    }

    /// The shown line that follows a line of the chain; the first one where there
    /// is nothing to follow.
    fn following(&self, line: Option<NodeId>) -> Option<NodeId> {
        match line {
            None => self.next(0),
            Some(line) => self.next(self.positions.get(&line)? + 1),
        }
    }

    /// The first shown line that was written after a line of the file.
    fn written_after(&self, line: NodeId) -> Option<NodeId> {
        let line = self.conversation.graph.node(line).line;
        self.next(self.highest.partition_point(|highest| *highest <= line))
    }
}

/// The agents that hang at no call that is shown, as positions in `agents`, grouped
/// by workflow and phase in the order in which each group is first met.
///
/// `shown_calls` are the calls of everything that is shown besides agents, and
/// `calls_of` the calls of an agent whose own conversation is shown, none of one
/// that is only named. An agent that is only named and stands below another such
/// agent is not listed: it is counted with that one.
pub fn agents_without_calls<'t>(
    agents: &[&AgentNode],
    shown_calls: impl IntoIterator<Item = &'t str>,
    calls_of: impl Fn(usize) -> Option<Vec<&'t str>>,
) -> Vec<usize> {
    let mut by_call: HashMap<&str, Vec<usize>> = HashMap::new();
    for (position, agent) in agents.iter().enumerate() {
        if let Some(call) = &agent.tool_use_id {
            by_call.entry(call).or_default().push(position);
        }
    }
    let mut is_placed = vec![false; agents.len()];
    let mut waiting: Vec<&str> = shown_calls.into_iter().collect();
    let mut without = Vec::new();
    let mut folded: HashSet<&str> = HashSet::new();
    // Parents come before their children.
    for (position, agent) in agents.iter().enumerate() {
        while let Some(call) = waiting.pop() {
            for started in by_call.get(call).into_iter().flatten() {
                if !std::mem::replace(&mut is_placed[*started], true) {
                    waiting.extend(calls_of(*started).into_iter().flatten());
                }
            }
        }
        let calls = calls_of(position);
        let parent = agent.parent_id.as_deref();
        let is_below = calls.is_none() && parent.is_some_and(|parent| folded.contains(parent));
        if calls.is_none() {
            // Every agent it started is folded with it.
            folded.insert(&agent.id);
        }
        if !std::mem::replace(&mut is_placed[position], true) && !is_below {
            without.push(position);
            waiting.extend(calls.into_iter().flatten());
        }
    }
    let group =
        |position: usize| (agents[position].workflow.as_deref(), agents[position].phase.as_deref());
    let mut groups = HashMap::new();
    for position in &without {
        let number = groups.len();
        groups.entry(group(*position)).or_insert(number);
    }
    without.sort_by_key(|position| groups[&group(*position)]);
    without
}
