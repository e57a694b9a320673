//! Every API call of every transcript, through one loader.
//!
//! All files of all roots are folded together, including archived ones, because
//! forks, copies and resumed sessions repeat calls; filters apply afterwards.
//! Every report comes from here, which is why they agree.

pub(crate) mod budget;
pub(crate) mod call_rows;
pub(crate) mod day_sums;
pub(crate) mod dimension;
pub(crate) mod groups;
pub(crate) mod ledger;
pub(crate) mod reading;
pub(crate) mod recent;
pub(crate) mod report;
pub(crate) mod session_sums;
pub(crate) mod spent_since;
pub(crate) mod teams;

pub use ::usage::{Budget, CostMode};
pub use dimension::Dimension;
pub use recent::{RecentBlock, RecentUsage, RecentUsageOptions, Spending};
pub use report::{UsageOptions, UsageReport};
pub use session_sums::{AgentUsage, SessionUsage};
pub use teams::{TeamTable, TeamTableError};

use crate::catalog::Catalog;
use crate::catalog::filter::Filter;
use crate::catalog::find::FoundSession;
use crate::facts::Facts;
use crate::lines::ReadError;
use crate::lines::whole::read_whole;
use crate::memory::Memory;
use crate::progress::{Progress, StoppableReader, is_stopped};
use crate::prompts::Prompts;
use crate::session::Session;
use crate::sessions::Sessions;
use crate::sessions::agents::AgentTree;
use crate::stores::Stores;
use crate::stores::text_files::{TextReader, stamp};
use crate::usage::ledger::LedgerUsage;
use ::apps::App;
use archive::RateLimit;
use conversation::{AgentScan, link_agents};
use index::{MemoFile, fits};
use memchr::memmem::Finder;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use store::{AgentMeta, Files, MatchingLineReader};
use transcript::{Body, parse_line};
use usage::{
    Call, CallGroup, CallGroups, CallLine, Calls, FileNumber, PicoUsd, UsageLine, read_line,
};

/// Tokens and costs of API calls.
#[derive(Clone, Debug)]
pub struct Usage {
    pub(crate) stores: Arc<Stores>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) facts: Arc<Facts>,
    pub(crate) prompts: Arc<Prompts>,
}

/// A file with API calls.
#[derive(Clone, Debug)]
pub struct UsageFile {
    /// Where it is.
    pub path: PathBuf,
    /// The session it belongs to, by its path; for a flat agent, by its lines.
    pub session_id: Option<String>,
    /// The sub-agent it belongs to.
    pub agent_id: Option<String>,
    /// That agent's type, if sessions were requested.
    pub agent_type: Option<String>,
    /// Whether the file was deleted, and the ledger remembers its calls; also of sums.
    pub is_gone: bool,
    /// The person whose calls they are, with the lake.
    pub owner: Option<Arc<str>>,
    pub(crate) bytes: u64,
    /// Its number in the index's memo, if its stamp is unchanged.
    pub(crate) remembered: Option<usize>,
}

impl UsageFile {
    /// A deleted file.
    pub(crate) fn remembered(
        ledger: PathBuf,
        session: String,
        agent_id: Option<String>,
        agent_type: Option<String>,
    ) -> Self {
        let session_id = Some(session);
        UsageFile {
            path: ledger,
            session_id,
            agent_id,
            agent_type,
            is_gone: true,
            owner: None,
            bytes: 0,
            remembered: None,
        }
    }
}

/// All calls, with the files and sessions they belong to.
#[derive(Debug, Default)]
pub struct UsageSource {
    /// The calls. If they were only needed in groups, this has none, and neither limits
    /// nor lines that cannot be read; the rest is complete.
    pub calls: Calls,
    /// The calls in groups, if a report needs no more.
    pub(crate) groups: Option<CallGroups>,
    /// The sums of other people, with the lake; beside the calls or groups.
    pub(crate) sums: Vec<CallGroup>,
    /// The files, as calls number them.
    pub files: Vec<UsageFile>,
    /// The sessions by id, if they were requested.
    pub sessions: HashMap<String, Session>,
    /// The rate limits that the ledger remembers.
    pub rate_limits: Vec<RateLimit>,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
    /// The types of agents written into main transcripts, by the lines that
    /// represent their calls.
    inline_types: HashMap<(FileNumber, u64), String>,
}

