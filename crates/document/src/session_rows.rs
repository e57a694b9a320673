//! Sessions as slim rows, for long tables.

use crate::table::Column;
use crate::{Document, Keyword, Moment};
use library::facts::SessionSums;
use library::session::Session;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Sessions as slim rows, a page at a time.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SessionRowsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many sessions match, on all pages.
    pub total: usize,
    /// Whether more sessions may match: the query has too many hits to look at all of them.
    pub is_cut: bool,
    /// Whether the index, which found the sessions of the query, has every file as it is; absent if the index was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index_complete: Option<bool>,
    /// The `after` of the next page; `null` on the last one.
    pub next: Option<String>,
    /// The sessions of this page.
    pub sessions: Vec<SessionRowDocument>,
}

impl Document for SessionRowsDocument {
    const SCHEMA: &'static str = "annals/session-rows/1";
    const COMMAND: &'static str = "`GET api/1/sessions`";
    const ROWS: Option<&'static str> = Some("sessions");
    // Those of `ls`, as far as a slim row has them, and then its own.
    const COLUMNS: &'static [Column] = &[
        Column::of("id"),
        Column::from("modified_at", "changed_at"),
        Column::of("project"),
        Column::of("branch"),
        Column::of("title"),
        Column::of("tag"),
        Column::of("bytes"),
        Column::of("agents").or("0"),
        Column::of("presence"),
        Column::of("turns"),
        Column::of("models"),
        Column::of("cost_usd"),
        Column::of("output_tokens"),
        Column::of("context_peak"),
        Column::of("kind"),
        Column::of("hidden"),
        Column::of("is_running").or("false"),
        Column::of("marks").or("0"),
    ];
}

/// A session as a slim row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRowDocument {
    /// The session's id.
    pub id: String,
    /// Its title, or a substitute for one, cut at 160 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The project: for a worktree, its repository; for a folder that moved, its present path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The git branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// When the transcript was last modified.
    pub changed_at: Moment,
    /// The size of the transcript.
    pub bytes: u64,
    /// How many sub-agents have a separate transcript.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub agents: usize,
    /// The number of its last turn; absent without an index, and for some very large sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u64>,
    /// The cost at API prices, with sub-agents; absent without an index or if a price is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<String>,
    /// Output tokens, with sub-agents; absent without an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// The largest context window of the session itself, in tokens; absent without an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_peak: Option<u64>,
    /// The models that answered, in sub-agents too; absent without an index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// `disk`; `archive`: only the archive has the transcript; `unknown`: the archive has it, and its app may, of which not everything can be read; `prompts_only`: only the prompt history has the session.
    pub presence: Keyword,
    /// `interactive`, `programmatic`, `warmup`, or `pre_compact_copy`.
    pub kind: Keyword,
    /// Why Claude Code does not list the session ([listing.md](listing.md)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Keyword>,
    /// Whether a running process writes this session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_running: bool,
    /// The tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// How many bookmarks are in the session.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub marks: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The longest title in a row, in characters.
const TITLE: usize = 160;

impl SessionRowDocument {
    /// A session with the figures of the index, where it has them.
    pub fn new(session: &Session, sums: Option<&SessionSums>, marks: usize) -> Self {
        let facts = &session.metadata;
        SessionRowDocument {
            id: session.id.clone(),
            title: session.heading().map(|title| render::cut(title, Some(TITLE))),
            project: session.project.clone(),
            branch: facts.branch.clone(),
            changed_at: facts.modified.into(),
            bytes: facts.bytes,
            agents: session.agents,
            turns: sums.and_then(|sums| sums.turns),
            cost_usd: sums.and_then(|sums| sums.cost.known()).map(usage::PicoUsd::decimal),
            output_tokens: sums.map(|sums| sums.output_tokens),
            context_peak: sums.map(|sums| sums.context_peak),
            models: sums.map(|sums| sums.models.iter().cloned().collect()).unwrap_or_default(),
            presence: session.presence.name().into(),
            kind: facts.kind.name().into(),
            hidden: session.unlisted.map(|unlisted| unlisted.name().into()),
            is_running: session.is_running,
            tag: facts.tag.clone(),
            marks,
        }
    }
}
