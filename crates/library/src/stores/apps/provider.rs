//! What annals needs of an app.

use crate::stores::apps::app_files::AppFiles;
use crate::stores::apps::listings::{AppListings, FileContent, SessionListing};
use crate::stores::apps::unread::{Unread, UnreadScope};
use ::apps::row_store::opencode::Gap;
use ::apps::{ApiCall, App, Entry, Header, Lineage, Problem, Session, UnknownKinds};
use index::Stamp;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// An app whose sessions annals reads.
pub(crate) trait Provider: fmt::Debug + Send + Sync {
    /// The app.
    fn app(&self) -> App;

    /// Its folder.
    fn home(&self) -> &Path;

    /// Its sessions, with as much as a list shows. Files are opened only as far as that needs, and
    /// only those that `listings` does not know.
    fn find(&self, listings: &AppListings) -> Found;

    /// Where its files are read.
    fn files(&self) -> &AppFiles;

    /// Size and time of a session's files now; `None` if it is gone.
    fn stamp(&self, session: &AppSession) -> Option<SourceStamp> {
        stamp_files(self.files(), &session.files)
    }

    /// Reads a session whole.
    fn read(&self, session: &AppSession) -> io::Result<ReadSession>;

    /// Reads only the API calls of a session.
    fn api_calls(&self, session: &AppSession) -> io::Result<Vec<ApiCall>> {
        self.read(session).map(|read| read.api_calls)
    }

    /// Opens what the app wrote for a session: its file, or the document that annals makes
    /// of its rows. If it has several files, the newest.
    fn open_original(&self, session: &AppSession) -> io::Result<Box<dyn io::Read>> {
        match session.files.last() {
            Some(path) => self.files().open(path),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// The files to archive for a session, which are below the app's folder. `None` if it
    /// consists of rows: then [`Provider::open_original`] is archived.
    fn files_to_archive(&self, session: &AppSession) -> Option<Vec<PathBuf>> {
        Some(session.files.clone())
    }

    /// Files that say something of several sessions, and are archived with them.
    fn side_files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Columns of its database that annals does not know.
    fn unknown_columns(&self) -> Vec<String> {
        Vec::new()
    }

    /// The command that continues a session, in the session's folder.
    fn resume_command(&self, session: &AppSession) -> Vec<OsString>;
}

/// What a provider finds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The sessions, in any order.
    pub(crate) sessions: Vec<AppSession>,
    /// What could not be read, and why.
    pub(crate) unread: Vec<Unread>,
}

impl Found {
    /// Adds the session of a file, or why the file cannot be read.
    pub(crate) fn add(&mut self, path: &Path, session: io::Result<Option<AppSession>>) {
        match session {
            Ok(session) => self.sessions.extend(session),
            Err(error) => self.note(UnreadScope::File, path, &error),
        }
    }

    /// Notes that something could not be read.
    pub(crate) fn note(&mut self, scope: UnreadScope, path: &Path, reason: &dyn fmt::Display) {
        let (path, reason) = (path.to_owned(), reason.to_string());
        self.unread.push(Unread { scope, path, reason });
    }

