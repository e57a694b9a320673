//! Files that are written whole or not at all.

use crate::failure::CliError;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Once};

/// Writes a file: under a name of its own in the same folder, readable by its
/// owner alone, and renamed when all of it is on disk. What is there already
/// stays, unless it may be replaced.
pub(crate) fn write(path: &Path, content: &[u8], replace: bool) -> anyhow::Result<()> {
    write_all(&[(path, content)], replace)
}

/// Writes files that belong together: none gets its name before all are on
/// disk, and where one cannot get it, those before it that are new are gone
/// again.
pub(crate) fn write_all(files: &[(&Path, &[u8])], replace: bool) -> anyhow::Result<()> {
    outlive_limits();
    if !replace && let Some((there, _)) = files.iter().find(|(path, _)| is_taken(path)) {
        return Err(is_there(there).into());
    }
    let mut waiting = Vec::new();
    for (path, content) in files {
        let cannot = || format!("cannot write {}", path.display());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut file = tempfile::Builder::new()
            .prefix(".annals-")
            .suffix(".part")
            .tempfile_in(folder.unwrap_or(Path::new(".")))
            .with_context(cannot)?;
        file.write_all(content).with_context(cannot)?;
        file.as_file().sync_all().with_context(cannot)?;
        // The name alone: there may be more parts than files can be open.
        waiting.push((path, file.into_temp_path()));
    }
    let mut done: Vec<&Path> = Vec::new();
    for (path, file) in waiting {
        let is_new = !is_taken(path);
        let kept = if replace { file.persist(path) } else { file.persist_noclobber(path) };
        let Err(error) = kept else {
            done.extend(is_new.then_some(*path));
            continue;
        };
        take_back(&done);
        return match error.error.kind() {
            io::ErrorKind::AlreadyExists => Err(is_there(path).into()),
            _ => Err(error.error).with_context(|| format!("cannot write {}", path.display())),
        };
    }
    Ok(())
}

/// A file that grows beyond what is allowed is an error to be told, not the end.
pub(crate) fn outlive_limits() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // If it cannot be had, the system's way stands.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    });
}

/// Removes files that were written a moment ago. What cannot be removed is left
/// to the error that is told in any case.
#[expect(
    clippy::disallowed_methods,
    reason = "they were just written and belong to an incomplete set"
)]
fn take_back(paths: &[&Path]) {
    for path in paths {
        let _ = std::fs::remove_file(path);
    }
}

fn is_taken(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Makes a folder, and those above it.
pub(crate) fn make_folder(folder: &Path) -> anyhow::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "the user asked for files in this folder")]
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))
}

/// What is said of a file that would be written over.
pub(crate) fn is_there(path: &Path) -> CliError {
    CliError::Misuse(format!(
        "{} already exists\nhint: pass --force to overwrite it",
        path.display()
    ))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_file_is_written_whole_private_and_never_over_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        write(&path, b"one", false).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let error = write(&path, b"two", false).unwrap_err();
        assert!(error.to_string().contains("--force"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        write(&path, b"two", true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        let nowhere = folder.path().join("none/a.md");
        assert!(write(&nowhere, b"x", false).is_err());
    }

    #[test]
    fn files_that_belong_together_are_written_all_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["a", "b", "c"].map(|name| folder.path().join(name));
        let files = names.each_ref().map(|path| (path.as_path(), &b"x"[..]));
        let count = || std::fs::read_dir(folder.path()).unwrap().count();
        std::fs::write(&names[2], "there").unwrap();
        assert!(write_all(&files, false).unwrap_err().to_string().contains("--force"));
        assert_eq!(count(), 1);
        write_all(&files, true).unwrap();
        assert_eq!((count(), std::fs::read(&names[2]).unwrap()), (3, b"x".to_vec()));
        // A folder cannot be replaced by a file: what was new before it goes.
        for name in &names {
            std::fs::remove_file(name).unwrap();
        }
        std::fs::create_dir(&names[2]).unwrap();
        assert!(write_all(&files, true).is_err());
        assert_eq!(count(), 1);
    }

    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (link, aim) = (folder.path().join("link"), folder.path().join("aim"));
        std::fs::write(&aim, "aim").unwrap();
        std::os::unix::fs::symlink(&aim, &link).unwrap();
        assert!(write(&link, b"x", false).is_err());
        write(&link, b"x", true).unwrap();
        assert_eq!(std::fs::read(&aim).unwrap(), b"aim");
        assert!(!link.is_symlink());
    }
}
