//! The texts that an ingest has sent to its writer, so that each is masked and split once.
//!
//! Sessions repeat each other: forks their parents, and all of them the instructions that they
//! begin with. A text that occurs again needs only its hash, because the writer gets its words
//! before. So that this stays true, the writer does not delete such a text until the ingest
//! ends, even if no row refers to it for the moment.

use crate::hashed_key::HashedKeys;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most texts that are remembered, in about 32 MB.
const MOST: usize = 1 << 20;

/// The hashes of texts whose words were sent to the writer.
#[derive(Debug, Default)]
pub(crate) struct SentTexts(Mutex<HashSet<[u8; 16], HashedKeys>>);

impl SentTexts {
    pub(crate) fn contains(&self, hash: &[u8; 16]) -> bool {
        self.lock().contains(hash)
    }

    /// Adds texts that have been sent. Those that do not fit are sent again if they occur again.
    pub(crate) fn add(&self, hashes: &[[u8; 16]]) {
        let mut sent = self.lock();
        let free = MOST.saturating_sub(sent.len());
        sent.extend(hashes.iter().take(free));
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<[u8; 16], HashedKeys>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
