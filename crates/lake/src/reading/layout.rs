//! A session of the lake as files of a store.

use crate::cache_files::{remove, remove_folder, write_whole};
use crate::day_sums::order;
use crate::names::{Level, SessionId};
use crate::reading::skeleton::Skeleton;
use crate::rows::{
    AttributionRow, CallRow, CommitRow, LineRow, PullRequestRow, Rows, SessionRow, ToolCallRow,
    TouchRow,
};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// A project's folder has at most this many characters.
const LONGEST_NAME: usize = 120;

/// All rows of one session of one owner.
#[derive(Debug, Default)]
pub(crate) struct SessionRows {
    /// By sub-agent and line, then by what the line is known as: the rows of the highest
    /// rules. Copies of a session can have different lines with one number.
    lines: BTreeMap<(Option<String>, u64, String), LineRow>,
    /// By id and request.
    calls: BTreeMap<(String, Option<String>), CallRow>,
    attributions: BTreeMap<(String, Option<String>), AttributionRow>,
    session: Option<SessionRow>,
    /// By sub-agent, place and id.
    tool_calls: BTreeMap<(Option<String>, u64, Option<String>), ToolCallRow>,
    /// By sub-agent and the place of the tool call.
    touches: BTreeMap<(Option<String>, u64), TouchRow>,
    /// By hash.
    commits: BTreeMap<String, CommitRow>,
    /// By number and address.
    pull_requests: BTreeMap<(Option<u64>, Option<String>), PullRequestRow>,
}

/// Keeps a row, unless one that counts more is there.
fn keep<K: Ord, R, O: Ord>(rows: &mut BTreeMap<K, R>, key: K, row: R, order: impl Fn(&R) -> O) {
    match rows.get(&key) {
        Some(known) if order(known) >= order(&row) => {}
        _ => drop(rows.insert(key, row)),
    }
}

impl SessionRows {
    pub(crate) fn add(&mut self, rows: Rows) {
        match rows {
            Rows::Lines(rows) => {
                for row in rows {
                    let known_as = row.uuid.clone().unwrap_or_default();
                    let key = (row.agent_id.clone(), row.line, known_as);
                    keep(&mut self.lines, key, row, |row| row.rules);
                }
            }
            Rows::Calls(rows) => {
                for row in rows {
                    let key = (row.id.clone(), row.request_id.clone());
                    keep(&mut self.calls, key, row, order);
                }
            }
            Rows::Attributions(rows) => {
                for row in rows {
                    let key = (row.id.clone(), row.request_id.clone());
                    let tools = |row: &AttributionRow| row.tools.as_deref().map_or(0, str::len);
                    keep(&mut self.attributions, key, row, |row| (row.rules, tools(row)));
                }
            }
            Rows::Sessions(rows) => {
                let order = |row: &SessionRow| (row.rules, row.lines, row.title.is_some());
                let all = rows.into_iter().chain(self.session.take());
                self.session = all.max_by_key(order);
            }
            Rows::ToolCalls(rows) => {
                for row in rows {
                    let key = (row.agent_id.clone(), row.number, row.tool_use_id.clone());
                    keep(&mut self.tool_calls, key, row, |row| (row.rules, row.is_answered));
                }
            }
            Rows::Touches(rows) => {
                for row in rows {
                    let key = (row.agent_id.clone(), row.number);
                    keep(&mut self.touches, key, row, |row| (row.rules, row.is_done));
                }
            }
            Rows::Commits(rows) => {
                for row in rows {
                    keep(&mut self.commits, row.hash.clone(), row, |row| row.rules);
                }
            }
            Rows::PullRequests(rows) => {
                for row in rows {
                    let key = (row.number, row.url.clone());
                    keep(&mut self.pull_requests, key, row, |row| row.rules);
                }
            }
            // Sums belong to no session, and blocks say nothing that lines do not.
            Rows::Days(_) | Rows::Blocks(_) => {}
        }
    }

