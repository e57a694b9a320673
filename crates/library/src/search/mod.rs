//! Finding text in many sessions.
//!
//! There are three ways. `index` updates the full-text index and queries it;
//! `grep` reads the files themselves, for patterns that an index of words
//! cannot answer; `message` finds one message or call by its id. `snapshot` has
//! the caches that make a search fast and save other commands from reading
//! files.
//!
//! Deliberately not here: the schema and the queries of the index (the crate
//! `index`), and which files hold text (`catalog`).

pub(crate) mod grep;
pub(crate) mod index;
pub(crate) mod message;
pub(crate) mod snapshot;

use crate::Library;

/// Finding text, messages and calls in many sessions.
#[derive(Clone, Copy, Debug)]
pub struct Search<'l> {
    pub(crate) library: &'l Library,
}
