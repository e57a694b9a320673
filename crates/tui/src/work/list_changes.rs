//! The list follows the stores: new sessions, growth, processes that begin and end.
//!
//! The system says when files change, so waiting costs nothing. The list is then read again,
//! but never so often that reading takes a noticeable share of the time.

use super::{Answer, Data, list};
use crate::worker::Reply;
use library::watch::{FolderDebounce, FolderWatch, WatchedChange};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long changes are collected.
const DEBOUNCE: FolderDebounce =
    FolderDebounce { pause: Duration::from_millis(150), longest: Duration::from_millis(600) };

/// The shortest time between two readings.
const SHORTEST: Duration = Duration::from_secs(1);

/// The same without notifications of the system, where every wait ends in a reading.
const SHORTEST_POLLING: Duration = Duration::from_secs(5);

/// Reading takes at most this part of the time.
const SHARE: u32 = 20;

/// A wait without an end: requests and changes interrupt it.
const LONG: Duration = Duration::from_hours(24);

pub(super) fn run(data: &Data<'_>, reply: &Reply<'_>) {
    let mut folders = Folders::new();
    reply.wake_when_stale(folders.watch.waker());
    // Before anything is read, so that no change in between is missed.
    folders.add(data.library.watch().list_folders());
    let (mut known, mut is_due) = (None, true);
    let mut next = Instant::now();
    while !reply.is_stale() {
        let now = Instant::now();
        if !is_due || now < next {
            let patience = if is_due { next - now } else { LONG };
            is_due |= folders.wait(patience);
            continue;
        }
        let answer = list::whole(data);
        if known.as_ref() != Some(&answer) {
            known = Some(answer.clone());
            reply.send(Answer::List(answer));
        }
        folders.add(data.library.watch().list_folders());
        let shortest = if folders.watch.problem.is_some() { SHORTEST_POLLING } else { SHORTEST };
        next = Instant::now() + shortest.max(now.elapsed() * SHARE);
        is_due = false;
    }
}

/// The folders that are watched.
struct Folders {
    watch: FolderWatch,
    /// Those that the list is made of.
    own: HashSet<PathBuf>,
    /// Those in which a missing one may appear.
    above: HashSet<PathBuf>,
}

impl Folders {
    fn new() -> Folders {
        let watch = FolderWatch::new(&[]).with_debounce(DEBOUNCE);
        Folders { watch, own: HashSet::new(), above: HashSet::new() }
    }

    /// Watches these folders too. One that is gone can come again.
    fn add(&mut self, folders: Vec<PathBuf>) {
        let mut own = HashSet::new();
        for folder in folders {
            if !self.own.contains(&folder) && !self.watch.add_names(&folder) {
                if let Some(above) = folder.parent().filter(|above| !self.above.contains(*above)) {
                    self.watch.add_names(above);
                    self.above.insert(above.to_owned());
                }
                continue;
            }
            own.insert(folder);
        }
        self.own = own;
    }

    /// Waits for a change of the list; whether there may be one.
    fn wait(&mut self, patience: Duration) -> bool {
        match self.watch.wait(patience) {
            WatchedChange::Nothing => false,
            WatchedChange::Anything => true,
            WatchedChange::Files(paths) => {
                // A folder that was made anew is watched anew.
                self.own.retain(|folder| !paths.contains(folder));
                let is_in =
                    |folder: Option<&Path>| folder.is_some_and(|folder| self.own.contains(folder));
                let is_new = |path: &PathBuf| {
                    self.above.iter().any(|above| {
                        path.parent() == Some(above)
                            && (path.ends_with("projects") || path.ends_with("sessions"))
                    })
                };
                paths.iter().any(|path| is_in(path.parent()) || is_new(path))
            }
        }
    }
}
