//! The check of the whole file, once a day, by the first command that reads it.
//!
//! It finds damage in pages that no command happens to use. The time of the last check is
//! that of an empty file beside the index; where that cannot be written, `doctor` still
//! checks.

use crate::database::IndexFolder;
use crate::failure::IndexError;
use crate::page_check::PageCheck;
use crate::platform;
use rusqlite::Connection;
use std::fs;
use std::time::{Duration, SystemTime};

/// The time between two checks.
const PERIOD: Duration = Duration::from_hours(24);

/// Checks the whole file if that was not done for a day.
pub(crate) fn check_if_due(
    folder: &IndexFolder,
    connection: &Connection,
) -> Result<(), IndexError> {
    let last = fs::metadata(folder.beside(".checked")).and_then(|checked| checked.modified());
    // A time in the future was set by a clock that was wrong.
    let is_due = last.map_or(true, |last| last.elapsed().map_or(true, |age| age >= PERIOD));
    // Noted first: two commands at once need not both check, and without the file every
    // command would.
    if is_due && note(folder) { check(folder, connection) } else { Ok(()) }
}

/// Checks the whole file.
pub(crate) fn check(folder: &IndexFolder, connection: &Connection) -> Result<(), IndexError> {
    let checked = PageCheck::open(folder, connection)?.map_or(Ok(()), |pages| pages.everything());
    if !connection.is_autocommit() {
        connection.execute_batch("COMMIT")?;
    }
    checked
}

/// Notes the present time as that of the last check; says whether that worked.
fn note(folder: &IndexFolder) -> bool {
    let path = folder.beside(".checked");
    let file = platform::private_file().truncate(true).open(path);
    file.and_then(|file| file.set_modified(SystemTime::now())).is_ok()
}
