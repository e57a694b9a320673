//! The segments that were fetched, in a folder.

use crate::cache_files::{remove_all_but, write_whole};
use crate::names::SegmentName;
use crate::segment::FormatError;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

/// The mark of the segment that is being read.
static READING: Mutex<Option<PathBuf>> = Mutex::new(None);

fn set_reading(mark: Option<PathBuf>) {
    if let Ok(mut reading) = READING.lock() {
        *reading = mark;
    }
}

/// Marks the segment that is being read as one that cannot be, and returns whether there is
/// one. For the hook of a panic, which runs before the program ends.
pub fn refuse_segment_being_read() -> bool {
    if let Ok(mut reading) = READING.try_lock()
        && let Some(mark) = reading.take()
    {
        // Without the mark, the next attempt ends in the same place.
        return write_whole(&mark, b"").is_ok();
    }
    false
}

fn file_name(name: &SegmentName) -> String {
    name.to_string().replace('/', "-")
}

/// Fetched segments, under their names with `-` for `/`.
#[derive(Debug)]
pub(crate) struct FetchedSegments {
    folder: PathBuf,
}

impl FetchedSegments {
    pub(crate) fn new(folder: PathBuf) -> Self {
        FetchedSegments { folder }
    }

    fn path(&self, name: &SegmentName) -> PathBuf {
        self.folder.join(file_name(name))
    }

    /// The bytes of a segment, if they were fetched and are still what was fetched.
    pub(crate) fn get(&self, name: &SegmentName) -> Option<Vec<u8>> {
        fs::read(self.path(name)).ok().filter(|bytes| name.fits(bytes))
    }

    pub(crate) fn has(&self, name: &SegmentName) -> bool {
        self.path(name).exists()
    }

    /// Reads bytes of a segment. If the reader of Parquet files panics on it, which ends a
    /// program that aborts on panics, the next attempt refuses the segment.
    pub(crate) fn guarded<T>(
        &self,
        name: &SegmentName,
        read: impl FnOnce() -> Result<T, FormatError>,
    ) -> Result<T, String> {
        let mark = self.folder.with_file_name("refused").join(file_name(name));
        if mark.exists() {
            return Err("the reader of Parquet files cannot read it".to_owned());
        }
        set_reading(Some(mark));
        let result = read().map_err(|error| error.to_string());
        set_reading(None);
        result
    }

    pub(crate) fn keep(&self, name: &SegmentName, bytes: &[u8]) -> io::Result<()> {
        write_whole(&self.path(name), bytes)
    }

    /// Deletes all segments but these. What was taken back from the lake does not stay here.
    pub(crate) fn keep_only(&self, names: &HashSet<SegmentName>) -> io::Result<()> {
        let wanted: HashSet<PathBuf> = names.iter().map(|name| self.path(name)).collect();
        remove_all_but(&self.folder, &wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{ManifestNumber, Table};
    use testkit::Sandbox;

    #[test]
    fn segment_on_which_the_program_ended_is_refused_the_next_time() {
        let sandbox = Sandbox::new();
        let segments = FetchedSegments::new(sandbox.path().join("view/segments"));
        let number = ManifestNumber::NONE.next().unwrap();
        let month = "202611".parse().unwrap();
        let name = SegmentName::of(number, Table::Lines, month, b"hostile");
        let other = SegmentName::of(number, Table::Lines, month, b"other");
        assert!(!refuse_segment_being_read(), "nothing is being read");
        let ends = segments.guarded(&name, || Ok(refuse_segment_being_read()));
        assert_eq!(ends, Ok(true), "the hook of the panic runs while it is read");
        let again = segments.guarded(&name, || Ok(true));
        assert_eq!(again, Err("the reader of Parquet files cannot read it".to_owned()));
        assert_eq!(segments.guarded(&other, || Ok(true)), Ok(true));
    }
}
