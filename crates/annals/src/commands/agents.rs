//! `annals agents`: the sub-agents of a session.

use crate::commands::show::TokensDocument;
use crate::context::Context;
use crate::failure::say_troubles;
use crate::output::Row;
use conversation::AgentNode;
use jiff::Timestamp;
use library::AgentTree;
use render::json::serialize_optional_moment;
use render::{Column, Style, Table};
use serde::Serialize;

/// Show the sub-agents and workflows of a session as a tree
///
/// Includes sub-agents of every Claude Code version: inside the transcript, beside
/// it, or in the session's own folder. Warm-up agents are hidden.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    #[arg(default_value = "@")]
    session: String,
    /// Also show warm-up agents
    #[arg(long)]
    warmup: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let found = context.find(&args.session)?;
    let tree = context.library.catalog().agents(&found);
    say_troubles(&tree.troubles);
    context.output.rows(
        tree.agents.iter().map(|agent| AgentDocument::new(&tree, agent)).collect(),
        |agents| Document {
            schema: "annals/agents/1",
            session_id: &found.session.id,
            agents,
            workflows: tree.workflows.iter().map(WorkflowDocument::from).collect(),
        },
        || text(context, &tree, args.warmup),
    )
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    session_id: &'a str,
    agents: Vec<AgentDocument<'a>>,
    workflows: Vec<WorkflowDocument<'a>>,
}

#[derive(Serialize)]
struct AgentDocument<'a> {
    id: &'a str,
    parent_id: Option<&'a str>,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    description: Option<&'a str>,
    tool_use_id: Option<&'a str>,
    evidence: Option<&'static str>,
    path: Option<String>,
    era: &'static str,
    workflow: Option<&'a str>,
    phase: Option<&'a str>,
    depth: u64,
    generation: u64,
    warmup: bool,
    model: Option<&'a str>,
    bytes: u64,
    lines: u64,
    #[serde(serialize_with = "serialize_optional_moment")]
    started_at: Option<Timestamp>,
    #[serde(serialize_with = "serialize_optional_moment")]
    ended_at: Option<Timestamp>,
    duration_ms: Option<u64>,
    tokens: TokensDocument,
    tool_calls: u64,
    errors: u64,
    outcome: Option<&'static str>,
}

impl<'a> AgentDocument<'a> {
    fn new(tree: &'a AgentTree, agent: &'a AgentNode) -> Self {
        AgentDocument {
            id: &agent.id,
            parent_id: agent.parent_id.as_deref(),
            kind: agent.kind.as_deref(),
            description: agent.description.as_deref(),
            tool_use_id: agent.tool_use_id.as_deref(),
            evidence: agent.evidence.map(conversation::Evidence::name),
            path: tree.file(agent).map(|file| file.path.to_string_lossy().into_owned()),
            era: match tree.era(agent) {
                store::AgentEra::Inline => "inline",
                store::AgentEra::Flat => "flat",
                store::AgentEra::Nested => "nested",
            },
            workflow: agent.workflow.as_deref(),
            phase: agent.phase.as_deref(),
            depth: agent.depth,
            generation: agent.generation,
            warmup: agent.warmup,
            model: agent.model.as_deref(),
            bytes: agent.bytes,
            lines: agent.lines,
            started_at: agent.started,
            ended_at: agent.ended,
            duration_ms: duration(agent),
            tokens: agent.tokens.into(),
            tool_calls: agent.calls,
            errors: agent.errors,
            outcome: agent.outcome.map(conversation::Outcome::name),
        }
    }
}

impl Row for AgentDocument<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "parent_id",
        "type",
        "description",
        "model",
        "bytes",
        "path",
        "started_at",
        "duration_ms",
        "output_tokens",
        "tool_calls",
        "errors",
        "outcome",
    ];

    fn cells(&self) -> Vec<String> {
        let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
        vec![
            self.id.to_owned(),
            text(self.parent_id),
            text(self.kind),
            text(self.description),
            text(self.model),
            self.bytes.to_string(),
            text(self.path.as_deref()),
            self.started_at.map(|time| time.to_string()).unwrap_or_default(),
            self.duration_ms.map(|took| took.to_string()).unwrap_or_default(),
            self.tokens.output.to_string(),
            self.tool_calls.to_string(),
            self.errors.to_string(),
            text(self.outcome),
        ]
    }
}

