//! Archiving sessions: backing up, restoring, and finding what is not archived
//! yet.
//!
//! The archive knows only files; this module knows what a session is, what is
//! excluded and what was forgotten.

pub(crate) mod actions;
pub(crate) mod forget;
pub(crate) mod restore;
pub(crate) mod transfer;

pub use actions::{Actions, AppendedLine, NotEditableError, SetMarkError};
pub use forget::{ForgetPlan, ForgetReport};
pub use restore::{RestoreOptions, RestoredSession};
pub use transfer::TransferReport;

use crate::catalog::Catalog;
use crate::catalog::list::SessionList;
use crate::memory::Memory;
use crate::progress::Progress;
use crate::stores::{ARCHIVE, LEDGER, Stores};
use amend::RestoreError;
use archive::{
    Archive, ArchiveRoot, Candidate, Entry, Fact, FileKey, Ledger, LedgerError, Mark,
    NewlyArchived, State, VerifyNote, last_sync, last_verify, owning_session,
};
use jiff::{SignedDuration, Timestamp};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use store::Root;

/// The archive behind the roots, for reading. [`crate::archive::actions::Actions`] changes it.
#[derive(Clone, Debug)]
pub struct SessionArchive {
    pub(crate) stores: Arc<Stores>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) catalog: Arc<Catalog>,
}

/// Why something could not be archived, restored or forgotten.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The folder for annals' data is unknown.
    #[error("cannot find a folder for the archive\nhint: set HOME or ANNALS_HOME")]
    NoHome,
    /// The archive failed.
    #[error(transparent)]
    Archive(#[from] archive::ArchiveError),
    /// The ledger failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Files could not be restored.
    #[error(transparent)]
    Place(#[from] RestoreError),
    /// The index, which contains words of the session, could not be removed.
    #[error("the index may still contain words of the session: {0}")]
    Index(#[from] index::IndexError),
    /// There is no archive yet.
    #[error("the archive is empty\nhint: run `annals archive sync` to back up all sessions")]
    Nothing,
    /// Nothing of that session is archived.
    #[error("session {0} is not in the archive")]
    NotArchived(String),
    /// It was archived, and deleted with `forget`.
    #[error("session {0} is not in the archive: it was deleted with `annals archive forget`")]
    Forgotten(String),
    /// It cannot be restored or exported there.
    #[error("{0}")]
    Refused(String),
}

/// The options of a sync.
#[derive(Clone, Copy, Debug)]
pub struct SyncOptions<'a> {
    /// The time.
    pub now: Timestamp,
    /// Only these files, if the caller knows which have changed.
    pub only: Option<&'a [PathBuf]>,
    /// Sessions unchanged for longer than this are not archived.
    pub max_age: Option<SignedDuration>,
}

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncReport {
    /// What it archived.
    pub synced: archive::SyncReport,
    /// Sessions that were removed because of their age.
    pub expired_sessions: Vec<String>,
    /// How many files were removed with them, including other files as old.
    pub expired_files: usize,
}

/// Files on disk that are not in the archive, or not completely.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnarchivedFiles {
    /// The number of files.
    pub files: usize,
    /// Their total size.
    pub bytes: u64,
    /// The sessions they belong to.
    pub sessions: HashSet<String>,
}

/// The state of the archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveReport {
    /// Where it is, or would be.
    pub folder: Option<PathBuf>,
    /// Whether it exists.
    pub exists: bool,
    /// Why it cannot be read, if so.
    pub error: Option<String>,
    /// How many sessions it has files of.
    pub sessions: usize,
    /// The size of its files, all versions together.
    pub bytes: u64,
    /// The bytes that they take up in the archive.
    pub stored_bytes: u64,
    /// What is not in the archive yet.
    pub not_archived: UnarchivedFiles,
    /// When it was last synced.
    pub synced_at: Option<Timestamp>,
    /// The outcome of the last verification.
    pub verified: Option<VerifyNote>,
    /// Unreadable lines of the ledger.
    pub bad_facts: usize,
}

impl SessionArchive {
    /// The roots that only the archive has; none if the roots were given
    /// explicitly.
    pub fn archived_roots(&self) -> &'_ [Root] {
        self.stores.archived_roots()
    }
}

