//! The sub-agents of a session as a tree.
//!
//! Agents with separate files come from the store; those that early versions
//! wrote into the main transcript, and those that only its progress records
//! repeat, are read from it. The conversation decides where each belongs.

use crate::catalog::agent_files::FlatAgents;
use crate::catalog::find::FoundSession;
use crate::lines::repeated::{nested_agents, transcript_of};
use crate::lines::scan::{ReadError, read_lines};
use crate::lines::whole::read_whole;
use crate::redaction::masking::Masking;
use crate::session::Session;
use crate::sessions::Sessions;
use crate::stores::Tier;
use conversation::{AgentFile, AgentNode, AgentScan, link_agents};
use memchr::memmem;
use std::collections::HashSet;
use std::path::Path;
use store::{Agent, AgentEra, Workflow, workflows_below};
use transcript::{Line, parse_line};

/// A session's sub-agents and workflow runs.
#[derive(Clone, Debug, Default)]
pub struct AgentTree {
    /// The agents, parents before their children.
    pub agents: Vec<AgentNode>,
    /// Those with separate files, as [`AgentNode::file`] numbers them. An agent whose lines
    /// are in progress records of another agent's file is among them, with that file.
    pub files: Vec<Agent>,
    /// The workflow runs.
    pub workflows: Vec<Workflow>,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
}

impl AgentTree {
    /// The same with secrets masked in their tasks.
    pub(crate) fn masked(mut self, masking: &Masking) -> AgentTree {
        if masking.redactor().is_some() {
            for agent in &mut self.agents {
                for text in [&mut agent.description, &mut agent.kind, &mut agent.phase] {
                    *text = text.take().map(|text| masking.text(text));
                }
            }
            for run in &mut self.workflows {
                for text in [&mut run.name, &mut run.summary, &mut run.error] {
                    *text = text.take().map(|text| masking.text(text));
                }
            }
        }
        self
    }

    /// How many agents only warmed up the cache: their conversations are not shown, and all
    /// of them are counted once.
    pub fn warmups(&self) -> usize {
        self.agents.iter().filter(|agent| agent.warmup).count()
    }

    /// The file of an agent; `None` if it is written into the main transcript.
    pub fn file(&self, agent: &AgentNode) -> Option<&Agent> {
        agent.file.and_then(|place| self.files.get(place))
    }

    /// Where an agent is written.
    pub fn era(&self, agent: &AgentNode) -> AgentEra {
        self.file(agent).map_or(AgentEra::Inline, |file| file.era)
    }

    /// Keeps only the agents that this one started, directly or indirectly.
    pub fn keep_below(&mut self, id: &str) {
        // Parents come before their children.
        let mut kept = HashSet::from([id.to_owned()]);
        self.agents.retain(|agent| {
            let below = agent.parent_id.as_ref().is_some_and(|parent| kept.contains(parent));
            below && agent.id != id && kept.insert(agent.id.clone())
        });
    }

    /// The agent with an id.
    pub fn find(&self, id: &str) -> Option<&AgentNode> {
        self.agents.iter().find(|agent| agent.id == id)
    }
}

impl Sessions {
    /// The sub-agents of a session.
    pub fn agents(&self, found: &FoundSession) -> AgentTree {
        let mut tree = self.unlinked_agents(&found.session);
        let main = found.session.path.as_deref();
        let main = main.map(|path| tree.read(self, path, true)).unwrap_or_default();
        tree.link(self, &main);
        tree.masked(&self.redaction.masking_of_session(&found.session))
    }
}

impl Sessions {
    /// The same, if the transcript has been read already.
    pub(crate) fn agents_beside(&self, found: &FoundSession, bytes: &[u8]) -> AgentTree {
        if found.agent.is_some() {
            // The bytes are the agent's; the calls are in the main transcript.
            return self.agents(found);
        }
        let mut tree = self.unlinked_agents(&found.session);
        // Most sessions have no agents, and then nothing has to be searched.
        if tree.files.is_empty() && !has_sidechain(bytes) && !has_agent_progress(bytes) {
            return tree;
        }
        let mut notes = AgentScan::default();
        for entry in transcript::entries(bytes) {
            notes.note(entry.line, &entry.record, true);
        }
        tree.link(self, &notes);
        tree.masked(&self.redaction.masking_of_session(&found.session))
    }

