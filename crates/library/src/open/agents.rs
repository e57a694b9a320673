//! The sub-agents of a session as a tree.
//!
//! Agents with files of their own come from the store; those of the first era
//! are read out of the main transcript. Where each belongs is the
//! conversation's to say.

use crate::catalog::find::Found;
use crate::catalog::session::Session;
use crate::catalog::text_files::FlatAgents;
use crate::catalog::tier::Tier;
use crate::open::scan::{ReadError, read_lines};
use crate::{Catalog, Library};
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
    /// Those with files of their own, as [`AgentNode::file`] numbers them.
    pub files: Vec<Agent>,
    /// The workflow runs.
    pub workflows: Vec<Workflow>,
    /// What could not be read.
    pub troubles: Vec<ReadError>,
}

impl AgentTree {
    /// The file of an agent; none of one written into the main transcript.
    pub fn file(&self, agent: &AgentNode) -> Option<&Agent> {
        agent.file.and_then(|place| self.files.get(place))
    }

    /// Where an agent is written.
    pub fn era(&self, agent: &AgentNode) -> AgentEra {
        self.file(agent).map_or(AgentEra::Inline, |file| file.era)
    }

    /// Keeps the agents that one of them started, however deep.
    pub fn keep_below(&mut self, id: &str) {
        // Parents come before their children.
        let mut kept = HashSet::from([id.to_owned()]);
        self.agents.retain(|agent| {
            let below = agent.parent_id.as_ref().is_some_and(|parent| kept.contains(parent));
            below && agent.id != id && kept.insert(agent.id.clone())
        });
    }

    /// The agent of an id.
    pub fn find(&self, id: &str) -> Option<&AgentNode> {
        self.agents.iter().find(|agent| agent.id == id)
    }
}

impl Catalog<'_> {
    /// The sub-agents of a session.
    pub fn agents(self, found: &Found) -> AgentTree {
        let mut tree = self.library.unlinked_agents(&found.session);
        let main = found.session.path.as_deref();
        let main = main.map(|path| tree.read(self.library, path, true)).unwrap_or_default();
        tree.link(self.library, &main);
        self.library.mask_agents(tree)
    }
}

impl Library {
    /// The same, where the transcript that was found has been read already.
    pub(crate) fn agents_beside(&self, found: &Found, bytes: &[u8]) -> AgentTree {
        if found.agent.is_some() {
            // What was read is the agent's; the calls stand in the main one.
            return self.catalog().agents(found);
        }
        let mut tree = self.unlinked_agents(&found.session);
        // Most sessions have no agents: then nothing needs to be looked for.
        if tree.files.is_empty() && !has_sidechain(bytes) {
            return tree;
        }
        let mut notes = AgentScan::default();
        for entry in transcript::entries(bytes) {
            notes.note(entry.line, &entry.record, true);
        }
        tree.link(self, &notes);
        self.mask_agents(tree)
    }

    fn unlinked_agents(&self, session: &Session) -> AgentTree {
        AgentTree {
            files: self.agent_files_of(session, &mut FlatAgents::new(), Tier::DiskAndArchive),
            workflows: session
                .session_folder
                .as_ref()
                .map(|folder| workflows_below(&self.all, folder))
                .unwrap_or_default(),
            ..AgentTree::default()
        }
    }
}

/// Whether any line may belong to an agent written into the main transcript.
fn has_sidechain(bytes: &[u8]) -> bool {
    const KEY: &[u8] = b"\"isSidechain\"";
    memmem::find_iter(bytes, KEY).any(|at| {
        let value = bytes[at + KEY.len()..].trim_ascii_start().strip_prefix(b":");
        value.is_some_and(|value| value.trim_ascii_start().starts_with(b"true"))
    })
}

impl AgentTree {
    fn link(&mut self, library: &Library, main: &AgentScan) {
        let own = self.files.clone();
        let notes = own.iter().map(|file| (claim(file), self.read(library, &file.path, false)));
        let notes = notes.collect();
        self.agents = link_agents(main, notes);
    }

    fn read(&mut self, library: &Library, path: &Path, is_main: bool) -> AgentScan {
        let mut notes = AgentScan::default();
        let read = read_lines(&library.all, path, |line| {
            // Masked as everything else: what a call asked and what its agent was
            // asked are compared.
            let bytes = &*library.mask_line(line.bytes);
            for entry in parse_line(Line { bytes, ..line }) {
                notes.note(entry.line, &entry.record, is_main);
            }
            true
        });
        self.troubles.extend(read.err());
        notes
    }
}

/// What the store knows of an agent, as the conversation takes it.
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
