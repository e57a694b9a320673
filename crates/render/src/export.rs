//! Exports as Markdown and as plain text, and the entry of an index.

mod markdown;
mod plain;
mod safe_markdown;

pub use markdown::{markdown_index, markdown_page};
pub use plain::{plain_index, plain_page};
pub(crate) use safe_markdown::is_allowed_link;

use crate::export_document::{Chapter, ExportDocument};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use usage::PicoUsd;

/// An exported session in an index.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IndexEntry {
    /// The file's name.
    pub file: String,
    /// The session.
    pub session_id: String,
    /// The sub-agent, if only that was exported.
    pub agent_id: Option<String>,
    /// Its title.
    pub title: String,
    /// Its project.
    pub project: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// When it began.
    #[serde(rename = "started_at", serialize_with = "crate::json::serialize_optional_moment")]
    pub started: Option<Timestamp>,
    /// When it ended.
    #[serde(rename = "ended_at", serialize_with = "crate::json::serialize_optional_moment")]
    pub ended: Option<Timestamp>,
    /// The number of exported turns.
    pub turns: usize,
    /// The output tokens.
    pub output_tokens: u64,
    /// Its API-equivalent cost in dollars, as far as prices are known.
    #[serde(rename = "cost_usd", serialize_with = "serialize_cost")]
    pub cost: Option<PicoUsd>,
    /// The additional cost of its sub-agents.
    #[serde(rename = "agents_cost_usd", serialize_with = "serialize_cost")]
    pub agents_cost: Option<PicoUsd>,
}

impl IndexEntry {
    /// The entry of an export; the caller adds the file name.
    pub fn of(export: &ExportDocument<'_>) -> Self {
        let heading = &export.heading;
        let turns = export.main.turns.iter();
        IndexEntry {
            file: String::new(),
            session_id: heading.session_id.clone(),
            agent_id: heading.agent_id.clone(),
            title: heading.title.clone(),
            project: heading.project.clone(),
            branch: heading.branch.clone(),
            started: heading.started,
            ended: heading.ended,
            turns: export.main.turns.iter().filter(|turn| turn.number.has_prompt()).count(),
            output_tokens: turns.map(|turn| turn.tokens.output).sum(),
            cost: export.main.cost(),
            agents_cost: {
                let chapters = export.agents.iter().filter_map(|agent| agent.chapter.as_ref().ok());
                chapters.filter_map(Chapter::cost).reduce(PicoUsd::plus)
            },
        }
    }

    /// The facts on one line: times, turns, tokens, cost.
    pub(crate) fn facts(&self, zone: &TimeZone) -> String {
        let mut facts = Vec::new();
        facts.extend(self.started.map(|time| crate::time::moment(time, zone)));
        facts.push(crate::counted(self.turns, "turn"));
        if self.output_tokens > 0 {
            facts.push(format!("{} tokens out", crate::count(self.output_tokens)));
        }
        facts.extend(self.cost.map(crate::money));
        facts.extend(self.agents_cost.map(|cost| format!("agents {}", crate::money(cost))));
        facts.join(" · ")
    }
}

#[expect(clippy::ref_option, reason = "serde passes fields by reference")]
fn serialize_cost<S: serde::Serializer>(
    cost: &Option<PicoUsd>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    cost.map(PicoUsd::decimal).serialize(serializer)
}
