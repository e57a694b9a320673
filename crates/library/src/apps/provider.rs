//! What annals needs of an app.

use ::app::{ApiCall, App, Entry, EntryState, Header, Problem, Session, UnknownKinds};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An app whose sessions annals reads.
pub(crate) trait Provider: fmt::Debug + Send + Sync {
    /// The app.
    fn app(&self) -> App;

    /// Its folder.
    fn home(&self) -> &Path;

    /// Its sessions, with as much as a list shows. Files are opened only as far as that needs.
    fn find(&self) -> Found;

    /// Size and time of a session's files now; `None` if it is gone.
    fn stamp(&self, session: &AppSession) -> Option<SourceStamp> {
        stamp_files(&session.files)
    }

    /// Reads a session whole.
    fn read(&self, session: &AppSession) -> io::Result<ReadSession>;

    /// Reads only the API calls of a session.
    fn api_calls(&self, session: &AppSession) -> io::Result<Vec<ApiCall>> {
        self.read(session).map(|read| read.api_calls)
    }

    /// The bytes that the app wrote for a session: its file, or the document that annals makes
    /// of its rows. If it has several files, the newest.
    fn original(&self, session: &AppSession) -> io::Result<Vec<u8>> {
        match session.files.last() {
            Some(path) => super::head::read_regular(path),
            None => Err(io::ErrorKind::NotFound.into()),
        }
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
    pub(crate) errors: Vec<(PathBuf, String)>,
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
    /// A session in one file, with its size and time.
    pub(crate) fn of_file(id: String, header: Header, path: PathBuf, stamp: SourceStamp) -> Self {
        AppSession {
            id,
            header,
            files: vec![path],
            bytes: stamp.bytes,
            modified: stamp.modified,
            parent: None,
            inline_agents: Vec::new(),
            is_programmatic: false,
            is_archived: false,
        }
    }
}

/// Size and time of a session's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceStamp {
    pub(crate) bytes: u64,
    pub(crate) modified: Timestamp,
}

/// The stamp of several files; `None` if one is gone or not a regular file.
pub(crate) fn stamp_files(files: &[PathBuf]) -> Option<SourceStamp> {
    let mut all: Option<SourceStamp> = None;
    for path in files {
        let metadata = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        let modified = Timestamp::try_from(metadata.modified().ok()?).ok()?;
        let own = SourceStamp { bytes: metadata.len(), modified };
        all = Some(all.map_or(own, |all| SourceStamp {
            bytes: all.bytes.saturating_add(own.bytes),
            modified: all.modified.max(own.modified),
        }));
    }
    all
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

    /// Adds an entry with its state in this session.
    pub(crate) fn push(&mut self, entry: &Entry, file: usize, state: EntryState) {
        self.entries.push((Entry { state, ..entry.clone() }, file));
    }
}
