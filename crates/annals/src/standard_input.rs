//! Standard input that another program writes, read with a limit on bytes and time.
//!
//! Claude Code writes an object and closes the pipe. A program that does not must
//! not block this one. A terminal is never read: macOS cannot wait for one with a time limit,
//! and nobody types such an object.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, IsTerminal as _, Read as _};
use std::time::Instant;

/// The limit on bytes. Claude Code writes a few kilobytes.
const MOST: usize = 1 << 20;

/// What was read.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) bytes: Vec<u8>,
    /// Whether the time was over before the end.
    pub(crate) is_cut: bool,
}

/// Reads until the end or the time limit. Bytes beyond [`MOST`] are read and dropped,
/// so that the writer does not block.
pub(crate) fn read(until: Instant) -> Received {
    let stdin = io::stdin();
    let mut bytes = Vec::new();
    let mut is_cut = false;
    if stdin.is_terminal() {
        return Received { bytes, is_cut };
    }
    let mut piece = vec![0; 64 * 1024];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).ok();
        let mut waiting = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut waiting, left.as_ref()) {
            Ok(1..) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Ok(0) => {
                is_cut = true;
                break;
            }
            Err(_) => break,
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
            is_cut = true;
            break;
        }
    }
    Received { bytes, is_cut }
}
