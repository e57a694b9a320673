//! The progress of a long call, and when it must stop.
//!
//! Every long call takes one [`Progress`]. The call reports how far it is and
//! asks whether to go on: it stops at the deadline, or when it is cancelled,
//! and counts each session or file that it leaves out. What it returns then is
//! no answer: a caller with a deadline answers with an error. A call whose
//! answer may be partial is bounded by bytes ([`Progress::most_bytes`]), so
//! that the answer depends on the files alone. [`Limits`] is an implementation
//! for callers that show nothing, and [`StoppableReader`] stops the reading of
//! a large file halfway.

use crate::read::{LineSource, Position};
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

    /// The call waits for this.
    fn wait_for(&self, _what: &'static str) {}

    /// The most bytes of transcripts to read for an answer that may be partial.
    /// Then the newest are read first, and what no longer fits is left out.
    fn most_bytes(&self) -> Option<u64> {
        None
    }

    /// When to stop: work not begun by then is left out.
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

/// What a call may still read within [`Progress::most_bytes`].
#[derive(Debug)]
pub struct BytesLeft(Option<u64>);

impl BytesLeft {
    /// Before anything was read.
    pub fn of(progress: &dyn Progress) -> BytesLeft {
        BytesLeft(progress.most_bytes())
    }

    /// Whether a file or session of this size is read, which counts from then on.
    pub fn admits(&mut self, bytes: u64) -> bool {
        match &mut self.0 {
            None => true,
            Some(left) => left.checked_sub(bytes).map(|less| *left = less).is_some(),
        }
    }
}

/// Shows nothing; stops at a deadline or when cancelled, and counts the files
/// left out.
#[derive(Debug, Default)]
pub struct Limits {
    deadline: Option<Instant>,
    most_bytes: Option<u64>,
    token: CancellationToken,
    left_out: AtomicUsize,
}

impl Limits {
    /// Stops at a deadline, if there is one, or when the token is cancelled.
    pub fn new(deadline: Option<Instant>, token: CancellationToken) -> Limits {
        Limits { deadline, most_bytes: None, token, left_out: AtomicUsize::new(0) }
    }

    /// The same for an answer that may be partial: it reads at most this many bytes.
    #[must_use]
    pub fn reading_at_most(self, bytes: u64) -> Limits {
        Limits { most_bytes: Some(bytes), ..self }
    }

    /// The token, for what runs elsewhere on behalf of the call.
    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// How many sessions, or files of sessions, were left out. The answer is
    /// complete if this is 0, and none if the call was stopped.
    pub fn left_out(&self) -> usize {
        self.left_out.load(Ordering::Relaxed)
    }
}

impl Progress for Limits {
    fn start(&self, _bytes: u64) {}
    fn advance(&self, _bytes: u64) {}
    fn finish(&self) {}

    fn most_bytes(&self) -> Option<u64> {
        self.most_bytes
    }

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

impl<R: LineSource> LineSource for StoppableReader<'_, R> {
    fn note_large_line(&mut self, position: Position, bytes: u64) {
        self.file.note_large_line(position, bytes);
    }

    fn line_number(&mut self, offset: u64) -> u64 {
        self.file.line_number(offset)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_leaves_room_for_what_does() {
        let within = |limits: &Limits| {
            let mut left = BytesLeft::of(limits);
            [4, 7, 3, 0, 1].map(|bytes| left.admits(bytes))
        };
        let limits = Limits::default();
        assert_eq!(within(&limits), [true; 5]);
        let limits = limits.reading_at_most(7);
        assert_eq!(within(&limits), [true, false, true, true, false]);
    }
}
