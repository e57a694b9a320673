//! Which hours calls were made in, and what is installed and was not used.

use crate::{Document, Keyword};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Calls by weekday and hour.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageHoursDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The time zone of weekdays and hours.
    pub timezone: String,
    /// How many sessions the calls are in.
    pub sessions: usize,
    /// The hours of the week that have calls, in order.
    pub cells: Vec<UsageHourDocument>,
}

impl Document for UsageHoursDocument {
    const SCHEMA: &'static str = "annals/usage-hours/1";
    const COMMAND: &'static str = "`GET api/1/usage/hours`";
    const ROWS: Option<&'static str> = Some("cells");
}

/// The calls of an hour of the week.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageHourDocument {
    /// The day of the week: 0 is Monday.
    pub weekday: u8,
    /// The hour of the day: 0 to 23.
    pub hour: u8,
    /// API calls.
    pub calls: u64,
    /// All tokens.
    pub total_tokens: u64,
    /// The cost at API prices in US dollars, as far as prices are known.
    pub cost_usd: String,
}

/// Agents and skills that are installed in the stores and were not used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UnusedDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The agents (`agents/*.md`), by name. Those of projects and plugins are not looked at.
    pub agents: Vec<UnusedItemDocument>,
    /// The skills (`skills/*/SKILL.md`), by name.
    pub skills: Vec<UnusedItemDocument>,
}

impl Document for UnusedDocument {
    const SCHEMA: &'static str = "annals/unused/1";
    const COMMAND: &'static str = "`GET api/1/usage/unused`";
}

/// An agent or a skill that was not used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnusedItemDocument {
    /// Its name.
    pub name: String,
    /// The file that describes it.
    pub path: String,
    /// The day of its last call that is known; `null`: none is.
    pub last_used_on: Option<String>,
}
