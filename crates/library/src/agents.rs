//! The sub-agents of a session as a tree.
//!
//! Agents with files of their own come from the store; those of the first era
//! are read out of the main transcript. What an agent was for is told, best
//! evidence first, by its `.meta.json`, by the result of the call that started
//! it, or by the call whose prompt it was given.

use crate::Library;
use crate::find::Found;
use crate::scan::{Trouble, read_lines};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use store::{Agent, AgentEra, Folder, Workflow, agents_below, flat_agent, workflows_below};
use transcript::{Body, RecordKind, parse_line};

/// How an agent was linked to the call that started it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Its `.meta.json` names the call.
    Meta,
    /// The call's result names the agent.
    Result,
    /// Its first message is the call's prompt: a guess.
    Prompt,
}

impl Evidence {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Meta => "meta",
            Evidence::Result => "result",
            Evidence::Prompt => "prompt",
        }
    }
}

/// A sub-agent in its place.
#[derive(Clone, Debug)]
pub struct AgentNode {
    /// Its id; of one written into the main transcript, its first line's uuid
    /// unless the lines name one.
    pub id: String,
    /// The agent that started it; none if the session itself did.
    pub parent_id: Option<String>,
    /// Its type: `Explore`, `Plan`, ….
    pub kind: Option<String>,
    /// What it was asked to do.
    pub description: Option<String>,
    /// The call that started it.
    pub tool_use_id: Option<String>,
    /// How that call is known.
    pub evidence: Option<Evidence>,
    /// Its transcript; the main one for agents written into it.
    pub path: Option<PathBuf>,
    /// Where it is written.
    pub era: AgentEra,
    /// The workflow run it belongs to.
    pub workflow: Option<String>,
    /// How many agents stand above it, from 1.
    pub depth: u64,
    /// Whether it only warmed up a cache.
    pub warmup: bool,
    /// Its model.
    pub model: Option<String>,
    /// The bytes of its lines.
    pub bytes: u64,
    /// How many lines it has.
    pub lines: u64,
}

/// A session's sub-agents and workflow runs.
#[derive(Clone, Debug, Default)]
pub struct AgentTree {
    /// The agents, parents before their children.
    pub agents: Vec<AgentNode>,
    /// The workflow runs.
    pub workflows: Vec<Workflow>,
    /// What could not be read.
    pub troubles: Vec<Trouble>,
}

/// A call that starts an agent.
#[derive(Clone, Debug, Default)]
struct Spawn {
    kind: Option<String>,
    description: Option<String>,
    prompt: Option<String>,
    /// The agent its result names.
    agent_id: Option<String>,
}

/// What reading one transcript tells about agents.
#[derive(Default)]
struct Told {
    spawns: BTreeMap<String, Spawn>,
    inline: Vec<AgentNode>,
    /// The inline agent each sidechain line belongs to, by uuid.
    members: HashMap<String, usize>,
    /// The prompt of each inline agent.
    prompts: Vec<String>,
    /// Whether each inline agent called tools.
    working: HashMap<usize, bool>,
    model: Option<String>,
    first_prompt: Option<String>,
    lines: u64,
    calls_tools: bool,
}

impl Library {
    /// All agents of all roots that have files of their own and exist for
    /// annals; those whose session is gone included.
    pub(crate) fn all_agents(&self) -> Vec<Agent> {
        let mut agents = Vec::new();
        for root in &self.roots {
            if let Some(file) = root.transcript().and_then(crate::list::single) {
                let parent = file.path.parent().map(|folder| Folder::new(folder.to_owned()));
                agents.extend(parent.into_iter().flat_map(|folder| folder.agents_of(&file.id)));
                agents.extend(file.folder.iter().flat_map(agents_below));
                continue;
            }
            for folder in root.folders().unwrap_or_default().0 {
                let Ok(listing) = folder.list() else { continue };
                agents.extend(listing.agents.iter().filter_map(|path| flat_agent(path)));
                let own = listing.sessions.iter().filter_map(|session| session.folder.as_ref());
                agents.extend(own.chain(&listing.orphans).flat_map(agents_below));
            }
        }
        agents.retain(|agent| !self.is_excluded(&agent.path, None));
        agents
    }

