//! Links sub-agents to the calls that started them.
//!
//! The evidence, best first: the metadata file of the agent's transcript, the
//! progress records with its lines, the result of the call, the last line of that result, and, as guesses, the prompt
//! of the agent or the time it started. In old transcripts agents have no files:
//! they are lines of the main transcript, or of its progress records.
//!
//! Deliberately not here: collecting that evidence from records; see
//! `agent_scan.rs`.

use crate::agent_scan::{AgentScan, SpawnCall};
use crate::turn::Tokens;
use jiff::Timestamp;
use std::collections::{HashMap, HashSet, VecDeque};

/// How an agent was linked to the call that started it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// Its `.meta.json` names the call.
    Meta,
    /// The `progress` records with its lines name the call.
    Progress,
    /// The call's result names the agent.
    Result,
    /// The last line of the result's text names the agent.
    Trailer,
    /// Its first message is the call's prompt: a guess.
    Prompt,
    /// It started within a second of the call: a guess.
    Time,
}

impl Evidence {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Meta => "meta",
            Evidence::Progress => "progress",
            Evidence::Result => "result",
            Evidence::Trailer => "trailer",
            Evidence::Prompt => "prompt",
            Evidence::Time => "time",
        }
    }

    /// Whether the link is a guess.
    pub fn is_guess(self) -> bool {
        matches!(self, Evidence::Prompt | Evidence::Time)
    }
}

/// How an agent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It finished with an answer.
    Done,
    /// The call that started it failed, or the API returned an error.
    Failed,
    /// The person stopped it.
    Stopped,
    /// Its transcript ends in the middle of its work.
    Unfinished,
}

impl Outcome {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Failed => "failed",
            Outcome::Stopped => "stopped",
            Outcome::Unfinished => "unfinished",
        }
    }
}

/// An agent with its own transcript file, and its metadata. Only the id is always
/// known.
#[derive(Clone, Debug, Default)]
pub struct AgentFile {
    /// Its id.
    pub id: String,
    /// The agent that started it.
    pub parent_id: Option<String>,
    /// Its type.
    pub kind: Option<String>,
    /// Its task in a few words.
    pub description: Option<String>,
    /// The call that started it.
    pub tool_use_id: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// How many agents are above it.
    pub depth: Option<u64>,
    /// The workflow run it belongs to.
    pub workflow: Option<String>,
    /// The phase of that run.
    pub phase: Option<String>,
    /// Whether the person stopped it.
    pub is_stopped: bool,
    /// The size of its transcript in bytes.
    pub bytes: u64,
}

