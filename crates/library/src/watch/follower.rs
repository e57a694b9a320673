//! Which sessions are followed, and what to read when files change.
//!
//! At first these are the sessions that run, or else the one written last;
//! later, every session within the scope that is written. A session ends when
//! its process does.

use crate::catalog::project::ProjectScope;
use crate::session::Session;
use crate::stores::Tier;
use crate::watch::Watch;
use crate::watch::event::{Event, EventKind, SessionEnd};
use crate::watch::session::Followed;
use ::apps::App;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{
    HiddenReason, LineReader, LiveSession, Root, WatchedChange, agent_id_of, is_session_id,
};

/// A file that is replaced, or a session that is resumed within this time, does
/// not count as new.
const LETS_GO_AFTER: Duration = Duration::from_mins(1);

/// Which sessions to follow.
#[derive(Clone, Debug)]
pub enum WatchScope {
    /// One session alone.
    Session(Box<Session>),
    /// The sessions of a project.
    Project(ProjectScope),
    /// All sessions.
    All,
}

impl WatchScope {
    fn holds_session(&self, session: &Session) -> bool {
        match self {
            WatchScope::Session(one) => one.id == session.id,
            WatchScope::Project(project) => project.holds_session(session),
            WatchScope::All => true,
        }
    }

    fn holds_process(&self, process: &LiveSession) -> bool {
        match self {
            WatchScope::Session(one) => process.session_id.as_ref() == Some(&one.id),
            WatchScope::Project(project) => {
                process.cwd.as_deref().is_some_and(|cwd| project.holds(cwd))
            }
            WatchScope::All => true,
        }
    }
}

/// Follows sessions.
#[derive(Debug)]
pub struct Follower<'l> {
    watch: &'l Watch,
    scope: WatchScope,
    followed: Vec<Followed>,
    /// The sizes of transcripts before they were followed, or when that ended.
    sizes: HashMap<PathBuf, u64>,
    /// The time after which a session that has ended is dropped.
    lets_go_after: Duration,
    /// Transcripts outside the scope.
    outside: HashSet<PathBuf>,
    reader: LineReader,
}

