//! The entry point for every surface.
//!
//! A [`Library`] merges all roots into one list of sessions, finds a session by
//! its name, reads its records, and runs the threads. It returns data: nothing
//! here prints, or knows how an answer is displayed.
//!
//! Files that are gone from disk and in the archive are read as if they were on
//! disk, if the caller asks for that ([`Tier`]).

mod actions;
mod apps;
mod archive;
mod catalog;
mod facts;
mod files;
mod health;
mod lake_sources;
mod large_lines;
mod open;
mod parallel;
mod search;
mod time_expression;
mod usage;
mod watch;

pub use self::archive::SessionArchive;
pub use self::archive::{
    ArchiveError, ArchiveReport, ForgetPlan, ForgetReport, RestoreOptions, RestoredSession,
    SyncOptions, SyncReport, TransferReport, UnarchivedFiles,
};
pub use self::usage::Usage;
pub use self::usage::dimension::Dimension;
pub use self::usage::recent::{RecentBlock, RecentUsage, RecentUsageOptions, Spending};
pub use self::usage::report::{UsageOptions, UsageReport};
pub use self::usage::session_sums::{AgentUsage, SessionSums, SessionUsage};
pub use self::usage::teams::{TeamTable, TeamTableError};
pub use self::usage::window_limit::{WindowLimits, present_window_limit};
pub use self::usage::{FoundLine, UsageFile, UsageSource};
pub use ::apps::App;
pub use ::usage::{Budget, CostMode};
pub use actions::{Actions, AppendedLine, NotEditableError, SetMarkError};
pub use apps::{AppFile, AppHome, AppReport, Apps, UnreadApp, UnreadApps, UnreadScope};
pub use catalog::Catalog;
pub use catalog::filter::Filter;
pub use catalog::find::FoundSession;
pub use catalog::find_error::{Candidate, FindError};
pub use catalog::hook_transcript::{HookTranscript, HookTranscriptError};
pub use catalog::inline_agents::InlineAgents;
pub use catalog::list::SessionList;
pub use catalog::locate::ProjectFolder;
pub use catalog::project::ProjectScope;
pub use catalog::prompts::{Prompt, PromptPage, PromptPageOptions};
pub use catalog::recall::RecallSummary;
pub use catalog::relatives::{Relation, Relative};
pub use catalog::running::RunningProcess;
pub use catalog::session::{Presence, Session, UnlistedReason};
pub use catalog::sources::{Source, Sources};
pub use catalog::tier::Tier;
pub use conversation::{InvalidTurnNumber, MessageState, Status, TurnNumber, View};
pub use facts::{CallFact, LineTurnsReader};
pub use files::TouchedFiles;
pub use files::{
    Author, Blame, Change, CommitOrigin, ContentError, FileHistory, FileLocations, FilePattern,
    FileSummary, LeadingPrompt, Operation, Touch, read_current_content,
};
pub use health::Health;
pub use health::doctor::{
    Damage, Diagnosis, ExpiringSession, FolderCollision, IndexReport, StatsReport, UnlistedDamage,
};
pub use health::secrets::{FileSecrets, SessionSecrets};
pub use index::{
    BlockKind, DistinctWords, FIELDS, IndexError, PromptSource, Query, ScannedBlock, SourceKind,
};
pub use index::{Digest as ContentDigest, SqlSink, SqlValue, VIEWS, VIEWS_VERSION};
pub use lake_sources::{DaySum, LakeSources, OwnerSums};
pub use open::agent_conversation::AgentConversation;
pub use open::agents::AgentTree;
pub use open::calls::SessionCalls;
pub use open::growing::GrowingSession;
pub use open::marks::PlacedMarks;
pub use open::masking::{MaskedLine, drop_partial_word};
pub use open::overview::{Commit, FileTouch, SessionOverview};
pub use open::plans::{Plan, PlanList, PlanOrigin};
pub use open::scan::ReadError;
pub use open::selection::{Part, SelectedTurns, Selection, SelectionError, TurnRange};
pub use open::session::{OpenError, OpenSession};
pub use open::transcripts::{
    CallDetails, LineBlocks, LinkedPullRequest, SessionDetails, SessionTranscripts, TouchDetails,
    TranscriptBytes, TranscriptReader,
};
pub use open::turns::LineTurns;
pub use open::view::{ConversationView, WholeConversation};
pub use parallel::par_map;
pub use search::Search;
pub use search::grep::{
    ContextLines, GrepDemand, GrepOptions, Hit, HitOwner, Hits, Pattern, PatternError,
    PatternOptions,
};
pub use search::index::{
    Excerpt, FoundHit, Freshness, Gap, IndexOptions, IndexWait, Indexed, NearbyMessage, Order,
    SearchAnswer, SearchFacets, SearchOptions, SessionsWithHits, SqlAnswer, SqlQuery,
};
pub use search::message::{FoundMessage, MessagePart};
pub(crate) use store::progress;
pub use store::progress::{CancellationToken, Limits, NoProgress, Progress};
pub use store::random_bytes;
pub use store::{
    Debounce as FolderDebounce, Waker as FolderWaker, Watch as FolderWatch, WatchedChange,
};
pub use time_expression::{DayEdge, TimeExpressionError, parse_age, parse_time};
pub use transcript::Role;
pub use watch::Watch;
pub use watch::{
    Event, EventKind, Follower, MessageWritten, Retraction, Rewind, SessionEnd, ToolCallEvent,
    UsageUpdate, WatchScope,
};

