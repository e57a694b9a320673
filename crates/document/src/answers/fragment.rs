//! Turns of an open session as an HTML fragment.
//!
//! Only what the turns reach is read: the agents that their calls started, the outputs
//! of their calls, the branches that stand among them. So a piece of a long session
//! costs about as much as a piece of a short one.

use super::thread::{Thread, ThreadPart};
use crate::AgentDetail;
use crate::pages::read_outputs;
use conversation::{
    AgentNode, Conversation, NodeId, PlacedBranch, PlacedOrphan, ToolCall, TurnNumber, Turns, View,
    agents_without_calls,
};
use jiff::tz::TimeZone;
use library::redaction::MaskedLine;
use library::sessions::{AgentConversation, OpenSession, SelectionError};
use render::{
    AbandonedBranch, AgentChapter, Chapter, Detail, ExportDocument, Fragment, FragmentLink,
    FragmentOptions, FragmentPlace, Heading, Omitted, OrphanSegment, html_turns,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use usage::PicoUsd;

/// Which turns to write, and how.
pub struct TurnFragmentOptions<'o> {
    /// The thread of the session.
    pub part: ThreadPart,
    /// The sub-agent whose conversation it is; it has only the main part.
    pub agent: Option<&'o str>,
    /// The rules by which the conversation is read.
    pub view: View,
    /// From this place; `None`: from the first turn.
    pub from: Option<FragmentPlace>,
    /// To this turn; `None`: to the last one.
    pub to: Option<TurnNumber>,
    /// The most turns.
    pub most_turns: usize,
    /// The size after which the fragment ends.
    pub max_bytes: usize,
    /// Whether thinking is shown.
    pub thinking: bool,
    /// How much of tool calls.
    pub tools: Detail,
    /// How much of sub-agents.
    pub agents: AgentDetail,
    /// The zone of times.
    pub zone: &'o TimeZone,
    /// Makes the address of what the fragment links to.
    pub url: &'o dyn Fn(&FragmentLink<'_>) -> String,
}

impl fmt::Debug for TurnFragmentOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = formatter.debug_struct("TurnFragmentOptions");
        options.field("part", &self.part).field("from", &self.from).field("to", &self.to);
        options.finish_non_exhaustive()
    }
}

/// Turns as an HTML fragment, and where to go on.
pub fn turn_fragment(
    session: &OpenSession,
    options: &TurnFragmentOptions<'_>,
) -> Result<Fragment, SelectionError> {
    let thread = Thread::new(session, &options.part, options.agent, options.view)?;
    let asked = thread.positions(options.from.map(|from| from.turn), options.to)?;
    let shown = asked.start..asked.end.min(asked.start.saturating_add(options.most_turns.max(1)));
    let first_step = options.from.map_or(0, |from| from.step);
    let is_end = shown.end == thread.turns.turns.len();
    let beside = Beside::new(&thread, shown.clone(), first_step, is_end);
    let mut agents = ReachedAgents::new(session, options);
    agents.reach(thread.calls_at(shown.clone()));
    for turns in beside.turns() {
        agents.reach(turns.calls.all().iter());
    }
    let is_main = options.part == ThreadPart::Main && options.agent.is_none();
    if is_end && is_main && session.found().agent_id().is_none() {
        agents.reach_unlinked(&thread);
    }
    let agents = agents.opened();
    let of_agents = agents.iter().filter_map(OpenedAgent::turns).chain(beside.turns());
    let calls = of_agents.flat_map(|turns| turns.calls.all());
    let calls = thread.calls_at(shown.clone()).chain(calls);
    let outputs = read_outputs(session, calls.filter(|_| options.tools != Detail::None));
    let persisted =
        |name: &str| outputs.get(name).map(|(text, _): &(String, Vec<MaskedLine>)| text.clone());

    let costs = thread.turn_costs();
    let main = chapter(thread.conversation, &thread.turns, shown.clone(), costs);
    let mut export = ExportDocument::new(Heading::default(), options.zone, main, &persisted);
    export.folder.clone_from(&session.found().session.metadata.cwd);
    export.thinking = options.thinking;
    export.tools = options.tools;
    export.branches = beside.branch_chapters(&thread);
    export.orphans = beside.orphan_chapters(&thread);
    let export = export.with_agents(agents.iter().map(OpenedAgent::chapter).collect());
    let before = shown.start.checked_sub(1).and_then(|place| thread.turns.turns.get(place));
    let day =
        before.and_then(|turn| turn.started).map(|it| it.to_zoned(options.zone.clone()).date());
    let of_first = thread.turns.turns.get(shown.start).and_then(|turn| turn.started);
    let of_first = of_first.map(|it| it.to_zoned(options.zone.clone()).date());
    let fragment = FragmentOptions {
        url: options.url,
        agent: options.agent,
        max_bytes: options.max_bytes,
        first_step,
        day_before: if first_step > 0 { of_first } else { day },
        is_end,
        is_whole_output: false,
    };
    let mut fragment = html_turns(&export, &fragment);
    if fragment.next.is_none() && shown.end < asked.end {
        let next = thread.turns.turns.get(shown.end);
        fragment.next = next.map(|turn| FragmentPlace { turn: turn.number, step: 0 });
    }
    Ok(fragment)
}

