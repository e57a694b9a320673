//! Sub-agents, each at the call that started it.
//!
//! Where an agent belongs is told, best evidence first, by what is written
//! beside its transcript, by the result of the call, by that result's last
//! line, and, as guesses, by the prompt it was given or the moment it began.
//! Agents of the first era have no file: they are lines of the main transcript.

use crate::call::is_spawn;
use crate::turn::Tokens;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use transcript::prompt::is_interruption;
use transcript::{Body, Record, ToolUse};

/// How an agent was linked to the call that started it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// Its `.meta.json` names the call.
    Meta,
    /// The call's result names the agent.
    Result,
    /// The last line of the result's text does.
    Trailer,
    /// Its first message is the call's prompt: a guess.
    Prompt,
    /// It began within a second of the call: a guess.
    Time,
}

impl Evidence {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Meta => "meta",
            Evidence::Result => "result",
            Evidence::Trailer => "trailer",
            Evidence::Prompt => "prompt",
            Evidence::Time => "time",
        }
    }

    /// Whether it is only likely.
    pub fn is_guess(self) -> bool {
        matches!(self, Evidence::Prompt | Evidence::Time)
    }
}

/// How an agent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It said its last word.
    Done,
    /// The call that started it failed, or the API did.
    Failed,
    /// The person stopped it.
    Stopped,
    /// It ends in the middle of its work.
    Unfinished,
}

impl Outcome {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Failed => "failed",
            Outcome::Stopped => "stopped",
            Outcome::Unfinished => "unfinished",
        }
    }
}

/// What is written about an agent beside its transcript; any of it may be
/// missing but the id.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// Its id.
    pub id: String,
    /// The agent that started it.
    pub parent_id: Option<String>,
    /// Its type.
    pub kind: Option<String>,
    /// What it was asked to do.
    pub description: Option<String>,
    /// The call that started it.
    pub tool_use_id: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// How many agents stand above it.
    pub depth: Option<u64>,
    /// The workflow run it belongs to.
    pub workflow: Option<String>,
    /// The phase of that run.
    pub phase: Option<String>,
    /// Whether the person stopped it.
    pub is_stopped: bool,
    /// The size of its transcript.
    pub bytes: u64,
}

/// A sub-agent in its place.
#[derive(Clone, Debug, Default)]
pub struct AgentNode {
    /// Its id; of one written into the main transcript, its first line's uuid
    /// unless the lines name one.
    pub id: String,
    /// Which of the given files it is; none if it is written into the main one.
    pub file: Option<usize>,
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
    /// The workflow run it belongs to.
    pub workflow: Option<String>,
    /// The phase of that run.
    pub phase: Option<String>,
    /// How many agents stand above it, from 1.
    pub depth: u64,
    /// The generation of the session it began in, from 1: each compaction
    /// begins one.
    pub generation: u64,
    /// Whether it only warmed up a cache.
    pub warmup: bool,
    /// Its model.
    pub model: Option<String>,
    /// The bytes of its lines.
    pub bytes: u64,
    /// How many lines it has.
    pub lines: u64,
    /// The first time written.
    pub started: Option<Timestamp>,
    /// The last.
    pub ended: Option<Timestamp>,
    /// Tokens of its API calls.
    pub tokens: Tokens,
    /// Tools it called.
    pub calls: u64,
    /// Answers that were errors.
    pub errors: u64,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// A call that starts an agent.
#[derive(Clone, Debug)]
struct Spawn {
    call: String,
    kind: Option<String>,
    description: Option<String>,
    prompt: Option<String>,
    line: u64,
    time: Option<Timestamp>,
    /// The agent its result names.
    names: Option<(String, Evidence)>,
    failed: bool,
}

/// What the lines of one agent tell.
#[derive(Clone, Debug, Default)]
struct Work {
    id: String,
    prompt: Option<String>,
    model: Option<String>,
    bytes: u64,
    lines: u64,
    started: Option<Timestamp>,
    ended: Option<Timestamp>,
    responses: HashMap<String, Tokens>,
    calls: u64,
    errors: u64,
    outcome: Option<Outcome>,
}

impl Work {
    fn note(&mut self, record: &Record<'_>) {
        self.lines += 1;
        self.bytes += record.raw.len() as u64;
        if let Some(time) = record.time() {
            self.started = Some(self.started.map_or(time, |first| first.min(time)));
            self.ended = Some(self.ended.map_or(time, |last| last.max(time)));
        }
        let Some(message) = record.message() else { return };
        match &record.body {
            Body::Assistant(assistant) => {
                let model = message.model.as_deref().filter(|model| *model != "<synthetic>");
                self.model = self.model.take().or_else(|| model.map(str::to_owned));
                self.calls += message.tool_uses().count() as u64;
                let id = message.id.as_ref().map(ToString::to_string);
                let id = id.or_else(|| record.envelope.uuid.as_ref().map(ToString::to_string));
                if let (Some(id), Some(usage)) = (id, &message.usage) {
                    let own = self.responses.entry(id).or_default();
                    *own = own.or_fuller(Tokens::of(usage));
                }
                let works_on = message.tool_uses().next().is_some();
                self.outcome = Some(match (assistant.is_api_error_message, works_on) {
                    (true, _) => Outcome::Failed,
                    (false, true) => Outcome::Unfinished,
                    (false, false) => Outcome::Done,
                });
            }
            Body::User(_) => {
                let text = message.text();
                if self.prompt.is_none() {
                    self.prompt = Some(text.clone().into_owned());
                }
                self.errors +=
                    message.tool_results().filter(|result| result.is_error).count() as u64;
                self.outcome = Some(if is_interruption(text.trim()) {
                    Outcome::Stopped
                } else {
                    Outcome::Unfinished
                });
            }
            _ => {}
        }
    }

