//! `annals projects`: the folders in which sessions worked.

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::report_read_errors;
use document::{ProjectDocument, ProjectsDocument, answers};
use render::{Column, Style, Table};

/// List projects, the last used first
///
/// A project is a folder that sessions recorded as their working directory.
/// Worktrees count as part of their repository where a session says so.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let filter = context.filter(&args.filters)?;
    let limit = context.output.limit(args.limit.limit);
    let progress = context.progress("reading");
    let (list, read_errors) = answers::projects(&context.library, &filter, limit, &progress);
    drop(progress);
    report_read_errors(&read_errors);
    let text = text(context, &list.projects, list.total);
    let total = list.total;
    context.output.rows(list.projects, |rows| ProjectsDocument::new(total, rows), || text)
}

fn text(context: &Context, projects: &[ProjectDocument], total: usize) -> String {
    if projects.is_empty() {
        return "No projects.\n".to_owned();
    }
    let mut table = Table::new(vec![
        Column::new("PROJECT").shrinks_to(16).keeps_end(),
        Column::new("CHANGED").drop_order(2),
        Column::new("SESSIONS").right().drop_order(1),
        Column::new("AGENTS").right().drop_order(3),
        Column::new("SIZE").right().style(Style::Dim).drop_order(4),
        Column::new("LATEST").style(Style::Id),
        Column::new("BRANCHES").right().style(Style::Dim).drop_order(5),
    ]);
    for project in projects {
        let path = project.project.as_deref().map(|path| context.short_path(path));
        table.row([
            path.unwrap_or_else(|| "(unknown)".to_owned()),
            render::time::ago(project.modified_at.0, context.settings.now, &context.settings.zone),
            project.sessions.to_string(),
            if project.agents > 0 { project.agents.to_string() } else { String::new() },
            render::bytes(project.bytes),
            document::short_id(&project.latest_session).to_owned(),
            project.branches.len().to_string(),
        ]);
    }
    let table = table.render(context.output.width(), context.output.paint);
    table + &context.output.cut_note(projects.len(), total, "projects")
}
