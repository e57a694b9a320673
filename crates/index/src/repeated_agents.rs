//! The sub-agents whose lines progress records repeat: which agent each such line
//! belongs to, and the agent's type, which only the call that started it records.
//!
//! Deliberately not here: whether an agent has a file too, so that its lines are there;
//! see `same_text.rs`.

use crate::failure::IndexError;
use crate::page_check::Trees;
use crate::query::Field;
use crate::read::FileState;
use crate::rows::{LineAgent, NameNumber};
use crate::search::Searcher;
use crate::text::call_hash;
use rusqlite::OptionalExtension as _;
use std::collections::{BTreeSet, HashSet};
use transcript::{Body, Entry, ToolUse};

/// A call that starts a sub-agent.
pub(crate) enum SpawnCall {
    /// The type it asks for.
    Type(Option<String>),
    /// The offset of its line, which was read earlier.
    At(u64),
}

impl FileState<'_> {
    /// Adds which agent the line belongs to that a progress record repeats.
    pub(crate) fn add_line_agent(&mut self, progress: &Entry<'_>, line: &Entry<'_>) {
        let Some(agent) = &line.record.envelope.agent_id else { return };
        let call = match &progress.record.body {
            Body::Progress(progress) => progress.parent_tool_use_id.as_ref(),
            _ => None,
        };
        let agent_type = call.and_then(|call| self.agent_type(call_hash(call.as_str())));
        let agent = self.part.names.add(agent.as_str(), self.texts);
        self.part.line_agents.push(LineAgent { offset: progress.offset, agent, agent_type });
    }

    /// The type of the agent that a call started.
    fn agent_type(&mut self, call: i64) -> Option<NameNumber> {
        if let Some(SpawnCall::At(offset)) = self.spawns.get(&call) {
            let line = self.texts.line_at(&self.source.path, *offset);
            let agent_type = line.and_then(|line| {
                let entry = transcript::entries(&line).next()?;
                let record = entry.agent_line().unwrap_or(entry).record;
                let mut calls = record.message()?.tool_uses();
                let is_it = |id: &transcript::ToolUseId<'_>| call_hash(id.as_str()) == call;
                calls.find(|call| call.id.as_ref().is_some_and(is_it)).and_then(asked_type)
            });
            self.spawns.insert(call, SpawnCall::Type(agent_type));
        }
        match self.spawns.get(&call) {
            Some(SpawnCall::Type(Some(name))) => Some(self.part.names.add(name, self.texts)),
            _ => None,
        }
    }
}

/// The type of agent that a call asks for.
pub(crate) fn asked_type(call: &ToolUse<'_>) -> Option<String> {
    call.input.as_ref()?.member_string("subagent_type").map(std::borrow::Cow::into_owned)
}

/// What matches a condition on sub-agents.
#[derive(Default)]
pub(crate) struct AgentMatches {
    /// The files of agents.
    files: HashSet<i64>,
    /// The lines, by file and offset, that progress records repeat.
    lines: BTreeSet<(i64, i64)>,
}

impl AgentMatches {
    /// Whether a block's agent matches.
    pub(crate) fn has(&self, file: i64, offset: i64, is_repeated: bool) -> bool {
        if is_repeated { self.lines.contains(&(file, offset)) } else { self.files.contains(&file) }
    }

    /// Whether any block of a file may match.
    pub(crate) fn has_any_in(&self, file: i64) -> bool {
        let lines = (file, i64::MIN)..=(file, i64::MAX);
        self.files.contains(&file) || self.lines.range(lines).next().is_some()
    }
}

impl Searcher {
    /// The files and lines of the agents whose id or type contains the value of a field.
    pub(crate) fn agent_matches(&self, field: &Field) -> Result<AgentMatches, IndexError> {
        self.check_trees(&["line_agent", "name"].map(Trees::Table))?;
        let value = field.value.to_lowercase();
        let is_match = |name: &str| name.to_lowercase().contains(&value);
        let mut found = AgentMatches::default();
        for (id, file) in self.files()? {
            let names = [&file.agent, &file.agent_type];
            if names.into_iter().flatten().any(|name| is_match(name)) {
                found.files.insert(*id);
            }
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT file, offset, agent.text, kind.text FROM line_agent
             JOIN name AS agent ON agent.id = line_agent.agent
             LEFT JOIN name AS kind ON kind.id = line_agent.agent_type",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let agent_type = row.get_ref(3)?.as_str_or_null().unwrap_or_default();
            if is_match(row.get_ref(2)?.as_str().unwrap_or_default())
                || agent_type.is_some_and(is_match)
            {
                found.lines.insert((row.get(0)?, row.get(1)?));
            }
        }
        Ok(found)
    }

    /// The agent that a line belongs to which a progress record repeats.
    pub(crate) fn line_agent(&self, file: i64, offset: i64) -> Result<Option<String>, IndexError> {
        self.check_key("line_agent", &[file, offset])?;
        let name: Option<i64> = self
            .connection
            .prepare_cached("SELECT agent FROM line_agent WHERE file = ? AND offset = ?")?
            .query_row([file, offset], |row| row.get(0))
            .optional()?;
        let Some(name) = name else { return Ok(None) };
        self.check_key("name", &[name])?;
        let name = self
            .connection
            .prepare_cached("SELECT text FROM name WHERE id = ?")?
            .query_row([name], |row| row.get(0))
            .optional()?;
        Ok(name)
    }
}
