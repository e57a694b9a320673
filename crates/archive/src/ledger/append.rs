//! Writes the ledger: one writer at a time, whole lines or none.

#![expect(clippy::disallowed_methods, reason = "the ledger is annals' own file")]

use super::LedgerError;
use crate::lock::PATIENCE;
use crate::sealed::{seal, unseal};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{make_content_durable, make_durable};

/// The ledger's file in its folder.
pub(super) fn file_in(folder: &Path) -> PathBuf {
    folder.join("ledger.jsonl")
}

/// Appends whole lines: all of them, or none.
pub(super) fn append(folder: &Path, lines: &str) -> Result<(), LedgerError> {
    let path = file_in(folder);
    make_folder(folder).map_err(|reason| LedgerError::Unwritable { path, reason })?;
    // Held until this function returns.
    let _lock = lock(folder, PATIENCE)?;
    append_locked(folder, lines)
}

/// Appends lines that are created under the lock, and returns how many; none if
/// another process is writing.
pub(super) fn append_if_free(
    folder: &Path,
    lines: impl FnOnce() -> (usize, String),
) -> Result<usize, LedgerError> {
    let path = file_in(folder);
    make_folder(folder).map_err(|reason| LedgerError::Unwritable { path, reason })?;
    let _lock = match lock(folder, Duration::ZERO) {
        Err(LedgerError::Busy { .. }) => return Ok(0),
        lock => lock?,
    };
    let (count, lines) = lines();
    if count > 0 {
        append_locked(folder, &lines)?;
    }
    Ok(count)
}

fn append_locked(folder: &Path, lines: &str) -> Result<(), LedgerError> {
    let path = file_in(folder);
    let unwritable = |reason| LedgerError::Unwritable { path: path.clone(), reason };
    let mut file = open(folder, &path).map_err(unwritable)?;
    let end = End::find(&mut file).map_err(unwritable)?;
    let text = if end.lacks_newline { format!("\n{lines}") } else { lines.to_owned() };
    if end.has_torn_line {
        file.set_len(end.kept_length).map_err(unwritable)?;
    }
    write_or_undo(&mut file, end.kept_length, text.as_bytes()).map_err(unwritable)
}

fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    folder.parent().map_or(Ok(()), |above| make_durable(&File::open(above)?))
}

/// Opens the file. A new one is durable in its folder before anything is in it.
fn open(folder: &Path, path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).mode(0o600);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let file = options.create(true).open(path)?;
            make_durable(&File::open(folder)?)?;
            Ok(file)
        }
        opened => opened,
    }
}

/// Takes the writers' lock. It is released with the file handle.
fn lock(folder: &Path, patience: Duration) -> Result<File, LedgerError> {
    let path = folder.join("lock");
    let taken = crate::lock::take(&path, patience);
    let taken = taken.map_err(|reason| LedgerError::Unwritable { path, reason })?;
    taken.ok_or_else(|| LedgerError::Busy { path: file_in(folder) })
}

/// Rewrites the ledger with its damaged lines restored, if all of them can be.
pub(super) fn mend(folder: &Path) -> Result<(), LedgerError> {
    let path = file_in(folder);
    let unwritable = |reason| LedgerError::Unwritable { path: path.clone(), reason };
    let _lock = lock(folder, PATIENCE)?;
    let bytes = std::fs::read(&path).map_err(unwritable)?;
    let read = super::Ledger::read(folder.to_owned(), &bytes);
    if read.damage.is_empty() || read.damage.iter().any(|line| !line.is_mended) {
        return Ok(());
    }
    let lines: String = read.kept.iter().map(|rest| seal(rest) + "\n").collect();
    let replaced = crate::layout::replace(&path, lines.as_bytes());
    replaced.map_err(|error| unwritable(io::Error::other(error)))
}

/// How a file ends.
#[derive(Debug, PartialEq, Eq)]
struct End {
    /// The length to keep.
    kept_length: u64,
    /// The last line is complete except for its newline.
    lacks_newline: bool,
    /// An incomplete line follows.
    has_torn_line: bool,
}

