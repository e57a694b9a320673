//! Finding text in many sessions.
//!
//! There are three ways. `index` updates the full-text index and queries it;
//! `grep` reads the files themselves, for patterns that an index of words
//! cannot answer; `message` finds one message or call by its id.
//!
//! Deliberately not here: the schema and the queries of the index (the crate
//! `index`), the caches that make a search fast (`memory`), and which files hold text (`stores`).

pub(crate) mod content_digest;
pub(crate) mod grep;
pub(crate) mod index;
pub(crate) mod message;

pub use crate::memory::CallRows;
pub use ::index::{
    BlockKind, Digest as ContentDigest, DistinctWords, FIELDS, IndexError, PromptSource, Query,
    ScannedBlock, SourceKind, SqlSink, SqlValue, VIEWS, VIEWS_VERSION,
};
pub use grep::excerpt::ContextLines;
pub use grep::{GrepDemand, GrepOptions, Hit, HitOwner, Hits};
pub use index::IndexOptions;
pub use index::excerpt::Excerpt;
pub use index::facets::{SearchFacets, SessionsWithHits};
pub use index::freshness::{Freshness, Gap, Indexed};
pub use index::patience::IndexWait;
pub use index::search::{FoundHit, NearbyMessage, Order, SearchAnswer, SearchOptions};
pub use index::sql::{SqlAnswer, SqlQuery};
pub use message::{FoundMessage, MessagePart};

use crate::catalog::Catalog;
use crate::memory::Memory;
use crate::redaction::Redaction;
use crate::sessions::Sessions;
use crate::stores::Stores;
use std::sync::Arc;

/// Finding text, messages and calls in many sessions.
#[derive(Clone, Debug)]
pub struct Search {
    pub(crate) stores: Arc<Stores>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) sessions: Arc<Sessions>,
}
