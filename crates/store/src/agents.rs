//! Sub-agents that have their own files.
//!
//! Two of the three eras: flat `agent-<id>.jsonl` beside the main transcript,
//! and `<session id>/subagents/**/agent-<id>.jsonl`. (The first era wrote
//! sub-agents into the main transcript, and from 2.1.9 to 2.1.81 its progress
//! records repeat them; those are found by reading it.) An
//! agent's identity is the id in its file's name; the `sessionId` on its lines
//! is the parent's.

use crate::files::{EntryKind, Files};
use crate::folder::Folder;
use crate::needles;
use crate::raw_text::first_string;
use crate::session_folder::{SessionFolder, read_small};
use jiff::Timestamp;
use std::io::Read;
use std::path::{Path, PathBuf};
use transcript::json;

/// Where an agent's conversation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgentEra {
    /// Lines within the main transcript (to 2.0.24), or repeated by its progress
    /// records (2.1.9 to 2.1.81).
    Inline,
    /// A file beside the main transcript (2.0.30 to 2.0.7x).
    Flat,
    /// A file in the session's own folder (from 2.1.0).
    Nested,
}

/// A sub-agent with its own file.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The part of the file name between `agent-` and `.jsonl`.
    pub id: String,
    /// Its transcript.
    pub path: PathBuf,
    /// The session it works for.
    pub session_id: Option<String>,
    /// Which kind of file holds it.
    pub era: AgentEra,
    /// The workflow run it belongs to.
    pub workflow: Option<String>,
    /// The content of `agent-<id>.meta.json`; every field is absent without
    /// one.
    pub meta: AgentMeta,
    /// The size of its transcript.
    pub bytes: u64,
    /// When its transcript was last modified.
    pub modified: Timestamp,
    /// Whether its transcript is gone from disk and only on the shelf.
    pub is_archive_only: bool,
}

/// The metadata file beside an agent's transcript. Any field may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentMeta {
    /// Its type: `Explore`, `Plan`, ….
    pub agent_type: Option<String>,
    /// Its task, in a few words.
    pub description: Option<String>,
    /// The call that started it.
    pub tool_use_id: Option<String>,
    /// The agent that started it.
    pub parent_agent_id: Option<String>,
    /// Its nesting depth below the main session.
    pub spawn_depth: Option<u64>,
    /// Its model.
    pub model: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// The phase of the workflow it works in.
    pub workflow_phase: Option<String>,
    /// Whether it started with a copy of its parent's conversation.
    pub is_fork: bool,
    /// Whether the person stopped it.
    pub stopped_by_user: bool,
}

impl AgentMeta {
    /// Reads the metadata file beside an agent's transcript.
    pub fn read_for(files: &Files, transcript: &Path) -> AgentMeta {
        AgentMeta::read(files, &transcript.with_extension("meta.json"))
    }

    fn read(files: &Files, path: &Path) -> AgentMeta {
        let Some(text) = read_small(files, path) else { return AgentMeta::default() };
        if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err() {
            return AgentMeta::default();
        }
        let member = |key| json::member(&text, key);
        let string = |key| {
            let decoded = member(key).and_then(json::decode_string)?;
            Some(decoded.text.into_owned()).filter(|text| !text.is_empty())
        };
        AgentMeta {
            agent_type: string("agentType"),
            description: string("description"),
            tool_use_id: string("toolUseId"),
            parent_agent_id: string("parentAgentId"),
            // Claude Code nests a few levels deep; a larger number is not a
            // real one.
            spawn_depth: member("spawnDepth")
                .and_then(|depth| depth.parse().ok())
                .map(|depth: u64| depth.min(64)),
            model: string("model"),
            name: string("name"),
            workflow_phase: string("workflowPhase"),
            is_fork: member("isFork") == Some("true"),
            stopped_by_user: member("stoppedByUser") == Some("true"),
        }
    }
}

/// The id in an agent's file name.
fn agent_id(name: &str) -> Option<&str> {
    name.strip_prefix("agent-")?.strip_suffix(".jsonl").filter(|id| !id.is_empty())
}

