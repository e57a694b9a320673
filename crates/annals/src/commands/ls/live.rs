//! `annals ls --live`: the running sessions.

use crate::context::Context;
use crate::failure::report_read_errors;
use document::{RunningDocument, RunningSessionDocument, short_ids};
use jiff::Timestamp;
use library::catalog::{Filter, RunningProcess};
use library::session::Session;
use render::{Column, Style, Table, untrusted};

pub(super) fn run(context: &Context, filter: &Filter, limit: Option<usize>) -> anyhow::Result<()> {
    let (mut running, read_errors) =
        context.library.prompts().running_within(filter, &context.progress("reading"));
    report_read_errors(&read_errors);
    let total = running.len();
    if let Some(limit) = limit {
        running.truncate(limit);
    }
    let marks = |session: &Session| context.mark_documents(&session.id);
    let rows = running.iter().map(|one| RunningSessionDocument::new(one, marks)).collect();
    context.output.rows(
        rows,
        |running| RunningDocument::new(total, running),
        || text(context, &running, total),
    )
}

fn text(context: &Context, running: &[RunningProcess], total: usize) -> String {
    let (alive, stale): (Vec<&RunningProcess>, Vec<&RunningProcess>) =
        running.iter().partition(|one| one.process.is_alive());
    let mut text = if alive.is_empty() {
        "No session is running.\n".to_owned()
    } else {
        table(context, &alive).render(context.output.width(), context.output.paint)
    };
    text += &context.output.cut_note(running.len(), total, "processes");
    for one in stale {
        let process = &one.process;
        let id = process.session_id.as_deref().unwrap_or("no session");
        let why = process.stale.map(store::StaleReason::description).unwrap_or_default();
        let line = format!("stale: pid {} of {id}: {why}", process.pid);
        let line = context.output.paint.paint(Style::Dim, &untrusted::line(&line));
        text += &(context.output.hanging(&line, 2) + "\n");
    }
    text
}

fn table(context: &Context, running: &[&RunningProcess]) -> Table {
    let mut table = Table::new(vec![
        Column::new("SESSION").style(Style::Id),
        Column::new("STATUS").style(Style::Good),
        Column::new("KIND").style(Style::Dim).drop_order(5),
        Column::new("PID").right().style(Style::Dim).drop_order(4),
        Column::new("STARTED").drop_order(3),
        Column::new("WRITTEN").drop_order(2),
        Column::new("PROJECT").shrinks_to(12).keeps_end().drop_order(1),
        Column::new("BRANCH").style(Style::Accent).shrinks_to(8).drop_order(6),
        Column::new("TITLE").shrinks_to(16).wide(),
    ]);
    let ids: Vec<&str> =
        running.iter().map(|one| one.process.session_id.as_deref().unwrap_or_default()).collect();
    let ago = |time: Option<Timestamp>| {
        time.map(|time| render::time::ago(time, context.settings.now, &context.settings.zone))
            .unwrap_or_default()
    };
    for (one, id) in running.iter().zip(short_ids(&ids)) {
        let (process, session) = (&one.process, one.session.as_ref());
        let project = session.and_then(|session| session.project.as_deref());
        let project = project.or(process.cwd.as_deref()).map(|path| context.short_path(path));
        let title = session.and_then(Session::heading).or(process.name.as_deref());
        let is_current = session.is_some_and(|session| session.is_current);
        let mark = if is_current { " (this one)" } else { "" };
        let branch = session.and_then(|session| session.metadata.branch.clone());
        table.row([
            id,
            process.status.clone().unwrap_or_default(),
            process.kind.clone().unwrap_or_default(),
            process.pid.to_string(),
            ago(process.started_at),
            ago(session.map(|session| session.metadata.modified)),
            project.unwrap_or_default(),
            branch.unwrap_or_default(),
            format!("{}{mark}", title.unwrap_or("(no transcript yet)")),
        ]);
    }
    table
}
