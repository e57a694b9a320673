//! Putting files below a folder, whole and without overwriting anything.
//!
//! Names are made of plain components ([`archive::Name`]). Every folder on the
//! way is opened without following links and made with mode 0700; a file is
//! written under a name nobody else uses, made durable, and given its own name
//! only if nothing has that name yet.

use archive::Name;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, mkdirat, openat, unlinkat};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use store::random_bytes;

/// A file to put somewhere.
pub struct FileToRestore<'a> {
    /// The folder, which may be a link: it is the person's own arrangement.
    pub folder: PathBuf,
    /// Where below it.
    pub name: PathBuf,
    /// Opens its bytes; asked twice, to compare and to write.
    pub open: Box<dyn Fn() -> io::Result<Box<dyn Read>> + 'a>,
    /// The modification time it gets.
    pub modified: SystemTime,
}

/// A file that is there already, and another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Where it is.
    pub path: PathBuf,
    /// What is there.
    pub reason: String,
}

/// What was put where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    /// The files written.
    pub written: Vec<PathBuf>,
    /// Files that were there already, with the same bytes.
    pub same: Vec<PathBuf>,
    /// Bytes written.
    pub bytes: u64,
}

/// Why files could not be report.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// Others are there: nothing was written.
    #[error("{}: {}", .0.path.display(), .0.reason)]
    Conflict(Conflict),
    /// It failed.
    #[error("cannot write {}: {reason}", path.display())]
    Io {
        /// On this file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

/// Puts files below their folders, in their order. If one of them is there
/// already with other bytes, nothing is written at all.
pub fn restore_files(files: &[FileToRestore<'_>]) -> Result<RestoreReport, RestoreError> {
    let mut report = RestoreReport::default();
    let mut missing = Vec::new();
    for file in files {
        if is_restored(&file.folder, file)? {
            report.same.push(file.folder.join(&file.name));
        } else {
            missing.push(file);
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
                let reason = "it appeared while files were being put back".to_owned();
                return Err(RestoreError::Conflict(Conflict { path, reason }));
            }
            Err(error) => return Err(failed(&path)(error)),
        }
        report.written.push(path);
    }
    Ok(report)
}

/// Whether a file is there with these bytes; others are a conflict.
fn is_restored(folder: &Path, file: &FileToRestore<'_>) -> Result<bool, RestoreError> {
    let path = folder.join(&file.name);
    let conflict = |reason: &str| {
        let reason = reason.to_owned();
        Err(RestoreError::Conflict(Conflict { path: path.clone(), reason }))
    };
    let failed = |reason| RestoreError::Io { path: path.clone(), reason };
    let Some(name) = Name::of(&file.name) else {
        return conflict("its name cannot be one of a file in a store");
    };
    let found = open_below(folder, &name, false);
    let (parent, last) = match found {
        Ok(found) => found,
        Err(Errno::NOENT) => return Ok(false),
        Err(Errno::LOOP | Errno::NOTDIR) => return conflict("a link or a file is in the way"),
        Err(error) => return Err(failed(error.into())),
    };
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let there = match openat(&parent, &last, flags, Mode::empty()) {
        Ok(there) => File::from(there),
        Err(Errno::NOENT) => return Ok(false),
        Err(Errno::LOOP) => return conflict("a link is there"),
        Err(error) => return Err(failed(error.into())),
    };
    if !there.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return conflict("something that is no file is there");
    }
    let kept = (file.open)().map_err(failed)?;
    if is_same(there, kept).map_err(failed)? {
        Ok(true)
    } else {
        conflict("another version is there, which may be newer")
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
        new.sync_all()?;
        // Unlike a rename, a link never takes another's place.
        linkat(&parent, &beside, &parent, &last, AtFlags::empty())?;
        Ok(bytes)
    })();
    // The name it was written under goes in any case.
    unlinkat(&parent, &beside, AtFlags::empty())?;
    File::from(parent).sync_all()?;
    written
}

/// The folder a name lies in, opened step by step, and its last component.
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
