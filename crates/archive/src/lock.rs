//! Allows one writer at a time.

use rustix::fs::{Mode, OFlags};
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a second writer waits for the first.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// How long it sleeps between attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// Takes a lock, which is released with the file handle; `None` if another
/// process still has it after the wait.
pub(crate) fn take(path: &Path, patience: Duration) -> io::Result<Option<File>> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::from_raw_mode(0o600))?);
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if began.elapsed() >= patience => return Ok(None),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}
