//! Where the files of an app are read: on disk, or in the archive.

use crate::stores::apps::provider::Found;
use crate::stores::apps::unread::UnreadScope;
use index::Stamp;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};
use store::limits::{LARGEST_DOCUMENT, LARGEST_WHOLE_FILE, TooLargeError};
use store::{FileStat, LargeLines, LineReader, LineSource, Position, Shelf, read_lines_whole};

/// How many folders deep files are looked for.
const DEPTH: usize = 5;

/// Whether nothing has this path. What cannot be looked at, such as a link that leads nowhere, is
/// there.
pub(super) fn is_absent(path: &Path) -> bool {
    let is_missing = |error: &io::Error| {
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    };
    fs::symlink_metadata(path).is_err_and(|error| is_missing(&error))
}

/// Notes what has the path of a folder on disk and is a file, or leads nowhere.
pub(super) fn check_folder(folder: &Path, found: &mut Found) {
    let error = match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => return,
        Ok(_) => io::ErrorKind::NotADirectory.into(),
        Err(error) => error,
    };
    if !is_absent(folder) && found.unread.iter().all(|unread| unread.path != folder) {
        found.note(UnreadScope::Store, folder, &error);
    }
}

/// What is in a folder on disk, and notes what cannot be listed.
pub(super) fn read_folder(folder: &Path, found: &mut Found) -> Vec<fs::DirEntry> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<_>>);
    entries.unwrap_or_else(|error| {
        if !is_absent(folder) {
            found.note(UnreadScope::Store, folder, &error);
        }
        Vec::new()
    })
}

/// Where the files of an app are read.
#[derive(Clone, Debug)]
pub(crate) struct AppFiles {
    /// The archive, which has files under the paths that they had on disk; `None` for the disk.
    archive: Option<Arc<dyn Shelf>>,
    /// Notes lines that are too large to be read.
    large_lines: LargeLines,
}

/// A file of an app, line by line.
struct NotingReader<'f, R> {
    file: R,
    files: &'f AppFiles,
    path: &'f Path,
}

impl<R: Read> Read for NotingReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl<R: Read> LineSource for NotingReader<'_, R> {
    fn note_large_line(&mut self, position: Position, bytes: u64) {
        self.files.large_lines.note(self.path, position, bytes);
    }
}

impl AppFiles {
    /// The disk.
    pub(super) fn disk(large_lines: LargeLines) -> AppFiles {
        AppFiles { archive: None, large_lines }
    }

    /// The archive.
    pub(super) fn archived(archive: Arc<dyn Shelf>, large_lines: LargeLines) -> AppFiles {
        AppFiles { archive: Some(archive), large_lines }
    }

    /// Notes which files a made transcript shows.
    pub(super) fn note_shown(&self, transcript: &Path, files: &[PathBuf]) {
        self.large_lines.note_shown(transcript, files);
    }

    /// The archive, if the files are read there.
    pub(super) fn archive(&self) -> Option<&Arc<dyn Shelf>> {
        self.archive.as_ref()
    }

    /// The regular files below a folder of an app, each with its path below `base`, whose parts
    /// are separated by `/`. Links are not followed, and names that are not text are left out.
    /// Folders that cannot be listed are noted.
    pub(super) fn below(
        &self,
        base: &Path,
        folder: &str,
        noted: &mut Found,
    ) -> Vec<(String, PathBuf)> {
        self.find_below(base, folder, noted, |_| false)
    }

    /// Those among them whose paths below `base` are those of sessions. A folder with such a path
    /// is noted: it is where the file of a session was.
    pub(super) fn sessions_below(
        &self,
        base: &Path,
        folder: &str,
        noted: &mut Found,
        is_session: impl Fn(&str) -> bool,
    ) -> Vec<(String, PathBuf)> {
        let mut found = self.find_below(base, folder, noted, &is_session);
        found.retain(|(below, _)| is_session(below));
        found
    }

