//! How current an answer of the index is.

use super::driver::{ByPath, by_path, known_files};
use crate::open::scan::ReadError;
use index::{IndexError, IngestReport, Searcher, Source};
use jiff::Timestamp;

/// How current the index is.
#[derive(Clone, Debug, Default)]
pub struct Freshness {
    /// Whether it matches the files.
    pub is_fresh: bool,
    /// Whether every file was read at least once.
    pub is_complete: bool,
    /// Whether it could not be updated; the notes have the reason.
    pub is_stuck: bool,
    /// If it is incomplete: the time since which it is complete.
    pub covered_since: Option<Timestamp>,
    /// Notes for the user: why it is not fresh, or that it was set aside.
    pub notes: Vec<String>,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
}

impl Freshness {
    /// Compares an index with all sources.
    pub(super) fn judge_all(
        &mut self,
        sources: &[Source],
        searcher: Option<&Searcher>,
    ) -> Result<(), IndexError> {
        let files = match searcher {
            Some(searcher) => known_files(searcher, None)?.0,
            None => Vec::new(),
        };
        self.judge(sources, &by_path(&files));
        Ok(())
    }

    /// Compares an index with sources. Returns how many bytes it has not read,
    /// if any file changed.
    pub(super) fn judge(&mut self, sources: &[Source], known: &ByPath<'_>) -> Option<u64> {
        let mut stale = None;
        let mut missing = None;
        for source in sources {
            let file = known.get(source.path.as_path());
            if file.is_some_and(|file| file.is_of(source)) {
                continue;
            }
            let seen = file.and_then(|file| file.stamp).map_or(0, |stamp| stamp.bytes);
            *stale.get_or_insert(0) += source.stamp.bytes.saturating_sub(seen);
            if file.is_none_or(|file| file.stamp.is_none()) {
                missing = missing.max(Some(source.stamp.modified));
            }
        }
        self.is_fresh = stale.is_none();
        self.is_complete = missing.is_none();
        self.covered_since =
            missing.and_then(|modified| Timestamp::from_nanosecond(modified.into()).ok());
        stale
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// An index that cannot be written can still answer.
    pub(super) fn excuse(&mut self, error: IndexError) -> Result<(), IndexError> {
        match error {
            IndexError::Unwritable(_) | IndexError::Full(_) | IndexError::Busy => {
                self.is_stuck = true;
                self.note(format!("cannot update the index: {error}"));
                Ok(())
            }
            error => Err(error),
        }
    }

    /// Records how the update ended.
    pub(super) fn end(
        &mut self,
        refreshed: Result<IngestReport, IndexError>,
    ) -> Result<(), IndexError> {
        let refreshed = match refreshed {
            Ok(refreshed) => refreshed,
            Err(error) => return self.excuse(error),
        };
        if refreshed.is_cancelled {
            // What it had before is known; how much more it has now is not.
            self.is_fresh = false;
            self.note("the index update was cancelled".to_owned());
        } else {
            self.is_fresh = refreshed.unread.is_empty();
            self.is_complete = true;
            self.covered_since = None;
        }
        let unread = refreshed.unread.into_iter();
        self.read_errors
            .extend(unread.map(|unread| ReadError { path: unread.path, reason: unread.reason }));
        Ok(())
    }
}