    /// Notes what annals does not read of a file's sessions.
    pub(crate) fn note_gaps(&mut self, path: &Path, gaps: Vec<Gap>) {
        for gap in gaps {
            let whole = gap.hides_sessions.then_some(UnreadScope::Store);
            self.note(whole.unwrap_or(UnreadScope::Part), path, &gap.text);
        }
    }
}

/// What lists need of a file with one session of an app, and the file's size and time; `None` if
/// it is gone or not a regular file. A file that has the name of a session and not the beginning of
/// one cannot be read: here, for every app.
pub(crate) fn list_file(
    app: App,
    files: &AppFiles,
    listings: &AppListings,
    path: &Path,
    read: impl FnOnce() -> io::Result<SessionListing>,
) -> io::Result<Option<(SessionListing, Stamp)>> {
    let Some(stamp) = files.stamp(path) else { return Ok(None) };
    let content = listings.of_file(path, &[stamp], || {
        Ok(FileContent { sessions: vec![read()?], gaps: Vec::new() })
    })?;
    let listing = content.sessions.into_iter().next();
    match listing.filter(|listing| app.is_session(&listing.header)) {
        Some(listing) => Ok(Some((listing, stamp))),
        None => Err(io::Error::other(format!("it is not a session of {}", app.title()))),
    }
}

/// A session of an app, as a list shows it.
#[derive(Clone, Debug)]
pub(crate) struct AppSession {
    /// The app's own id.
    pub(crate) id: String,
    /// What is known of it as a whole.
    pub(crate) header: Header,
    /// Its files, oldest first; for rows, the database.
    pub(crate) files: Vec<PathBuf>,
    /// The size of what it consists of, as far as that is known.
    pub(crate) bytes: u64,
    /// When it last changed.
    pub(crate) modified: Timestamp,
    /// The session that started it, if it is a sub-agent.
    pub(crate) parent: Option<String>,
    /// Sub-agents that write into the same file.
    pub(crate) inline_agents: Vec<String>,
    /// Whether a program started it.
    pub(crate) is_programmatic: bool,
    /// Whether the person archived it in the app.
    pub(crate) is_archived: bool,
}

impl AppSession {
    /// A session in one file, with the file's size and time. The size is that of its rows, if it
    /// consists of rows.
    pub(crate) fn of_file(
        id: String,
        listing: SessionListing,
        path: PathBuf,
        stamp: Stamp,
    ) -> Self {
        let SessionListing { header, inline_agents, is_archived, row_bytes } = listing;
        AppSession {
            id,
            parent: parent_of(&header),
            header,
            files: vec![path],
            bytes: row_bytes.unwrap_or(stamp.bytes),
            modified: time_of(stamp),
            inline_agents,
            is_programmatic: false,
            is_archived,
        }
    }
}

/// The session that started this one as a sub-agent.
pub(crate) fn parent_of(header: &Header) -> Option<String> {
    header.lineage.iter().find_map(|lineage| match lineage {
        Lineage::Agent { of, .. } => Some(of.clone()),
        _ => None,
    })
}

/// Size and time of a session's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceStamp {
    pub(crate) bytes: u64,
    pub(crate) modified: Timestamp,
}

impl SourceStamp {
    /// The stamp of several files together; `None` of none.
    pub(crate) fn of(stamps: &[Stamp]) -> Option<SourceStamp> {
        let bytes = stamps.iter().fold(0, |sum: u64, stamp| sum.saturating_add(stamp.bytes));
        let modified = stamps.iter().copied().map(time_of).max()?;
        Some(SourceStamp { bytes, modified })
    }
}

/// When a file was modified.
fn time_of(stamp: Stamp) -> Timestamp {
    Timestamp::from_nanosecond(stamp.modified.into()).unwrap_or_default()
}

/// The stamp of several files; `None` if one is gone or not a regular file.
pub(crate) fn stamp_files(files: &AppFiles, paths: &[PathBuf]) -> Option<SourceStamp> {
    let stamps = paths.iter().map(|path| files.stamp(path)).collect::<Option<Vec<_>>>()?;
    SourceStamp::of(&stamps)
}

/// A session read whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadSession {
    /// What is known of it as a whole.
    pub(crate) header: Header,
    /// Its entries, with the numbers of their files and their states in this session.
    pub(crate) entries: Vec<(Entry, usize)>,
    /// What was paid for; `entry` is a number in `entries`.
    pub(crate) api_calls: Vec<ApiCall>,
    /// What is wrong with its lines.
    pub(crate) problems: Vec<Problem>,
    /// What this version of annals does not know, with how often it occurred.
    pub(crate) unknown: BTreeMap<String, u64>,
}

impl From<Session> for ReadSession {
    fn from(session: Session) -> Self {
        let Session { header, entries, api_calls, problems, unknown, .. } = session;
        let entries = entries.into_iter().map(|entry| (entry, 0)).collect();
        let mut read =
            ReadSession { header, entries, api_calls, problems, ..ReadSession::default() };
        read.note_unknown(&unknown);
        read
    }
}

impl ReadSession {
    /// Adds what a reader did not know.
    pub(crate) fn note_unknown(&mut self, unknown: &UnknownKinds) {
        for (kind, count) in unknown.iter() {
            *self.unknown.entry(kind.to_owned()).or_default() += count;
        }
    }
}
