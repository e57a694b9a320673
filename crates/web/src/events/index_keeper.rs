//! Keeps the search index current while the server runs, and says how far it is.
//!
//! The first build reads every transcript and takes long; pages show its progress. Later
//! updates read what was appended. One thread works at a time, and none while nothing
//! changes.

use crate::app::App;
use crate::limits::INDEX_MEMORY;
use document::WebIndexDocument;
use library::progress::{CancellationToken, Progress};
use library::search::{IndexOptions, IndexWait};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long after a change the index is updated. Searches in between do that themselves.
const CALM: Duration = Duration::from_secs(2);

/// How often progress is published.
const STEPS: Duration = Duration::from_millis(300);

/// The state of the index.
#[derive(Debug, Default)]
pub(crate) struct IndexKeeper {
    state: Mutex<State>,
    /// Whether a thread works or is about to.
    is_working: AtomicBool,
    /// Whether something changed meanwhile.
    is_wanted: AtomicBool,
    token: CancellationToken,
    /// The latest thread.
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct State {
    name: Option<&'static str>,
    done: u64,
    total: u64,
}

impl IndexKeeper {
    /// The state, for pages.
    pub(crate) fn document(&self) -> WebIndexDocument {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        WebIndexDocument {
            state: state.name.unwrap_or("none").into(),
            done: state.done,
            total: state.total,
        }
    }

    /// Ends the work at the next file or batch.
    pub(crate) fn stop(&self) {
        self.token.cancel();
        if let Some(thread) = &*self.thread.lock().unwrap_or_else(PoisonError::into_inner) {
            thread.thread().unpark();
        }
    }

    /// Waits until nothing is written any more, after [`IndexKeeper::stop`].
    pub(crate) fn wait(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A thread that panicked writes nothing either.
        let _ = thread.map(JoinHandle::join);
    }

    fn set(&self, name: &'static str, done: u64, total: u64) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) =
            State { name: Some(name), done, total };
    }
}

/// Updates the index on a separate thread, now.
pub(crate) fn refresh_now(app: &Arc<App>) {
    spawn(app, Duration::ZERO);
}

/// Updates the index when changes have calmed down.
pub(crate) fn refresh_later(app: &Arc<App>) {
    spawn(app, CALM);
}

fn spawn(app: &Arc<App>, wait: Duration) {
    let keeper = &app.index_keeper;
    keeper.is_wanted.store(true, Ordering::Relaxed);
    if keeper.is_working.swap(true, Ordering::Relaxed) {
        return;
    }
    let shared = Arc::clone(app);
    let work = move || {
        let keeper = &shared.index_keeper;
        let until = Instant::now() + wait;
        while !shared.is_stopping()
            && let Some(left) = until.checked_duration_since(Instant::now())
        {
            std::thread::park_timeout(left);
        }
        while keeper.is_wanted.swap(false, Ordering::Relaxed) && !shared.is_stopping() {
            refresh(&shared);
        }
        keeper.is_working.store(false, Ordering::Relaxed);
    };
    // Locked meanwhile, so that stopping the server finds the thread.
    let mut thread = keeper.thread.lock().unwrap_or_else(PoisonError::into_inner);
    match std::thread::Builder::new().name("index".to_owned()).spawn(work) {
        Ok(started) => *thread = Some(started),
        Err(_) => keeper.is_working.store(false, Ordering::Relaxed),
    }
}

fn refresh(app: &Arc<App>) {
    let options = IndexOptions { memory: INDEX_MEMORY, wait: IndexWait::UntilWhole };
    let progress = Steps {
        app,
        done: AtomicU64::new(0),
        total: AtomicU64::new(0),
        published: Mutex::new(Instant::now()),
    };
    let library = app.library();
    let state = match library.search().refresh_index(options, &progress) {
        Ok(fresh) if fresh.is_stuck => "locked",
        Ok(fresh) if fresh.is_fresh && fresh.is_complete => "fresh",
        Ok(_) => "stale",
        Err(_) => "none",
    };
    let before = app.index_keeper.document();
    app.index_keeper.set(state, 0, 0);
    if before != app.index_keeper.document() {
        publish(app);
    }
}

fn publish(app: &App) {
    if let Some(data) = app.safe_json(&app.index_keeper.document()) {
        app.hub.publish("index", None, data);
    }
}

/// Publishes how far an update is.
struct Steps<'a> {
    app: &'a App,
    done: AtomicU64,
    total: AtomicU64,
    published: Mutex<Instant>,
}

impl Progress for Steps<'_> {
    fn start(&self, bytes: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(bytes, Ordering::Relaxed);
    }

    fn advance(&self, bytes: u64) {
        let done = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let mut published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
        // Most updates are over before anybody could see them.
        if published.elapsed() >= STEPS {
            *published = Instant::now();
            self.app.index_keeper.set("building", done, self.total.load(Ordering::Relaxed));
            publish(self.app);
        }
    }

    fn finish(&self) {}

    fn is_cancelled(&self) -> bool {
        self.app.index_keeper.token.is_cancelled()
    }
}
