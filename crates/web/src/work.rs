//! Library work on separate threads: how much at once, for how long, and only while its
//! client waits.
//!
//! Work that reads much has separate permits, so that a client who asks for a lot of it
//! does not stop lists and sessions. Answers of such work also have a bounded number of places,
//! from the request until they are sent: a request beyond them is refused at once instead of
//! keeping a connection while it waits.

use crate::failure::Failure;
use crate::limits::{
    BODIES, HEAVY_PERMITS, LARGE_BODIES, LARGE_BODY, LARGE_SESSION_PERMITS, LIGHT_PERMITS,
    LONG_ANSWERS,
};
use library::progress::{CancellationToken, Limits};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How much a request makes the library read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Lists, aggregates from the index, one session.
    Light,
    /// A session so large that reading it takes long.
    LargeSession,
    /// Anything that may read every transcript.
    Heavy,
}

/// The permits, and what runs.
#[derive(Debug)]
pub(crate) struct Work {
    /// How long work may take, and how long it may wait to begin.
    limit: Duration,
    light: Arc<Semaphore>,
    large_sessions: Arc<Semaphore>,
    heavy: Arc<Semaphore>,
    /// The places of answers whose work is not light.
    long_answers: Arc<Semaphore>,
    /// The places of large answers that are sent.
    large_bodies: Arc<Semaphore>,
    /// The places of requests whose bodies are received.
    bodies: Arc<Semaphore>,
    running: Mutex<Vec<Weak<Running>>>,
}

/// A request whose client waits. Dropped when it gets its answer or when its client leaves.
#[derive(Debug)]
struct Running(CancellationToken);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Work {
    pub(crate) fn new(limit: Duration) -> Work {
        Work {
            limit,
            light: Arc::new(Semaphore::new(LIGHT_PERMITS)),
            large_sessions: Arc::new(Semaphore::new(LARGE_SESSION_PERMITS)),
            heavy: Arc::new(Semaphore::new(HEAVY_PERMITS)),
            long_answers: Arc::new(Semaphore::new(LONG_ANSWERS)),
            large_bodies: Arc::new(Semaphore::new(LARGE_BODIES)),
            bodies: Arc::new(Semaphore::new(BODIES)),
            running: Mutex::new(Vec::new()),
        }
    }

    /// A place for an answer, until the returned permit is dropped; `None` if the work is light,
    /// which needs none.
    pub(crate) fn place(&self, weight: Weight) -> Result<Option<OwnedSemaphorePermit>, Failure> {
        if weight == Weight::Light {
            return Ok(None);
        }
        let place = Arc::clone(&self.long_answers).try_acquire_owned();
        place.map(Some).map_err(|_| Failure::full("too many long answers are being made"))
    }

    /// A place for an answer with a body of this size until it is sent; `None` if it is small,
    /// and needs none.
    pub(crate) fn place_to_send(
        &self,
        bytes: u64,
    ) -> Result<Option<OwnedSemaphorePermit>, Failure> {
        if bytes < LARGE_BODY {
            return Ok(None);
        }
        let place = Arc::clone(&self.large_bodies).try_acquire_owned();
        place.map(Some).map_err(|_| Failure::full("too many large answers are being sent"))
    }

    /// A place for the body of a request while it is received.
    pub(crate) fn place_for_body(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let place = Arc::clone(&self.bodies).try_acquire_owned();
        place.map_err(|_| Failure::full("too many requests are being received"))
    }

    /// Runs `work` on another thread. Dropping the future cancels the work's [`Limits`];
    /// its permit is free when the work has really ended.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        weight: Weight,
        work: impl FnOnce(&Limits) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let permits = match weight {
            Weight::Light => &self.light,
            Weight::LargeSession => &self.large_sessions,
            Weight::Heavy => &self.heavy,
        };
        let waiting = Arc::clone(permits).acquire_owned();
        let Ok(Ok(permit)) = tokio::time::timeout(self.limit, waiting).await else {
            return Err(Failure::busy());
        };
        let token = CancellationToken::default();
        let running = Arc::new(Running(token.clone()));
        self.register(&running);
        let limits = Limits::new(Some(Instant::now() + self.limit), token);
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&limits);
            drop(permit);
            result
        });
        let result = done.await.map_err(|_| Failure::internal("the request failed"));
        drop(running);
        result
    }

    /// Cancels everything that runs.
    pub(crate) fn cancel_all(&self) {
        self.light.close();
        self.large_sessions.close();
        self.heavy.close();
        let running = std::mem::take(&mut *self.lock());
        for running in running.iter().filter_map(Weak::upgrade) {
            running.0.cancel();
        }
    }

    /// How many permits are free: those of light work, and those of heavy work.
    #[cfg(test)]
    pub(crate) fn free(&self) -> (usize, usize) {
        (self.light.available_permits(), self.heavy.available_permits())
    }

    /// How many places for long answers are free.
    #[cfg(test)]
    pub(crate) fn free_places(&self) -> usize {
        self.long_answers.available_permits()
    }

    /// How many places for large bodies are free.
    #[cfg(test)]
    pub(crate) fn free_places_to_send(&self) -> usize {
        self.large_bodies.available_permits()
    }

    /// Keeps large sessions from being read, until the returned permits are dropped.
    #[cfg(test)]
    pub(crate) fn hold_large_sessions(&self) -> OwnedSemaphorePermit {
        let permits = u32::try_from(LARGE_SESSION_PERMITS).unwrap();
        Arc::clone(&self.large_sessions).try_acquire_many_owned(permits).unwrap()
    }

    fn register(&self, running: &Arc<Running>) {
        let mut all = self.lock();
        all.retain(|running| running.strong_count() > 0);
        all.push(Arc::downgrade(running));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Weak<Running>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use library::progress::Progress as _;
    use std::sync::mpsc;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
    }

    /// Work that ends when it is cancelled, and says so.
    fn until_cancelled(ended: mpsc::Sender<()>) -> impl FnOnce(&Limits) + Send + 'static {
        move |limits| {
            while !limits.is_cancelled() {
                std::thread::sleep(Duration::from_millis(2));
            }
            ended.send(()).unwrap();
        }
    }

    #[test]
    fn work_is_cancelled_when_its_client_leaves() {
        let work = Work::new(Duration::from_secs(10));
        let (sender, ended) = mpsc::channel();
        runtime().block_on(async {
            let running = work.run(Weight::Light, until_cancelled(sender));
            let left = tokio::time::timeout(Duration::from_millis(50), running).await;
            assert!(left.is_err());
        });
        ended.recv_timeout(Duration::from_mins(1)).expect("the work ended");
        assert_eq!(work.light.available_permits(), LIGHT_PERMITS);
    }

    #[test]
    fn heavy_work_does_not_take_the_permits_of_light_work() {
        let work = Arc::new(Work::new(Duration::from_secs(10)));
        let (sender, ended) = mpsc::channel();
        runtime().block_on(async {
            for _ in 0..HEAVY_PERMITS * 4 {
                let (work, sender) = (Arc::clone(&work), sender.clone());
                tokio::spawn(async move { work.run(Weight::Heavy, until_cancelled(sender)).await });
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert_eq!(work.run(Weight::Light, |_| 7).await, Ok(7));
            work.cancel_all();
            assert_eq!(work.run(Weight::Light, |_| 7).await, Err(Failure::busy()));
        });
        ended.recv_timeout(Duration::from_mins(1)).expect("the work ended");
    }
}