/// A sub-agent, linked to its call and its parent.
#[derive(Clone, Debug, Default)]
pub struct AgentNode {
    /// Its id. If the agent is written into the main transcript and its lines name
    /// no id, the uuid of its first line.
    pub id: String,
    /// Its index among the given files; `None` if it is written into the main transcript.
    pub file: Option<usize>,
    /// The agent that started it; `None` if the session itself did.
    pub parent_id: Option<String>,
    /// Its type: `Explore`, `Plan`, ….
    pub kind: Option<String>,
    /// Its task in a few words.
    pub description: Option<String>,
    /// The call that started it.
    pub tool_use_id: Option<String>,
    /// The evidence for that call.
    pub evidence: Option<Evidence>,
    /// The workflow run it belongs to.
    pub workflow: Option<String>,
    /// The phase of that run.
    pub phase: Option<String>,
    /// How many agents are above it, from 1.
    pub depth: u64,
    /// The generation of the session in which it started, from 1.
    pub generation: u64,
    /// Whether it only warmed up the cache.
    pub warmup: bool,
    /// Its model.
    pub model: Option<String>,
    /// The size of its lines in bytes.
    pub bytes: u64,
    /// How many lines it has.
    pub lines: u64,
    /// The earliest time in its lines.
    pub started: Option<Timestamp>,
    /// The latest time in its lines.
    pub ended: Option<Timestamp>,
    /// Tokens of its API calls.
    pub tokens: Tokens,
    /// How many tools it called.
    pub calls: u64,
    /// How many errors: failed calls, failed results without a call, and errors of the API.
    pub errors: u64,
    /// How often its context was compacted; 0 for one written into the main transcript,
    /// whose compactions are the session's.
    pub compactions: u64,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// The most milliseconds between a call and the agent's first line.
const MOST_DISTANCE_MS: i64 = 1_000;

/// Links the agents of a session to their calls: those written into the main
/// transcript, and those with separate files. Parents come before their children.
pub fn link_agents(main: &AgentScan, files: Vec<(AgentFile, AgentScan)>) -> Vec<AgentNode> {
    let mut calls = SpawnCalls::default();
    for spawn in &main.spawns {
        calls.add(spawn.clone(), None);
    }
    let mut found: Vec<(AgentNode, Option<String>)> = Vec::new();
    let with_files: HashSet<&str> = files.iter().map(|(file, _)| file.id.as_str()).collect();
    for work in &main.inline {
        // The file is the conversation: the progress records only repeat it.
        if !(work.is_repeated && with_files.contains(work.id.as_str())) {
            found.push((work.clone().into_node(), work.prompt.clone()));
        }
    }
    for (index, (file, scan)) in files.into_iter().enumerate() {
        for spawn in scan.spawns {
            calls.add(spawn, Some(file.id.clone()));
        }
        let prompt = scan.work.prompt.clone();
        let compactions = scan.boundaries.len() as u64;
        let node = AgentNode { compactions, ..scan.work.into_node() };
        found.push((node_of_file(file, node, index), prompt));
    }
    calls.index();
    // Certain links first, so that guesses choose among the remaining calls.
    for (node, _) in &mut found {
        calls.link_by_record(node);
    }
    for (node, prompt) in &mut found {
        calls.link_by_prompt(node, prompt.as_deref());
    }
    for (node, _) in &mut found {
        calls.link_by_time(node);
        calls.copy_from_call(node, main);
    }
    parents_first(found.into_iter().map(|(node, _)| node).collect())
}

/// The node of an agent with a separate file: its metadata, completed by the
/// figures from its lines.
fn node_of_file(file: AgentFile, node: AgentNode, index: usize) -> AgentNode {
    AgentNode {
        id: file.id,
        file: Some(index),
        parent_id: file.parent_id,
        kind: file.kind,
        description: file.description,
        evidence: file.tool_use_id.is_some().then_some(Evidence::Meta),
        tool_use_id: file.tool_use_id,
        workflow: file.workflow,
        phase: file.phase,
        depth: file.depth.unwrap_or(1).max(1),
        model: file.model.or(node.model),
        bytes: file.bytes,
        outcome: if file.is_stopped { Some(Outcome::Stopped) } else { node.outcome },
        ..node
    }
}

/// The calls that started agents, and which agents they are linked to.
#[derive(Default)]
struct SpawnCalls {
    spawns: Vec<SpawnCall>,
    by_call: HashMap<String, usize>,
    /// The agent that made a call; absent if the session itself did.
    writers: HashMap<String, String>,
    taken: HashSet<String>,
    by_agent: HashMap<String, usize>,
    by_prompt: HashMap<String, VecDeque<usize>>,
}

impl SpawnCalls {
    fn add(&mut self, spawn: SpawnCall, writer: Option<String>) {
        if self.by_call.contains_key(&spawn.call) {
            return;
        }
        self.by_call.insert(spawn.call.clone(), self.spawns.len());
        if let Some(writer) = writer {
            self.writers.insert(spawn.call.clone(), writer);
        }
        self.spawns.push(spawn);
    }

    /// Builds the maps by which agents are matched with calls.
    fn index(&mut self) {
        for (place, spawn) in self.spawns.iter().enumerate() {
            match (&spawn.names, &spawn.prompt) {
                (Some((agent, _)), _) => {
                    self.by_agent.entry(agent.clone()).or_insert(place);
                }
                (None, Some(prompt)) => {
                    self.by_prompt.entry(prompt.clone()).or_default().push_back(place);
                }
                (None, None) => {}
            }
        }
    }

    /// Links by a recorded id: the agent's metadata, or the call's result.
    fn link_by_record(&mut self, node: &mut AgentNode) {
        if node.tool_use_id.is_none()
            && let Some(place) = self.by_agent.get(&node.id)
        {
            let spawn = &self.spawns[*place];
            node.tool_use_id = Some(spawn.call.clone());
            node.evidence = spawn.names.as_ref().map(|(_, evidence)| *evidence);
        }
        self.taken.extend(node.tool_use_id.clone());
    }

