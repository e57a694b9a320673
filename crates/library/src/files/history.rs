//! All files with what sessions did to them, and the history of one.

use crate::catalog::filter::Filter;
use crate::facts::touches::{SessionTouches, TouchFact};
use crate::files::locations::{FileLocations, FilePattern, last};
use crate::files::{
    Copied, Touch, TouchOfCall, TouchedFiles, in_reading_order, is_touch_wanted, once, touches_of,
};
use crate::lines::ReadError;
use crate::progress::Progress;
use crate::session::Session;
use crate::sessions::recorded_touches::Operation;
use conversation::{Diff, Status};
use index::Digest;
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

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
    fn new(path: &str) -> Self {
        FileSummary { path: path.to_owned(), ..FileSummary::default() }
    }

    /// Whether every call on it failed.
    pub fn is_only_failed(&self) -> bool {
        self.reads + self.changes == 0
    }

    fn note(&mut self, touch: &Counted<'_>) {
        if touch.status != Status::Ok {
            self.failed += 1;
        } else if touch.operation.is_change() {
            self.changes += 1;
            self.added = self.added.saturating_add(touch.added);
            self.removed = self.removed.saturating_add(touch.removed);
            self.last_change = self.last_change.max(touch.time);
        } else {
            self.reads += 1;
        }
        if !self.sessions.contains(touch.session_id) {
            self.sessions.insert(touch.session_id.to_owned());
        }
        self.first = match (self.first, touch.time) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self.last = self.last.max(touch.time);
        if touch.recorded_path != self.path && !self.recorded_paths.contains(touch.recorded_path) {
            self.recorded_paths.insert(touch.recorded_path.to_owned());
        }
    }
}

/// What a summary needs of a touch.
struct Counted<'t> {
    path: &'t str,
    recorded_path: &'t str,
    session_id: &'t str,
    operation: Operation,
    status: Status,
    added: u64,
    removed: u64,
    time: Option<Timestamp>,
}

impl<'t> Counted<'t> {
    fn of(touch: &'t Touch) -> Self {
        Counted {
            path: &touch.path,
            recorded_path: &touch.recorded_path,
            session_id: &touch.session_id,
            operation: touch.operation,
            status: touch.status,
            added: touch.added,
            removed: touch.removed,
            time: touch.time,
        }
    }
}

/// The present and the recorded path of a file.
type TouchedPaths = Arc<(String, String)>;

/// A touch in the list of all files.
struct ListedTouch {
    paths: TouchedPaths,
    session_id: Arc<str>,
    operation: Operation,
    status: Status,
    added: u64,
    removed: u64,
    time: Option<Timestamp>,
    call: Option<Digest>,
    is_copy: bool,
}

impl ListedTouch {
    fn counted(&self) -> Counted<'_> {
        Counted {
            path: &self.paths.0,
            recorded_path: &self.paths.1,
            session_id: &self.session_id,
            operation: self.operation,
            status: self.status,
            added: self.added,
            removed: self.removed,
            time: self.time,
        }
    }
}

impl Copied for ListedTouch {
    type CallId = Digest;

    fn call_id(&self) -> Option<Digest> {
        self.call
    }

    fn is_copy(&self) -> bool {
        self.is_copy
    }
}

/// The touches of a session that a filter matches.
fn listed_touches(
    session: &Session,
    facts: &SessionTouches<'_>,
    filter: &Filter,
    places: &FileLocations,
) -> Vec<ListedTouch> {
    let session_id: Arc<str> = Arc::from(session.id.as_str());
    // By the recorded path and the working directory.
    let mut paths: HashMap<(&str, Option<&str>), TouchedPaths> = HashMap::new();
    let wanted = facts.touches.iter().filter(|touch| {
        is_touch_wanted(filter, touch.agent_type, touch.model, touch.tool, touch.time)
    });
    let listed = wanted.map(|touch| {
        let cwd = touch.cwd.or(session.metadata.cwd.as_deref());
        let paths = paths.entry((touch.path, cwd)).or_insert_with(|| {
            let path = places.current_path(touch.path, cwd, &facts.worktrees);
            Arc::new((path, touch.path.to_owned()))
        });
        let TouchFact { operation, status, added, removed, time, call, is_copy, .. } = *touch;
        ListedTouch {
            paths: Arc::clone(paths),
            session_id: Arc::clone(&session_id),
            operation,
            status,
            added,
            removed,
            time,
            call,
            is_copy,
        }
    });
    listed.collect()
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
    type CallId = (String, usize);

    fn call_id(&self) -> Option<(String, usize)> {
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

impl TouchedFiles {
    /// All files that these sessions read or changed, or tried to, the last changed
    /// first.
    pub fn touched(
        &self,
        sessions: &[&Session],
        filter: &Filter,
        places: &FileLocations,
        progress: &dyn Progress,
    ) -> (Vec<FileSummary>, Vec<ReadError>) {
        let (sessions, is_hurried) = in_reading_order(sessions, progress);
        let (mut touches, read_errors) =
            self.facts.touch_facts(&sessions, progress, |session, facts| {
                listed_touches(session, &facts, filter, places)
            });
        if is_hurried {
            touches.reverse();
        }
        let touches = once(touches.into_iter().flatten().collect());
        let mut files = summaries(touches.iter().map(ListedTouch::counted));
        files.sort_by_key(|file| std::cmp::Reverse((file.last_change, file.last)));
        (files, read_errors)
    }

    /// Everything that these sessions did to a file.
    pub fn history(
        &self,
        sessions: &[&Session],
        filter: &Filter,
        places: &FileLocations,
        wanted: &FilePattern,
        progress: &dyn Progress,
    ) -> (FileHistory, Vec<ReadError>) {
        let names = places.names(wanted);
        let (found, read_errors) =
            self.prompted_calls(sessions, Some(&names), progress, |session, prompted_calls| {
                let alike = touches_of(session, prompted_calls, places, |path| {
                    last(path).is_some_and(|name| names.iter().any(|own| own == name))
                });
                let changes = alike.map(|TouchOfCall { touch, diff, .. }| {
                    let diff = touch.is_change().then_some(diff);
                    Change { touch, diff }
                });
                changes.collect::<Vec<_>>()
            });
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
        let files = summaries(found.iter().map(|change| Counted::of(&change.touch)));
        found.retain(|change| change.touch.is_done());
        found.sort_by_key(|change| change.touch.time);
        let others = others.into_iter().collect();
        (FileHistory { files, changes: found, others }, read_errors)
    }
}

fn summaries<'t>(touches: impl Iterator<Item = Counted<'t>>) -> Vec<FileSummary> {
    let mut files: HashMap<&str, FileSummary> = HashMap::new();
    for touch in touches {
        files.entry(touch.path).or_insert_with(|| FileSummary::new(touch.path)).note(&touch);
    }
    let mut files: Vec<FileSummary> = files.into_values().collect();
    files.sort_unstable_by(|one, two| one.path.cmp(&two.path));
    files
}
