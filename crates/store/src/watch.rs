//! Notices when files of a store change.
//!
//! Uses the system's file notifications. Where these fail (too many folders, an
//! unsupported file system), callers must look everywhere.

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Watches folders.
#[derive(Debug)]
pub struct Watch {
    /// Dropping it ends the watching; `None` where the system has no
    /// notifications.
    watcher: Option<RecommendedWatcher>,
    receiver: Receiver<Message>,
    sender: Sender<Message>,
    debounce: Debounce,
    /// Why there are no notifications, if there are none.
    pub problem: Option<String>,
}

/// How long successive changes are collected before they are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debounce {
    /// Report this long after the last change.
    pub pause: Duration,
    /// Report at the latest this long after the first change.
    pub longest: Duration,
}

impl Debounce {
    /// For work that is better done once for many changes.
    pub const CALM: Debounce =
        Debounce { pause: Duration::from_millis(100), longest: Duration::from_millis(400) };

    /// For live output.
    pub const PROMPT: Debounce =
        Debounce { pause: Duration::from_millis(4), longest: Duration::from_millis(20) };
}

/// The changes since the last wait.
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

/// Interrupts a wait from another thread.
#[derive(Clone, Debug)]
pub struct Waker(Sender<Message>);

impl Waker {
    /// Interrupts the current wait, or the next one.
    pub fn wake(&self) {
        // Without a receiver there is nothing to interrupt.
        let _ = self.0.send(Message::Woken);
    }
}

impl Watch {
    /// Watches everything below these folders; skips missing ones.
    pub fn new(folders: &[PathBuf]) -> Watch {
        let (sender, receiver) = channel();
        let callback_sender = sender.clone();
        let started = notify::recommended_watcher(move |event| {
            let _ = callback_sender.send(Message::Changed(event));
        });
        let mut watch =
            Watch { watcher: None, receiver, sender, debounce: Debounce::CALM, problem: None };
        match started {
            Ok(watcher) => watch.watcher = Some(watcher),
            Err(error) => watch.problem = Some(error.to_string()),
        }
        for folder in folders {
            watch.add(folder);
        }
        watch
    }

    /// Changes how long changes are collected.
    #[must_use]
    pub fn with_debounce(self, debounce: Debounce) -> Watch {
        Watch { debounce, ..self }
    }

    /// Watches everything below one more folder. Returns whether it exists.
    pub fn add(&mut self, folder: &Path) -> bool {
        self.watch(folder, RecursiveMode::Recursive)
    }

    /// Watches the names in a folder, but nothing below it.
    pub fn add_names(&mut self, folder: &Path) -> bool {
        self.watch(folder, RecursiveMode::NonRecursive)
    }

    fn watch(&mut self, folder: &Path, mode: RecursiveMode) -> bool {
        let is_there = folder.is_dir();
        if let Some(watcher) = self.watcher.as_mut().filter(|_| is_there)
            && let Err(error) = watcher.watch(folder, mode)
        {
            // A partial watch would be mistaken for a complete one.
            self.problem = Some(error.to_string());
            self.watcher = None;
        }
        is_there
    }

    /// A handle that interrupts a wait from another thread.
    pub fn waker(&self) -> Waker {
        Waker(self.sender.clone())
    }

    /// Waits for changes, at most this long, and then until they pause or have
    /// gone on for a while.
    pub fn wait(&self, patience: Duration) -> WatchedChange {
        const POLL_INTERVAL: Duration = Duration::from_millis(500);
        let has_notifications = self.watcher.is_some();
        let mut paths = BTreeSet::new();
        let mut missed = false;
        let mut deadline =
            Instant::now() + if has_notifications { patience } else { patience.min(POLL_INTERVAL) };
        let mut pause = patience;
        let mut first = true;
        loop {
            let left = deadline.saturating_duration_since(Instant::now()).min(pause);
            match self.receiver.recv_timeout(left) {
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
        match (missed || !has_notifications, paths.is_empty()) {
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
    fn a_wait_is_interrupted_from_another_thread() {
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
    fn a_missing_folder_is_skipped() {
        let mut watch = Watch::new(&["/nowhere/at/all".into()]);
        assert!(!watch.add(Path::new("/nowhere")) && watch.problem.is_none());
    }
}
