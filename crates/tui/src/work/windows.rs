//! What the windows over a session show, from the same code as the commands of these names.

mod calls;
mod files;
mod tree;
mod usage;

use super::Data;
use crate::overlay::{Block, Choice, Content, Goto, WindowKind};
use crate::session::model::SessionModel;
use conversation::AgentNode;
use document::agent_duration;
use document::answers::Marks;
use library::sessions::Plan;
use render::{Column, Style, Table};

/// The content of a window, or why there is none.
pub(super) fn content(
    kind: &WindowKind,
    model: &SessionModel,
    data: &Data<'_>,
) -> Result<Content, String> {
    match kind {
        WindowKind::Agents => Ok(agents(model)),
        WindowKind::Tree => Ok(tree::content(model, data)),
        WindowKind::Tools => Ok(calls::content(model, data, false)),
        WindowKind::Errors => Ok(calls::content(model, data, true)),
        WindowKind::Files => Ok(files::list(model, data)),
        WindowKind::FileHistory(path) => Ok(files::history(path, model, data)),
        WindowKind::Plans => Ok(plans(model, data)),
        WindowKind::Plan(number) => plan(model, data, *number),
        WindowKind::Marks => marks(model, data),
        WindowKind::Usage => Ok(usage::content(model, data)),
        WindowKind::Help(_) => Ok(Content::default()),
    }
}

fn agents(model: &SessionModel) -> Content {
    let session = model.session();
    if session.found().inline_agent.is_some() {
        return Content::note("No sub-agents.");
    }
    let tree = session.agents();
    let shown: Vec<&AgentNode> = tree.agents.iter().filter(|agent| !agent.warmup).collect();
    if shown.is_empty() {
        return Content::note("No sub-agents.");
    }
    let mut table = Table::new(vec![
        Column::new("AGENT").style(Style::Id).shrinks_to(10),
        Column::new("TYPE").style(Style::Accent).shrinks_to(7).drop_order(1),
        Column::new("TIME").right().drop_order(3),
        Column::new("CALLS").right().style(Style::Dim).drop_order(4),
        Column::new("ERRORS").right().style(Style::Warning).drop_order(6),
        Column::new("TOKENS").right().style(Style::Dim).drop_order(5),
        Column::new("END").drop_order(2),
        Column::new("DESCRIPTION").shrinks_to(16).wide(),
    ]);
    let mut choices = Vec::new();
    for agent in &shown {
        let depth = usize::try_from(agent.depth.clamp(1, 16) - 1).unwrap_or_default();
        // Leading spaces would be trimmed as untrusted white space.
        let branch = match depth {
            0 => String::new(),
            depth => format!("{}└\u{a0}", "\u{a0}\u{a0}".repeat(depth - 1)),
        };
        table.row([
            format!("{branch}{}", agent.id),
            agent.kind.clone().unwrap_or_default(),
            agent_duration(agent).map(render::milliseconds).unwrap_or_default(),
            agent.calls.to_string(),
            if agent.errors > 0 { agent.errors.to_string() } else { String::new() },
            render::count(agent.tokens.total()),
            agent.outcome.map(|outcome| outcome.name().to_owned()).unwrap_or_default(),
            agent.description.clone().unwrap_or_default(),
        ]);
        choices.push(Some(Choice::Goto(Goto::Agent(agent.id.clone(), None))));
    }
    let mut blocks = vec![Block::Table(table, choices)];
    if let Some(note) = render::hidden_warmups(tree.warmups()) {
        blocks.push(Block::Line(note, Style::Dim, None));
    }
    for workflow in &tree.workflows {
        let name = workflow.name.as_deref().unwrap_or("(unnamed)");
        let status = workflow.status.as_deref().unwrap_or("unknown");
        let summary = workflow.summary.as_deref().or(workflow.error.as_deref());
        let line = format!("workflow {name}: {status}. {}", summary.unwrap_or_default());
        blocks.push(Block::Line(line, Style::Plain, None));
    }
    Content::new(blocks)
}

