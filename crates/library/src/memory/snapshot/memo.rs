//! What the index remembers of transcripts, for commands that would otherwise
//! read them.
//!
//! Nothing here writes, and nothing depends on it: transcripts that are not
//! remembered, or have changed since, are read.

use crate::memory::Memory;
use crate::memory::snapshot::stamp_again;
use crate::stores::text_files::stamp;
use index::{Memo, MemoFile, Stamp};
use std::path::Path;

impl Memory {
    /// The memo, unless the index is turned off.
    pub(crate) fn memo(&self) -> Option<&Memo> {
        let is_first = self.memo.get().is_none();
        let memo = self.memo.get_or_init(|| {
            if self.stores.options.no_index {
                return None;
            }
            // An index that cannot be read counts as missing.
            match self.index().ok()?.memo(self.listing_key().as_deref()) {
                Ok(memo) => memo,
                Err(error) => {
                    if error.needs_rebuild() {
                        let _ = self.index_problem.set(error.to_string());
                    }
                    None
                }
            }
        });
        if is_first && memo.is_some() {
            self.note_remembered_lines();
        }
        memo.as_ref()
    }

    /// What the memo has of a file, if its stamp is unchanged.
    pub(crate) fn remembered_file(&self, path: &Path) -> Option<&MemoFile> {
        let memo = self.memo()?;
        memo.find(path, &stamp(&self.stores.all, path)?.stamp)
    }

    /// The transcripts of the memo with their numbers and present stamps, if
    /// they are all the transcripts there are.
    pub(crate) fn remembered_again(&self) -> Option<Vec<((usize, &MemoFile), Stamp)>> {
        let memo = self.memo()?;
        let mut again = Vec::new();
        stamp_again(memo.file_snapshot()?, |file, stamp| {
            if let Some(place) = memo.position_of(file.id) {
                again.push(((place, &memo.files()[place]), stamp));
            }
        })?;
        Some(again)
    }
}
