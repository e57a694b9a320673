//! All sessions in figures: the first page of every surface.

use crate::{
    BudgetDocument, Document, ExpiringSessionDocument, MarkEntryDocument, RunningSessionDocument,
    SessionDocument, SessionRowDocument, Word,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is in the stores.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HomeDocument {
    /// The name of this document's schema.
    pub schema: Word,
    /// Sessions that Claude Code lists.
    pub sessions: usize,
    /// Their projects.
    pub projects: usize,
    /// Sub-agents, those of hidden sessions included.
    pub agents: usize,
    /// The size of their transcripts.
    pub bytes: u64,
    /// Sessions modified today.
    pub changed_today: usize,
    /// Sessions that a program started; `latest` has none of them.
    pub programmatic: usize,
    /// The cost of today at API prices in US dollars, if the index has it.
    pub cost_today_usd: Option<String>,
    /// The cost of this week, since Monday, if the index has it.
    pub cost_week_usd: Option<String>,
    /// Sessions that Claude Code will delete within three days.
    pub expiring: usize,
    /// Those of them that the archive does not have.
    pub expiring_not_archived: usize,
    /// Sessions known only from the prompt history.
    pub prompts_only: usize,
    /// Sessions that only the archive has.
    pub archive_only: usize,
    /// The stores.
    pub roots: Vec<String>,
    /// The latest sessions that a person started, newest first.
    pub latest: Vec<SessionDocument>,
    /// How much of each budget is used, as of the last index update; absent if there is no budget or no index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetDocument>,
    /// What the first page of the web app shows besides; only the web app asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overview: Option<HomeOverviewDocument>,
}

impl Document for HomeDocument {
    const SCHEMA: &'static str = "annals/home/1";
    const COMMAND: &'static str = "`annals` without a command";
}

/// What the first page of the web app shows besides the figures.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HomeOverviewDocument {
    /// The sessions that Claude Code will delete within three days, the next one first; at most 20.
    pub expiring: Vec<ExpiringSessionDocument>,
    /// The cost of yesterday at API prices in US dollars.
    pub cost_yesterday_usd: String,
    /// The cost of the whole last week, Monday to Sunday.
    pub cost_last_week_usd: String,
    /// The cost of last week up to the same moment as now: what this week compares with.
    pub cost_last_week_so_far_usd: String,
    /// The cost of yesterday up to the same time of day as now.
    pub cost_yesterday_so_far_usd: String,
    /// The processes that run now, the last one started first; at most 20.
    pub running: Vec<RunningSessionDocument>,
    /// The days of the last year that have calls, oldest first.
    pub days: Vec<HomeDayDocument>,
    /// The last 30 days by model, oldest first.
    pub models: Vec<HomeModelDocument>,
    /// The latest sessions that a person started, newest first, as rows; at most 10.
    pub latest: Vec<SessionRowDocument>,
    /// The newest bookmarks; at most 10.
    pub marks: Vec<MarkEntryDocument>,
}

/// The calls of a day.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HomeDayDocument {
    /// The day in the zone.
    pub date: String,
    /// API calls.
    pub calls: u64,
    /// All tokens.
    pub tokens: u64,
    /// The cost at API prices in US dollars, as far as prices are known.
    pub cost_usd: String,
}

/// The calls of a model on a day.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HomeModelDocument {
    /// The day in the zone.
    pub date: String,
    /// The model.
    pub model: String,
    /// Output tokens.
    pub output_tokens: u64,
    /// The cost at API prices in US dollars, as far as prices are known.
    pub cost_usd: String,
}