fn plans(model: &SessionModel, data: &Data<'_>) -> Content {
    let list = model.session().plans();
    match list.plans.as_slice() {
        [] => Content::note("No plans."),
        [one] => Content::new(plan_text(one, data)),
        _ => {
            let mut table = Table::new(vec![
                Column::new("NO").right(),
                Column::new("WHEN"),
                Column::new("STATUS"),
                Column::new("BYTES").right().drop_order(1),
                Column::new("BEGINS").shrinks_to(16).wide(),
            ]);
            let mut choices = Vec::new();
            for (number, plan) in list.numbered() {
                let begins = plan.text.trim().lines().next().unwrap_or_default();
                let when =
                    plan.timestamp.map(|time| render::time::ago(time, data.now(), data.zone));
                table.row([
                    number.to_string(),
                    when.unwrap_or_default(),
                    plan.status.name().to_owned(),
                    render::bytes(plan.text.len() as u64),
                    begins.trim_start_matches('#').trim().to_owned(),
                ]);
                choices.push(Some(Choice::Window(WindowKind::Plan(number))));
            }
            Content::new(vec![Block::Table(table, choices)])
        }
    }
}

fn plan(model: &SessionModel, data: &Data<'_>, number: usize) -> Result<Content, String> {
    let mut plans = model.session().plans().numbered();
    let (_, plan) =
        plans.find(|(own, _)| *own == number).ok_or_else(|| format!("no plan {number}"))?;
    Ok(Content::new(plan_text(plan, data)))
}

fn plan_text(plan: &Plan, data: &Data<'_>) -> Vec<Block> {
    let mut facts = vec![plan.status.name().to_owned()];
    facts.extend(plan.timestamp.map(|time| render::time::moment(time, data.zone)));
    facts.extend(plan.agent_id.as_ref().map(|agent| format!("agent {agent}")));
    facts.extend(plan.path.clone());
    let mut blocks = vec![Block::Line(facts.join(" · "), Style::Dim, None)];
    if plan.is_guess() {
        let note =
            "A guess: the session names no plan; this is the newest plan file from that time.";
        blocks.push(Block::Line(note.to_owned(), Style::Warning, None));
    }
    blocks.extend([Block::Gap, Block::Markdown(plan.text.clone())]);
    blocks
}

fn marks(model: &SessionModel, data: &Data<'_>) -> Result<Content, String> {
    let marks = Marks::read(data.library).map_err(|error| error.to_string())?;
    let session = model.session();
    let documents = marks.documents_of(session);
    if documents.is_empty() {
        return Ok(Content::note(
            "No bookmarks in this session. m sets one at the turn that is read.",
        ));
    }
    let mut table = Table::new(vec![
        Column::new("TURN").right(),
        Column::new("MARKED").style(Style::Dim).drop_order(1),
        Column::new("AGENT").style(Style::Id).shrinks_to(8).drop_order(2),
        Column::new("NOTE").style(Style::Accent).shrinks_to(12).wide(),
    ]);
    let own = session.found().agent_id();
    let mut choices = Vec::new();
    for mark in documents {
        let turn = mark.turn.map(|turn| turn.0);
        table.row([
            turn.map_or_else(|| "all".to_owned(), |turn| turn.to_string()),
            render::time::ago(mark.at.0, data.now(), data.zone),
            mark.agent_id.clone().unwrap_or_default(),
            mark.note.clone().unwrap_or_default(),
        ]);
        let place = match (&mark.agent_id, turn) {
            (agent, Some(turn)) if agent.as_deref() == own => Some(Goto::Turn(turn)),
            (Some(agent), turn) if Some(agent.as_str()) != own => {
                Some(Goto::Session(agent.clone(), turn))
            }
            (None, turn) if own.is_some() => {
                Some(Goto::Session(session.found().session.id.clone(), turn))
            }
            _ => None,
        };
        choices.push(place.map(Choice::Goto));
    }
    Ok(Content::new(vec![Block::Table(table, choices)]))
}
