//! How far a long scan is, told to whoever wants to show it.

/// Receives the progress of a scan. Called from several threads.
pub trait Progress: Sync {
    /// So many bytes will be read.
    fn start(&self, bytes: u64);
    /// So many more have been read.
    fn advance(&self, bytes: u64);
    /// The scan is over.
    fn finish(&self);
}

/// Shows nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn start(&self, _bytes: u64) {}
    fn advance(&self, _bytes: u64) {}
    fn finish(&self) {}
}
