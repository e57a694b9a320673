//! Filters that only the content of a session can answer.

use crate::Library;
use crate::filter::Filter;
use crate::progress::Progress;
use crate::scan::{Trouble, scan};
use crate::session::Session;
use memchr::memmem;
use std::path::PathBuf;
use store::agents_below;
use transcript::parse_line;

/// Which of the asked-for things a file holds.
#[derive(Clone, Copy, Default)]
struct Holds {
    model: bool,
    tool: bool,
    agent: bool,
}

impl Library {
    /// Keeps the sessions whose content fits: a model that answered, a tool
    /// that was called, a sub-agent of a type, in the session or its agents.
    pub fn retain_by_content(
        &self,
        sessions: &mut Vec<Session>,
        filter: &Filter,
        progress: &dyn Progress,
    ) -> Vec<Trouble> {
        if !filter.looks_into_content() {
            return Vec::new();
        }
        let mut paths: Vec<PathBuf> = Vec::new();
        let mut owners: Vec<usize> = Vec::new();
        let mut holds = vec![Holds::default(); sessions.len()];
        for (owner, session) in sessions.iter().enumerate() {
            let agents = session.session_folder.iter().flat_map(agents_below);
            for agent in agents {
                let kind = agent.meta.agent_type.as_deref();
                holds[owner].agent |= contains(filter.agent.as_deref(), kind);
                paths.push(agent.path);
                owners.push(owner);
            }
            if let Some(path) = &session.path {
                paths.push(path.clone());
                owners.push(owner);
            }
        }
        let (read, troubles) = scan(
            &paths,
            progress,
            |_| Holds::default(),
            |holds, line| {
                if memmem::find(line.bytes, b"\"assistant\"").is_some() {
                    for entry in parse_line(line) {
                        holds.note(&entry.record, filter);
                    }
                }
                true
            },
        );
        for (owner, found) in owners.into_iter().zip(read) {
            let place = &mut holds[owner];
            place.model |= found.model;
            place.tool |= found.tool;
            place.agent |= found.agent;
        }
        let mut fits = holds.iter().map(|holds| {
            (filter.model.is_none() || holds.model)
                && (filter.tool.is_none() || holds.tool)
                && (filter.agent.is_none() || holds.agent)
        });
        sessions.retain(|_| fits.next().unwrap_or_default());
        troubles
    }
}

impl Holds {
    fn note(&mut self, record: &transcript::Record<'_>, filter: &Filter) {
        let Some(message) = record.message() else { return };
        self.model |= contains(filter.model.as_deref(), message.model.as_deref());
        for call in message.tool_uses() {
            let tool = call.name.as_deref();
            self.tool |= filter
                .tool
                .as_deref()
                .zip(tool)
                .is_some_and(|(pattern, name)| crate::filter::fits(pattern, name));
            if matches!(tool, Some("Task" | "Agent")) {
                let kind =
                    call.input.as_ref().and_then(|input| input.member_string("subagent_type"));
                self.agent |= contains(filter.agent.as_deref(), kind.as_deref());
            }
        }
    }
}

fn contains(wanted: Option<&str>, name: Option<&str>) -> bool {
    let lower = |text: &str| text.to_lowercase();
    wanted.zip(name).is_some_and(|(wanted, name)| lower(name).contains(&lower(wanted)))
}