impl<'l> Follower<'l> {
    /// A follower that follows nothing yet.
    pub(crate) fn new(watch: &'l Watch, scope: WatchScope) -> Follower<'l> {
        Follower {
            watch,
            scope,
            followed: Vec::new(),
            sizes: HashMap::new(),
            lets_go_after: LETS_GO_AFTER,
            outside: HashSet::new(),
            reader: LineReader::default(),
        }
    }

    /// Drops ended sessions at once.
    #[cfg(test)]
    pub(super) fn letting_go_at_once(self) -> Self {
        Follower { lets_go_after: Duration::ZERO, ..self }
    }

    /// The folders to watch with everything below them, and those to watch only
    /// for new names, where further folders may appear.
    pub fn folders(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        if let WatchScope::Session(session) = &self.scope
            && let Some(folders) = self.watch.stores.app_folders(session)
        {
            return (folders, Vec::new());
        }
        let mut whole = Vec::new();
        let mut names = Vec::new();
        for root in self.watch.stores.disk_roots() {
            if let Some(path) = root.transcript() {
                whole.extend(path.parent().map(Path::to_owned));
                continue;
            }
            whole.push(root.projects().unwrap_or_else(|| root.path.clone()));
            if let Some(config) = root.config() {
                whole.push(config.join("sessions"));
                names.push(config.to_owned());
            }
        }
        (whole, names)
    }

    /// Starts following: reports what is there already as past events.
    pub fn begin(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        let processes = self.watch.catalog.processes();
        let list = self.watch.catalog.sessions();
        for session in &list.sessions {
            self.sizes.extend(session.path.clone().map(|path| (path, session.metadata.bytes)));
        }
        let mut wanted: Vec<Session> = match &self.scope {
            WatchScope::Session(session) => vec![(**session).clone()],
            scope => {
                let within = list.sessions.into_iter().filter(|session| {
                    session.app() == App::Claude
                        && scope.holds_session(session)
                        && (session.unlisted.is_none() || session.is_running)
                });
                within.collect()
            }
        };
        if wanted.iter().any(|session| session.is_running) {
            wanted.retain(|session| session.is_running);
        }
        let is_running =
            |process: &&LiveSession| process.is_alive() && self.scope.holds_process(process);
        let unwritten: Vec<LiveSession> = processes
            .iter()
            .filter(is_running)
            .filter(|process| {
                let id = process.session_id.as_ref();
                id.is_some_and(|id| wanted.iter().all(|session| session.id != *id))
            })
            .cloned()
            .collect();
        // The list has the newest first; events should have it last.
        if !wanted.iter().any(|session| session.is_running) {
            wanted.truncate(usize::from(unwritten.is_empty()));
        }
        for session in wanted.into_iter().rev() {
            self.follow(session, u64::MAX, &processes, &mut events);
        }
        for process in unwritten {
            self.expect(process, true, &mut events);
        }
        events
    }

    /// Follows a session that has a transcript.
    fn follow(
        &mut self,
        session: Session,
        past_until: u64,
        processes: &[LiveSession],
        events: &mut Vec<Event>,
    ) {
        let is_past = past_until == u64::MAX;
        let process = process_of(processes, &session.id);
        let place = self.place_of(&session.id, process);
        let followed = &mut self.followed[place];
        followed.take_transcript(session, past_until);
        events.push(followed.started(is_past));
        followed.find_agents(self.watch, past_until > 0, events);
        let paths: Vec<PathBuf> = followed.paths().map(Path::to_owned).collect();
        for path in paths {
            followed.read(self.watch, &path, &mut self.reader, events);
        }
        followed.sum_up(is_past, events);
    }

    /// Follows a session that has no transcript yet.
    fn expect(&mut self, process: LiveSession, is_past: bool, events: &mut Vec<Event>) {
        let Some(id) = process.session_id.clone() else { return };
        if self.followed.iter().any(|followed| followed.id == id) {
            return;
        }
        let place = self.place_of(&id, Some(process));
        events.push(self.followed[place].started(is_past));
    }

    fn place_of(&mut self, id: &str, process: Option<LiveSession>) -> usize {
        let place = self.followed.iter().position(|followed| followed.id == id);
        let place = place.unwrap_or_else(|| {
            self.followed.push(Followed::new(id.to_owned(), None));
            self.followed.len() - 1
        });
        let followed = &mut self.followed[place];
        followed.process = process.or(followed.process.take());
        place
    }

    /// Returns the events of changed files.
    pub fn changed(&mut self, changed: &WatchedChange) -> Vec<Event> {
        let mut events = Vec::new();
        match changed {
            WatchedChange::Nothing => {}
            WatchedChange::Anything => self.read_everything(&mut events),
            WatchedChange::Files(paths) => {
                let (whole, names) = self.folders();
                let is_ours = |path: &PathBuf| {
                    whole.iter().chain(&names).any(|folder| path.starts_with(folder))
                };
                if paths.iter().all(is_ours) {
                    self.read_paths(paths, &mut events);
                } else {
                    // Some systems report folders under other paths than these.
                    self.read_everything(&mut events);
                }
            }
        }
        self.read_apps(&mut events);
        self.look_at_followed(&mut events);
        events
    }

    /// Checks for missed changes after a quiet period.
    pub fn check_missed(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        self.read_registry(&mut events);
        self.read_apps(&mut events);
        self.look_at_followed(&mut events);
        events
    }

    /// How long to wait for changes before checking again.
    pub fn time_to_next_check(&self) -> Duration {
        // No event reports the end of a process.
        const PROCESSES: Duration = Duration::from_secs(5);
        let followed = self.followed.iter().filter_map(Followed::time_to_next_check);
        followed.min().unwrap_or(PROCESSES).min(PROCESSES)
    }

    /// Reads the transcripts of another app's session again, if the app's files changed: their
    /// paths are not those of the app's files, which are reported.
    fn read_apps(&mut self, events: &mut Vec<Event>) {
        for followed in &mut self.followed {
            let paths = followed.paths().filter(|path| self.watch.stores.is_of_app(path));
            let paths: Vec<PathBuf> = paths.map(Path::to_owned).collect();
            for path in paths {
                followed.read(self.watch, &path, &mut self.reader, events);
            }
        }
    }

    fn look_at_followed(&mut self, events: &mut Vec<Event>) {
        for followed in &mut self.followed {
            followed.check_missed(self.watch, &mut self.reader, events);
            followed.sum_up(false, events);
        }
        self.let_go();
    }

    /// Drops sessions that have ended, with everything read of them. If one is
    /// written again, it is followed like any that existed before. A session
    /// that the user named is never dropped.
    fn let_go(&mut self) {
        if matches!(self.scope, WatchScope::Session(_)) {
            return;
        }
        for over in self.followed.extract_if(.., |one| one.is_over(self.lets_go_after)) {
            let Some((path, read)) = over.main() else { continue };
            match read {
                Some(bytes) => self.sizes.insert(path.to_owned(), bytes),
                None => self.sizes.remove(path),
            };
        }
    }

    fn is_registry(&self, path: &Path) -> bool {
        let mut configs = self.watch.stores.disk_roots().filter_map(Root::config);
        configs.any(|config| {
            path == config
                || path.strip_prefix(config).is_ok_and(|rest| rest.starts_with("sessions"))
        })
    }

    fn read_paths(&mut self, paths: &BTreeSet<PathBuf>, events: &mut Vec<Event>) {
        for path in paths {
            self.read_path(path, events);
        }
        if paths.iter().any(|path| self.is_registry(path)) {
            self.read_registry(events);
        }
    }

    fn read_path(&mut self, path: &Path, events: &mut Vec<Event>) {
        let holds = |followed: &&mut Followed| followed.paths().any(|own| own == path);
        if let Some(followed) = self.followed.iter_mut().find(holds) {
            followed.read(self.watch, path, &mut self.reader, events);
            return;
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.ends_with(".meta.json") {
            for followed in &mut self.followed {
                followed.read_meta(self.watch, path, events);
            }
        } else if agent_id_of(path).is_some() {
            self.find_agents_at(path, events);
        } else if name.strip_suffix(".jsonl").is_some_and(|stem| self.is_transcript(path, stem)) {
            self.consider(path, events);
        } else if path.is_dir() {
            self.find_agents_at(path, events);
            self.consider_folder(path, events);
        }
    }

    /// Finds new agents of the sessions that a path may belong to.
    fn find_agents_at(&mut self, path: &Path, events: &mut Vec<Event>) {
        for followed in &mut self.followed {
            let Some(folder) = followed.folder() else { continue };
            let is_beside = path.parent() == folder.parent() && agent_id_of(path).is_some();
            if !path.starts_with(&folder) && !is_beside {
                continue;
            }
            let known: Vec<PathBuf> = followed.paths().map(Path::to_owned).collect();
            followed.find_agents(self.watch, false, events);
            let new: Vec<PathBuf> = followed
                .paths()
                .filter(|path| known.iter().all(|known| known != path))
                .map(Path::to_owned)
                .collect();
            for path in new {
                followed.read(self.watch, &path, &mut self.reader, events);
            }
        }
    }

    /// Whether a path can be that of a session's transcript.
    fn is_transcript(&self, path: &Path, stem: &str) -> bool {
        let above = path.parent();
        self.watch.stores.disk_roots().any(|root| match root.projects() {
            Some(projects) => {
                is_session_id(stem) && above.and_then(Path::parent) == Some(&*projects)
            }
            None if root.transcript().is_some() => root.transcript() == Some(path),
            None => above == Some(&*root.path),
        })
    }

    /// Follows the session of a changed transcript, if it is in scope.
    fn consider(&mut self, path: &Path, events: &mut Vec<Event>) {
        if self.outside.contains(path) {
            return;
        }
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        let Some(session) = self.watch.catalog.find_id(&id) else { return };
        // If a session has several files, only one is the session itself.
        let is_it = session.path.as_deref() == Some(path);
        let is_side = session.unlisted
            == Some(crate::session::UnlistedReason::Hidden(HiddenReason::Sidechain));
        if !is_it || is_side || !self.scope.holds_session(&session) {
            if session.metadata.cwd.is_some() {
                self.outside.insert(path.to_owned());
            }
            return;
        }
        let past_until = self.sizes.get(path).copied().unwrap_or_default();
        let processes = self.watch.catalog.processes();
        self.follow(session, past_until, &processes, events);
    }

    /// Finds new transcripts in a project folder.
    fn consider_folder(&mut self, folder: &Path, events: &mut Vec<Event>) {
        let entries = self.watch.stores.tier_files(Tier::Disk).list(folder).unwrap_or_default();
        for entry in entries {
            let name = entry.name().to_string_lossy().into_owned();
            let is_new = !self.sizes.contains_key(&entry.path)
                && self.followed.iter().all(|one| one.paths().all(|own| own != entry.path));
            if is_new
                && name
                    .strip_suffix(".jsonl")
                    .is_some_and(|stem| self.is_transcript(&entry.path, stem))
            {
                self.consider(&entry.path, events);
            }
        }
    }

    /// Reads all transcripts and folders again.
    fn read_everything(&mut self, events: &mut Vec<Event>) {
        self.read_registry(events);
        for followed in &mut self.followed {
            followed.find_agents(self.watch, false, events);
            let paths: Vec<PathBuf> = followed.paths().map(Path::to_owned).collect();
            for path in paths {
                followed.read(self.watch, &path, &mut self.reader, events);
            }
        }
        let mut written = Vec::new();
        for root in self.watch.stores.disk_roots() {
            for folder in
                root.folders(self.watch.stores.tier_files(Tier::Disk)).unwrap_or_default().0
            {
                let Ok(listing) = folder.list(self.watch.stores.tier_files(Tier::Disk)) else {
                    continue;
                };
                written.extend(listing.sessions.into_iter().map(|file| file.path));
            }
        }
        for path in written {
            let is_followed = self.followed.iter().any(|one| one.paths().any(|own| own == path));
            let bytes = self.watch.stores.disk.find(&path).map(|(stat, _)| stat.bytes);
            if !is_followed && bytes.is_some() && self.sizes.get(&path).copied() != bytes {
                self.consider(&path, events);
            }
        }
    }

    /// Checks which processes run.
    fn read_registry(&mut self, events: &mut Vec<Event>) {
        let processes = self.watch.catalog.processes();
        for followed in &mut self.followed {
            let now = process_of(&processes, &followed.id);
            let before = std::mem::replace(&mut followed.process, now.clone());
            match (before, now) {
                (Some(_), None) => {
                    events.push(followed.end(SessionEnd::Process));
                }
                (Some(before), Some(now)) if before.status != now.status => {
                    events.push(followed.event(EventKind::Status(now.status), false));
                }
                // It was resumed.
                (None, Some(_)) => events.push(followed.go_on()),
                _ => {}
            }
        }
        for process in processes {
            let is_new = process.is_alive()
                && self.scope.holds_process(&process)
                && self.followed.iter().all(|one| Some(&one.id) != process.session_id.as_ref());
            if is_new {
                let session =
                    process.session_id.as_deref().and_then(|id| self.watch.catalog.find_id(id));
                match session.filter(|session| session.path.is_some()) {
                    // It existed before, and is followed again.
                    Some(session) => {
                        let path = session.path.as_deref();
                        let past = path.and_then(|path| self.sizes.get(path)).copied();
                        self.follow(session, past.unwrap_or_default(), &[process], events);
                    }
                    None => self.expect(process, false, events),
                }
            }
        }
    }

    /// Whether any session with a transcript is followed.
    pub fn is_following(&self) -> bool {
        self.followed.iter().any(Followed::has_transcript)
    }
}

/// The process that writes a session.
fn process_of(processes: &[LiveSession], id: &str) -> Option<LiveSession> {
    let mut own = processes
        .iter()
        .filter(|process| process.is_alive() && process.session_id.as_deref() == Some(id));
    own.next().cloned()
}
