//! Keeping sessions: into the archive, out of it, and what is not in it yet.
//!
//! The archive knows files; what a session is, what is excluded and what was
//! forgotten is known here.

mod forget;
mod restore;
mod transfer;

pub use forget::{ForgetPlan, ForgetReport};
pub use restore::{RestoreOptions, RestoredSession};
pub use transfer::TransferReport;

use crate::catalog::list::SessionList;
use crate::{Actions, Library};
use amend::RestoreError;
use archive::{
    Archive, ArchiveRoot, Candidate, Entry, Fact, FileKey, Ledger, LedgerError, Observer, State,
    VerifyNote, last_sync, last_verify, owning_session, session_of,
};
use jiff::{SignedDuration, Timestamp};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use store::Root;

/// The archive behind the roots, for reading. [`crate::Actions`] changes it.
#[derive(Clone, Copy, Debug)]
pub struct SessionArchive<'l> {
    pub(crate) library: &'l Library,
}

/// The folder of the archive, where annals keeps what is its own.
pub(crate) const ARCHIVE: &str = "archive";

/// The folder of the ledger.
pub(crate) const LEDGER: &str = "ledger";

/// Why something could not be kept, given back or forgotten.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// No place for it is known.
    #[error("no place is known where annals could keep anything: set HOME or ANNALS_HOME")]
    NoHome,
    /// The archive failed.
    #[error(transparent)]
    Archive(#[from] archive::ArchiveError),
    /// The ledger failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Files could not be put back.
    #[error(transparent)]
    Place(#[from] RestoreError),
    /// The index, which holds words of it, could not be removed.
    #[error("its words may still be in the index: {0}")]
    Index(#[from] index::IndexError),
    /// There is no archive yet.
    #[error("nothing is kept yet: annals archive sync keeps everything")]
    Nothing,
    /// Nothing of that session is kept.
    #[error("nothing of session {0} is kept")]
    NotArchived(String),
    /// It was kept, and forgotten on purpose.
    #[error("session {0} was forgotten on purpose: nothing of it is kept")]
    Forgotten(String),
    /// It cannot be put back where it was.
    #[error("{0}")]
    Refused(String),
}

/// How to keep.
#[derive(Clone, Copy, Debug)]
pub struct SyncOptions<'a> {
    /// The time.
    pub now: Timestamp,
    /// Only these files, where something told which have changed.
    pub only: Option<&'a [PathBuf]>,
    /// Sessions that have not changed for longer are not kept.
    pub max_age: Option<SignedDuration>,
}

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncReport {
    /// What it kept.
    pub synced: archive::SyncReport,
    /// Sessions that were taken out because of their age.
    pub expired_sessions: Vec<String>,
    /// How many files those had, with others as old.
    pub expired_files: usize,
}

/// What is on disk and not in the archive, or not all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotArchived {
    /// Files.
    pub files: usize,
    /// Their sizes together.
    pub bytes: u64,
    /// The sessions they belong to.
    pub sessions: HashSet<String>,
}

/// How the archive is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveReport {
    /// Where it is, or would be.
    pub folder: Option<PathBuf>,
    /// Whether there is one.
    pub exists: bool,
    /// Why it cannot be read, if it cannot.
    pub error: Option<String>,
    /// How many sessions it keeps something of.
    pub sessions: usize,
    /// How many bytes its files have, all versions together.
    pub bytes: u64,
    /// How many bytes those are stored in.
    pub stored_bytes: u64,
    /// What it does not have yet.
    pub not_archived: NotArchived,
    /// When it was last synced.
    pub synced_at: Option<Timestamp>,
    /// How it went when it was last verified.
    pub verified: Option<VerifyNote>,
    /// Lines of the ledger that cannot be read.
    pub bad_facts: usize,
}

impl<'l> SessionArchive<'l> {
    /// The roots that only the archive has. There are none where the roots were
    /// given explicitly.
    pub fn archived_roots(self) -> &'l [Root] {
        self.library.archived_roots()
    }
}

