//! What lists need to know of sessions, without reading them.
//!
//! Facts are derived from the files of a session, packed, and stored in the index
//! (`memory::facts` says how they are kept true). With and without the index,
//! answers are made from the same facts.
//!
//! Deliberately not here: the meaning of the answers; see `sessions::calls`, `files` and `prompts`.

pub(crate) mod call_groups;
pub(crate) mod calls;
pub(crate) mod line_turns;
pub(crate) mod of_files;
pub(crate) mod of_sessions;
pub(crate) mod sums;
pub(crate) mod touches;

pub use calls::CallFact;
pub use line_turns::LineTurnsReader;
pub use sums::{SessionSums, TotalCost};

use crate::catalog::Catalog;
use crate::memory::Memory;
use crate::redaction::Redaction;
use crate::sessions::Sessions;
use crate::stores::Stores;
use std::sync::Arc;

/// Facts of sessions: stored ones, or else derived ones.
#[derive(Clone, Debug)]
pub struct Facts {
    pub(crate) stores: Arc<Stores>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) sessions: Arc<Sessions>,
}