/// A line of a call, with its file.
#[derive(Clone, Debug)]
pub struct FoundLine {
    /// Its file.
    pub path: PathBuf,
    /// Its content.
    pub line: CallLine<'static>,
}

impl UsageSource {
    /// The number of calls.
    pub fn call_count(&self) -> u64 {
        let own = self.groups.as_ref().map_or(self.calls.calls.len() as u64, |groups| groups.calls);
        self.sums.iter().fold(own, |sum, group| sum.saturating_add(group.sums.calls))
    }

    /// The file a call belongs to.
    pub fn file(&self, call: &Call) -> Option<&UsageFile> {
        self.files.get(usize::try_from(call.file).ok()?)
    }

    /// The person who made a call, with the lake.
    pub fn owner(&self, call: &Call) -> Option<&str> {
        self.file(call)?.owner.as_deref()
    }

    /// The app that made a call.
    pub(crate) fn app(&self, call: &Call) -> App {
        self.session_id(call).and_then(|id| App::split_id(id).0).unwrap_or(App::Claude)
    }

    /// The session a call belongs to: by its file's path, or by its lines.
    pub fn session_id(&self, call: &Call) -> Option<&str> {
        let by_path = self.file(call).and_then(|file| file.session_id.as_deref());
        by_path.or_else(|| self.calls.names.get(call.attribution.session))
    }

    /// The session itself, if sessions were requested.
    pub fn session(&self, call: &Call) -> Option<&Session> {
        self.sessions.get(self.session_id(call)?)
    }

    /// The type of the sub-agent that made a call; `None` for the session
    /// itself.
    pub fn agent_type(&self, call: &Call) -> Option<&str> {
        let file = self.file(call);
        let agent_type = self.calls.names.get(call.attribution.agent);
        let agent_type = agent_type.or_else(|| file.and_then(|file| file.agent_type.as_deref()));
        let agent_type =
            agent_type.or_else(|| self.inline_types.get(&call.chosen_line).map(String::as_str));
        let is_agent = call.is_sidechain || file.is_some_and(|file| file.agent_id.is_some());
        agent_type.or(is_agent.then_some("(unknown)"))
    }

    /// Adds what the ledger remembers, except calls.
    fn remember(&mut self, remembered: LedgerUsage) {
        self.files.extend(remembered.files());
        self.rate_limits = remembered.rate_limits;
    }

    /// Adds all sessions, and the types of agents that a metadata file names.
    fn add_sessions(&mut self, usage: &Usage) {
        let agents = self.files.iter_mut().filter(|file| file.agent_id.is_some());
        for file in agents.filter(|file| !file.is_gone) {
            file.agent_type = AgentMeta::read_for(&usage.stores.all, &file.path).agent_type;
        }
        let list = usage.catalog.all_sessions();
        self.read_errors.extend(list.read_errors);
        self.sessions =
            list.sessions.into_iter().map(|session| (session.id.clone(), session)).collect();
    }

    /// Whether a filter matches a call.
    pub fn admits(&self, call: &Call, filter: &Filter) -> bool {
        let names = &self.calls.names;
        let holds = |wanted: &Option<String>, name: Option<&str>| {
            wanted.as_ref().is_none_or(|wanted| {
                name.is_some_and(|name| name.to_lowercase().contains(&wanted.to_lowercase()))
            })
        };
        let in_project = filter.project.as_ref().is_none_or(|project| {
            names.get(call.attribution.cwd).is_some_and(|cwd| project.holds(cwd))
                || self.session(call).is_some_and(|session| project.holds_session(session))
        });
        let on_branch = filter.branch.as_ref().is_none_or(|pattern| {
            names.get(call.attribution.branch).is_some_and(|branch| fits(pattern, branch))
        });
        let with_tool = filter.tool.is_none()
            || call
                .tools
                .iter()
                .any(|(tool, _)| names.get(*tool).is_some_and(|tool| filter.admits_tool(tool)));
        filter.admits_id(self.session_id(call))
            && in_project
            && on_branch
            && with_tool
            && holds(&filter.model, names.get(call.model))
            && holds(&filter.agent, self.agent_type(call))
            && filter.admits_time(call.time)
    }
}

