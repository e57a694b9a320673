//! The folder of one copy: private, locked while it is used, deleted afterwards.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::row_store::platform;
use crate::row_store::stamp::beside;

const PREFIX: &str = "snapshot-";
const LOCK: &str = "lock";
const DATABASE: &str = "database";

/// A folder for one copy. Dropping it deletes it.
#[derive(Debug)]
pub(crate) struct SnapshotFolder {
    path: PathBuf,
    /// Locked as long as the copy is used.
    _lock: File,
}

impl SnapshotFolder {
    /// Creates a folder in a private folder, which is created if needed. Deletes the folders that
    /// killed processes left there.
    pub(crate) fn create(private: &Path) -> io::Result<SnapshotFolder> {
        platform::create_private_folders(private)?;
        if !fs::symlink_metadata(private)?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"));
        }
        // SQLite follows no link in the path of the copy, and folders above may be behind one,
        // as the temporary folder of macOS is.
        let private = &fs::canonicalize(private)?;
        // Nobody deletes a folder between its creation and its lock.
        let gate = lock_file(&private.join(LOCK))?;
        gate.lock()?;
        delete_leftovers(private)?;
        let random: [u8; 8] = store::random_bytes()?;
        let path = private.join(format!("{PREFIX}{:016x}", u64::from_ne_bytes(random)));
        platform::create_private_folder(&path)?;
        let lock = lock_file(&path.join(LOCK))?;
        lock.lock()?;
        Ok(SnapshotFolder { path, _lock: lock })
    }

    /// The path of the copied database.
    pub(crate) fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }

    /// Deletes what an earlier attempt copied.
    pub(crate) fn clear(&self) -> io::Result<()> {
        delete_files(&self.path, &["", "-wal"])
    }
}

impl Drop for SnapshotFolder {
    fn drop(&mut self) {
        // If this fails, the next snapshot deletes the folder.
        let _ = delete_folder(&self.path);
    }
}

fn lock_file(path: &Path) -> io::Result<File> {
    platform::private_file().create(true).truncate(false).open(path)
}

/// Deletes the folders whose process is gone.
fn delete_leftovers(private: &Path) -> io::Result<()> {
    for entry in fs::read_dir(private)? {
        let entry = entry?;
        let is_folder = entry.file_type()?.is_dir();
        if !is_folder || !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let path = entry.path();
        // Without a lock file, the process was killed before it could create it.
        let lock = platform::private_file().open(path.join(LOCK));
        let is_in_use = match &lock {
            Ok(lock) => lock.try_lock().is_err(),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        };
        if !is_in_use {
            // What cannot be deleted does not prevent a new snapshot.
            let _ = delete_folder(&path);
        }
    }
    Ok(())
}

/// Deletes a folder with the files that this crate and SQLite create, and nothing else. The lock
/// is the last file.
fn delete_folder(path: &Path) -> io::Result<()> {
    delete_files(path, &["", "-wal", "-shm", "-journal"])?;
    delete_if_there(&path.join(LOCK))?;
    fs::remove_dir(path)
}

fn delete_files(folder: &Path, endings: &[&str]) -> io::Result<()> {
    let database = folder.join(DATABASE);
    endings.iter().try_for_each(|ending| delete_if_there(&beside(&database, ending)))
}

fn delete_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