use crate::apps::{AppSessions, AppShelf, Shelves};
use crate::catalog::inline_agents::RecentInlineAgents;
use crate::open::plan_names::KnownPlans;
use crate::open::session_values::KnownValues;
use ::archive::{ArchiveRoot, ArchiveShelf};
use ::index::Index;
use globset::GlobSet;
use redact::Redactor;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use store::{Files, LargeLines, PathCase, Root, RootError, RootKind, RootOrigin, Shelf};

/// The settings of a library. The binary resolves them from arguments,
/// environment and configuration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where to look, in this order.
    pub roots: Vec<(PathBuf, RootOrigin)>,
    /// Working directories and transcripts that annals ignores.
    pub exclude: GlobSet,
    /// Folders that moved: (the recorded path, the present path).
    pub aliases: Vec<(String, String)>,
    /// How paths of folders are compared.
    pub path_case: PathCase,
    /// The session that runs this call, if one does.
    pub current_session: Option<String>,
    /// The folder for annals' own data: the archive, which is read behind the
    /// roots, and the ledger.
    pub home: Option<PathBuf>,
    /// A replacement for the archive: holds files that may be gone from disk.
    pub shelf: Option<Arc<dyn Shelf>>,
    /// Whether to ignore what the index remembers of files.
    pub no_index: bool,
    /// Whether to ignore what the archive has from other stores, such as
    /// imported ones.
    pub own_only: bool,
    /// Whether to leave out sessions of Claude Code that only the archive has. Those on disk are
    /// left out by naming no roots.
    pub without_claude: bool,
    /// Whether lists leave out the agents that are written into the transcripts of sessions. To
    /// find them, the transcripts of old versions are read whole.
    pub without_inline_agents: bool,
    /// What was brought from a team's lake, if that is read in place of this machine.
    pub lake: Option<Arc<LakeSources>>,
    /// Where other apps keep their sessions; those that do not exist are passed over.
    pub apps: Vec<AppHome>,
}

/// All sessions of all roots.
#[derive(Debug)]
pub struct Library {
    roots: Vec<Root>,
    unusable: Vec<RootError>,
    /// The disk alone, with the sessions of other apps.
    disk: Files,
    /// The sessions of other apps, if there are any.
    apps: Option<Arc<AppShelf>>,
    /// Those that the archive has.
    archived_apps: Option<Arc<AppShelf>>,
    /// The roots of the apps on disk.
    app_roots: Vec<Root>,
    /// The roots of the apps that only the archive has, loaded on first use.
    archived_app_roots: OnceLock<Vec<Root>>,
    /// The disk, and the shelf behind it.
    all: Files,
    /// The roots that only the shelf names, loaded on first use.
    archived_roots: OnceLock<Vec<Root>>,
    options: Options,
    /// The shelf that the caller passed in place of the archive.
    asked_shelf: Option<Arc<dyn Shelf>>,
    /// What the index remembers of files, loaded on first use.
    memo: OnceLock<Option<index::Memo>>,
    /// Why the memo cannot be used.
    index_problem: OnceLock<String>,
    /// Agents in old transcripts that were found before.
    recent_inline_agents: RecentInlineAgents,
    /// Masks secrets in every text that is returned.
    redactor: Option<Arc<Redactor>>,
    /// The values that were masked in sessions.
    known_values: Arc<KnownValues>,
    /// The plan files, and the transcripts that name them.
    known_plans: Arc<KnownPlans>,
}

