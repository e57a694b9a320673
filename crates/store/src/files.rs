//! Where files are read from: the disk, and a shelf as fallback.
//!
//! A shelf has files that may be gone from disk, under their original paths.
//! Code that reads through [`Files`] sees them as if they were still there. The
//! disk always wins: any name on disk, of whatever kind, hides the same name on
//! the shelf. Querying a shelf may be expensive, so it is queried only if the
//! disk has no such file, and for listings.
//!
//! How a shelf stores its files is not known here, and nothing is written to
//! one.

use crate::large_lines::LargeLines;
use crate::listings::{ListedFolders, Listings};
use crate::platform::{FileStat, open_regular};
use crate::read::{LineSource, Position};
use jiff::Timestamp;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File, FileType};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A source of files that may be gone from disk, under their original paths.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// The configuration folders that it has files of.
    fn roots(&self) -> Vec<PathBuf>;

    /// The direct children of a folder; empty if it does not have the folder.
    fn entries(&self, folder: &Path) -> Vec<ShelfEntry>;

    /// Size and modification time of one of its files.
    fn find(&self, path: &Path) -> Option<ShelfStat>;

    /// Opens one of its files; `NotFound` if it does not have it.
    fn open(&self, path: &Path) -> io::Result<Box<dyn ShelfFile>>;

    /// The same, with the size and time of the open file: where the content is made from
    /// something else, the size of that is another one ([`Shelf::find`]).
    fn open_with_stat(&self, path: &Path) -> io::Result<(Box<dyn ShelfFile>, ShelfStat)> {
        let stat = self.find(path).ok_or(io::ErrorKind::NotFound)?;
        Ok((self.open(path)?, stat))
    }

    /// A value that changes whenever its content changes, available without
    /// reading the content; `None` if the shelf has no such value.
    fn stamp(&self) -> Option<String> {
        None
    }
}

/// An open file from a shelf.
pub trait ShelfFile: Read + Seek + Send {}

impl<T: Read + Seek + Send> ShelfFile for T {}

/// A name in a folder of a shelf.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShelfEntry {
    /// The name.
    pub name: OsString,
    /// Whether it is a folder; a file otherwise.
    pub is_folder: bool,
}

/// Size and modification time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShelfStat {
    /// Its size.
    pub bytes: u64,
    /// When it was last modified.
    pub modified: Timestamp,
}

impl From<FileStat> for ShelfStat {
    fn from(stat: FileStat) -> Self {
        ShelfStat { bytes: stat.bytes, modified: stat.modified }
    }
}

/// Where files are read from: the disk, and a shelf as fallback if there is
/// one.
#[derive(Clone, Debug, Default)]
pub struct Files {
    shelf: Option<Arc<dyn Shelf>>,
    names: ListedNames,
    /// Cached folder listings, if caching is on.
    listings: Option<Arc<Listings>>,
    /// Records which folders were listed.
    listed_folders: Option<ListedFolders>,
    /// Notes which lines were too large to be read.
    large_lines: Option<LargeLines>,
}

/// Which names a listing contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ListedNames {
    /// The names on disk, and those that only the shelf has.
    #[default]
    All,
    /// Only names that the shelf has.
    ShelfOnly,
}

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, which is not followed.
    Link,
    /// Anything else: a pipe, a device.
    Other,
}

/// A name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Where it is.
    pub path: PathBuf,
    /// Its kind.
    pub kind: EntryKind,
    /// Whether only the shelf has it, not the disk.
    pub is_archive_only: bool,
}

impl FileEntry {
    /// The name itself.
    pub fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }
}

impl Files {
    /// The disk alone.
    pub const fn disk() -> Files {
        Files {
            shelf: None,
            names: ListedNames::All,
            listings: None,
            listed_folders: None,
            large_lines: None,
        }
    }

    /// The disk, with a shelf as fallback.
    pub fn disk_and_shelf(shelf: Arc<dyn Shelf>) -> Files {
        Files::disk().with_shelf(shelf)
    }

    /// Adds a shelf as fallback.
    #[must_use]
    pub fn with_shelf(self, behind: Arc<dyn Shelf>) -> Files {
        Files { shelf: Some(behind), ..self }
    }

    /// The disk alone again.
    #[must_use]
    pub fn without_shelf(self) -> Files {
        Files { shelf: None, ..self }
    }

    /// Limits listings to the names that the shelf has, for folders that nobody
    /// asked to search on disk.
    #[must_use]
    pub fn listing_shelf_only(self) -> Files {
        Files { names: ListedNames::ShelfOnly, ..self }
    }

    /// Caches listings: a folder is listed again only if its stamp changed.
    #[must_use]
    pub fn with_listing_cache(self) -> Files {
        Files { listings: Some(Arc::default()), ..self }
    }

    /// Notes which lines of the files that it opens are too large to be read.
    #[must_use]
    pub fn noting(self, large_lines: &LargeLines) -> Files {
        Files { large_lines: Some(large_lines.clone()), ..self }
    }

