//! What ran when in a session: a lane for the conversation and one for each sub-agent.

use crate::{Document, Keyword, Moment};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What ran when in a session. Spans narrower than a pixel are merged with their neighbours.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LanesDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session_id: String,
    /// The beginning of the time axis; `null` if no record has a time.
    pub from: Option<Moment>,
    /// The end of the time axis.
    pub to: Option<Moment>,
    /// How many milliseconds a pixel stands for; narrower spans are merged.
    pub pixel_ms: u64,
    /// The lanes: the session's own first, then sub-agents, parents before their children; at most 200.
    pub lanes: Vec<LaneDocument>,
    /// How many lanes there are.
    pub total_lanes: usize,
    /// The largest context window of the model of the last API call, in tokens, if it is known.
    pub context_limit: Option<u64>,
    /// The context window of the session over time; at most 500 points, which keep the peaks.
    pub context: Vec<LaneContextDocument>,
    /// Prompts, errors, compactions and cache misses of the session itself; at most 500.
    pub marks: Vec<LaneMarkDocument>,
}

impl Document for LanesDocument {
    const SCHEMA: &'static str = "annals/lanes/1";
    const COMMAND: &'static str = "`GET api/1/sessions/ID/lanes`";
}

/// A lane.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LaneDocument {
    /// The sub-agent; absent: the session itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The sub-agent that started it; absent: the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_agent_id: Option<String>,
    /// The call that started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// How deep it is below the session; 0: the session itself.
    pub depth: u64,
    /// Its type.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The time of its first record.
    pub started_at: Option<Moment>,
    /// The time of its last record.
    pub ended_at: Option<Moment>,
    /// What ran, by time.
    pub spans: Vec<LaneSpanDocument>,
}

/// A span of a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaneSpanDocument {
    /// `model`, `tool`, `waiting` (for the person), `compaction`.
    pub kind: Keyword,
    /// When it began.
    pub from: Moment,
    /// When it ended.
    pub to: Moment,
    /// The tool, if it is one; of merged spans, that of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// `error`, `denied`, `interrupted` or `missing` if a call did not succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Keyword>,
    /// The turn; of merged spans, that of the first.
    pub turn: String,
    /// How many spans were merged into it.
    pub count: u64,
}

/// The context window at a time.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LaneContextDocument {
    /// When.
    pub at: Moment,
    /// Its size in tokens.
    pub tokens: u64,
}

/// Something that happened at a time.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LaneMarkDocument {
    /// When.
    pub at: Moment,
    /// `prompt`, `error`, `compaction`, `cache_miss`.
    pub kind: Keyword,
    /// The turn.
    pub turn: String,
}
