//! Writing and deleting below the lake's folder in annals' home. Nothing else of this
//! crate writes files.

#![expect(clippy::disallowed_methods, reason = "the one place that writes the lake's folder")]

use jiff::Timestamp;
use std::collections::HashSet;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Writes a file for its owner alone. Others see the old content or the new, never a part.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(bytes)?;
    drop(file);
    fs::rename(&new, path)
}

/// Renames a file or a folder. What has the new name is replaced.
pub(crate) fn move_to(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    if to.is_dir() {
        remove_folder(to)?;
    }
    fs::rename(from, to)
}

/// Sets the time of a file's last change.
pub(crate) fn set_time(path: &Path, time: Timestamp) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    file.set_modified(time.into())
}

/// Deletes everything in a folder but these files. A folder that does not exist is empty.
pub(crate) fn remove_all_but(folder: &Path, wanted: &HashSet<PathBuf>) -> io::Result<()> {
    let Ok(listed) = fs::read_dir(folder) else { return Ok(()) };
    for entry in listed {
        let path = entry?.path();
        if !wanted.contains(&path) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Deletes a file, if there is one.
pub fn remove(path: &Path) -> io::Result<()> {
    ignore_missing(fs::remove_file(path))
}

/// Deletes a folder with everything in it, if there is one.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    ignore_missing(fs::remove_dir_all(path))
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
