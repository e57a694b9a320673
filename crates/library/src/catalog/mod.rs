//! What there is: sessions, projects, and where their text lies.
//!
//! The catalogue merges the sessions of all roots into one list, finds one by
//! whatever people call it, filters the list, and knows which sessions run and
//! which share a past. It reads as little of a transcript as that takes: mostly
//! its beginning and its end.
//!
//! Deliberately not here: reading a session whole (`open`), and looking for
//! words in many of them (`search`).

pub(crate) mod content_filter;
pub(crate) mod filter;
pub(crate) mod find;
pub(crate) mod find_in;
pub(crate) mod hook_transcript;
pub(crate) mod list;
pub(crate) mod locate;
pub(crate) mod project;
pub(crate) mod prompts;
pub(crate) mod prompts_only;
pub(crate) mod recall;
pub(crate) mod relatives;
pub(crate) mod running;
pub(crate) mod session;
pub(crate) mod sources;
pub(crate) mod text_files;
pub(crate) mod tier;

use crate::Library;

/// The sessions and projects of all roots: what there is, and how to find it.
#[derive(Clone, Copy, Debug)]
pub struct Catalog<'l> {
    pub(crate) library: &'l Library,
}
