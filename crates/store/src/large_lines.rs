//! Which lines were too large to be read.
//!
//! Readers pass over such lines ([`crate::LineSource`]), far below the code that answers. They
//! are noted here, once for each file, and whoever answers says which they were.

use crate::limits::TooLargeError;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use transcript::LARGEST_LINE;

/// How many lines are noted. A file of this many is larger than the largest disk of a laptop.
const MOST: usize = 10_000;

/// A line that is too large to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LargeLine {
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
    lines: BTreeMap<PathBuf, BTreeMap<u64, LargeLine>>,
    count: usize,
}

impl LargeLines {
    /// Notes the line at an offset. Its number is asked for only if it is new.
    pub fn note(&self, path: &Path, offset: u64, bytes: u64, number: impl FnOnce() -> u64) {
        let is_known = |noted: &Noted| {
            let line = noted.lines.get(path).and_then(|lines| lines.get(&offset));
            line.is_some_and(|line| line.bytes == bytes)
        };
        if is_known(&self.lock()) {
            return;
        }
        let line = LargeLine { line: number(), bytes };
        let mut noted = self.lock();
        if noted.count >= MOST {
            return;
        }
        let lines = noted.lines.entry(path.to_owned()).or_default();
        let is_new = lines.insert(offset, line).is_none();
        noted.count += usize::from(is_new);
    }

    /// The lines of a file, in its order.
    pub fn of(&self, path: &Path) -> Vec<LargeLine> {
        self.lock()
            .lines
            .get(path)
            .map(|lines| lines.values().copied().collect())
            .unwrap_or_default()
    }

    /// All lines, by file.
    pub fn all(&self) -> Vec<(PathBuf, LargeLine)> {
        let noted = self.lock();
        let lines = noted
            .lines
            .iter()
            .flat_map(|(path, lines)| lines.values().map(move |line| (path.clone(), *line)));
        lines.collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
