//! The stamp of a database: enough to notice that its content may have changed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use store::FileStat;

/// The stamps of a database and its WAL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The database.
    pub database: FileStat,
    /// The WAL, if there is one.
    pub wal: Option<FileStat>,
}

impl Stamp {
    /// The size of both files.
    pub fn bytes(&self) -> u64 {
        let wal = self.wal.map_or(0, |wal| wal.bytes);
        self.database.bytes.saturating_add(wal)
    }

    /// When the later of both files was modified.
    pub fn modified(&self) -> Timestamp {
        let database = self.database.modified;
        self.wal.map_or(database, |wal| wal.modified.max(database))
    }
}

/// The stamp of a database; `None` if there is no regular file with this path. A WAL that is a
/// link counts as none here, and is refused when the database is copied.
pub fn find_stamp(database: &Path) -> Option<Stamp> {
    let stat = |path: &Path| {
        let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(FileStat::of(&metadata))
    };
    Some(Stamp { database: stat(database)?, wal: stat(&beside(database, "-wal")) })
}

/// The path of a file that SQLite keeps beside a database.
pub(crate) fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(ending);
    PathBuf::from(path)
}
