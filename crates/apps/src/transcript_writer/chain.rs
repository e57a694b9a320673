//! The conversation and the abandoned branches, as parents of records.
//!
//! Entries have a state and no parent. So a run of abandoned entries is a branch: it begins
//! where the conversation is at that point, or, if the run is of an older file, where the
//! conversation left that file.

use crate::EntryState;
use crate::transcript_writer::call_ids::BranchNumber;
use crate::transcript_writer::record_ids::RecordId;
use crate::transcript_writer::source::SourceEntry;
use std::collections::BTreeMap;

/// The abandoned branch that is being written.
#[derive(Debug)]
struct Branch {
    last: RecordId,
    file: usize,
    state: EntryState,
    number: BranchNumber,
}

/// A stretch of records: a branch and a generation.
pub(crate) type Stretch = (BranchNumber, u64);

/// A position in the transcript: the line, and the number of the record.
type Position = (u64, u64);

/// The records so far, as far as later ones need them.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    leaf: Option<RecordId>,
    /// The last record of the conversation in each file.
    leaves: BTreeMap<usize, RecordId>,
    branch: Option<Branch>,
    branches: BranchNumber,
    records: u64,
    /// Where the last record is, and the last of the conversation.
    end: Option<Position>,
    live_end: Option<Position>,
    /// How often the conversation began anew after a compaction.
    generations: u64,
    /// Whether a branch follows the last record of the conversation.
    is_leaf_followed: bool,
}

impl Chain {
    /// Whether entries of a state are not part of the conversation.
    pub(crate) fn is_abandoned(state: EntryState) -> bool {
        matches!(state, EntryState::Undone | EntryState::Left)
    }

    /// Whether the record of an entry begins an abandoned branch.
    pub(crate) fn begins_branch(&self, entry: &SourceEntry<'_>) -> bool {
        Chain::is_abandoned(entry.state) && !self.continues_branch(entry)
    }

    fn continues_branch(&self, entry: &SourceEntry<'_>) -> bool {
        let is_same = |branch: &Branch| branch.file == entry.file && branch.state == entry.state;
        self.branch.as_ref().is_some_and(is_same)
    }

    /// Adds the record of an entry, on a line of the transcript, and returns its parent.
    pub(crate) fn add(
        &mut self,
        id: RecordId,
        entry: &SourceEntry<'_>,
        line: u64,
    ) -> Option<RecordId> {
        self.records += 1;
        let position = Some((line, self.records));
        self.end = self.end.max(position);
        if !Chain::is_abandoned(entry.state) {
            self.branch = None;
            self.live_end = position;
            self.is_leaf_followed = false;
            self.leaves.insert(entry.file, id);
            return self.leaf.replace(id);
        }
        if self.continues_branch(entry)
            && let Some(branch) = &mut self.branch
        {
            return Some(std::mem::replace(&mut branch.last, id));
        }
        self.branches += 1;
        let (file, state) = (entry.file, entry.state);
        self.branch = Some(Branch { last: id, file, state, number: self.branches });
        let parent = self.leaves.range(..=file).next_back().map(|(_, leaf)| *leaf);
        self.is_leaf_followed |= parent == self.leaf;
        parent
    }

    /// The number of the branch that the last record is on; 0 for the conversation.
    pub(crate) fn branch(&self) -> BranchNumber {
        self.branch.as_ref().map_or(0, |branch| branch.number)
    }

    /// The stretch of records that the last one continues: the branch that it is on, and the
    /// generation of the conversation.
    pub(crate) fn stretch(&self) -> Stretch {
        (self.branch(), self.generations)
    }

    /// The last record of the conversation.
    pub(crate) fn leaf(&self) -> Option<RecordId> {
        self.leaf
    }

    /// Whether the last record of the conversation is the last one of the transcript so far.
    pub(crate) fn ends_live(&self) -> bool {
        self.end == self.live_end
    }

    /// Whether there is no record yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Notes that the conversation begins anew with the last record.
    pub(crate) fn begin_generation(&mut self) {
        self.generations += 1;
    }

    /// Whether a reader would take something else for the end of the conversation: an abandoned
    /// branch that follows it or comes after it, or the end of an earlier generation.
    pub(crate) fn is_end_hidden(&self) -> bool {
        let has_other_ends = self.branches > 0 || self.generations > 0;
        self.is_leaf_followed || has_other_ends && !self.ends_live()
    }
}
