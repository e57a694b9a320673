//! Lines of sub-agents in progress records, completed to the lines that the agents' own
//! files would have: a repeated line names neither its parent nor its agent.
//!
//! An agent without a file whose lines are in the transcript of another agent is read
//! like one with a file, from the lines collected here.

use jiff::Timestamp;
use memchr::memmem;
use std::collections::HashSet;
use std::path::Path;
use store::{Agent, AgentEra, AgentMeta};
use transcript::{Line, parse_line};

/// A line of an agent in a progress record.
#[derive(Debug)]
pub(crate) struct RepeatedLine {
    pub(crate) agent_id: String,
    /// The call that started the agent.
    pub(crate) tool_use_id: Option<String>,
    pub(crate) offset: u64,
    pub(crate) uuid: String,
    session_id: Option<String>,
    bytes: Vec<u8>,
}

impl RepeatedLine {
    /// The lines of agents that a line of a transcript repeats.
    pub(crate) fn all_in(line: Line<'_>) -> Vec<RepeatedLine> {
        if memmem::find(line.bytes, NEEDLE).is_none() {
            return Vec::new();
        }
        let repeated = parse_line(line).filter_map(|entry| {
            let progress = entry.record.agent_progress()?;
            let envelope = &progress.record.envelope;
            Some(RepeatedLine {
                agent_id: progress.agent_id.to_string(),
                tool_use_id: progress.tool_use_id.as_ref().map(ToString::to_string),
                offset: line.offset,
                uuid: envelope.uuid.as_ref()?.to_string(),
                session_id: envelope.session_id.as_ref().map(ToString::to_string),
                bytes: progress.record.raw.to_vec(),
            })
        });
        repeated.collect()
    }

    /// The line that the agent's own file would have, after the line with this uuid.
    pub(crate) fn completed(&self, parent: Option<&str>) -> Vec<u8> {
        let own = str::from_utf8(&self.bytes).unwrap_or_default();
        let mut line = String::from("{");
        let members = [
            ("parentUuid", serde_json::json!(parent)),
            ("isSidechain", serde_json::json!(true)),
            ("agentId", serde_json::json!(self.agent_id)),
            ("sessionId", serde_json::json!(self.session_id)),
        ];
        for (key, value) in members {
            if transcript::json::member(own, key).is_none() {
                line += &format!("\"{key}\":{value},");
            }
        }
        line += own.trim_start().strip_prefix('{').unwrap_or_default();
        line.into_bytes()
    }

    /// The agent, whose lines are in this transcript.
    pub(crate) fn agent(&self, transcript: &Path, meta: AgentMeta) -> Agent {
        Agent {
            id: self.agent_id.clone(),
            path: transcript.to_owned(),
            session_id: self.session_id.clone(),
            era: AgentEra::Inline,
            workflow: None,
            meta: AgentMeta { tool_use_id: self.tool_use_id.clone(), ..meta },
            bytes: 0,
            modified: Timestamp::UNIX_EPOCH,
            is_archive_only: false,
        }
    }
}

/// The agents without files whose lines the transcript of an agent repeats.
pub(crate) fn nested_agents(
    host: &Agent,
    bytes: &[u8],
    has_file: impl Fn(&str) -> bool,
) -> Vec<Agent> {
    if memmem::find(bytes, NEEDLE).is_none() {
        return Vec::new();
    }
    let mut agents: Vec<Agent> = Vec::new();
    for line in transcript::lines(bytes).flat_map(RepeatedLine::all_in) {
        let size = line.bytes.len() as u64;
        if let Some(known) = agents.iter_mut().find(|agent| agent.id == line.agent_id) {
            known.bytes += size;
        } else if !has_file(&line.agent_id) {
            let meta = AgentMeta { parent_agent_id: Some(host.id.clone()), ..AgentMeta::default() };
            let is_archive_only = host.is_archive_only;
            let agent = line.agent(&host.path, meta);
            agents.push(Agent { bytes: size, modified: host.modified, is_archive_only, ..agent });
        }
    }
    agents
}

/// The ids of the agents whose lines a transcript repeats.
pub(crate) fn agents_repeated_in(bytes: &[u8]) -> HashSet<String> {
    let lines = transcript::lines(bytes).flat_map(RepeatedLine::all_in);
    lines.map(|line| line.agent_id).collect()
}

/// The lines of an agent that a transcript repeats, as its own file would have them. Each
/// has the number that it has in the transcript: other lines are empty.
pub(crate) fn transcript_of(agent: &str, bytes: &[u8]) -> Vec<u8> {
    let mut own = Vec::new();
    let (mut seen, mut last) = (HashSet::new(), None);
    for line in transcript::lines(bytes) {
        for line in RepeatedLine::all_in(line) {
            if line.agent_id == agent && seen.insert(line.uuid.clone()) {
                own.extend(line.completed(last.as_deref()));
                last = Some(line.uuid);
            }
        }
        own.push(b'\n');
    }
    own
}

/// What every line of an agent in a progress record contains.
const NEEDLE: &[u8] = b"\"agent_progress\"";
