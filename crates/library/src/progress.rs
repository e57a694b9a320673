//! How far a long scan is, told to whoever wants to show it, and how long it may take.

use std::time::Instant;

/// Receives the progress of a scan. Called from several threads.
pub trait Progress: Sync {
    /// So many bytes will be read.
    fn start(&self, bytes: u64);
    /// So many more have been read.
    fn advance(&self, bytes: u64);
    /// The scan is over.
    fn finish(&self);

    /// When whoever waits has waited enough: what was not begun by then is left out,
    /// and sessions are read in the order in which they were given.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Whether it is that time.
    fn is_late(&self) -> bool {
        self.deadline().is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// A session, or a file of one, was left out for lack of time.
    fn leave_out(&self) {}
}

/// Shows nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn start(&self, _bytes: u64) {}
    fn advance(&self, _bytes: u64) {}
    fn finish(&self) {}
}