impl End {
    fn find(file: &mut File) -> io::Result<End> {
        let length = file.metadata()?.len();
        let start = last_line_start(file, length)?;
        file.seek(SeekFrom::Start(start))?;
        let mut tail = Vec::new();
        file.read_to_end(&mut tail)?;
        let is_whole = unseal(&tail).is_ok();
        let has_torn_line = !tail.is_empty() && !is_whole;
        let kept_length = if has_torn_line { start } else { length };
        Ok(End { kept_length, lacks_newline: is_whole, has_torn_line })
    }
}

/// The offset after the last newline.
fn last_line_start(file: &mut File, length: u64) -> io::Result<u64> {
    let mut end = length;
    let mut piece = vec![0; 64 * 1024];
    while end > 0 {
        let size = usize::try_from(end).unwrap_or(usize::MAX).min(piece.len());
        let start = end - size as u64;
        file.seek(SeekFrom::Start(start))?;
        let piece = &mut piece[..size];
        file.read_exact(piece)?;
        if let Some(at) = piece.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// A file that can be appended to and truncated.
trait AppendTarget: Write {
    fn to_disk(&mut self) -> io::Result<()>;
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl AppendTarget for File {
    fn to_disk(&mut self) -> io::Result<()> {
        make_content_durable(self)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// Appends bytes, or restores the previous length.
fn write_or_undo(file: &mut impl AppendTarget, kept_length: u64, bytes: &[u8]) -> io::Result<()> {
    let written = file.write_all(bytes).and_then(|()| file.to_disk());
    if written.is_err() {
        // If even this fails, part of a line remains: readers ignore it and the
        // next writer removes it.
        let _ = file.cut(kept_length);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with little space, or one that stores nothing.
    struct Disk {
        bytes: Vec<u8>,
        room: usize,
        keeps: bool,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let size = bytes.len().min(self.room - self.bytes.len());
            self.bytes.extend(&bytes[..size]);
            if size == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(size) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl AppendTarget for Disk {
        fn to_disk(&mut self) -> io::Result<()> {
            if self.keeps { Ok(()) } else { Err(io::ErrorKind::Other.into()) }
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.bytes.truncate(usize::try_from(length).unwrap());
            Ok(())
        }
    }

    #[test]
    fn a_failed_write_restores_the_file() {
        for (room, keeps, expected) in
            [(9, true, "old\nnew\n"), (6, true, "old\n"), (4, true, "old\n"), (9, false, "old\n")]
        {
            let mut disk = Disk { bytes: b"old\n".to_vec(), room, keeps };
            let written = write_or_undo(&mut disk, 4, b"new\n");
            assert_eq!(written.is_ok(), expected.len() > 4, "{room} {keeps}");
            assert_eq!(disk.bytes, expected.as_bytes(), "{room} {keeps}");
        }
    }

    #[test]
    fn a_writer_that_gives_up_reports_the_other_writer() {
        let folder = testkit::Sandbox::new();
        let folder = folder.annals_home();
        let held = lock(&folder, Duration::ZERO).unwrap();
        let error = lock(&folder, Duration::from_millis(30)).unwrap_err();
        assert!(error.to_string().starts_with("another annals process is writing"), "{error}");
        drop(held);
        lock(&folder, Duration::ZERO).unwrap();
    }

    #[test]
    fn last_lines_are_found_however_long_they_are() {
        let sandbox = testkit::Sandbox::new();
        let long = "x".repeat(150_000);
        for (text, expected) in [
            (String::new(), 0),
            ("\n".to_owned(), 1),
            ("a\nb".to_owned(), 2),
            (format!("a\n{long}"), 2),
            (long.clone(), 0),
            (format!("{long}\n"), 150_001),
        ] {
            let path = sandbox.write("text", &text);
            let mut file = File::open(path).unwrap();
            let found = last_line_start(&mut file, text.len() as u64).unwrap();
            assert_eq!(found, expected, "{} bytes", text.len());
        }
    }
}
