//! The sessions of other coding agents ("apps") behind the stores.
//!
//! Each app has a `Provider`, which knows where the app keeps its sessions and reads them with
//! the app's reader crate. `AppSessions` lists what all of them find, and `AppShelf` shows
//! each session to the rest of annals as a transcript, below a folder that exists nowhere:
//!
//! ```text
//! ~/.codex/annals-sessions/codex:019f….jsonl
//! ~/.codex/annals-sessions/codex:019f…/subagents/agent-019f….jsonl
//! ```
//!
//! So lists, search, usage, exports and every surface need no code for an app. What they show as
//! the path of a session is the app's own file ([`Apps::file`]).
//!
//! To add an app: a reader crate, a provider here, and its line in `provider_of`.
//!
//! The archive has the same files under the same paths; a second `AppSessions` reads those of
//! sessions that are gone from disk.
//!
//! Deliberately not here: writing. No file of another app is ever changed, and only files and
//! tables that a provider names are opened.

pub(crate) mod app_files;
pub(crate) mod archived;
pub(crate) mod codex;
pub(crate) mod copilot;
pub(crate) mod gemini;
pub(crate) mod head;
pub(crate) mod listings;
pub(crate) mod metadata;
pub(crate) mod opencode;
pub(crate) mod original;
pub(crate) mod other_databases;
pub(crate) mod pi;
pub(crate) mod provider;
pub(crate) mod sessions;
pub(crate) mod shelf;
pub(crate) mod unread;
pub(crate) mod usage;
pub(crate) mod view_path;
pub(crate) mod whole;

pub use ::apps::App;
pub(crate) use app_files::AppFiles;
pub use original::{AppFile, AppReport, Apps};
pub(crate) use sessions::AppSessions;
pub(crate) use shelf::{AppShelf, Shelves};
pub use unread::{UnreadApp, UnreadApps, UnreadScope};
pub(crate) use view_path::is_view;

use crate::session::Presence;
use crate::stores::Stores;
use crate::stores::apps::app_files::is_absent;
use crate::stores::apps::provider::{AppSession, Provider};
use crate::stores::apps::sessions::FoundApp;
use crate::stores::apps::view_path::shown_id;

use archive::folder_of_app;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where an app keeps its sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppHome {
    /// The app.
    pub app: App,
    /// Its folder; nothing is found if neither the disk nor the archive has it.
    pub path: PathBuf,
    /// A database of OpenCode that a person named, beside those in its folder.
    pub database: Option<PathBuf>,
    /// A private folder of annals, for copies of databases that are being written.
    pub private: Option<PathBuf>,
}

impl AppHome {
    /// Whether the app may have sessions: its folder exists, a database was named, or the archive
    /// has files of the folder. What exists and cannot be read counts, so that it is reported.
    fn exists(&self, files: &AppFiles) -> bool {
        match files.archive() {
            None => self.database.is_some() || !is_absent(&self.path),
            Some(archive) => !archive.entries(&self.path).is_empty(),
        }
    }
}

/// The folders of these apps in the archives of other machines, and those that an app had at
/// another time.
fn imported_homes(homes: &[AppHome], files: &AppFiles) -> Vec<AppHome> {
    let Some(archive) = files.archive() else { return Vec::new() };
    let mut apps: Vec<&AppHome> = homes.iter().collect();
    apps.dedup_by_key(|home| home.app);
    let roots = archive.roots().into_iter();
    let imported = roots.flat_map(|root| {
        apps.iter().map(move |home| AppHome {
            path: folder_of_app(&root, home.app.name()),
            database: None,
            ..(*home).clone()
        })
    });
    imported.filter(|home| home.exists(files)).collect()
}

/// The provider of an app; `None` for Claude Code, whose sessions need none.
fn provider_of(home: &AppHome, files: &AppFiles) -> Option<Arc<dyn Provider>> {
    let (path, files) = (home.path.clone(), files.clone());
    match home.app {
        App::Codex => Some(Arc::new(codex::Codex::new(path, files))),
        App::Copilot => Some(Arc::new(copilot::Copilot::new(path, files))),
        App::Gemini => Some(Arc::new(gemini::Gemini::new(path, files))),
        App::OpenCode => Some(Arc::new(opencode::OpenCode::new(home, files))),
        App::Pi => Some(Arc::new(pi::Pi::new(path, files))),
        _ => None,
    }
}

impl Stores {
    /// The sessions of other apps: on disk, then in the archive.
    fn app_shelves(&self) -> impl Iterator<Item = &AppShelf> {
        self.apps.iter().chain(&self.archived_apps).map(Arc::as_ref)
    }

    /// Whether the app of a session is among those that are read.
    pub(crate) fn reads_app_of(&self, id: &str) -> bool {
        match App::split_id(id).0 {
            None | Some(App::Claude) => !self.options.without_claude,
            Some(app) => self.options.apps.iter().any(|home| home.app == app),
        }
    }

    /// The session of an app whose transcript, or whose sub-agent's, a path shows.
    fn app_session_at(&self, path: &Path) -> Option<(&FoundApp, &AppSession)> {
        self.app_shelves().find_map(|apps| apps.sessions.session_at(path))
    }

    /// Where a session of another app is, by the path that shows it; `None` for Claude Code's.
    pub(crate) fn app_presence(&self, path: &Path) -> Option<Presence> {
        if !self.is_of_app(path) {
            return None;
        }
        let on_disk = |apps: &AppShelf| apps.sessions.session_at(path).is_some();
        if self.apps.as_deref().is_some_and(on_disk) {
            return Some(Presence::Disk);
        }
        let archived = self.archived_apps.as_ref();
        let found = archived.and_then(|apps| apps.sessions.session_at(path));
        let id = found.map(|(found, session)| shown_id(found.provider.app(), &session.id));
        let is_unknown = id.is_some_and(|id| self.is_unknown_on_disk(&id));
        Some(if is_unknown { Presence::Unknown } else { Presence::Archive })
    }
}