impl SessionArchive {
    /// Reports the state of the archive, without reading the files in it.
    pub fn report(&self, max_age: Option<SignedDuration>, now: Timestamp) -> ArchiveReport {
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
        match (self.not_archived(max_age, now), self.ledger()) {
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
    pub fn folder(&self) -> Result<PathBuf, ArchiveError> {
        self.stores.options.home.as_ref().map(|home| home.join(ARCHIVE)).ok_or(ArchiveError::NoHome)
    }

    /// The archive, opened.
    pub fn open(&self) -> Result<Arc<Archive>, ArchiveError> {
        match Archive::open(&self.folder()?) {
            Ok(archive) => Ok(Arc::new(archive)),
            Err(archive::ArchiveError::Missing { .. }) => Err(ArchiveError::Nothing),
            Err(error) => Err(error.into()),
        }
    }

    /// Checks every copy in the archive, and with `is_deep` every byte. Returns the report,
    /// and the damaged lines of the ledger as its path with reasons.
    pub fn verify(
        &self,
        is_deep: bool,
        now: Timestamp,
    ) -> Result<(archive::VerifyReport, Vec<(PathBuf, String)>), ArchiveError> {
        self.open()?;
        let verified = archive::verify(&self.folder()?, is_deep, now, &|_| ())?;
        let ledger = self.ledger()?;
        let damaged = ledger.damage().iter();
        let damaged = damaged
            .map(|bad| (ledger.path().clone(), format!("line {}: {}", bad.line, bad.reason)));
        Ok((verified, damaged.collect()))
    }

    /// How many sessions only the archive has, beyond those of a list.
    pub fn count_archive_only(&self, list: &SessionList) -> usize {
        if self.stores.has_explicit_roots() {
            return 0;
        }
        let Ok(archive) = self.open() else { return 0 };
        let known: HashSet<&str> =
            list.sessions.iter().map(|session| session.id.as_str()).collect();
        let kept = archive.state().sessions().into_iter();
        let gone = kept.filter(|(id, session)| {
            let has_transcript = session.transcripts().next().is_some();
            has_transcript
                && !known.contains(id.as_str())
                && !list.excludes(id)
                && self.stores.reads_app_of(id)
                && !self.stores.is_unknown_on_disk(id)
        });
        gone.count()
    }

    /// The roots on disk as the archive sees them.
    pub fn store_roots(&self) -> Vec<ArchiveRoot> {
        self.stores.disk_roots().map(ArchiveRoot::of).collect()
    }

    /// The files on disk that are not in the archive.
    pub fn not_archived(
        &self,
        max_age: Option<SignedDuration>,
        now: Timestamp,
    ) -> Result<UnarchivedFiles, ArchiveError> {
        let state = match Archive::open(&self.folder()?) {
            Ok(archive) => archive.state(),
            Err(archive::ArchiveError::Missing { .. }) => Arc::new(State::default()),
            Err(error) => return Err(error.into()),
        };
        let mut areas = self.store_roots();
        areas.extend(self.stores.app_files_to_archive());
        let unwanted = self.unwanted(&areas, max_age.and_then(|age| now.checked_sub(age).ok()))?;
        let mut missing = UnarchivedFiles::default();
        for area in &areas {
            let root = state.root_of(area);
            for file in area.walk().files {
                let known = root.and_then(|root| state.newest(&(root, file.name.clone())));
                if known.is_some_and(|known| known.is_of(&file.stat)) || unwanted.holds(&file) {
                    continue;
                }
                missing.files += 1;
                missing.bytes += file.stat.bytes;
                missing.sessions.extend(file.session().map(str::to_owned));
            }
        }
        Ok(missing)
    }
}

impl Actions {
    /// Backs up new and changed files, and removes what is older than the
    /// maximum age. `on_archived` receives files that are safely stored.
    ///
    /// A call that is stopped archives the files it has read to their end and
    /// removes nothing.
    pub fn sync(
        &self,
        options: SyncOptions<'_>,
        progress: &dyn Progress,
        on_archived: &dyn Fn(&[NewlyArchived]),
    ) -> Result<SyncReport, ArchiveError> {
        let folder = self.archive.folder()?;
        let mut areas = self.archive.store_roots();
        // A caller that knows which files changed knows those of Claude Code.
        let of_apps = options.only.is_none().then(|| {
            let state = Archive::open(&folder).map(|archive| archive.state());
            self.archive.stores.app_areas(&state.unwrap_or_default())
        });
        areas.extend(of_apps.iter().flat_map(|of_apps| of_apps.areas.iter().cloned()));
        if areas.is_empty() {
            let text = "no sessions to archive; the archive is unchanged";
            return Err(ArchiveError::Refused(text.to_owned()));
        }
        self.archive.ledger()?.mend()?;
        let oldest = options.max_age.and_then(|age| options.now.checked_sub(age).ok());
        let unwanted = self.archive.unwanted(&areas, oldest)?;
        let admits = |file: &Candidate| !unwanted.holds(file);
        let archive_options = archive::SyncOptions {
            areas: &areas,
            only: options.only,
            admits: &admits,
            now: options.now,
        };
        let mut synced = archive::sync(&folder, &archive_options, progress, on_archived)?;
        synced.read_errors.extend(of_apps.iter().flat_map(|of_apps| of_apps.errors.clone()));
        let mut kept = SyncReport { synced, ..SyncReport::default() };
        if let Some(oldest) = oldest.filter(|_| options.only.is_none() && !progress.is_late()) {
            (kept.expired_sessions, kept.expired_files) =
                self.archive.expire(oldest, options.now)?;
        }
        Ok(kept)
    }
}

impl SessionArchive {
    /// The bookmarks, oldest first; none if there is no folder for annals' own data.
    pub fn marks(&self) -> Result<Vec<Mark>, ArchiveError> {
        match self.stores.options.home {
            None => Ok(Vec::new()),
            Some(_) => Ok(self.ledger()?.marks()),
        }
    }
}

impl SessionArchive {
    /// The ledger, opened.
    pub(crate) fn ledger(&self) -> Result<Ledger, ArchiveError> {
        let home = self.stores.options.home.as_ref().ok_or(ArchiveError::NoHome)?;
        Ok(Ledger::open(home.join(LEDGER))?)
    }

    /// Why a session is not in the archive.
    fn not_archived_error(&self, id: &str) -> ArchiveError {
        let is_forgotten = self.ledger().is_ok_and(|ledger| ledger.tombstones().contains(id));
        if is_forgotten {
            ArchiveError::Forgotten(id.to_owned())
        } else {
            ArchiveError::NotArchived(id.to_owned())
        }
    }

    /// Which files not to archive: excluded, forgotten, or too old.
    fn unwanted(
        &self,
        areas: &[ArchiveRoot],
        oldest: Option<Timestamp>,
    ) -> Result<ArchiveFilter<'_>, ArchiveError> {
        let mut sessions: HashSet<String> = self.ledger()?.tombstones().into_iter().collect();
        if !self.stores.options.exclude.is_empty() {
            sessions.extend(self.catalog.sessions().excluded);
        }
        if let Some(oldest) = oldest {
            let mut newest: HashMap<String, Timestamp> = HashMap::new();
            for file in areas.iter().flat_map(|area| area.walk().files) {
                if let Some(id) = file.session() {
                    let known = newest.entry(id.to_owned()).or_insert(file.stat.modified);
                    *known = (*known).max(file.stat.modified);
                }
            }
            let old = newest.into_iter().filter(|(_, modified)| *modified < oldest);
            sessions.extend(old.map(|(id, _)| id));
        }
        Ok(ArchiveFilter { archive: self, sessions, oldest })
    }

    /// Removes from the archive what has not changed since then. The ledger
    /// keeps its calls, so that usage stays complete.
    fn expire(
        &self,
        oldest: Timestamp,
        now: Timestamp,
    ) -> Result<(Vec<String>, usize), ArchiveError> {
        let archive = self.open()?;
        let state = archive.state();
        let modified = |key: &FileKey| state.newest(key).map(|newest| newest.seen.modified);
        let mut keys = Vec::new();
        let mut calls = Vec::new();
        let mut ids = Vec::new();
        for (id, session) in state.sessions() {
            let newest = session.files.iter().filter_map(modified).max();
            if newest.is_some_and(|newest| newest < oldest) {
                calls.extend(self.archived_calls(&archive, &id, &session));
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
        let files = archive::forget(&self.folder()?, &keys, now)?;
        Ok((ids, files))
    }
}

/// Decides which files are not archived.
struct ArchiveFilter<'a> {
    archive: &'a SessionArchive,
    sessions: HashSet<String>,
    oldest: Option<Timestamp>,
}

impl ArchiveFilter<'_> {
    fn holds(&self, file: &Candidate) -> bool {
        if self.archive.stores.is_excluded(&file.path, None) {
            return true;
        }
        if self.sessions.is_empty() && self.oldest.is_none() {
            return false;
        }
        let id = file.session().map(str::to_owned);
        if id.is_none() && self.oldest.is_some_and(|oldest| file.stat.modified < oldest) {
            return true;
        }
        // The lines of a flat agent name its session.
        let id = id.or_else(|| {
            let is_agent = !self.sessions.is_empty() && file.is_flat_agent();
            is_agent
                .then(|| store::flat_agent(&self.archive.stores.disk, &file.path)?.session_id)?
        });
        id.is_some_and(|id| self.sessions.contains(&id))
    }
}
