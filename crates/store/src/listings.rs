//! The names in folders, valid as long as the folders' stamps stay the same.
//!
//! A folder's times change with the names in it, so an unchanged stamp means
//! unchanged names. That holds only if the folder had been quiet for a moment when
//! it was listed: clocks of file systems tick in steps, and a name added within
//! the same step leaves no trace.

use crate::files::FileEntry;
use crate::platform::{Inode, Links};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a folder must have been quiet before it was listed.
const QUIET: Duration = Duration::from_secs(2);

/// The status of a folder: enough to see that names in it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FolderStamp {
    /// When it was modified, in nanoseconds.
    pub modified: i64,
    /// When it was changed in any way, in nanoseconds.
    pub changed: i64,
    /// Its inode.
    pub inode: u64,
    /// Its device.
    pub device: u64,
}

impl FolderStamp {
    /// The stamp of a folder, or of the folder a link points to; `None` if there is no
    /// folder.
    pub fn of(path: &Path) -> io::Result<Option<FolderStamp>> {
        FolderStamp::of_inode(Inode::at(path, Links::Followed))
    }

    pub(crate) fn of_inode(found: io::Result<Inode>) -> io::Result<Option<FolderStamp>> {
        let inode = match found {
            Ok(inode) => inode,
            Err(error) if crate::files::is_not_found(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        let nanoseconds = |(seconds, rest): (i64, i64)| {
            seconds.saturating_mul(1_000_000_000).saturating_add(rest)
        };
        Ok(inode.is_folder.then(|| FolderStamp {
            modified: nanoseconds(inode.modified),
            changed: nanoseconds(inode.changed),
            inode: inode.number,
            device: inode.device,
        }))
    }

    /// Whether the folder had been quiet for long enough when it was listed.
    fn is_settled(self, listed: SystemTime) -> bool {
        let quiet_since = listed
            .checked_sub(QUIET)
            .and_then(|time| i64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok());
        quiet_since.is_some_and(|since| self.modified.max(self.changed) < since)
    }
}

/// The stamps of folders, and the names in them at that time.
type Known = HashMap<PathBuf, (FolderStamp, Arc<[FileEntry]>)>;

/// The names in folders when they were last listed.
#[derive(Debug, Default)]
pub(crate) struct Listings(Mutex<Known>);

impl Listings {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names in a folder: from memory if its stamp is unchanged, else from
    /// `list`.
    pub(crate) fn list(
        &self,
        folder: &Path,
        list: impl FnOnce() -> io::Result<Vec<FileEntry>>,
    ) -> io::Result<Vec<FileEntry>> {
        let now = SystemTime::now();
        let stamp = FolderStamp::of(folder).ok().flatten();
        if let Some((then, entries)) = self.known().get(folder)
            && stamp == Some(*then)
        {
            return Ok(entries.to_vec());
        }
        let entries = list()?;
        if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(now)) {
            self.known().insert(folder.to_owned(), (stamp, entries.clone().into()));
        }
        Ok(entries)
    }
}

/// A folder that was listed, or looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFolder {
    /// Its path.
    pub path: PathBuf,
    /// Its stamp just before it was listed; `None` if it did not exist.
    pub stamp: Option<FolderStamp>,
    /// Whether an unchanged stamp proves unchanged names.
    pub is_settled: bool,
}

/// The folders that were listed for a result, which stays valid as long as none of them
/// changes.
#[derive(Clone, Debug, Default)]
pub struct ListedFolders(Arc<Mutex<Vec<ListedFolder>>>);

impl ListedFolders {
    pub(crate) fn record(&self, folder: &Path) {
        let now = SystemTime::now();
        let stamp = FolderStamp::of(folder);
        let is_settled =
            stamp.as_ref().is_ok_and(|stamp| stamp.is_none_or(|stamp| stamp.is_settled(now)));
        let recorded =
            ListedFolder { path: folder.to_owned(), stamp: stamp.unwrap_or_default(), is_settled };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(recorded);
    }

    /// Records a folder that could not be read: anything may be in it.
    pub(crate) fn record_unread(&self, folder: &Path) {
        let recorded = ListedFolder { path: folder.to_owned(), stamp: None, is_settled: false };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(recorded);
    }

    /// The folders, each as it was when it was first listed.
    pub fn take(&self) -> Vec<ListedFolder> {
        let mut folders =
            std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        folders.sort_by(|one, two| one.path.as_os_str().cmp(two.path.as_os_str()));
        folders.dedup_by(|later, first| {
            let is_same = later.path == first.path;
            first.is_settled &= later.is_settled || !is_same;
            is_same
        });
        folders
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn stamp(seconds: i64) -> FolderStamp {
        let modified = seconds * 1_000_000_000;
        FolderStamp { modified, changed: modified, inode: 1, device: 1 }
    }

    #[test]
    fn folder_is_settled_if_it_was_quiet_before_the_listing() {
        let listed = UNIX_EPOCH + Duration::from_secs(100);
        assert!(stamp(97).is_settled(listed));
        assert!(!stamp(98).is_settled(listed));
        assert!(!stamp(100).is_settled(listed));
        // If the clock was set back, the stamp proves nothing.
        assert!(!stamp(500).is_settled(listed));
        let touched = FolderStamp { changed: stamp(99).changed, ..stamp(10) };
        assert!(!touched.is_settled(listed));
    }

    #[test]
    fn folder_with_one_failed_listing_is_not_settled() {
        let listed = ListedFolders::default();
        let (one, two) = (Path::new("/no/such/one"), Path::new("/no/such/two"));
        for folder in [one, two, one] {
            listed.record(folder);
        }
        listed.record_unread(one);
        let settled: Vec<bool> = listed.take().iter().map(|folder| folder.is_settled).collect();
        assert_eq!(settled, [false, true]);
    }

    #[test]
    fn changed_folder_is_listed_again() {
        let sandbox = testkit::Sandbox::new();
        let folder = sandbox.home();
        let old = SystemTime::now() - Duration::from_hours(1);
        let listings = Listings::default();
        let listed = std::cell::Cell::new(0);
        let list = || {
            listed.set(listed.get() + 1);
            Ok(Vec::new())
        };
        // Just created, so its names are not remembered.
        listings.list(&folder, list).expect("a listing");
        listings.list(&folder, list).expect("a listing");
        assert_eq!(listed.get(), 2);
        // The change time cannot be set, so a settled listing is inserted by hand.
        fs::File::open(&folder).expect("a folder").set_modified(old).expect("a time");
        let stamp = FolderStamp::of(&folder).expect("a stamp").expect("a folder");
        listings.known().insert(folder.clone(), (stamp, Vec::new().into()));
        listings.list(&folder, list).expect("a listing");
        assert_eq!(listed.get(), 2);
        let made = std::process::Command::new("mkdir").arg(folder.join("new")).status();
        assert!(made.expect("mkdir").success());
        listings.list(&folder, list).expect("a listing");
        assert_eq!(listed.get(), 3);
    }
}
