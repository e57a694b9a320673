//! All sessions of all apps, found once.

use crate::stores::apps::app_files::{AppFiles, check_folder};
use crate::stores::apps::listings::AppListings;
use crate::stores::apps::provider::{AppSession, Provider};
use crate::stores::apps::unread::{Unread, UnreadScope};
use crate::stores::apps::view_path::{ViewPath, is_plain, is_view, root_of, shown_id};
use crate::stores::apps::{AppHome, imported_homes, provider_of};
use ::apps::App;
use index::Index;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use store::{LargeLines, Shelf};

/// The sessions of the apps that are on this machine, or of those in the archive.
#[derive(Debug)]
pub(crate) struct AppSessions {
    homes: Vec<AppHome>,
    /// Those among the apps that exist. Looked for on first use: the archive is opened for it.
    providers: OnceLock<Vec<Arc<dyn Provider>>>,
    /// Remembers what lists need of files.
    index: Option<Index>,
    files: AppFiles,
    /// Found on first use.
    found: OnceLock<Vec<FoundApp>>,
}

/// What was found of one app.
#[derive(Debug)]
pub(super) struct FoundApp {
    pub(super) provider: Arc<dyn Provider>,
    /// The sessions by id, sub-agents with separate files included.
    pub(super) sessions: BTreeMap<String, AppSession>,
    /// The sub-agents with separate files, by the session that has them in the end.
    pub(super) agents: BTreeMap<String, Vec<String>>,
    /// What could not be read, and why.
    pub(super) unread: Vec<Unread>,
}

impl AppSessions {
    /// The apps among these whose folders exist; `None` if none does.
    pub(crate) fn on_disk(
        homes: &[AppHome],
        large_lines: &LargeLines,
        index: Option<Index>,
    ) -> Option<AppSessions> {
        let sessions = AppSessions::new(homes, AppFiles::disk(large_lines.clone()), index);
        (!sessions.providers().is_empty()).then_some(sessions)
    }

    /// Those of these apps that the archive has; `None` if there are no apps. The archive is
    /// opened on first use.
    pub(crate) fn archived(
        homes: &[AppHome],
        archive: Arc<dyn Shelf>,
        large_lines: &LargeLines,
        index: Option<Index>,
    ) -> Option<AppSessions> {
        let files = AppFiles::archived(archive, large_lines.clone());
        let sessions = || AppSessions::new(homes, files, index);
        (!homes.is_empty()).then(sessions)
    }

    fn new(homes: &[AppHome], files: AppFiles, index: Option<Index>) -> AppSessions {
        let (providers, found) = (OnceLock::new(), OnceLock::new());
        AppSessions { homes: homes.to_vec(), providers, index, files, found }
    }

    fn providers(&self) -> &[Arc<dyn Provider>] {
        self.providers.get_or_init(|| {
            let homes = self.homes.iter().filter(|home| home.exists(&self.files));
            let imported = imported_homes(&self.homes, &self.files);
            homes.chain(&imported).filter_map(|home| provider_of(home, &self.files)).collect()
        })
    }

    /// The apps, with their folders.
    pub(crate) fn homes(&self) -> impl Iterator<Item = (App, PathBuf)> {
        self.providers().iter().map(|provider| (provider.app(), provider.home().to_owned()))
    }

    /// The folders in which sessions are shown.
    pub(crate) fn roots(&self) -> impl Iterator<Item = PathBuf> {
        self.providers().iter().map(|provider| root_of(provider.home()))
    }

    /// What was found of each app.
    pub(super) fn found(&self) -> &[FoundApp] {
        self.found.get_or_init(|| {
            let find = |provider: &Arc<dyn Provider>| {
                let home = provider.home();
                let key = if self.files.is_disk() { home.to_owned() } else { root_of(home) };
                let listings = AppListings::load(self.index.clone(), key);
                FoundApp::find(Arc::clone(provider), listings)
            };
            self.providers().par_iter().map(find).collect()
        })
    }

    /// What was found so far: nothing, if nobody has looked yet.
    pub(super) fn found_so_far(&self) -> &[FoundApp] {
        self.found.get().map_or(&[], Vec::as_slice)
    }