    /// A warm-up: one word, a few lines, no work.
    fn is_warmup(&self) -> bool {
        let prompt = self.prompt.as_deref().map(str::trim);
        prompt == Some("Warmup") && self.calls == 0 && self.lines <= 8
    }

    fn into_node(self) -> AgentNode {
        AgentNode {
            warmup: self.is_warmup(),
            id: self.id,
            depth: 1,
            generation: 1,
            model: self.model,
            bytes: self.bytes,
            lines: self.lines,
            started: self.started,
            ended: self.ended,
            tokens: self.responses.into_values().fold(Tokens::default(), Tokens::plus),
            calls: self.calls,
            errors: self.errors,
            outcome: self.outcome,
            ..AgentNode::default()
        }
    }
}

/// What one transcript tells about agents: its own work, the calls that start
/// others, and the agents written into it.
#[derive(Clone, Debug, Default)]
pub struct AgentNotes {
    work: Work,
    spawns: Vec<Spawn>,
    by_call: HashMap<String, usize>,
    inline: Vec<Work>,
    /// The inline agent each sidechain line belongs to, by uuid.
    members: HashMap<String, usize>,
    /// Where compactions happened.
    boundaries: Vec<(u64, Option<Timestamp>)>,
}

impl AgentNotes {
    /// Notes a record. `is_main` says whether it stands in the main transcript,
    /// where lines of sidechains are other agents'.
    pub fn note(&mut self, line: u64, record: &Record<'_>, is_main: bool) {
        match &record.body {
            Body::Assistant(_) => {
                let calls = record.message().into_iter().flat_map(transcript::Message::tool_uses);
                for call in calls {
                    self.note_call(line, record, call);
                }
            }
            Body::User(user) => {
                let results =
                    || record.message().into_iter().flat_map(transcript::Message::tool_results);
                // What the app knows of a result is written once for the line.
                let told = user.tool_use_result.as_ref().filter(|_| results().count() == 1);
                for result in results() {
                    let Some(id) = result.tool_use_id.as_ref() else { continue };
                    let Some(place) = self.by_call.get(id.as_str()) else { continue };
                    let spawn = &mut self.spawns[*place];
                    spawn.failed = result.is_error;
                    let told = told.and_then(|result| result.member_string("agentId"));
                    let text = result.content.as_ref().map(transcript::Content::text);
                    spawn.names = match (told, text.as_deref().and_then(named_agent)) {
                        (Some(id), _) => Some((id.into_owned(), Evidence::Result)),
                        (None, Some(id)) => Some((id.to_owned(), Evidence::Trailer)),
                        (None, None) => spawn.names.take(),
                    };
                }
            }
            Body::System(system) if system.subtype.as_deref() == Some("compact_boundary") => {
                self.boundaries.push((line, record.time()));
            }
            _ => {}
        }
        if !is_main {
            self.work.note(record);
        } else if record.envelope.is_sidechain && record.kind.is_chain_member() {
            self.note_inline(record);
        }
    }

