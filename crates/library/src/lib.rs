//! The one way in for every surface.
//!
//! A [`Library`] merges all roots into one list of sessions, finds a session by
//! whatever people call it, reads its records, and drives the threads. It
//! answers with data: nothing here prints, and nothing here knows how an answer
//! will look.
//!
//! What is gone from disk and held by a shelf is read as if it were there,
//! where that is asked for ([`Tier`]).

mod actions;
mod archive;
mod catalog;
mod files;
mod health;
mod open;
mod parallel;
mod progress;
mod search;
mod time_expression;
mod usage;
mod watch;

pub use self::archive::SessionArchive;
pub use self::archive::{
    ArchiveError, ArchiveReport, ForgetPlan, ForgetReport, NotArchived, RestoreOptions,
    RestoredSession, SyncOptions, SyncReport, TransferReport,
};
pub use self::usage::Usage;
pub use self::usage::recent::{RecentBlock, RecentUsage, RecentUsageOptions, Spent};
pub use self::usage::report::{Dimension, UsageOptions, UsageReport};
pub use self::usage::session_sums::SessionSums;
pub use self::usage::{FoundLine, UsageFile, UsageSource};
pub use actions::{Actions, HandOverError, Named};
pub use catalog::Catalog;
pub use catalog::filter::Filter;
pub use catalog::find::{Candidate, FindError, Found};
pub use catalog::hook_transcript::{HookTranscript, HookTranscriptError};
pub use catalog::list::SessionList;
pub use catalog::locate::Located;
pub use catalog::project::ProjectScope;
pub use catalog::prompts::{Prompt, PromptSource};
pub use catalog::recall::Recalled;
pub use catalog::relatives::{Relation, Relative};
pub use catalog::running::Running;
pub use catalog::session::{Presence, Session, Unlisted};
pub use catalog::sources::{Source, Sources};
pub use catalog::tier::Tier;
pub use conversation::{MessageState, View};
pub use files::TouchedFiles;
pub use files::{
    Author, Blame, Change, CommitStory, FileHistory, FileLocations, FilePattern, FileSummary,
    LeadingPrompt, NoContent, Operation, Touch, content_today,
};
pub use health::Health;
pub use health::doctor::{Damage, Diagnosis, Expiring, FolderCollision, IndexReport, StatsReport};
pub use health::secrets::{FileSecrets, SessionSecrets};
pub use index::{FIELDS, IndexError, Kind, Query, SourceKind};
pub use open::agents::AgentTree;
pub use open::calls::SessionCalls;
pub use open::marks::PlacedMarks;
pub use open::masking::{Masked, drop_partial_word};
pub use open::overview::{Commit, FileTouch, SessionOverview};
pub use open::plans::{Plan, PlanList, PlanOrigin};
pub use open::scan::ReadError;
pub use open::selection::{Part, SelectedTurns, Selection, SelectionError, TurnRange};
pub use open::session::{AgentConversation, OpenError, OpenSession};
pub use parallel::par_map;
pub use progress::{CancellationToken, Limits, NoProgress, Progress};
pub use search::Search;
pub use search::grep::{
    GrepOptions, Hit, Hits, HitsOf, HitsWanted, Pattern, PatternError, PatternOptions,
};
pub use search::index::{
    Around, Excerpt, FoundHit, Freshness, IndexOptions, Order, SearchAnswer, SearchOptions,
    SqlAnswer, SqlQuery,
};
pub use search::message::{FoundMessage, MessagePart};
pub use store::random_bytes;
pub use time_expression::{DayEdge, TimeExpressionError, parse_age, parse_time};
pub use transcript::Role;
pub use watch::Watch;
pub use watch::{
    Event, EventKind, Figures, Follower, MessageWritten, Retraction, Rewind, SessionEnd,
    ToolCallEvent, WatchScope,
};

use ::archive::{ArchiveRoot, ArchiveShelf};
use globset::GlobSet;
use redact::Redactor;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use store::{Files, Root, RootError, RootOrigin, Shelf};

/// What a library is opened with. The binary resolves it from arguments,
/// environment and configuration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where to look, in order.
    pub roots: Vec<(PathBuf, RootOrigin)>,
    /// Working directories and transcripts that do not exist for annals.
    pub exclude: GlobSet,
    /// Folders that moved: (what transcripts say, what it is now).
    pub aliases: Vec<(String, String)>,
    /// The session that is asking, if one is.
    pub current_session: Option<String>,
    /// Where annals keeps what is its own: the archive, which stands behind the
    /// roots, and the ledger.
    pub home: Option<PathBuf>,
    /// What holds files that may be gone from disk, in place of the archive.
    pub shelf: Option<Arc<dyn Shelf>>,
    /// Whether what the index remembers of files is left aside.
    pub no_index: bool,
    /// Whether what was kept of other stores, such as imported ones, does not exist.
    pub own_only: bool,
}

/// All sessions of all roots.
#[derive(Debug)]
pub struct Library {
    roots: Vec<Root>,
    unusable: Vec<RootError>,
    /// The disk alone.
    disk: Files,
    /// The disk, and behind it the shelf.
    all: Files,
    /// The roots that only the shelf names, once it was asked.
    archived_roots: OnceLock<Vec<Root>>,
    options: Options,
    /// The shelf that was asked for in place of the archive.
    asked_shelf: Option<Arc<dyn Shelf>>,
    /// What the index remembers of files, once it was asked.
    memo: OnceLock<Option<index::Memo>>,
    /// Masks secrets in every text that is handed out.
    redactor: Option<Arc<Redactor>>,
}