    fn unlinked_agents(&self, session: &Session) -> AgentTree {
        AgentTree {
            files: self.catalog.agent_files_of(
                session,
                &mut FlatAgents::new(),
                Tier::DiskAndArchive,
            ),
            workflows: self.workflows_of(session),
            ..AgentTree::default()
        }
    }

    /// The workflow runs in a session's folders, each once.
    fn workflows_of(&self, session: &Session) -> Vec<Workflow> {
        let mut known = HashSet::new();
        let mut workflows: Vec<Workflow> = session
            .folders()
            .flat_map(|folder| workflows_below(&self.stores.all, folder))
            .collect();
        workflows.retain(|workflow| known.insert(workflow.id.clone()));
        workflows.sort_by(|one, two| one.id.cmp(&two.id));
        workflows
    }
}

/// Whether any line may belong to an agent in the main transcript.
fn has_sidechain(bytes: &[u8]) -> bool {
    const KEY: &[u8] = b"\"isSidechain\"";
    memmem::find_iter(bytes, KEY).any(|at| {
        let value = bytes[at + KEY.len()..].trim_ascii_start().strip_prefix(b":");
        value.is_some_and(|value| value.trim_ascii_start().starts_with(b"true"))
    })
}

/// Whether any progress record may repeat a line of an agent.
fn has_agent_progress(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"\"agent_progress\"").is_some()
}

impl AgentTree {
    fn link(&mut self, sessions: &Sessions, main: &AgentScan) {
        let own = self.files.clone();
        let has_file: HashSet<&str> = own.iter().map(|file| file.id.as_str()).collect();
        let mut notes = Vec::new();
        let mut known: HashSet<String> = main.repeated_agents().into_iter().collect();
        let mut nested = Vec::new();
        for file in &own {
            let scan = self.read(sessions, &file.path, false);
            if !scan.repeated_agents().is_empty() {
                let bytes = read_whole(&sessions.stores.all, &file.path).unwrap_or_default();
                let bytes = sessions.redaction.masking_of(&file.path).lines(bytes).0;
                for agent in nested_agents(file, &bytes, |id| has_file.contains(id)) {
                    if known.insert(agent.id.clone()) {
                        nested.push((claim(&agent), scan_of(&transcript_of(&agent.id, &bytes))));
                        self.files.push(agent);
                    }
                }
            }
            notes.push((claim(file), scan));
        }
        notes.extend(nested);
        self.agents = link_agents(main, notes);
    }

    fn read(&mut self, sessions: &Sessions, path: &Path, is_main: bool) -> AgentScan {
        let mut notes = AgentScan::default();
        let masking = sessions.redaction.masking_of(path);
        let read = read_lines(&sessions.stores.all, path, |line| {
            // Masked like everything else: the prompt of a call is compared
            // with the first prompt of its agent.
            let bytes = &*masking.line(line.bytes);
            for entry in parse_line(Line { bytes, ..line }) {
                notes.note(entry.line, &entry.record, is_main);
            }
            true
        });
        self.read_errors.extend(read.err());
        notes
    }
}

/// What the transcript of an agent reveals about agents.
pub(crate) fn scan_of(bytes: &[u8]) -> AgentScan {
    let mut scan = AgentScan::default();
    for entry in transcript::entries(bytes) {
        scan.note(entry.line, &entry.record, false);
    }
    scan
}

/// What the store knows of an agent, as the conversation expects it.
pub(crate) fn claim(agent: &Agent) -> AgentFile {
    let meta = agent.meta.clone();
    AgentFile {
        id: agent.id.clone(),
        parent_id: meta.parent_agent_id,
        kind: meta.agent_type,
        description: meta.description.or(meta.name),
        tool_use_id: meta.tool_use_id,
        model: meta.model,
        depth: meta.spawn_depth,
        workflow: agent.workflow.clone(),
        phase: meta.workflow_phase,
        is_stopped: meta.stopped_by_user,
        bytes: agent.bytes,
    }
}
