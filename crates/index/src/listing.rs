//! Snapshots of the folders that indexed files were found in, with their stamps. A
//! folder with an unchanged stamp need not be listed again, and the snapshot is the
//! only part of the index that has to be read to see that nothing changed.
//!
//! The caller passes a key for everything that decides which folders are searched.
//! The rows of files are authoritative; a snapshot is updated whenever one of them is
//! written.

use crate::failure::IndexError;
use crate::path_bytes::{self, file_name, path_of_row};
use crate::source::{Source, SourceKind, Stamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use store::FolderStamp;

/// A list of the folders that files were found in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Identifies the settings that decided which folders were searched.
    pub key: String,
    /// Their paths and stamps; no stamp for a folder that did not exist.
    pub folders: Vec<(PathBuf, Option<FolderStamp>)>,
}

/// Whether a file of the index is visible to the caller, by its path and whether it is
/// only in the archive.
pub type VisibilityCheck<'s> = dyn Fn(&Path, bool) -> bool + Sync + 's;

/// A listing as read back from the index.
#[derive(Clone, Debug)]
pub struct FileSnapshot {
    /// The folders, each before its subfolders.
    pub folders: Vec<SnapshotFolder>,
    /// Whether these are exactly the files visible to the caller, and a large part of
    /// the index.
    pub is_all: bool,
}

/// A folder, and the files of the index in it.
#[derive(Clone, Debug)]
pub struct SnapshotFolder {
    /// Its path.
    pub path: PathBuf,
    /// Its stamp and its files.
    packed: Vec<u8>,
}

/// A file of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotFile<'r> {
    /// Its id.
    pub id: i64,
    /// Its name in its folder.
    pub name: Cow<'r, OsStr>,
    /// Its stamp when it was read to its end.
    pub stamp: Option<Stamp>,
    /// Whether it is only in the archive, no longer on disk.
    pub is_archive_only: bool,
    /// Whether its lines did not name its session when it was read; later lines may.
    pub is_session_unknown: bool,
}

/// The most listings stored; people use few combinations of settings.
const MOST_LISTINGS: i64 = 4;

/// The folders of listing N have ids from N times this number on.
const FOLDERS_PER_LISTING: i64 = 1 << 32;

/// Files with a smaller share of all bytes count as a small part of the index.
const SMALL_SHARE: f64 = 0.3;

impl FileSnapshot {
    /// The ids of its files, sorted.
    pub fn ids(&self) -> Vec<i64> {
        let files = self.folders.iter().flat_map(SnapshotFolder::files);
        let mut ids: Vec<i64> = files.map(|file| file.id).collect();
        ids.sort_unstable();
        ids
    }
}

/// The length of a packed folder stamp.
const PACKED_STAMP: usize = 1 + 4 * 8;

impl SnapshotFolder {
    /// Its stamp; `None` if it did not exist.
    pub fn stamp(&self) -> Option<FolderStamp> {
        let fixed: &[u8; PACKED_STAMP] = self.packed.first_chunk()?;
        (fixed[0] != 0).then(|| FolderStamp {
            modified: number(&fixed[1..], 0),
            changed: number(&fixed[1..], 1),
            inode: number(&fixed[1..], 2).cast_unsigned(),
            device: number(&fixed[1..], 3).cast_unsigned(),
        })
    }

    /// The files in it.
    pub fn files(&self) -> impl Iterator<Item = SnapshotFile<'_>> {
        let mut rest = self.packed.get(PACKED_STAMP..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (file, others) = SnapshotFile::unpack(rest)?;
            rest = others;
            Some(file)
        })
    }
}

fn pack_stamp(stamp: Option<FolderStamp>) -> Vec<u8> {
    let numbers = stamp.map_or([0; 4], |stamp| {
        [stamp.modified, stamp.changed, stamp.inode.cast_signed(), stamp.device.cast_signed()]
    });
    let mut packed = vec![u8::from(stamp.is_some())];
    packed.extend(numbers.into_iter().flat_map(i64::to_le_bytes));
    packed
}

/// The 8-byte number at a position among those that some bytes begin with.
fn number(bytes: &[u8], position: usize) -> i64 {
    let bytes = bytes.get(position * 8..).and_then(<[u8]>::first_chunk);
    i64::from_le_bytes(bytes.copied().unwrap_or_default())
}

/// The length of a packed file without its name.
const FIXED: usize = 6 * 8 + 1 + 4;

impl<'r> SnapshotFile<'r> {
    fn pack(&self, into: &mut Vec<u8>) {
        let stamp = self.stamp.unwrap_or_default();
        let (inode, device, changed) = stamp.identity;
        let name = path_bytes::of(&self.name);
        for number in [
            self.id,
            stamp.bytes.cast_signed(),
            stamp.modified,
            inode.cast_signed(),
            device.cast_signed(),
            changed,
        ] {
            into.extend(number.to_le_bytes());
        }
        let flags = [self.stamp.is_some(), self.is_archive_only, self.is_session_unknown];
        into.push(flags.into_iter().rev().fold(0, |flags, flag| flags << 1 | u8::from(flag)));
        into.extend(u32::try_from(name.len()).unwrap_or(u32::MAX).to_le_bytes());
        into.extend_from_slice(&name);
    }

