//! What the app itself wrote: paths, bytes, drift, and how a session is resumed there.

use crate::session::Session;
use crate::stores::Stores;
use crate::stores::apps::unread::{UnreadApps, UnreadScope};
use ::apps::{App, Problem, ProblemKind};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use store::LineSource;

/// The files of an app's session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppFile {
    /// The app.
    pub app: App,
    /// The app's own id of the session.
    pub id: String,
    /// Its file; of several, the newest. For rows, the database.
    pub path: PathBuf,
    /// How many files it has.
    pub count: usize,
}

/// What annals does not understand of an app's sessions.
#[derive(Clone, Debug)]
pub struct AppReport {
    /// The app.
    pub app: App,
    /// Its folder.
    pub home: PathBuf,
    /// How many sessions it has, sub-agents with separate files included.
    pub sessions: usize,
    /// Lines with problems, by what is wrong.
    pub problems: BTreeMap<&'static str, u64>,
    /// Kinds of lines, parts and columns that annals does not know.
    pub unknown: BTreeMap<String, u64>,
    /// Sessions that cannot be read, and why.
    pub unreadable: Vec<(PathBuf, String)>,
}

impl Stores {
    /// The folders with the files of an app's session and of its sub-agents; `None` for Claude
    /// Code's.
    pub(crate) fn app_folders(&self, session: &Session) -> Option<Vec<PathBuf>> {
        let (found, own) = self.app_session_at(session.path.as_deref()?)?;
        let agents = found.agents_of(own).into_iter().filter_map(|id| found.sessions.get(id));
        let files = agents.chain([own]).flat_map(|session| &session.files);
        let folders: BTreeSet<PathBuf> =
            files.filter_map(|path| path.parent().map(Path::to_owned)).collect();
        Some(folders.into_iter().collect())
    }
}

/// The name of a problem in reports.
fn name_of(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::NotJson => "not JSON",
        ProblemKind::NotUtf8 => "not UTF-8",
        ProblemKind::UnexpectedShape => "unexpected shape",
        ProblemKind::GluedObjects => "several objects on one line",
        ProblemKind::TooLarge => "too large",
        _ => "other",
    }
}

/// The sessions of other apps as those wrote them.
#[derive(Clone, Copy, Debug)]
pub struct Apps<'s> {
    stores: &'s Stores,
}

impl Stores {
    /// The sessions of other apps as those wrote them.
    pub(crate) fn apps(&self) -> Apps<'_> {
        Apps { stores: self }
    }
}

impl<'s> Apps<'s> {
    /// The apps that are read besides Claude Code, with their folders.
    pub fn homes(self) -> Vec<(App, PathBuf)> {
        let apps = self.stores.apps.as_ref();
        apps.map(|apps| apps.sessions.homes().collect()).unwrap_or_default()
    }

    /// What could not be read of the apps on disk.
    pub fn unread(self) -> UnreadApps {
        UnreadApps::of(self.stores.apps.as_ref())
    }

    /// Whether it is unknown if an app still has a session that is not found on disk, because not
    /// everything that the app has can be read.
    pub fn may_still_have(self, id: &str) -> bool {
        self.stores.is_unknown_on_disk(id)
    }

    /// Whether the archive has sessions of an app that is not on disk. Opens the archive.
    pub fn is_any_archived(self) -> bool {
        !self.stores.archived_app_roots().is_empty()
    }

    /// The app's own file of the session that a path shows; `None` for Claude Code's.
    pub fn file(self, path: &Path) -> Option<AppFile> {
        let (found, session) = self.stores.app_session_at(path)?;
        Some(AppFile {
            app: found.provider.app(),
            id: session.id.clone(),
            path: session.files.last()?.clone(),
            count: session.files.len(),
        })
    }

    /// The bytes that an app wrote for the session that a path shows; `None` for Claude Code's.
    pub(crate) fn unmasked_bytes(self, path: &Path) -> Option<io::Result<Vec<u8>>> {
        let (found, session) = self.stores.app_session_at(path)?;
        Some(found.provider.open_original(session).and_then(|content| {
            found.provider.files().read_content(session.files.last().map_or(path, |it| it), content)
        }))
    }

    /// Opens what an app wrote for the session that a path shows; `None` for Claude Code's.
    pub(crate) fn open_original<'p>(
        self,
        path: &'p Path,
    ) -> Option<io::Result<Box<dyn LineSource + 'p>>>
    where
        's: 'p,
    {
        let (found, session) = self.stores.app_session_at(path)?;
        let content = found.provider.open_original(session);
        let file = session.files.last().map_or(path, |it| it);
        let noting = |content| Box::new(found.provider.files().noting(file, content)) as Box<_>;
        Some(content.map(noting))
    }

    /// How many lines of the session that a path shows have problems, and how many are too large
    /// to be read; `None` for Claude Code's.
    pub(crate) fn problems(self, path: &Path) -> Option<(u64, u64)> {
        let (found, session) = self.stores.app_session_at(path)?;
        let problems = found.provider.read(session).ok()?.problems;
        let is_too_large = |problem: &&Problem| problem.kind == ProblemKind::TooLarge;
        let large = problems.iter().filter(is_too_large).count();
        Some(((problems.len() - large) as u64, large as u64))
    }

    /// The command that continues a session in its app; `None` for Claude Code's.
    pub fn resume_command(self, id: &str) -> Option<Vec<OsString>> {
        let mut shelves = self.stores.app_shelves();
        let (found, session) = shelves.find_map(|apps| apps.sessions.session(id))?;
        Some(found.provider.resume_command(session))
    }

    /// What annals does not understand of the sessions of other apps. Reads all of them.
    pub fn reports(self) -> Vec<AppReport> {
        let apps = self.stores.apps.iter().flat_map(|apps| apps.sessions.found());
        let reports = apps.map(|found| {
            let mut report = AppReport {
                app: found.provider.app(),
                home: found.provider.home().to_owned(),
                sessions: found.sessions.len(),
                problems: BTreeMap::new(),
                unknown: BTreeMap::new(),
                unreadable: Vec::new(),
            };
            // What annals does not know is counted below.
            let unread = found.unread.iter().filter(|unread| unread.scope != UnreadScope::Part);
            let unread = unread.map(|unread| (unread.path.clone(), unread.reason.clone()));
            report.unreadable.extend(unread);
            for column in found.provider.unknown_columns() {
                *report.unknown.entry(format!("column {column}")).or_default() += 1;
            }
            for session in found.sessions.values() {
                match found.provider.read(session) {
                    Ok(read) => {
                        for problem in &read.problems {
                            *report.problems.entry(name_of(problem.kind)).or_default() += 1;
                        }
                        for (kind, count) in read.unknown {
                            *report.unknown.entry(kind).or_default() += count;
                        }
                    }
                    Err(error) => {
                        let path = session.files.last().cloned().unwrap_or_default();
                        report.unreadable.push((path, error.to_string()));
                    }
                }
            }
            report
        });
        reports.collect()
    }
}
