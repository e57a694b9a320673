//! Sub-agents and workflows of a session.

use crate::sessions::shown;
use crate::table::Column;
use crate::{Document, Keyword, Moment, TokensDocument};
use conversation::AgentNode;
use library::sessions::AgentTree;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The sub-agents and workflows of a session.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AgentsDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session_id: Cow<'a, str>,
    /// The sub-agents.
    pub agents: Vec<AgentDocument<'a>>,
    /// The workflow runs.
    pub workflows: Vec<WorkflowDocument<'a>>,
}

impl Document for AgentsDocument<'_> {
    const SCHEMA: &'static str = "annals/agents/1";
    const COMMAND: &'static str = "`annals agents`";
    const ROWS: Option<&'static str> = Some("agents");
    const COLUMNS: &'static [Column] = &[
        Column::of("id"),
        Column::of("parent_id"),
        Column::of("type"),
        Column::of("description"),
        Column::of("model"),
        Column::of("bytes"),
        Column::of("path"),
        Column::of("started_at"),
        Column::of("duration_ms"),
        Column::from("output_tokens", "tokens.output"),
        Column::of("tool_calls"),
        Column::of("errors"),
        Column::of("outcome"),
    ];
}

/// A sub-agent.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AgentDocument<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// The sub-agent that started it; `null`: the session.
    pub parent_id: Option<Cow<'a, str>>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<Cow<'a, str>>,
    /// Its task.
    pub description: Option<Cow<'a, str>>,
    /// The call that started it.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// What the link to that call rests on: `meta`, `progress`, `result`, `trailer`; guesses: `prompt`, `time`; `null`: only its folder links it to the session.
    pub evidence: Option<Keyword>,
    /// Its transcript.
    pub path: Option<String>,
    /// Where its records are: `inline` in the session's transcript, `flat` beside it, `nested` in the session's folder.
    pub era: Keyword,
    /// The workflow run it belongs to.
    pub workflow: Option<Cow<'a, str>>,
    /// Its phase in the workflow.
    pub phase: Option<Cow<'a, str>>,
    /// How deep it is below the session, from 1.
    pub depth: u64,
    /// The generation that started it, from 1.
    pub generation: u64,
    /// Whether it only warmed up the cache.
    pub warmup: bool,
    /// The model.
    pub model: Option<Cow<'a, str>>,
    /// The size of its records.
    pub bytes: u64,
    /// The number of its records.
    pub lines: u64,
    /// When it began.
    pub started_at: Option<Moment>,
    /// When it ended.
    pub ended_at: Option<Moment>,
    /// Milliseconds between these two.
    pub duration_ms: Option<u64>,
    /// Tokens, each API response counted once.
    pub tokens: TokensDocument,
    /// Tool calls.
    pub tool_calls: u64,
    /// Errors: tool calls that failed, failed results without a call, and errors of the API.
    pub errors: u64,
    /// `done`, `failed`, `stopped`, `unfinished`.
    pub outcome: Option<Keyword>,
}

/// A workflow run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WorkflowDocument<'a> {
    /// The id of the run.
    pub id: Cow<'a, str>,
    /// The workflow's name.
    pub name: Option<Cow<'a, str>>,
    /// Its status, as recorded.
    pub status: Option<Cow<'a, str>>,
    /// Its time, as recorded.
    pub timestamp: Option<Cow<'a, str>>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Its summary.
    pub summary: Option<Cow<'a, str>>,
    /// Why it failed.
    pub error: Option<Cow<'a, str>>,
    /// Its file.
    pub path: String,
}

impl<'a> AgentsDocument<'a> {
    /// The sub-agents of a session, with its workflows.
    pub fn new(session_id: &'a str, agents: Vec<AgentDocument<'a>>, tree: &'a AgentTree) -> Self {
        AgentsDocument {
            schema: Self::SCHEMA.into(),
            session_id: session_id.into(),
            agents,
            workflows: tree.workflows.iter().map(WorkflowDocument::from).collect(),
        }
    }
}

impl<'a> AgentDocument<'a> {
    /// A sub-agent of a tree.
    pub fn new(tree: &'a AgentTree, agent: &'a AgentNode) -> Self {
        let text = |text: &'a Option<String>| text.as_deref().map(Cow::from);
        let era = match tree.era(agent) {
            store::AgentEra::Inline => "inline",
            store::AgentEra::Flat => "flat",
            store::AgentEra::Nested => "nested",
        };
        AgentDocument {
            id: agent.id.as_str().into(),
            parent_id: text(&agent.parent_id),
            kind: text(&agent.kind),
            description: text(&agent.description),
            tool_use_id: text(&agent.tool_use_id),
            evidence: agent.evidence.map(|evidence| evidence.name().into()),
            path: tree.file(agent).map(|file| shown(&file.path)),
            era: era.into(),
            workflow: text(&agent.workflow),
            phase: text(&agent.phase),
            depth: agent.depth,
            generation: agent.generation,
            warmup: agent.warmup,
            model: text(&agent.model),
            bytes: agent.bytes,
            lines: agent.lines,
            started_at: agent.started.map(Moment),
            ended_at: agent.ended.map(Moment),
            duration_ms: agent_duration(agent),
            tokens: agent.tokens.into(),
            tool_calls: agent.calls,
            errors: agent.errors,
            outcome: agent.outcome.map(|outcome| outcome.name().into()),
        }
    }
}

/// How long an agent worked, in milliseconds.
pub fn agent_duration(agent: &AgentNode) -> Option<u64> {
    let (started, ended) = agent.started.zip(agent.ended)?;
    u64::try_from(ended.as_millisecond() - started.as_millisecond()).ok()
}

impl<'a> From<&'a store::Workflow> for WorkflowDocument<'a> {
    fn from(workflow: &'a store::Workflow) -> Self {
        let text = |text: &'a Option<String>| text.as_deref().map(Cow::from);
        WorkflowDocument {
            id: workflow.id.as_str().into(),
            name: text(&workflow.name),
            status: text(&workflow.status),
            timestamp: text(&workflow.timestamp),
            duration_ms: workflow.duration_ms,
            summary: text(&workflow.summary),
            error: text(&workflow.error),
            path: shown(&workflow.path),
        }
    }
}
