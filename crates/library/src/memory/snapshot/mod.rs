//! The caches behind a quick search: how a search knows, without listing a folder or
//! reading a file, that nothing changed.
//!
//! A search in a large store has some tens of milliseconds. Listing every folder and
//! reading the rows of every file takes longer than the search itself, so four caches
//! answer the question "is the index up to date?". Each is valid only as long as
//! something cheap to check is unchanged, and every miss leads to the slow path,
//! which is always right.
//!
//! **1. The snapshot of files** ([`index::FileSnapshot`], in the index). When folders
//! were listed for the index, it writes down which folders those were and which of its
//! files lie in each, with the stamp (size, times, inode) that each file had when it was
//! read to its end. The snapshot is stored under a key ([`Memory::listing_key`]):
//! roots, archive, and the version of the walk. Another key is another snapshot; with
//! exclude patterns or a single transcript as root there is none, because then more
//! than names decides which files count.
//! *Valid* while the key is the same and every folder in it has the stamp it had. A
//! row of a file and its entry in the snapshot are written in one transaction. When
//! files come, go or turn out to be another session's, all snapshots are deleted before
//! anything else is written.
//!
//! **2. Stamps of folders** ([`store::FolderStamp`], in the snapshot). The times of a
//! folder change when a name in it comes, goes or is renamed. The same stamp therefore
//! means the same names, with one exception: clocks of file systems tick in steps, and
//! two changes within a step look like one. So a folder counts only if it had been quiet
//! for two seconds when it was listed ([`store::ListedFolders`]); if one had not, no
//! snapshot is written and the next search lists again. Folders that were looked for
//! and were not there are in the snapshot too, as absent.
//!
//! **3. The memo** ([`index::Memo`], [`Memory::memo`]). For each transcript the index
//! has the folded API calls and the number of prompts. Usage takes these for files
//! whose stamps are unchanged and reads the others. It is loaded once per [`Memory`];
//! stamps are compared at every use.
//!
//! **4. Directory handles** ([`store::DirHandle`], in memory, for one check). The paths
//! of a store share a long beginning. A handle on the shared folder lets the kernel
//! resolve only the rest of each path, which saves a seventh of a check. Nothing
//! is remembered in it, so nothing can be out of date.
//!
//! A check ([`changed`]) walks the snapshot: one `stat` for each folder and each file,
//! about 1.5 µs each. Its outcomes:
//! - a folder's stamp differs → `None`: list the folders again
//!   ([`text_files`](crate::stores::text_files));
//! - only files' stamps differ → those files: they are read on, no folder is listed;
//! - nothing differs → an empty list: the index answers, read-only and without a lock.
//!
//! Archived files are not checked: the archive's own stamp is part of the key. An agent
//! that names no session yet may name one when it grows; if such a file changes, the
//! folders are listed again.
//!
//! Deliberately not here: reading files and writing the index
//! ([`index`](crate::search::index)).

pub(crate) mod memo;
#[cfg(test)]
mod tests;

use crate::memory::Memory;
use index::{FileSnapshot, IndexError, Listing, Searcher, SnapshotFile, Stamp};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;
use store::{DirHandle, ListedFolder, Shelf as _};

/// The version of the walk: to be raised when it lists other folders, so that no
/// snapshot from before is used.
const VERSION: u32 = 2;

impl Memory {
    /// What decides which folders are listed; `None` if more than that decides which
    /// files count.
    pub(crate) fn listing_key(&self) -> Option<String> {
        let stamp = match &self.stores.options.shelf {
            Some(behind) => behind.stamp()?,
            None => String::new(),
        };
        let apps = match &self.stores.apps {
            Some(apps) => apps.stamp()?,
            None => String::new(),
        };
        let is_plain = self.stores.options.exclude.is_empty()
            && self.stores.roots.iter().all(|root| root.transcript().is_none());
        let is_explicit = self.stores.has_explicit_roots();
        // Which apps are looked for in the archive.
        let homes: Vec<&Path> =
            self.stores.options.apps.iter().map(|home| home.path.as_path()).collect();
        let roots = &self.stores.roots;
        is_plain.then(|| format!("{VERSION} {is_explicit} {stamp}{apps} {roots:?} {homes:?}"))
    }

    /// The snapshot of the files of the index, if there is one.
    pub(crate) fn file_snapshot(
        &self,
        searcher: &Searcher,
    ) -> Result<Option<Arc<FileSnapshot>>, IndexError> {
        let key = self.listing_key();
        Ok(key.map(|key| searcher.file_snapshot(&key)).transpose()?.flatten())
    }

    /// The folders that sources were found in, for a snapshot; `None` if one of them
    /// may have changed since.
    pub(crate) fn listing_of(
        &self,
        key: Option<String>,
        is_all_listed: bool,
        listed: Vec<ListedFolder>,
    ) -> Option<Listing> {
        let is_whole = is_all_listed
            && listed.iter().all(|folder| folder.is_settled)
            && !self.stores.archived_roots().iter().any(|root| self.stores.is_known_root(root));
        let folders = listed.into_iter().map(|folder| (folder.path, folder.stamp)).collect();
        key.filter(|_| is_whole).map(|key| Listing { key, folders })
    }
}

/// Hands over the present stamp of every file of a snapshot; `None` if there may be
/// other files than those.
pub(crate) fn stamp_again(
    snapshot: &FileSnapshot,
    mut each: impl FnMut(SnapshotFile<'_>, Stamp),
) -> Option<()> {
    let mut dir_handle = DirHandle::default();
    let mut path = Vec::new();
    for folder in &snapshot.folders {
        dir_handle.open(&folder.path);
        if dir_handle.folder_stamp(&folder.path).ok() != Some(folder.stamp()) {
            return None;
        }
        path.clear();
        path.extend(folder.path.as_os_str().as_bytes());
        path.push(b'/');
        let end = path.len();
        for file in folder.files() {
            let now = if file.is_archive_only {
                file.stamp?
            } else {
                path.truncate(end);
                path.extend(file.name.as_bytes());
                dir_handle.file_stat(Path::new(OsStr::from_bytes(&path))).ok().flatten()?.into()
            };
            if file.is_session_unknown && file.stamp != Some(now) {
                return None;
            }
            each(file, now);
        }
    }
    Some(())
}

/// Files whose stamps changed, by their numbers in the index, with the new stamps.
pub(crate) type Changed = Vec<(i64, Stamp)>;

/// The files of a snapshot whose stamps changed; `None` if there may be other files.
pub(crate) fn changed(snapshot: &FileSnapshot) -> Option<Changed> {
    let mut changed = Vec::new();
    stamp_again(snapshot, |file, stamp| {
        if file.stamp != Some(stamp) {
            changed.push((file.id, stamp));
        }
    })?;
    Some(changed)
}
