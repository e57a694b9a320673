//! Where the files of an app are read: on disk, or in the archive.

use index::Stamp;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{FileStat, Shelf};

/// How many folders deep files are looked for.
const DEPTH: usize = 5;

/// The largest file that is read whole: a larger one is not a session.
const LARGEST: u64 = 4 * 1024 * 1024 * 1024;

/// Where the files of an app are read.
#[derive(Clone, Debug)]
pub(crate) enum AppFiles {
    /// On disk.
    Disk,
    /// In the archive, under the paths that they had on disk.
    Archive(Arc<dyn Shelf>),
}

impl AppFiles {
    /// The regular files below a folder of an app, each with its path below `base`, whose parts
    /// are separated by `/`. Links are not followed, and names that are not text are left out.
    pub(super) fn below(&self, base: &Path, folder: &str) -> Vec<(String, PathBuf)> {
        let mut found = Vec::new();
        let mut folders = vec![(folder.to_owned(), base.join(folder), 0)];
        while let Some((name, path, depth)) = folders.pop() {
            for (own, is_folder) in self.entries(&path) {
                let below = format!("{name}/{own}");
                let path = path.join(own);
                if !is_folder {
                    found.push((below, path));
                } else if depth < DEPTH {
                    folders.push((below, path, depth + 1));
                }
            }
        }
        found.sort();
        found
    }

    /// The names of the files and folders in a folder, and which of them are folders.
    fn entries(&self, folder: &Path) -> Vec<(String, bool)> {
        match self {
            AppFiles::Disk => {
                let entries = fs::read_dir(folder).into_iter().flatten().flatten();
                let entries = entries.filter_map(|entry| {
                    let kind = entry.file_type().ok()?;
                    let name = entry.file_name().into_string().ok()?;
                    (kind.is_dir() || kind.is_file()).then_some((name, kind.is_dir()))
                });
                entries.collect()
            }
            AppFiles::Archive(archive) => {
                let entries = archive.entries(folder).into_iter();
                let entries = entries
                    .filter_map(|entry| Some((entry.name.into_string().ok()?, entry.is_folder)));
                entries.collect()
            }
        }
    }

    /// The stamp of a file; `None` if it is gone or not a regular file.
    pub(super) fn stamp(&self, path: &Path) -> Option<Stamp> {
        match self {
            AppFiles::Disk => {
                let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
                Some(FileStat::of(&metadata).into())
            }
            AppFiles::Archive(archive) => archive.find(path).map(Stamp::from),
        }
    }

    /// Opens a regular file, not a link.
    pub(super) fn open(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        match self {
            AppFiles::Disk => Ok(Box::new(store::open_regular(path)?.0)),
            AppFiles::Archive(archive) => Ok(Box::new(archive.open(path)?)),
        }
    }

    /// Reads a regular file whole.
    pub(super) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let size = self.stamp(path).ok_or(io::ErrorKind::NotFound)?.bytes;
        if size > LARGEST {
            return Err(io::Error::other("it is too large for a session"));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
        self.open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The versions of a file beside sessions, which may have changed since those were written:
    /// the archived one, then the one on disk.
    pub(super) fn versions(&self, path: &Path) -> Vec<Vec<u8>> {
        let archived = (!self.is_disk()).then(|| self.read(path).ok()).flatten();
        archived.into_iter().chain(AppFiles::Disk.read(path).ok()).collect()
    }

    /// Whether the files are on disk.
    pub(super) fn is_disk(&self) -> bool {
        matches!(self, AppFiles::Disk)
    }
}
