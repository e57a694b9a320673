//! `annals projects`: the folders in which sessions worked.

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::report_read_errors;
use document::{ProjectDocument, ProjectsDocument};
use library::session::Session;
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
    let list = context.library.catalog().all_sessions();
    report_read_errors(&list.read_errors);
    let mut sessions: Vec<Session> =
        list.listed().filter(|session| filter.admits(session)).cloned().collect();
    let read_errors = context.library.prompts().retain_by_content(
        &mut sessions,
        &filter,
        &context.progress("reading"),
    );
    report_read_errors(&read_errors);
    let mut projects = ProjectDocument::group(&sessions);
    let total = projects.len();
    if let Some(limit) = context.output.limit(args.limit.limit) {
        projects.truncate(limit);
    }
    show(context, projects, total)
}

fn show(context: &Context, projects: Vec<ProjectDocument>, total: usize) -> anyhow::Result<()> {
    let text = text(context, &projects, total);
    context.output.rows(projects, |projects| ProjectsDocument::new(total, projects), || text)
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
