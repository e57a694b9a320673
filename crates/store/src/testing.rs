//! Shelves for the tests of code that reads through [`Files`](crate::Files), and a progress
//! that stops calls.
//!
//! They are here and not in the test kit because this crate's own tests need
//! both: a test kit that knew this crate could not be packaged before it, nor
//! this crate before its test kit.

#![expect(clippy::missing_panics_doc, reason = "a test that cannot make its shelf should stop")]

use crate::files::{Shelf, ShelfEntry, ShelfFile, ShelfStat};
use crate::progress::Progress;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A shelf that holds its files in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryShelf {
    roots: Vec<PathBuf>,
    files: BTreeMap<PathBuf, (Vec<u8>, Timestamp)>,
}

impl MemoryShelf {
    /// Copies every file that is below a configuration folder now.
    pub fn of(root: &Path) -> Self {
        let mut shelf = MemoryShelf { roots: vec![root.to_owned()], files: BTreeMap::new() };
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let metadata = fs::symlink_metadata(&path).expect("metadata");
                if metadata.is_dir() {
                    folders.push(path);
                } else if metadata.is_file() {
                    let modified = metadata.modified().expect("a time");
                    let bytes = fs::read(&path).expect("a file");
                    shelf.files.insert(path, (bytes, modified.try_into().expect("a time")));
                }
            }
        }
        shelf
    }

    /// Moves all files to the same paths below another root.
    #[must_use]
    pub fn moved_to(self, root: &Path) -> Self {
        let old = self.roots[0].clone();
        let moved = |path: PathBuf| root.join(path.strip_prefix(&old).expect("below the root"));
        let files = self.files.into_iter().map(|(path, file)| (moved(path), file)).collect();
        MemoryShelf { roots: vec![root.to_owned()], files }
    }

    /// Adds a file.
    #[must_use]
    pub fn with(mut self, path: PathBuf, bytes: impl AsRef<[u8]>) -> Self {
        self.files.insert(path, (bytes.as_ref().to_owned(), Timestamp::UNIX_EPOCH));
        self
    }
}

impl Shelf for MemoryShelf {
    fn roots(&self) -> Vec<PathBuf> {
        self.roots.clone()
    }

    fn entries(&self, folder: &Path) -> Vec<ShelfEntry> {
        let below = self.files.keys().filter_map(|path| path.strip_prefix(folder).ok());
        let names = below.filter_map(|rest| {
            let mut parts = rest.iter();
            let name = parts.next()?.to_owned();
            Some(ShelfEntry { name, is_folder: parts.next().is_some() })
        });
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn find(&self, path: &Path) -> Option<ShelfStat> {
        let (bytes, modified) = self.files.get(path)?;
        Some(ShelfStat { bytes: bytes.len() as u64, modified: *modified })
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ShelfFile>> {
        let (bytes, _) = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Cursor::new(bytes.clone())))
    }
}

/// A shelf that panics when it is read: for tests that the disk alone answers.
#[derive(Clone, Copy, Debug)]
pub struct PanickingShelf;

impl Shelf for PanickingShelf {
    fn roots(&self) -> Vec<PathBuf> {
        panic!("asked for its roots");
    }

    fn entries(&self, folder: &Path) -> Vec<ShelfEntry> {
        panic!("asked what is in {}", folder.display());
    }

    fn find(&self, path: &Path) -> Option<ShelfStat> {
        panic!("asked for {}", path.display());
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ShelfFile>> {
        panic!("asked to open {}", path.display());
    }
}

/// A progress that is cancelled after it was asked a number of times, so that tests can stop
/// a call in the middle of its work without a clock.
#[derive(Debug)]
pub struct CancelAfter {
    most: usize,
    asked: AtomicUsize,
    left_out: AtomicUsize,
}

impl CancelAfter {
    /// Is cancelled when it has been asked this many times.
    pub fn new(most: usize) -> Self {
        CancelAfter { most, asked: AtomicUsize::new(0), left_out: AtomicUsize::new(0) }
    }

    /// How many sessions or files were left out.
    pub fn left_out(&self) -> usize {
        self.left_out.load(Ordering::Relaxed)
    }
}

impl Progress for CancelAfter {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    fn is_cancelled(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.most
    }

    fn leave_out(&self) {
        self.left_out.fetch_add(1, Ordering::Relaxed);
    }
}