impl Usage {
    /// Reads all calls. Sessions with their titles and projects, and the types
    /// of agents, are read only on request.
    pub fn read(&self, with_sessions: bool, progress: &dyn Progress) -> UsageSource {
        let mut read_errors = Vec::new();
        let files = self.usage_files(&mut read_errors);
        self.usage_of(files, read_errors, with_sessions, progress)
    }

    /// Reads the calls of one session and its sub-agents, from its own files alone: calls
    /// that a fork repeats count in both.
    pub fn read_session(
        &self,
        session: &str,
        with_sessions: bool,
        progress: &dyn Progress,
    ) -> UsageSource {
        let mut read_errors = Vec::new();
        let mut files = self.usage_files(&mut read_errors);
        files.retain(|file| file.session_id.as_deref() == Some(session));
        let mut source = self.usage_of(files, read_errors, with_sessions, progress);
        let calls = std::mem::take(&mut source.calls.calls);
        let own = calls.into_iter().filter(|call| source.session_id(call) == Some(session));
        source.calls.calls = own.collect();
        // The agents of other sessions are not needed.
        source.files.iter_mut().filter(|file| file.is_gone).for_each(|file| file.agent_id = None);
        source
    }

    /// Finds the types of agents that no metadata file names, from the calls
    /// that started them. Sessions must have been read.
    pub fn name_agents(&self, source: &mut UsageSource, progress: &dyn Progress) {
        let nameless = |file: &UsageFile| file.agent_id.is_some() && file.agent_type.is_none();
        let ids: HashSet<&str> = source
            .files
            .iter()
            .filter(|file| nameless(file))
            .filter_map(|file| file.session_id.as_deref())
            .collect();
        let sessions: Vec<&Session> =
            ids.iter().filter_map(|id| source.sessions.get(*id)).collect();
        let trees: Vec<(String, AgentTree)> = sessions
            .par_iter()
            .filter_map(|session| {
                if progress.is_late() {
                    progress.leave_out();
                    return None;
                }
                Some((
                    session.id.clone(),
                    self.sessions.agents(&FoundSession::of((*session).clone())),
                ))
            })
            .collect();
        let mut kinds: HashMap<(String, String), String> = HashMap::new();
        for (session, tree) in trees {
            for agent in tree.agents {
                if let Some(kind) = agent.kind {
                    kinds.insert((session.clone(), agent.id), kind);
                }
            }
        }
        name_inline_agents(&self.stores.all, source, progress);
        for file in source.files.iter_mut().filter(|file| nameless(file)) {
            if let (Some(session), Some(agent)) = (&file.session_id, &file.agent_id) {
                file.agent_type = kinds.get(&(session.clone(), agent.clone())).cloned();
            }
        }
    }

    /// The lines of a call, by any of its ids.
    pub fn lines(&self, id: &str, progress: &dyn Progress) -> (Vec<FoundLine>, Vec<ReadError>) {
        let mut read_errors = Vec::new();
        self.catalog.note_names();
        let files = self.usage_files(&mut read_errors);
        let remembered = self.ledger_usage(&mut read_errors);
        let mut found = lines_of(&self.stores.all, &files, id, progress);
        found.extend(remembered.lines_of(id));
        // A request id or line id finds only some of a call's lines; its
        // response id finds all of them.
        let responses: BTreeSet<String> = found
            .iter()
            .filter_map(|it| it.line.message_id.as_deref().map(str::to_owned))
            .collect();
        for response in responses.iter().filter(|response| *response != id) {
            found.extend(lines_of(&self.stores.all, &files, response, progress));
            found.extend(remembered.lines_of(response));
        }
        let place = |it: &FoundLine| (it.path.clone(), it.line.offset);
        found.sort_by_key(place);
        found.dedup_by_key(|it| place(it));
        (found, read_errors)
    }

