//! Files that are written whole or not at all.

use crate::failure::CliError;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Once};

/// Writes a file under a temporary name in the same folder, readable by its owner
/// only, and renames it when all of it is on disk. Never overwrites a file unless
/// `replace` is set.
pub(crate) fn write(path: &Path, content: &[u8], replace: bool) -> anyhow::Result<()> {
    write_all(&[(path, content)], replace)
}

/// Writes files that belong together: none gets its name before all are on disk. If
/// one of them cannot be renamed, the new files before it are removed again.
pub(crate) fn write_all(files: &[(&Path, &[u8])], replace: bool) -> anyhow::Result<()> {
    outlive_limits();
    if !replace && let Some((there, _)) = files.iter().find(|(path, _)| is_taken(path)) {
        return Err(is_there(there).into());
    }
    let mut waiting = Vec::new();
    for (path, content) in files {
        let cannot = || format!("cannot write {}", path.display());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new()
            .prefix(".annals-")
            .suffix(".part")
            .tempfile_in(folder)
            .map_err(|error| cannot_create(path, folder, &error))?;
        file.write_all(content).with_context(cannot)?;
        store::make_durable(file.as_file()).with_context(cannot)?;
        // Only the path: there may be more parts than open files are allowed.
        waiting.push((path, file.into_temp_path()));
    }
    let mut done: Vec<&Path> = Vec::new();
    for (path, file) in waiting {
        let is_new = !is_taken(path);
        let renamed = if replace { file.persist(path) } else { file.persist_noclobber(path) };
        let Err(error) = renamed else {
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

/// Turns exceeding the file size limit into an error instead of a fatal signal.
pub(crate) fn outlive_limits() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // If this fails, the default action of the signal stays.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    });
}

/// Removes files that were just written. Failures are ignored: the caller reports an
/// error in any case.
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

/// The error if a file cannot be created. The system's error names the temporary file,
/// which nobody has asked for.
fn cannot_create(path: &Path, folder: &Path, error: &io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::NotFound {
        let (path, folder) = (path.display(), folder.display());
        let message = format!(
            "cannot write {path}: the folder {folder} does not exist\nhint: create it with: mkdir -p {}",
            render::shell_quoted(&folder.to_string())
        );
        return CliError::Misuse(message).into();
    }
    anyhow::Error::from(io::Error::from(error.kind()))
        .context(format!("cannot write {}", path.display()))
}

/// Creates a folder and its parents.
pub(crate) fn make_folder(folder: &Path) -> anyhow::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "the user asked for files in this folder")]
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))
}

/// The error for a file that would be overwritten.
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
        let error = write(&nowhere, b"x", false).unwrap_err().to_string();
        assert!(error.contains("none does not exist") && !error.contains(".part"), "{error}");
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
        // A folder cannot be replaced by a file: the new files before it are removed.
        for name in &names {
            std::fs::remove_file(name).unwrap();
        }
        std::fs::create_dir(&names[2]).unwrap();
        assert!(write_all(&files, true).is_err());
        assert_eq!(count(), 1);
    }

    #[test]
    fn link_is_replaced_and_not_followed() {
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
