//! The tool calls of a session and its agents, with durations and errors.

use super::Data;
use crate::overlay::{Block, Choice, Content, Goto};
use crate::session::model::SessionModel;
use library::sessions::Status;
use render::{Column, Style, Table};

pub(super) fn content(model: &SessionModel, data: &Data<'_>, only_errors: bool) -> Content {
    let session = model.session();
    let calls = session.calls();
    let folder = session.found().session.metadata.cwd.as_deref();
    let mut table = Table::new(vec![
        Column::new("WHEN").style(Style::Dim).drop_order(1),
        Column::new("AGENT").style(Style::Accent).shrinks_to(8).drop_order(2),
        Column::new("ENDED").style(Style::Warning),
        Column::new("TIME").right().style(Style::Dim),
        Column::new("CALL").shrinks_to(20).wide(),
    ]);
    let mut choices = Vec::new();
    let (mut failed, mut took) = (0_usize, 0_u64);
    for (agent, call) in &calls.calls {
        let status = call.status();
        let is_wrong = status.is_failure();
        failed += usize::from(is_wrong);
        took = took.saturating_add(call.milliseconds().unwrap_or_default());
        if only_errors && !is_wrong {
            continue;
        }
        let agent = agent.and_then(|place| calls.agents.get(place));
        let clock = call.origin.time.map(|time| render::time::moment(time, data.zone));
        table.row([
            clock.unwrap_or_default(),
            agent
                .map(|agent| agent.kind.clone().unwrap_or_else(|| agent.id.clone()))
                .unwrap_or_default(),
            if status == Status::Ok { String::new() } else { status.name().to_owned() },
            call.milliseconds().map(render::milliseconds).unwrap_or_default(),
            render::call_title(call, folder),
        ]);
        let line = call.origin.line;
        let own = session.found().agent_id();
        choices.push(Some(Choice::Goto(match agent {
            // Lines of an agent in a separate file are numbered there.
            Some(agent) if Some(agent.id.as_str()) != own => {
                Goto::Agent(agent.id.clone(), Some(line))
            }
            _ => Goto::Line(line),
        })));
    }
    if choices.is_empty() {
        return Content::note(if only_errors { "No failed calls." } else { "No calls." });
    }
    let summary = format!(
        "{} · {failed} failed · {}",
        render::counted(calls.calls.len(), "call"),
        render::milliseconds(took)
    );
    Content::new(vec![Block::Line(summary, Style::Dim, None), Block::Table(table, choices)])
}
