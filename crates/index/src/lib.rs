//! The one SQLite file: every word of every session, what it used and touched.
//!
//! A cache of what store and archive hold: deleting it loses nothing. It has
//! facts of lines in file order, and the words of texts, but no text: that is
//! read back from where it stands. Nothing in it depends on a view or a branch.
//!
//! Deliberately not here: which files there are (the library says), and how
//! anything looks.

#![expect(clippy::disallowed_methods, reason = "the index is written here")]

mod admitted;
mod block_filter;
mod database;
mod deeds;
mod failure;
mod files;
mod linear_history;
mod listing;
mod memo;
mod near;
mod permission;
mod query;
mod read;
mod recent;
mod refresh;
mod rows;
mod schema;
mod search;
mod source;
mod sql;
mod text;
mod told;
mod views;
pub mod words;
mod write;

pub use admitted::Admits;
pub use block_filter::fits;
pub use failure::IndexError;
pub use files::{ById, IndexedFile};
pub use listing::{FileSnapshot, Listing, Shows, SnapshotFile, SnapshotFolder};
pub use memo::{Memo, MemoFile, NameKind, NamesByFile};
pub use query::{FIELDS, Field, IS, Query};
pub use recent::RecentFile;
pub use refresh::{Ingest, IngestOptions, IngestProgress, Refreshed, Unread};
pub use rows::{Kind, What};
pub use search::{Answer, MOST_TEXTS, Match, Question, Searcher, TextHash};
pub use source::{Source, SourceKind, Stamp};
pub use sql::{AnswerSink, CallRow, ShownFile, SqlQuestion, SqlValue, UsedFile};
pub use text::read_line;
pub use views::{VIEWS, VIEWS_VERSION, View, ViewColumn};

use database::Place;
use std::path::PathBuf;

/// The index in a folder.
#[derive(Clone, Debug)]
pub struct Index {
    place: Place,
}

/// What tells an index's file from the one that takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl Index {
    /// The index of a folder, which need not be there.
    pub fn new(folder: PathBuf) -> Index {
        Index { place: Place { folder } }
    }

    /// Takes the right to bring it up to date; `None` if another process has it.
    pub fn ingest(&self, memory: usize) -> Result<Option<Ingest>, IndexError> {
        Ingest::begin(&self.place, memory)
    }

    /// Opens it for questions; `None` if there is none yet.
    pub fn searcher(&self) -> Result<Option<Searcher>, IndexError> {
        Searcher::open(&self.place)
    }

    /// What it remembers of transcripts; `None` if there is none yet. With a key,
    /// the folders they were found in too.
    pub fn memo(&self, key: Option<&str>) -> Result<Option<Memo>, IndexError> {
        Memo::open(&self.place, key)
    }

    /// What files used that were modified at or after a moment, in nanoseconds, and
    /// those of a session, by path; `None` if there is no index yet.
    pub fn recent(
        &self,
        since: i64,
        session: Option<&str>,
    ) -> Result<Option<Vec<RecentFile>>, IndexError> {
        RecentFile::read(&self.place, since, session)
    }

    /// The models or tools of files.
    pub fn names_by_file(&self, kind: NameKind) -> Result<NamesByFile, IndexError> {
        kind.read(&self.place)
    }

    /// Which file it is now, for [`Index::set_aside`].
    pub fn identity(&self) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = std::fs::metadata(self.place.database()).ok()?;
        Some(Identity(metadata.dev(), metadata.ino()))
    }

    /// Puts a file that is of no use out of the way, and says where it is now;
    /// `None` if somebody did so already.
    pub fn set_aside(&self, useless: Option<Identity>) -> Result<Option<PathBuf>, IndexError> {
        let _lock = self.place.lock()?.ok_or(IndexError::Busy)?;
        if self.identity().is_none() || self.identity() != useless {
            return Ok(None);
        }
        Ok(Some(self.place.set_aside()?))
    }

    /// Removes it, with what was set aside: for whoever wants nothing left of what
    /// it was made from.
    pub fn remove(&self) -> Result<(), IndexError> {
        if !self.place.folder.is_dir() {
            return Ok(());
        }
        let _lock = self.place.lock()?.ok_or(IndexError::Busy)?;
        Ok(self.place.remove()?)
    }
}
