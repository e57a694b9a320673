//! Signals while `watch` waits: stop, or a resized terminal.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::{flag, low_level};
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::Waker;

/// The received signals.
pub(super) struct Signals {
    stop: Arc<AtomicBool>,
    resized: Arc<AtomicBool>,
    bell: UnixStream,
}

impl Signals {
    pub(super) fn new() -> io::Result<Signals> {
        let (bell, rope) = UnixStream::pair()?;
        let (stop, resized): (Arc<AtomicBool>, Arc<AtomicBool>) = Default::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // A second signal ends the process at once.
            flag::register_conditional_shutdown(signal, 0, Arc::clone(&stop))?;
            flag::register(signal, Arc::clone(&stop))?;
            low_level::pipe::register(signal, rope.try_clone()?)?;
        }
        flag::register(SIGWINCH, Arc::clone(&resized))?;
        low_level::pipe::register(SIGWINCH, rope)?;
        Ok(Signals { stop, resized, bell })
    }

    /// Makes signals wake the waiting thread.
    pub(super) fn wake(&self, waker: Waker) -> io::Result<()> {
        let mut bell = self.bell.try_clone()?;
        std::thread::spawn(move || {
            let mut rings = [0; 16];
            while bell.read(&mut rings).is_ok_and(|count| count > 0) {
                waker.wake();
            }
        });
        Ok(())
    }

    pub(super) fn are_to_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the terminal was resized since the last call.
    pub(super) fn is_resized(&self) -> bool {
        self.resized.swap(false, Ordering::Relaxed)
    }
}
