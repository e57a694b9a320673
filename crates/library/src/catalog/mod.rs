//! Sessions, projects, and where their text is.
//!
//! The catalogue merges the sessions of all roots into one list, finds one by
//! its name, filters the list, and knows which sessions run and which share a
//! past. It reads as little of a transcript as possible: usually its beginning
//! and its end.
//!
//! Deliberately not here: reading a whole session (`sessions`), and searching for
//! words in many of them (`search`).

pub(crate) mod agent_files;
pub(crate) mod filter;
pub(crate) mod find;
pub(crate) mod find_error;
pub(crate) mod find_in;
pub(crate) mod find_repeated;
pub(crate) mod find_transcript;
pub(crate) mod hook_transcript;
pub(crate) mod inline_agents;
pub(crate) mod list;
pub(crate) mod locate;
pub(crate) mod metadata;
pub(crate) mod project;
pub(crate) mod prompts_only;
pub(crate) mod recall;
pub(crate) mod relatives;
pub(crate) mod running;
pub(crate) mod settle;
pub(crate) mod sources;

pub use filter::Filter;
pub use find::FoundSession;
pub use find_error::{Candidate, FindError};
pub use hook_transcript::{HookTranscript, HookTranscriptError};
pub use list::SessionList;
pub use locate::ProjectFolder;
pub use project::{NamedProject, ProjectScope};
pub use recall::RecallSummary;
pub use relatives::{Relation, Relative};
pub use running::RunningProcess;
pub use sources::{Source, Sources};

use crate::memory::Memory;
use crate::redaction::Redaction;
use crate::session::inline_agents::RecentInlineAgents;
use crate::stores::apps::Apps;
use crate::stores::{LakeSources, Stores};
use std::sync::Arc;
use store::Root;

/// The sessions and projects of all roots, and how to find them.
#[derive(Clone, Debug)]
pub struct Catalog {
    pub(crate) stores: Arc<Stores>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) recent_inline_agents: RecentInlineAgents,
}

impl Catalog {
    /// The usable roots; a root whose folder is gone is read from the shelf.
    pub fn roots(&self) -> &[Root] {
        &self.stores.roots
    }

    /// The session that runs this call, if one does.
    pub fn current_session(&self) -> Option<&str> {
        self.stores.options.current_session.as_deref()
    }

    /// The sessions of other apps as those wrote them.
    pub fn apps(&self) -> Apps<'_> {
        self.stores.apps()
    }

    /// What was brought from a lake, if that is what is read.
    pub fn lake(&self) -> Option<&LakeSources> {
        self.stores.lake()
    }

    /// Whether the sessions of more than one person are read.
    pub fn has_several_owners(&self) -> bool {
        self.lake().is_some_and(|lake| lake.stores.len() > 1)
    }
}
