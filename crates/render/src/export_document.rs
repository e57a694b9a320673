//! A session with its branches, segments, agents and costs: the input of every export
//! format.
//!
//! The content is assembled and masked before it comes here; the formats only lay it
//! out. Deliberately not here: reading files, and selecting turns.

use crate::turn_text::Detail;
use conversation::{
    AgentNode, Branch, Conversation, NodeId, OrphanedSegment, ToolCall, Turn, TurnNumber, Turns,
    agents_without_calls,
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use usage::PicoUsd;

/// The metadata of a session.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// Its title, or a substitute for one.
    pub title: String,
    /// Its id.
    pub session_id: String,
    /// The sub-agent, if only that is exported.
    pub agent_id: Option<String>,
    /// The path of the transcript.
    pub source: String,
    /// The project's folder.
    pub project: Option<String>,
    /// The working directory, in which the session can be resumed.
    pub cwd: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// Models that answered, in order of appearance.
    pub models: Vec<String>,
    /// The last version of Claude Code that wrote to it.
    pub version: Option<String>,
    /// The first timestamp.
    pub started: Option<Timestamp>,
    /// The last timestamp.
    pub ended: Option<Timestamp>,
    /// The size of the transcript.
    pub bytes: u64,
}

/// One thread of conversation: the main one, a branch, a segment, or an agent's.
#[derive(Clone, Debug)]
pub struct Chapter<'a> {
    /// The conversation it belongs to.
    pub conversation: &'a Conversation<'a>,
    /// Its records: messages, and the app's records between them.
    pub chain: Vec<NodeId>,
    /// All turns of the thread.
    pub all_turns: &'a Turns<'a>,
    /// The turns to show, in order.
    pub turns: Vec<&'a Turn<'a>>,
    /// The cost of turns by their numbers; turns without a known price are absent.
    pub costs: HashMap<TurnNumber, PicoUsd>,
}

/// A branch that the user abandoned.
#[derive(Clone, Debug)]
pub struct AbandonedBranch<'a> {
    /// Its number, as in `show --abandoned`.
    pub number: usize,
    /// The branch.
    pub branch: &'a Branch,
    /// The record of the main chapter before which it is placed; `None` is the end.
    pub before: Option<NodeId>,
    /// Its messages.
    pub chapter: Chapter<'a>,
}

/// An orphaned segment: a gap separates it from the conversation.
#[derive(Clone, Debug)]
pub struct OrphanSegment<'a> {
    /// The segment.
    pub segment: &'a OrphanedSegment,
    /// The record of the main chapter before which it is placed; `None` is the end.
    pub before: Option<NodeId>,
    /// Its messages.
    pub chapter: Chapter<'a>,
}

/// A record that is not part of any chain: a snapshot, a change of mode, a title.
#[derive(Clone, Debug)]
pub struct UnlinkedRecord {
    /// The kind of record.
    pub kind: String,
    /// Its value, if it is a single string.
    pub value: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// The record of the main chapter before which it is placed; `None` is the end.
    pub before: Option<NodeId>,
}

/// A sub-agent.
#[derive(Clone, Debug)]
pub struct AgentChapter<'a> {
    /// Its place in the tree of agents.
    pub node: &'a AgentNode,
    /// Its conversation, or why it is omitted.
    pub chapter: Result<Chapter<'a>, Omitted>,
}

/// Why an agent's conversation is omitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Omitted {
    /// The options ask for a single line per agent.
    ByOption,
    /// It cannot be shown, for this reason.
    Unavailable(String),
}

/// A thread beside the main chapter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aside<'v, 'a> {
    Branch(&'v AbandonedBranch<'a>),
    Orphan(&'v OrphanSegment<'a>),
}

impl<'v, 'a> Aside<'v, 'a> {
    pub(crate) fn chapter(self) -> &'v Chapter<'a> {
        match self {
            Aside::Branch(branch) => &branch.chapter,
            Aside::Orphan(orphan) => &orphan.chapter,
        }
    }
}

/// The threads beside the main chapter that were not written yet, by the records before
/// which they are placed; those at the end come last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asides<'v, 'a>(BTreeMap<usize, Vec<Aside<'v, 'a>>>);

impl<'v, 'a> Asides<'v, 'a> {
    fn insert(&mut self, before: Option<NodeId>, aside: Aside<'v, 'a>) {
        self.0.entry(before.map_or(usize::MAX, NodeId::index)).or_default().push(aside);
    }

    /// Takes the threads that are placed before a record of the main chapter.
    pub(crate) fn take(&mut self, node: NodeId) -> Vec<Aside<'v, 'a>> {
        self.0.remove(&node.index()).unwrap_or_default()
    }

    /// Takes the threads that remain after the main chapter: those at the end, and those
    /// before records that are not shown.
    pub(crate) fn take_rest(&mut self) -> impl Iterator<Item = Vec<Aside<'v, 'a>>> + use<'v, 'a> {
        std::mem::take(&mut self.0).into_values()
    }
}

