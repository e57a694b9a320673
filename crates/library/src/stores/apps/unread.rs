//! What could not be read of the apps: every answer says that their sessions may be missing.

use crate::stores::Stores;
use crate::stores::apps::sessions::FoundApp;
use crate::stores::apps::shelf::AppShelf;
use ::apps::App;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// How much an answer may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadScope {
    /// Any session of the app: a database or a folder cannot be read.
    Store,
    /// The session in one file.
    File,
    /// Parts of sessions that are there: the app writes something that annals does not know.
    Part,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unread {
    pub(crate) scope: UnreadScope,
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
}

/// Something an app wrote that cannot be read, such as a database with an unknown schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadApp {
    /// The app.
    pub app: App,
    /// How much an answer may lack.
    pub scope: UnreadScope,
    /// The database, the folder or the file.
    pub path: PathBuf,
    /// Why it cannot be read. It may name the path again.
    pub reason: String,
}

impl UnreadApp {
    fn all_of(found: &FoundApp) -> impl Iterator<Item = UnreadApp> {
        found.unread.iter().map(|unread| UnreadApp {
            app: found.provider.app(),
            scope: unread.scope,
            path: unread.path.clone(),
            reason: unread.reason.clone(),
        })
    }
}

impl fmt::Display for UnreadApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let app = self.app.title();
        let path = self.path.display().to_string();
        if self.scope == UnreadScope::Part {
            return write!(f, "sessions of {app} may be incomplete: {path}: {}", self.reason);
        }
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
}

impl Stores {
    /// Whether it is unknown if an app still has a session that only the archive shows: it may be
    /// in something that cannot be read.
    pub(crate) fn is_unknown_on_disk(&self, id: &str) -> bool {
        let Some(app) = App::split_id(id).0 else { return false };
        let on_disk = self.apps.iter().flat_map(|apps| apps.sessions.found());
        let mut unread =
            on_disk.filter(|found| found.provider.app() == app && !found.unread.is_empty());
        unread.any(|found| {
            let archived = self.archived_apps.iter().find_map(|apps| apps.sessions.session(id));
            found.may_hide(archived.map(|(_, session)| session))
        })
    }
}