    /// The app whose folder has a path, and what the path shows. The folder need not have been
    /// looked at.
    pub(super) fn parse<'p>(&self, path: &'p Path) -> Option<(&FoundApp, ViewPath<'p>)> {
        if !is_view(path) {
            return None;
        }
        let mut providers = self.providers().iter().enumerate();
        let (number, view) = providers.find_map(|(number, provider)| {
            let root = path.starts_with(provider.home()).then(|| root_of(provider.home()))?;
            Some((number, ViewPath::parse(&root, provider.app(), path)?))
        })?;
        Some((self.found().get(number)?, view))
    }

    /// The session whose transcript, or whose sub-agent's, a path shows.
    pub(super) fn session_at(&self, path: &Path) -> Option<(&FoundApp, &AppSession)> {
        let (found, view) = self.parse(path)?;
        let id = match view {
            ViewPath::Session(id) => id,
            ViewPath::Agent(session, agent) if found.is_separate(session, agent) => agent,
            ViewPath::Agent(session, _) => session,
            _ => return None,
        };
        Some((found, found.sessions.get(id)?))
    }

    /// The session that annals shows under an id.
    pub(super) fn session(&self, shown: &str) -> Option<(&FoundApp, &AppSession)> {
        let (app, id) = App::split_id(shown);
        let mut of_app = self.found().iter().filter(|found| Some(found.provider.app()) == app);
        of_app.find_map(|found| Some((found, found.sessions.get(id)?)))
    }
}

impl FoundApp {
    fn find(provider: Arc<dyn Provider>, listings: AppListings) -> FoundApp {
        let mut found = provider.find(&listings);
        if provider.files().is_disk() {
            check_folder(provider.home(), &mut found);
        }
        listings.store();
        let mut sessions: BTreeMap<String, AppSession> = BTreeMap::new();
        for mut session in found.sessions.into_iter().filter(|session| is_plain(&session.id)) {
            session.inline_agents.retain(|agent| is_plain(agent));
            sessions.entry(session.id.clone()).or_insert(session);
        }
        let mut agents: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for id in sessions.keys() {
            if let Some(top) = top_of(&sessions, id) {
                agents.entry(top.to_owned()).or_default().push(id.clone());
            }
        }
        FoundApp { provider, sessions, agents, unread: found.unread }
    }

    /// Whether this session may be in something that could not be read. The archive has its files
    /// under the paths that they had on disk.
    pub(super) fn may_hide(&self, session: Option<&AppSession>) -> bool {
        self.unread.iter().any(|unread| match unread.scope {
            UnreadScope::Store => true,
            UnreadScope::File => session.is_some_and(|own| own.files.contains(&unread.path)),
            UnreadScope::Part => false,
        })
    }

    /// What a path shows.
    pub(super) fn view_of<'p>(&self, path: &'p Path) -> Option<ViewPath<'p>> {
        ViewPath::parse(&root_of(self.provider.home()), self.provider.app(), path)
    }

    /// Whether a sub-agent of a session has a separate file.
    pub(super) fn is_separate(&self, session: &str, agent: &str) -> bool {
        self.agents.get(session).is_some_and(|agents| agents.iter().any(|own| own == agent))
    }

    /// The id under which a session is archived: a sub-agent belongs to the session that has it.
    pub(super) fn archived_id(&self, session: &AppSession) -> String {
        let top = top_of(&self.sessions, &session.id).unwrap_or(&session.id);
        shown_id(self.provider.app(), top)
    }

    /// The sessions that no other one started, with the ids that annals shows.
    pub(super) fn listed(&self) -> impl Iterator<Item = (String, &AppSession)> {
        let agents: HashSet<&String> = self.agents.values().flatten().collect();
        let app = self.provider.app();
        let own = self.sessions.iter().filter(move |(id, _)| !agents.contains(id));
        own.map(move |(id, session)| (shown_id(app, id), session))
    }

    /// The ids of a session's sub-agents, with separate files or without.
    pub(super) fn agents_of<'s>(&'s self, session: &'s AppSession) -> Vec<&'s str> {
        let separate = self.agents.get(&session.id).into_iter().flatten();
        separate.chain(&session.inline_agents).map(String::as_str).collect()
    }
}

/// The session that a sub-agent belongs to in the end; `None` for a session that nothing
/// started, or whose parent is gone.
fn top_of<'s>(sessions: &'s BTreeMap<String, AppSession>, id: &str) -> Option<&'s str> {
    // Damaged data may lead in a circle.
    const DEEPEST: usize = 100;
    let parent = |id: &str| {
        let parent = sessions.get(id)?.parent.as_ref()?;
        sessions.get_key_value(parent).map(|(parent, _)| parent.as_str())
    };
    let mut top = parent(id)?;
    for _ in 0..DEEPEST {
        match parent(top) {
            Some(above) => top = above,
            None => return (top != id).then_some(top),
        }
    }
    None
}
