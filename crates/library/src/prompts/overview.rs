//! An overview of one session, from a full read.

use crate::catalog::agent_files::FlatAgents;
use crate::catalog::find::FoundSession;
use crate::lines::ReadError;
use crate::prompts::{Prompt, Prompts};
use crate::sessions::calls::SessionBytes;
use crate::stores::Tier;
use conversation::{CompactionScan, GitAction, ToolCall, ToolKind};
use index::PromptSource;
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap, HashSet};
use store::PullRequest;
use transcript::{Body, Problem, Reason, RecordKind};

/// How a session touched a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileTouch {
    /// How often it was read.
    pub reads: u64,
    /// How often it was changed.
    pub changes: u64,
}

/// A commit a session made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its hash, abbreviated as in the transcript.
    pub hash: String,
    /// The branch it was made on.
    pub branch: Option<String>,
    /// Its first line.
    pub subject: Option<String>,
    /// When.
    pub time: Option<Timestamp>,
}

/// What a full read of a session and its agents gives.
#[derive(Clone, Debug, Default)]
pub struct SessionOverview {
    /// Lines of the main transcript.
    pub lines: u64,
    /// Records of the main transcript by type.
    pub records: BTreeMap<String, u64>,
    /// Prompts that its transcript has, as the index counts them.
    pub prompts: u64,
    /// Prompts that only the prompt history has.
    pub history_prompts: u64,
    /// Responses of the model: API responses, not lines.
    pub answers: u64,
    /// Tool calls by name, including agents.
    pub tools: BTreeMap<String, u64>,
    /// Models, with the number of responses of each, including agents.
    pub models: BTreeMap<String, u64>,
    /// The earliest timestamp.
    pub first: Option<Timestamp>,
    /// The latest timestamp.
    pub last: Option<Timestamp>,
    /// Files read or changed, including agents.
    pub files: BTreeMap<String, FileTouch>,
    /// Compactions.
    pub compactions: u64,
    /// Sub-agents, without warm-ups.
    pub agents: u64,
    /// The size of the sub-agents' files.
    pub agent_bytes: u64,
    /// Tool outputs stored beside the transcript.
    pub tool_results: (usize, u64),
    /// File backups: number and size.
    pub backups: (usize, u64),
    /// The plan files its slugs name.
    pub plans: Vec<std::path::PathBuf>,
    /// The slugs, which name its plans.
    slugs: Vec<String>,
    /// Commits made by its calls, including agents.
    pub commits: Vec<Commit>,
    /// Pull requests it recorded or made, including agents.
    pub pull_requests: Vec<PullRequest>,
    /// Git branches, in order of appearance.
    pub branches: Vec<String>,
    /// Versions of Claude Code, in order of appearance.
    pub versions: Vec<String>,
    /// Problems in lines of the main transcript.
    pub problems: u64,
    /// Its lines that are too large to be read.
    pub large_lines: u64,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
}

/// The API responses so far, and whether the model of each is known.
#[derive(Debug, Default)]
struct Responses(HashMap<String, bool>);

impl Responses {
    /// Notes a record of the model; returns whether it is the first of its response that names
    /// the model. One response is several lines with one message id. A line without an id is a
    /// response by itself, unless no model wrote it.
    fn note(
        &mut self,
        record: &transcript::Record<'_>,
        message: &transcript::Message<'_>,
        names_model: bool,
    ) -> bool {
        let uuid = || record.envelope.uuid.as_ref().filter(|_| names_model);
        let id = message.id.as_ref().map(ToString::to_string);
        let Some(id) = id.or_else(|| uuid().map(ToString::to_string)) else { return names_model };
        let is_known = self.0.entry(id).or_default();
        names_model && !std::mem::replace(is_known, true)
    }
}