impl Library {
    /// Opens the roots. A root that cannot be used is recorded with the reason;
    /// the others still work.
    pub fn open(mut options: Options) -> Library {
        let asked_shelf = options.shelf.clone();
        options.shelf = asked_shelf.clone().or_else(|| archive_behind(&options));
        let mut roots: Vec<Root> = Vec::new();
        let mut unusable = Vec::new();
        let index = options.home.clone().filter(|_| !options.no_index).map(Index::new);
        let large_lines = LargeLines::default();
        let shelf_of = |sessions| Arc::new(AppShelf::new(sessions));
        let apps = AppSessions::on_disk(&options.apps, &large_lines, index.clone()).map(shelf_of);
        let archived_apps = options.shelf.clone().and_then(|shelf| {
            AppSessions::archived(&options.apps, shelf, &large_lines, index.clone()).map(shelf_of)
        });
        let app_roots = apps.iter().flat_map(|apps| apps.sessions.roots());
        let app_roots = app_roots.map(|path| app_root(path, false)).collect();
        let disk = Files::disk().with_listing_cache().noting(&large_lines);
        let shelved: Vec<Arc<dyn Shelf>> = apps
            .iter()
            .chain(&archived_apps)
            .map(|apps| Arc::clone(apps) as Arc<dyn Shelf>)
            .chain(options.shelf.clone())
            .collect();
        let behind = |shelf| disk.clone().with_shelf(shelf);
        let all = match shelved.as_slice() {
            [] => disk.clone(),
            [only] => behind(Arc::clone(only)),
            _ => behind(Arc::new(Shelves(shelved))),
        };
        for (path, origin) in &options.roots {
            let is_tried = matches!(origin, RootOrigin::Legacy);
            let opened = Root::open(&disk, path, *origin).or_else(|error| {
                // Its folder may be gone while the shelf has its files.
                let is_askable = error.missing && !is_tried && options.shelf.is_some();
                if is_askable { Root::open(&all, path, *origin) } else { Err(error) }
            });
            match opened {
                Ok(root) if roots.iter().any(|known| same_place(known, &root)) => {}
                Ok(root) => roots.push(root),
                // A default location that does not exist is not an error.
                Err(error) if error.missing && is_tried => {}
                Err(error) => unusable.push(error),
            }
        }
        let (archived_roots, memo, index_problem) =
            (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let disk = match &apps {
            Some(apps) => disk.with_shelf(Arc::clone(apps) as Arc<dyn Shelf>),
            None => disk,
        };
        Library {
            roots,
            unusable,
            disk,
            apps,
            archived_apps,
            app_roots,
            archived_app_roots: OnceLock::new(),
            all,
            archived_roots,
            options,
            asked_shelf,
            memo,
            index_problem,
            recent_inline_agents: RecentInlineAgents::default(),
            redactor: None,
            known_values: Arc::default(),
            known_plans: Arc::default(),
        }
    }

    /// The same library opened anew, for long-running processes: it sees what
    /// was archived or indexed meanwhile.
    #[must_use]
    pub fn reopened(&self) -> Library {
        let options = Options { shelf: self.asked_shelf.clone(), ..self.options.clone() };
        Library {
            recent_inline_agents: self.recent_inline_agents.clone(),
            redactor: self.redactor.clone(),
            known_values: Arc::clone(&self.known_values),
            ..Library::open(options)
        }
    }

    /// The same library for an open session to own: it reads the same files and
    /// masks the same secrets, but does not use the index.
    pub(crate) fn for_open_session(&self) -> Library {
        Library {
            roots: self.roots.clone(),
            unusable: Vec::new(),
            disk: self.disk.clone(),
            apps: self.apps.clone(),
            archived_apps: self.archived_apps.clone(),
            app_roots: self.app_roots.clone(),
            archived_app_roots: self.archived_app_roots.clone(),
            all: self.all.clone(),
            archived_roots: self.archived_roots.clone(),
            options: self.options.clone(),
            asked_shelf: self.asked_shelf.clone(),
            memo: OnceLock::from(None),
            index_problem: OnceLock::new(),
            recent_inline_agents: self.recent_inline_agents.clone(),
            redactor: self.redactor.clone(),
            known_values: Arc::clone(&self.known_values),
            known_plans: Arc::clone(&self.known_plans),
        }
    }

    /// The same library, with secrets masked in its texts. Names of folders stay as they are,
    /// because sessions are found by them; the clones of the redactor mask the values in them
    /// once they are known.
    #[must_use]
    pub fn masking(self, redactor: Arc<Redactor>) -> Library {
        let redactor = Arc::unwrap_or_clone(redactor).for_texts();
        Library { redactor: Some(Arc::new(redactor)), ..self }
    }

    /// Whether only the given roots count: all of them were named on the
    /// command line, or other stores are ignored.
    fn has_explicit_roots(&self) -> bool {
        has_explicit_roots(&self.options)
    }

    /// The usable roots; a root whose folder is gone is read from the shelf.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The same library, called from this session.
    #[must_use]
    pub fn called_from(self, session: String) -> Library {
        let options = Options { current_session: Some(session), ..self.options };
        Library { options, ..self }
    }

    /// The session that runs this call, if one does.
    pub fn current_session(&self) -> Option<&str> {
        self.options.current_session.as_deref()
    }

    /// The sessions and projects, and how to find them.
    pub fn catalog(&self) -> Catalog<'_> {
        Catalog { library: self }
    }