impl SessionArchive<'_> {
    /// Looks how the archive is doing, without reading what it stores.
    pub fn report(self, max_age: Option<SignedDuration>, now: Timestamp) -> ArchiveReport {
        let Ok(folder) = self.folder() else { return ArchiveReport::default() };
        let mut report = ArchiveReport {
            synced_at: last_sync(&folder),
            verified: last_verify(&folder),
            ..ArchiveReport::default()
        };
        match Archive::open(&folder) {
            Ok(archive) => {
                let state = archive.state();
                report.exists = true;
                report.sessions = state.sessions().len();
                (report.bytes, report.stored_bytes) = state.sizes();
            }
            Err(archive::ArchiveError::Missing { .. }) => {}
            Err(error) => report.error = Some(error.to_string()),
        }
        match (self.not_archived(max_age, now), self.library.ledger()) {
            (Ok(not_archived), Ok(ledger)) => {
                report.not_archived = not_archived;
                report.bad_facts = ledger.damage().len();
            }
            (Err(error), _) | (_, Err(error)) => {
                report.error.get_or_insert_with(|| error.to_string());
            }
        }
        report.folder = Some(folder);
        report
    }

    /// Where the archive is, or would be.
    pub fn folder(self) -> Result<PathBuf, ArchiveError> {
        self.library
            .options
            .home
            .as_ref()
            .map(|home| home.join(ARCHIVE))
            .ok_or(ArchiveError::NoHome)
    }

    /// The archive, opened.
    pub fn open(self) -> Result<Arc<Archive>, ArchiveError> {
        match Archive::open(&self.folder()?) {
            Ok(archive) => Ok(Arc::new(archive)),
            Err(archive::ArchiveError::Missing { .. }) => Err(ArchiveError::Nothing),
            Err(error) => Err(error.into()),
        }
    }

    /// How many sessions only the archive has, beside those of a list.
    pub fn count_archive_only(self, list: &SessionList) -> usize {
        if self.library.has_explicit_roots() {
            return 0;
        }
        let Ok(archive) = self.open() else { return 0 };
        let known: HashSet<&str> =
            list.sessions.iter().map(|session| session.id.as_str()).collect();
        let kept = archive.state().sessions().into_iter();
        let gone = kept.filter(|(id, session)| {
            let has_transcript = session.transcripts().next().is_some();
            has_transcript && !known.contains(id.as_str()) && !list.excludes(id)
        });
        gone.count()
    }

    /// The roots on disk as the archive sees them.
    pub fn store_roots(self) -> Vec<ArchiveRoot> {
        self.library.disk_roots().map(ArchiveRoot::of).collect()
    }

    /// What of the disk is not in the archive.
    pub fn not_archived(
        self,
        max_age: Option<SignedDuration>,
        now: Timestamp,
    ) -> Result<NotArchived, ArchiveError> {
        let state = match Archive::open(&self.folder()?) {
            Ok(archive) => archive.state(),
            Err(archive::ArchiveError::Missing { .. }) => Arc::new(State::default()),
            Err(error) => return Err(error.into()),
        };
        let areas = self.store_roots();
        let unwanted =
            self.library.unwanted(&areas, max_age.and_then(|age| now.checked_sub(age).ok()))?;
        let mut missing = NotArchived::default();
        for area in &areas {
            let root = state.root_of(area);
            for file in area.walk().files {
                let known = root.and_then(|root| state.newest(&(root, file.name.clone())));
                if known.is_some_and(|known| known.is_of(&file.stat)) || unwanted.holds(&file) {
                    continue;
                }
                missing.files += 1;
                missing.bytes += file.stat.bytes;
                missing.sessions.extend(session_of(&file.name).map(str::to_owned));
            }
        }
        Ok(missing)
    }
}

impl Actions<'_> {
    /// Brings what is new on disk into the archive, and takes out what is older
    /// than it may be.
    pub fn sync(
        self,
        options: SyncOptions<'_>,
        observer: &dyn Observer,
    ) -> Result<SyncReport, ArchiveError> {
        let folder = self.library.archive().folder()?;
        let areas = self.library.archive().store_roots();
        if areas.is_empty() {
            let text = "there is no store to keep anything of; what is kept stays";
            return Err(ArchiveError::Refused(text.to_owned()));
        }
        self.library.ledger()?.mend()?;
        let oldest = options.max_age.and_then(|age| options.now.checked_sub(age).ok());
        let unwanted = self.library.unwanted(&areas, oldest)?;
        let admits = |file: &Candidate| !unwanted.holds(file);
        let archive_options = archive::SyncOptions {
            areas: &areas,
            only: options.only,
            admits: &admits,
            now: options.now,
        };
        let synced = archive::sync(&folder, &archive_options, observer)?;
        let mut kept = SyncReport { synced, ..SyncReport::default() };
        if let Some(oldest) = oldest.filter(|_| options.only.is_none()) {
            (kept.expired_sessions, kept.expired_files) =
                self.library.expire(oldest, options.now)?;
        }
        Ok(kept)
    }
}

