//! A session, as every room passes it on. Data alone: nothing here reads a store but for the
//! folder of a session of which only an agent is left.

mod agent_counter;
pub(crate) mod inline_agents;

pub use inline_agents::InlineAgents;

use ::apps::App;
use jiff::Timestamp;
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use store::{Agent, Files, HiddenReason, SessionFolder, SessionMetadata};

/// Where the data of a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Its transcript is on disk.
    Disk,
    /// Its transcript is gone from disk, and the archive has it.
    Archive,
    /// The archive has it. Whether its app still does is unknown, because not everything that the
    /// app has can be read.
    Unknown,
    /// Only its prompts are left, in `history.jsonl`.
    PromptsOnly,
    /// It was brought from a team's lake.
    Lake,
}

impl Presence {
    /// Whether its transcript is read from the archive.
    pub fn is_in_archive(self) -> bool {
        matches!(self, Presence::Archive | Presence::Unknown)
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Presence::Disk => "disk",
            Presence::Archive => "archive",
            Presence::Unknown => "unknown",
            Presence::PromptsOnly => "prompts_only",
            Presence::Lake => "lake",
        }
    }
}

/// Why a session is not in the list that the app shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnlistedReason {
    /// By the rules of the official list.
    Hidden(HiddenReason),
    /// A pre-compaction copy that does not represent its session: the archive
    /// has the session, or the copy has nothing to show.
    PreCompactCopy,
    /// Written by another tool.
    Foreign,
}

impl UnlistedReason {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            UnlistedReason::Hidden(hidden) => hidden.name(),
            UnlistedReason::PreCompactCopy => "pre_compact_copy",
            UnlistedReason::Foreign => "foreign",
        }
    }
}

/// The place of a session in lists, newest first: by its modification time in whole
/// milliseconds, as in the official list, then by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListOrder<'s> {
    /// The modification time in milliseconds.
    pub modified: Reverse<i64>,
    /// The id.
    pub id: Reverse<&'s str>,
}

impl<'s> ListOrder<'s> {
    /// The place of a session that was last modified at this time.
    pub fn new(modified: Timestamp, id: &'s str) -> Self {
        ListOrder { modified: Reverse(modified.as_millisecond()), id: Reverse(id) }
    }
}

/// A session, on disk, in the archive, or known only by its prompts.
#[derive(Clone, Debug)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// The root it was found in.
    pub root: PathBuf,
    /// The name of its project folder.
    pub folder: Option<String>,
    /// Its transcript.
    pub path: Option<PathBuf>,
    /// The file of another app that the transcript is made of; of several, the newest. For
    /// rows, the database.
    pub app_file: Option<PathBuf>,
    /// Its own folder beside the transcript.
    pub session_folder: Option<SessionFolder>,
    /// Its folders in other project folders. Claude Code makes them where the
    /// working directory was at that moment.
    pub other_folders: Vec<SessionFolder>,
    /// Where its data is.
    pub presence: Presence,
    /// Whose it is, if it comes from a team's lake.
    pub owner: Option<String>,
    /// The metadata from the head and tail of its transcript.
    pub metadata: SessionMetadata,
    /// The project it belongs to: the repository's main folder for a worktree,
    /// otherwise the working directory; under its present name.
    pub project: Option<String>,
    /// Why the app does not list it.
    pub unlisted: Option<UnlistedReason>,
    /// Other files with the same id, older or hidden.
    pub copies: Vec<PathBuf>,
    /// How many sub-agents it has, with separate files or without.
    pub agents: usize,
    /// Those without.
    pub inline_agents: InlineAgents,
    /// Whether this session runs the current call.
    pub is_current: bool,
    /// Whether a process is writing it right now.
    pub is_running: bool,
}

impl Session {
    /// The app that wrote it.
    pub fn app(&self) -> App {
        App::split_id(&self.id).0.unwrap_or(App::Claude)
    }

    /// Where what it consists of is: its transcript, or the file of another app.
    pub fn shown_path(&self) -> Option<&Path> {
        self.app_file.as_deref().or(self.path.as_deref())
    }

    /// Its place in lists, newest first.
    pub fn order(&self) -> ListOrder<'_> {
        ListOrder::new(self.metadata.modified, &self.id)
    }

    /// Its folders: the one beside its transcript, then those in other project
    /// folders.
    pub fn folders(&self) -> impl Iterator<Item = &SessionFolder> {
        self.session_folder.iter().chain(&self.other_folders)
    }

    /// The session with the agents that its transcript contains.
    pub(crate) fn with_inline_agents(self, inline_agents: InlineAgents) -> Session {
        Session { agents: self.agents + inline_agents.count(), inline_agents, ..self }
    }

    /// A title for display: its own, or a substitute.
    pub fn heading(&self) -> Option<&str> {
        self.metadata.shown_title.as_deref()
    }

    /// A session of which only an agent is left.
    pub(crate) fn left_by(files: &Files, agent: &Agent) -> Session {
        let id = agent.session_id.clone().unwrap_or_default();
        Session { agents: 1, ..Session::left_with(files, &agent.path, id, agent.modified) }
    }

    /// A session of which only an agent or an output is left, by that file.
    pub(crate) fn left_with(
        files: &Files,
        path: &Path,
        id: String,
        modified: Timestamp,
    ) -> Session {
        let folder = path.parent().unwrap_or(path);
        let own = own_folder(path, &id);
        Session {
            session_folder: own.and_then(|own| SessionFolder::find(files, own.to_owned())),
            other_folders: Vec::new(),
            id,
            root: folder.to_owned(),
            folder: None,
            path: None,
            app_file: None,
            presence: Presence::PromptsOnly,
            owner: None,
            metadata: SessionMetadata::unknown(modified),
            project: None,
            unlisted: None,
            copies: Vec::new(),
            agents: 0,
            inline_agents: InlineAgents::default(),
            is_current: false,
            is_running: false,
        }
    }
}

/// The folder of a session of which only an agent or an output is left.
pub(crate) fn own_folder<'p>(agent: &'p Path, id: &str) -> Option<&'p Path> {
    agent.ancestors().skip(1).find(|above| above.ends_with(id))
}
