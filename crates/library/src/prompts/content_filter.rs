//! Filters that need the content of a session.

use crate::catalog::RunningProcess;
use crate::catalog::agent_files::FlatAgents;
use crate::catalog::filter::Filter;
use crate::facts::of_files::{FileFacts, LineFacts};
use crate::lines::ReadError;
use crate::packing::{Packer, Unpacker};
use crate::progress::Progress;
use crate::prompts::Prompts;
use crate::session::Session;
use crate::stores::Tier;
use index::{FactKind, NameKind, NamesByFile};
use memchr::memmem;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use store::Files;
use transcript::{Line, parse_line};

/// Which of the requested properties a file has.
#[derive(Clone, Copy, Default)]
struct ContentMatch {
    model: bool,
    tool: bool,
    agent: bool,
}

impl Prompts {
    /// The registered processes that a filter admits, and what could not be read to decide
    /// that. Without a transcript, only the working directory of a process is known.
    pub fn running_within(
        &self,
        filter: &Filter,
        progress: &dyn Progress,
    ) -> (Vec<RunningProcess>, Vec<ReadError>) {
        let mut running = self.catalog.running();
        running.retain(|one| one.is_within(filter));
        let mut sessions: Vec<Session> =
            running.iter().filter_map(|one| one.session.clone()).collect();
        let read_errors = self.retain_by_content(&mut sessions, filter, progress);
        if filter.needs_content() {
            let fitting: HashSet<String> = sessions.into_iter().map(|session| session.id).collect();
            running.retain(|one| {
                one.session.as_ref().is_some_and(|session| fitting.contains(&session.id))
            });
        }
        (running, read_errors)
    }