    /// Search for text, messages and calls in many sessions.
    pub fn search(&self) -> Search<'_> {
        Search { library: self }
    }

    /// Tokens and costs of API calls.
    pub fn usage(&self) -> Usage<'_> {
        Usage { library: self }
    }

    /// The files that sessions read and changed.
    pub fn files(&self) -> TouchedFiles<'_> {
        TouchedFiles { library: self }
    }

    /// The archive, for reading.
    pub fn archive(&self) -> SessionArchive<'_> {
        SessionArchive { library: self }
    }

    /// Sessions followed live.
    pub fn watch(&self) -> Watch<'_> {
        Watch { library: self }
    }

    /// The sessions of other apps, as those wrote them.
    pub(crate) fn apps(&self) -> Apps<'_> {
        Apps { library: self }
    }

    /// Problems of the stores, and sessions that will be deleted.
    pub fn health(&self) -> Health<'_> {
        Health { library: self }
    }

    /// Everything that writes.
    pub fn actions(&self) -> Actions<'_> {
        Actions { library: self }
    }

    /// Whether configuration excludes a transcript or its working directory.
    fn is_excluded(&self, path: &std::path::Path, cwd: Option<&str>) -> bool {
        let exclude = &self.options.exclude;
        !exclude.is_empty()
            && (exclude.is_match(path) || cwd.is_some_and(|cwd| exclude.is_match(cwd)))
    }

    /// A recorded working directory under its present name.
    fn resolve_alias(&self, cwd: &str) -> String {
        for (then, now) in &self.options.aliases {
            if let Some(rest) = self.options.path_case.strip_folder(then, cwd) {
                return format!("{}{rest}", now.trim_end_matches(['/', '\\']));
            }
        }
        cwd.to_owned()
    }
}

fn has_explicit_roots(options: &Options) -> bool {
    let named = |origin| matches!(origin, RootOrigin::Flag | RootOrigin::Demo | RootOrigin::Lake);
    let is_named = options.roots.iter().all(|(_, origin)| named(*origin));
    options.own_only || (is_named && !options.roots.is_empty())
}

/// The root in which the sessions of an app are shown.
fn app_root(path: PathBuf, is_archive_only: bool) -> Root {
    Root { path, kind: RootKind::Loose, origin: RootOrigin::App, is_archive_only }
}

/// The archive, which opens itself on first use.
fn archive_behind(options: &Options) -> Option<Arc<dyn Shelf>> {
    let folder = options.home.as_ref()?.join(self::archive::ARCHIVE);
    let areas = options.roots.iter().map(|(path, origin)| {
        let root = Root::open(&Files::disk(), path, *origin);
        ArchiveRoot::of(&root.unwrap_or_else(|_| Root::archived(path.clone())))
    });
    let of_apps = options.apps.iter().map(|home| ArchiveRoot::of_app(home.app.name(), &home.path));
    let areas = areas.chain(of_apps).collect();
    let shelf = ArchiveShelf::new(folder, areas, has_explicit_roots(options));
    Some(Arc::new(shelf))
}

fn same_place(one: &Root, two: &Root) -> bool {
    let real =
        |root: &Root| std::fs::canonicalize(&root.path).unwrap_or_else(|_| root.path.clone());
    real(one) == real(two)
}
