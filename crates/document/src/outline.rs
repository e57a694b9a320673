//! The outline of a session: a row for each turn, and everything beside them.

use crate::{Document, Keyword, MarkDocument, Moment};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The outline of a session or sub-agent. Members that are empty, zero or false are absent from turns.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlineDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session_id: String,
    /// The sub-agent whose conversation it is; absent: the session's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The session's title, or a substitute for one.
    pub title: Option<String>,
    /// The project.
    pub project: Option<String>,
    /// The working directory the session recorded.
    pub cwd: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// The models that answered, in the order of their first answers.
    pub models: Vec<String>,
    /// The time of the first turn.
    pub started_at: Option<Moment>,
    /// The time of the last turn's end.
    pub ended_at: Option<Moment>,
    /// Whether a running process writes this session.
    pub is_running: bool,
    /// `disk`; `archive`: only the archive has the transcript; `unknown`: the archive has it, and its app may, of which not everything can be read; `prompts_only`: only the prompt history has the session.
    pub presence: Keyword,
    /// The command that resumes the session; absent for a sub-agent, and if its folder or id has
    /// characters that a terminal would act on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_command: Option<String>,
    /// The figures of the session.
    pub totals: OutlineTotalsDocument,
    /// The rules by which the conversation was read: `app` or `sdk`.
    pub view: Keyword,
    /// The largest context window of the model of the last API call, in tokens, if it is known.
    pub context_limit: Option<u64>,
    /// The spans between compactions, oldest first.
    pub generations: Vec<OutlineGenerationDocument>,
    /// The turns of all generations.
    pub turns: Vec<OutlineTurnDocument>,
    /// Abandoned branches.
    pub branches: Vec<OutlineBranchDocument>,
    /// Orphaned segments.
    pub orphans: Vec<OutlineOrphanDocument>,
    /// Sub-agents, parents before their children.
    pub agents: Vec<OutlineAgentDocument>,
    /// Files that were changed, the most often changed first; at most 200.
    pub files: Vec<OutlineFileDocument>,
    /// Plans that were proposed.
    pub plans: Vec<OutlinePlanDocument>,
    /// Commits that were made.
    pub commits: Vec<OutlineCommitDocument>,
    /// Sessions that share records with this one or continue it.
    pub relatives: Vec<OutlineRelativeDocument>,
    /// The bookmarks in the session.
    pub marks: Vec<MarkDocument>,
    /// The number of the transcript's last line, for following it.
    pub last_line: u64,
}

impl Document for OutlineDocument {
    const SCHEMA: &'static str = "annals/outline/1";
    const COMMAND: &'static str = "`GET api/1/sessions/ID/outline`";
}

/// The figures of a session.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlineTotalsDocument {
    /// The number of the last turn.
    pub turns: u32,
    /// Output tokens, sub-agents included.
    pub output_tokens: u64,
    /// The cost at API prices, sub-agents included; `null` if a model has no known price.
    pub cost_usd: Option<String>,
    /// Tool calls that failed, failed results without a call, and errors of the API: the sum of the turns.
    pub errors: u64,
    /// Tool calls.
    pub calls: u64,
}

/// The span between two compactions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlineGenerationDocument {
    /// Its number, from 1.
    pub number: usize,
    /// Its first turn.
    pub first_turn: String,
    /// Its last turn.
    pub last_turn: String,
    /// What triggered the compaction it begins with: `auto` or `manual`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// The context before that compaction, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// The context after it, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_after: Option<u64>,
}

/// A turn, in short.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct OutlineTurnDocument {
    /// Its number, as in `annals show`.
    pub turn: String,
    /// The generation it begins in, from 1.
    pub generation: usize,
    /// The first line of its prompt, cut at 160 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// The id of its prompt, else of its first record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Moment>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Moment>,
    /// Milliseconds between these two.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub duration_ms: u64,
    /// How long the model worked, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub model_ms: u64,
    /// How long tools worked, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tools_ms: u64,
    /// Output tokens, without those of sub-agents.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub output_tokens: u64,
    /// The cost at API prices, without that of sub-agents, as far as prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<String>,
    /// The context window of its last API call, in tokens.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub context_tokens: u64,
    /// The largest context window of that call's model, in tokens, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_limit: Option<u64>,
    /// Whether an API call found most of the prompt cache expired.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cache_miss: bool,
    /// Tool calls that failed, failed results without a call, and errors of the API.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub errors: u64,
    /// Tool calls.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub calls: u64,
    /// Parts at which a fragment of it can begin, if there are more than a hundred.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub steps: u64,
    /// Files it changed; at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The ids of the sub-agents it started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
    /// The hashes of the commits it made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<String>,
    /// The note of its bookmark, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Its estimated height on a page of 800 pixels, in pixels.
    pub height: u64,
}

/// An abandoned branch, in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlineBranchDocument {
    /// Its number.
    pub number: usize,
    /// Why it was abandoned: `edit`, `rewind`, `exit`, `parallel`, `unexplained`.
    pub reason: Keyword,
    /// The turn it stands before; absent: after the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_turn: Option<String>,
    /// How many messages it has.
    pub messages: usize,
    /// The first line of its first prompt.
    pub prompt: String,
    /// The numbers of its turns.
    pub turns: Vec<String>,
}

/// An orphaned segment, in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlineOrphanDocument {
    /// Its number.
    pub number: usize,
    /// The turn it stands before; absent: after the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_turn: Option<String>,
    /// How many messages it has.
    pub messages: usize,
    /// Where the gaps are, in words.
    pub gaps: String,
    /// The numbers of its turns.
    pub turns: Vec<String>,
}

/// A sub-agent, in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlineAgentDocument {
    /// Its id.
    pub id: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its task.
    pub description: Option<String>,
    /// The sub-agent that started it; absent: the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_agent_id: Option<String>,
    /// The call that started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The turn of the session that led to it; absent if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// How deep it is below the session, from 1.
    pub depth: u64,
    /// Its model.
    pub model: Option<String>,
    /// The time of its first record.
    pub started_at: Option<Moment>,
    /// The time of its last record.
    pub ended_at: Option<Moment>,
    /// Output tokens.
    pub output_tokens: u64,
    /// The cost at API prices, as far as prices are known; absent for agents inside the session's transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<String>,
    /// Tool calls.
    pub calls: u64,
    /// Tool calls that failed, failed results without a call, and errors of the API.
    pub errors: u64,
    /// The largest context window, in tokens; 0 if it is not known.
    pub context_peak: u64,
    /// How often its context was compacted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub compactions: u64,
    /// `done`, `failed`, `stopped`, `unfinished`.
    pub status: Option<Keyword>,
    /// Whether it only warmed up the cache.
    pub warmup: bool,
}

/// A file that was changed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlineFileDocument {
    /// Its path.
    pub path: String,
    /// How often it was changed.
    pub changes: u64,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// The turns that changed it; at most 50.
    pub turns: Vec<String>,
}

/// A plan that was proposed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlinePlanDocument {
    /// Its first line.
    pub title: String,
    /// The turn.
    pub turn: String,
    /// Its file, if the call names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// A commit that was made.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlineCommitDocument {
    /// Its hash, as git printed it.
    pub hash: String,
    /// The first line of its message.
    pub subject: Option<String>,
    /// The turn.
    pub turn: String,
}

/// A session that shares records with this one or continues it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlineRelativeDocument {
    /// Its id.
    pub session_id: String,
    /// `forked_from`, `fork`, `shares_lines`, `continued_in`.
    pub relation: Keyword,
    /// Its title.
    pub title: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
