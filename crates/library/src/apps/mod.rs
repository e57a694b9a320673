//! The sessions of other coding agents ("apps") behind the library.
//!
//! Each app has a [`Provider`], which knows where the app keeps its sessions and reads them with
//! the app's reader crate. [`AppSessions`] lists what all of them find, and [`AppShelf`] shows
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
//! To add an app: a reader crate, a provider here, and its line in [`provider_of`].
//!
//! The archive has the same files under the same paths; a second [`AppSessions`] reads those of
//! sessions that are gone from disk.
//!
//! Deliberately not here: writing. No file of another app is ever changed, and only files and
//! tables that a provider names are opened.

mod app_files;
mod archived;
mod codex;
mod copilot;
mod gemini;
mod head;
mod metadata;
mod opencode;
mod original;
mod other_databases;
mod pi;
mod provider;
mod sessions;
mod shelf;
mod unread;
mod usage;
mod view_path;
mod whole;

pub(crate) use self::app_files::AppFiles;
use self::app_files::is_absent;
pub use self::original::{AppFile, AppReport, Apps};
pub(crate) use self::sessions::AppSessions;
pub(crate) use self::shelf::{AppShelf, Shelves};
pub use self::unread::{UnreadApp, UnreadApps, UnreadScope};
pub(crate) use self::view_path::is_view;

use crate::{Library, Presence};
use ::apps::App;
use archive::folder_of_app;
use provider::{AppSession, Provider};
use sessions::FoundApp;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use view_path::shown_id;

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

impl Library {
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
