//! The folders that the files of the index were found in, and how those looked:
//! so that they need not be listed again while they look as they did, and so that
//! nothing else of the index need be read to see that nothing changed.
//!
//! What decides which folders are looked into is the caller's to say, as a key.
//! The rows of files remain what counts; what stands here is brought up to them
//! whenever one is written.

use crate::failure::IndexError;
use crate::source::{Source, SourceKind, Stamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use store::FolderStamp;

/// The folders that files were found in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// What decides which they are.
    pub key: String,
    /// Their paths, and how they looked; nothing for those that were not there.
    pub folders: Vec<(PathBuf, Option<FolderStamp>)>,
}

/// Whether a file of the index, by its path and whether it is only kept, is among
/// what a question is about.
pub type Shows<'s> = dyn Fn(&Path, bool) -> bool + Sync + 's;

/// What was remembered of a listing.
#[derive(Clone, Debug)]
pub struct FileSnapshot {
    /// The folders, each before those in it.
    pub folders: Vec<SnapshotFolder>,
    /// Whether whoever asks is shown these files and no others, and they are no
    /// small part of the index.
    pub is_all: bool,
}

/// A folder, and the files of the index in it.
#[derive(Clone, Debug)]
pub struct SnapshotFolder {
    /// Where it is.
    pub path: PathBuf,
    /// How it looked and what is in it.
    packed: Vec<u8>,
}

/// A file of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotFile<'r> {
    /// Its number.
    pub id: i64,
    /// Its name in its folder.
    pub name: &'r OsStr,
    /// How it looked when it was read to its end.
    pub stamp: Option<Stamp>,
    /// Whether it is gone from disk and only kept.
    pub is_kept: bool,
    /// Whether its own lines did not say whose it is, and may do so by now.
    pub is_anybodys: bool,
}

/// So many are remembered: a person looks from few places.
const MOST: i64 = 4;

/// Rows of a listing's folders have numbers from the listing's own on.
const ROOM: i64 = 1 << 32;

/// Files whose share of all is smaller than this are few.
const SMALL_SHARE: f64 = 0.3;

impl FileSnapshot {
    /// The numbers of its files, sorted.
    pub fn ids(&self) -> Vec<i64> {
        let files = self.folders.iter().flat_map(SnapshotFolder::files);
        let mut ids: Vec<i64> = files.map(|file| file.id).collect();
        ids.sort_unstable();
        ids
    }
}

/// Bytes of how a folder looked.
const FOLDER: usize = 1 + 4 * 8;

impl SnapshotFolder {
    /// How it looked; nothing if it was not there.
    pub fn stamp(&self) -> Option<FolderStamp> {
        let fixed: &[u8; FOLDER] = self.packed.first_chunk()?;
        (fixed[0] != 0).then(|| FolderStamp {
            modified: number(&fixed[1..], 0),
            changed: number(&fixed[1..], 1),
            inode: number(&fixed[1..], 2).cast_unsigned(),
            device: number(&fixed[1..], 3).cast_unsigned(),
        })
    }

    /// The files in it.
    pub fn files(&self) -> impl Iterator<Item = SnapshotFile<'_>> {
        let mut rest = self.packed.get(FOLDER..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (file, behind) = SnapshotFile::unpack(rest)?;
            rest = behind;
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

/// One of the numbers that some bytes begin with.
fn number(bytes: &[u8], place: usize) -> i64 {
    let bytes = bytes.get(place * 8..).and_then(<[u8]>::first_chunk);
    i64::from_le_bytes(bytes.copied().unwrap_or_default())
}

/// Bytes of what is told of a file before its name.
const FIXED: usize = 6 * 8 + 1 + 4;

impl<'r> SnapshotFile<'r> {
    fn pack(&self, into: &mut Vec<u8>) {
        let stamp = self.stamp.unwrap_or_default();
        let (inode, device, changed) = stamp.identity;
        let name = self.name.as_bytes();
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
        let flags = [self.stamp.is_some(), self.is_kept, self.is_anybodys];
        into.push(flags.into_iter().rev().fold(0, |flags, flag| flags << 1 | u8::from(flag)));
        into.extend(u32::try_from(name.len()).unwrap_or(u32::MAX).to_le_bytes());
        into.extend(name);
    }

    /// The first of some files, and the others.
    fn unpack(packed: &'r [u8]) -> Option<(SnapshotFile<'r>, &'r [u8])> {
        let (fixed, rest) = packed.split_at_checked(FIXED)?;
        let number = |place| number(fixed, place);
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
            name: OsStr::from_bytes(name),
            stamp: Some(stamp).filter(|_| flags & 1 != 0),
            is_kept: flags & 2 != 0,
            is_anybodys: flags & 4 != 0,
        };
        Some((file, rest))
    }
}

/// What a row of a file has to say here.
const FILE: &str = "id, path, bytes, modified, inode, device, changed, is_kept, kind, session";

/// The folder of a file, and the file.
fn file_of_row<'r>(row: &'r Row<'_>) -> rusqlite::Result<(&'r Path, SnapshotFile<'r>)> {
    let path = Path::new(OsStr::from_bytes(row.get_ref(1)?.as_blob()?));
    let kind = SourceKind::of_name(row.get_ref(8)?.as_str()?);
    let is_nobodys = row.get_ref(9)? == rusqlite::types::ValueRef::Null;
    let file = SnapshotFile {
        id: row.get(0)?,
        name: path.file_name().unwrap_or_default(),
        stamp: Stamp::of_row(row, 2)?,
        is_kept: row.get(7)?,
        is_anybodys: kind == Some(SourceKind::Agent) && is_nobodys,
    };
    Ok((path, file))
}

