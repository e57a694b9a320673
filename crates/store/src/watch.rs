//! Being told when files of a store change.
//!
//! The system tells, where it can; where it cannot (too many folders, a file
//! system that does not), whoever waits is told to look for themselves.

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Watches folders.
#[derive(Debug)]
pub struct Watch {
    /// Dropping it ends the watching; none where the system does not tell.
    watcher: Option<RecommendedWatcher>,
    told: Receiver<Told>,
    teller: Sender<Told>,
    pace: Pace,
    /// Why the system does not tell, if it does not.
    pub problem: Option<String>,
}

/// How long changes that follow each other are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// So long after the last one they are handed over.
    pub pause: Duration,
    /// So long after the first one they are, whatever follows.
    pub longest: Duration,
}

impl Pace {
    /// For work that is better done once for many changes.
    pub const CALM: Pace =
        Pace { pause: Duration::from_millis(100), longest: Duration::from_millis(400) };

    /// For somebody who looks on.
    pub const PROMPT: Pace =
        Pace { pause: Duration::from_millis(4), longest: Duration::from_millis(20) };
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// These files, and perhaps others below folders among them.
    Files(BTreeSet<PathBuf>),
    /// Unknown: look everywhere.
    Anything,
    /// Nothing.
    Nothing,
}

#[derive(Debug)]
enum Told {
    Changed(notify::Result<Event>),
    Woken,
}

/// Ends a waiting from another thread.
#[derive(Clone, Debug)]
pub struct Waker(Sender<Told>);

impl Waker {
    /// Ends the waiting that goes on, or the next one.
    pub fn wake(&self) {
        // Nobody waits any more: then nobody needs to be woken.
        let _ = self.0.send(Told::Woken);
    }
}

impl Watch {
    /// Watches everything below these folders; those that are not there are
    /// left out.
    pub fn new(folders: &[PathBuf]) -> Watch {
        let (teller, told) = channel();
        let sender = teller.clone();
        let started = notify::recommended_watcher(move |event| {
            let _ = sender.send(Told::Changed(event));
        });
        let mut watch = Watch { watcher: None, told, teller, pace: Pace::CALM, problem: None };
        match started {
            Ok(watcher) => watch.watcher = Some(watcher),
            Err(error) => watch.problem = Some(error.to_string()),
        }
        for folder in folders {
            watch.add(folder);
        }
        watch
    }

    /// The same at another pace.
    #[must_use]
    pub fn at_pace(self, pace: Pace) -> Watch {
        Watch { pace, ..self }
    }

    /// Watches everything below one more folder, and says whether it is there.
    pub fn add(&mut self, folder: &Path) -> bool {
        self.watch(folder, RecursiveMode::Recursive)
    }

    /// Watches the names in a folder, and nothing below.
    pub fn add_names(&mut self, folder: &Path) -> bool {
        self.watch(folder, RecursiveMode::NonRecursive)
    }

    fn watch(&mut self, folder: &Path, mode: RecursiveMode) -> bool {
        let is_there = folder.is_dir();
        if let Some(watcher) = self.watcher.as_mut().filter(|_| is_there)
            && let Err(error) = watcher.watch(folder, mode)
        {
            // Half a watch would be taken for a whole one.
            self.problem = Some(error.to_string());
            self.watcher = None;
        }
        is_there
    }

    /// What ends a waiting from another thread.
    pub fn waker(&self) -> Waker {
        Waker(self.teller.clone())
    }

    /// Waits for changes, at most this long, and then until they pause for a
    /// moment or have gone on for a while.
    pub fn wait(&self, patience: Duration) -> Changed {
        const LOOK: Duration = Duration::from_millis(500);
        let tells = self.watcher.is_some();
        let mut paths = BTreeSet::new();
        let mut missed = false;
        let mut deadline = Instant::now() + if tells { patience } else { patience.min(LOOK) };
        let mut pause = patience;
        let mut first = true;
        loop {
            let left = deadline.saturating_duration_since(Instant::now()).min(pause);
            match self.told.recv_timeout(left) {
                Ok(Told::Changed(Ok(event))) => {
                    missed |= event.need_rescan();
                    if !event.kind.is_access() {
                        paths.extend(event.paths);
                    }
                }
                Ok(Told::Changed(Err(_))) => missed = true,
                Ok(Told::Woken) | Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Changed::Anything,
            }
            if first && (missed || !paths.is_empty()) {
                first = false;
                deadline = Instant::now() + self.pace.longest;
                pause = self.pace.pause;
            }
        }
        match (missed || !tells, paths.is_empty()) {
            (true, _) => Changed::Anything,
            (false, true) => Changed::Nothing,
            (false, false) => Changed::Files(paths),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_is_ended_from_another_thread() {
        let watch = Watch::new(&[]);
        let waker = watch.waker();
        std::thread::spawn(move || waker.wake());
        let start = Instant::now();
        let changed = watch.wait(Duration::from_mins(10));
        assert!(start.elapsed() < Duration::from_mins(5));
        assert_eq!(
            changed,
            if watch.problem.is_none() { Changed::Nothing } else { Changed::Anything }
        );
    }

    #[test]
    fn a_folder_that_is_not_there_is_left_out() {
        let mut watch = Watch::new(&["/nowhere/at/all".into()]);
        assert!(!watch.add(Path::new("/nowhere")) && watch.problem.is_none());
    }
}
