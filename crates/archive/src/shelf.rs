//! The archive as a shelf: code that reads through it finds archived files
//! under their original paths.
//!
//! It is opened on first use, and most commands never use it. Files of roots
//! that are not configured today (another machine's, an unmounted disk) get
//! paths below the archive's own folder, where nothing exists.

use crate::archive::Archive;
use crate::failure::ArchiveError;
use crate::layout::Layout;
use crate::scope::ArchiveRoot;
use crate::state::{FileKey, Generation, State};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use store::{FileStat, Shelf, ShelfEntry, ShelfFile, ShelfStat};

/// An archive as fallback for the roots of a library.
#[derive(Debug)]
pub struct ArchiveShelf {
    folder: PathBuf,
    areas: Vec<ArchiveRoot>,
    only_areas: bool,
    opened: OnceLock<FirstUse>,
}

/// The result of opening it on first use.
#[derive(Debug)]
struct FirstUse {
    stamp: Option<String>,
    opened: Result<Option<OpenedArchive>, ArchiveError>,
}

#[derive(Debug)]
struct OpenedArchive {
    archive: Arc<Archive>,
    state: Arc<State>,
    roots: Vec<PathBuf>,
    files: HashMap<PathBuf, FileKey>,
    folders: HashMap<PathBuf, Vec<ShelfEntry>>,
}

impl ArchiveShelf {
    /// The archive in a folder, as fallback for these roots. With `only_areas`,
    /// files of other roots are left out.
    pub fn new(folder: PathBuf, areas: Vec<ArchiveRoot>, only_areas: bool) -> ArchiveShelf {
        ArchiveShelf { folder, areas, only_areas, opened: OnceLock::new() }
    }

    /// Why opening it failed, if it was used and failed.
    pub fn error(&self) -> Option<&ArchiveError> {
        self.opened.get()?.opened.as_ref().err()
    }

    fn opened(&self) -> Option<&OpenedArchive> {
        let first_use = self.opened.get_or_init(|| {
            let stamp = self.stamp_now();
            let opened = match Archive::open(&self.folder) {
                Ok(archive) => Ok(Some(self.map_files(archive))),
                Err(ArchiveError::Missing { .. }) => Ok(None),
                Err(error) => Err(error),
            };
            FirstUse { stamp, opened }
        });
        first_use.opened.as_ref().ok()?.as_ref()
    }

    /// Every change of the archive adds a line to the manifest or replaces the
    /// manifest.
    fn stamp_now(&self) -> Option<String> {
        match std::fs::symlink_metadata(Layout::new(&self.folder).manifest()) {
            Ok(metadata) => {
                let stat = FileStat::of(&metadata);
                Some(format!("{} {} {:?}", stat.bytes, stat.modified, stat.identity()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some("none".to_owned()),
            Err(_) => None,
        }
    }

    fn map_files(&self, archive: Archive) -> OpenedArchive {
        let state = archive.state();
        let mut roots_by_number: BTreeMap<u32, Vec<ArchiveRoot>> = BTreeMap::new();
        let mut roots = Vec::new();
        // Derived from the files: a root whose own line is damaged still has
        // files.
        let numbers: BTreeSet<u32> = state.files().map(|((number, _), _)| *number).collect();
        for number in &numbers {
            let own = self.areas.iter().filter(|area| state.root_of(area) == Some(*number));
            let mut own: Vec<ArchiveRoot> = own.cloned().collect();
            if own.is_empty() && !self.only_areas {
                own.push(ArchiveRoot::elsewhere(
                    self.folder.join("roots").join(number.to_string()),
                ));
            }
            let of_claude = own.iter().filter(|area| !area.is_of_app());
            roots.extend(of_claude.map(|area| area.folder().to_owned()));
            roots_by_number.insert(*number, own);
        }
        let mut files = HashMap::new();
        let mut folders: HashMap<PathBuf, Vec<ShelfEntry>> = HashMap::new();
        let mut known: HashSet<PathBuf> = HashSet::new();
        for (key, _) in state.files() {
            for area in roots_by_number.get(&key.0).into_iter().flatten() {
                let Some(path) = area.path(&key.1) else { continue };
                note(&path, false, area.folder(), &mut folders, &mut known);
                files.insert(path, key.clone());
            }
        }
        OpenedArchive { archive: Arc::new(archive), state, roots, files, folders }
    }
}

/// Adds a file to its folder, and the folder to its parent, up to the root.
fn note(
    path: &Path,
    is_folder: bool,
    root: &Path,
    folders: &mut HashMap<PathBuf, Vec<ShelfEntry>>,
    known: &mut HashSet<PathBuf>,
) {
    let (mut path, mut is_folder) = (path, is_folder);
    while path != root
        && let (Some(parent), Some(name)) = (path.parent(), path.file_name())
    {
        if is_folder && !known.insert(path.to_owned()) {
            return;
        }
        let entry = ShelfEntry { name: OsString::from(name), is_folder };
        folders.entry(parent.to_owned()).or_default().push(entry);
        (path, is_folder) = (parent, true);
    }
}

impl OpenedArchive {
    /// The version to read: the newest that is not empty.
    fn version(&self, path: &Path) -> Option<&Generation> {
        let generations = self.state.files.get(self.files.get(path)?)?;
        let full = generations.iter().rev().find(|known| !known.frames.is_empty());
        full.or(generations.last())
    }
}

impl Shelf for ArchiveShelf {
    fn roots(&self) -> Vec<PathBuf> {
        self.opened().map(|opened| opened.roots.clone()).unwrap_or_default()
    }

    fn entries(&self, folder: &Path) -> Vec<ShelfEntry> {
        let entries = self.opened().and_then(|opened| opened.folders.get(folder));
        entries.cloned().unwrap_or_default()
    }

    fn find(&self, path: &Path) -> Option<ShelfStat> {
        let version = self.opened()?.version(path)?;
        Some(ShelfStat { bytes: version.bytes(), modified: version.seen.modified })
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ShelfFile>> {
        let opened = self.opened().ok_or(io::ErrorKind::NotFound)?;
        let version = opened.version(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(opened.archive.read(version)))
    }

    fn stamp(&self) -> Option<String> {
        match self.opened.get() {
            None => self.stamp_now(),
            // The next call may return another value.
            Some(first_use) if first_use.opened.is_err() => None,
            Some(first_use) => first_use.stamp.clone(),
        }
    }
}
