//! `annals ls`: the list of sessions.

mod live;

use crate::cli::{FilterArgs, LimitArgs};
use crate::commands::session_document::session_document;
use crate::context::Context;
use crate::failure::report_read_errors;
use crate::lake_view::LakeArgs;
use crate::marks::{Marks, SIGN};
use crate::not_found::no_project;
use crate::output::Format;
use document::answers::{SessionChoice, SessionKinds, SessionPlaces};
use document::{SessionsDocument, answers, session_cost, short_ids};
use library::apps::App;
use library::catalog::ProjectScope;
use library::facts::SessionSums;
use library::session::{Presence, Session};
use render::{Column, Style, Table};
use std::collections::HashMap;

/// List sessions, newest first
///
/// Lists what Claude Code's own list shows, for all projects of all stores, reading
/// only the beginning and end of each transcript. Time filters use the last
/// modification.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
    /// Also show sessions that Claude Code hides, and why
    #[arg(long)]
    hidden: bool,
    /// Show sessions deleted from disk: those in the archive, and those known only
    /// from the prompt history
    #[arg(long, alias = "gone", conflicts_with = "hidden")]
    deleted: bool,
    /// Hide sessions that a program started
    #[arg(long)]
    no_programmatic: bool,
    /// Only sessions with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Only sessions with a mark
    #[arg(long)]
    marked: bool,
    /// Also show what each session cost at API prices, sub-agents included
    #[arg(long, conflicts_with = "live")]
    cost: bool,
    /// Show the sessions that are running
    #[arg(long, conflicts_with_all = ["hidden", "deleted", "no_programmatic", "tag", "marked"])]
    #[arg(conflicts_with = "lake")]
    live: bool,
    #[command(flatten)]
    pub(crate) lake: LakeArgs,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let filter = context.filter(&args.filters)?;
    if args.live {
        return live::run(context, &filter, context.output.limit(args.limit.limit));
    }
    let places =
        if args.deleted { SessionPlaces::Deleted } else { SessionPlaces::of(None, args.marked) };
    let (mut sessions, read_errors) = answers::listed(&context.library, places);
    report_read_errors(&read_errors);
    if let (Some(path), Some(project)) = (args.filters.project.as_deref(), &filter.project)
        && !has_project(&sessions, project)
    {
        return Err(no_project(&path.to_string_lossy()).into());
    }
    let choice = SessionChoice {
        filter,
        kinds: if args.no_programmatic { SessionKinds::Interactive } else { SessionKinds::All },
        tag: args.tag.as_deref(),
        only_marked: args.marked,
        with_hidden: args.hidden,
        ..SessionChoice::default()
    };
    let progress = context.progress("reading");
    let read_errors = choice.retain(&context.library, &mut sessions, context.marks(), &progress);
    drop(progress);
    report_read_errors(&read_errors);
    let total = sessions.len();
    if let Some(limit) = context.output.limit(args.limit.limit) {
        sessions.truncate(limit);
    }
    let costs =
        args.cost.then(|| context.library.usage().read_session_sums(&context.progress("reading")));
    show(context, &sessions, total, costs.as_ref())
}

/// Whether a session is in the project, or below its folder.
fn has_project(sessions: &[Session], project: &ProjectScope) -> bool {
    let project = ProjectScope { exact: false, ..project.clone() };
    sessions.iter().any(|session| project.holds_session(session))
}

/// Prints sessions, with their costs if they were requested.
pub(crate) fn show(
    context: &Context,
    sessions: &[Session],
    total: usize,
    costs: Option<&Costs>,
) -> anyhow::Result<()> {
    let output = &context.output;
    // The table has the same columns with and without an index.
    let needs_sums = output.format != Format::Text && costs.is_none();
    let sums = needs_sums.then(|| context.library.usage().session_sums()).flatten();
    let sums = costs.or(sums.as_ref());
    let document = |session: &Session| {
        session_document(session, context).with_sums(sums.and_then(|sums| sums.get(&session.id)))
    };
    // The table is made of the sessions themselves.
    let rows = sessions.iter().filter(|_| output.format != Format::Text).map(document);
    output.rows(
        rows.collect(),
        |sessions| SessionsDocument::new(total, sessions),
        || {
            if sessions.is_empty() {
                return "No sessions.\n".to_owned();
            }
            let table = table(context, sessions, costs).render(output.width(), output.paint);
            table + &output.cut_note(sessions.len(), total, "sessions")
        },
    )?;
    output.note_found(sessions.len());
    Ok(())
}

/// The totals of sessions by id, with their costs.
pub(crate) type Costs = HashMap<String, SessionSums>;

/// The place of the cost: after the agents.
const COST_AT: usize = 6;

