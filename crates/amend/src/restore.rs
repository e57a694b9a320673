//! Restores files below a folder, atomically and without overwriting anything.
//!
//! Names consist of plain components ([`archive::Name`]). Every folder on the
//! way is opened without following links and created with mode 0700. A file is
//! written under a random name, made durable, and linked to its own name only
//! if that name is free.

use archive::Name;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, mkdirat, openat, unlinkat};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use store::{make_durable, random_bytes};

/// A file to restore.
pub struct FileToRestore<'a> {
    /// The folder, which may be a link: that is the person's own arrangement.
    pub folder: PathBuf,
    /// Its path below the folder.
    pub name: PathBuf,
    /// Opens its content; called twice, to compare and to write.
    pub open: Box<dyn Fn() -> io::Result<Box<dyn Read>> + 'a>,
    /// Its modification time after restoring.
    pub modified: SystemTime,
    /// Whether the others are restored even if this one conflicts with an
    /// existing file.
    pub is_optional: bool,
}

/// An existing file with other content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Its path.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// The result of restoring files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    /// The files written.
    pub written: Vec<PathBuf>,
    /// Files that already existed with the same bytes.
    pub same: Vec<PathBuf>,
    /// Bytes written.
    pub bytes: u64,
    /// Optional files that were not written.
    pub conflicts: Vec<Conflict>,
}

/// Why files could not be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// Another file exists where one is required: nothing was written.
    #[error("{}: {}", .0.path.display(), .0.reason)]
    Conflict(Conflict),
    /// A write failed.
    #[error("cannot write {}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
}

/// Restores files below their folders, in order. If one that is not optional
/// exists with other content, nothing is written at all.
pub fn restore_files(files: &[FileToRestore<'_>]) -> Result<RestoreReport, RestoreError> {
    let mut report = RestoreReport::default();
    let mut missing = Vec::new();
    for file in files {
        match is_restored(&file.folder, file) {
            Ok(true) => report.same.push(file.folder.join(&file.name)),
            Ok(false) => missing.push(file),
            Err(RestoreError::Conflict(conflict)) if file.is_optional => {
                report.conflicts.push(conflict);
            }
            Err(error) => return Err(error),
        }
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |reason: io::Error| RestoreError::Io { path, reason }
    };
    for file in missing {
        let folder = &file.folder;
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
        let path = folder.join(&file.name);
        match write(folder, file) {
            Ok(bytes) => report.bytes += bytes,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let reason = "it was created while files were being restored".to_owned();
                let conflict = Conflict { path, reason };
                if !file.is_optional {
                    return Err(RestoreError::Conflict(conflict));
                }
                report.conflicts.push(conflict);
                continue;
            }
            Err(error) => return Err(failed(&path)(error)),
        }
        report.written.push(path);
    }
    Ok(report)
}

/// Whether a file exists with this content; other content is a conflict.
fn is_restored(folder: &Path, file: &FileToRestore<'_>) -> Result<bool, RestoreError> {
    let path = folder.join(&file.name);
    let conflict = |reason: &str| {
        let reason = reason.to_owned();
        Err(RestoreError::Conflict(Conflict { path: path.clone(), reason }))
    };
    let failed = |reason| RestoreError::Io { path: path.clone(), reason };
    let Some(name) = Name::of(&file.name) else {
        return conflict("it is not a valid name for a file in a store");
    };
    let found = open_below(folder, &name, false);
    let (parent, last) = match found {
        Ok(found) => found,
        Err(Errno::NOENT) => return Ok(false),
        Err(Errno::LOOP | Errno::NOTDIR) => {
            return conflict("one of its parent folders is a link or a file");
        }
        Err(error) => return Err(failed(error.into())),
    };
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let there = match openat(&parent, &last, flags, Mode::empty()) {
        Ok(there) => File::from(there),
        Err(Errno::NOENT) => return Ok(false),
        Err(Errno::LOOP) => return conflict("a link already exists there"),
        Err(error) => return Err(failed(error.into())),
    };
    if !there.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return conflict("something other than a file already exists there");
    }
    let kept = (file.open)().map_err(failed)?;
    if is_same(there, kept).map_err(failed)? {
        Ok(true)
    } else {
        conflict("another version already exists, which may be newer")
    }
}

fn is_same(mut one: impl Read, mut two: impl Read) -> io::Result<bool> {
    const STEP: u64 = 64 * 1024;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        one.by_ref().take(STEP).read_to_end(&mut left)?;
        two.by_ref().take(STEP).read_to_end(&mut right)?;
        if left != right || left.is_empty() {
            return Ok(left == right);
        }
    }
}

fn write(folder: &Path, file: &FileToRestore<'_>) -> io::Result<u64> {
    let name = Name::of(&file.name).ok_or(io::ErrorKind::InvalidInput)?;
    let (parent, last) = open_below(folder, &name, true)?;
    let beside = format!(".annals-{:016x}", u64::from_be_bytes(random_bytes()?));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut new = File::from(openat(&parent, &beside, flags, Mode::from_raw_mode(0o600))?);
    let written = (|| {
        let bytes = io::copy(&mut (file.open)()?, &mut new)?;
        new.flush()?;
        new.set_modified(file.modified)?;
        make_durable(&new)?;
        // Unlike a rename, a link never replaces an existing file.
        linkat(&parent, &beside, &parent, &last, AtFlags::empty())?;
        Ok(bytes)
    })();
    // Remove the temporary name in any case.
    unlinkat(&parent, &beside, AtFlags::empty())?;
    make_durable(&File::from(parent))?;
    written
}

/// Opens the folder of a name component by component, and returns the last
/// component.
fn open_below(folder: &Path, name: &Name, make: bool) -> rustix::io::Result<(OwnedFd, PathBuf)> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut here = openat(CWD, folder, flags, Mode::empty())?;
    let path = name.to_path();
    let mut parts = path.iter().peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return Ok((here, PathBuf::from(part)));
        }
        if make {
            match mkdirat(&here, part, Mode::from_raw_mode(0o700)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error),
            }
        }
        here = openat(&here, part, flags | OFlags::NOFOLLOW, Mode::empty())?;
    }
    Err(Errno::INVAL)
}