fn agent(
    files: &Files,
    path: PathBuf,
    session_id: Option<String>,
    era: AgentEra,
    workflow: Option<String>,
) -> Option<Agent> {
    let id = agent_id(&path.file_name()?.to_string_lossy())?.to_owned();
    let (stat, is_archive_only) = files.find_readable(&path)?;
    let meta = AgentMeta::read_for(files, &path);
    Some(Agent {
        id,
        session_id,
        era,
        workflow,
        meta,
        bytes: stat.bytes,
        modified: stat.modified,
        is_archive_only,
        path,
    })
}

/// Reads the agent in a flat file, with the session that its first lines name.
pub fn flat_agent(files: &Files, path: &Path) -> Option<Agent> {
    let file = files.open(path).ok()?;
    let mut head = Vec::new();
    file.take(16 * 1024).read_to_end(&mut head).ok()?;
    agent(files, path.to_owned(), first_string(&head, &needles::SESSION_ID), AgentEra::Flat, None)
}

/// The agent in a flat file whose session is known.
pub fn flat_agent_of(files: &Files, path: &Path, session_id: Option<String>) -> Option<Agent> {
    agent(files, path.to_owned(), session_id, AgentEra::Flat, None)
}

/// The agent in a file of a session's own folder.
pub fn nested_agent(files: &Files, path: PathBuf, session_id: Option<String>) -> Option<Agent> {
    let workflow = path
        .parent()
        .and_then(Path::file_name)
        .and_then(|name| name.to_str())
        .filter(|name| name.starts_with("wf_"))
        .map(str::to_owned);
    agent(files, path, session_id, AgentEra::Nested, workflow)
}

impl Folder {
    /// The flat agents of a session in this folder, sorted by path.
    pub fn agents_of(&self, files: &Files, session_id: &str) -> Vec<Agent> {
        let flat = self.list(files).map(|listing| listing.agents).unwrap_or_default();
        let mut agents: Vec<_> = flat.iter().filter_map(|path| flat_agent(files, path)).collect();
        agents.retain(|agent| agent.session_id.as_deref() == Some(session_id));
        agents.sort_by(|one, two| one.path.cmp(&two.path));
        agents
    }
}

/// The agents in a session's folder, at any depth, sorted by path.
pub fn agents_below(files: &Files, folder: &SessionFolder) -> Vec<Agent> {
    let session_id = Some(folder.session_id().into_owned());
    let mut agents = Vec::new();
    agent_files(files, &folder.path().join("subagents"), &mut |path| {
        agents.extend(nested_agent(files, path, session_id.clone()));
    });
    agents.sort_by(|one, two| one.path.cmp(&two.path));
    agents
}

/// The transcripts of the agents in a session's folder, with the agents' ids.
/// Opens nothing.
pub fn agent_paths(files: &Files, folder: &SessionFolder) -> Vec<(String, PathBuf)> {
    let mut paths = Vec::new();
    agent_files(files, &folder.path().join("subagents"), &mut |path| {
        let id = path.file_name().and_then(|name| agent_id(name.to_str()?)).map(str::to_owned);
        paths.extend(id.map(|id| (id, path)));
    });
    paths
}

/// The id in the name of an agent's transcript.
pub fn agent_id_of(path: &Path) -> Option<&str> {
    agent_id(path.file_name()?.to_str()?)
}

impl SessionFolder {
    /// How many agents it holds, without opening them.
    pub fn count_agents(&self, files: &Files) -> usize {
        let mut count = 0;
        agent_files(files, &self.path().join("subagents"), &mut |_| count += 1);
        count
    }
}

fn agent_files(files: &Files, folder: &Path, each: &mut impl FnMut(PathBuf)) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in files.list_real(&folder) {
            if entry.kind == EntryKind::Folder {
                folders.push(entry.path);
            } else if entry.kind == EntryKind::File
                && agent_id(&entry.name().to_string_lossy()).is_some()
            {
                each(entry.path);
            }
        }
    }
}
