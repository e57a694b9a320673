//! Problems in the stores, and sessions that will be deleted.
//!
//! `doctor` checks every file of every root and reports; `secrets` counts what
//! masking would hide, by session and file. Neither changes anything.

pub(crate) mod doctor;
pub(crate) mod secrets;

use crate::Library;
use store::RootError;

/// Problems in the stores, and sessions that will be deleted.
#[derive(Clone, Copy, Debug)]
pub struct Health<'l> {
    pub(crate) library: &'l Library,
}

impl<'l> Health<'l> {
    /// Why the index could not be used by what was asked so far. The answers are from the
    /// transcripts then, and the next search builds a new index.
    pub fn index_problem(self) -> Option<&'l str> {
        self.library.index_problem.get().map(String::as_str)
    }
}

impl<'l> Health<'l> {
    /// The roots that cannot be used, and why.
    pub fn unusable_roots(self) -> &'l [RootError] {
        &self.library.unusable
    }
}
