//! A folder that several people share, in which anybody may have put anything.
//!
//! Every component of a name is opened from the folder above it and never through a link, so that
//! a link in place of a folder or a file cannot lead a request out of the lake, not even one that
//! is put there during the request. The folder itself may be a link: its path is the reader's own.
//!
//! Objects are written under another name and linked to their own, which fails if it is taken;
//! files and folders are on disk before a request is answered. Listings look through no link and
//! show it as if it were an object.

use crate::bucket::Created;
use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, linkat, mkdirat, openat, statat, unlinkat,
};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;
use store::{make_durable, random_bytes};

/// Names of the lake have fewer components. What lies deeper is listed as if it were an object.
const MAX_DEPTH: usize = 16;

/// An open folder.
#[derive(Debug)]
pub(super) struct SharedFolder {
    folder: OwnedFd,
}

/// Why a request failed.
#[derive(Debug)]
pub(super) struct FolderError {
    pub(super) reason: String,
    /// Whether what lies there is at fault, not the file system.
    pub(super) is_fault_of_object: bool,
}

impl FolderError {
    fn of(place: &str, error: impl Into<io::Error>) -> Self {
        let error = error.into();
        let advice = match error.kind() {
            io::ErrorKind::PermissionDenied => "access denied: ",
            _ => "",
        };
        FolderError { reason: format!("{advice}{place}: {error}"), is_fault_of_object: false }
    }

    fn in_the_way(place: &str, what: &str) -> Self {
        FolderError { reason: format!("{place} is {what}"), is_fault_of_object: true }
    }
}

/// What an object could not be opened for.
enum Missing {
    NotThere,
    Failed(FolderError),
}

impl From<FolderError> for Missing {
    fn from(error: FolderError) -> Self {
        Missing::Failed(error)
    }
}

impl SharedFolder {
    /// Opens the folder with this path.
    pub(super) fn open(path: &Path) -> io::Result<SharedFolder> {
        Ok(SharedFolder { folder: openat(CWD, path, FOLDER, Mode::empty())? })
    }

    /// Creates an object, unless there is one with this name. `None` if there was one and it is
    /// gone.
    pub(super) fn create(&self, name: &str, bytes: &[u8]) -> Result<Option<Created>, FolderError> {
        let (parent, last) = self.make_parent(name)?;
        let failed = |error: io::Error| FolderError::of(name, error);
        let random = random_bytes().map_err(failed)?;
        // Listings leave such names out, also those of older releases of annals.
        let beside = format!("{last}#{}", u64::from_be_bytes(random));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let new = openat(&parent, &beside, flags | OFlags::CLOEXEC, Mode::from_raw_mode(0o666));
        let mut new = File::from(new.map_err(|error| failed(error.into()))?);
        let linked = new.write_all(bytes).and_then(|()| make_durable(&new)).map(|()| {
            // Unlike a rename, a link never replaces what is there.
            linkat(&parent, &beside, &parent, last, AtFlags::empty())
        });
        let removed = unlinkat(&parent, &beside, AtFlags::empty());
        match linked.map_err(failed)? {
            Ok(()) => {}
            Err(Errno::EXIST) => {
                return match self.open_file(name) {
                    Ok(_) => Ok(Some(Created::Exists)),
                    Err(Missing::NotThere) => Ok(None),
                    Err(Missing::Failed(error)) => Err(error),
                };
            }
            Err(error) => return Err(failed(error.into())),
        }
        removed.map_err(|error| failed(error.into()))?;
        make_durable(&File::from(parent)).map_err(failed)?;
        Ok(Some(Created::New))
    }

