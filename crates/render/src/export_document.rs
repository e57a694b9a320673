//! A session bound to be read elsewhere: what the pages and files that exports
//! write are made from.
//!
//! Everything is put together and masked before it comes here; the formats only
//! say how it looks. Reading files is not here, nor is cutting by turns.

use crate::telling::Detail;
use conversation::{
    AgentNode, Branch, Conversation, LostSegment, NodeId, ToolCall, Turn, Turns,
    agents_without_calls,
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use usage::PicoUsd;

/// What a session is called and where it comes from.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// Its title or what stands for one.
    pub title: String,
    /// Its id.
    pub session_id: String,
    /// The sub-agent, where only that is told.
    pub agent_id: Option<String>,
    /// The transcript.
    pub source: String,
    /// The project's folder.
    pub project: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// Models that answered, in the order they were met.
    pub models: Vec<String>,
    /// The version of Claude Code that wrote last.
    pub version: Option<String>,
    /// The first time written.
    pub started: Option<Timestamp>,
    /// The last.
    pub ended: Option<Timestamp>,
    /// The size of the transcript.
    pub bytes: u64,
}

/// A line of conversation: the session's own, a branch's, or an agent's.
#[derive(Clone, Debug)]
pub struct Chapter<'a> {
    /// The conversation it stands in.
    pub said: &'a Conversation<'a>,
    /// The lines it stands on: messages, and what the app noted between them.
    pub chain: Vec<NodeId>,
    /// What was said, turn by turn.
    pub telling: &'a Turns<'a>,
    /// The turns to tell, in order.
    pub turns: Vec<&'a Turn<'a>>,
    /// What its turns cost, by their numbers; not there where no price is known.
    pub costs: HashMap<u64, PicoUsd>,
}

/// What a person went back behind.
#[derive(Clone, Debug)]
pub struct AbandonedBranch<'a> {
    /// Its number, as `show --alt` takes it.
    pub number: usize,
    /// What is known of it.
    pub branch: &'a Branch,
    /// The line of the main chapter it stands before; none: at the end.
    pub before: Option<NodeId>,
    /// What was said on it.
    pub chapter: Chapter<'a>,
}

/// A piece that came loose: what it follows is missing.
#[derive(Clone, Debug)]
pub struct OrphanSegment<'a> {
    /// What is known of it.
    pub segment: &'a LostSegment,
    /// The line of the main chapter it stands before; none: at the end.
    pub before: Option<NodeId>,
    /// What was said in it.
    pub chapter: Chapter<'a>,
}

/// A line that follows nothing and that nothing follows: a snapshot, a change of
/// mode, a title.
#[derive(Clone, Debug)]
pub struct Unlinked {
    /// The kind of record.
    pub kind: String,
    /// What it says, where that is one word or text.
    pub value: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// The line of the main chapter it stands before; none: at the end.
    pub before: Option<NodeId>,
}

/// A sub-agent.
#[derive(Clone, Debug)]
pub struct AgentChapter<'a> {
    /// What is known of it.
    pub node: &'a AgentNode,
    /// Its conversation, or why it is not told.
    pub chapter: Result<Chapter<'a>, Omitted>,
}

/// Why an agent's conversation is not told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Omitted {
    /// Only a line was asked for.
    AsAsked,
    /// It could not be read, for this reason.
    Because(String),
}

/// What stands beside the main chapter.
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

/// What stands beside the main chapter and was not told yet, by the lines it
/// stands before; at the end comes last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asides<'v, 'a>(BTreeMap<usize, Vec<Aside<'v, 'a>>>);

impl<'v, 'a> Asides<'v, 'a> {
    fn place(&mut self, before: Option<NodeId>, aside: Aside<'v, 'a>) {
        self.0.entry(before.map_or(usize::MAX, NodeId::index)).or_default().push(aside);
    }

    /// What stands before a line of the main chapter.
    pub(crate) fn take(&mut self, node: NodeId) -> Vec<Aside<'v, 'a>> {
        self.0.remove(&node.index()).unwrap_or_default()
    }

