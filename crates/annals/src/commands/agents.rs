//! `annals agents`: the sub-agents of a session.

use crate::context::Context;
use crate::failure::report_read_errors;
use conversation::AgentNode;
use document::{AgentDocument, AgentsDocument, agent_duration};
use library::sessions::AgentTree;
use render::{Column, Style, Table};

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
    let tree = context.library.sessions().agents(&found);
    report_read_errors(&tree.read_errors);
    context.output.rows(
        tree.agents.iter().map(|agent| AgentDocument::new(&tree, agent)).collect(),
        |agents| AgentsDocument::new(&found.session.id, agents, &tree),
        || text(context, &tree, args.warmup),
    )
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
    let folded = if with_warmup { None } else { render::hidden_warmups(tree.warmups()) };
    let mut text = String::new();
    if shown.is_empty() {
        text += "No sub-agents.\n";
    } else {
        let mut table = Table::new(vec![
            Column::new("AGENT").style(Style::Id).shrinks_to(12),
            Column::new("TYPE").style(Style::Accent).shrinks_to(7).drop_order(1),
            Column::new("MODEL").style(Style::Dim).shrinks_to(8).drop_order(3),
            Column::new("TIME").right().drop_order(2),
            Column::new("CALLS").right().style(Style::Dim).drop_order(5),
            Column::new("TOKENS").right().style(Style::Dim).drop_order(6),
            Column::new("SIZE").right().style(Style::Dim).drop_order(7),
            Column::new("END").drop_order(4),
            Column::new("WORKFLOW").style(Style::Dim).shrinks_to(8).drop_order(8),
            Column::new("DESCRIPTION").shrinks_to(16).wide(),
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
                agent.model.as_deref().map(usage::normalized_model).unwrap_or_default(),
                agent_duration(agent).map(render::milliseconds).unwrap_or_default(),
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
    if let Some(note) = folded {
        let note = format!("{note} (--warmup shows them)\n");
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
