//! Lines that are too large to be read, as answers report them.

use crate::memory::Memory;
use index::{IndexError, Searcher};
use store::Position;

impl Memory {
    /// Notes the lines that the index left out of the files here, because it answers without
    /// reading them. Returns how many there are.
    pub(crate) fn note_large_lines(&self, searcher: &Searcher) -> Result<usize, IndexError> {
        let mut lines = searcher.large_lines()?;
        lines.retain(|(file, _)| self.owns(file));
        let count = lines.len();
        if let Some(noted) = self.stores.all.large_lines() {
            for (_, line) in lines {
                let position = Position { offset: line.offset, line: line.line };
                noted.note(&line.path, position, line.bytes);
            }
        }
        Ok(count)
    }

    /// The same for what the index remembers of files.
    pub(crate) fn note_remembered_lines(&self) {
        if let Ok(index) = self.index()
            && let Ok(Some(searcher)) = index.searcher()
        {
            let _ = self.note_large_lines(&searcher);
        }
    }
}