    fn note_call(&mut self, line: u64, record: &Record<'_>, call: &ToolUse<'_>) {
        let (Some(id), Some(input)) = (&call.id, &call.input) else { return };
        if !call.name.as_deref().is_some_and(is_spawn) {
            return;
        }
        let text = |key| input.member_string(key).map(Cow::into_owned);
        let spawn = Spawn {
            call: id.to_string(),
            kind: text("subagent_type"),
            description: text("description"),
            prompt: text("prompt"),
            line,
            time: record.time(),
            names: None,
            failed: false,
        };
        if !self.by_call.contains_key(id.as_str()) {
            self.by_call.insert(id.to_string(), self.spawns.len());
            self.spawns.push(spawn);
        }
    }

    /// A line of an agent written into the main transcript. It belongs to the
    /// agent of its parent, or begins a new one.
    fn note_inline(&mut self, record: &Record<'_>) {
        let envelope = &record.envelope;
        let parent = envelope.parent_uuid.as_ref();
        let known = parent.and_then(|parent| self.members.get(parent.as_str())).copied();
        let number = known.unwrap_or_else(|| {
            let id = envelope.agent_id.as_ref().map(ToString::to_string);
            let id = id.or_else(|| envelope.uuid.as_ref().map(ToString::to_string));
            self.inline.push(Work { id: id.unwrap_or_default(), ..Work::default() });
            self.inline.len() - 1
        });
        if let Some(uuid) = &envelope.uuid {
            self.members.insert(uuid.to_string(), number);
        }
        self.inline[number].note(record);
    }

    /// The agent written into this transcript that a line belongs to.
    pub fn inline_agent(&self, uuid: &str) -> Option<&str> {
        let number = self.members.get(uuid)?;
        self.inline.get(*number).map(|work| work.id.as_str())
    }

    /// The generation a line or a moment falls into, from 1.
    fn generation(&self, line: Option<u64>, time: Option<Timestamp>) -> u64 {
        let before = self.boundaries.iter().filter(|(boundary, then)| match (line, time, then) {
            (Some(line), _, _) => *boundary < line,
            (None, Some(time), Some(then)) => *then < time,
            _ => false,
        });
        1 + before.count() as u64
    }
}

/// The agent named in the trailer `agentId: <id> (for resuming …`.
fn named_agent(text: &str) -> Option<&str> {
    let (_, rest) = text.rsplit_once("agentId: ")?;
    let (id, _) = rest.split_once(" (for resuming")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!id.is_empty() && id.chars().all(plain)).then_some(id)
}

/// How far an agent's first line may be from its call.
const MOMENT: i64 = 1_000;

/// Links the agents of a session to their calls: those written into the main
/// transcript, and those with files of their own. Parents come before their
/// children.
pub fn link_agents(main: &AgentNotes, files: Vec<(Claim, AgentNotes)>) -> Vec<AgentNode> {
    let mut calls = Calls::default();
    for spawn in &main.spawns {
        calls.add(spawn.clone(), None);
    }
    let mut found: Vec<(AgentNode, Option<String>)> = Vec::new();
    for work in &main.inline {
        found.push((work.clone().into_node(), work.prompt.clone()));
    }
    for (place, (claim, notes)) in files.into_iter().enumerate() {
        for spawn in notes.spawns {
            calls.add(spawn, Some(claim.id.clone()));
        }
        let prompt = notes.work.prompt.clone();
        let told = notes.work.into_node();
        found.push((claimed(claim, told, place), prompt));
    }
    calls.index();
    // Certain links first, so that guesses choose among what is left.
    for (node, _) in &mut found {
        calls.link_surely(node);
    }
    for (node, prompt) in &mut found {
        calls.link_by_prompt(node, prompt.as_deref());
    }
    for (node, _) in &mut found {
        calls.link_by_time(node);
        calls.take_over(node, main);
    }
    in_order(found.into_iter().map(|(node, _)| node).collect())
}

/// An agent with a file of its own: what is written beside it, then what it
/// tells itself.
fn claimed(claim: Claim, told: AgentNode, place: usize) -> AgentNode {
    AgentNode {
        id: claim.id,
        file: Some(place),
        parent_id: claim.parent_id,
        kind: claim.kind,
        description: claim.description,
        evidence: claim.tool_use_id.is_some().then_some(Evidence::Meta),
        tool_use_id: claim.tool_use_id,
        workflow: claim.workflow,
        phase: claim.phase,
        depth: claim.depth.unwrap_or(1).max(1),
        model: claim.model.or(told.model),
        bytes: claim.bytes,
        outcome: if claim.is_stopped { Some(Outcome::Stopped) } else { told.outcome },
        ..told
    }
}

