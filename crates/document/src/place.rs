//! Where a message stands in its session.

use crate::{Document, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a message stands in its session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceDocument {
    /// The name of this document's schema.
    pub schema: Word,
    /// The session.
    pub session_id: String,
    /// The sub-agent whose conversation has it; absent: the session's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// `main`, `b1` (an abandoned branch), or `o1` (an orphaned segment).
    pub part: String,
    /// The turn.
    pub turn: String,
    /// The step of the turn, from 0.
    pub step: usize,
    /// The record whose element shows it; for a result, that of its call.
    pub uuid: String,
}

impl Document for PlaceDocument {
    const SCHEMA: &'static str = "annals/place/1";
    const COMMAND: &'static str = "`GET api/1/sessions/ID/place`";
}