    /// The costs of sessions that the app itself logged: the last value of
    /// each.
    pub fn logged_costs(
        &self,
        source: &UsageSource,
        progress: &dyn Progress,
    ) -> HashMap<String, PicoUsd> {
        let noted = Mutex::new(HashMap::new());
        let needle = Finder::new("\"cost-state\"");
        source.files.par_iter().for_each_init(MatchingLineReader::default, |reader, file| {
            let is_main = file.agent_id.is_none() && !file.is_gone;
            let Some(session) = file.session_id.clone().filter(|_| is_main) else { return };
            if progress.is_late() {
                progress.leave_out();
                return;
            }
            let Ok(open) = self.stores.all.open(&file.path) else { return };
            let mut open = StoppableReader::new(open, progress);
            let mut last = None;
            let read = reader.read(&mut open, &needle, |line| {
                for entry in parse_line(line) {
                    if let Body::CostState { total_cost_usd: Some(total), .. } = entry.record.body {
                        last = PicoUsd::parse(&total.0.to_string()).or(last);
                    }
                }
            });
            // Other read errors were reported when the calls were read.
            if read.is_err_and(|error| is_stopped(&error)) {
                progress.leave_out();
                return;
            }
            if let (Some(cost), Ok(mut noted)) = (last, noted.lock()) {
                noted.insert(session, cost);
            }
        });
        noted.into_inner().unwrap_or_default()
    }
}

impl Usage {
    /// The calls of files, and those that the ledger remembers.
    pub(crate) fn usage_of(
        &self,
        files: Vec<UsageFile>,
        read_errors: Vec<ReadError>,
        with_sessions: bool,
        progress: &dyn Progress,
    ) -> UsageSource {
        let mut source = UsageSource { files, read_errors, ..UsageSource::default() };
        let remembered = self.ledger_usage(&mut source.read_errors);
        let (calls, read_errors) = self.read_calls(&source.files, &remembered, progress);
        source.calls = calls;
        source.read_errors.extend(read_errors);
        source.remember(remembered);
        if with_sessions {
            source.add_sessions(self);
        } else {
            self.catalog.note_names();
        }
        if !self.stores.options.exclude.is_empty() {
            let Calls { calls, names, .. } = &mut source.calls;
            let excluded = |call: &Call| {
                names
                    .get(call.attribution.cwd)
                    .is_some_and(|cwd| self.stores.options.exclude.is_match(cwd))
            };
            calls.retain(|call| !excluded(call));
        }
        source
    }

    /// The project of a working directory, by its present name.
    pub(crate) fn project_of(&self, cwd: &str) -> String {
        self.stores.resolve_alias(cwd)
    }

    /// The files that may have calls, by path.
    pub(crate) fn usage_files(&self, read_errors: &mut Vec<ReadError>) -> Vec<UsageFile> {
        let mut files = self.remembered_files().unwrap_or_else(|| self.listed_files(read_errors));
        files.sort_by(|one, two| one.path.as_os_str().cmp(two.path.as_os_str()));
        files.dedup_by(|one, two| one.path == two.path);
        if self.stores.lake().is_some() {
            for file in &mut files {
                file.owner = self.stores.owner_of(&file.path).map(Arc::from);
            }
        }
        files
    }

    /// The same from the index, if it has all of them.
    fn remembered_files(&self) -> Option<Vec<UsageFile>> {
        let files =
            self.memory.remembered_again()?.into_iter().map(|((number, file), stamp)| UsageFile {
                path: file.path.clone(),
                session_id: file.session.clone(),
                agent_id: file.agent.clone(),
                agent_type: None,
                is_gone: false,
                owner: None,
                bytes: stamp.bytes,
                remembered: (file.stamp == Some(stamp)).then_some(number),
            });
        Some(files.collect())
    }