    /// Unpacks the first file, and returns the remaining bytes.
    fn unpack(packed: &'r [u8]) -> Option<(SnapshotFile<'r>, &'r [u8])> {
        let (fixed, rest) = packed.split_at_checked(FIXED)?;
        let number = |position| number(fixed, position);
        let flags = fixed[48];
        let length = u32::from_le_bytes(*fixed[49..].first_chunk()?);
        let (name, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        let stamp = Stamp {
            bytes: number(1).cast_unsigned(),
            modified: number(2),
            identity: (number(3).cast_unsigned(), number(4).cast_unsigned(), number(5)),
        };
        let file = SnapshotFile {
            id: number(0),
            name: path_bytes::to_name(name),
            stamp: Some(stamp).filter(|_| flags & 1 != 0),
            is_archive_only: flags & 2 != 0,
            is_session_unknown: flags & 4 != 0,
        };
        Some((file, rest))
    }
}

/// The columns of a file's row that a snapshot needs.
const FILE: &str = "id, path, bytes, modified, inode, device, changed, is_kept, kind, session";

/// The path and packed facts of a file.
fn file_of_row<'r>(row: &'r Row<'_>) -> rusqlite::Result<(Cow<'r, Path>, SnapshotFile<'r>)> {
    let path = path_of_row(row, 1)?;
    let kind = SourceKind::of_name(row.get_ref(8)?.as_str()?);
    let has_no_session = row.get_ref(9)? == rusqlite::types::ValueRef::Null;
    let file = SnapshotFile {
        id: row.get(0)?,
        name: file_name(&path),
        stamp: Stamp::of_row(row, 2)?,
        is_archive_only: row.get(7)?,
        is_session_unknown: kind == Some(SourceKind::Agent) && has_no_session,
    };
    Ok((path, file))
}

/// Folders with the files in each, packed.
type Packed<'l> = HashMap<&'l Path, Vec<u8>>;

impl Listing {
    /// Stores the listing, replacing the previous one with this key and the oldest one if
    /// there are too many. Does nothing if the indexed files in its folders differ from
    /// the sources that were found in them.
    pub(crate) fn write(
        &self,
        connection: &mut Connection,
        sources: &[Source],
        shows: &VisibilityCheck<'_>,
    ) -> Result<(), IndexError> {
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let Some((files, is_all)) = self.files(&transaction, sources, shows)? else {
            return Ok(());
        };
        let id: i64 =
            transaction
                .query_row("SELECT coalesce(max(id), 0) + 1 FROM listing", [], |row| row.get(0))?;
        transaction.execute(
            "DELETE FROM listing WHERE key = ? OR id <= ?",
            params![self.key, id - MOST_LISTINGS],
        )?;
        // Before inserting the new one, whose ids must be free.
        transaction.execute(
            "DELETE FROM folder WHERE id / ? NOT IN (SELECT id FROM listing)",
            [FOLDERS_PER_LISTING],
        )?;
        transaction.execute(
            "INSERT INTO listing (id, key, is_all) VALUES (?, ?, ?)",
            params![id, self.key, is_all],
        )?;
        let mut insert =
            transaction.prepare("INSERT INTO folder (id, path, roll) VALUES (?, ?, ?)")?;
        for (number, (path, _)) in (id * FOLDERS_PER_LISTING..).zip(&self.folders) {
            let packed = files.get(path.as_path()).map(Vec::as_slice).unwrap_or_default();
            // Normalized like the parent of a file's path.
            let path = path_bytes::of(path.components().as_path());
            insert.execute(params![number, path, packed])?;
        }
        drop(insert);
        Ok(transaction.commit()?)
    }

