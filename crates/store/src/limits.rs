//! How much of its input annals holds in memory at once.
//!
//! Transcripts, compressed files and rows come from anywhere, and few bytes on disk can be many in
//! memory. Every reader that holds a line, a file or a value whole keeps to the limits here; what is
//! larger is reported as too large, with its place, and everything else is answered. Archiving,
//! restoring and verifying have no such limits: they pass bytes on in pieces and keep all of them.
//!
//! Large inputs are also read one after another: [`permit`] makes a thread wait while others hold as
//! much as [`AT_ONCE`]. That takes time and changes no answer.

use std::cell::Cell;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::sync::{Condvar, Mutex, PoisonError};
pub use transcript::LARGEST_LINE;

/// The largest file that is held in memory as a whole, such as the transcript of a session that is
/// shown. Those of people have up to a few hundred megabytes. Commands that read line by line,
/// such as a search, have no such limit.
pub const LARGEST_WHOLE_FILE: u64 = 1 << 30;

/// The largest file that is one value, such as a session of an app that writes one JSON document:
/// it is parsed as a whole.
pub const LARGEST_DOCUMENT: u64 = 256 << 20;

/// The most bytes that a compressed file may become: a few kilobytes could otherwise become
/// gigabytes. Apps compress sessions that have been quiet for long, of some megabytes.
pub const LARGEST_DECOMPRESSED: u64 = 256 << 20;

/// The most entries of one session of an app, with what is paid for and what is wrong with its
/// lines, in all files that it consists of. Few bytes on disk can be very many entries, and each is
/// held several times over while a session is shown. Sessions of people have up to some tens of
/// thousands.
pub const MOST_ENTRIES: usize = 250_000;

/// What an entry takes in memory beside its text, until the session is shown.
pub const ENTRY_BYTES: u64 = 1 << 10;

/// The largest settings file of an app. Those of people have some kilobytes.
pub const LARGEST_SETTINGS: u64 = 16 << 20;

/// Inputs up to this size need no permit: nearly all do not.
pub const LARGE_FROM: u64 = 8 << 20;

/// The most bytes of large inputs that are processed at once. Processing takes several times as
/// much memory as the input has.
pub const AT_ONCE: u64 = 128 << 20;

/// An input is larger than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct TooLargeError {
    /// Its size, as far as it is known.
    pub bytes: Option<u64>,
    /// The limit.
    pub limit: u64,
}

impl fmt::Display for TooLargeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = Megabytes(self.limit);
        match self.bytes {
            Some(bytes) => write!(f, "too large: {} (limit {limit})", Megabytes(bytes)),
            None => write!(f, "too large: more than {limit}"),
        }
    }
}

impl From<TooLargeError> for io::Error {
    fn from(error: TooLargeError) -> Self {
        io::Error::new(io::ErrorKind::FileTooLarge, error)
    }
}

/// A session has more entries than the limit ([`MOST_ENTRIES`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too large: more than {limit} entries")]
pub struct TooManyEntriesError {
    /// The limit.
    pub limit: usize,
}

impl From<TooManyEntriesError> for io::Error {
    fn from(error: TooManyEntriesError) -> Self {
        io::Error::new(io::ErrorKind::FileTooLarge, error)
    }
}

/// A size as people read it.
struct Megabytes(u64);

impl fmt::Display for Megabytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes < 1 << 20 => write!(f, "{bytes} bytes"),
            bytes => write!(f, "{} MiB", bytes >> 20),
        }
    }
}

/// The bytes of large inputs that are being processed.
static HELD: Mutex<u64> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

thread_local! {
    /// What this thread holds of them; `None` if it has no permit, not even for nothing.
    static HELD_HERE: Cell<Option<u64>> = const { Cell::new(None) };
}

/// The permission to process a large input, until it is dropped. It stays in its thread.
///
/// The first permit of a thread holds until it is dropped also what those inside it took.
#[derive(Debug)]
pub struct Permit {
    is_outer: bool,
    _stays: PhantomData<*const ()>,
}

impl Drop for Permit {
    fn drop(&mut self) {
        if self.is_outer {
            release_permit();
            HELD_HERE.set(None);
        }
    }
}

/// Gives back what this thread holds. For a caller that may have a permit and is about to wait for other
/// threads, which may need it.
pub fn release_permit() {
    let Some(bytes) = HELD_HERE.get().filter(|bytes| *bytes > 0) else { return };
    HELD_HERE.set(Some(0));
    *HELD.lock().unwrap_or_else(PoisonError::into_inner) -= bytes;
    FREED.notify_all();
}

/// Waits until an input of this size may be processed. A thread that holds a permit must not wait for
/// other threads without [`release_permit`].
///
/// Inside another permit of the thread, waits only for what that one lacks. What the thread held so
/// far is given back before: two threads that need more never wait for each other.
pub fn permit(bytes: u64) -> Permit {
    let held_here = HELD_HERE.get();
    // The largest inputs are processed alone.
    let bytes = bytes.min(AT_ONCE);
    if bytes > LARGE_FROM && bytes > held_here.unwrap_or(0) {
        release_permit();
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        while *held + bytes > AT_ONCE {
            held = FREED.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        *held += bytes;
        HELD_HERE.set(Some(bytes));
    } else if held_here.is_none() {
        HELD_HERE.set(Some(0));
    }
    Permit { is_outer: held_here.is_none(), _stays: PhantomData }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn large_inputs_wait_for_each_other_and_all_are_processed() {
        let (at_once, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let done = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for bytes in [LARGE_FROM + 1, AT_ONCE / 2, AT_ONCE, u64::MAX] {
                        let _permit = permit(bytes);
                        let own = bytes.min(AT_ONCE);
                        let now = at_once.fetch_add(own, Ordering::SeqCst) + own;
                        most.fetch_max(now, Ordering::SeqCst);
                        at_once.fetch_sub(own, Ordering::SeqCst);
                        // A permit inside a permit does not wait for the outer one.
                        let _inner = permit(AT_ONCE);
                        let now = at_once.fetch_add(AT_ONCE, Ordering::SeqCst) + AT_ONCE;
                        most.fetch_max(now, Ordering::SeqCst);
                        at_once.fetch_sub(AT_ONCE, Ordering::SeqCst);
                        done.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(done.load(Ordering::SeqCst), 64);
        assert!(most.load(Ordering::SeqCst) <= AT_ONCE);
    }

    #[test]
    fn permit_that_was_given_back_lets_others_go_on() {
        let _all = permit(AT_ONCE);
        release_permit();
        std::thread::scope(|scope| {
            scope.spawn(|| drop(permit(AT_ONCE)));
        });
    }

    #[test]
    fn permit_inside_one_for_little_lasts_as_long_as_that_one() {
        let outer = permit(LARGE_FROM);
        drop(permit(AT_ONCE));
        assert_eq!(HELD_HERE.get(), Some(AT_ONCE));
        drop(permit(LARGE_FROM + 1));
        assert_eq!(HELD_HERE.get(), Some(AT_ONCE));
        drop(outer);
        assert_eq!(HELD_HERE.get(), None);
    }

    #[test]
    fn small_inputs_need_no_permit() {
        let _all = permit(AT_ONCE);
        std::thread::scope(|scope| {
            scope.spawn(|| drop(permit(LARGE_FROM)));
        });
    }
}
