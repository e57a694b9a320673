//! Lines that are too large to be read, as answers report them.

use crate::open::scan::ReadError;
use crate::{Health, Library};
use index::{IndexError, Searcher};
use std::collections::BTreeSet;
use store::LargeLine;

fn read_error(line: LargeLine) -> ReadError {
    let reason = line.to_string();
    ReadError { path: line.path, reason }
}

impl Health<'_> {
    /// The lines that were too large for what was read so far, with their places: everything
    /// answered is without them.
    pub fn large_lines(self) -> Vec<ReadError> {
        let library = self.library;
        let noted = library.all.large_lines().map(store::LargeLines::all).unwrap_or_default();
        let mut errors: Vec<ReadError> = noted.into_iter().map(read_error).collect();
        // What the index remembers of files was answered without reading them.
        if library.memo.get().is_some_and(Option::is_some)
            && let Ok(index) = library.index()
            && let Ok(Some(searcher)) = index.searcher()
        {
            errors.extend(library.large_lines_in(&searcher).unwrap_or_default());
        }
        let mut met = BTreeSet::new();
        errors.retain(|error| met.insert((error.path.clone(), error.reason.clone())));
        errors
    }
}

impl Library {
    /// Those of the files here that an index has.
    pub(crate) fn large_lines_in(&self, searcher: &Searcher) -> Result<Vec<ReadError>, IndexError> {
        let mut lines = searcher.large_lines()?;
        lines.retain(|(file, _)| self.owns(file));
        Ok(lines.into_iter().map(|(_, line)| read_error(line)).collect())
    }
}