    /// What the index remembers of a file, if its stamp is unchanged.
    pub(crate) fn remembered_usage(&self, file: &UsageFile) -> Option<&MemoFile> {
        self.memory.memo()?.files().get(file.remembered?)
    }

    fn listed_files(&self, read_errors: &mut Vec<ReadError>) -> Vec<UsageFile> {
        let memo = self.memory.memo();
        let (files, unlisted) = self.stores.text_files(TextReader::Usage).gather(|file| {
            let stamp = stamp(&self.stores.all, &file.path).map(|stamped| stamped.stamp);
            let known = memo.zip(stamp.as_ref());
            Some(UsageFile {
                remembered: known.and_then(|(memo, stamp)| memo.number(&file.path, stamp)),
                path: file.path,
                session_id: file.session,
                agent_id: file.agent,
                agent_type: None,
                is_gone: false,
                owner: None,
                // A file without a stamp cannot be read, which is reported when
                // it is opened.
                bytes: stamp.map_or(0, |stamp| stamp.bytes),
            })
        });
        read_errors.extend(unlisted);
        files
    }
}

/// The lines of the calls with an id.
fn lines_of(
    through: &Files,
    files: &[UsageFile],
    id: &str,
    progress: &dyn Progress,
) -> Vec<FoundLine> {
    let found = Mutex::new(Vec::new());
    let needle = Finder::new(id);
    files.par_iter().for_each_init(MatchingLineReader::default, |reader, file| {
        if progress.is_late() {
            progress.leave_out();
            return;
        }
        let read = through.open(&file.path).and_then(|open| {
            let mut open = StoppableReader::new(open, progress);
            reader.read(&mut open, &needle, |line| {
                read_line(line, |read| {
                    let UsageLine::Call(call) = read else { return };
                    let ids = [&call.message_id, &call.request_id, &call.uuid];
                    let is_own = ids.into_iter().any(|own| own.as_deref() == Some(id));
                    if let Ok(mut found) = found.lock()
                        && is_own
                    {
                        let line = call.into_owned();
                        found.push(FoundLine { path: file.path.clone(), line });
                    }
                });
            })
        });
        // Other read errors were reported when the calls were read.
        if read.is_err_and(|error| is_stopped(&error)) {
            progress.leave_out();
        }
    });
    found.into_inner().unwrap_or_default()
}

/// Finds the types of agents written into main transcripts: each line belongs
/// to the agent of the line it follows.
fn name_inline_agents(files: &Files, source: &mut UsageSource, progress: &dyn Progress) {
    let is_main = |number: FileNumber| {
        let file = usize::try_from(number).ok().and_then(|place| source.files.get(place));
        file.filter(|file| file.agent_id.is_none() && !file.is_gone)
    };
    let numbers: HashSet<FileNumber> = source
        .calls
        .calls
        .iter()
        .filter(|call| call.is_sidechain)
        .map(|call| call.chosen_line.0)
        .filter(|number| is_main(*number).is_some())
        .collect();
    let mut types = HashMap::new();
    for number in numbers {
        let Some(file) = is_main(number) else { continue };
        if progress.is_late() {
            progress.leave_out();
            continue;
        }
        // Read errors were reported when the calls were read.
        let Ok(bytes) = read_whole(files, &file.path) else { continue };
        let mut notes = AgentScan::default();
        let mut places: Vec<(u64, String)> = Vec::new();
        for entry in transcript::entries(&bytes) {
            notes.note(entry.line, &entry.record, true);
            let envelope = &entry.record.envelope;
            if let Some(uuid) = envelope.uuid.as_ref().filter(|_| envelope.is_sidechain) {
                places.push((entry.offset, uuid.to_string()));
            }
        }
        let linked = link_agents(&notes, Vec::new()).into_iter();
        let kinds: HashMap<String, String> =
            linked.filter_map(|agent| Some((agent.id, agent.kind?))).collect();
        for (offset, uuid) in places {
            let kind = notes.inline_agent(&uuid).and_then(|agent| kinds.get(agent));
            types.extend(kind.map(|kind| ((number, offset), kind.clone())));
        }
    }
    source.inline_types = types;
}