/// A session with everything that belongs to it.
pub struct ExportDocument<'a> {
    /// Its metadata.
    pub heading: Heading,
    /// The time zone.
    pub zone: &'a TimeZone,
    /// The folder that paths are shown relative to.
    pub folder: Option<String>,
    /// The main thread, earlier generations first.
    pub main: Chapter<'a>,
    /// The abandoned branches.
    pub branches: Vec<AbandonedBranch<'a>>,
    /// The orphaned segments.
    pub orphans: Vec<OrphanSegment<'a>>,
    /// Records that are not part of any chain.
    pub unlinked: Vec<UnlinkedRecord>,
    /// The sub-agents, parents before their children.
    pub agents: Vec<AgentChapter<'a>>,
    /// Returns the text of an output that was saved in a separate file.
    pub persisted: &'a dyn Fn(&str) -> Option<String>,
    /// Whether thinking is shown.
    pub thinking: bool,
    /// How much of the tool calls is shown.
    pub tools: Detail,
    /// What the options left out, to be shown on the page: `turns 1 to 4`.
    pub left_out: Vec<String>,
    /// How many secrets are masked; `None` if masking is off.
    pub masked: Option<u64>,
    by_call: HashMap<&'a str, Vec<usize>>,
}

impl fmt::Debug for ExportDocument<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ExportDocument")
            .field("heading", &self.heading)
            .finish_non_exhaustive()
    }
}

impl<'a> ExportDocument<'a> {
    /// An export of the main chapter alone.
    pub fn new(
        heading: Heading,
        zone: &'a TimeZone,
        main: Chapter<'a>,
        persisted: &'a dyn Fn(&str) -> Option<String>,
    ) -> Self {
        ExportDocument {
            heading,
            zone,
            folder: None,
            main,
            branches: Vec::new(),
            orphans: Vec::new(),
            unlinked: Vec::new(),
            agents: Vec::new(),
            persisted,
            thinking: true,
            tools: Detail::Full,
            left_out: Vec::new(),
            masked: None,
            by_call: HashMap::new(),
        }
    }

    /// Adds the agents.
    #[must_use]
    pub fn with_agents(mut self, agents: Vec<AgentChapter<'a>>) -> Self {
        self.by_call.clear();
        for (index, agent) in agents.iter().enumerate() {
            if let Some(call) = &agent.node.tool_use_id {
                self.by_call.entry(call).or_default().push(index);
            }
        }
        self.agents = agents;
        self
    }

    /// The indexes of the agents that a call started.
    pub fn agents_at(&self, call: &ToolCall<'_>) -> &[usize] {
        let indexes = call.id.as_deref().and_then(|id| self.by_call.get(id));
        indexes.map_or(&[], Vec::as_slice)
    }

    /// The threads beside the main chapter. At the same position, orphaned segments come
    /// before abandoned branches, because a page may show a branch in place of all that
    /// follows.
    pub(crate) fn asides(&self) -> Asides<'_, 'a> {
        let mut asides = Asides::default();
        for orphan in &self.orphans {
            asides.insert(orphan.before, Aside::Orphan(orphan));
        }
        for branch in &self.branches {
            asides.insert(branch.before, Aside::Branch(branch));
        }
        asides
    }

    /// The indexes of the agents that no shown call started, in the order of
    /// [`agents_without_calls`].
    pub fn unlinked_agents(&self) -> Vec<usize> {
        let nodes: Vec<&AgentNode> = self.agents.iter().map(|agent| agent.node).collect();
        let branches = self.branches.iter().map(|branch| &branch.chapter);
        let orphans = self.orphans.iter().map(|orphan| &orphan.chapter);
        let shown = std::iter::once(&self.main).chain(branches).chain(orphans);
        agents_without_calls(&nodes, shown.flat_map(Chapter::call_ids), |index| {
            let chapter = self.agents[index].chapter.as_ref().ok()?;
            Some(chapter.call_ids().collect())
        })
    }
}

impl<'a> Chapter<'a> {
    /// The total cost of its turns; `None` if no price is known.
    pub fn cost(&self) -> Option<PicoUsd> {
        let costs = self.turns.iter().filter_map(|turn| self.costs.get(&turn.number));
        costs.copied().reduce(PicoUsd::plus)
    }

    /// The ids of its calls.
    fn call_ids(&self) -> impl Iterator<Item = &'a str> {
        self.calls().filter_map(|call| call.id.as_deref())
    }

    /// The calls of its turns, in order.
    pub fn calls(&self) -> impl Iterator<Item = &'a ToolCall<'a>> {
        let steps = self.turns.iter().flat_map(|turn| &turn.steps);
        steps.filter_map(|step| match step.kind {
            conversation::StepKind::Call(number) => self.all_turns.calls.get(number),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