    /// Where lines that are too large to be read are noted.
    pub fn large_lines(&self) -> Option<&LargeLines> {
        self.large_lines.as_ref()
    }

    /// Records the folders that are listed or looked for.
    #[must_use]
    pub fn recording(&self, listed: &ListedFolders) -> Files {
        Files { listed_folders: Some(listed.clone()), ..self.clone() }
    }

    /// The shelf, if there is one.
    pub fn shelf(&self) -> Option<&dyn Shelf> {
        self.shelf.as_deref()
    }

    /// Opens a regular file for reading, as [`open_regular`] does.
    pub fn open(&self, path: &Path) -> io::Result<OpenFile> {
        let file = self.open_any(path)?;
        let notes = self.large_lines.clone().map(|large_lines| (large_lines, path.to_owned()));
        Ok(OpenFile { notes, ..file })
    }

    fn open_any(&self, path: &Path) -> io::Result<OpenFile> {
        let error = match open_regular(path) {
            Ok((file, stat)) => {
                return Ok(OpenFile::of(file, stat));
            }
            Err(error) => error,
        };
        let Some(behind) = self.shelf().filter(|_| is_not_found(&error)) else { return Err(error) };
        match behind.open_with_stat(path) {
            Ok((file, stat)) => Ok(OpenFile { source: Source::Shelf(file), stat, notes: None }),
            Err(missing) if is_not_found(&missing) => Err(error),
            Err(unreadable) => Err(unreadable),
        }
    }

    /// Size and time of a regular file, without opening it, and whether only
    /// the shelf has it.
    pub fn find(&self, path: &Path) -> Option<(ShelfStat, bool)> {
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_file() => Some((FileStat::of(&metadata).into(), false)),
            Err(error) if is_not_found(&error) => Some((self.shelf()?.find(path)?, true)),
            Ok(_) | Err(_) => None,
        }
    }

    /// Like [`Files::find`], but only for files that can be opened.
    pub(crate) fn find_readable(&self, path: &Path) -> Option<(ShelfStat, bool)> {
        match open_regular(path) {
            Ok((_, stat)) => Some((stat.into(), false)),
            Err(error) if is_not_found(&error) => Some((self.shelf()?.find(path)?, true)),
            Err(_) => None,
        }
    }

    /// Whether only the shelf has a file.
    pub fn is_archive_only(&self, path: &Path) -> bool {
        self.find(path).is_some_and(|(_, is_archive_only)| is_archive_only)
    }

    /// Whether there is a real folder, not a link, at this path.
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        match fs::symlink_metadata(path) {
            Ok(metadata) => metadata.is_dir(),
            Err(error) => is_not_found(&error) && !self.shelf_entries(path).is_empty(),
        }
    }

    /// The entries of a folder, which may itself be a link.
    pub fn list(&self, folder: &Path) -> io::Result<Vec<FileEntry>> {
        let on_disk = self.list_disk(folder);
        if self.shelf.is_none() {
            return on_disk;
        }
        let kept = match &on_disk {
            Err(error) if !is_not_found(error) => Vec::new(),
            _ => self.shelf_entries(folder),
        };
        let mut entries = match on_disk {
            Err(error) if kept.is_empty() => return Err(error),
            on_disk => on_disk.unwrap_or_default(),
        };
        if self.names == ListedNames::ShelfOnly {
            let named: HashSet<&OsStr> = kept.iter().map(|entry| entry.name.as_os_str()).collect();
            entries.retain(|entry| named.contains(entry.name()));
        }
        let known: HashSet<OsString> =
            entries.iter().map(|entry| entry.name().to_owned()).collect();
        let kept = kept.into_iter().filter(|entry| !known.contains(&entry.name));
        entries.extend(kept.map(|entry| FileEntry {
            path: folder.join(entry.name),
            kind: if entry.is_folder { EntryKind::Folder } else { EntryKind::File },
            is_archive_only: true,
        }));
        Ok(entries)
    }

    /// The entries of a real folder, not a link. A folder that is missing or
    /// cannot be read counts as empty: these folders are optional.
    pub(crate) fn list_real(&self, folder: &Path) -> Vec<FileEntry> {
        let may_be_one = match fs::symlink_metadata(folder) {
            Ok(metadata) => metadata.is_dir(),
            Err(_) => self.shelf.is_some(),
        };
        if may_be_one {
            return self.list(folder).unwrap_or_default();
        }
        if let Some(listed) = &self.listed_folders {
            listed.record(folder);
        }
        Vec::new()
    }

    fn list_disk(&self, folder: &Path) -> io::Result<Vec<FileEntry>> {
        if let Some(listed) = &self.listed_folders {
            listed.record(folder);
        }
        let listed = match &self.listings {
            Some(listings) => listings.list(folder, || list_disk(folder)),
            None => list_disk(folder),
        };
        if let (Err(error), Some(listed_folders)) = (&listed, &self.listed_folders)
            && !is_not_found(error)
        {
            listed_folders.record_unread(folder);
        }
        listed
    }

    /// The shelf's entries of a folder, without names that could lead out of
    /// it.
    fn shelf_entries(&self, folder: &Path) -> Vec<ShelfEntry> {
        let mut entries = self.shelf().map(|shelf| shelf.entries(folder)).unwrap_or_default();
        entries.retain(|entry| {
            let name = entry.name.as_bytes();
            !matches!(name, b"" | b"." | b"..") && !name.iter().any(|byte| matches!(byte, b'/' | 0))
        });
        entries
    }
}

