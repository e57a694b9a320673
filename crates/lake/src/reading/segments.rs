//! The segments that were fetched, in a folder.

use crate::cache_files::{remove, write_whole};
use crate::names::SegmentName;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;

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
        self.folder.join(name.to_string().replace('/', "-"))
    }

    /// The bytes of a segment, if they were fetched and are still what was fetched.
    pub(crate) fn get(&self, name: &SegmentName) -> Option<Vec<u8>> {
        fs::read(self.path(name)).ok().filter(|bytes| name.fits(bytes))
    }

    pub(crate) fn has(&self, name: &SegmentName) -> bool {
        self.path(name).exists()
    }

    pub(crate) fn keep(&self, name: &SegmentName, bytes: &[u8]) -> io::Result<()> {
        write_whole(&self.path(name), bytes)
    }

    /// Deletes all segments but these. What was taken back from the lake does not stay here.
    pub(crate) fn keep_only(&self, names: &HashSet<SegmentName>) -> io::Result<()> {
        let wanted: HashSet<PathBuf> = names.iter().map(|name| self.path(name)).collect();
        let Ok(listed) = fs::read_dir(&self.folder) else { return Ok(()) };
        for entry in listed {
            let path = entry?.path();
            if !wanted.contains(&path) {
                remove(&path)?;
            }
        }
        Ok(())
    }
}
