//! How current an answer of the index is.

use crate::lines::ReadError;
use crate::search::index::driver::{ByPath, by_path, known_files};
use index::{IndexError, IngestReport, Searcher, Source};
use jiff::Timestamp;
use std::fmt;

/// How current the index is.
#[derive(Clone, Debug, Default)]
pub struct Freshness {
    /// Whether it matches the files.
    pub is_fresh: bool,
    /// Whether every file was read at least once.
    pub is_complete: bool,
    /// Whether it could not be updated; the notes have the reason.
    pub is_stuck: bool,
    /// Whether the question is answered again when the index is whole.
    pub is_preliminary: bool,
    /// If it is incomplete: the time since which it is complete.
    pub covered_since: Option<Timestamp>,
    /// Notes for the user: why it is not fresh, or that it was set aside.
    pub notes: Vec<String>,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
    /// How many lines were too large to be read (`Health::large_lines` has them).
    pub large_lines: usize,
}

/// An answer of the index, and how current the index was: nobody gets one without the
/// other.
#[derive(Clone, Debug)]
#[must_use]
pub struct Indexed<T> {
    answer: T,
    freshness: Freshness,
}

impl<T> Indexed<T> {
    pub(crate) fn new(answer: T, freshness: Freshness) -> Indexed<T> {
        Indexed { answer, freshness }
    }

    /// The answer, and how current the index was.
    pub fn into_parts(self) -> (T, Freshness) {
        (self.answer, self.freshness)
    }
}

impl Freshness {
    pub(super) fn noting(notes: &[String]) -> Freshness {
        Freshness { notes: notes.to_vec(), ..Freshness::default() }
    }

    /// What an answer of the index may lack; `None` if the index has every file as it is.
    /// Only then does "nothing found" mean that there is nothing.
    pub fn gap(&self) -> Option<Gap> {
        if !self.read_errors.is_empty() {
            Some(Gap::Unread(self.read_errors.len()))
        } else if !self.is_complete {
            Some(Gap::Files)
        } else if self.large_lines > 0 {
            Some(Gap::LargeLines(self.large_lines))
        } else if !self.is_fresh {
            Some(Gap::LatestLines)
        } else {
            None
        }
    }

    /// Whether the index has read every file at least once, and every line that it had then.
    pub fn has_every_line(&self) -> bool {
        matches!(self.gap(), None | Some(Gap::LatestLines))
    }

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
            // A file that could not be read may be one that never was.
            (self.is_fresh, self.is_complete) =
                (refreshed.unread.is_empty(), refreshed.unread.is_empty());
            self.covered_since = None;
        }
        let unread = refreshed.unread.into_iter();
        self.read_errors
            .extend(unread.map(|unread| ReadError { path: unread.path, reason: unread.reason }));
        Ok(())
    }
}

/// What the answer of an index may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Files that were never read.
    Files,
    /// This number of files and folders cannot be read.
    Unread(usize),
    /// This number of lines is too large to be read.
    LargeLines(usize),
    /// The end of files that were read before.
    LatestLines,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Files => f.write_str("the index is incomplete"),
            Gap::Unread(1) => f.write_str("1 file or folder cannot be read"),
            Gap::Unread(count) => write!(f, "{count} files and folders cannot be read"),
            Gap::LargeLines(1) => f.write_str("1 line is too large to be read"),
            Gap::LargeLines(count) => write!(f, "{count} lines are too large to be read"),
            Gap::LatestLines => f.write_str("the index lacks the latest lines"),
        }
    }
}
