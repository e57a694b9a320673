//! `annals projects`: where sessions were.

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::say_troubles;
use crate::output::Row;
use jiff::Timestamp;
use library::Session;
use render::json::serialize_moment;
use render::{Column, Style, Table};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

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

#[derive(Debug, Serialize)]
struct Project {
    project: Option<String>,
    cwds: BTreeSet<String>,
    folders: BTreeSet<String>,
    sessions: usize,
    agents: usize,
    bytes: u64,
    latest_session: String,
    #[serde(serialize_with = "serialize_moment")]
    modified_at: Timestamp,
    branches: BTreeSet<String>,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let filter = context.filter(&args.filters)?;
    let list = context.library.catalog().all_sessions();
    say_troubles(&list.troubles);
    let mut sessions: Vec<Session> =
        list.listed().filter(|session| filter.admits(session)).cloned().collect();
    let troubles = context.library.catalog().retain_by_content(
        &mut sessions,
        &filter,
        &context.progress("reading"),
    );
    say_troubles(&troubles);
    let mut projects = group(&sessions);
    let total = projects.len();
    if let Some(limit) = context.output.limit(args.limit.limit) {
        projects.truncate(limit);
    }
    show(context, projects, total)
}

/// Sessions by project. They come newest first, so the first one of each is its
/// latest.
fn group(sessions: &[Session]) -> Vec<Project> {
    let mut places: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut projects: Vec<Project> = Vec::new();
    for session in sessions {
        let place = *places.entry(session.project.as_deref()).or_insert_with(|| {
            projects.push(Project {
                project: session.project.clone(),
                cwds: BTreeSet::new(),
                folders: BTreeSet::new(),
                sessions: 0,
                agents: 0,
                bytes: 0,
                latest_session: session.id.clone(),
                modified_at: session.metadata.modified,
                branches: BTreeSet::new(),
            });
            projects.len() - 1
        });
        let project = &mut projects[place];
        project.cwds.extend(session.metadata.cwd.clone());
        project.folders.extend(session.folder.clone());
        project.branches.extend(session.metadata.branch.clone());
        project.sessions += 1;
        project.agents += session.agents;
        project.bytes += session.metadata.bytes;
    }
    projects
}

impl Row for Project {
    const COLUMNS: &'static [&'static str] =
        &["project", "sessions", "agents", "bytes", "modified_at", "latest_session"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.project.clone().unwrap_or_default(),
            self.sessions.to_string(),
            self.agents.to_string(),
            self.bytes.to_string(),
            render::json::moment(self.modified_at),
            self.latest_session.clone(),
        ]
    }
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    total: usize,
    projects: Vec<Project>,
}

fn show(context: &Context, projects: Vec<Project>, total: usize) -> anyhow::Result<()> {
    let text = text(context, &projects, total);
    context.output.rows(
        projects,
        |projects| Document { schema: "annals/projects/1", total, projects },
        || text,
    )
}

fn text(context: &Context, projects: &[Project], total: usize) -> String {
    if projects.is_empty() {
        return "No projects.\n".to_owned();
    }
    let mut table = Table::new(vec![
        Column::new("PROJECT").shrinks_to(16).keeps_end(),
        Column::new("CHANGED").goes(2),
        Column::new("SESSIONS").right().goes(1),
        Column::new("AGENTS").right().goes(3),
        Column::new("SIZE").right().style(Style::Dim).goes(4),
        Column::new("LATEST").style(Style::Id),
        Column::new("BRANCHES").right().style(Style::Dim).goes(5),
    ]);
    for project in projects {
        let path = project.project.as_deref().map(|path| context.short_path(path));
        table.row([
            path.unwrap_or_else(|| "(unknown)".to_owned()),
            render::time::ago(project.modified_at, context.now, &context.zone),
            project.sessions.to_string(),
            if project.agents > 0 { project.agents.to_string() } else { String::new() },
            render::bytes(project.bytes),
            project.latest_session.chars().take(8).collect(),
            project.branches.len().to_string(),
        ]);
    }
    let table = table.render(context.output.width(), context.output.paint);
    table + &context.output.cut_note(projects.len(), total, "projects")
}
