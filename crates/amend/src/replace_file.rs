//! Replaces whole files: reads a file, and later changes it only if it is still
//! the same.
//!
//! Links are followed and their target is changed in place: such files are the
//! person's own arrangement. The new content is written beside the target under
//! a random name, with the mode and owner of the old file, made durable and
//! renamed, so that the file is never incomplete. What the bytes mean is not
//! known here.

use rustix::fs::{AtFlags, CWD, openat};
use rustix::fs::{Gid, Mode, OFlags, Uid, fchown, linkat, open, renameat, unlinkat};
use std::fs::{File, Metadata, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use store::{make_durable, random_bytes};

/// The largest file that is read.
const MOST_BYTES: u64 = store::limits::LARGEST_SETTINGS;

/// Why a file was not changed. It is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// It is not a file that can be changed.
    #[error("{} is left unchanged: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// It has changed since it was read.
    #[error("{} has just been changed by another program; nothing was written\nhint: try again", .0.display())]
    Changed(PathBuf),
    /// Reading or writing failed.
    #[error("cannot {what} {}: {reason}", path.display())]
    Io {
        /// The operation.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
}

/// A file as it was read: its bytes, or that it was missing.
#[derive(Debug)]
pub struct ObservedFile {
    /// Its bytes; `None` if it was missing.
    pub bytes: Option<Vec<u8>>,
    /// Its path, with links resolved.
    pub path: PathBuf,
    metadata: Option<Metadata>,
}

impl ObservedFile {
    /// Reads a file, or records that it is missing.
    pub fn read(path: &Path) -> Result<ObservedFile, ReplaceError> {
        let refused = |reason: &str| ReplaceError::Refused {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let failed = |reason| ReplaceError::Io { what: "read", path: path.to_owned(), reason };
        let real = match std::fs::canonicalize(path) {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if path.is_symlink() {
                    return Err(refused("it is a link to a missing file"));
                }
                return Ok(ObservedFile { bytes: None, path: path.to_owned(), metadata: None });
            }
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                return Err(refused("it is a link that points back to itself"));
            }
            Err(error) => return Err(failed(error)),
        };
        // Non-blocking: opening a pipe would wait for its other end.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = open(&real, flags, Mode::empty()).map_err(|error| failed(error.into()))?;
        let mut file = File::from(file);
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(refused("it is not a regular file"));
        }
        let mut bytes = Vec::new();
        (&mut file).take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(refused("it is larger than 16 MiB"));
        }
        Ok(ObservedFile { bytes: Some(bytes), path: real, metadata: Some(metadata) })
    }

    /// Replaces its content. A new file gets this mode.
    pub fn replace(&self, bytes: &[u8], mode: u32) -> Result<(), ReplaceError> {
        self.check_writable()?;
        let failed = |reason| ReplaceError::Io { what: "write", path: self.path.clone(), reason };
        let (folder, name) = self.open_folder().map_err(failed)?;
        let random = u64::from_be_bytes(random_bytes().map_err(failed)?);
        let beside = format!(".annals-{random:016x}.part");
        let result = self.write_beside(&folder, &beside, bytes, mode).map_err(failed);
        let result = result.and_then(|()| self.check_same()).and_then(|()| {
            match self.bytes {
                Some(_) => renameat(&folder, &beside, &folder, name),
                // Unlike a rename, a link never replaces an existing file.
                None => linkat(&folder, &beside, &folder, name, AtFlags::empty()),
            }
            .map_err(|error| match error {
                rustix::io::Errno::EXIST => ReplaceError::Changed(self.path.clone()),
                error => failed(error.into()),
            })
        });
        // After a rename, the temporary name no longer exists.
        let _ = unlinkat(&folder, &beside, AtFlags::empty());
        result?;
        make_durable(&File::from(folder)).map_err(failed)
    }

    /// Deletes it, if it existed.
    pub fn remove(&self) -> Result<(), ReplaceError> {
        if self.bytes.is_none() {
            return Ok(());
        }
        self.check_writable()?;
        let failed = |reason| ReplaceError::Io { what: "remove", path: self.path.clone(), reason };
        let (folder, name) = self.open_folder().map_err(failed)?;
        self.check_same()?;
        unlinkat(&folder, name, AtFlags::empty()).map_err(|error| failed(error.into()))?;
        make_durable(&File::from(folder)).map_err(failed)
    }

    /// A file without write permission for its owner is meant to stay, even if
    /// a rename could replace it.
    fn check_writable(&self) -> Result<(), ReplaceError> {
        let is_sealed = self.metadata.as_ref().is_some_and(|it| it.mode() & 0o200 == 0);
        if is_sealed {
            let reason = "it is read-only".to_owned();
            return Err(ReplaceError::Refused { path: self.path.clone(), reason });
        }
        Ok(())
    }

    fn check_same(&self) -> Result<(), ReplaceError> {
        let now = ObservedFile::read(&self.path)?;
        if now.bytes == self.bytes && now.path == self.path {
            return Ok(());
        }
        Err(ReplaceError::Changed(self.path.clone()))
    }

    /// Its folder, opened, and its name there.
    fn open_folder(&self) -> io::Result<(OwnedFd, &std::ffi::OsStr)> {
        let no_file = || io::Error::new(io::ErrorKind::InvalidInput, "it is not a file");
        let (folder, name) = self.path.parent().zip(self.path.file_name()).ok_or_else(no_file)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok((openat(CWD, folder, flags, Mode::empty())?, name))
    }

    fn write_beside(
        &self,
        folder: &OwnedFd,
        beside: &str,
        bytes: &[u8],
        mode: u32,
    ) -> io::Result<()> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(openat(folder, beside, flags, Mode::from_raw_mode(0o600))?);
        file.write_all(bytes)?;
        let mode = self.metadata.as_ref().map_or(mode, |there| there.mode() & 0o7777);
        let own = file.metadata()?;
        if let Some(there) = &self.metadata
            && (there.uid(), there.gid()) != (own.uid(), own.gid())
        {
            // Without permission to change the owner, keep the current one:
            // better than no settings.
            let (user, group) = (Uid::from_raw(there.uid()), Gid::from_raw(there.gid()));
            let _ = fchown(&file, Some(user), Some(group));
        }
        file.set_permissions(Permissions::from_mode(mode))?;
        make_durable(&file)
    }
}