    /// Links by the agent's prompt. A call whose result names an agent belongs to
    /// that agent, and each call starts one agent.
    fn link_by_prompt(&mut self, node: &mut AgentNode, prompt: Option<&str>) {
        if node.tool_use_id.is_some() {
            return;
        }
        let prompt = prompt.filter(|prompt| !prompt.is_empty());
        let Some(places) = prompt.and_then(|prompt| self.by_prompt.get_mut(prompt)) else {
            return;
        };
        // An agent does not start itself, though it may pass on its own prompt.
        let mut own = Vec::new();
        while let Some(place) = places.pop_front() {
            let call = &self.spawns[place].call;
            if self.writers.get(call) == Some(&node.id) {
                own.push(place);
            } else if self.taken.insert(call.clone()) {
                node.tool_use_id = Some(call.clone());
                node.evidence = Some(Evidence::Prompt);
                break;
            }
        }
        for place in own.into_iter().rev() {
            places.push_front(place);
        }
    }

    /// Links by time: the nearest unlinked call within a second. Workflow agents are
    /// started by their run, not by a call.
    fn link_by_time(&mut self, node: &mut AgentNode) {
        let Some(started) = node.started else { return };
        if node.tool_use_id.is_some() || node.workflow.is_some() || node.warmup {
            return;
        }
        let distance = |spawn: &SpawnCall| {
            let time = spawn.time?;
            Some((started.as_millisecond() - time.as_millisecond()).abs())
        };
        let unlinked = self.spawns.iter().filter(|spawn| {
            spawn.names.is_none()
                && !self.taken.contains(&spawn.call)
                && self.writers.get(&spawn.call) != Some(&node.id)
        });
        let nearest = unlinked
            .filter_map(|spawn| {
                Some((distance(spawn).filter(|distance| *distance <= MOST_DISTANCE_MS)?, spawn))
            })
            .min_by_key(|(distance, _)| *distance);
        if let Some((_, spawn)) = nearest {
            node.tool_use_id = Some(spawn.call.clone());
            node.evidence = Some(Evidence::Time);
            self.taken.insert(spawn.call.clone());
        }
    }

    /// Copies from the call: description, parent, generation, failure.
    fn copy_from_call(&self, node: &mut AgentNode, main: &AgentScan) {
        let spawn = node.tool_use_id.as_ref().and_then(|call| self.by_call.get(call));
        let spawn = spawn.map(|place| &self.spawns[*place]);
        let writer = spawn.and_then(|spawn| self.writers.get(&spawn.call));
        let line = spawn.filter(|_| writer.is_none()).map(|spawn| spawn.line);
        let time = node.started.or(spawn.and_then(|spawn| spawn.time));
        node.generation = main.generation(line, time);
        let Some(spawn) = spawn else { return };
        node.kind = node.kind.take().or_else(|| spawn.kind.clone());
        node.description = node.description.take().or_else(|| spawn.description.clone());
        // Progress records end before the answer, which is the result of the call.
        if node.evidence == Some(Evidence::Progress) && spawn.is_answered {
            node.outcome = Some(Outcome::Done);
        }
        if spawn.failed && node.outcome != Some(Outcome::Stopped) {
            node.outcome = Some(Outcome::Failed);
        }
        let writer = writer.filter(|writer| **writer != node.id);
        node.parent_id = node.parent_id.take().or_else(|| writer.cloned());
    }
}

/// Sorts parents before their children, and siblings in the order they were found.
/// The depth is at least the number of known ancestors.
fn parents_first(nodes: Vec<AgentNode>) -> Vec<AgentNode> {
    let ids: HashSet<String> = nodes.iter().map(|node| node.id.clone()).collect();
    let mut children: HashMap<Option<String>, VecDeque<AgentNode>> = HashMap::new();
    for node in nodes {
        let parent = node.parent_id.clone().filter(|id| ids.contains(id));
        children.entry(parent).or_default().push_back(node);
    }
    let mut ordered = Vec::new();
    let mut above: Vec<(Option<String>, u64)> = vec![(None, 1)];
    while let Some((parent, depth)) = above.last().cloned() {
        let Some(mut child) = children.get_mut(&parent).and_then(VecDeque::pop_front) else {
            above.pop();
            continue;
        };
        child.depth = child.depth.max(depth);
        above.push((Some(child.id.clone()), child.depth.saturating_add(1)));
        ordered.push(child);
    }
    // Agents that name each other as parent.
    let mut rest: Vec<AgentNode> = children.into_values().flatten().collect();
    rest.sort_by_key(|node| node.file);
    ordered.extend(rest);
    ordered
}
