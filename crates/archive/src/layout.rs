//! The layout of the archive's folder, and how files are created in it.
//!
//! Folders 0700, files 0600. A replacement is written beside the old file, made
//! durable and renamed.

use crate::failure::ArchiveError;
use crate::frame::Hash;
use rustix::fs::{Mode, OFlags};
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use store::limits::TooLargeError;
use store::{make_content_durable, make_durable};

/// The paths of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    folder: PathBuf,
}

/// The suffix of unfinished files.
pub(crate) const UNFINISHED: &str = ".new";

impl Layout {
    pub(crate) fn new(folder: &Path) -> Layout {
        Layout { folder: folder.to_owned() }
    }

    /// The archive's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.folder.join("manifest.jsonl")
    }

    pub(crate) fn readme(&self) -> PathBuf {
        self.folder.join("README.md")
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.folder.join("lock")
    }

    pub(crate) fn synced(&self) -> PathBuf {
        self.folder.join("synced.json")
    }

    pub(crate) fn verified(&self) -> PathBuf {
        self.folder.join("verified.json")
    }

    pub(crate) fn packs(&self) -> PathBuf {
        self.folder.join("packs")
    }

    pub(crate) fn pack(&self, number: u32) -> PathBuf {
        self.packs().join(format!("{number:08}.zst"))
    }

    pub(crate) fn loose_folder(&self) -> PathBuf {
        self.folder.join("loose")
    }

    pub(crate) fn loose(&self, hash: Hash) -> PathBuf {
        self.loose_folder().join(format!("{hash}.zst"))
    }

    /// Whether any frames are stored here.
    pub(crate) fn holds_frames(&self) -> bool {
        let folders = [self.packs(), self.loose_folder()];
        folders
            .iter()
            .any(|folder| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()))
    }

    /// Creates missing folders.
    pub(crate) fn create(&self) -> Result<(), ArchiveError> {
        for folder in [self.folder.clone(), self.packs(), self.loose_folder()] {
            if !folder.is_dir() {
                fs::DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(&folder)
                    .map_err(ArchiveError::io("make", &folder))?;
                sync_folder(folder.parent().unwrap_or(&folder))?;
            }
        }
        Ok(())
    }
}

/// Opens a file for writing, readable only by its owner; creates it if it is
/// missing. Links are not followed.
pub(crate) fn open_own(path: &Path) -> Result<File, ArchiveError> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path, flags, Mode::from_raw_mode(0o600));
    opened.map(File::from).map_err(|error| ArchiveError::io("write", path)(io::Error::from(error)))
}

/// Opens a file for reading. An archive may come from anybody: a pipe in it
/// would block the reader, and a device might never end.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
}

/// The largest file beside manifest and packs. The longest names every damaged frame.
const LARGEST_NOTE: u64 = 64 << 20;

/// Reads a file beside manifest and packs, whatever size it claims to have.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.take(LARGEST_NOTE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_NOTE {
        return Err(TooLargeError { bytes: None, limit: LARGEST_NOTE }.into());
    }
    Ok(bytes)
}

/// Replaces a file's content atomically.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), ArchiveError> {
    let mut name = path.as_os_str().to_owned();
    name.push(UNFINISHED);
    replace_from(&PathBuf::from(name), path, bytes)
}

/// Like [`replace`], with a temporary name chosen by the caller.
pub(crate) fn replace_from(beside: &Path, path: &Path, bytes: &[u8]) -> Result<(), ArchiveError> {
    let written = || -> Result<(), ArchiveError> {
        // A leftover of an interrupted write may be a longer file, or a link.
        remove(beside)?;
        let mut file = open_own(beside)?;
        file.write_all(bytes)
            .and_then(|()| make_content_durable(&file))
            .map_err(ArchiveError::io("write", beside))?;
        fs::rename(beside, path).map_err(ArchiveError::io("replace", path))
    };
    written().inspect_err(|_| drop(fs::remove_file(beside)))?;
    sync_folder(path.parent().unwrap_or(path))
}

/// Makes names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), ArchiveError> {
    let synced = File::open(folder).and_then(|folder| make_durable(&folder));
    synced.map_err(ArchiveError::io("make durable", folder))
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), ArchiveError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ArchiveError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}
