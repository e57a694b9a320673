//! Tool calls, one by one and summed up.

use crate::table::{Column, columns};
use crate::{Document, Keyword, Moment, TurnId};
use conversation::{AgentNode, GitAction, Summary, ToolCall, TurnNumber};
use library::session::Session;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Tool calls: of one session in order, of all sessions newest first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToolsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many calls match.
    pub total: usize,
    /// The `--offset` of the next page; `null` on the last one.
    pub next: Option<usize>,
    /// The calls. Of all sessions 50 are given, unless `--limit` says otherwise.
    pub calls: Vec<ToolCallDocument>,
}

impl Document for ToolsDocument {
    const SCHEMA: &'static str = "annals/tools/1";
    const COMMAND: &'static str = "`annals tools`";
    const ROWS: Option<&'static str> = Some("calls");
    const COLUMNS: &'static [Column] = &columns([
        "started_at",
        "session_id",
        "agent_id",
        "tool",
        "status",
        "duration_ms",
        "tool_use_id",
        "summary",
        "files",
        "turn",
    ]);
}

impl ToolsDocument {
    /// A page of calls, out of `total`.
    pub fn new(total: usize, next: Option<usize>, calls: Vec<ToolCallDocument>) -> Self {
        ToolsDocument { schema: Self::SCHEMA.into(), total, next, calls }
    }
}

/// A tool call with its result.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToolCallDocument {
    /// The session.
    pub session_id: String,
    /// The sub-agent that made the call.
    pub agent_id: Option<String>,
    /// The type of that sub-agent.
    pub agent_type: Option<String>,
    /// The tool.
    pub tool: String,
    /// The id of the call.
    pub tool_use_id: Option<String>,
    /// When it began.
    pub started_at: Option<Moment>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Its input, as it is in the transcript.
    pub input: Option<Box<RawValue>>,
    /// The text of its result, complete even if it is in a separate file.
    pub result: Option<String>,
    /// Whether the result is marked as an error.
    pub is_error: bool,
    /// `ok`, `error`, `denied`, `interrupted`, or `missing`: there is no result.
    pub status: Keyword,
    /// Files the call is about.
    pub files: Vec<String>,
    /// The call in one line.
    pub summary: String,
    /// The change it made, as a unified diff.
    pub diff: Option<String>,
    /// The exit code of a shell command.
    pub exit_code: Option<i64>,
    /// Hashes of the commits it made.
    pub commits: Vec<String>,
    /// Pull requests it opened, by address or number.
    pub pull_requests: Vec<String>,
    /// The name of the file that holds its output.
    pub persisted: Option<String>,
    /// The model that made the call.
    pub model: Option<String>,
    /// The skill that was active.
    pub skill: Option<String>,
    /// Its line in the transcript.
    pub line: u64,
    /// The turn it belongs to: of the session, or of the sub-agent that made the call.
    pub turn: Option<TurnId>,
}

impl ToolCallDocument {
    /// A call of a session; `output` reads an output that is in a separate file.
    pub fn new(
        session: &Session,
        agent: Option<&AgentNode>,
        call: &ToolCall<'_>,
        turn: Option<TurnNumber>,
        output: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let owned = |text: &Option<transcript::Str<'_>>| text.as_deref().map(str::to_owned);
        let answer = call.answer.as_ref();
        let persisted = answer.and_then(conversation::Answer::persisted_name);
        let output = persisted.as_deref().and_then(output);
        let actions = conversation::git_actions(call);
        let commits = actions.iter().filter_map(|action| match action {
            GitAction::Commit { hash, .. } => Some(hash.clone()),
            _ => None,
        });
        let requests = actions.iter().filter_map(|action| match action {
            GitAction::PullRequest { url, number } => {
                url.clone().or_else(|| number.map(|number| format!("#{number}")))
            }
            _ => None,
        });
        // Other apps record the exit codes of patches and of input for running commands too.
        let recorded_code = answer.and_then(conversation::Answer::recorded_exit_code);
        let (diff, exit_code) = match call.summary() {
            Summary::Change { diff, .. } => (Some(diff.text), recorded_code),
            Summary::Shell { exit_code, .. } => (None, exit_code),
            _ => (None, recorded_code),
        };
        ToolCallDocument {
            session_id: session.id.clone(),
            agent_id: agent.map(|agent| agent.id.clone()),
            agent_type: agent.and_then(|agent| agent.kind.clone()),
            tool: call.tool.to_string(),
            tool_use_id: owned(&call.id),
            started_at: call.origin.time.map(Moment),
            duration_ms: call.milliseconds(),
            input: input(call),
            result: output.or_else(|| answer.map(|answer| answer.text().into_owned())),
            is_error: answer.is_some_and(|answer| answer.is_error),
            status: call.status().name().into(),
            files: call.files().into_iter().map(std::borrow::Cow::into_owned).collect(),
            summary: render::call_title(call, session.metadata.cwd.as_deref()),
            diff,
            exit_code,
            commits: commits.collect(),
            pull_requests: requests.collect(),
            persisted,
            model: owned(&call.model),
            skill: owned(&call.skill),
            line: call.origin.line,
            turn: turn.map(TurnId),
        }
    }
}

/// The input of a call, as it is in the transcript.
pub(crate) fn input(call: &ToolCall<'_>) -> Option<Box<RawValue>> {
    let input = call.input.as_ref()?;
    RawValue::from_string(input.as_str().to_owned()).ok()
}

/// Tool calls summed up.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToolStatsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The time zone of days and hours.
    pub timezone: String,
    /// All calls.
    pub total: ToolSumDocument,
    /// The calls by tool, type of agent, skill and MCP server, the most frequent first.
    pub rows: Vec<ToolSumDocument>,
    /// Calls by day.
    pub days: BTreeMap<String, u64>,
    /// Calls by hour of the day: 24 numbers, from midnight on.
    pub hours: Vec<u64>,
}

impl Document for ToolStatsDocument {
    const SCHEMA: &'static str = "annals/tool-stats/1";
    const COMMAND: &'static str = "`annals tools --stats`";
    const ROWS: Option<&'static str> = Some("rows");
    const COLUMNS: &'static [Column] = &columns([
        "by",
        "name",
        "calls",
        "errors",
        "denials",
        "interrupted",
        "missing",
        "p50_ms",
        "p95_ms",
    ]);
}

/// Tool calls of one kind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToolSumDocument {
    /// What the row is grouped by: `tool`, `agent`, `skill`, `mcp`, or `total`.
    pub by: Keyword,
    /// The tool, type of agent, skill or server; empty for the total.
    pub name: String,
    /// Calls.
    pub calls: u64,
    /// Calls that failed.
    pub errors: u64,
    /// Calls that were denied.
    pub denials: u64,
    /// Calls that the person interrupted.
    pub interrupted: u64,
    /// Calls without a result.
    pub missing: u64,
    /// The time that half of the calls did not exceed, in milliseconds.
    pub p50_ms: Option<u64>,
    /// The time that 95 % of the calls did not exceed, in milliseconds.
    pub p95_ms: Option<u64>,
}