/// The turns of a chapter at these positions.
fn chapter<'a>(
    conversation: &'a Conversation<'a>,
    turns: &'a Turns<'a>,
    shown: Range<usize>,
    costs: HashMap<TurnNumber, PicoUsd>,
) -> Chapter<'a> {
    let range = turns.turns.get(shown).unwrap_or_default();
    Chapter {
        conversation,
        chain: Vec::new(),
        all_turns: turns,
        turns: range.iter().collect(),
        costs,
    }
}

/// Branches and orphaned segments that stand among the shown turns.
struct Beside<'t> {
    branches: Vec<(&'t PlacedBranch<'t>, Vec<NodeId>, Turns<'t>)>,
    orphans: Vec<(&'t PlacedOrphan<'t>, Turns<'t>)>,
}

impl<'t> Beside<'t> {
    fn new(thread: &'t Thread<'t>, shown: Range<usize>, first_step: usize, is_end: bool) -> Self {
        let mut beside = Beside { branches: Vec::new(), orphans: Vec::new() };
        let Some(placed) = thread.annotations else { return beside };
        if placed.branches.is_empty() && placed.orphans.is_empty() {
            return beside;
        }
        let turns = thread.turns.turns.get(shown).unwrap_or_default();
        let steps = turns
            .iter()
            .enumerate()
            .flat_map(|(at, turn)| turn.steps.iter().skip(if at == 0 { first_step } else { 0 }));
        let nodes: HashSet<NodeId> = steps.map(|step| step.node).collect();
        let is_here =
            |before: Option<NodeId>| before.map_or(is_end, |before| nodes.contains(&before));
        for placed in placed.branches.iter().filter(|placed| is_here(placed.before)) {
            let lines = thread.conversation.lines_of_branch(placed.branch);
            let turns = thread.conversation.turns_of(&lines);
            beside.branches.push((placed, lines, turns));
        }
        for placed in placed.orphans.iter().filter(|placed| is_here(placed.before)) {
            let turns = thread.conversation.turns_of(&placed.segment.messages);
            beside.orphans.push((placed, turns));
        }
        beside
    }

    fn turns(&self) -> impl Iterator<Item = &Turns<'t>> {
        let branches = self.branches.iter().map(|(_, _, turns)| turns);
        branches.chain(self.orphans.iter().map(|(_, turns)| turns))
    }

    fn branch_chapters<'a>(&'a self, thread: &'a Thread<'a>) -> Vec<AbandonedBranch<'a>> {
        let chapter =
            |(placed, lines, turns): &'a (&'t PlacedBranch<'t>, Vec<NodeId>, Turns<'t>)| {
                let costs = crate::pages::turn_costs(thread.costs, lines, turns);
                AbandonedBranch {
                    number: placed.number,
                    branch: placed.branch,
                    before: placed.before,
                    chapter: chapter(thread.conversation, turns, 0..turns.turns.len(), costs),
                }
            };
        self.branches.iter().map(chapter).collect()
    }

    fn orphan_chapters<'a>(&'a self, thread: &'a Thread<'a>) -> Vec<OrphanSegment<'a>> {
        let chapter = |(placed, turns): &'a (&'t PlacedOrphan<'t>, Turns<'t>)| {
            let costs = crate::pages::turn_costs(thread.costs, &placed.segment.messages, turns);
            OrphanSegment {
                segment: placed.segment,
                before: placed.before,
                chapter: chapter(thread.conversation, turns, 0..turns.turns.len(), costs),
            }
        };
        self.orphans.iter().map(chapter).collect()
    }
}

/// The agents that shown calls started, found as calls are met.
struct ReachedAgents<'s> {
    session: &'s OpenSession,
    detail: AgentDetail,
    view: View,
    nodes: &'s [AgentNode],
    by_call: HashMap<&'s str, Vec<usize>>,
    conversations: BTreeMap<usize, Result<AgentConversation<'s>, Omitted>>,
}

