//! Puts the made-up files on disk, with the modes and modification times
//! Claude Code gives them. The only file of the demo that touches the
//! filesystem: it makes new files below the folder it is given, and removes that folder.
#![expect(clippy::disallowed_methods, reason = "the demo store is made in a new temporary folder")]

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::SystemTime;

use super::files::Files;

/// Writes every file. An existing file is an error: the folder has to be empty.
pub(super) fn write(root: &Path, files: &Files) -> io::Result<()> {
    for file in files.iter() {
        let path = root.join(&file.path);
        make_folders(root, &file.path)?;
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

/// How often removing is tried: more often than threads write.
const MOST_TRIES: usize = 100;

/// Removes everything, also while another thread of this process writes there: under its
/// new name the folder gets no new files, because writers name it by the old one.
pub(super) fn remove(root: &Path) {
    let mut removed = root.as_os_str().to_owned();
    removed.push("-removed");
    let removed = Path::new(&removed);
    if std::fs::rename(root, removed).is_ok() {
        // A file whose creation had begun under the old name may still appear.
        let left = || std::fs::remove_dir_all(removed).is_err() && removed.exists();
        let _ = (0..MOST_TRIES).find(|_| !left());
    }
}

/// Makes the folders of a file below the root. The root itself is never made: if it was removed,
/// writing ends.
fn make_folders(root: &Path, file: &str) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    for (end, _) in file.match_indices('/') {
        match builder.create(root.join(&file[..end])) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::remove;
    use std::fs;
    use std::sync::mpsc::channel;

    #[test]
    fn folder_that_was_removed_is_not_made_again_by_its_writer() {
        let parent = tempfile::tempdir().unwrap();
        let root = parent.path().join("store");
        let files = crate::made_up_files(jiff::Timestamp::UNIX_EPOCH);
        assert!(super::write(&root, &files).is_err());
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[test]
    fn folder_is_removed_while_another_thread_writes_there() {
        for _ in 0..50 {
            let parent = tempfile::tempdir().unwrap();
            let root = parent.path().join("store");
            fs::create_dir(&root).unwrap();
            let (begun, has_begun) = channel();
            let folder = root.clone();
            let writer = std::thread::spawn(move || {
                for number in 0.. {
                    if fs::write(folder.join(number.to_string()), "x").is_err() {
                        return;
                    }
                    let _ = begun.send(());
                }
            });
            has_begun.recv().unwrap();
            remove(&root);
            writer.join().unwrap();
            assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
        }
    }
}