    /// What is left once the main chapter is told, place by place: what stands
    /// before lines that are not told, and at the end.
    pub(crate) fn take_rest(&mut self) -> impl Iterator<Item = Vec<Aside<'v, 'a>>> + use<'v, 'a> {
        std::mem::take(&mut self.0).into_values()
    }
}

/// A session with everything that hangs at it.
pub struct ExportDocument<'a> {
    /// What it is called.
    pub heading: Heading,
    /// The zone of times.
    pub zone: &'a TimeZone,
    /// The folder that paths are shown relative to.
    pub folder: Option<String>,
    /// What was said, earlier generations first.
    pub main: Chapter<'a>,
    /// What was left behind.
    pub branches: Vec<AbandonedBranch<'a>>,
    /// What came loose.
    pub orphans: Vec<OrphanSegment<'a>>,
    /// Lines of the transcript that belong to no conversation.
    pub unlinked: Vec<Unlinked>,
    /// The sub-agents, parents before their children.
    pub agents: Vec<AgentChapter<'a>>,
    /// The text of an output that is kept in a file of its own.
    pub persisted: &'a dyn Fn(&str) -> Option<String>,
    /// Whether thoughts are told.
    pub thinking: bool,
    /// How much of what tools did is told.
    pub tools: Detail,
    /// What was left out by wish, to be said on the page: `turns 1 to 4`.
    pub left_out: Vec<String>,
    /// How many secrets are masked; none where nobody looked.
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
    /// An export of a main chapter alone.
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

    /// The same with its agents.
    #[must_use]
    pub fn with_agents(mut self, agents: Vec<AgentChapter<'a>>) -> Self {
        self.by_call.clear();
        for (place, agent) in agents.iter().enumerate() {
            if let Some(call) = &agent.node.tool_use_id {
                self.by_call.entry(call).or_default().push(place);
            }
        }
        self.agents = agents;
        self
    }

    /// The agents that a call started, by their places.
    pub fn agents_at(&self, call: &ToolCall<'_>) -> &[usize] {
        let places = call.id.as_deref().and_then(|id| self.by_call.get(id));
        places.map_or(&[], Vec::as_slice)
    }

    /// What stands beside the main chapter: of one place, what came loose before
    /// what was left behind, for that may be shown instead of all that follows.
    pub(crate) fn asides(&self) -> Asides<'_, 'a> {
        let mut asides = Asides::default();
        for orphan in &self.orphans {
            asides.place(orphan.before, Aside::Orphan(orphan));
        }
        for branch in &self.branches {
            asides.place(branch.before, Aside::Branch(branch));
        }
        asides
    }

    /// The agents that hang at no call that is shown, by their places, in the order
    /// of [`agents_without_calls`].
    pub fn agents_elsewhere(&self) -> Vec<usize> {
        let nodes: Vec<&AgentNode> = self.agents.iter().map(|agent| agent.node).collect();
        let branches = self.branches.iter().map(|branch| &branch.chapter);
        let orphans = self.orphans.iter().map(|orphan| &orphan.chapter);
        let shown = std::iter::once(&self.main).chain(branches).chain(orphans);
        agents_without_calls(&nodes, shown.flat_map(Chapter::call_ids), |place| {
            let chapter = self.agents[place].chapter.as_ref().ok()?;
            Some(chapter.call_ids().collect())
        })
    }
}

impl<'a> Chapter<'a> {
    /// What its turns cost together; none where no price is known.
    pub fn cost(&self) -> Option<PicoUsd> {
        let costs = self.turns.iter().filter_map(|turn| self.costs.get(&turn.number));
        costs.copied().reduce(PicoUsd::plus)
    }

    /// The ids of those calls.
    fn call_ids(&self) -> impl Iterator<Item = &'a str> {
        self.called().filter_map(|call| call.id.as_deref())
    }

    /// The calls of its turns, in order.
    pub fn called(&self) -> impl Iterator<Item = &'a ToolCall<'a>> {
        let steps = self.turns.iter().flat_map(|turn| &turn.steps);
        steps.filter_map(|step| match step.what {
            conversation::What::Called(number) => self.telling.calls.get(number),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