#[derive(Serialize)]
struct WorkflowDocument<'a> {
    id: &'a str,
    name: Option<&'a str>,
    status: Option<&'a str>,
    timestamp: Option<&'a str>,
    duration_ms: Option<u64>,
    summary: Option<&'a str>,
    error: Option<&'a str>,
    path: String,
}

impl<'a> From<&'a store::Workflow> for WorkflowDocument<'a> {
    fn from(workflow: &'a store::Workflow) -> Self {
        WorkflowDocument {
            id: &workflow.id,
            name: workflow.name.as_deref(),
            status: workflow.status.as_deref(),
            timestamp: workflow.timestamp.as_deref(),
            duration_ms: workflow.duration_ms,
            summary: workflow.summary.as_deref(),
            error: workflow.error.as_deref(),
            path: workflow.path.to_string_lossy().into_owned(),
        }
    }
}

/// How long an agent was at work.
fn duration(agent: &AgentNode) -> Option<u64> {
    let (started, ended) = agent.started.zip(agent.ended)?;
    u64::try_from(ended.as_millisecond() - started.as_millisecond()).ok()
}

/// The workflow run an agent belongs to, with its phase.
fn workflow_of(agent: &AgentNode) -> String {
    let names = [agent.workflow.as_deref(), agent.phase.as_deref()];
    names.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn text(context: &Context, tree: &AgentTree, with_warmup: bool) -> String {
    let paint = context.output.paint;
    let shown: Vec<&AgentNode> =
        tree.agents.iter().filter(|agent| with_warmup || !agent.warmup).collect();
    let folded = tree.agents.len() - shown.len();
    let mut text = String::new();
    if shown.is_empty() {
        text += "No sub-agents.\n";
    } else {
        let mut table = Table::new(vec![
            Column::new("AGENT").style(Style::Id).shrinks_to(12),
            Column::new("TYPE").style(Style::Accent).shrinks_to(7).goes(1),
            Column::new("MODEL").style(Style::Dim).shrinks_to(8).goes(3),
            Column::new("TIME").right().goes(2),
            Column::new("CALLS").right().style(Style::Dim).goes(5),
            Column::new("TOKENS").right().style(Style::Dim).goes(6),
            Column::new("SIZE").right().style(Style::Dim).goes(7),
            Column::new("END").goes(4),
            Column::new("WORKFLOW").style(Style::Dim).shrinks_to(8).goes(8),
            Column::new("DESCRIPTION").shrinks_to(16),
        ]);
        for agent in shown {
            let depth = usize::try_from(agent.depth.clamp(1, 16) - 1).unwrap_or_default();
            let branch =
                if depth == 0 { String::new() } else { format!("{}└ ", "  ".repeat(depth - 1)) };
            let guess = agent.evidence.filter(|evidence| evidence.is_guess());
            let guess = guess.map(|evidence| format!(" (by its {})", evidence.name()));
            let guess = guess.unwrap_or_default();
            table.row([
                // Leading spaces would be trimmed as untrusted white space.
                format!("{}{}", branch.replace(' ', "\u{a0}"), agent.id),
                agent.kind.clone().unwrap_or_default(),
                agent.model.clone().unwrap_or_default(),
                duration(agent).map(render::milliseconds).unwrap_or_default(),
                agent.calls.to_string(),
                render::count(agent.tokens.total()),
                render::bytes(agent.bytes),
                agent.outcome.map(|outcome| outcome.name().to_owned()).unwrap_or_default(),
                workflow_of(agent),
                format!("{}{guess}", agent.description.clone().unwrap_or_default()),
            ]);
        }
        text += &table.render(context.output.width(), paint);
    }
    if folded > 0 {
        let note = format!("{folded} warm-up agents folded away; --warmup shows them\n");
        text += &paint.paint(Style::Dim, &note);
    }
    for workflow in &tree.workflows {
        let agents = tree
            .agents
            .iter()
            .filter(|agent| agent.workflow.as_deref() == Some(&workflow.id))
            .count();
        let name = workflow.name.as_deref().unwrap_or("(unnamed)");
        let status = workflow.status.as_deref().unwrap_or("unknown");
        let summary = workflow.summary.as_deref().or(workflow.error.as_deref()).unwrap_or_default();
        let line = format!("{} {name}: {status}, {agents} agents. {summary}", workflow.id);
        text += &format!(
            "{} {}\n",
            paint.paint(Style::Heading, "workflow"),
            render::untrusted::line(&line)
        );
    }
    text
}