impl<'s> ReachedAgents<'s> {
    fn new(session: &'s OpenSession, options: &TurnFragmentOptions<'_>) -> Self {
        let is_inline = session.found().inline_agent.is_some();
        let nodes: &[AgentNode] = match options.agents {
            AgentDetail::Inline | AgentDetail::Fold if !is_inline => &session.agents().agents,
            _ => &[],
        };
        let mut by_call: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, node) in nodes.iter().enumerate() {
            if let Some(call) = &node.tool_use_id {
                by_call.entry(call).or_default().push(place);
            }
        }
        let (detail, view) = (options.agents, options.view);
        let conversations = BTreeMap::new();
        ReachedAgents { session, detail, view, nodes, by_call, conversations }
    }

    /// Adds the agents that calls started, and those that these started.
    fn reach<'c>(&mut self, calls: impl Iterator<Item = &'c ToolCall<'c>>) {
        if self.by_call.is_empty() {
            return;
        }
        let ids = calls.filter_map(|call| self.by_call.get(call.id.as_deref()?));
        let found: Vec<usize> = ids.flatten().copied().collect();
        self.add(found);
    }

    /// Adds the agents that no call started that a page of the whole session shows.
    fn reach_unlinked(&mut self, thread: &Thread<'_>) {
        if self.nodes.is_empty() {
            return;
        }
        let placed = thread.annotations;
        let branches = placed.into_iter().flat_map(|it| &it.branches);
        let branches = branches.map(|it| thread.conversation.lines_of_branch(it.branch));
        let orphans = placed.into_iter().flat_map(|it| &it.orphans);
        let orphans = orphans.map(|it| it.segment.messages.clone());
        let beside = branches.chain(orphans);
        let beside: Vec<_> = beside.map(|lines| thread.conversation.turns_of(&lines)).collect();
        let shown = std::iter::once(&*thread.turns).chain(&beside);
        let own: Vec<_> = self.nodes.iter().map(|node| self.turns_of(node)).collect();
        let nodes: Vec<&AgentNode> = self.nodes.iter().collect();
        let unlinked = agents_without_calls(&nodes, shown.flat_map(Turns::call_ids), |place| {
            own.get(place)?.as_ref().map(|turns| turns.call_ids().collect())
        });
        self.add(unlinked);
    }

    /// The turns of an agent whose conversation is shown.
    fn turns_of(&self, node: &AgentNode) -> Option<Cow<'s, Turns<'s>>> {
        match self.detail {
            AgentDetail::Inline => {
                let conversation = self.session.agent_conversation(node, self.view);
                conversation.ok().map(|conversation| conversation.whole_turns())
            }
            AgentDetail::Fold | AgentDetail::None => None,
        }
    }

    fn add(&mut self, mut waiting: Vec<usize>) {
        while let Some(place) = waiting.pop() {
            let Some(node) = self.nodes.get(place) else { continue };
            if self.conversations.contains_key(&place) {
                continue;
            }
            let conversation = match self.detail {
                AgentDetail::Inline => {
                    let read = self.session.agent_conversation(node, self.view);
                    read.map_err(Omitted::Unavailable)
                }
                AgentDetail::Fold | AgentDetail::None => Err(Omitted::ByOption),
            };
            if let Ok(conversation) = &conversation {
                let turns = conversation.whole_turns();
                waiting
                    .extend(turns.call_ids().filter_map(|call| self.by_call.get(call)).flatten());
                // An agent of a workflow has a parent but no call.
                let below = self.nodes.iter().enumerate().filter(|(_, other)| {
                    other.tool_use_id.is_none() && other.parent_id.as_ref() == Some(&node.id)
                });
                waiting.extend(below.map(|(place, _)| place));
            }
            self.conversations.insert(place, conversation);
        }
    }

    /// The agents in the order of the tree, with their turns.
    fn opened(self) -> Vec<OpenedAgent<'s>> {
        let places: BTreeSet<usize> = self.conversations.keys().copied().collect();
        let mut conversations = self.conversations;
        let open = |place: usize| {
            let node = self.nodes.get(place)?;
            let thread = conversations.remove(&place)?.map(|agent| Thread::of_conversation(&agent));
            Some(OpenedAgent { node, thread })
        };
        places.into_iter().filter_map(open).collect()
    }
}

/// An agent with its conversation.
struct OpenedAgent<'s> {
    node: &'s AgentNode,
    thread: Result<Thread<'s>, Omitted>,
}

impl<'s> OpenedAgent<'s> {
    fn turns(&self) -> Option<&Turns<'s>> {
        self.thread.as_ref().ok().map(|thread| thread.turns.as_ref())
    }

    fn chapter(&self) -> AgentChapter<'_> {
        let chapter = self.thread.as_ref().map(|thread| {
            let turns: &Turns<'_> = &thread.turns;
            chapter(thread.conversation, turns, 0..turns.turns.len(), thread.turn_costs())
        });
        AgentChapter { node: self.node, chapter: chapter.map_err(Clone::clone) }
    }
}