impl Library {
    /// Opens the roots. One that cannot be used is remembered with its reason;
    /// the others still answer.
    pub fn open(mut options: Options) -> Library {
        let asked_shelf = options.shelf.clone();
        options.shelf = asked_shelf.clone().or_else(|| archive_behind(&options));
        let mut roots: Vec<Root> = Vec::new();
        let mut unusable = Vec::new();
        let disk = Files::disk().with_listing_cache();
        let behind = |shelf| disk.clone().with_shelf(shelf);
        let all = options.shelf.clone().map_or_else(|| disk.clone(), behind);
        for (path, origin) in &options.roots {
            let is_tried = matches!(origin, RootOrigin::Legacy);
            let opened = Root::open(&disk, path, *origin).or_else(|error| {
                // Its folder may be gone and the shelf hold what was in it.
                let is_askable = error.missing && !is_tried && options.shelf.is_some();
                if is_askable { Root::open(&all, path, *origin) } else { Err(error) }
            });
            match opened {
                Ok(root) if roots.iter().any(|known| same_place(known, &root)) => {}
                Ok(root) => roots.push(root),
                // Nobody asked for the places we only try.
                Err(error) if error.missing && is_tried => {}
                Err(error) => unusable.push(error),
            }
        }
        let (archived_roots, memo) = (OnceLock::new(), OnceLock::new());
        Library {
            roots,
            unusable,
            disk,
            all,
            archived_roots,
            options,
            asked_shelf,
            memo,
            redactor: None,
        }
    }

    /// The same library opened anew, for whoever asks it for hours: what was kept
    /// or indexed meanwhile is seen.
    #[must_use]
    pub fn reopened(&self) -> Library {
        let options = Options { shelf: self.asked_shelf.clone(), ..self.options.clone() };
        Library { redactor: self.redactor.clone(), ..Library::open(options) }
    }

    /// The same library for an opened session to keep: it reads the same files and
    /// masks the same secrets, and leaves the index alone.
    pub(crate) fn for_open_session(&self) -> Library {
        Library {
            roots: self.roots.clone(),
            unusable: Vec::new(),
            disk: self.disk.clone(),
            all: self.all.clone(),
            archived_roots: self.archived_roots.clone(),
            options: self.options.clone(),
            asked_shelf: self.asked_shelf.clone(),
            memo: OnceLock::from(None),
            redactor: self.redactor.clone(),
        }
    }

    /// The same library, whose texts have their secrets masked.
    #[must_use]
    pub fn masking(self, redactor: Arc<Redactor>) -> Library {
        Library { redactor: Some(redactor), ..self }
    }

    /// Whether the roots alone count: every one was named on the command line, or
    /// nothing else is to exist.
    fn has_explicit_roots(&self) -> bool {
        has_explicit_roots(&self.options)
    }

    /// The roots that answer; one whose folder is gone answers from the shelf.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The same library, asked by this session.
    #[must_use]
    pub fn asked_by(self, session: String) -> Library {
        let options = Options { current_session: Some(session), ..self.options };
        Library { options, ..self }
    }

    /// The session that is asking, if one is.
    pub fn current_session(&self) -> Option<&str> {
        self.options.current_session.as_deref()
    }

    /// Which sessions there are.
    pub fn catalog(&self) -> Catalog<'_> {
        Catalog { library: self }
    }

    /// Text, messages and calls in many sessions.
    pub fn search(&self) -> Search<'_> {
        Search { library: self }
    }

    /// What API calls used and cost.
    pub fn usage(&self) -> Usage<'_> {
        Usage { library: self }
    }

    /// Which files sessions read and changed.
    pub fn files(&self) -> TouchedFiles<'_> {
        TouchedFiles { library: self }
    }

    /// What the archive holds.
    pub fn archive(&self) -> SessionArchive<'_> {
        SessionArchive { library: self }
    }

    /// Sessions as they are written.
    pub fn watch(&self) -> Watch<'_> {
        Watch { library: self }
    }

    /// What is wrong, and what will be lost.
    pub fn health(&self) -> Health<'_> {
        Health { library: self }
    }

    /// Everything that changes something.
    pub fn actions(&self) -> Actions<'_> {
        Actions { library: self }
    }

    /// Whether configuration excludes a transcript or its working directory.
    fn is_excluded(&self, path: &std::path::Path, cwd: Option<&str>) -> bool {
        let exclude = &self.options.exclude;
        !exclude.is_empty()
            && (exclude.is_match(path) || cwd.is_some_and(|cwd| exclude.is_match(cwd)))
    }

    /// A recorded working directory as it is called today.
    fn resolve_alias(&self, cwd: &str) -> String {
        for (then, now) in &self.options.aliases {
            if let Some(rest) = catalog::project::below(then, cwd) {
                return format!("{}{rest}", now.trim_end_matches(['/', '\\']));
            }
        }
        cwd.to_owned()
    }
}

fn has_explicit_roots(options: &Options) -> bool {
    let named = |origin| matches!(origin, RootOrigin::Flag | RootOrigin::Demo);
    let is_named = options.roots.iter().all(|(_, origin)| named(*origin));
    options.own_only || (is_named && !options.roots.is_empty())
}

/// The archive, which opens itself when it is first asked for something.
fn archive_behind(options: &Options) -> Option<Arc<dyn Shelf>> {
    let folder = options.home.as_ref()?.join(self::archive::ARCHIVE);
    let areas = options.roots.iter().map(|(path, origin)| {
        let root = Root::open(&Files::disk(), path, *origin);
        ArchiveRoot::of(&root.unwrap_or_else(|_| Root::archived(path.clone())))
    });
    let shelf = ArchiveShelf::new(folder, areas.collect(), has_explicit_roots(options));
    Some(Arc::new(shelf))
}

fn same_place(one: &Root, two: &Root) -> bool {
    let real =
        |root: &Root| std::fs::canonicalize(&root.path).unwrap_or_else(|_| root.path.clone());
    real(one) == real(two)
}
