//! Platform differences: opening files safely, making them durable, how paths are spelled,
//! which file systems report changes, and information about processes.

mod durability;
mod file_systems;
mod inode;
mod process;

pub use durability::{make_content_durable, make_durable};
pub(crate) use file_systems::FileSystems;
pub(crate) use inode::{Inode, Links, open_to_look};
pub(crate) use process::{Process, find_process};

use jiff::Timestamp;
use rustix::fs::{Mode, OFlags};
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Opens a regular file for reading. Refuses links, and anything that could
/// block or return something else (a pipe, a device).
pub fn open_regular(path: &Path) -> io::Result<(File, FileStat)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(descriptor) => File::from(descriptor),
        Err(rustix::io::Errno::LOOP) => {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a symbolic link, not followed",
            ));
        }
        Err(error) => return Err(error.into()),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok((file, FileStat::of(&metadata)))
}

/// A file's stamp: enough to notice that it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// Its size.
    pub bytes: u64,
    /// When it was last modified.
    pub modified: Timestamp,
    device: u64,
    inode: u64,
    changed: i128,
}

impl FileStat {
    /// The stamp in a file's metadata.
    pub fn of(metadata: &Metadata) -> Self {
        FileStat::of_inode(&metadata.into())
    }

    pub(crate) fn of_inode(inode: &Inode) -> Self {
        let (seconds, nanoseconds) = inode.changed;
        FileStat {
            bytes: inode.bytes,
            modified: timestamp(inode.modified.0, inode.modified.1),
            device: inode.device,
            inode: inode.number,
            changed: i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds),
        }
    }

    /// Whether both belong to the same file, changed or not.
    pub fn is_same_file(&self, other: &FileStat) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// Distinguishes this file from another with the same name and size: inode,
    /// device, and the time of the last status change in nanoseconds.
    pub fn identity(&self) -> (u64, u64, i64) {
        let changed = self.changed.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
        (self.inode, self.device, i64::try_from(changed).unwrap_or_default())
    }
}

/// A file time as a timestamp, clamped to the supported range.
fn timestamp(seconds: i64, nanoseconds: i64) -> Timestamp {
    let nanoseconds = i32::try_from(nanoseconds).unwrap_or_default();
    Timestamp::new(seconds, nanoseconds).unwrap_or(if seconds < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    })
}

/// A path as Claude Code spells it before encoding: composed (NFC) on macOS,
/// whose file systems return decomposed names; unchanged elsewhere.
#[cfg(target_os = "macos")]
pub(crate) fn normalized(path: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    path.nfc().collect()
}

/// A path as Claude Code spells it before encoding.
#[cfg(not(target_os = "macos"))]
pub(crate) fn normalized(path: &str) -> String {
    path.to_owned()
}
