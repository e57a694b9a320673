//! The progress of a long call, and when it must stop.
//!
//! Every long call takes one [`Progress`]. The call reports how far it is and
//! asks whether to go on: it stops at the deadline, or when it is cancelled,
//! and counts each session or file that it leaves out. [`Limits`] is an
//! implementation for callers that show nothing but need a deadline, and
//! [`StoppableReader`] stops the reading of a large file halfway.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// Receives the progress of a call and decides how long it may take. Used from
/// several threads.
pub trait Progress: Sync {
    /// The number of bytes to read.
    fn start(&self, bytes: u64);
    /// This many more bytes were read.
    fn advance(&self, bytes: u64);
    /// The call is over.
    fn finish(&self);

    /// When to stop: work not begun by then is left out. With a deadline,
    /// sessions are read in the order in which they were given.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Whether the caller no longer waits for the answer.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Whether to stop: the deadline has passed, or the call is cancelled.
    fn is_late(&self) -> bool {
        self.is_cancelled() || self.deadline().is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// A session, or a file of one, was left out: the answer is incomplete.
    fn leave_out(&self) {}
}

/// Shows nothing, and lets a call take as long as it needs.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn start(&self, _bytes: u64) {}
    fn advance(&self, _bytes: u64) {}
    fn finish(&self) {}
}

/// Cancels calls from another thread. Clones cancel the same calls.
#[derive(Clone, Debug, Default)]
pub struct CancellationToken(Arc<AtomicBool>);

impl CancellationToken {
    /// Cancels every call that has this token.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Shows nothing; stops at a deadline or when cancelled, and counts the files
/// left out.
#[derive(Debug, Default)]
pub struct Limits {
    deadline: Option<Instant>,
    token: CancellationToken,
    left_out: AtomicUsize,
}

impl Limits {
    /// Stops at a deadline, if there is one, or when the token is cancelled.
    pub fn new(deadline: Option<Instant>, token: CancellationToken) -> Limits {
        Limits { deadline, token, left_out: AtomicUsize::new(0) }
    }

    /// The token, for what runs elsewhere on behalf of the call.
    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// How many sessions, or files of sessions, were left out. The answer is
    /// complete if this is 0.
    pub fn left_out(&self) -> usize {
        self.left_out.load(Ordering::Relaxed)
    }
}

impl Progress for Limits {
    fn start(&self, _bytes: u64) {}
    fn advance(&self, _bytes: u64) {}
    fn finish(&self) {}

    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    fn leave_out(&self) {
        self.left_out.fetch_add(1, Ordering::Relaxed);
    }
}

/// Reads a file until the call must stop. From then on reading fails with an
/// error that [`is_stopped`] recognises: an end of file would make the line that
/// was cut off look torn.
pub struct StoppableReader<'p, R> {
    file: R,
    progress: &'p dyn Progress,
}

impl<'p, R: Read> StoppableReader<'p, R> {
    /// Reads this file for a call with this progress.
    pub fn new(file: R, progress: &'p dyn Progress) -> Self {
        StoppableReader { file, progress }
    }
}

impl<R: Read> Read for StoppableReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.progress.is_late() {
            return Err(io::Error::other(Stopped));
        }
        self.file.read(buffer)
    }
}

/// Whether reading failed because the call must stop, not because of the file.
pub fn is_stopped(error: &io::Error) -> bool {
    error.get_ref().is_some_and(
        <dyn std::error::Error + std::marker::Send + std::marker::Sync + 'static>::is::<Stopped>,
    )
}

#[derive(Debug, thiserror::Error)]
#[error("the call was stopped")]
struct Stopped;
