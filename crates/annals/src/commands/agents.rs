//! `annals agents`: the sub-agents of a session.

use crate::context::Context;
use crate::output::Format;
use library::{AgentNode, AgentTree, Found};
use render::{Column, Style, Table};
use serde::Serialize;

/// Show the tree of a session's sub-agents and workflows
///
/// Agents of all eras: written into the transcript, beside it, or below the
/// session's own folder. Warm-up agents are folded away.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    #[arg(default_value = "@")]
    session: String,
    /// Show warm-up agents too
    #[arg(long)]
    warmup: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let found = context.find(&args.session)?;
    let tree = context.library.agents(&found);
    context.say_troubles(&tree.troubles);
    let documents = || tree.agents.iter().map(AgentDocument::from);
    match context.output.format {
        Format::Json => context.output.json(&Document {
            schema: "annals/agents/1",
            session_id: &found.session.id,
            agents: documents().collect(),
            workflows: tree.workflows.iter().map(WorkflowDocument::from).collect(),
        }),
        Format::Jsonl => context.output.jsonl(documents()),
        Format::Csv => {
            let head = render::csv::row(["id", "parent_id", "type", "description", "model", "bytes", "path"]);
            let rows = tree.agents.iter().map(|agent| {
                let text = |value: &Option<String>| value.clone().unwrap_or_default();
                let path = agent.path.as_ref().map(|path| path.to_string_lossy().into_owned());
                let bytes = agent.bytes.to_string();
                let cells = [
                    agent.id.clone(),
                    text(&agent.parent_id),
                    text(&agent.kind),
                    text(&agent.description),
                    text(&agent.model),
                    bytes,
                    path.unwrap_or_default(),
                ];
                render::csv::row(cells.iter().map(String::as_str))
            });
            context.output.text(&rows.fold(head, |text, row| text + &row))
        }
        Format::Text => context.output.text(&text(context, &found, &tree, args.warmup)),
    }
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
    depth: u64,
    warmup: bool,
    model: Option<&'a str>,
    bytes: u64,
    lines: u64,
}

impl<'a> From<&'a AgentNode> for AgentDocument<'a> {
    fn from(agent: &'a AgentNode) -> Self {
        AgentDocument {
            id: &agent.id,
            parent_id: agent.parent_id.as_deref(),
            kind: agent.kind.as_deref(),
            description: agent.description.as_deref(),
            tool_use_id: agent.tool_use_id.as_deref(),
            evidence: agent.evidence.map(library::Evidence::name),
            path: agent.path.as_ref().map(|path| path.to_string_lossy().into_owned()),
            era: match agent.era {
                store::AgentEra::Inline => "inline",
                store::AgentEra::Flat => "flat",
                store::AgentEra::Nested => "nested",
            },
            workflow: agent.workflow.as_deref(),
            depth: agent.depth,
            warmup: agent.warmup,
            model: agent.model.as_deref(),
            bytes: agent.bytes,
            lines: agent.lines,
        }
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

fn text(context: &Context, found: &Found, tree: &AgentTree, with_warmup: bool) -> String {
    let paint = context.output.paint;
    let shown: Vec<&AgentNode> = tree.agents.iter().filter(|agent| with_warmup || !agent.warmup).collect();
    let folded = tree.agents.len() - shown.len();
    let mut text = String::new();
    if shown.is_empty() {
        text += "No sub-agents.\n";
    } else {
        let mut table = Table::new(vec![
            Column::new("AGENT").style(Style::Id),
            Column::new("TYPE").style(Style::Accent),
            Column::new("MODEL").style(Style::Dim).shrinks_to(8),
            Column::new("LINES").right().style(Style::Dim),
            Column::new("SIZE").right().style(Style::Dim),
            Column::new("WORKFLOW").style(Style::Dim).shrinks_to(8),
            Column::new("DESCRIPTION").shrinks_to(16),
        ]);
        for agent in shown {
            let depth = usize::try_from(agent.depth.clamp(1, 16) - 1).unwrap_or_default();
            let branch = if depth == 0 { String::new() } else { format!("{}└ ", "  ".repeat(depth - 1)) };
            let guess = if agent.evidence == Some(library::Evidence::Prompt) { " (by its prompt)" } else { "" };
            table.row(vec![
                // Leading spaces would be trimmed as untrusted white space.
                format!("{}{}", branch.replace(' ', "\u{a0}"), agent.id),
                agent.kind.clone().unwrap_or_default(),
                agent.model.clone().unwrap_or_default(),
                agent.lines.to_string(),
                render::bytes(agent.bytes),
                agent.workflow.clone().unwrap_or_default(),
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
        let agents = tree.agents.iter().filter(|agent| agent.workflow.as_deref() == Some(&workflow.id)).count();
        let name = workflow.name.as_deref().unwrap_or("(unnamed)");
        let status = workflow.status.as_deref().unwrap_or("unknown");
        let summary = workflow.summary.as_deref().or(workflow.error.as_deref()).unwrap_or_default();
        let line = format!("{} {name}: {status}, {agents} agents. {summary}", workflow.id);
        text += &format!("{} {}\n", paint.paint(Style::Heading, "workflow"), render::untrusted::line(&line));
    }
    let _ = found;
    text
}
