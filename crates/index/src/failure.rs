//! What can go wrong with the index.

use rusqlite::{Error, ErrorCode};
use std::io;

/// Why the index does not answer.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// It is damaged.
    #[error("the index is damaged: {0}")]
    Damaged(String),
    /// It is some other file.
    #[error("it is no index of annals")]
    Foreign,
    /// A newer version of this program wrote it.
    #[error("a newer annals wrote the index")]
    Newer,
    /// There is no room for it.
    #[error("no space is left for the index: {0}")]
    Full(String),
    /// It cannot be written to.
    #[error("the index cannot be written: {0}")]
    Unwritable(String),
    /// Somebody holds it for too long.
    #[error("another process holds the index: try again")]
    Busy,
    /// A query of the person's that is none.
    #[error("{0}")]
    Query(String),
    /// A query that took too long.
    #[error("it took longer than {0} s: --timeout gives it more")]
    TimedOut(u64),
    /// Anything else.
    #[error("the index: {0}")]
    Other(String),
}

impl IndexError {
    /// Whether the file is of no use and a new one would be.
    pub fn is_useless(&self) -> bool {
        matches!(self, IndexError::Damaged(_) | IndexError::Foreign | IndexError::Newer)
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
            // A limit to the size of files is an error of input and output to SQLite.
            Some(
                ErrorCode::ReadOnly
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::SystemIoFailure,
            ) => IndexError::Unwritable(text),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => IndexError::Busy,
            // What is missing from a file that says it is ours.
            _ if text.contains("no such table") || text.contains("no such column") => {
                IndexError::Damaged(text)
            }
            _ => match error {
                // Rows that nobody here wrote so.
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
