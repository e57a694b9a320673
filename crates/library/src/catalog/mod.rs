//! Sessions, projects, and where their text is.
//!
//! The catalogue merges the sessions of all roots into one list, finds one by
//! its name, filters the list, and knows which sessions run and which share a
//! past. It reads as little of a transcript as possible: usually its beginning
//! and its end.
//!
//! Deliberately not here: reading a whole session (`open`), and searching for
//! words in many of them (`search`).

mod agent_counter;
pub(crate) mod content_filter;
pub(crate) mod filter;
pub(crate) mod find;
pub(crate) mod find_error;
pub(crate) mod find_in;
mod find_repeated;
mod find_transcript;
pub(crate) mod hook_transcript;
pub(crate) mod inline_agents;
pub(crate) mod list;
pub(crate) mod locate;
pub(crate) mod project;
pub(crate) mod prompts;
pub(crate) mod prompts_only;
pub(crate) mod recall;
pub(crate) mod relatives;
pub(crate) mod running;
pub(crate) mod session;
mod settle;
pub(crate) mod sources;
pub(crate) mod text_files;
pub(crate) mod tier;

use crate::Library;

/// The sessions and projects of all roots, and how to find them.
#[derive(Clone, Copy, Debug)]
pub struct Catalog<'l> {
    pub(crate) library: &'l Library,
}
