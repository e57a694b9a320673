//! Stat information about a path.

use std::fs::Metadata;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Stat information about a file or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inode {
    pub(crate) is_file: bool,
    pub(crate) is_folder: bool,
    pub(crate) bytes: u64,
    /// Seconds and nanoseconds.
    pub(crate) modified: (i64, i64),
    /// Seconds and nanoseconds.
    pub(crate) changed: (i64, i64),
    pub(crate) number: u64,
    pub(crate) device: u64,
}

impl From<&Metadata> for Inode {
    fn from(metadata: &Metadata) -> Self {
        Inode {
            is_file: metadata.is_file(),
            is_folder: metadata.is_dir(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            number: metadata.ino(),
            device: metadata.dev(),
        }
    }
}

/// Whether a link at the end of a path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Followed,
    NotFollowed,
}

impl Inode {
    /// Stats a path.
    pub(crate) fn at(path: &Path, links: Links) -> io::Result<Inode> {
        let metadata = match links {
            Links::Followed => std::fs::metadata(path),
            Links::NotFollowed => std::fs::symlink_metadata(path),
        };
        metadata.map(|metadata| Inode::from(&metadata))
    }
}

/// Opens a folder so that paths can be resolved from it; `None` if the system
/// does not support this or the folder does not exist.
#[cfg(target_os = "linux")]
pub(crate) fn open_to_look(folder: &Path) -> Option<OwnedFd> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(folder, flags, Mode::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn open_to_look(_: &Path) -> Option<OwnedFd> {
    None
}

#[cfg(target_os = "linux")]
impl Inode {
    /// Stats a path relative to an open folder.
    pub(crate) fn below(folder: &OwnedFd, path: &Path, links: Links) -> io::Result<Inode> {
        use rustix::fs::{AtFlags, FileType, StatxFlags};
        let flags = match links {
            Links::Followed => AtFlags::empty(),
            Links::NotFollowed => AtFlags::SYMLINK_NOFOLLOW,
        };
        let wanted = StatxFlags::TYPE
            | StatxFlags::SIZE
            | StatxFlags::MTIME
            | StatxFlags::CTIME
            | StatxFlags::INO;
        let found = rustix::fs::statx(folder, path, flags, wanted)?;
        let kind = FileType::from_raw_mode(found.stx_mode.into());
        Ok(Inode {
            is_file: kind == FileType::RegularFile,
            is_folder: kind == FileType::Directory,
            bytes: found.stx_size,
            modified: (found.stx_mtime.tv_sec, found.stx_mtime.tv_nsec.into()),
            changed: (found.stx_ctime.tv_sec, found.stx_ctime.tv_nsec.into()),
            number: found.stx_ino,
            device: rustix::fs::makedev(found.stx_dev_major, found.stx_dev_minor),
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl Inode {
    /// Stats a path relative to an open folder.
    pub(crate) fn below(_: &OwnedFd, _: &Path, _: Links) -> io::Result<Inode> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
