//! What another program writes to our standard input: so much of it, and for so
//! long, and no more.
//!
//! Claude Code writes an object and closes the pipe. Whoever does not must not keep
//! anybody waiting.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, Read as _};
use std::time::Instant;

/// What Claude Code writes is a few kilobytes.
pub(crate) const MOST: usize = 1 << 20;

/// Reads until the end, the time or [`MOST`] bytes, whatever comes first. What is
/// more than that is read and dropped, so that the writer is not left with it.
pub(crate) fn read(until: Instant) -> Vec<u8> {
    let stdin = io::stdin();
    let mut bytes = Vec::new();
    let mut piece = vec![0; 64 * 1024];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).ok();
        let mut waiting = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut waiting, left.as_ref()) {
            Ok(1..) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Ok(0) | Err(_) => break,
        }
        // Ready to be read: this does not wait. The lock's own buffer is only used
        // by this loop.
        match stdin.lock().read(&mut piece) {
            Ok(0) => break,
            Ok(count) => {
                let room = MOST - bytes.len();
                bytes.extend_from_slice(&piece[..count.min(room)]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
        if until <= Instant::now() {
            break;
        }
    }
    bytes
}

/// The members of the object it is; none of anything else.
pub(crate) fn object(bytes: &[u8]) -> Option<serde_json::Map<String, serde_json::Value>> {
    match serde_json::from_slice(bytes) {
        Ok(serde_json::Value::Object(members)) => Some(members),
        _ => None,
    }
}
