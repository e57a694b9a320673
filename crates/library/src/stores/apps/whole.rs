//! Reading sessions whole.
//!
//! Lines are read in batches, and only what a reader makes of them is held. That can be far more
//! than the bytes of a file: its entries are counted, and a session with too many cannot be read
//! ([`MOST_ENTRIES`]). Threads wait for each other before they hold much ([`permit`]).

use crate::stores::apps::app_files::AppFiles;
use ::apps::{Read, Session};
use std::io;
use std::path::Path;
use store::limits::{
    AT_ONCE, ENTRY_BYTES, LARGE_FROM, MOST_ENTRIES, Permit, TooManyEntriesError, permit,
};

/// Reads the files of one session, one after another.
pub(super) struct WholeReader<'f> {
    files: &'f AppFiles,
    most: usize,
    /// The entries and bytes of the files that were read.
    entries: usize,
    bytes: u64,
    /// Holds until the end what is taken while reading.
    _permit: Permit,
}

impl<'f> WholeReader<'f> {
    pub(super) fn new(files: &'f AppFiles) -> Self {
        WholeReader { files, most: MOST_ENTRIES, entries: 0, bytes: 0, _permit: permit(0) }
    }

    #[cfg(test)]
    fn with_most(files: &'f AppFiles, most: usize) -> Self {
        WholeReader { most, ..WholeReader::new(files) }
    }

    /// Reads a file of lines.
    pub(super) fn read<R: Read>(&mut self, path: &Path) -> io::Result<Session> {
        self.read_content::<R>(path, self.files.open(path)?)
    }

    /// The same for what a file contains, where that is not its bytes.
    pub(super) fn read_content<R: Read>(
        &mut self,
        path: &Path,
        content: impl io::Read,
    ) -> io::Result<Session> {
        let mut reader = R::default();
        self.each_batch(path, content, |batch| {
            feed(&mut reader, batch);
            reader.session().count()
        })?;
        Ok(reader.into_session())
    }

    /// Reads lines that are in memory.
    pub(super) fn read_bytes<R: Read>(&mut self, bytes: &[u8]) -> io::Result<Session> {
        const BATCH: usize = 256 * 1024;
        let mut reader = R::default();
        let mut rest = bytes;
        let mut count = 0;
        while !rest.is_empty() {
            let (batch, after) = rest.split_at(end_of_batch(rest, BATCH));
            self.expect(count + lines_of(batch), 0);
            feed(&mut reader, batch);
            count = reader.session().count();
            self.check(count)?;
            rest = after;
        }
        self.entries += count;
        Ok(reader.into_session())
    }

    /// Reads a file of lines in batches. `read` takes a batch and returns how many entries there
    /// are so far.
    pub(super) fn each_batch(
        &mut self,
        path: &Path,
        content: impl io::Read,
        mut read: impl FnMut(&[u8]) -> usize,
    ) -> io::Result<()> {
        let (mut count, mut bytes) = (0, 0);
        self.files.each_batch(path, content, |batch| {
            bytes += batch.len() as u64;
            self.expect(count + lines_of(batch), bytes);
            count = read(batch);
            self.check(count)
        })?;
        self.entries += count;
        self.bytes += bytes;
        Ok(())
    }

    /// Whether another file may have this many entries.
    pub(super) fn check(&self, count: usize) -> io::Result<()> {
        if self.entries + count > self.most {
            return Err(TooManyEntriesError { limit: self.most }.into());
        }
        Ok(())
    }

    /// Waits until this number of entries, and texts of this size, may be held beside those of the
    /// files before.
    pub(super) fn expect(&self, entries: usize, bytes: u64) {
        const SOME: u64 = AT_ONCE / 4;
        let entries = (self.entries + entries).min(self.most) as u64;
        let held = self.bytes + bytes + entries * ENTRY_BYTES;
        // In two steps: what is held already is not waited for.
        let wanted = if held > SOME { AT_ONCE } else { SOME };
        if held > LARGE_FROM {
            drop(permit(wanted));
        }
    }
}

fn feed(reader: &mut impl Read, batch: &[u8]) {
    let used = reader.read_on(batch);
    if let Some(rest) = batch.get(used..).filter(|rest| !rest.is_empty()) {
        reader.read_last(rest);
    }
}

fn lines_of(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

/// Where the whole lines at the beginning end that have about this many bytes.
fn end_of_batch(bytes: &[u8], most: usize) -> usize {
    let (first, rest) = bytes.split_at(most.min(bytes.len()));
    if rest.is_empty() {
        return bytes.len();
    }
    let end = memchr::memrchr(b'\n', first)
        .or_else(|| memchr::memchr(b'\n', rest).map(|at| first.len() + at));
    end.map_or(bytes.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::apps::codex::Reader;
    use store::LargeLines;

    fn line(text: &str) -> String {
        let start = r#"{"timestamp":"2026-01-31T12:00:00Z","type":"event_msg","payload":{"#;
        format!("{start}\"type\":\"user_message\",\"message\":\"{text}\"}}}}\n")
    }

    fn read(most: usize, files: &[String]) -> io::Result<Vec<Session>> {
        let files_of_app = AppFiles::disk(LargeLines::default());
        let mut whole = WholeReader::with_most(&files_of_app, most);
        let path = Path::new("rollout.jsonl");
        files.iter().map(|file| whole.read_content::<Reader>(path, file.as_bytes())).collect()
    }

    #[test]
    fn session_with_too_many_entries_is_too_large() {
        let file = line("a").repeat(10);
        assert_eq!(read(10, std::slice::from_ref(&file)).unwrap()[0].entries.len(), 10);
        let error = read(9, &[file]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "too large: more than 9 entries");
    }

    #[test]
    fn entries_of_all_files_of_a_session_count() {
        let files = [line("a").repeat(6), line("b").repeat(5)];
        assert!(read(11, &files).is_ok());
        assert!(read(10, &files).is_err());
    }

    #[test]
    fn lines_that_are_not_entries_count_too() {
        // Each is an entry and a problem.
        assert!(read(20, &["{}\n".repeat(10)]).is_ok());
        assert!(read(19, &["{}\n".repeat(10)]).is_err());
    }

    #[test]
    fn session_in_memory_is_read_as_one_in_a_file() {
        let files_of_app = AppFiles::disk(LargeLines::default());
        let file = format!("{}{}{{}}", line(&"x".repeat(300_000)), line("b").repeat(5_000));
        let mut whole = WholeReader::with_most(&files_of_app, 6_000);
        let in_memory = whole.read_bytes::<Reader>(file.as_bytes()).unwrap();
        assert_eq!(in_memory, ::apps::read_whole::<Reader>(file.as_bytes()));
        assert_eq!(in_memory, read(6_000, &[file]).unwrap()[0]);
        assert!(whole.read_bytes::<Reader>(line("c").repeat(1_000).as_bytes()).is_err());
    }
}
