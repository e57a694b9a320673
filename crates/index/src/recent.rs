//! What the files that changed of late used, for whoever cannot wait: one short
//! query over what is committed, whatever the files say by now.

use crate::database::Place;
use crate::failure::IndexError;
use rusqlite::{Row, params};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::time::Duration;

/// A file as the index last read it.
#[derive(Clone, Debug)]
pub struct RecentFile {
    /// Where it is, or was.
    pub path: PathBuf,
    /// The session it belongs to.
    pub session: Option<String>,
    /// Its inode and device; zeros for what was only kept.
    pub inode: (u64, u64),
    /// Up to where its lines were read for good.
    pub read: u64,
    /// The fold of its API calls, packed.
    pub fold: Vec<u8>,
}

/// Readers hardly ever wait for writers.
const PATIENCE: Duration = Duration::from_millis(50);

const COLUMNS: &str = "path, session, inode, device,
    coalesce((SELECT max(offset) FROM checkpoint WHERE checkpoint.file = file.id), 0), fold";

impl RecentFile {
    fn of(row: &Row<'_>) -> rusqlite::Result<RecentFile> {
        let path: Vec<u8> = row.get(0)?;
        let number = |place| row.get::<_, i64>(place).map(i64::cast_unsigned);
        Ok(RecentFile {
            path: PathBuf::from(OsStr::from_bytes(&path)),
            session: row.get(1)?,
            inode: (number(2)?, number(3)?),
            read: number(4)?,
            fold: row.get(5)?,
        })
    }

    /// The files that were modified at or after a moment, in nanoseconds, and those
    /// of a session, by path; `None` if there is no index.
    pub(crate) fn read(
        place: &Place,
        since: i64,
        session: Option<&str>,
    ) -> Result<Option<Vec<RecentFile>>, IndexError> {
        let Some(connection) = place.open_to_read_within(PATIENCE)? else { return Ok(None) };
        let mut statement = connection.prepare(&format!(
            "SELECT {COLUMNS} FROM file JOIN used ON used.file = file.id
             WHERE bytes IS NOT NULL AND (modified >= ?1 OR session = ?2) ORDER BY path"
        ))?;
        let rows = statement.query_map(params![since, session], RecentFile::of)?;
        Ok(Some(rows.collect::<Result<_, _>>()?))
    }
}