    /// The folders with their files, packed, and whether these are exactly the visible
    /// files and a large part of the index; `None` if they differ from the sources.
    fn files(
        &self,
        transaction: &Transaction<'_>,
        sources: &[Source],
        shows: &VisibilityCheck<'_>,
    ) -> Result<Option<(Packed<'_>, bool)>, IndexError> {
        let sources: HashMap<&Path, &Source> =
            sources.iter().map(|source| (source.path.as_path(), source)).collect();
        let mut files: Packed<'_> =
            self.folders.iter().map(|(path, stamp)| (path.as_path(), pack_stamp(*stamp))).collect();
        let (mut is_exact, mut count) = (true, 0);
        let (mut own, mut all) = (0, 0);
        let mut statement = transaction.prepare(&format!("SELECT {FILE} FROM file"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (path, file) = file_of_row(row)?;
            let folder = path.parent().and_then(|folder| files.get_mut(folder));
            let bytes = file.stamp.map_or(0, |stamp| stamp.bytes);
            all += bytes;
            is_exact &= folder.is_some() == shows(&path, file.is_archive_only);
            if let Some(folder) = folder {
                let (kind, session): (String, Option<String>) = (row.get(8)?, row.get(9)?);
                let is_known = sources.get(&*path).is_some_and(|source| {
                    file.stamp == Some(source.stamp)
                        && source.matches_row(&kind, session.as_deref(), file.is_archive_only)
                });
                if !is_known {
                    return Ok(None);
                }
                count += 1;
                own += bytes;
                file.pack(folder);
            }
        }
        let is_same = count == sources.len();
        Ok(is_same.then(|| (files, is_exact && !is_small(own, all))))
    }
}

/// Whether some bytes are a small part of all bytes.
pub(crate) fn is_small(own: u64, all: u64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
    let is_small = (own as f64) < SMALL_SHARE * all as f64;
    is_small
}

/// Deletes all listings, because files were added, removed or replaced: listings with
/// other keys may contain them or lack them.
pub(crate) fn delete_all(connection: &mut Connection) -> Result<(), IndexError> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    transaction.execute("DELETE FROM listing", [])?;
    transaction.execute("DELETE FROM folder", [])?;
    Ok(transaction.commit()?)
}

/// Updates a file in all listings from its row.
pub(crate) fn update_file(connection: &Connection, id: i64) -> rusqlite::Result<()> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT {FILE} FROM file WHERE id = ?"))?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(()) };
    let (path, updated) = file_of_row(row)?;
    let folder = path_bytes::of(path.parent().unwrap_or(&path));
    let listed = connection
        .prepare_cached("SELECT id, roll FROM folder WHERE path = ?")?
        .query_map([folder], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(i64, Vec<u8>)>>>()?;
    for (number, packed) in listed {
        let folder = SnapshotFolder { path: PathBuf::new(), packed };
        let mut packed = pack_stamp(folder.stamp());
        for file in folder.files() {
            let file = if file.id == id { &updated } else { &file };
            file.pack(&mut packed);
        }
        connection
            .prepare_cached("UPDATE folder SET roll = ? WHERE id = ?")?
            .execute(params![packed, number])?;
    }
    Ok(())
}

/// The snapshot stored under a key.
pub(crate) fn read(connection: &Connection, key: &str) -> Result<Option<FileSnapshot>, IndexError> {
    let found: Option<(i64, bool)> = connection
        .query_row("SELECT id, is_all FROM listing WHERE key = ?", [key], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let Some((id, is_all)) = found else { return Ok(None) };
    let mut statement =
        connection.prepare("SELECT path, roll FROM folder WHERE id >= ? AND id < ? ORDER BY id")?;
    let rows =
        statement.query_map([id * FOLDERS_PER_LISTING, (id + 1) * FOLDERS_PER_LISTING], |row| {
            let path = path_of_row(row, 0)?.into_owned();
            Ok(SnapshotFolder { path, packed: row.get_ref(1)?.as_blob()?.to_vec() })
        })?;
    Ok(Some(FileSnapshot { folders: rows.collect::<Result<_, _>>()?, is_all }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_unpacked_as_they_were_packed() {
        let stamp = Stamp { bytes: 7, modified: -3, identity: (u64::MAX, 2, i64::MIN) };
        let file = SnapshotFile {
            id: 5,
            name: path_bytes::to_name(b"\0ff\n"),
            stamp: Some(stamp),
            is_archive_only: true,
            is_session_unknown: false,
        };
        let others = [
            SnapshotFile { stamp: None, ..file.clone() },
            SnapshotFile {
                is_archive_only: false,
                is_session_unknown: true,
                name: Cow::Borrowed(OsStr::new("")),
                ..file.clone()
            },
        ];
        let stamp = FolderStamp { modified: -1, changed: 2, inode: u64::MAX, device: 4 };
        for stamp in [None, Some(stamp)] {
            let mut packed = pack_stamp(stamp);
            for file in [&file, &others[0], &others[1]] {
                file.pack(&mut packed);
            }
            let folder =
                |packed: &[u8]| SnapshotFolder { path: PathBuf::new(), packed: packed.to_vec() };
            let whole = folder(&packed);
            assert_eq!(whole.stamp(), stamp);
            let expected = [file.clone(), others[0].clone(), others[1].clone()];
            assert_eq!(whole.files().collect::<Vec<_>>(), expected);
            // Truncated bytes give fewer files, and never wrong ones.
            for end in 0..packed.len() {
                let cut = folder(&packed[..end]);
                let known: Vec<_> = cut.files().collect();
                assert!(known.len() < 3 && whole.files().collect::<Vec<_>>().starts_with(&known));
            }
        }
    }
}
