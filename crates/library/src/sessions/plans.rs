//! The plans of a session: in its transcript, in those of its sub-agents, and
//! in the plan files of the app.

use crate::catalog::agent_files::FlatAgents;
use crate::catalog::find::FoundSession;
use crate::lines::repeated::transcript_of;
use crate::lines::scan::{ReadError, read_lines};
use crate::lines::whole::read_whole;
use crate::sessions::Sessions;
use crate::stores::Tier;
use conversation::Plans;
use conversation::plans::{PlanSource, PlanStatus, PlanVersion};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use store::{AgentEra, Files, PlanFile, Root, plan_files};
use transcript::{Line, parse_line};

/// Where the text of a plan was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanOrigin {
    /// In a transcript.
    Transcript(PlanSource),
    /// In the file its slug names.
    File,
    /// In the newest file from the time of the session: a guess, if there is
    /// nothing better.
    NewestFile,
}

impl PlanOrigin {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            PlanOrigin::Transcript(source) => source.name(),
            PlanOrigin::File => "file",
            PlanOrigin::NewestFile => "newest_file",
        }
    }
}

/// One version of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Where its text was found.
    pub origin: PlanOrigin,
    /// Whether it was accepted.
    pub status: PlanStatus,
    /// Its Markdown.
    pub text: String,
    /// The call that proposed or wrote it.
    pub tool_use_id: Option<String>,
    /// The sub-agent that made it.
    pub agent_id: Option<String>,
    /// The name of its file.
    pub slug: Option<String>,
    /// Its file if it was found, otherwise the path in the transcript.
    pub path: Option<String>,
    /// When it was recorded; for a file, when it was last modified.
    pub timestamp: Option<Timestamp>,
    /// The line of the transcript.
    pub line: Option<u64>,
}

impl Plan {
    /// Whether it may belong to another session: nothing but its time speaks for this one.
    pub fn is_guess(&self) -> bool {
        self.origin == PlanOrigin::NewestFile
    }
}

/// The plans of a session, oldest first.
#[derive(Clone, Debug, Default)]
pub struct PlanList {
    /// The versions.
    pub plans: Vec<Plan>,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
}

impl PlanList {
    /// The plans with their numbers, from 1. Every surface numbers them so.
    pub fn numbered(&self) -> impl DoubleEndedIterator<Item = (usize, &Plan)> + Clone {
        self.plans.iter().enumerate().map(|(place, plan)| (place + 1, plan))
    }

    /// Those that the session names, for answers in which a guess may be of a session that
    /// they must not show.
    pub fn named(&self) -> impl DoubleEndedIterator<Item = (usize, &Plan)> + Clone {
        self.numbered().filter(|(_, plan)| !plan.is_guess())
    }
}

