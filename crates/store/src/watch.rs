//! Notices when files of a store change.
//!
//! Uses the system's file notifications. Where these fail (too many folders, an
//! unsupported file system) or do not tell everything (a folder that a host shares), callers
//! must look everywhere.

use crate::platform::FileSystems;
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
    file_systems: FileSystems,
    /// The folders whose real path is another one: the real path, and the path as given.
    linked: Vec<(PathBuf, PathBuf)>,
    /// How long a wait takes without notifications.
    poll_interval: Duration,
    /// Why there are no notifications, if there are none.
    pub problem: Option<String>,
}

/// How often callers look everywhere if the system has no notifications.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// The same for folders of a host, where looking at a file takes a hundred times as long.
const SHARED_POLL_INTERVAL: Duration = Duration::from_secs(2);

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
        Watch::on(FileSystems::read(), folders)
    }

    fn on(file_systems: FileSystems, folders: &[PathBuf]) -> Watch {
        let (sender, receiver) = channel();
        let callback_sender = sender.clone();
        let started = notify::recommended_watcher(move |event| {
            let _ = callback_sender.send(Message::Changed(event));
        });
        let mut watch = Watch {
            watcher: None,
            receiver,
            sender,
            debounce: Debounce::CALM,
            file_systems,
            linked: Vec::new(),
            poll_interval: POLL_INTERVAL,
            problem: None,
        };
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
        if is_there && let Some(kind) = self.file_systems.find_unreported(folder) {
            let folder = folder.display();
            self.problem = Some(format!("changes below {folder} ({kind}) are not all reported"));
            self.poll_interval = SHARED_POLL_INTERVAL;
            self.watcher = None;
        }
        let real = crate::real_path(folder);
        if is_there && real != folder {
            self.linked.push((real, folder.to_owned()));
        }
        if let Some(watcher) = self.watcher.as_mut().filter(|_| is_there)
            && let Err(error) = watcher.watch(folder, mode)
        {
            // A partial watch would be mistaken for a complete one.
            self.problem = Some(error.to_string());
            self.watcher = None;
        }
        is_there
    }

    /// How often changes are looked for without notifications; `None` with them.
    fn poll_interval(&self) -> Option<Duration> {
        self.watcher.is_none().then_some(self.poll_interval)
    }

    /// Why there are no notifications and what happens instead, as a sentence for people.
    pub fn polling_notice(&self) -> Option<String> {
        let (problem, interval) = (self.problem.as_ref()?, self.poll_interval()?.as_secs_f64());
        Some(format!(
            "cannot watch for file changes ({problem}); checking every {interval} seconds instead"
        ))
    }

    /// A path as callers know it: below a folder as it was given. macOS reports real paths.
    fn as_given(&self, path: PathBuf) -> PathBuf {
        if self.linked.iter().any(|(_, given)| path.starts_with(given)) {
            return path;
        }
        let mut below = self
            .linked
            .iter()
            .filter_map(|(real, given)| Some((path.strip_prefix(real).ok()?, given)));
        below.next().map(|(below, given)| given.join(below)).unwrap_or(path)
    }

    /// A handle that interrupts a wait from another thread.
    pub fn waker(&self) -> Waker {
        Waker(self.sender.clone())
    }

    /// Waits for changes, at most this long, and then until they pause or have
    /// gone on for a while.
    pub fn wait(&self, patience: Duration) -> WatchedChange {
        let has_notifications = self.watcher.is_some();
        let mut paths = BTreeSet::new();
        let mut missed = false;
        let longest = self.poll_interval().map_or(patience, |interval| patience.min(interval));
        let mut deadline = Instant::now() + longest;
        let mut pause = patience;
        let mut first = true;
        loop {
            let left = deadline.saturating_duration_since(Instant::now()).min(pause);
            match self.receiver.recv_timeout(left) {
                Ok(Message::Changed(Ok(event))) => {
                    missed |= event.need_rescan();
                    if !event.kind.is_access() {
                        paths.extend(event.paths.into_iter().map(|path| self.as_given(path)));
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
        // Without the interruption this never ends.
        let changed = watch.wait(Duration::from_hours(24));
        assert_eq!(
            changed,
            if watch.problem.is_none() { WatchedChange::Nothing } else { WatchedChange::Anything }
        );
    }

    #[test]
    fn real_paths_are_reported_below_the_folder_as_given() {
        let sandbox = testkit::Sandbox::new();
        let real = sandbox.folder("real/projects");
        let link = sandbox.link("link", &sandbox.config().join("real"));
        let watch = Watch::new(&[link.join("projects"), sandbox.projects()]);
        // As macOS reports it, whose notifications resolve links.
        let changed = [real.join("p/s.jsonl"), sandbox.projects().join("x"), "/other".into()];
        for path in changed {
            let event = Event::new(notify::EventKind::Any).add_path(path);
            watch.sender.send(Message::Changed(Ok(event))).expect("a receiver");
        }
        let expected: BTreeSet<PathBuf> =
            [link.join("projects/p/s.jsonl"), sandbox.projects().join("x"), "/other".into()].into();
        let changed = watch.wait(Duration::from_secs(5));
        if watch.problem.is_none() {
            assert_eq!(changed, WatchedChange::Files(expected));
        }
    }

    #[test]
    fn a_folder_of_a_host_is_polled() {
        let sandbox = testkit::Sandbox::new();
        let mounts = format!("1 0 0:1 / {} rw - 9p C: rw,aname=drvfs", sandbox.path().display());
        let watch = Watch::on(FileSystems::parse(&mounts), &[sandbox.projects()]);
        assert!(watch.problem.as_ref().is_some_and(|problem| problem.contains("(9p)")));
        assert_eq!(watch.poll_interval(), Some(SHARED_POLL_INTERVAL));
        // A pause this short is not the interval.
        assert_eq!(watch.wait(Duration::from_millis(1)), WatchedChange::Anything);
        let own = Watch::on(FileSystems::default(), &[sandbox.projects()]);
        assert!(own.problem.is_some() || own.poll_interval().is_none());
    }

    #[test]
    fn a_missing_folder_is_skipped() {
        let mut watch = Watch::new(&["/nowhere/at/all".into()]);
        assert!(!watch.add(Path::new("/nowhere")) && watch.problem.is_none());
    }
}