    /// Keeps the sessions whose content matches: a model that answered, a tool
    /// that was called, or a type of sub-agent, in the session or its agents.
    pub fn retain_by_content(
        &self,
        sessions: &mut Vec<Session>,
        filter: &Filter,
        progress: &dyn Progress,
    ) -> Vec<ReadError> {
        if !filter.needs_content() {
            return Vec::new();
        }
        let mut paths: Vec<PathBuf> = Vec::new();
        let mut owners: Vec<usize> = Vec::new();
        let mut holds = vec![ContentMatch::default(); sessions.len()];
        let mut flat = FlatAgents::new();
        for (owner, session) in sessions.iter().enumerate() {
            for agent in self.catalog.agent_files_of(session, &mut flat, Tier::Disk) {
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
        let known = self.known_content(filter);
        let known: Vec<Option<ContentMatch>> = paths.iter().map(|path| known(path)).collect();
        for (owner, found) in owners.iter().zip(&known) {
            holds[*owner].take(found.unwrap_or_default());
        }
        // Known files need not be read.
        let mut is_unknown = known.iter().map(Option::is_none);
        paths.retain(|_| is_unknown.next().unwrap_or_default());
        let mut is_unknown = known.iter().map(Option::is_none);
        owners.retain(|_| is_unknown.next().unwrap_or_default());
        let (read, read_errors) = self.facts.file_facts::<ContentNames>(&paths, progress);
        let read = read.iter().map(|names| names.matches(filter));
        for (owner, found) in owners.into_iter().zip(read) {
            holds[owner].take(found);
        }
        let mut fits = holds.iter().map(|holds| {
            (filter.model.is_none() || holds.model)
                && (filter.tool.is_none() || holds.tool)
                && (filter.agent.is_none() || holds.agent)
        });
        sessions.retain(|_| fits.next().unwrap_or_default());
        read_errors
    }
}

impl Prompts {
    /// Drops sessions that, according to the index, never called a tool.
    /// Sessions that remain may not have called it either.
    pub fn retain_by_known_tools(&self, sessions: &mut Vec<&Session>, filter: &Filter) {
        if filter.tool.is_none() {
            return;
        }
        let filter = Filter { tool: filter.tool.clone(), ..Filter::default() };
        let known = self.known_content(&filter);
        let mut flat = FlatAgents::new();
        sessions.retain(|session| {
            let agents = self.catalog.agent_files_of(session, &mut flat, Tier::DiskAndArchive);
            let mut paths = session.path.iter().chain(agents.iter().map(|agent| &agent.path));
            paths.any(|path| known(path).is_none_or(|holds| holds.tool))
        });
    }
}

impl Prompts {
    /// What the index remembers of files: their models and tools. It does not
    /// know the types of agents.
    fn known_content(&self, filter: &Filter) -> impl Fn(&Path) -> Option<ContentMatch> {
        let index = self.memory.index().ok().filter(|_| !self.stores.options.no_index);
        let names_of = |is_asked: bool, kind| -> Option<NamesByFile> {
            if is_asked {
                index.as_ref()?.names_by_file(kind).ok()
            } else {
                Some(NamesByFile::new())
            }
        };
        let models = names_of(filter.model.is_some(), NameKind::Models);
        let tools = names_of(filter.tool.is_some(), NameKind::Tools);
        let (model, tool) = (filter.model.clone(), filter.tool.clone());
        let names = models.zip(tools).filter(|_| filter.agent.is_none());
        move |path| {
            let (models, tools) = names.as_ref()?;
            self.memory.remembered_file(path)?;
            let any = |names: &NamesByFile, fits: &dyn Fn(&str) -> bool| {
                names.get(path).is_some_and(|names| names.iter().any(|name| fits(name)))
            };
            Some(ContentMatch {
                model: any(models, &|name| contains(model.as_deref(), Some(name))),
                tool: any(tools, &|name| {
                    tool.as_deref().is_some_and(|pattern| ::index::fits(pattern, name))
                }),
                agent: false,
            })
        }
    }
}

impl ContentMatch {
    fn take(&mut self, other: ContentMatch) {
        self.model |= other.model;
        self.tool |= other.tool;
        self.agent |= other.agent;
    }
}

/// The names in a transcript that filters look for.
#[derive(Debug, Default, PartialEq, Eq)]
struct ContentNames {
    /// Models that answered.
    models: BTreeSet<String>,
    /// Tools that were called.
    tools: BTreeSet<String>,
    /// Types of sub-agents that were started.
    agents: BTreeSet<String>,
}

impl ContentNames {
    fn note_record(&mut self, record: &transcript::Record<'_>) {
        let Some(message) = record.message() else { return };
        add(&mut self.models, message.model.as_deref());
        for call in message.tool_uses() {
            let tool = call.name.as_deref();
            add(&mut self.tools, tool);
            if matches!(tool, Some("Task" | "Agent")) {
                let kind =
                    call.input.as_ref().and_then(|input| input.member_string("subagent_type"));
                add(&mut self.agents, kind.as_deref());
            }
        }
    }

    fn matches(&self, filter: &Filter) -> ContentMatch {
        let any = |names: &BTreeSet<String>, wanted: Option<&str>| {
            names.iter().any(|name| contains(wanted, Some(name)))
        };
        ContentMatch {
            model: any(&self.models, filter.model.as_deref()),
            tool: filter
                .tool
                .as_deref()
                .is_some_and(|pattern| self.tools.iter().any(|name| ::index::fits(pattern, name))),
            agent: any(&self.agents, filter.agent.as_deref()),
        }
    }
}

fn add(names: &mut BTreeSet<String>, name: Option<&str>) {
    if let Some(name) = name.filter(|name| !names.contains(*name)) {
        names.insert(name.to_owned());
    }
}

impl LineFacts for ContentNames {
    type Lines = ContentNames;

    fn note(names: &mut ContentNames, line: Line<'_>) {
        if memmem::find(line.bytes, b"\"assistant\"").is_some() {
            for entry in parse_line(line) {
                names.note_record(&entry.record);
                if let Some(repeated) = entry.agent_line() {
                    names.note_record(&repeated.record);
                }
            }
        }
    }

    fn pack(names: ContentNames, packer: &mut Packer) {
        for names in [names.models, names.tools, names.agents] {
            packer.number(names.len() as u64);
            for name in &names {
                packer.name(Some(name));
            }
        }
    }
}

impl FileFacts for ContentNames {
    const KIND: FactKind = FactKind::Names;

    fn derive(
        files: &Files,
        paths: &[PathBuf],
        progress: &dyn Progress,
    ) -> (Vec<Packer>, Vec<ReadError>) {
        ContentNames::derive_from_lines(files, paths, progress)
    }

    fn unpack(bytes: &[u8]) -> Option<ContentNames> {
        let mut unpacker = Unpacker::new(bytes)?;
        let mut names = || {
            let count = unpacker.count()?;
            (0..count).map(|_| unpacker.name()?.map(str::to_owned)).collect::<Option<_>>()
        };
        Some(ContentNames { models: names()?, tools: names()?, agents: names()? })
    }
}

fn contains(wanted: Option<&str>, name: Option<&str>) -> bool {
    let lower = |text: &str| text.to_lowercase();
    wanted.zip(name).is_some_and(|(wanted, name)| lower(name).contains(&lower(wanted)))
}
