//! One session at a glance: what a full read of it tells.

use crate::Library;
use crate::find::Found;
use crate::scan::{Trouble, read_lines};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashSet};
use transcript::{Body, parse_line};

/// How a session touched a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileTouch {
    /// How often it was read.
    pub reads: u64,
    /// How often it was changed.
    pub changes: u64,
}

/// What a full read of a session, its agents included, tells.
#[derive(Clone, Debug, Default)]
pub struct Card {
    /// Lines of the main transcript.
    pub lines: u64,
    /// Records of the main transcript by type.
    pub records: BTreeMap<String, u64>,
    /// Prompts a person typed.
    pub prompts: u64,
    /// Messages of the model: API responses, not lines.
    pub answers: u64,
    /// Calls of tools by name, agents included.
    pub tools: BTreeMap<String, u64>,
    /// Models, with how many responses each gave, agents included.
    pub models: BTreeMap<String, u64>,
    /// The earliest time written.
    pub first: Option<Timestamp>,
    /// The latest time written.
    pub last: Option<Timestamp>,
    /// Files read or changed, agents included.
    pub files: BTreeMap<String, FileTouch>,
    /// Compactions.
    pub compactions: u64,
    /// Sub-agents, warm-ups left out.
    pub agents: u64,
    /// Bytes of the sub-agents' own files.
    pub agent_bytes: u64,
    /// Tool outputs kept beside the transcript.
    pub tool_results: (usize, u64),
    /// File backups: how many, and how large.
    pub backups: (usize, u64),
    /// The plan files its slugs name.
    pub plans: Vec<std::path::PathBuf>,
    /// Names its plans would have.
    slugs: Vec<String>,
    /// Git branches, in the order they were met.
    pub branches: Vec<String>,
    /// Versions of Claude Code, in the order they were met.
    pub versions: Vec<String>,
    /// Things wrong with lines of the main transcript.
    pub problems: u64,
    /// What could not be read.
    pub troubles: Vec<Trouble>,
}

impl Library {
    /// Reads a session whole.
    pub fn card(&self, found: &Found) -> Card {
        let mut card = Card::default();
        let mut responses = HashSet::new();
        if let Some(path) = found.path() {
            let read = read_lines(path, |line| {
                card.lines += 1;
                for entry in parse_line(line) {
                    card.problems += entry.problems.len() as u64;
                    card.note_main(&entry.record);
                    card.note(&entry.record, &mut responses);
                }
                true
            });
            card.troubles.extend(read.err());
        }
        card.answers = responses.len() as u64;
        if found.agent.is_none() {
            let tree = self.agents(found);
            card.troubles.extend(tree.troubles.iter().cloned());
            card.agents = tree.agents.iter().filter(|agent| !agent.warmup).count() as u64;
            for agent in &tree.agents {
                let Some(file) = tree.file(agent) else { continue };
                card.agent_bytes += agent.bytes;
                let read = read_lines(&file.path, |line| {
                    for entry in parse_line(line) {
                        card.note(&entry.record, &mut responses);
                    }
                    true
                });
                card.troubles.extend(read.err());
            }
        }
        if let Some(folder) = &found.session.session_folder {
            card.tool_results = folder.tool_results();
        }
        let (prompts, troubles) = self.prompts_of(found);
        card.prompts = prompts.len() as u64;
        card.troubles.extend(troubles);
        // A file that cannot be read was tried for each of these.
        let mut said = HashSet::new();
        card.troubles.retain(|trouble| said.insert(trouble.to_string()));
        let root = self.roots.iter().find(|root| root.path == found.session.root);
        if let Some(config) = root.and_then(store::Root::config) {
            card.backups = store::backups(config, &found.session.id);
            card.plans =
                card.slugs.iter().filter_map(|slug| store::find_plan(config, slug)).collect();
        }
        card
    }
}

impl Card {
    /// What only the main transcript tells.
    fn note_main(&mut self, record: &transcript::Record<'_>) {
        let name = record.type_name.as_deref().unwrap_or("(unreadable)");
        *self.records.entry(name.to_owned()).or_default() += 1;
        if let Some(time) = record.time() {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = Some(self.last.map_or(time, |last| last.max(time)));
        }
        if record.subtype() == Some("compact_boundary") {
            self.compactions += 1;
        }
        let met = [
            (&mut self.branches, &record.envelope.git_branch),
            (&mut self.versions, &record.envelope.version),
            (&mut self.slugs, &record.envelope.slug),
        ];
        for (list, value) in met {
            if let Some(value) = value.as_deref().filter(|value| !value.is_empty())
                && !list.iter().any(|known| known == value)
            {
                list.push(value.to_owned());
            }
        }
    }

    /// What agents add to.
    fn note(&mut self, record: &transcript::Record<'_>, responses: &mut HashSet<String>) {
        let Body::Assistant(_) = &record.body else { return };
        let Some(message) = record.message() else { return };
        // One response is several lines with one message id.
        let response = message.id.as_ref().map(ToString::to_string);
        let response = response.or_else(|| record.envelope.uuid.as_ref().map(ToString::to_string));
        let is_new = response.is_none_or(|response| responses.insert(response));
        if let Some(model) =
            message.model.as_deref().filter(|model| is_new && *model != "<synthetic>")
        {
            *self.models.entry(model.to_owned()).or_default() += 1;
        }
        for call in message.tool_uses() {
            let name = call.name.as_deref().unwrap_or("(unnamed)");
            *self.tools.entry(name.to_owned()).or_default() += 1;
            let Some(input) = &call.input else { continue };
            let path =
                input.member_string("file_path").or_else(|| input.member_string("notebook_path"));
            let Some(path) = path else { continue };
            let touch = self.files.entry(path.into_owned()).or_default();
            match name {
                "Read" => touch.reads += 1,
                "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => touch.changes += 1,
                _ => {}
            }
        }
    }
}
