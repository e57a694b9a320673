//! Being told when files of a store change.
//!
//! The system tells, where it can; where it cannot (too many folders, a file
//! system that does not), whoever waits is told to look for themselves.

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Watches folders.
#[derive(Debug)]
pub struct Watch {
    /// Dropping it ends the watching.
    _watcher: Option<RecommendedWatcher>,
    events: Option<Receiver<notify::Result<Event>>>,
    /// Why the system does not tell, if it does not.
    pub problem: Option<String>,
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

impl Watch {
    /// Watches everything below these folders; those that are not there are
    /// left out.
    pub fn new(folders: &[PathBuf]) -> Watch {
        let (sender, events) = channel();
        let started = notify::recommended_watcher(sender).and_then(|mut watcher| {
            for folder in folders.iter().filter(|folder| folder.is_dir()) {
                watcher.watch(folder, RecursiveMode::Recursive)?;
            }
            Ok(watcher)
        });
        match started {
            Ok(watcher) => Watch { _watcher: Some(watcher), events: Some(events), problem: None },
            Err(error) => Watch { _watcher: None, events: None, problem: Some(error.to_string()) },
        }
    }

    /// Waits for changes, at most this long, and then until they pause for a
    /// moment or have gone on for a while.
    pub fn wait(&self, patience: Duration) -> Changed {
        const PAUSE: Duration = Duration::from_millis(100);
        const LONGEST: Duration = Duration::from_millis(400);
        let Some(events) = &self.events else {
            std::thread::sleep(patience.min(Duration::from_millis(500)));
            return Changed::Anything;
        };
        let mut paths = BTreeSet::new();
        let mut missed = false;
        let mut deadline = Instant::now() + patience;
        let mut pause = patience;
        let mut first = true;
        loop {
            let left = deadline.saturating_duration_since(Instant::now()).min(pause);
            match events.recv_timeout(left) {
                Ok(Ok(event)) => {
                    missed |= event.need_rescan();
                    if !event.kind.is_access() {
                        paths.extend(event.paths);
                    }
                }
                Ok(Err(_)) => missed = true,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Changed::Anything,
            }
            if first && (missed || !paths.is_empty()) {
                first = false;
                deadline = Instant::now() + LONGEST;
                pause = PAUSE;
            }
        }
        match (missed, paths.is_empty()) {
            (true, _) => Changed::Anything,
            (false, true) => Changed::Nothing,
            (false, false) => Changed::Files(paths),
        }
    }
}
