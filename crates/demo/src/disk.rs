//! Puts the made-up files on disk, with the modes and modification times
//! Claude Code gives them. The only file of the demo that touches the
//! filesystem: it makes new files below the folder it is given, and removes that folder.
#![expect(clippy::disallowed_methods, reason = "the demo store is made in a new temporary folder")]

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::files::Files;

/// Writes every file. An existing file is an error: the folder has to be empty.
pub(super) fn write(root: &Path, files: &Files) -> io::Result<()> {
    for file in files.iter() {
        let path = root.join(&file.path);
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut handle = options.open(&path)?;
        handle.write_all(&file.bytes)?;
        handle.set_modified(SystemTime::from(file.modified))?;
    }
    Ok(())
}

/// Removes everything. Another thread may be writing there, so it is tried again for a while.
pub(super) fn remove(root: &Path) {
    const TRIES: u32 = 50;
    const PAUSE: Duration = Duration::from_millis(10);
    for _ in 0..TRIES {
        let _ = std::fs::remove_dir_all(root);
        if !root.exists() {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
