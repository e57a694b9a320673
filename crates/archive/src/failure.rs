//! What can go wrong, in the words a person reads.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why the archive could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file could not be written or read.
    #[error("cannot {action} {}: {reason}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// Another process is writing.
    #[error("another annals is writing to {}: try again when it is done", folder.display())]
    Busy {
        /// The archive.
        folder: PathBuf,
    },
    /// There is none.
    #[error("there is no archive in {}", folder.display())]
    Missing {
        /// Where.
        folder: PathBuf,
    },
    /// Its manifest cannot be understood at all.
    #[error("{} is not an archive: {reason}", folder.display())]
    NotAnArchive {
        /// Where.
        folder: PathBuf,
        /// Why not.
        reason: String,
    },
    /// It was written by a newer annals.
    #[error("the archive in {} has format {format}, which this annals does not know: use a newer one", folder.display())]
    Newer {
        /// Where.
        folder: PathBuf,
        /// Its format.
        format: u32,
    },
}

impl ArchiveError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ArchiveError {
        let path = path.to_owned();
        move |reason| ArchiveError::Io { action, path, reason }
    }

    /// Whether the disk is full.
    pub fn is_full(&self) -> bool {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
        matches!(self, ArchiveError::Io { reason, .. } if full.contains(&reason.kind()))
    }
}

/// What is wrong with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The manifest does not say where it is.
    Unplaced,
    /// The file it should be in is gone or too short.
    Missing,
    /// The stored bytes are others.
    Stored,
    /// It cannot be decompressed.
    Compression,
    /// It decompresses to something else.
    Content,
    /// The manifest says sizes that cannot be.
    Impossible,
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Damage::Unplaced => "the manifest does not say where it is stored",
            Damage::Missing => "the bytes it was stored in are gone",
            Damage::Stored => "its stored bytes have changed",
            Damage::Compression => "it cannot be decompressed",
            Damage::Content => "it decompresses to something else",
            Damage::Impossible => "its sizes cannot be true",
        })
    }
}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        let text =
            format!("the archive is damaged here: {damage}; annals archive verify tells more");
        io::Error::new(io::ErrorKind::InvalidData, text)
    }
}
