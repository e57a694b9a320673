//! A session of the lake as files of a store.

use crate::cache_files::{remove, remove_folder, write_whole};
use crate::day_sums::order;
use crate::names::SessionId;
use crate::reading::call_line::call_line;
use crate::rows::{CallRow, LineRow, Rows};
use std::collections::BTreeMap;
use std::fs;
use std::io;
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
}

impl SessionRows {
    pub(crate) fn add(&mut self, rows: Rows) {
        match rows {
            Rows::Lines(rows) => rows.into_iter().for_each(|row| self.add_line(row)),
            Rows::Calls(rows) => rows.into_iter().for_each(|row| self.add_call(row)),
            // Sums belong to no session.
            Rows::Days(_) => {}
        }
    }

    fn add_line(&mut self, row: LineRow) {
        let known_as = row.uuid.clone().unwrap_or_default();
        let key = (row.agent_id.clone(), row.line, known_as);
        match self.lines.get(&key) {
            Some(known) if known.rules >= row.rules => {}
            _ => drop(self.lines.insert(key, row)),
        }
    }

    fn add_call(&mut self, row: CallRow) {
        let key = (row.id.clone(), row.request_id.clone());
        match self.calls.get(&key) {
            Some(known) if order(known) >= order(&row) => {}
            _ => drop(self.calls.insert(key, row)),
        }
    }

    fn project(&self) -> Option<&str> {
        let line = self.lines.values().next().map(|row| row.project.as_str());
        line.or_else(|| self.calls.values().next().map(|row| row.project.as_str()))
    }

    /// Whether its lines are shared, or only its usage.
    pub(crate) fn has_text(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The content of each transcript: the session's and those of agents.
    fn transcripts(&self) -> BTreeMap<Option<&str>, String> {
        let mut transcripts: BTreeMap<Option<&str>, String> = BTreeMap::new();
        if self.has_text() {
            for ((agent, ..), row) in &self.lines {
                let transcript = transcripts.entry(agent.as_deref()).or_default();
                // A line stays one line, whatever its sender wrote.
                transcript.push_str(&row.text.replace(['\n', '\r'], " "));
                transcript.push('\n');
            }
            return transcripts;
        }
        let mut calls: Vec<&CallRow> = self.calls.values().collect();
        calls.sort_by_key(|row| row.time);
        let lines = calls.into_iter().map(|row| call_line(row) + "\n");
        transcripts.insert(None, lines.collect());
        transcripts
    }
}

/// A name for the folder of a project, from a key that anybody may have written.
fn folder_name(project: &str) -> String {
    let allowed = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = project.chars().take(LONGEST_NAME).map(allowed).collect();
    format!("-{name}")
}

/// Whether a name can be that of an agent, and so of a file.
fn is_agent_name(name: &str) -> bool {
    name.parse::<SessionId>().is_ok()
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
            if fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
                write_whole(&path, text.as_bytes())?;
            }
            wanted.push(path);
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
