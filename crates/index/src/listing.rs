//! The folders that the files of the index were found in, so that they need not
//! be listed again while they look as they did.
//!
//! What decides which folders are looked into is the caller's to say, as a key.

use crate::failure::IndexError;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use store::FolderLook;

/// The folders that files were found in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// What decides which they are.
    pub key: String,
    /// Their paths, and how they looked; nothing for those that were not there.
    pub folders: Vec<(PathBuf, Option<FolderLook>)>,
}

/// So many are remembered: a person looks from few places.
const MOST: i64 = 4;

impl Listing {
    /// Puts it in the place of the one before, and of the oldest one if there are
    /// many.
    pub(crate) fn write(&self, connection: &mut Connection) -> Result<(), IndexError> {
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        transaction.execute("DELETE FROM listing WHERE key = ?", [&self.key])?;
        transaction.execute(
            "INSERT INTO listing SELECT coalesce(max(id), 0) + 1, ? FROM listing",
            [&self.key],
        )?;
        let id: i64 = transaction.query_row("SELECT max(id) FROM listing", [], |row| row.get(0))?;
        transaction.execute("DELETE FROM listing WHERE id <= ?", [id - MOST])?;
        transaction
            .execute("DELETE FROM folder WHERE listing NOT IN (SELECT id FROM listing)", [])?;
        let mut insert = transaction.prepare(
            "INSERT INTO folder (listing, path, modified, changed, inode, device)
             VALUES (?, ?, ?, ?, ?, ?)",
        )?;
        for (path, look) in &self.folders {
            insert.execute(params![
                id,
                path.as_os_str().as_bytes(),
                look.map(|look| look.modified),
                look.map(|look| look.changed),
                look.map(|look| look.inode.cast_signed()),
                look.map(|look| look.device.cast_signed()),
            ])?;
        }
        drop(insert);
        Ok(transaction.commit()?)
    }
}

/// Forgets all of them, because files that were found in them are taken out.
pub(crate) fn forget(connection: &Connection) -> Result<(), IndexError> {
    connection.execute("DELETE FROM listing", [])?;
    connection.execute("DELETE FROM folder", [])?;
    Ok(())
}

/// The folders that files were found in, if the same key decided which.
pub(crate) fn read(connection: &Connection, key: &str) -> Result<Option<Listing>, IndexError> {
    let id: Option<i64> = connection
        .query_row("SELECT id FROM listing WHERE key = ?", [key], |row| row.get(0))
        .optional()?;
    let Some(id) = id else { return Ok(None) };
    let mut statement = connection
        .prepare("SELECT path, modified, changed, inode, device FROM folder WHERE listing = ?")?;
    let rows = statement.query_map([id], |row| {
        let path = PathBuf::from(OsStr::from_bytes(row.get_ref(0)?.as_blob()?));
        let Some(modified) = row.get(1)? else { return Ok((path, None)) };
        let look = FolderLook {
            modified,
            changed: row.get(2)?,
            inode: row.get::<_, i64>(3)?.cast_unsigned(),
            device: row.get::<_, i64>(4)?.cast_unsigned(),
        };
        Ok((path, Some(look)))
    })?;
    let folders = rows.collect::<Result<_, _>>()?;
    Ok(Some(Listing { key: key.to_owned(), folders }))
}
