//! The SQLite index: every word of every session, its API calls and the files it
//! touched.
//!
//! It is a cache of the store and the archive: deleting it loses nothing. It stores
//! facts about lines in file order, and the words of texts, but not the texts, which
//! are read back from their files. Nothing in it depends on a view or a branch.
//!
//! Deliberately not here: finding the files (the library passes them), and rendering.

#![expect(clippy::disallowed_methods, reason = "the index is written here")]

mod block_filter;
mod block_kind;
mod block_scan;
mod btree_page;
mod call_effects;
mod daily_check;
mod database;
mod dump;
mod facts;
mod failure;
mod file_selection;
mod files;
mod hashed_key;
mod line_states;
mod linear_history;
mod linear_turns;
mod listing;
mod match_details;
mod memo;
mod page_check;
mod page_digests;
mod path_bytes;
mod permission;
mod platform;
mod prompts;
mod query;
mod read;
mod recent;
mod refresh;
mod repeated_agents;
mod rows;
mod same_text;
mod schema;
mod score;
mod seal;
mod search;
mod sent_texts;
mod similar_words;
mod source;
mod sql;
mod text;
mod views;
mod word_pages;
pub mod words;
mod write;

pub use block_filter::fits;
pub use block_scan::{BlockScan, DistinctWords, ScannedBlock};
pub use facts::{Digest, FactKind, FactMasking, NewFacts, StoredFacts};
pub use failure::IndexError;
pub use file_selection::FileSelection;
pub use files::{FilesById, IndexedFile};
pub use line_states::LineStates;
pub use listing::{FileSnapshot, Listing, SnapshotFile, SnapshotFolder, VisibilityCheck};
pub use memo::{Memo, MemoFile, NameKind, NamesByFile, PromptCounts};
pub use prompts::{
    PromptCounter, PromptRecordKind, PromptRecords, PromptSource, RecordedPrompt, add_missing,
    joined_commands, prompt_digest, recorded_prompt,
};
pub use query::{FIELDS, Field, IS, Query};
pub use recent::RecentFile;
pub use refresh::{Ingest, IngestOptions, IngestProgress, IngestReport, UnreadFile};
pub use rows::{BlockClass, BlockKind};
pub use search::{MOST_TEXTS, Match, SearchRequest, SearchResult, Searcher, TextHash};
pub use source::{Source, SourceKind, Stamp};
pub use sql::{CallRow, FileCalls, ShownFile, SqlRequest, SqlSink, SqlValue};
pub use text::read_line;
pub use views::{VIEWS, VIEWS_VERSION, View, ViewColumn};

use database::IndexFolder;
use std::path::PathBuf;

/// The index in a folder.
#[derive(Clone, Debug)]
pub struct Index {
    folder: IndexFolder,
}

/// Identifies an index file, to detect that another has replaced it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl Index {
    /// The index in a folder, which need not exist.
    pub fn new(folder: PathBuf) -> Index {
        Index { folder: IndexFolder { path: folder } }
    }

    /// Locks the index for updating; `None` if another process has the lock.
    pub fn ingest(&self, memory: usize) -> Result<Option<Ingest>, IndexError> {
        Ingest::begin(&self.folder, memory)
    }

    /// Whether a process has locked it for updating.
    pub fn is_being_written(&self) -> Result<bool, IndexError> {
        Ok(self.folder.lock()?.is_none())
    }

    /// Opens it for searching; `None` if there is no index yet.
    pub fn searcher(&self) -> Result<Option<Searcher>, IndexError> {
        Searcher::open(&self.folder)
    }

    /// The facts about transcripts; `None` if there is no index yet. With a
    /// key, includes the folders they were found in.
    pub fn memo(&self, key: Option<&str>) -> Result<Option<Memo>, IndexError> {
        Memo::open(&self.folder, key)
    }

    /// The packed folds of the API calls of a memo's files, by their positions; `None` for
    /// a file that the index has read again since.
    pub fn folds(
        &self,
        memo: &Memo,
        numbers: &[usize],
    ) -> Result<Vec<Option<Vec<u8>>>, IndexError> {
        memo.folds(&self.folder, numbers)
    }

    /// The prompts and turns of a memo's files, in their order; zero for a file that the
    /// index has read again since.
    pub fn prompt_counts(&self, memo: &Memo) -> Result<Vec<PromptCounts>, IndexError> {
        memo.prompt_counts(&self.folder)
    }

    /// The API calls of files modified at or after a time in nanoseconds, and of the
    /// files of a session, by path; `None` if there is no index yet.
    pub fn recent(
        &self,
        since: i64,
        session: Option<&str>,
    ) -> Result<Option<Vec<RecentFile>>, IndexError> {
        RecentFile::read(&self.folder, since, session)
    }

    /// The stored facts of a kind; `None` if there is no index yet.
    pub fn facts(
        &self,
        kind: FactKind,
        masking: FactMasking,
    ) -> Result<Option<StoredFacts>, IndexError> {
        facts::read(&self.folder, kind, masking)
    }

    /// Stores facts, if there is an index and no other process is writing it; says
    /// whether it did. Never waits for the lock.
    pub fn store_facts(
        &self,
        masking: FactMasking,
        facts: &[(FactKind, Vec<NewFacts<'_>>)],
    ) -> Result<bool, IndexError> {
        facts::write(&self.folder, masking, facts)
    }

    /// The key of digests of masked values, which every index has; `None` if there is no
    /// index yet.
    pub fn value_key(&self) -> Result<Option<[u8; 32]>, IndexError> {
        let connection = self.folder.open_to_read()?;
        Ok(connection.as_ref().map(schema::value_key).transpose()?)
    }

    /// The models or tools of files.
    pub fn names_by_file(&self, kind: NameKind) -> Result<NamesByFile, IndexError> {
        kind.read(&self.folder)
    }

    /// The path of its file.
    pub fn path(&self) -> PathBuf {
        self.folder.database()
    }

    /// Checks the whole file: whether each page is as annals wrote it, and whether its
    /// structure is sound. Without an index there is nothing to check.
    pub fn examine(&self) -> Result<(), IndexError> {
        match self.folder.open_to_read()? {
            Some(connection) => {
                daily_check::check(&self.folder, &connection)?;
                seal::check_structure(&connection)
            }
            None => Ok(()),
        }
    }

    /// The identity of the current file, for [`Index::set_aside`].
    pub fn identity(&self) -> Option<Identity> {
        let metadata = std::fs::metadata(self.folder.database()).ok()?;
        let (device, inode) = platform::identity(&metadata);
        Some(Identity(device, inode))
    }

    /// Moves an unusable file out of the way and returns its new path; `None` if another
    /// process has already done so.
    pub fn set_aside(&self, useless: Option<Identity>) -> Result<Option<PathBuf>, IndexError> {
        let _lock = self.folder.lock()?.ok_or(IndexError::Busy)?;
        if self.identity().is_none() || self.identity() != useless {
            return Ok(None);
        }
        Ok(Some(self.folder.set_aside()?))
    }

    /// Removes the index and any file set aside, so that nothing of the indexed
    /// content remains.
    pub fn remove(&self) -> Result<(), IndexError> {
        if !self.folder.path.is_dir() {
            return Ok(());
        }
        let _lock = self.folder.lock()?.ok_or(IndexError::Busy)?;
        Ok(self.folder.remove()?)
    }
}