impl Library {
    /// The ledger, opened.
    pub(crate) fn ledger(&self) -> Result<Ledger, ArchiveError> {
        let home = self.options.home.as_ref().ok_or(ArchiveError::NoHome)?;
        Ok(Ledger::open(home.join(LEDGER))?)
    }

    /// Why nothing is kept of a session.
    fn not_archived_error(&self, id: &str) -> ArchiveError {
        let is_forgotten = self.ledger().is_ok_and(|ledger| ledger.tombstones().contains(id));
        if is_forgotten {
            ArchiveError::Forgotten(id.to_owned())
        } else {
            ArchiveError::NotArchived(id.to_owned())
        }
    }

    /// What is not to be kept: what is excluded, what was forgotten, and what is
    /// too old.
    fn unwanted(
        &self,
        areas: &[ArchiveRoot],
        oldest: Option<Timestamp>,
    ) -> Result<Unwanted<'_>, ArchiveError> {
        let mut sessions: HashSet<String> = self.ledger()?.tombstones().into_iter().collect();
        if !self.options.exclude.is_empty() {
            sessions.extend(self.catalog().sessions().excluded);
        }
        if let Some(oldest) = oldest {
            let mut newest: HashMap<String, Timestamp> = HashMap::new();
            for file in areas.iter().flat_map(|area| area.walk().files) {
                if let Some(id) = session_of(&file.name) {
                    let known = newest.entry(id.to_owned()).or_insert(file.stat.modified);
                    *known = (*known).max(file.stat.modified);
                }
            }
            let old = newest.into_iter().filter(|(_, modified)| *modified < oldest);
            sessions.extend(old.map(|(id, _)| id));
        }
        Ok(Unwanted { library: self, sessions, oldest })
    }

    /// Takes out of the archive what has not changed since, with its calls noted
    /// in the ledger: what was used was used.
    fn expire(
        &self,
        oldest: Timestamp,
        now: Timestamp,
    ) -> Result<(Vec<String>, usize), ArchiveError> {
        let archive = self.archive().open()?;
        let state = archive.state();
        let modified = |key: &FileKey| state.newest(key).map(|newest| newest.seen.modified);
        let mut keys = Vec::new();
        let mut calls = Vec::new();
        let mut ids = Vec::new();
        for (id, session) in state.sessions() {
            let newest = session.files.iter().filter_map(modified).max();
            if newest.is_some_and(|newest| newest < oldest) {
                calls.extend(forget::archived_calls(&archive, &id, &session));
                keys.extend(session.files);
                ids.push(id);
            }
        }
        let own = state.files().filter(|(key, generations)| {
            owning_session(key, generations).is_none()
                && generations.last().is_some_and(|newest| newest.seen.modified < oldest)
        });
        keys.extend(own.map(|(key, _)| key.clone()));
        if keys.is_empty() {
            return Ok((ids, 0));
        }
        let facts: Vec<Entry> =
            calls.into_iter().map(|calls| Entry { at: now, fact: Fact::Calls(calls) }).collect();
        self.ledger()?.append(&facts)?;
        let files = archive::forget(&self.archive().folder()?, &keys, now)?;
        Ok((ids, files))
    }
}

/// What is not to be kept.
struct Unwanted<'a> {
    library: &'a Library,
    sessions: HashSet<String>,
    oldest: Option<Timestamp>,
}

impl Unwanted<'_> {
    fn holds(&self, file: &Candidate) -> bool {
        if self.library.is_excluded(&file.path, None) {
            return true;
        }
        if self.sessions.is_empty() && self.oldest.is_none() {
            return false;
        }
        let id = session_of(&file.name).map(str::to_owned);
        if id.is_none() && self.oldest.is_some_and(|oldest| file.stat.modified < oldest) {
            return true;
        }
        // A flat agent's own lines say whose it is.
        let id = id.or_else(|| {
            let is_agent = !self.sessions.is_empty() && file.is_flat_agent();
            is_agent.then(|| store::flat_agent(&self.library.disk, &file.path)?.session_id)?
        });
        id.is_some_and(|id| self.sessions.contains(&id))
    }
}
