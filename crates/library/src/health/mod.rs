//! Problems in the stores, and sessions that will be deleted.
//!
//! `doctor` checks every file of every root and reports; `secrets` counts what
//! masking would hide, by session and file. Neither changes anything.

pub(crate) mod doctor;
pub(crate) mod large_lines;
pub(crate) mod secrets;

pub use doctor::{Diagnosis, ExpiringSession, FolderCollision, IndexReport, StatsReport};
pub use secrets::{FileSecrets, SessionSecrets};

use crate::catalog::Catalog;
use crate::memory::Memory;
use crate::redaction::Redaction;
use crate::stores::Stores;
use std::sync::Arc;
use store::RootError;

/// Problems in the stores, and sessions that will be deleted.
#[derive(Clone, Debug)]
pub struct Health {
    pub(crate) stores: Arc<Stores>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) catalog: Arc<Catalog>,
}

impl Health {
    /// Why the index could not be used by what was asked so far. The answers are from the
    /// transcripts then, and the next search builds a new index.
    pub fn index_problem(&self) -> Option<&'_ str> {
        self.memory.index_problem.get().map(String::as_str)
    }
}

impl Health {
    /// The roots that cannot be used, and why.
    pub fn unusable_roots(&self) -> &'_ [RootError] {
        &self.stores.unusable
    }
}