    /// The sub-agents of a session.
    pub fn agents(&self, found: &Found) -> AgentTree {
        let session = &found.session;
        let mut tree = AgentTree::default();
        let mut files: Vec<Agent> = Vec::new();
        if let Some(folder) = &session.session_folder {
            files.extend(agents_below(folder));
            tree.workflows = workflows_below(folder);
        }
        if let Some(folder) = session.path.as_deref().and_then(std::path::Path::parent) {
            files.extend(Folder::new(folder.to_owned()).agents_of(&session.id));
        }
        files.retain(|agent| !self.is_excluded(&agent.path, None));
        let mut main =
            session.path.as_deref().map(|path| tree.read(path, true)).unwrap_or_default();
        let mut told: Vec<Told> = files.iter().map(|agent| tree.read(&agent.path, false)).collect();
        let mut calls = Calls { spawns: std::mem::take(&mut main.spawns), ..Calls::default() };
        for (agent, told) in files.iter().zip(&mut told) {
            for (call, spawn) in std::mem::take(&mut told.spawns) {
                calls.writers.insert(call.clone(), agent.id.clone());
                calls.spawns.entry(call).or_insert(spawn);
            }
        }
        let mut nodes: Vec<(AgentNode, Option<String>)> = Vec::new();
        for (mut node, prompt) in main.inline.into_iter().zip(main.prompts) {
            node.path.clone_from(&session.path);
            nodes.push((node, Some(prompt)));
        }
        for (agent, told) in files.into_iter().zip(told) {
            nodes.push((file_node(agent, &told), told.first_prompt));
        }
        calls.index();
        // Certain links first, so that guesses choose among what is left.
        for (node, _) in &mut nodes {
            calls.link_surely(node);
        }
        for (node, prompt) in &mut nodes {
            calls.link_by_prompt(node, prompt.as_deref());
            calls.take_over(node);
        }
        let nodes = nodes.into_iter().map(|(node, _)| node).collect();
        tree.agents = in_order(nodes);
        tree
    }
}

impl AgentTree {
    fn read(&mut self, path: &std::path::Path, is_main: bool) -> Told {
        let mut told = Told::default();
        let read = read_lines(path, |line| {
            told.lines += 1;
            for entry in parse_line(line) {
                told.note(&entry.record, is_main);
            }
            true
        });
        self.troubles.extend(read.err());
        told
    }
}

impl Told {
    fn note(&mut self, record: &transcript::Record<'_>, is_main: bool) {
        match &record.body {
            Body::Assistant(_) => {
                let Some(message) = record.message() else { return };
                if self.model.is_none() {
                    self.model = message
                        .model
                        .as_deref()
                        .filter(|model| *model != "<synthetic>")
                        .map(str::to_owned);
                }
                for call in message.tool_uses() {
                    self.calls_tools = true;
                    self.note_call(call);
                }
            }
            Body::User(user) => {
                let Some(message) = record.message() else { return };
                if self.first_prompt.is_none() {
                    self.first_prompt = Some(message.text().into_owned());
                }
                for result in message.tool_results() {
                    let Some(call) = result.tool_use_id.as_ref() else { continue };
                    let Some(spawn) = self.spawns.get_mut(call.as_str()) else { continue };
                    let structured = user
                        .tool_use_result
                        .as_ref()
                        .and_then(|result| result.member_string("agentId"))
                        .map(std::borrow::Cow::into_owned);
                    let text = result.content.as_ref().map(transcript::Content::text);
                    spawn.agent_id = structured.or_else(|| named_agent(&text?).map(str::to_owned));
                }
            }
            _ => {}
        }
        if is_main && record.envelope.is_sidechain && record.kind.is_chain_member() {
            self.note_inline(record);
        }
    }

    fn note_call(&mut self, call: &transcript::ToolUse<'_>) {
        let (Some(id), Some(input)) = (&call.id, &call.input) else { return };
        if !matches!(call.name.as_deref(), Some("Task" | "Agent")) {
            return;
        }
        let text = |key| input.member_string(key).map(std::borrow::Cow::into_owned);
        let spawn = Spawn {
            kind: text("subagent_type"),
            description: text("description"),
            prompt: text("prompt"),
            agent_id: None,
        };
        self.spawns.insert(id.to_string(), spawn);
    }

    /// A line of an agent written into the main transcript. It belongs to the
    /// agent of its parent, or begins a new one.
    fn note_inline(&mut self, record: &transcript::Record<'_>) {
        let envelope = &record.envelope;
        let parent = envelope
            .parent_uuid
            .as_ref()
            .and_then(|parent| self.members.get(parent.as_str()))
            .copied();
        let number = parent.unwrap_or_else(|| {
            let id = envelope.agent_id.as_ref().map(ToString::to_string);
            let id =
                id.or_else(|| envelope.uuid.as_ref().map(ToString::to_string)).unwrap_or_default();
            self.inline.push(AgentNode {
                id,
                parent_id: None,
                kind: None,
                description: None,
                tool_use_id: None,
                evidence: None,
                path: None,
                era: AgentEra::Inline,
                workflow: None,
                depth: 1,
                warmup: false,
                model: None,
                bytes: 0,
                lines: 0,
            });
            let prompt = record.message().map(|message| message.text().into_owned());
            self.prompts.push(prompt.unwrap_or_default());
            self.inline.len() - 1
        });
        if let Some(uuid) = &envelope.uuid {
            self.members.insert(uuid.to_string(), number);
        }
        let calls_tools =
            record.message().is_some_and(|message| message.tool_uses().next().is_some());
        let works = self.working.entry(number).or_default();
        *works |= calls_tools;
        let node = &mut self.inline[number];
        node.lines += 1;
        node.warmup = is_warmup(self.prompts.get(number).map(String::as_str), *works, node.lines);
        node.bytes += record.raw.len() as u64;
        if record.kind == RecordKind::Assistant && node.model.is_none() {
            node.model =
                record.message().and_then(|message| message.model.as_deref()).map(str::to_owned);
        }
    }
}