/// Whether an error means that nothing exists at the path.
pub(crate) fn is_not_found(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn list_disk(folder: &Path) -> io::Result<Vec<FileEntry>> {
    let entries = fs::read_dir(folder)?.map(|entry| {
        let entry = entry?;
        let kind = kind(entry.file_type()?);
        Ok(FileEntry { path: entry.path(), kind, is_archive_only: false })
    });
    entries.collect()
}

fn kind(kind: FileType) -> EntryKind {
    if kind.is_symlink() {
        EntryKind::Link
    } else if kind.is_dir() {
        EntryKind::Folder
    } else if kind.is_file() {
        EntryKind::File
    } else {
        EntryKind::Other
    }
}

/// A file open for reading, from disk or from a shelf.
#[derive(Debug)]
pub struct OpenFile {
    source: Source,
    stat: ShelfStat,
    /// Where its lines that are too large to be read are noted, and its path.
    notes: Option<(LargeLines, PathBuf)>,
}

enum Source {
    Disk(File),
    Shelf(Box<dyn ShelfFile>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Disk(_) => "disk",
            Source::Shelf(_) => "shelf",
        })
    }
}

impl OpenFile {
    /// Wraps a file that was opened on disk.
    pub(crate) fn of(file: File, stat: FileStat) -> OpenFile {
        OpenFile { source: Source::Disk(file), stat: stat.into(), notes: None }
    }

    /// Its size and time when it was opened.
    pub fn stat(&self) -> ShelfStat {
        self.stat
    }

    /// Whether it comes from the shelf.
    pub fn is_archive_only(&self) -> bool {
        matches!(self.source, Source::Shelf(_))
    }

    /// Its text, and whether that is only the beginning of a very large file. A
    /// truncated text ends between two words, because half a word may be half a
    /// secret.
    pub fn read_beginning(self) -> io::Result<(String, bool)> {
        const LARGEST: u64 = 16 * 1024 * 1024;
        let mut bytes = Vec::new();
        self.take(LARGEST).read_to_end(&mut bytes)?;
        let is_cut = bytes.len() as u64 == LARGEST;
        if is_cut {
            let whole = memchr::memrchr2(b'\n', b' ', &bytes).unwrap_or(0);
            bytes.truncate(whole);
        }
        // Valid UTF-8 is not copied.
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok((text, is_cut))
    }

    /// Reads at an offset. The position of the next plain read is unspecified
    /// afterwards.
    pub(crate) fn read_at(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match &mut self.source {
            Source::Disk(file) => file.read_at(buffer, offset),
            Source::Shelf(file) => {
                file.seek(SeekFrom::Start(offset))?;
                file.read(buffer)
            }
        }
    }
}

impl LineSource for OpenFile {
    fn note_large_line(&mut self, position: Position, bytes: u64) {
        if let Some((large_lines, path)) = &self.notes {
            large_lines.note(path, position, bytes);
        }
    }

    fn line_number(&mut self, offset: u64) -> u64 {
        self.count_lines(offset).map_or(0, |before| before + 1)
    }
}

impl OpenFile {
    /// How many lines end before an offset. The position of the file stays what it is.
    fn count_lines(&mut self, offset: u64) -> io::Result<u64> {
        let position = self.stream_position()?;
        let mut buffer = vec![0; 64 * 1024];
        let (mut at, mut lines) = (0, 0);
        while at < offset {
            let wanted = usize::try_from(offset - at).unwrap_or(usize::MAX).min(buffer.len());
            let read = match self.read_at(&mut buffer[..wanted], at) {
                Ok(0) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            lines += memchr::memchr_iter(b'\n', &buffer[..read]).count() as u64;
            at += read as u64;
        }
        self.seek(SeekFrom::Start(position))?;
        Ok(lines)
    }
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.source {
            Source::Disk(file) => file.read(buffer),
            Source::Shelf(file) => file.read(buffer),
        }
    }

    fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        match &mut self.source {
            Source::Disk(file) => file.read_to_end(bytes),
            Source::Shelf(file) => file.read_to_end(bytes),
        }
    }
}

impl Seek for OpenFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.source {
            Source::Disk(file) => file.seek(to),
            Source::Shelf(file) => file.seek(to),
        }
    }
}