    fn skeleton(&self) -> Skeleton<'_> {
        let attribution = |row| -> ((&str, Option<&str>), &AttributionRow) {
            let row: &AttributionRow = row;
            ((row.id.as_str(), row.request_id.as_deref()), row)
        };
        let touch = |row| -> ((Option<&str>, u64), &TouchRow) {
            let row: &TouchRow = row;
            ((row.agent_id.as_deref(), row.number), row)
        };
        Skeleton {
            session: self.session.as_ref(),
            calls: self.calls.values().collect(),
            attributions: self.attributions.values().map(attribution).collect(),
            tool_calls: self.tool_calls.values().collect(),
            touches: self.touches.values().map(touch).collect(),
            commits: self.commits.values().collect(),
            pull_requests: self.pull_requests.values().collect(),
        }
    }

    /// The key of its project.
    pub(crate) fn project(&self) -> Option<&str> {
        let lines = self.lines.values().map(|row| row.project.as_str());
        let calls = self.calls.values().map(|row| row.project.as_str());
        let session = self.session.as_ref().map(|row| row.project.as_str());
        let tools = self.tool_calls.values().map(|row| row.project.as_str());
        lines.chain(calls).chain(session).chain(tools).next()
    }

    /// The time of its newest row.
    pub(crate) fn last_time(&self) -> Option<Timestamp> {
        let lines = self.lines.values().filter_map(|row| row.time);
        lines.chain(self.calls.values().filter_map(|row| row.time)).max()
    }

    /// How much of it is shared.
    pub(crate) fn level(&self) -> Level {
        match (self.has_text(), &self.session) {
            (true, _) => Level::Text,
            (false, Some(_)) => Level::Metadata,
            // Only its calls are known, and all that is known of them is here.
            (false, None) if !self.attributions.is_empty() => Level::Text,
            (false, None) => Level::Usage,
        }
    }

    /// Whether its lines are shared, or only its usage.
    pub(crate) fn has_text(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The content of each transcript: the session's and those of agents.
    fn transcripts(&self) -> BTreeMap<Option<&str>, String> {
        if self.has_text() {
            let mut transcripts: BTreeMap<Option<&str>, String> = BTreeMap::new();
            for ((agent, ..), row) in &self.lines {
                let transcript = transcripts.entry(agent.as_deref()).or_default();
                // A line stays one line, whatever its sender wrote. It can be large, and is not
                // copied once more.
                for (number, part) in row.text.split(['\n', '\r']).enumerate() {
                    transcript.push_str(if number == 0 { "" } else { " " });
                    transcript.push_str(part);
                }
                transcript.push('\n');
            }
            return transcripts;
        }
        self.skeleton().transcripts()
    }
}

/// A name for the folder of a project, from a key that anybody may have written. Each key has a
/// separate folder.
fn folder_name(project: &str) -> String {
    let allowed = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = project.chars().take(LONGEST_NAME).map(allowed).collect();
    if name == project {
        return format!("-{name}");
    }
    format!("-{name}-{}", &blake3::hash(project.as_bytes()).to_hex()[..8])
}

/// Whether a name can be that of an agent, and so of a file.
fn is_agent_name(name: &str) -> bool {
    name.parse::<SessionId>().is_ok()
}

/// Whether a file has exactly these bytes, without holding it in memory.
fn has_content(path: &Path, mut bytes: &[u8]) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut file = BufReader::with_capacity(1 << 16, file);
    loop {
        let Ok(read) = file.fill_buf() else { return false };
        if read.is_empty() {
            return bytes.is_empty();
        }
        let Some(rest) = bytes.strip_prefix(read) else { return false };
        bytes = rest;
        let count = read.len();
        file.consume(count);
    }
}

/// The store of one owner.
#[derive(Debug)]
pub(crate) struct OwnerLayout {
    root: PathBuf,
}

impl OwnerLayout {
    pub(crate) fn new(root: PathBuf) -> Self {
        OwnerLayout { root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn projects(&self) -> PathBuf {
        self.root.join("projects")
    }

    /// Lays a session out. Returns the folder of its project, if anything is left of it.
    pub(crate) fn lay_out(
        &self,
        session: &SessionId,
        before: Option<&str>,
        rows: &SessionRows,
    ) -> io::Result<Option<String>> {
        let folder = rows.project().map(folder_name);
        if let Some(before) = before.filter(|before| Some(*before) != folder.as_deref()) {
            self.take_away(session, before)?;
        }
        let Some(folder) = folder else { return Ok(None) };
        let project = self.projects().join(&folder);
        let own = project.join(session.as_str());
        let transcripts = rows.transcripts();
        let mut wanted = Vec::new();
        for (agent, text) in &transcripts {
            let path = match agent {
                None => project.join(format!("{session}.jsonl")),
                Some(agent) if is_agent_name(agent) => {
                    own.join("subagents").join(format!("agent-{agent}.jsonl"))
                }
                Some(_) => continue,
            };
            // A file that did not change keeps its time, and the index knows it still.
            if !has_content(&path, text.as_bytes()) {
                write_whole(&path, text.as_bytes())?;
            }
            wanted.push(path);
        }
        for (agent, agent_type) in rows.skeleton().agent_types() {
            let path = own.join("subagents").join(format!("agent-{agent}.meta.json"));
            if is_agent_name(agent) && transcripts.contains_key(&Some(agent)) {
                let text = serde_json::json!({"agentType": agent_type}).to_string();
                if !has_content(&path, text.as_bytes()) {
                    write_whole(&path, text.as_bytes())?;
                }
                wanted.push(path);
            }
        }
        if let Ok(listed) = fs::read_dir(own.join("subagents")) {
            for entry in listed {
                let path = entry?.path();
                if !wanted.contains(&path) {
                    remove(&path)?;
                }
            }
        }
        Ok(Some(folder))
    }

    /// Deletes the files of a session.
    fn take_away(&self, session: &SessionId, folder: &str) -> io::Result<()> {
        let project = self.projects().join(folder);
        remove(&project.join(format!("{session}.jsonl")))?;
        remove_folder(&project.join(session.as_str()))
    }
}
