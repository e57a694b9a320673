//! The sessions that are running, according to the files that their processes
//! write.

use crate::catalog::Catalog;
use crate::catalog::filter::Filter;
use crate::catalog::project::ProjectScope;
use crate::session::Session;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use store::{LiveSession, Root, live_sessions};

/// A process that has registered as writing a session.
#[derive(Clone, Debug)]
pub struct RunningProcess {
    /// Its registration.
    pub process: LiveSession,
    /// The configuration folder that it is registered in.
    pub root: PathBuf,
    /// The session, if it has a transcript already.
    pub session: Option<Session>,
}

impl RunningProcess {
    /// Whether a filter admits it, as far as content need not be read.
    pub(crate) fn is_within(&self, filter: &Filter) -> bool {
        if let Some(session) = &self.session {
            return filter.admits(session);
        }
        let cwd = self.process.cwd.as_deref();
        let is_here = |project: &ProjectScope| cwd.is_some_and(|cwd| project.holds(cwd));
        filter.admits_id(self.process.session_id.as_deref())
            && filter.project.as_ref().is_none_or(is_here)
            && filter.branch.is_none()
            && filter.admits_time(self.process.started_at)
    }
}

impl Catalog {
    /// All registered processes, including those that no longer run; the last
    /// one started first.
    pub fn running(&self) -> Vec<RunningProcess> {
        let mut running: Vec<RunningProcess> = Vec::new();
        for root in self.stores.disk_roots() {
            let Some(config) = root.config() else { continue };
            running.extend(live_sessions(config).into_iter().map(|process| RunningProcess {
                process: self.mask_process(process),
                root: root.path.clone(),
                session: None,
            }));
        }
        if running.is_empty() {
            return running;
        }
        let list = self.sessions();
        running.retain(|one| {
            let cwd = one.process.cwd.as_deref();
            let is_excluded = one.process.session_id.as_deref().is_some_and(|id| list.excludes(id));
            !is_excluded && !cwd.is_some_and(|cwd| self.stores.options.exclude.is_match(cwd))
        });
        let mut sessions: HashMap<String, Session> =
            list.sessions.into_iter().map(|session| (session.id.clone(), session)).collect();
        for one in &mut running {
            let id = one.process.session_id.as_deref();
            one.session = id.and_then(|id| sessions.get_mut(id)).map(|session| session.clone());
            if let Some(session) = &one.session {
                let masking = self.redaction.masking_of_session(session);
                one.process.name = one.process.name.take().map(|name| masking.text(name));
            }
        }
        running.sort_by_key(|one| std::cmp::Reverse((one.process.started_at, one.process.pid)));
        running
    }

    /// The session of a process, if the process runs.
    pub fn session_of_process(&self, pid: u32) -> Option<String> {
        let mut own = self.processes().into_iter().filter(|process| process.pid == pid);
        own.find(LiveSession::is_alive)?.session_id
    }
}

impl Catalog {
    /// Whether a live process has registered as writing this session, or the
    /// session itself runs this call.
    pub fn is_running(&self, session: &Session) -> bool {
        let mut again = [session.clone()];
        self.mark_running(&mut again);
        again.iter().any(|session| session.is_running || session.is_current)
            || is_running_at_its_place(session)
    }
}

impl Catalog {
    /// The registered processes of all roots.
    pub(crate) fn processes(&self) -> Vec<LiveSession> {
        let configs = self.stores.disk_roots().filter_map(Root::config);
        configs.flat_map(live_sessions).map(|process| self.mask_process(process)).collect()
    }

    /// A process whose name has its secrets masked.
    fn mask_process(&self, mut process: LiveSession) -> LiveSession {
        process.name = process.name.map(|name| self.redaction.masking_of_none().text(name));
        process
    }
}

/// A root that is less than a configuration folder, or a link to one, does not
/// say what runs: the folder that the transcript really lies in does.
fn is_running_at_its_place(session: &Session) -> bool {
    let path = session.path.as_deref().and_then(|path| path.canonicalize().ok());
    let projects = path.as_deref().and_then(|path| path.ancestors().nth(2));
    let config = projects.filter(|path| path.ends_with("projects")).and_then(Path::parent);
    config.is_some_and(|config| {
        let mut live = live_sessions(config).into_iter().filter(LiveSession::is_alive);
        live.any(|live| live.session_id.as_ref() == Some(&session.id))
    })
}
