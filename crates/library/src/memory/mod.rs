//! What the index remembers of the files of the stores, and which of its files are theirs.
//!
//! Only opened and read here; [`search`](crate::search) brings the index up to date.

pub(crate) mod facts;
pub(crate) mod index;
pub(crate) mod large_lines;
pub(crate) mod snapshot;

use crate::lines::ReadError;
use crate::stores::Stores;
use ::index::{CallRow, FileCalls};
use std::sync::{Arc, OnceLock};

/// What turns the API calls of files into rows of a query.
pub trait CallRows {
    /// The API calls of these files, and those that the ledger remembers.
    fn call_rows(&self, files: Vec<FileCalls>, read_errors: &mut Vec<ReadError>) -> Vec<CallRow>;
}

/// The index behind the stores.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) stores: Arc<Stores>,
    /// What the index remembers of files, loaded on first use.
    memo: OnceLock<Option<::index::Memo>>,
    /// Why the memo cannot be used.
    pub(crate) index_problem: OnceLock<String>,
}

impl Memory {
    pub(crate) fn new(stores: Arc<Stores>) -> Memory {
        Memory { stores, memo: OnceLock::new(), index_problem: OnceLock::new() }
    }

    /// One that remembers nothing of files: for what lives longer than what it would remember.
    pub(crate) fn without_memo(stores: Arc<Stores>) -> Memory {
        Memory { memo: OnceLock::from(None), ..Memory::new(stores) }
    }
}