/// The agent named in the trailer `agentId: <id> (for resuming …`.
fn named_agent(text: &str) -> Option<&str> {
    let (_, rest) = text.rsplit_once("agentId: ")?;
    let (id, _) = rest.split_once(" (for resuming")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!id.is_empty() && id.chars().all(plain)).then_some(id)
}

/// A warm-up: one word, a few lines, no work.
fn is_warmup(prompt: Option<&str>, calls_tools: bool, lines: u64) -> bool {
    prompt.map(str::trim) == Some("Warmup") && !calls_tools && lines <= 8
}

fn file_node(agent: Agent, told: &Told) -> AgentNode {
    AgentNode {
        id: agent.id,
        parent_id: agent.meta.parent_agent_id,
        kind: agent.meta.agent_type,
        description: agent.meta.description.or(agent.meta.name),
        evidence: agent.meta.tool_use_id.is_some().then_some(Evidence::Meta),
        tool_use_id: agent.meta.tool_use_id,
        path: Some(agent.path),
        era: agent.era,
        workflow: agent.workflow,
        depth: agent.meta.spawn_depth.unwrap_or(1).max(1),
        warmup: is_warmup(told.first_prompt.as_deref(), told.calls_tools, told.lines),
        model: agent.meta.model.or_else(|| told.model.clone()),
        bytes: agent.bytes,
        lines: told.lines,
    }
}

/// The calls that started agents, and which agents they are linked to.
#[derive(Default)]
struct Calls {
    spawns: BTreeMap<String, Spawn>,
    /// The agent that wrote a call; none if the session itself did.
    writers: HashMap<String, String>,
    taken: HashSet<String>,
    by_agent: HashMap<String, String>,
    by_prompt: HashMap<String, VecDeque<String>>,
}

impl Calls {
    /// Makes the maps by which agents find their calls.
    fn index(&mut self) {
        for (call, spawn) in &self.spawns {
            match (&spawn.agent_id, &spawn.prompt) {
                (Some(agent), _) => {
                    self.by_agent.entry(agent.clone()).or_insert_with(|| call.clone());
                }
                (None, Some(prompt)) => {
                    self.by_prompt.entry(prompt.clone()).or_default().push_back(call.clone());
                }
                (None, None) => {}
            }
        }
    }

    /// Links by what is written: the agent's own note, or the call's result.
    fn link_surely(&mut self, node: &mut AgentNode) {
        if node.tool_use_id.is_none()
            && let Some(call) = self.by_agent.get(&node.id)
        {
            node.tool_use_id = Some(call.clone());
            node.evidence = Some(Evidence::Result);
        }
        self.taken.extend(node.tool_use_id.clone());
    }

    /// Links by the prompt the agent was given. A call whose result names
    /// another agent is that one's, and each call starts one agent.
    fn link_by_prompt(&mut self, node: &mut AgentNode, prompt: Option<&str>) {
        if node.tool_use_id.is_some() {
            return;
        }
        let Some(calls) = prompt
            .filter(|prompt| !prompt.is_empty())
            .and_then(|prompt| self.by_prompt.get_mut(prompt))
        else {
            return;
        };
        while let Some(call) = calls.pop_front() {
            if self.taken.insert(call.clone()) {
                node.tool_use_id = Some(call);
                node.evidence = Some(Evidence::Prompt);
                return;
            }
        }
    }

    /// Takes over what the call says: what the agent was for, and who asked.
    fn take_over(&self, node: &mut AgentNode) {
        let Some(call) = &node.tool_use_id else { return };
        if let Some(spawn) = self.spawns.get(call) {
            node.kind = node.kind.take().or_else(|| spawn.kind.clone());
            node.description = node.description.take().or_else(|| spawn.description.clone());
        }
        let writer = self.writers.get(call).filter(|writer| **writer != node.id);
        node.parent_id = node.parent_id.take().or_else(|| writer.cloned());
    }
}

/// Parents before their children, siblings in the order they were found; depth
/// as deep as the chain of parents, where those are known.
fn in_order(nodes: Vec<AgentNode>) -> Vec<AgentNode> {
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
    // Agents that claim to have started each other.
    let mut rest: Vec<AgentNode> = children.into_values().flatten().collect();
    rest.sort_by(|one, two| one.path.cmp(&two.path));
    ordered.extend(rest);
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trailer_names_the_agent() {
        let text = "Done.\nagentId: ad2d877 (for resuming to continue this agent's work if needed)";
        assert_eq!(named_agent(text), Some("ad2d877"));
        assert_eq!(named_agent("agentId: "), None);
        assert_eq!(named_agent("nothing"), None);
    }
}
