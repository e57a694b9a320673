//! What could not be read of the apps: every answer says that their sessions may be missing.

use super::AppShelf;
use super::sessions::FoundApp;
use crate::catalog::session::{Presence, Session};
use ::apps::App;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Something an app wrote that cannot be read, such as a database with an unknown schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadApp {
    /// The app.
    pub app: App,
    /// The database or the file.
    pub path: PathBuf,
    /// Why it cannot be read. It may name the path again.
    pub reason: String,
}

impl UnreadApp {
    fn all_of(found: &FoundApp) -> impl Iterator<Item = UnreadApp> {
        found.errors.iter().map(|(path, reason)| UnreadApp {
            app: found.provider.app(),
            path: path.clone(),
            reason: reason.clone(),
        })
    }
}

impl fmt::Display for UnreadApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let app = self.app.title();
        let path = self.path.display().to_string();
        write!(f, "sessions of {app} may be missing: ")?;
        if self.reason.contains(&path) {
            f.write_str(&self.reason)
        } else {
            write!(f, "cannot read {path}: {}", self.reason)
        }
    }
}

/// What could not be read of the apps. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct UnreadApps(Option<Arc<AppShelf>>);

impl UnreadApps {
    pub(crate) fn of(shelf: Option<&Arc<AppShelf>>) -> UnreadApps {
        UnreadApps(shelf.cloned())
    }

    /// All of it. Looks at what the apps have, unless that was done before.
    pub fn list(&self) -> Vec<UnreadApp> {
        self.0.iter().flat_map(|apps| apps.sessions.found()).flat_map(UnreadApp::all_of).collect()
    }

    /// That of it which was met so far, by an answer that looked at what the apps have.
    pub fn met(&self) -> Vec<UnreadApp> {
        let found = self.0.iter().flat_map(|apps| apps.sessions.found_so_far());
        found.flat_map(UnreadApp::all_of).collect()
    }

    /// The names of the apps of which not everything can be read.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.list().iter().map(|unread| unread.app.title()).collect();
        names.dedup();
        names
    }

    /// Whether it is unknown if an app still has a session: only the archive shows it, but not
    /// everything that the app has can be read.
    pub fn hides(&self, session: &Session) -> bool {
        session.presence == Presence::Archive && self.hides_app_of(&session.id)
    }

    /// Whether not everything can be read that the app of a session has.
    pub(crate) fn hides_app_of(&self, id: &str) -> bool {
        let Some(app) = App::split_id(id).0 else { return false };
        let mut found = self.0.iter().flat_map(|apps| apps.sessions.found());
        found.any(|found| found.provider.app() == app && !found.errors.is_empty())
    }
}