/// Sessions as a table, for every command that lists sessions.
pub(crate) fn table(context: &Context, sessions: &[Session], costs: Option<&Costs>) -> Table {
    // Who lists hidden sessions wants to know why they are hidden.
    let is_hidden = |session: &Session| session.unlisted.is_some();
    let note_order = if sessions.iter().any(is_hidden) { 3 } else { 7 };
    let mut columns = vec![
        Column::new("SESSION").style(Style::Id),
        Column::new("CHANGED").drop_order(1),
        Column::new("PROJECT").shrinks_to(12).keeps_end().drop_order(2),
        Column::new("BRANCH").style(Style::Accent).shrinks_to(8).drop_order(6),
        Column::new("SIZE").right().style(Style::Dim).drop_order(8),
        Column::new("AGENTS").right().style(Style::Dim).drop_order(5),
        Column::new("NOTE").style(Style::Warning).drop_order(note_order),
        Column::new("TITLE").shrinks_to(16).wide(),
    ];
    if costs.is_some() {
        columns.insert(COST_AT, Column::new("COST").right());
    }
    let has_owners = context.library.catalog().has_several_owners();
    if has_owners {
        columns.insert(1, Column::new("OWNER").style(Style::Accent).shrinks_to(8));
    }
    // Only where it tells something.
    let has_apps = sessions.windows(2).any(|two| two[0].app() != two[1].app());
    if has_apps {
        columns.insert(1, Column::new("APP").style(Style::Accent));
    }
    let mut table = Table::new(columns);
    let ids: Vec<&str> = sessions.iter().map(|session| session.id.as_str()).collect();
    let short = short_ids(&ids);
    for (session, id) in sessions.iter().zip(short) {
        let id = App::split_id(&id).1.to_owned();
        let facts = &session.metadata;
        let archived = facts.archived.unwrap_or_default();
        let mark = match (session.is_current, session.is_running, archived, &facts.tag) {
            (true, ..) => " (this one)".to_owned(),
            (_, true, ..) => " (running)".to_owned(),
            (_, _, true, _) => " (archived)".to_owned(),
            (.., Some(tag)) => format!(" #{tag}"),
            _ => String::new(),
        };
        // The size of rows of a database is not known.
        let is_written = session.presence != Presence::PromptsOnly
            && (session.app_file.is_none() || facts.bytes > 0);
        let mut cells = vec![
            id,
            render::time::ago(facts.modified, context.settings.now, &context.settings.zone),
            session
                .project
                .as_deref()
                .map(|project| context.short_path(project))
                .unwrap_or_default(),
            facts.branch.clone().unwrap_or_default(),
            if is_written { render::bytes(facts.bytes) } else { String::new() },
            if session.agents > 0 { session.agents.to_string() } else { String::new() },
            note(session, context.marks()),
            format!("{}{mark}", session.heading().unwrap_or_default()),
        ];
        if let Some(costs) = costs {
            cells.insert(COST_AT, session_cost(costs.get(&session.id)));
        }
        if has_owners {
            cells.insert(1, session.owner.clone().unwrap_or_default());
        }
        if has_apps {
            cells.insert(1, session.app().name().to_owned());
        }
        table.row(cells);
    }
    table
}

/// Whether the session has marks; its presence if not on disk; why Claude Code does
/// not list it; its kind if a program started it.
fn note(session: &Session, marks: &Marks) -> String {
    let sign = marks.has(&session.id).then_some(SIGN);
    let is_elsewhere = !matches!(session.presence, Presence::Disk | Presence::Lake);
    let presence = is_elsewhere.then_some(session.presence.name());
    let what = match (session.unlisted, session.metadata.kind) {
        (Some(unlisted), _) => Some(unlisted.name()),
        (None, store::SessionKind::Interactive) => None,
        (None, kind) => Some(kind.name()),
    };
    sign.into_iter().chain(presence).chain(what).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{HiddenReason, SessionKind, SessionMetadata};

    #[test]
    fn notes_show_where_a_deleted_session_is() {
        let table = [
            (Presence::Disk, None, SessionKind::Interactive, ""),
            (Presence::Disk, None, SessionKind::PreCompactCopy, "pre_compact_copy"),
            (Presence::Archive, None, SessionKind::Interactive, "archive"),
            (Presence::Archive, None, SessionKind::Programmatic, "archive programmatic"),
            (Presence::Unknown, None, SessionKind::Interactive, "unknown"),
            (Presence::Disk, Some(HiddenReason::Empty), SessionKind::Warmup, "empty"),
            (Presence::PromptsOnly, None, SessionKind::Interactive, "prompts_only"),
            (Presence::Lake, None, SessionKind::Interactive, ""),
        ];
        for (presence, hidden, kind, expected) in table {
            let facts =
                SessionMetadata { kind, ..SessionMetadata::unknown(jiff::Timestamp::UNIX_EPOCH) };
            let session = Session {
                id: "x".to_owned(),
                root: "/".into(),
                folder: None,
                path: None,
                session_folder: None,
                other_folders: Vec::new(),
                presence,
                owner: None,
                metadata: facts,
                project: None,
                unlisted: hidden.map(library::session::UnlistedReason::Hidden),
                app_file: None,
                copies: Vec::new(),
                agents: 0,
                inline_agents: library::session::InlineAgents::default(),
                is_current: false,
                is_running: false,
            };
            assert_eq!(note(&session, &Marks::default()), expected);
        }
    }
}
