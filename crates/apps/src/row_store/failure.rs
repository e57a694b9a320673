//! Errors of reading a database.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// A database that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {failure}", .database.display())]
pub struct RowStoreError {
    /// The database, where its program has it.
    pub database: PathBuf,
    /// Why.
    pub failure: Failure,
}

impl RowStoreError {
    pub(crate) fn of(database: &Path) -> impl Fn(Failure) -> RowStoreError {
        move |failure| RowStoreError { database: database.to_owned(), failure }
    }
}

/// Why a database could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The file could not be read: it is missing, a link, not a regular file, or not permitted.
    #[error("{0}")]
    Source(io::Error),
    /// The copy could not be written.
    #[error("cannot write its copy in {}: {error}", .folder.display())]
    Copy {
        /// The private folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The database changed during every attempt to copy it.
    #[error("another program changed it during each of {0} attempts to copy it\nhint: try again")]
    Busy(u32),
    /// A rollback journal is in use, or was left by a program that was killed.
    #[error(
        "it has an unfinished transaction (a rollback journal)\nhint: start the program that \
         writes it once, then try again"
    )]
    Unfinished,
    /// The database is too large to copy.
    #[error("it has {bytes} bytes, more than the limit of {limit}")]
    TooLarge {
        /// The size of the database and its WAL.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The database has no tables.
    #[error("the database is empty")]
    Empty,
    /// The file is not a SQLite database.
    #[error("not a SQLite database")]
    NotADatabase,
    /// The database has none of the expected tables.
    #[error("the database of another program: it has no table `{0}`")]
    Foreign(String),
    /// The database lacks a table or a column that is needed.
    #[error("the schema is not known to this version of annals: there is no {0}")]
    UnknownSchema(String),
    /// SQLite found damage.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// The table has too many rows, or too much text.
    #[error("`{table}` has more than {limit} {unit}")]
    TooMuch {
        /// The table.
        table: &'static str,
        /// The limit.
        limit: u64,
        /// What was counted.
        unit: &'static str,
    },
    /// A query took more steps than a sound database of this size needs.
    #[error("the database is damaged: reading it takes too many steps")]
    TooManySteps,
    /// Any other failure.
    #[error("SQLite failed: {0}")]
    Other(String),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Failure::NotADatabase,
            Some(ErrorCode::DatabaseCorrupt) => Failure::Damaged(text),
            Some(ErrorCode::OperationInterrupted) => Failure::TooManySteps,
            // SQLite reports a schema that it cannot parse as an ordinary error.
            _ if text.contains("malformed database schema") => Failure::Damaged(text),
            _ => Failure::Other(text),
        }
    }
}
