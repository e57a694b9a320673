//! Where a text occurs in one session.

use crate::{Document, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a text occurs in one session: in all turns, branches, segments and sub-agents.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FindDocument {
    /// The name of this document's schema.
    pub schema: Word,
    /// The session.
    pub session_id: String,
    /// The text.
    pub query: String,
    /// How often it occurs.
    pub total: usize,
    /// Whether `hits` has not all of them.
    pub truncated: bool,
    /// Where it occurs, in reading order: the conversation, branches, segments, sub-agents; at most 300.
    pub hits: Vec<FindHitDocument>,
}

impl Document for FindDocument {
    const SCHEMA: &'static str = "annals/find/1";
    const COMMAND: &'static str = "`GET api/1/sessions/ID/find`";
    const ROWS: Option<&'static str> = Some("hits");
}

/// A place where the text occurs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindHitDocument {
    /// The turn.
    pub turn: String,
    /// `main`, `b1` (an abandoned branch), `o1` (an orphaned segment), or `agent:ID`.
    pub part: String,
    /// The record whose element has it; of a result, that of its call.
    pub uuid: String,
    /// `prompt`, `text`, `thinking`, `call`, `result`, `note`.
    pub kind: Word,
    /// The tool, if it is in a call or result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The text before, white space as single spaces.
    pub before: String,
    /// The text that was found.
    #[serde(rename = "match")]
    pub found: String,
    /// The text after.
    pub after: String,
}
