//! All files with what sessions did to them, and the history of one.

use super::locations::last;
use super::{Copied, FileLocations, FilePattern, Touch, once, touches_of};
use crate::TouchedFiles;
use crate::catalog::filter::Filter;
use crate::catalog::session::Session;
use crate::open::scan::ReadError;
use crate::progress::Progress;
use conversation::{Diff, Summary};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// A summary of what sessions did to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSummary {
    /// The present path of the file.
    pub path: String,
    /// All recorded paths, if there are others than the present one.
    pub recorded_paths: BTreeSet<String>,
    /// How often it was read.
    pub reads: u64,
    /// How often it was changed.
    pub changes: u64,
    /// How many calls failed.
    pub failed: u64,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// The sessions with a call on it.
    pub sessions: BTreeSet<String>,
    /// The first call on it.
    pub first: Option<Timestamp>,
    /// The last call on it.
    pub last: Option<Timestamp>,
    /// When it was last changed.
    pub last_change: Option<Timestamp>,
}

impl FileSummary {
    /// Whether every call on it failed.
    pub fn is_only_failed(&self) -> bool {
        self.reads + self.changes == 0
    }

    fn note(&mut self, touch: &Touch) {
        if !touch.is_done() {
            self.failed += 1;
        } else if touch.is_change() {
            self.changes += 1;
            self.added = self.added.saturating_add(touch.added);
            self.removed = self.removed.saturating_add(touch.removed);
            self.last_change = self.last_change.max(touch.time);
        } else {
            self.reads += 1;
        }
        if !self.sessions.contains(&touch.session_id) {
            self.sessions.insert(touch.session_id.clone());
        }
        self.first = match (self.first, touch.time) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self.last = self.last.max(touch.time);
        if touch.recorded_path != self.path && !self.recorded_paths.contains(&touch.recorded_path) {
            self.recorded_paths.insert(touch.recorded_path.clone());
        }
    }
}

/// A change or a read of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The call.
    pub touch: Touch,
    /// What it changed.
    pub diff: Option<Diff>,
}

impl Copied for Change {
    fn call_id(&self) -> Option<&str> {
        self.touch.call_id()
    }

    fn is_copy(&self) -> bool {
        self.touch.is_copy()
    }
}

/// The history of a file, or of all files whose paths end alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileHistory {
    /// The files, by path.
    pub files: Vec<FileSummary>,
    /// Successful changes and reads, ordered by time.
    pub changes: Vec<Change>,
    /// Other files of the same name.
    pub others: Vec<String>,
}

impl TouchedFiles<'_> {
    /// All files that these sessions read or changed, or tried to, the last changed
    /// first.
    pub fn touched(
        self,
        sessions: &[&Session],
        filter: &Filter,
        places: &FileLocations,
        progress: &dyn Progress,
    ) -> (Vec<FileSummary>, Vec<ReadError>) {
        let (touches, troubles) =
            self.library.prompted_calls(sessions, None, progress, |session, prompted_calls| {
                let touches = touches_of(session, prompted_calls, places).map(|(touch, _)| touch);
                touches.filter(|touch| touch.fits(filter)).collect::<Vec<_>>()
            });
        let touches = once(touches.into_iter().flatten().collect());
        let mut files = summaries(touches.iter());
        files.sort_by_key(|file| std::cmp::Reverse((file.last_change, file.last)));
        (files, troubles)
    }

    /// Everything that these sessions did to a file.
    pub fn history(
        self,
        sessions: &[&Session],
        filter: &Filter,
        places: &FileLocations,
        wanted: &FilePattern,
        progress: &dyn Progress,
    ) -> (FileHistory, Vec<ReadError>) {
        let names = places.names(wanted);
        let (found, troubles) = self.library.prompted_calls(
            sessions,
            Some(&names),
            progress,
            |session, prompted_calls| {
                let alike = touches_of(session, prompted_calls, places).filter(|(touch, _)| {
                    last(&touch.path).is_some_and(|name| names.iter().any(|own| own == name))
                });
                let changes = alike.map(|(touch, prompted)| {
                    let diff = match prompted.call.summary() {
                        Summary::Change { diff, .. } if touch.is_change() => Some(diff),
                        _ => None,
                    };
                    Change { touch, diff }
                });
                changes.collect::<Vec<_>>()
            },
        );
        let mut found = once(found.into_iter().flatten().collect::<Vec<Change>>());
        let all = found.iter().map(|change| change.touch.path.as_str());
        let chosen: BTreeSet<String> = wanted.choose(all).into_iter().map(str::to_owned).collect();
        let others: BTreeSet<String> = found
            .iter()
            .map(|change| &change.touch.path)
            .filter(|path| !chosen.contains(*path))
            .cloned()
            .collect();
        found.retain(|change| chosen.contains(&change.touch.path) && change.touch.fits(filter));
        let files = summaries(found.iter().map(|change| &change.touch));
        found.retain(|change| change.touch.is_done());
        found.sort_by_key(|change| change.touch.time);
        let others = others.into_iter().collect();
        (FileHistory { files, changes: found, others }, troubles)
    }
}

fn summaries<'t>(touches: impl Iterator<Item = &'t Touch>) -> Vec<FileSummary> {
    let mut files: BTreeMap<&str, FileSummary> = BTreeMap::new();
    for touch in touches {
        let file = files
            .entry(&touch.path)
            .or_insert_with(|| FileSummary { path: touch.path.clone(), ..FileSummary::default() });
        file.note(touch);
    }
    files.into_values().collect()
}
