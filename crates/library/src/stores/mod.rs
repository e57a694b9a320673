//! The stores: where sessions are, before anything is read.
//!
//! Roots, files on disk and in the archive, the sessions of other apps, what was brought from a
//! lake, and how texts are masked. Every room stands on this one.
//!
//! Deliberately not here: which sessions there are ([`catalog`](crate::catalog)), and what the
//! index remembers of their files (`memory`).

pub mod apps;
pub(crate) mod foreign;
pub(crate) mod lake;
pub(crate) mod text_files;
pub(crate) mod tier;

pub use lake::{DaySum, LakeSources, OwnerSums};
pub use tier::Tier;

pub(crate) use foreign::{FOREIGN, foreign_folder, foreign_transcripts, single};

use crate::stores::apps::{AppHome, AppSessions, AppShelf, Shelves};
use ::archive::{ArchiveRoot, ArchiveShelf};
use ::index::Index;
use globset::GlobSet;
use redact::Redactor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use store::{Files, LargeLines, PathCase, Root, RootError, RootKind, RootOrigin, Shelf};

/// The folder of the archive in annals' own.
pub(crate) const ARCHIVE: &str = "archive";

/// The folder of the ledger in annals' own.
pub const LEDGER: &str = "ledger";

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

/// All roots, with the files in them.
#[derive(Clone, Debug)]
pub struct Stores {
    pub(crate) roots: Vec<Root>,
    pub(crate) unusable: Vec<RootError>,
    /// The disk alone, with the sessions of other apps.
    pub(crate) disk: Files,
    /// The sessions of other apps, if there are any.
    pub(crate) apps: Option<Arc<AppShelf>>,
    /// Those that the archive has.
    pub(crate) archived_apps: Option<Arc<AppShelf>>,
    /// The roots of the apps on disk.
    pub(crate) app_roots: Vec<Root>,
    /// The roots of the apps that only the archive has, loaded on first use.
    archived_app_roots: OnceLock<Vec<Root>>,
    /// The disk, and the shelf behind it.
    pub(crate) all: Files,
    /// The roots that only the shelf names, loaded on first use.
    archived_roots: OnceLock<Vec<Root>>,
    pub(crate) options: Options,
    /// The shelf that the caller passed in place of the archive.
    asked_shelf: Option<Arc<dyn Shelf>>,
    /// Masks secrets in every text that is returned.
    pub(crate) redactor: Option<Arc<Redactor>>,
}

impl Stores {
    /// Opens the roots. A root that cannot be used is recorded with the reason;
    /// the others still work.
    pub(crate) fn open(mut options: Options) -> Stores {
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
        let disk = match &apps {
            Some(apps) => disk.with_shelf(Arc::clone(apps) as Arc<dyn Shelf>),
            None => disk,
        };
        Stores {
            roots,
            unusable,
            disk,
            apps,
            archived_apps,
            app_roots,
            archived_app_roots: OnceLock::new(),
            all,
            archived_roots: OnceLock::new(),
            options,
            asked_shelf,
            redactor: None,
        }
    }

    /// The same stores opened anew: they have what was archived meanwhile.
    pub(crate) fn reopened(&self) -> Stores {
        let options = Options { shelf: self.asked_shelf.clone(), ..self.options.clone() };
        Stores { redactor: self.redactor.clone(), ..Stores::open(options) }
    }

    /// Whether only the given roots count: all of them were named on the
    /// command line, or other stores are ignored.
    pub(crate) fn has_explicit_roots(&self) -> bool {
        has_explicit_roots(&self.options)
    }

    /// Whether configuration excludes a transcript or its working directory.
    pub(crate) fn is_excluded(&self, path: &Path, cwd: Option<&str>) -> bool {
        let exclude = &self.options.exclude;
        !exclude.is_empty()
            && (exclude.is_match(path) || cwd.is_some_and(|cwd| exclude.is_match(cwd)))
    }

    /// A recorded working directory under its present name.
    pub(crate) fn resolve_alias(&self, cwd: &str) -> String {
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
pub(crate) fn app_root(path: PathBuf, is_archive_only: bool) -> Root {
    Root { path, kind: RootKind::Loose, origin: RootOrigin::App, is_archive_only }
}

/// The archive, which opens itself on first use.
fn archive_behind(options: &Options) -> Option<Arc<dyn Shelf>> {
    let folder = options.home.as_ref()?.join(ARCHIVE);
    let areas = options.roots.iter().map(|(path, origin)| {
        let root = Root::open(&Files::disk(), path, *origin);
        ArchiveRoot::of(&root.unwrap_or_else(|_| Root::archived(path.clone())))
    });
    let of_apps = options.apps.iter().map(|home| ArchiveRoot::of_app(home.app.name(), &home.path));
    let areas = areas.chain(of_apps).collect();
    let shelf = ArchiveShelf::new(folder, areas, has_explicit_roots(options));
    Some(Arc::new(shelf))
}

pub(crate) fn same_place(one: &Root, two: &Root) -> bool {
    let real =
        |root: &Root| std::fs::canonicalize(&root.path).unwrap_or_else(|_| root.path.clone());
    real(one) == real(two)
}
