//! `annals ls --live`: the sessions that run right now.

use super::short_ids;
use crate::commands::session_document::SessionDocument;
use crate::context::Context;
use crate::output::Row;
use jiff::Timestamp;
use library::{Filter, Running, Session};
use render::json::serialize_optional_moment;
use render::{Column, Style, Table, untrusted};
use serde::Serialize;

pub(super) fn run(context: &Context, filter: &Filter, limit: Option<usize>) -> anyhow::Result<()> {
    let mut running = context.library.catalog().running();
    running.retain(|one| admits(filter, one));
    let total = running.len();
    if let Some(limit) = limit {
        running.truncate(limit);
    }
    let rows = running.iter().map(|one| RunningDocument::new(context, one)).collect();
    context.output.rows(
        rows,
        |running| Document { schema: "annals/running/1", total, running },
        || text(context, &running, total),
    )
}

/// Whether a process is wanted. One without a transcript says no more than where
/// it runs.
fn admits(filter: &Filter, one: &Running) -> bool {
    if let Some(session) = &one.session {
        return filter.admits(session);
    }
    let cwd = one.process.cwd.as_deref();
    let is_here = |project: &library::ProjectScope| cwd.is_some_and(|cwd| project.holds(cwd));
    filter.project.as_ref().is_none_or(is_here)
        && filter.branch.is_none()
        && filter.admits_time(one.process.started_at)
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    total: usize,
    running: Vec<RunningDocument>,
}

/// A process that says which session it writes.
#[derive(Serialize)]
struct RunningDocument {
    session_id: Option<String>,
    pid: u32,
    status: Option<String>,
    kind: Option<String>,
    name: Option<String>,
    cwd: Option<String>,
    root: String,
    #[serde(serialize_with = "serialize_optional_moment")]
    started_at: Option<Timestamp>,
    is_stale: bool,
    stale_reason: Option<&'static str>,
    session: Option<SessionDocument>,
}

impl RunningDocument {
    fn new(context: &Context, one: &Running) -> Self {
        let process = one.process.clone();
        RunningDocument {
            session_id: process.session_id,
            pid: process.pid,
            status: process.status,
            kind: process.kind,
            name: process.name,
            cwd: process.cwd,
            root: one.root.to_string_lossy().into_owned(),
            started_at: process.started_at,
            is_stale: process.stale.is_some(),
            stale_reason: process.stale.map(store::StaleReason::name),
            session: one
                .session
                .as_ref()
                .map(|session| SessionDocument::new(session, context.marks())),
        }
    }
}

impl Row for RunningDocument {
    const COLUMNS: &'static [&'static str] = &[
        "session_id",
        "pid",
        "status",
        "kind",
        "name",
        "cwd",
        "started_at",
        "is_stale",
        "stale_reason",
    ];

    fn cells(&self) -> Vec<String> {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        vec![
            text(&self.session_id),
            self.pid.to_string(),
            text(&self.status),
            text(&self.kind),
            text(&self.name),
            text(&self.cwd),
            self.started_at.map(render::json::moment).unwrap_or_default(),
            self.is_stale.to_string(),
            self.stale_reason.unwrap_or_default().to_owned(),
        ]
    }
}

fn text(context: &Context, running: &[Running], total: usize) -> String {
    let (alive, stale): (Vec<&Running>, Vec<&Running>) =
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
        let line = render::cut(&untrusted::line(&line), context.output.width());
        text += &(context.output.paint.paint(Style::Dim, &line) + "\n");
    }
    text
}

fn table(context: &Context, running: &[&Running]) -> Table {
    let mut table = Table::new(vec![
        Column::new("SESSION").style(Style::Id),
        Column::new("STATUS").style(Style::Good),
        Column::new("KIND").style(Style::Dim).goes(1),
        Column::new("PID").right().style(Style::Dim).goes(2),
        Column::new("STARTED").goes(3),
        Column::new("WRITTEN").goes(4),
        Column::new("PROJECT").shrinks_to(12).keeps_end().goes(6),
        Column::new("BRANCH").style(Style::Accent).shrinks_to(6).goes(5),
        Column::new("TITLE").shrinks_to(16),
    ]);
    let ids: Vec<&str> =
        running.iter().map(|one| one.process.session_id.as_deref().unwrap_or_default()).collect();
    let ago = |time: Option<Timestamp>| {
        time.map(|time| render::time::ago(time, context.now, &context.zone)).unwrap_or_default()
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
