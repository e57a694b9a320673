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
    told: Receiver<Message>,
    sender: Sender<Message>,
    debounce: Debounce,
    /// Why the system does not tell, if it does not.
    pub problem: Option<String>,
}

/// How long changes that follow each other are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debounce {
    /// So long after the last one they are handed over.
    pub pause: Duration,
    /// So long after the first one they are, whatever follows.
    pub longest: Duration,
}

impl Debounce {
    /// For work that is better done once for many changes.
    pub const CALM: Debounce =
        Debounce { pause: Duration::from_millis(100), longest: Duration::from_millis(400) };

    /// For somebody who looks on.
    pub const PROMPT: Debounce =
        Debounce { pause: Duration::from_millis(4), longest: Duration::from_millis(20) };
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchedChange {
    /// These files, and perhaps others below folders among them.
    Files(BTreeSet<PathBuf>),
    /// Unknown: look everywhere.
    Anything,
    /// Nothing.
    Nothing,
}

#[derive(Debug)]
enum Message {
    Changed(notify::Result<Event>),
    Woken,
}

/// Ends a waiting from another thread.
#[derive(Clone, Debug)]
pub struct Waker(Sender<Message>);

impl Waker {
    /// Ends the waiting that goes on, or the next one.
    pub fn wake(&self) {
        // Nobody waits any more: then nobody needs to be woken.
        let _ = self.0.send(Message::Woken);
    }
}

impl Watch {
    /// Watches everything below these folders; those that are not there are
    /// left out.
    pub fn new(folders: &[PathBuf]) -> Watch {
        let (sender, told) = channel();
        let callback_sender = sender.clone();
        let started = notify::recommended_watcher(move |event| {
            let _ = callback_sender.send(Message::Changed(event));
        });
        let mut watch =
            Watch { watcher: None, told, sender, debounce: Debounce::CALM, problem: None };
        match started {
            Ok(watcher) => watch.watcher = Some(watcher),
            Err(error) => watch.problem = Some(error.to_string()),
        }
        for folder in folders {
            watch.add(folder);
        }
        watch
    }

    /// The same at another debounce.
    #[must_use]
    pub fn with_debounce(self, debounce: Debounce) -> Watch {
        Watch { debounce, ..self }
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
        Waker(self.sender.clone())
    }

    /// Waits for changes, at most this long, and then until they pause for a
    /// moment or have gone on for a while.
    pub fn wait(&self, patience: Duration) -> WatchedChange {
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
                Ok(Message::Changed(Ok(event))) => {
                    missed |= event.need_rescan();
                    if !event.kind.is_access() {
                        paths.extend(event.paths);
                    }
                }
                Ok(Message::Changed(Err(_))) => missed = true,
                Ok(Message::Woken) | Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return WatchedChange::Anything,
            }
            if first && (missed || !paths.is_empty()) {
                first = false;
                deadline = Instant::now() + self.debounce.longest;
                pause = self.debounce.pause;
            }
        }
        match (missed || !tells, paths.is_empty()) {
            (true, _) => WatchedChange::Anything,
            (false, true) => WatchedChange::Nothing,
            (false, false) => WatchedChange::Files(paths),
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
            if watch.problem.is_none() { WatchedChange::Nothing } else { WatchedChange::Anything }
        );
    }

    #[test]
    fn a_folder_that_is_not_there_is_left_out() {
        let mut watch = Watch::new(&["/nowhere/at/all".into()]);
        assert!(!watch.add(Path::new("/nowhere")) && watch.problem.is_none());
    }
}