/// The plans in one transcript.
#[derive(Default)]
struct PlanMentions {
    plans: Plans,
    /// Those of agents whose lines progress records repeat, by their ids.
    repeated: BTreeMap<String, Plans>,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl PlanMentions {
    fn of(bytes: &[u8]) -> Self {
        let mut mentions = PlanMentions::default();
        transcript::lines(bytes).for_each(|line| mentions.note(line));
        mentions
    }

    fn note(&mut self, line: Line<'_>) {
        let number = line.number;
        for entry in parse_line(line) {
            self.plans.note(&entry.record, number);
            if let Some(line) = entry.agent_line()
                && let Some(agent) = &line.record.envelope.agent_id
            {
                self.repeated.entry(agent.to_string()).or_default().note(&line.record, number);
            }
            if let Some(time) = entry.record.time() {
                self.first = Some(self.first.map_or(time, |first| first.min(time)));
                self.last = Some(self.last.map_or(time, |last| last.max(time)));
            }
        }
    }
}

/// How far from the session's time a guessed file may be.
const NEAR: SignedDuration = SignedDuration::from_hours(1);

impl Sessions {
    /// The plans of a session and its sub-agents, or of the sub-agent that
    /// `found` names.
    pub fn plans(&self, found: &FoundSession) -> PlanList {
        self.plans_beside(found, None)
    }
}

impl Sessions {
    /// The same, if the transcript may have been read already.
    pub(crate) fn plans_beside(&self, found: &FoundSession, bytes: Option<&[u8]>) -> PlanList {
        let mut list = PlanList::default();
        let mut transcripts: Vec<(PathBuf, Option<String>)> = Vec::new();
        let named = found.agent.as_ref().map(|agent| agent.id.clone());
        transcripts.extend(found.path().map(|path| (path.to_owned(), named.clone())));
        if named.is_none() {
            let files = self.catalog.agent_files_of(
                &found.session,
                &mut FlatAgents::new(),
                Tier::DiskAndArchive,
            );
            transcripts.extend(files.into_iter().map(|agent| (agent.path, Some(agent.id))));
        }
        let has_file: HashSet<String> =
            transcripts.iter().filter_map(|(_, agent)| agent.clone()).collect();
        let is_inline = |agent: &store::Agent| agent.era == AgentEra::Inline;
        let is_inline = found.agent.as_ref().is_some_and(is_inline);
        let mut known = HashSet::new();
        let mut slugs = Vec::new();
        let mut span: Option<(Timestamp, Timestamp)> = None;
        for (path, agent) in transcripts {
            let mentions = match bytes.filter(|_| found.path() == Some(&path)) {
                Some(bytes) => PlanMentions::of(bytes),
                None if is_inline => {
                    let bytes = read_whole(&self.stores.all, &path).unwrap_or_default();
                    PlanMentions::of(&transcript_of(found.id(), &bytes))
                }
                None => list.read(&self.stores.all, &path),
            };
            for version in mentions.plans.versions() {
                list.plans.push(in_transcript(version, agent.as_deref()));
            }
            for (id, plans) in &mentions.repeated {
                // The file has them too.
                if named.is_none() && !has_file.contains(id) && known.insert(id.clone()) {
                    let own = plans.versions().iter();
                    list.plans.extend(own.map(|version| in_transcript(version, Some(id))));
                    slugs.extend(plans.slugs().iter().map(|slug| (slug.clone(), Some(id.clone()))));
                }
            }
            slugs.extend(mentions.plans.slugs().iter().map(|slug| (slug.clone(), agent.clone())));
            for time in [mentions.first, mentions.last].into_iter().flatten() {
                let (from, to) = span.unwrap_or((time, time));
                span = Some((from.min(time), to.max(time)));
            }
        }
        if let Some(own) = &found.inline_agent {
            list.plans.retain(|plan| plan.agent_id.as_ref() == Some(own));
            slugs.retain(|(_, agent)| agent.as_ref() == Some(own));
        }
        let config = self.config_of(found);
        let files = config.map(|config| plan_files(&self.stores.all, config)).unwrap_or_default();
        let is_named =
            |file: &&PlanFile| slugs.iter().any(|(slug, agent)| fits(file, slug, agent.as_deref()));
        for file in files.iter().filter(is_named) {
            list.add_file(&self.stores.all, file, PlanOrigin::File);
        }
        if list.plans.is_empty() {
            let metadata = &found.session.metadata;
            let known = metadata.created.map(|created| (created, metadata.modified));
            if let Some(file) = span.or(known).and_then(|span| newest(&files, span)) {
                list.add_file(&self.stores.all, file, PlanOrigin::NewestFile);
            }
        }
        list.in_order();
        let masking = self.redaction.masking_of_session(&found.session);
        for plan in &mut list.plans {
            plan.text = masking.text(std::mem::take(&mut plan.text));
        }
        // The same unreadable file may have been tried several times.
        let mut seen = HashSet::new();
        list.read_errors.retain(|read_error| seen.insert(read_error.to_string()));
        list
    }

