//! One session in figures.

use crate::sessions::shown;
use crate::usage_report::reported_usd;
use crate::{
    Document, Keyword, MarkDocument, Moment, PullRequestDocument, SessionDocument, TokensDocument,
};
use library::catalog::FoundSession;
use library::prompts::SessionOverview;
use library::usage::SessionUsage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One session in figures.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct InfoDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session: SessionDocument,
    /// The sub-agent the figures are about; `null`: the session itself.
    pub agent_id: Option<Cow<'a, str>>,
    /// Lines of the transcript.
    pub lines: u64,
    /// Records by type.
    pub records: Cow<'a, BTreeMap<String, u64>>,
    /// Prompts in the transcript, each once, as the column `prompts` of `sessions` in `annals sql` counts them.
    pub prompts: u64,
    /// Prompts that only the prompt history has.
    pub history_prompts: u64,
    /// API responses.
    pub answers: u64,
    /// Tokens of its API calls, sub-agents included.
    pub tokens: TokensDocument,
    /// Their cost at API prices in US dollars; `null` if a model has no known price.
    pub cost_usd: Option<String>,
    /// The part of the cost that an app other than Claude Code reported. Missing if that is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_usd: Option<String>,
    /// API responses by model.
    pub models: Cow<'a, BTreeMap<String, u64>>,
    /// Tool calls by tool.
    pub tools: Cow<'a, BTreeMap<String, u64>>,
    /// The time of the first record.
    pub first_at: Option<Moment>,
    /// The time of the last record.
    pub last_at: Option<Moment>,
    /// Milliseconds between these two.
    pub duration_ms: Option<i64>,
    /// Compactions.
    pub compactions: u64,
    /// Sub-agents.
    pub agents: u64,
    /// The size of their transcripts.
    pub agent_bytes: u64,
    /// Tool outputs in separate files.
    pub tool_results: usize,
    /// The size of these.
    pub tool_result_bytes: u64,
    /// Backups of files that Claude Code made before it changed them.
    pub backups: usize,
    /// The size of these.
    pub backup_bytes: u64,
    /// Paths of plan files.
    pub plans: Vec<String>,
    /// Commits the session made.
    pub commits: Vec<InfoCommitDocument<'a>>,
    /// Pull requests the session opened or recorded.
    pub pull_requests: Vec<PullRequestDocument>,
    /// The git branches it recorded.
    pub branches: Cow<'a, [String]>,
    /// The versions of Claude Code that wrote it.
    pub versions: Cow<'a, [String]>,
    /// Files it read or changed.
    pub files: Vec<InfoFileDocument<'a>>,
    /// Problems in the transcript; `annals doctor` lists them.
    pub problems: u64,
    /// Lines of the transcript that are too large to be read; no other figure counts what is in them.
    pub large_lines: u64,
}

impl Document for InfoDocument<'_> {
    const SCHEMA: &'static str = "annals/info/1";
    const COMMAND: &'static str = "`annals info`";
}

/// A file a session read or changed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct InfoFileDocument<'a> {
    /// Its path.
    pub path: Cow<'a, str>,
    /// How often it was read.
    pub reads: u64,
    /// How often it was changed.
    pub changes: u64,
}

/// A commit a session made.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct InfoCommitDocument<'a> {
    /// The hash, as git printed it.
    pub hash: Cow<'a, str>,
    /// The branch.
    pub branch: Option<Cow<'a, str>>,
    /// The first line of its message.
    pub subject: Option<Cow<'a, str>>,
    /// When it was made.
    pub timestamp: Option<Moment>,
}

impl<'a> InfoDocument<'a> {
    /// A session or sub-agent with its figures and bookmarks.
    pub fn new(
        found: &'a FoundSession,
        card: &'a SessionOverview,
        usage: &SessionUsage,
        marks: Vec<MarkDocument>,
    ) -> Self {
        let files = card.files.iter().map(|(path, touch)| InfoFileDocument {
            path: path.into(),
            reads: touch.reads,
            changes: touch.changes,
        });
        let commits = card.commits.iter().map(|commit| InfoCommitDocument {
            hash: commit.hash.as_str().into(),
            branch: commit.branch.as_deref().map(Cow::from),
            subject: commit.subject.as_deref().map(Cow::from),
            timestamp: commit.time.map(Moment),
        });
        let span = card.first.zip(card.last);
        InfoDocument {
            schema: Self::SCHEMA.into(),
            session: SessionDocument::new(&found.session, marks),
            agent_id: found.agent.as_ref().map(|agent| agent.id.as_str().into()),
            lines: card.lines,
            records: Cow::Borrowed(&card.records),
            prompts: card.prompts,
            history_prompts: card.history_prompts,
            answers: card.answers,
            tokens: TokensDocument {
                input: usage.tokens.input,
                cache_read: usage.tokens.read,
                cache_write: usage.tokens.write_5m.saturating_add(usage.tokens.write_1h),
                output: usage.tokens.output,
            },
            cost_usd: (!usage.is_partial).then(|| usage.cost.decimal()),
            reported_usd: reported_usd(usage.reported),
            models: Cow::Borrowed(&card.models),
            tools: Cow::Borrowed(&card.tools),
            first_at: card.first.map(Moment),
            last_at: card.last.map(Moment),
            duration_ms: span.map(|(first, last)| last.as_millisecond() - first.as_millisecond()),
            compactions: card.compactions,
            agents: card.agents,
            agent_bytes: card.agent_bytes,
            tool_results: card.tool_results.0,
            tool_result_bytes: card.tool_results.1,
            backups: card.backups.0,
            backup_bytes: card.backups.1,
            plans: card.plans.iter().map(|path| shown(path)).collect(),
            commits: commits.collect(),
            pull_requests: card
                .pull_requests
                .iter()
                .cloned()
                .map(PullRequestDocument::from)
                .collect(),
            branches: Cow::Borrowed(&card.branches),
            versions: Cow::Borrowed(&card.versions),
            files: files.collect(),
            problems: card.problems,
            large_lines: card.large_lines,
        }
    }
}
