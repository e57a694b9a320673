//! Signals and answers wake the thread that waits for the terminal.

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::{flag, low_level};
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The received signals, and the bell that rings for them.
#[derive(Debug)]
pub(crate) struct Signals {
    stop: Arc<AtomicBool>,
    suspend: Arc<AtomicBool>,
    resized: Arc<AtomicBool>,
    bell: UnixStream,
    rope: UnixStream,
    registered: Vec<signal_hook::SigId>,
}

impl Signals {
    pub(crate) fn new() -> io::Result<Signals> {
        let (bell, rope) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        rope.set_nonblocking(true)?;
        let flag = Arc::<AtomicBool>::default;
        let (stop, suspend, resized) = (flag(), flag(), flag());
        let table = [
            (SIGTERM, &stop),
            (SIGHUP, &stop),
            (SIGINT, &stop),
            (SIGTSTP, &suspend),
            (SIGWINCH, &resized),
            // The terminal may have another size than when the program was stopped.
            (SIGCONT, &resized),
        ];
        let mut registered = Vec::new();
        for (signal, flag) in table {
            registered.push(flag::register(signal, Arc::clone(flag))?);
            registered.push(low_level::pipe::register(signal, rope.try_clone()?)?);
        }
        Ok(Signals { stop, suspend, resized, bell, rope, registered })
    }

    /// What to wait for.
    pub(crate) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    /// Rings from another thread.
    pub(crate) fn ringer(&self) -> io::Result<Ringer> {
        Ok(Ringer(self.rope.try_clone()?))
    }

    /// Stops the ringing.
    pub(crate) fn silence(&self) {
        let mut rings = [0; 64];
        while (&self.bell).read(&mut rings).is_ok_and(|count| count == rings.len()) {}
    }

    /// Ends the program as a signal does, from another thread.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = (&self.rope).write(&[1]);
    }

    pub(crate) fn are_to_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether to suspend, since the last call.
    pub(crate) fn are_to_suspend(&self) -> bool {
        self.suspend.swap(false, Ordering::Relaxed)
    }

    /// Whether the terminal was resized since the last call.
    pub(crate) fn is_resized(&self) -> bool {
        self.resized.swap(false, Ordering::Relaxed)
    }
}

/// The next program in this process, or the rest of this one, gets signals as before.
impl Drop for Signals {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            low_level::unregister(id);
        }
    }
}

/// Wakes the waiting thread.
#[derive(Debug)]
pub(crate) struct Ringer(UnixStream);

impl Ringer {
    pub(crate) fn ring(&self) {
        // If it is full, it rings already.
        let _ = (&self.0).write(&[1]);
    }
}
