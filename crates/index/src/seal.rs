//! Notices that the index file is not as annals left it.
//!
//! SQLite does not check the bytes it reads: a changed byte in a row gives a wrong answer
//! without an error. So every writer of annals, while it holds the write lock and after it has
//! closed the file, records the file's stamp in a seal beside it: size, inode, and the times of
//! the last change of content and status. A file with another stamp was changed by something
//! else, and is not used. The index is a cache, so noticing is enough.
//!
//! A writer removes the seal before it begins. A file without a seal was left by a writer that
//! was interrupted, or by an older annals: SQLite's own check of its structure decides, once,
//! and then it is sealed. The time of the last status change cannot be set by a program, so
//! only a failing disk can change bytes and keep the stamp; the digests of pages
//! (`page_digests.rs`) show that.

use crate::database::{IndexFolder, Lock};
use crate::failure::IndexError;
use crate::page_digests::DigestKeeper;
use crate::platform;
use rusqlite::Connection;
use std::fs::{self, Metadata};
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

/// The first word of a seal: its format.
const FORMAT: &str = "annals-seal-2";

/// What a file looks like to the file system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seal(String);

/// What the seal says about the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SealState {
    /// The file is as annals left it.
    Intact,
    /// Nobody sealed it.
    Unsealed,
    /// Something else changed it.
    Broken,
}

impl Seal {
    /// The seal of the file, its write-ahead log, which holds rows too, and its digests.
    fn of(folder: &IndexFolder) -> io::Result<Seal> {
        let content = |found: &Metadata| {
            let ((device, inode), modified) =
                (platform::identity(found), platform::modified(found));
            format!("{} {device} {inode} {}.{}", found.len(), modified.0, modified.1)
        };
        let stamp = |found: &Metadata| {
            let changed = platform::status_changed(found);
            format!("{} {}.{}", content(found), changed.0, changed.1)
        };
        let database = stamp(&fs::metadata(folder.database())?);
        let log = match fs::metadata(folder.beside("-wal")) {
            // Readers create and remove an empty log, and SQLite sets the owner of any log it
            // opens as root, which changes its status.
            Ok(found) if found.len() > 0 => content(&found),
            Ok(_) => "none".to_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => "none".to_owned(),
            Err(error) => return Err(error),
        };
        let digests = match fs::metadata(folder.beside(".digests")) {
            Ok(found) => stamp(&found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => "none".to_owned(),
            Err(error) => return Err(error),
        };
        Ok(Seal(format!("{FORMAT}\n{database}\n{log}\n{digests}\n")))
    }

    /// The recorded seal; `None` without one of this format.
    pub(crate) fn read(folder: &IndexFolder) -> Option<Seal> {
        let text = fs::read_to_string(folder.beside(".seal")).ok()?;
        (text.starts_with(FORMAT) && text.lines().count() == 4).then_some(Seal(text))
    }

    /// Whether the file was sealed together with digests of its pages.
    pub(crate) fn has_digests(&self) -> bool {
        self.0.lines().nth(3).is_some_and(|digests| digests != "none")
    }

    /// What the recorded seal says about the file.
    pub(crate) fn state(folder: &IndexFolder) -> SealState {
        let Some(recorded) = Seal::read(folder) else { return SealState::Unsealed };
        match Seal::of(folder) {
            Ok(seal) if seal == recorded => SealState::Intact,
            // A writer may have begun, or replaced the seal, between the two looks.
            _ if Seal::read(folder).as_ref() != Some(&recorded) => SealState::Unsealed,
            _ => SealState::Broken,
        }
    }

    /// Removes the seal, before the file is changed.
    pub(crate) fn remove(folder: &IndexFolder) -> io::Result<()> {
        match fs::remove_file(folder.beside(".seal")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Records the file as it is. The caller holds the lock.
    fn write(folder: &IndexFolder) -> io::Result<()> {
        let seal = Seal::of(folder)?;
        let part = folder.beside(".seal-part");
        let mut file = platform::private_file().truncate(true).open(&part)?;
        file.write_all(seal.0.as_bytes())?;
        fs::rename(part, folder.beside(".seal"))
    }
}

/// Writes the digests and seals the file when it is dropped, after the connection that wrote
/// it and before the lock.
#[derive(Debug)]
pub(crate) struct SealAtEnd {
    pub(crate) folder: IndexFolder,
    pub(crate) digests: Arc<Mutex<DigestKeeper>>,
}

impl Drop for SealAtEnd {
    fn drop(&mut self) {
        self.digests.lock().unwrap_or_else(PoisonError::into_inner).finish();
        // Without a seal, the next reader checks the file.
        let _ = Seal::write(&self.folder);
    }
}

/// Fails if the file was changed by something else, or if it was left by an interrupted
/// writer and its structure is damaged.
pub(crate) fn check(folder: &IndexFolder, connection: &Connection) -> Result<(), IndexError> {
    match Seal::state(folder) {
        SealState::Intact => Ok(()),
        SealState::Broken => Err(changed()),
        SealState::Unsealed => match folder.lock() {
            // A writer is at work, and will seal it.
            Ok(None) => Ok(()),
            Ok(Some(lock)) => check_unsealed(folder, connection, &lock),
            // Nobody can write here, and nobody can seal it.
            Err(_) => check_structure(connection),
        },
    }
}

fn check_unsealed(
    folder: &IndexFolder,
    connection: &Connection,
    _lock: &Lock,
) -> Result<(), IndexError> {
    // Another process may have sealed it meanwhile.
    if Seal::state(folder) == SealState::Intact {
        return Ok(());
    }
    check_structure(connection)?;
    DigestKeeper::new(folder, None).finish();
    // Without a seal, the next reader checks again.
    let _ = Seal::write(folder);
    Ok(())
}

/// The error for a file that something else changed.
pub(crate) fn changed() -> IndexError {
    IndexError::Damaged("another program has changed the file".to_owned())
}

/// The error for a page with other bytes than annals wrote.
pub(crate) fn damaged_page(page: u32) -> IndexError {
    IndexError::Damaged(format!("page {page} is not as annals wrote it"))
}

/// SQLite's check of pages, rows and indexes. It reads the whole file.
pub(crate) fn check_structure(connection: &Connection) -> Result<(), IndexError> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(IndexError::Damaged(found)) }
}