    fn find_below(
        &self,
        base: &Path,
        folder: &str,
        noted: &mut Found,
        is_session: impl Fn(&str) -> bool,
    ) -> Vec<(String, PathBuf)> {
        let mut found = Vec::new();
        let mut folders = vec![(folder.to_owned(), base.join(folder), 0)];
        while let Some((name, path, depth)) = folders.pop() {
            for (own, is_folder) in self.entries(&path, noted) {
                let below = format!("{name}/{own}");
                let path = path.join(own);
                if !is_folder {
                    found.push((below, path));
                    continue;
                }
                if is_session(&below) {
                    noted.note(UnreadScope::File, &path, &"it is a folder");
                }
                if depth < DEPTH {
                    folders.push((below, path, depth + 1));
                }
            }
        }
        found.sort();
        found
    }

    /// The names of the files and folders in a folder, and which of them are folders.
    fn entries(&self, folder: &Path, noted: &mut Found) -> Vec<(String, bool)> {
        match &self.archive {
            None => {
                let entries = read_folder(folder, noted).into_iter();
                let entries = entries.filter_map(|entry| {
                    let kind = entry.file_type().ok()?;
                    let name = entry.file_name().into_string().ok()?;
                    (kind.is_dir() || kind.is_file()).then_some((name, kind.is_dir()))
                });
                entries.collect()
            }
            Some(archive) => {
                let entries = archive.entries(folder).into_iter();
                let entries = entries
                    .filter_map(|entry| Some((entry.name.into_string().ok()?, entry.is_folder)));
                entries.collect()
            }
        }
    }

    /// The stamp of a file; `None` if it is gone or not a regular file.
    pub(super) fn stamp(&self, path: &Path) -> Option<Stamp> {
        match &self.archive {
            None => {
                let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
                Some(FileStat::of(&metadata).into())
            }
            Some(archive) => archive.find(path).map(Stamp::from),
        }
    }

    /// Opens a regular file, not a link.
    pub(super) fn open(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        match &self.archive {
            None => Ok(Box::new(store::open_regular(path)?.0)),
            Some(archive) => Ok(Box::new(archive.open(path)?)),
        }
    }

    /// Reads a regular file of lines whole, with stand-ins for lines that are too large.
    pub(super) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_content(path, self.open(path)?)
    }

    /// The same for what a file contains, where that is not its bytes.
    pub(super) fn read_content(&self, path: &Path, content: impl Read) -> io::Result<Vec<u8>> {
        let mut file = self.noting(path, content);
        read_lines_whole(&mut file, LARGEST_WHOLE_FILE).map(|whole| whole.bytes)
    }

    /// A source of lines that notes which of a file's are too large.
    pub(super) fn noting<'f, R: Read>(
        &'f self,
        path: &'f Path,
        content: R,
    ) -> impl LineSource + use<'f, R> {
        NotingReader { file: content, files: self, path }
    }

    /// Passes on what a file contains in batches of whole lines, with stand-ins for lines that are
    /// too large. Only the last line may lack its line break.
    pub(super) fn each_batch(
        &self,
        path: &Path,
        content: impl Read,
        mut each: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut file = NotingReader { file: content, files: self, path };
        let mut left = LARGEST_WHOLE_FILE;
        let mut done = Ok(());
        LineReader::default().any_batch(&mut file, |batch| {
            done = match left.checked_sub(batch.len() as u64) {
                Some(after) => {
                    left = after;
                    each(batch)
                }
                None => Err(TooLargeError { bytes: None, limit: LARGEST_WHOLE_FILE }.into()),
            };
            done.is_err()
        })?;
        done
    }

    /// Reads a regular file that is one value.
    pub(super) fn read_document(&self, path: &Path) -> io::Result<Vec<u8>> {
        let limit = LARGEST_DOCUMENT;
        let mut bytes = Vec::new();
        self.open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            let size = self.stamp(path).map(|stamp| stamp.bytes);
            return Err(TooLargeError { bytes: size, limit }.into());
        }
        Ok(bytes)
    }

    /// The versions of a file beside sessions, which may have changed since those were written:
    /// the archived one, then the one on disk.
    pub(super) fn versions(&self, path: &Path) -> Vec<Vec<u8>> {
        let archived = (!self.is_disk()).then(|| self.read(path).ok()).flatten();
        let disk = AppFiles::disk(self.large_lines.clone());
        archived.into_iter().chain(disk.read(path).ok()).collect()
    }

    /// Whether the files are on disk.
    pub(super) fn is_disk(&self) -> bool {
        self.archive.is_none()
    }
}
