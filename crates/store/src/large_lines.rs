//! Which lines were too large to be read.
//!
//! Readers pass over such lines ([`crate::LineSource`]), far below the code that answers. They
//! are noted here, once for each file, and every answer says which they were.

use crate::limits::TooLargeError;
use crate::read::Position;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use transcript::LARGEST_LINE;

/// How many lines are noted. A file of this many is larger than the largest disk of a laptop.
const MOST: usize = 10_000;

/// A line that is too large to be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LargeLine {
    /// The file.
    pub path: PathBuf,
    /// Where it begins there.
    pub offset: u64,
    /// Its number, from 1.
    pub line: u64,
    /// Its size.
    pub bytes: u64,
}

impl fmt::Display for LargeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = TooLargeError { bytes: Some(self.bytes), limit: LARGEST_LINE as u64 };
        write!(f, "line {} is {error}", self.line)
    }
}

/// The lines that readers met and did not read.
#[derive(Clone, Debug, Default)]
pub struct LargeLines(Arc<Mutex<Noted>>);

#[derive(Debug, Default)]
struct Noted {
    /// By file and offset.
    lines: BTreeMap<PathBuf, BTreeMap<u64, LargeLine>>,
    /// The files that a made-up one shows.
    shown: BTreeMap<PathBuf, Vec<PathBuf>>,
    count: usize,
}

impl LargeLines {
    /// Notes the line at a position.
    pub fn note(&self, path: &Path, position: Position, bytes: u64) {
        let Position { offset, line } = position;
        let mut noted = self.lock();
        let known = noted.lines.get(path).and_then(|lines| lines.get(&offset));
        if known.is_some_and(|line| line.bytes == bytes) || noted.count >= MOST {
            return;
        }
        let line = LargeLine { path: path.to_owned(), offset, line, bytes };
        let is_new = noted.lines.entry(path.to_owned()).or_default().insert(offset, line);
        noted.count += usize::from(is_new.is_none());
    }

    /// Notes that a path without a file shows what other files have.
    pub fn note_shown(&self, path: &Path, files: &[PathBuf]) {
        let mut noted = self.lock();
        if files.iter().any(|file| noted.lines.contains_key(file)) {
            noted.shown.insert(path.to_owned(), files.to_vec());
        }
    }

    /// The lines of a file, in its order.
    pub fn of(&self, path: &Path) -> Vec<LargeLine> {
        let noted = self.lock();
        let files = noted.shown.get(path).map_or(&[][..], Vec::as_slice).iter();
        let files = files.map(PathBuf::as_path).chain([path]);
        files.filter_map(|file| noted.lines.get(file)).flat_map(BTreeMap::values).cloned().collect()
    }

    /// All lines, by file.
    pub fn all(&self) -> Vec<LargeLine> {
        self.lock().lines.values().flat_map(BTreeMap::values).cloned().collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