/// Folders with the files in each, packed.
type Packed<'l> = HashMap<&'l Path, Vec<u8>>;

impl Listing {
    /// Puts it in the place of the one before, and of the oldest one if there are
    /// many; not if the files in its folders are others by now than the sources that
    /// were found in them.
    pub(crate) fn write(
        &self,
        connection: &mut Connection,
        sources: &[Source],
        shows: &Shows<'_>,
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
            params![self.key, id - MOST],
        )?;
        // Before it is there itself, so that nothing of another is in its place.
        transaction
            .execute("DELETE FROM folder WHERE id / ? NOT IN (SELECT id FROM listing)", [ROOM])?;
        transaction.execute(
            "INSERT INTO listing (id, key, is_all) VALUES (?, ?, ?)",
            params![id, self.key, is_all],
        )?;
        let mut insert =
            transaction.prepare("INSERT INTO folder (id, path, roll) VALUES (?, ?, ?)")?;
        for (number, (path, _)) in (id * ROOM..).zip(&self.folders) {
            let packed = files.get(path.as_path()).map(Vec::as_slice).unwrap_or_default();
            // As it is spelled where it is a file's parent.
            let path = path.components().as_path().as_os_str().as_bytes();
            insert.execute(params![number, path, packed])?;
        }
        drop(insert);
        Ok(transaction.commit()?)
    }

    /// The folders with the files in each, packed, and whether they are all that is
    /// shown and no small part of the index; nothing if the sources are other files.
    fn files(
        &self,
        transaction: &Transaction<'_>,
        sources: &[Source],
        shows: &Shows<'_>,
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
            is_exact &= folder.is_some() == shows(path, file.is_kept);
            if let Some(folder) = folder {
                let (kind, session): (String, Option<String>) = (row.get(8)?, row.get(9)?);
                let is_known = sources.get(path).is_some_and(|source| {
                    file.stamp == Some(source.stamp)
                        && source.is_as(&kind, session.as_deref(), file.is_kept)
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

/// Whether something is a small part of all.
pub(crate) fn is_small(own: u64, all: u64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
    let is_small = (own as f64) < SMALL_SHARE * all as f64;
    is_small
}

/// Forgets all of them, because files come or go, or are others: whoever looks
/// elsewhere may know of more than there are now, or of fewer.
pub(crate) fn forget(connection: &mut Connection) -> Result<(), IndexError> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    transaction.execute("DELETE FROM listing", [])?;
    transaction.execute("DELETE FROM folder", [])?;
    Ok(transaction.commit()?)
}

/// Brings what is remembered of a file up to what its row says.
pub(crate) fn renew(connection: &Connection, id: i64) -> rusqlite::Result<()> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT {FILE} FROM file WHERE id = ?"))?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(()) };
    let (path, renewed) = file_of_row(row)?;
    let folder = path.parent().unwrap_or(path).as_os_str().as_bytes();
    let listed = connection
        .prepare_cached("SELECT id, roll FROM folder WHERE path = ?")?
        .query_map([folder], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(i64, Vec<u8>)>>>()?;
    for (number, packed) in listed {
        let folder = SnapshotFolder { path: PathBuf::new(), packed };
        let mut packed = pack_stamp(folder.stamp());
        for file in folder.files() {
            if file.id == id { renewed } else { file }.pack(&mut packed);
        }
        connection
            .prepare_cached("UPDATE folder SET roll = ? WHERE id = ?")?
            .execute(params![packed, number])?;
    }
    Ok(())
}

/// What is remembered, if the same key decided it.
pub(crate) fn read(connection: &Connection, key: &str) -> Result<Option<FileSnapshot>, IndexError> {
    let found: Option<(i64, bool)> = connection
        .query_row("SELECT id, is_all FROM listing WHERE key = ?", [key], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let Some((id, is_all)) = found else { return Ok(None) };
    let mut statement =
        connection.prepare("SELECT path, roll FROM folder WHERE id >= ? AND id < ? ORDER BY id")?;
    let rows = statement.query_map([id * ROOM, (id + 1) * ROOM], |row| {
        let path = PathBuf::from(OsStr::from_bytes(row.get_ref(0)?.as_blob()?));
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
            name: OsStr::from_bytes(b"\xff\n"),
            stamp: Some(stamp),
            is_kept: true,
            is_anybodys: false,
        };
        let others = [
            SnapshotFile { stamp: None, ..file },
            SnapshotFile { is_kept: false, is_anybodys: true, name: OsStr::new(""), ..file },
        ];
        let stamp = FolderStamp { modified: -1, changed: 2, inode: u64::MAX, device: 4 };
        for stamp in [None, Some(stamp)] {
            let mut packed = pack_stamp(stamp);
            for file in [file].iter().chain(&others) {
                file.pack(&mut packed);
            }
            let folder =
                |packed: &[u8]| SnapshotFolder { path: PathBuf::new(), packed: packed.to_vec() };
            let whole = folder(&packed);
            assert_eq!(whole.stamp(), stamp);
            assert_eq!(whole.files().collect::<Vec<_>>(), [file, others[0], others[1]]);
            // What is cut off ends, and nothing is made up.
            for end in 0..packed.len() {
                let cut = folder(&packed[..end]);
                let known: Vec<_> = cut.files().collect();
                assert!(known.len() < 3 && whole.files().collect::<Vec<_>>().starts_with(&known));
            }
        }
    }
}