/// The calls that started agents, and which agents they are linked to.
#[derive(Default)]
struct Calls {
    spawns: Vec<Spawn>,
    by_call: HashMap<String, usize>,
    /// The agent that wrote a call; none if the session itself did.
    writers: HashMap<String, String>,
    taken: HashSet<String>,
    by_agent: HashMap<String, usize>,
    by_prompt: HashMap<String, VecDeque<usize>>,
}

impl Calls {
    fn add(&mut self, spawn: Spawn, writer: Option<String>) {
        if self.by_call.contains_key(&spawn.call) {
            return;
        }
        self.by_call.insert(spawn.call.clone(), self.spawns.len());
        if let Some(writer) = writer {
            self.writers.insert(spawn.call.clone(), writer);
        }
        self.spawns.push(spawn);
    }

    /// Makes the maps by which agents find their calls.
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

    /// Links by what is written: the agent's own note, or the call's result.
    fn link_surely(&mut self, node: &mut AgentNode) {
        if node.tool_use_id.is_none()
            && let Some(place) = self.by_agent.get(&node.id)
        {
            let spawn = &self.spawns[*place];
            node.tool_use_id = Some(spawn.call.clone());
            node.evidence = spawn.names.as_ref().map(|(_, evidence)| *evidence);
        }
        self.taken.extend(node.tool_use_id.clone());
    }

    /// Links by the prompt the agent was given. A call whose result names
    /// another agent is that one's, and each call starts one agent.
    fn link_by_prompt(&mut self, node: &mut AgentNode, prompt: Option<&str>) {
        if node.tool_use_id.is_some() {
            return;
        }
        let prompt = prompt.filter(|prompt| !prompt.is_empty());
        let Some(places) = prompt.and_then(|prompt| self.by_prompt.get_mut(prompt)) else {
            return;
        };
        // Nobody starts itself, though it may pass on what it was told.
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

    /// Links by the moment: the nearest call nobody else has, within a second.
    /// Agents of workflows are started by their run and by no call.
    fn link_by_time(&mut self, node: &mut AgentNode) {
        let Some(started) = node.started else { return };
        if node.tool_use_id.is_some() || node.workflow.is_some() || node.warmup {
            return;
        }
        let far = |spawn: &Spawn| {
            let time = spawn.time?;
            Some((started.as_millisecond() - time.as_millisecond()).abs())
        };
        let free = self.spawns.iter().filter(|spawn| {
            spawn.names.is_none()
                && !self.taken.contains(&spawn.call)
                && self.writers.get(&spawn.call) != Some(&node.id)
        });
        let nearest = free
            .filter_map(|spawn| Some((far(spawn).filter(|far| *far <= MOMENT)?, spawn)))
            .min_by_key(|(far, _)| *far);
        if let Some((_, spawn)) = nearest {
            node.tool_use_id = Some(spawn.call.clone());
            node.evidence = Some(Evidence::Time);
            self.taken.insert(spawn.call.clone());
        }
    }

    /// Takes over what the call says: what the agent was for, who asked, when.
    fn take_over(&self, node: &mut AgentNode, main: &AgentNotes) {
        let spawn = node.tool_use_id.as_ref().and_then(|call| self.by_call.get(call));
        let spawn = spawn.map(|place| &self.spawns[*place]);
        let writer = spawn.and_then(|spawn| self.writers.get(&spawn.call));
        let line = spawn.filter(|_| writer.is_none()).map(|spawn| spawn.line);
        let time = node.started.or(spawn.and_then(|spawn| spawn.time));
        node.generation = main.generation(line, time);
        let Some(spawn) = spawn else { return };
        node.kind = node.kind.take().or_else(|| spawn.kind.clone());
        node.description = node.description.take().or_else(|| spawn.description.clone());
        if spawn.failed && node.outcome != Some(Outcome::Stopped) {
            node.outcome = Some(Outcome::Failed);
        }
        let writer = writer.filter(|writer| **writer != node.id);
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
    rest.sort_by_key(|node| node.file);
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