impl Prompts {
    /// Reads a whole session.
    pub fn overview(&self, found: &FoundSession) -> SessionOverview {
        let mut overview = SessionOverview::default();
        let mut responses = Responses::default();
        let mut answers = 0;
        let mut compactions = CompactionScan::default();
        let agents = match found.agent {
            Some(_) => Vec::new(),
            None => self.catalog.agent_files_of(
                &found.session,
                &mut FlatAgents::new(),
                Tier::DiskAndArchive,
            ),
        };
        let bytes = SessionBytes::read(&self.sessions, found.path(), &agents);
        overview.read_errors.extend(bytes.read_errors.iter().cloned());
        overview.lines = transcript::lines(&bytes.main).count() as u64;
        // The transcript of an app's session has blank lines where the app's own have nothing
        // to show, and its problems are those of the app's lines.
        let is_of_app = found.path().is_some_and(|path| self.stores.is_of_app(path));
        let session_calls = bytes.calls(&agents, |file, entry| {
            let is_main = file == 0;
            if is_main && !(is_of_app && entry.record.kind == RecordKind::Blank) {
                overview.note_problems(&entry.problems);
                overview.note_main(&entry.record);
                let is_own = found.agent.is_some() || !entry.record.envelope.is_sidechain;
                overview.compactions += u64::from(is_own && compactions.note(&entry.record));
            }
            overview.note(&entry.record, &mut responses);
            if is_main {
                answers = responses.0.len() as u64;
            }
        });
        if is_of_app {
            let problems = found.path().and_then(|path| self.stores.apps().problems(path));
            (overview.problems, overview.large_lines) = problems.unwrap_or_default();
        }
        overview.answers = answers;
        if found.agent.is_none() {
            overview.agents =
                session_calls.agents.iter().filter(|agent| !agent.warmup).count() as u64;
            overview.agent_bytes = agents.iter().map(|agent| agent.bytes).sum();
        }
        for (_, call) in &session_calls.calls {
            overview.note_call(call);
            overview.note_git_actions(call);
        }
        for folder in found.session.folders() {
            let (count, bytes) = folder.count_tool_results(&self.stores.all);
            overview.tool_results.0 += count;
            overview.tool_results.1 += bytes;
        }
        let (prompts, read_errors) = self.prompts_of(found);
        let is_only_in_history = |prompt: &&Prompt| prompt.source == PromptSource::History;
        overview.history_prompts = prompts.iter().filter(is_only_in_history).count() as u64;
        overview.prompts = prompts.len() as u64 - overview.history_prompts;
        overview.read_errors.extend(read_errors);
        // The same unreadable file may have been tried several times.
        let mut seen = HashSet::new();
        overview.read_errors.retain(|read_error| seen.insert(read_error.to_string()));
        if let Some(config) = self.stores.root_at(&found.session.root).and_then(store::Root::config)
        {
            overview.backups = store::count_backups(&self.stores.all, config, &found.session.id);
            let plan = |slug: &String| store::find_plan(&self.stores.all, config, slug);
            overview.plans = overview.slugs.iter().filter_map(plan).collect();
        }
        overview
    }
}

impl SessionOverview {
    /// Counts the problems of a line of the main transcript.
    fn note_problems(&mut self, problems: &[Problem]) {
        let is_large = |problem: &&Problem| matches!(problem.reason, Reason::TooLarge { .. });
        let large = problems.iter().filter(is_large).count();
        self.large_lines += large as u64;
        self.problems += (problems.len() - large) as u64;
    }

    /// Adds what only the main transcript records.
    fn note_main(&mut self, record: &transcript::Record<'_>) {
        let name = record.type_name.as_deref().unwrap_or("(unreadable)");
        *self.records.entry(name.to_owned()).or_default() += 1;
        if let Some(time) = record.time() {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = Some(self.last.map_or(time, |last| last.max(time)));
        }
        if let Body::PrLink { number, url, repository, .. } = &record.body {
            let text = |text: &Option<transcript::Str<'_>>| text.as_deref().map(str::to_owned);
            self.add_pull_request(PullRequest {
                number: number.map(|count| count.0),
                url: text(url),
                repository: text(repository),
            });
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

    /// Adds a call, and the file that it names. Agents that continue the conversation of
    /// another repeat its calls, which count once.
    fn note_call(&mut self, call: &ToolCall<'_>) {
        *self.tools.entry(call.tool.to_string()).or_default() += 1;
        let Some(input) = &call.input else { return };
        let kind = ToolKind::of(&call.tool);
        let mut path =
            input.member_string("file_path").or_else(|| input.member_string("notebook_path"));
        if path.is_none() && matches!(kind, ToolKind::Read | ToolKind::Change) {
            // The names of other apps.
            path = input.member_string("filePath").or_else(|| input.member_string("path"));
        }
        let Some(path) = path else { return };
        let touch = self.files.entry(path.into_owned()).or_default();
        match kind {
            ToolKind::Read if *call.tool != *"NotebookRead" => touch.reads += 1,
            ToolKind::Change => touch.changes += 1,
            _ => {}
        }
    }

    /// Adds what a call did to the repository.
    fn note_git_actions(&mut self, call: &ToolCall<'_>) {
        for action in conversation::git_actions(call) {
            match action {
                GitAction::Commit { hash, branch, subject } => {
                    let time = call.answer.as_ref().and_then(|answer| answer.origin.time);
                    self.commits.push(Commit { hash, branch, subject, time });
                }
                GitAction::PullRequest { number, url } => {
                    self.add_pull_request(PullRequest { number, url, repository: None });
                }
                GitAction::Push { .. } => {}
            }
        }
    }

    /// A pull request is recorded repeatedly, not always completely.
    fn add_pull_request(&mut self, new: PullRequest) {
        let same = |known: &&mut PullRequest| match (&known.url, &new.url) {
            (Some(one), Some(two)) => one == two,
            _ => known.number == new.number && known.repository == new.repository,
        };
        match self.pull_requests.iter_mut().find(same) {
            Some(known) => known.repository = known.repository.take().or(new.repository),
            None => self.pull_requests.push(new),
        }
    }

    /// Adds what agents also record.
    fn note(&mut self, record: &transcript::Record<'_>, responses: &mut Responses) {
        let Body::Assistant(_) = &record.body else { return };
        let Some(message) = record.message() else { return };
        let model = message.model.as_deref().filter(|model| *model != "<synthetic>");
        if responses.note(record, message, model.is_some())
            && let Some(model) = model
        {
            *self.models.entry(model.to_owned()).or_default() += 1;
        }
    }
}