    /// The bytes of an object that has at most this many, if there is one.
    pub(super) fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, FolderError> {
        let file = match self.open_file(name) {
            Ok(file) => file,
            Err(Missing::NotThere) => return Ok(None),
            Err(Missing::Failed(error)) => return Err(error),
        };
        let failed = |error: io::Error| FolderError::of(name, error);
        let size = file.metadata().map_err(failed)?.len();
        if size > limit {
            let reason = super::too_large(size, limit);
            return Err(FolderError { reason, is_fault_of_object: true });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        file.take(size.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 != size {
            return Err(failed(io::Error::other("its size changed while it was read")));
        }
        Ok(Some(bytes))
    }

    /// The names of all objects below a folder.
    pub(super) fn list(&self, prefix: &str, most: usize) -> Result<Vec<String>, FolderError> {
        let mut names = Vec::new();
        match self.folder(prefix) {
            Ok(folder) => list_below(&folder, prefix, MAX_DEPTH, most, &mut names)?,
            Err(Missing::NotThere) => {}
            Err(Missing::Failed(error)) => return Err(error),
        }
        Ok(names)
    }

    /// The names of the folders directly in a folder, and those of links: opening one fails with
    /// an error that names it.
    pub(super) fn folders(&self, prefix: &str) -> Result<Vec<String>, FolderError> {
        let folder = match self.folder(prefix) {
            Ok(folder) => folder,
            Err(Missing::NotThere) => return Ok(Vec::new()),
            Err(Missing::Failed(error)) => return Err(error),
        };
        let entries = entries(&folder, prefix)?.into_iter();
        let folders = entries.filter(|(_, kind)| matches!(kind, Kind::Folder | Kind::Link));
        Ok(folders.map(|(name, _)| name).collect())
    }

    /// Deletes an object. A link is deleted, not where it leads to.
    pub(super) fn delete(&self, name: &str) -> Result<(), FolderError> {
        let (parent, last) = split(name);
        let parent = match self.folder(parent) {
            Ok(parent) => parent,
            Err(Missing::NotThere) => return Ok(()),
            Err(Missing::Failed(error)) => return Err(error),
        };
        match unlinkat(&parent, last, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(FolderError::of(name, error)),
        }
    }

    fn open_file(&self, name: &str) -> Result<File, Missing> {
        let (parent, last) = split(name);
        let parent = self.folder(parent)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match openat(&parent, last, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Err(Missing::NotThere),
            Err(error) => return Err(refused(&parent, last, name, error).into()),
        };
        let metadata = file.metadata().map_err(|error| FolderError::of(name, error))?;
        if metadata.is_file() {
            return Ok(file);
        }
        Err(FolderError::in_the_way(name, "not a file").into())
    }

    /// Opens a folder of the lake, component by component.
    fn folder(&self, name: &str) -> Result<OwnedFd, Missing> {
        let mut here = self.reopened(name)?;
        for (part, place) in components(name) {
            here = match openat(&here, part, FOLDER | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(folder) => folder,
                Err(Errno::NOENT) => return Err(Missing::NotThere),
                Err(error) => return Err(refused(&here, part, place, error).into()),
            };
        }
        Ok(here)
    }

    /// The folder of an object and its last component. Folders that are missing are created.
    fn make_parent<'n>(&self, name: &'n str) -> Result<(OwnedFd, &'n str), FolderError> {
        let (parent, last) = split(name);
        let mut here = self.reopened(name)?;
        for (part, place) in components(parent) {
            match mkdirat(&here, part, Mode::from_raw_mode(0o777)) {
                Ok(()) => {
                    let above = here.try_clone().map_err(|error| FolderError::of(place, error))?;
                    make_durable(&File::from(above))
                        .map_err(|error| FolderError::of(place, error))?;
                }
                Err(Errno::EXIST) => {}
                Err(error) => return Err(FolderError::of(place, error)),
            }
            here = openat(&here, part, FOLDER | OFlags::NOFOLLOW, Mode::empty())
                .map_err(|error| refused(&here, part, place, error))?;
        }
        Ok((here, last))
    }

    fn reopened(&self, name: &str) -> Result<OwnedFd, FolderError> {
        self.folder.try_clone().map_err(|error| FolderError::of(name, error))
    }
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Each component of a name with the name up to it.
fn components(name: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut end = 0;
    name.split('/').filter(|part| !part.is_empty()).map(move |part| {
        end += part.len() + usize::from(end > 0);
        (part, &name[..end])
    })
}

/// The folder of a name and its last component.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// Why a component was not opened: systems have several numbers for a link.
fn refused(parent: &OwnedFd, part: &str, place: &str, error: Errno) -> FolderError {
    match statat(parent, part, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => {
            FolderError::in_the_way(place, "a symbolic link; annals follows none in a lake")
        }
        Ok(_) if error == Errno::NOTDIR => FolderError::in_the_way(place, "not a folder"),
        _ => FolderError::of(place, error),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Folder,
    Link,
    Other,
}

/// What is in a folder, without objects that are being written.
fn entries(folder: &OwnedFd, place: &str) -> Result<Vec<(String, Kind)>, FolderError> {
    let failed = |error: Errno| FolderError::of(place, error);
    let mut found = Vec::new();
    for entry in Dir::read_from(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let raw = entry.file_name();
        if matches!(raw.to_bytes(), b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => match statat(folder, raw, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                Err(Errno::NOENT) => continue,
                Err(error) => return Err(failed(error)),
            },
            kind => kind,
        };
        let kind = match kind {
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        };
        let name = raw.to_string_lossy().into_owned();
        let is_unfinished = name.rsplit_once('#').is_some_and(|(_, number)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        if kind == Kind::Folder || !is_unfinished {
            found.push((name, kind));
        }
    }
    Ok(found)
}

fn list_below(
    folder: &OwnedFd,
    place: &str,
    depth: usize,
    most: usize,
    names: &mut Vec<String>,
) -> Result<(), FolderError> {
    for (name, kind) in entries(folder, place)? {
        let place = if place.is_empty() { name.clone() } else { format!("{place}/{name}") };
        if kind == Kind::Folder && depth > 0 {
            match openat(folder.as_fd(), &*name, FOLDER | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(below) => list_below(&below, &place, depth - 1, most, names)?,
                Err(Errno::NOENT) => {}
                // A link was put in its place just now.
                Err(Errno::LOOP | Errno::NOTDIR) => names.push(place),
                Err(error) => return Err(FolderError::of(&place, error)),
            }
        } else {
            names.push(place);
        }
        if names.len() > most {
            break;
        }
    }
    Ok(())
}