    /// The configuration folder a session belongs to.
    fn config_of(&self, found: &FoundSession) -> Option<&Path> {
        let holds = |root: &&Root| {
            let projects = root.projects();
            root.path == found.session.root
                || projects.zip(found.path()).is_some_and(|(all, path)| path.starts_with(all))
        };
        let config = |root: &&Root| root.config().is_some() && holds(root);
        let own = self.stores.roots.iter().find(config);
        own.or_else(|| self.stores.archived_roots().iter().find(config))?.config()
    }
}

impl PlanList {
    fn read(&mut self, files: &Files, path: &Path) -> PlanMentions {
        let mut mentions = PlanMentions::default();
        let read = read_lines(files, path, |line| {
            mentions.note(line);
            true
        });
        self.read_errors.extend(read.err());
        mentions
    }

    /// Adds the content of a file, or notes on a known version that it is in
    /// that file.
    fn add_file(&mut self, files: &Files, file: &PlanFile, origin: PlanOrigin) {
        let text = match file.read(files) {
            Ok(text) => text,
            Err(error) => {
                self.read_errors.push(ReadError::new(&file.path, &error));
                return;
            }
        };
        if text.trim().is_empty() {
            return;
        }
        let path = Some(file.path.to_string_lossy().into_owned());
        let same = |plan: &&mut Plan| {
            plan.text.trim() == text.trim()
                && (file.agent_id.is_none() || plan.agent_id == file.agent_id)
        };
        if let Some(plan) = self.plans.iter_mut().rev().find(same) {
            plan.path = path;
            return;
        }
        self.plans.push(Plan {
            origin,
            status: PlanStatus::Unknown,
            text,
            tool_use_id: None,
            agent_id: file.agent_id.clone(),
            slug: Some(file.slug.clone()),
            path,
            timestamp: Some(file.modified),
            line: None,
        });
    }

    /// Sorts by time, oldest first. Plans without a time stay behind their
    /// predecessors; consecutive duplicates are merged.
    fn in_order(&mut self) {
        let mut latest = Timestamp::MIN;
        let mut timed: Vec<(Timestamp, Plan)> = Vec::new();
        for plan in self.plans.drain(..) {
            latest = plan.timestamp.unwrap_or(latest);
            timed.push((latest, plan));
        }
        timed.sort_by_key(|(time, _)| *time);
        self.plans = timed.into_iter().map(|(_, plan)| plan).collect();
        // Of two duplicates, the one with an answer stays.
        self.plans.dedup_by(|later, earlier| {
            let is_same = later.text.trim() == earlier.text.trim();
            if is_same && earlier.status == PlanStatus::Unknown {
                std::mem::swap(later, earlier);
            }
            is_same
        });
    }
}

/// Whether a file is the plan of a slug in the session's lines, or in those of
/// an agent: an agent's slug matches only its plan.
fn fits(file: &PlanFile, slug: &str, agent: Option<&str>) -> bool {
    let slug = slug.rsplit(['/', '\\']).next().unwrap_or_default();
    file.slug == slug && (agent.is_none() || file.agent_id.as_deref() == agent)
}

/// The newest file modified within a span of time, or near it.
fn newest(files: &[PlanFile], (first, last): (Timestamp, Timestamp)) -> Option<&PlanFile> {
    let from = first.saturating_sub(NEAR).unwrap_or(first);
    let to = last.saturating_add(NEAR).unwrap_or(last);
    let near = files.iter().filter(|file| (from..=to).contains(&file.modified));
    near.max_by_key(|file| file.modified)
}

fn in_transcript(version: &PlanVersion, agent: Option<&str>) -> Plan {
    Plan {
        origin: PlanOrigin::Transcript(version.source),
        status: version.status,
        text: version.text.clone(),
        tool_use_id: version.tool_use_id.clone(),
        agent_id: agent.map(str::to_owned),
        slug: version.slug.clone(),
        path: version.path.clone(),
        timestamp: version.timestamp,
        line: Some(version.line),
    }
}