/// Creates a folder and its parents, each accessible only to its owner. Returns
/// those that were missing, the topmost first.
pub fn make_folders(folder: &Path) -> Result<Vec<PathBuf>, ReplaceError> {
    let missing = folder.ancestors().take_while(|above| above.symlink_metadata().is_err());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.retain(|path| !path.as_os_str().is_empty());
    missing.reverse();
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|reason| {
        ReplaceError::Io { what: "create the folder", path: folder.to_owned(), reason }
    })?;
    Ok(missing)
}

/// Removes folders, the last first, as long as they are empty.
pub fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // A folder that is not empty is not removed.
        let _ = std::fs::remove_dir(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use testkit::{Sandbox, fingerprint};

    fn mode_of(path: &Path) -> u32 {
        fs::metadata(path).expect("metadata").mode() & 0o7777
    }

    #[test]
    fn a_replaced_file_keeps_its_mode() {
        let sandbox = Sandbox::new();
        let path = sandbox.write("settings.json", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("a mode");
        ObservedFile::read(&path).expect("seen").replace(b"new", 0o600).expect("written");
        assert_eq!((fs::read(&path).expect("read"), mode_of(&path)), (b"new".to_vec(), 0o640));
        let fresh = sandbox.config().join("fresh.json");
        ObservedFile::read(&fresh).expect("seen").replace(b"{}", 0o600).expect("written");
        assert_eq!((fs::read(&fresh).expect("read"), mode_of(&fresh)), (b"{}".to_vec(), 0o600));
        ObservedFile::read(&fresh).expect("seen").remove().expect("removed");
        assert!(!fresh.exists());
        assert_eq!(
            fs::read_dir(sandbox.config()).expect("a folder").count(),
            2,
            "no temporary file remains"
        );
    }

    #[test]
    fn the_target_of_a_link_is_changed_in_place() {
        let sandbox = Sandbox::new();
        let real = sandbox.write("dotfiles/settings.json", "old");
        let link = sandbox.link("settings.json", Path::new("dotfiles/settings.json"));
        ObservedFile::read(&link).expect("seen").replace(b"new", 0o600).expect("written");
        assert!(link.is_symlink());
        assert_eq!(fs::read(real).expect("read"), b"new");
    }

    #[test]
    fn a_file_changed_since_it_was_read_is_not_overwritten() {
        let sandbox = Sandbox::new();
        let path = sandbox.write("settings.json", "old");
        let absent = sandbox.config().join("absent.json");
        let (seen, missing) =
            (ObservedFile::read(&path).expect("seen"), ObservedFile::read(&absent).expect("seen"));
        fs::write(&path, "theirs").expect("written");
        fs::write(&absent, "theirs").expect("written");
        for seen in [seen, missing] {
            let error = seen.replace(b"ours", 0o600).expect_err("refused");
            assert!(matches!(error, ReplaceError::Changed(_)), "{error}");
            if seen.bytes.is_some() {
                assert!(matches!(seen.remove(), Err(ReplaceError::Changed(_))));
            }
            assert_eq!(fs::read(&seen.path).expect("read"), b"theirs");
        }
        assert_eq!(
            fs::read_dir(sandbox.config()).expect("a folder").count(),
            3,
            "no temporary file remains"
        );
    }

    #[test]
    fn unsuitable_files_are_refused_and_unchanged() {
        let sandbox = Sandbox::new();
        let sealed = sandbox.write("sealed.json", "{}");
        fs::set_permissions(&sealed, fs::Permissions::from_mode(0o444)).expect("a mode");
        let dangling = sandbox.link("dangling.json", Path::new("nowhere.json"));
        let circle = sandbox.link("circle.json", Path::new("circle.json"));
        let folder = sandbox.folder("folder.json");
        let pipe = sandbox.pipe("pipe.json");
        let huge = sandbox.write("huge.json", "");
        fs::OpenOptions::new()
            .write(true)
            .open(&huge)
            .expect("a file")
            .set_len(MOST_BYTES + 1)
            .expect("room");
        let nowhere = sandbox.config().join("none/settings.json");
        let before = fingerprint(&sandbox.config().join("folder.json"));
        let table = [
            (sealed.clone(), "it is read-only"),
            (dangling, "a link to a missing file"),
            (circle, "points back to itself"),
            (folder, "not a regular file"),
            (pipe, "not a regular file"),
            (huge, "larger than 16 MiB"),
            (nowhere, "No such file"),
        ];
        for (path, reason) in table {
            let error = ObservedFile::read(&path).and_then(|seen| seen.replace(b"x", 0o600));
            let error = error.expect_err("refused").to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert_eq!(fs::read(sealed).expect("read"), b"{}");
        assert_eq!(fingerprint(&sandbox.config().join("folder.json")), before);
    }

    #[test]
    fn created_folders_are_removed_if_they_stay_empty() {
        let sandbox = Sandbox::new();
        let folder = sandbox.config().join("skills/annals");
        let made = make_folders(&folder).expect("made");
        assert_eq!(made, [sandbox.config().join("skills"), folder.clone()]);
        assert_eq!(make_folders(&folder).expect("made"), [] as [PathBuf; 0]);
        sandbox.write("skills/other", "");
        remove_empty(&made);
        assert!(!folder.exists() && sandbox.config().join("skills").exists());
    }
}
