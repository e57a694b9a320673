//! Errors, as people read them.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why an operation on the archive failed.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file could not be written or read.
    #[error("cannot {action} {}: {reason}", path.display())]
    Io {
        /// The operation.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
    /// Another process is writing.
    #[error("another annals process is writing to {}\nhint: try again when it has finished", folder.display())]
    Busy {
        /// The archive.
        folder: PathBuf,
    },
    /// There is no archive.
    #[error("no archive in {}", folder.display())]
    Missing {
        /// Where.
        folder: PathBuf,
    },
    /// Its manifest cannot be read at all.
    #[error("{} is not an archive: {reason}", folder.display())]
    NotAnArchive {
        /// Where.
        folder: PathBuf,
        /// The reason.
        reason: String,
    },
    /// It was written by a newer annals.
    #[error(
        "the archive in {} has format {format}, written by {}, and this is annals {}\n\
         hint: use the newer one; `annals doctor` names the programs that hooks and timer call",
        folder.display(),
        annals.as_ref().map_or("a newer annals".to_owned(), |annals| format!("annals {annals}")),
        env!("CARGO_PKG_VERSION")
    )]
    Newer {
        /// Where.
        folder: PathBuf,
        /// Its format.
        format: u32,
        /// The version of annals that wrote it, if it says.
        annals: Option<String>,
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
    /// The manifest has no location for it.
    Unplaced,
    /// Its file is missing or too short.
    Missing,
    /// Its stored bytes have changed.
    Stored,
    /// It cannot be decompressed.
    Compression,
    /// It decompresses to other content.
    Content,
    /// The manifest records impossible sizes.
    Impossible,
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Damage::Unplaced => "the manifest does not say where it is stored",
            Damage::Missing => "its stored bytes are missing",
            Damage::Stored => "its stored bytes have changed",
            Damage::Compression => "it cannot be decompressed",
            Damage::Content => "it decompresses to other content",
            Damage::Impossible => "its recorded sizes are impossible",
        })
    }
}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        let text =
            format!("the archive is damaged here: {damage}; run annals archive verify for details");
        io::Error::new(io::ErrorKind::InvalidData, text)
    }
}
