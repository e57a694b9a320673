//! The API calls of recently changed files, for callers that cannot wait for a refresh:
//! one short query over the committed rows, which may be older than the files.

use crate::database::IndexFolder;
use crate::failure::IndexError;
use crate::page_check::{PageCheck, Trees};
use crate::path_bytes::path_of_row;
use rusqlite::{Row, params};
use std::path::PathBuf;
use std::time::Duration;

/// A file as the index last read it.
#[derive(Clone, Debug)]
pub struct RecentFile {
    /// Its path; the file may no longer exist.
    pub path: PathBuf,
    /// The session it belongs to.
    pub session: Option<String>,
    /// Its inode and device; zeros for a file that is only in the archive.
    pub inode: (u64, u64),
    /// The offset up to which complete lines have been read.
    pub read: u64,
    /// The fold of its API calls, packed.
    pub fold: Vec<u8>,
}

/// Readers almost never wait for writers.
const BUSY_TIMEOUT: Duration = Duration::from_millis(50);

const COLUMNS: &str = "path, session, inode, device,
    coalesce((SELECT max(offset) FROM checkpoint WHERE checkpoint.file = file.id), 0), fold";

impl RecentFile {
    fn of(row: &Row<'_>) -> rusqlite::Result<RecentFile> {
        let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
        Ok(RecentFile {
            path: path_of_row(row, 0)?.into_owned(),
            session: row.get(1)?,
            inode: (number(2)?, number(3)?),
            read: number(4)?,
            fold: row.get(5)?,
        })
    }

    /// The files modified at or after a time in nanoseconds, and those of a session, by
    /// path; `None` if there is no index.
    pub(crate) fn read(
        folder: &IndexFolder,
        since: i64,
        session: Option<&str>,
    ) -> Result<Option<Vec<RecentFile>>, IndexError> {
        let Some(connection) = folder.open_to_read_within(BUSY_TIMEOUT)? else { return Ok(None) };
        if let Some(pages) = PageCheck::open(folder, &connection)? {
            pages.trees(&["file", "used", "checkpoint"].map(Trees::Table))?;
        }
        let mut statement = connection.prepare(&format!(
            "SELECT {COLUMNS} FROM file JOIN used ON used.file = file.id
             WHERE bytes IS NOT NULL AND (modified >= ?1 OR session = ?2) ORDER BY path"
        ))?;
        let rows = statement.query_map(params![since, session], RecentFile::of)?;
        Ok(Some(rows.collect::<Result<_, _>>()?))
    }
}
