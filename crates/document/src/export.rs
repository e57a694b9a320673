//! The report of an export.

use crate::{Document, Keyword, Moment};
use render::IndexEntry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use usage::PicoUsd;

/// What an export wrote, and what it masked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExportDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The files.
    pub files: Vec<ExportedFileDocument>,
}

impl Document for ExportDocument {
    const SCHEMA: &'static str = "annals/export/1";
    const COMMAND: &'static str = "`annals export --json`";
}

impl ExportDocument {
    /// The files that were written.
    pub fn new(files: Vec<ExportedFileDocument>) -> Self {
        ExportDocument { schema: Self::SCHEMA.into(), files }
    }
}

/// A file that an export wrote.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExportedFileDocument {
    /// The file.
    pub path: String,
    /// The session; `null`: the index of the export.
    pub session_id: Option<String>,
    /// The sub-agent, if only that was exported.
    pub agent_id: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// The secrets that were masked.
    pub masked: Vec<MaskedSecretDocument>,
    /// For XML: how much shorter it became.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduction: Option<ReductionDocument>,
}

/// Secrets that were masked on one line.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MaskedSecretDocument {
    /// The kind of secret.
    pub rule: Keyword,
    /// The sub-agent in whose transcript it is.
    pub agent_id: Option<String>,
    /// The file of the tool output it is in.
    pub output: Option<String>,
    /// The line.
    pub line: u64,
    /// How many there are.
    pub count: u64,
}

/// How much shorter an export became.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReductionDocument {
    /// The size before.
    pub before_bytes: u64,
    /// The size after.
    pub after_bytes: u64,
}

/// The index of an export of several sessions: a file beside exported JSON, jsonl and XML.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExportIndexDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The exported sessions.
    pub sessions: Vec<ExportIndexEntryDocument>,
}

impl Document for ExportIndexDocument {
    const SCHEMA: &'static str = "annals/export-index/1";
    const COMMAND: &'static str = "`annals export` of several sessions";
}

/// A session in the index of an export.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExportIndexEntryDocument {
    /// The name of its file.
    pub file: String,
    /// The session.
    pub session_id: String,
    /// The sub-agent, if only that was exported.
    pub agent_id: Option<String>,
    /// Its title.
    pub title: String,
    /// Its project.
    pub project: Option<String>,
    /// Its git branch.
    pub branch: Option<String>,
    /// When it began.
    pub started_at: Option<Moment>,
    /// When it ended.
    pub ended_at: Option<Moment>,
    /// How many turns the file has.
    pub turns: usize,
    /// Output tokens.
    pub output_tokens: u64,
    /// The cost at API prices, as far as prices are known.
    pub cost_usd: Option<String>,
    /// The cost of its sub-agents, not included in `cost_usd`.
    pub agents_cost_usd: Option<String>,
}

impl ExportIndexDocument {
    /// The index of these sessions.
    pub fn new<'a>(entries: impl IntoIterator<Item = &'a IndexEntry>) -> Self {
        let sessions = entries.into_iter().map(ExportIndexEntryDocument::from).collect();
        ExportIndexDocument { schema: Self::SCHEMA.into(), sessions }
    }
}

impl From<&IndexEntry> for ExportIndexEntryDocument {
    fn from(entry: &IndexEntry) -> Self {
        ExportIndexEntryDocument {
            file: entry.file.clone(),
            session_id: entry.session_id.clone(),
            agent_id: entry.agent_id.clone(),
            title: entry.title.clone(),
            project: entry.project.clone(),
            branch: entry.branch.clone(),
            started_at: entry.started.map(Moment),
            ended_at: entry.ended.map(Moment),
            turns: entry.turns,
            output_tokens: entry.output_tokens,
            cost_usd: entry.cost.map(PicoUsd::decimal),
            agents_cost_usd: entry.agents_cost.map(PicoUsd::decimal),
        }
    }
}
