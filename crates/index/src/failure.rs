//! Errors of the index.

use rusqlite::{Error, ErrorCode};
use std::io;

/// Why the index could not be read, written or queried.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The file is damaged.
    #[error("the index is damaged: {0}")]
    Damaged(String),
    /// The file belongs to another program.
    #[error("the file is not an annals index")]
    Foreign,
    /// A newer version of annals wrote the file.
    #[error(
        "the index was written by a newer version of annals{}",
        .0.as_ref().map(|annals| format!(" ({annals})")).unwrap_or_default()
    )]
    Newer(Option<String>),
    /// The disk is full.
    #[error("not enough disk space for the index: {0}")]
    Full(String),
    /// The file cannot be written.
    #[error("cannot write the index: {0}")]
    Unwritable(String),
    /// Another process has locked the file for too long.
    #[error("another process is using the index: try again")]
    Busy,
    /// An invalid query.
    #[error("{0}")]
    Query(String),
    /// The query took too long.
    #[error("the query took longer than {0} s\nhint: use --timeout SECONDS to allow more time")]
    TimedOut(u64),
    /// Any other failure.
    #[error("the index failed: {0}")]
    Other(String),
}

impl IndexError {
    /// Whether the file cannot be used and a new one should be built.
    pub fn needs_rebuild(&self) -> bool {
        matches!(self, IndexError::Damaged(_) | IndexError::Foreign | IndexError::Newer(_))
    }

    pub(crate) fn is_unwritable(&self) -> bool {
        matches!(self, IndexError::Unwritable(_))
    }
}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> IndexError {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => IndexError::Damaged(text),
            Some(ErrorCode::DiskFull) => IndexError::Full(text),
            // SQLite reports a file size limit (`ulimit -f`) as an I/O error.
            Some(
                ErrorCode::ReadOnly
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::SystemIoFailure,
            ) => IndexError::Unwritable(text),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => IndexError::Busy,
            // The file has our application id, but not our tables.
            _ if text.contains("no such table") || text.contains("no such column") => {
                IndexError::Damaged(text)
            }
            _ => match error {
                // annals never writes such rows.
                Error::FromSqlConversionFailure(..)
                | Error::InvalidColumnType(..)
                | Error::IntegralValueOutOfRange(..)
                | Error::Utf8Error(..)
                | Error::QueryReturnedNoRows => IndexError::Damaged(text),
                _ => IndexError::Other(text),
            },
        }
    }
}

impl From<io::Error> for IndexError {
    fn from(error: io::Error) -> IndexError {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                IndexError::Full(error.to_string())
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                IndexError::Unwritable(error.to_string())
            }
            _ => IndexError::Other(error.to_string()),
        }
    }
}
