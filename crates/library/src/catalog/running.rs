//! The sessions that are running, according to the files that their processes
//! write.

use crate::catalog::filter::Filter;
use crate::catalog::project::ProjectScope;
use crate::catalog::session::Session;
use crate::open::scan::ReadError;
use crate::progress::Progress;
use crate::{Catalog, Library};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
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
    fn is_within(&self, filter: &Filter) -> bool {
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

impl Catalog<'_> {
    /// All registered processes, including those that no longer run; the last
    /// one started first.
    pub fn running(self) -> Vec<RunningProcess> {
        let mut running: Vec<RunningProcess> = Vec::new();
        for root in self.library.disk_roots() {
            let Some(config) = root.config() else { continue };
            running.extend(live_sessions(config).into_iter().map(|process| RunningProcess {
                process: self.library.mask_process(process),
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
            !is_excluded && !cwd.is_some_and(|cwd| self.library.options.exclude.is_match(cwd))
        });
        let mut sessions: HashMap<String, Session> =
            list.sessions.into_iter().map(|session| (session.id.clone(), session)).collect();
        for one in &mut running {
            let id = one.process.session_id.as_deref();
            one.session = id.and_then(|id| sessions.get_mut(id)).map(|session| session.clone());
            if let Some(session) = &one.session {
                let masking = self.library.masking_of_session(session);
                one.process.name = one.process.name.take().map(|name| masking.text(name));
            }
        }
        running.sort_by_key(|one| std::cmp::Reverse((one.process.started_at, one.process.pid)));
        running
    }

    /// The registered processes that a filter admits, and what could not be read to decide
    /// that. Without a transcript, only the working directory of a process is known.
    pub fn running_within(
        self,
        filter: &Filter,
        progress: &dyn Progress,
    ) -> (Vec<RunningProcess>, Vec<ReadError>) {
        let mut running = self.running();
        running.retain(|one| one.is_within(filter));
        let mut sessions: Vec<Session> =
            running.iter().filter_map(|one| one.session.clone()).collect();
        let read_errors = self.retain_by_content(&mut sessions, filter, progress);
        if filter.needs_content() {
            let fitting: HashSet<String> = sessions.into_iter().map(|session| session.id).collect();
            running.retain(|one| {
                one.session.as_ref().is_some_and(|session| fitting.contains(&session.id))
            });
        }
        (running, read_errors)
    }

    /// The session of a process, if the process runs.
    pub fn session_of_process(self, pid: u32) -> Option<String> {
        let mut own = self.library.processes().into_iter().filter(|process| process.pid == pid);
        own.find(LiveSession::is_alive)?.session_id
    }
}

impl Library {
    /// The registered processes of all roots.
    pub(crate) fn processes(&self) -> Vec<LiveSession> {
        let configs = self.disk_roots().filter_map(Root::config);
        configs.flat_map(live_sessions).map(|process| self.mask_process(process)).collect()
    }

    /// A process whose name has its secrets masked.
    fn mask_process(&self, mut process: LiveSession) -> LiveSession {
        process.name = process.name.map(|name| self.masking_of_none().text(name));
        process
    }
}
