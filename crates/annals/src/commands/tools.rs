//! `annals tools`: every tool call with its result.

mod stats;

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::report_read_errors;
use crate::output::Format;
use clap::ValueEnum;
use conversation::Status;
use document::answers::{ToolCallsRequest, WantedCalls, sessions_with_calls};
use document::{ToolCallDocument, ToolsDocument};
use library::session::Session;
use render::{Column, Style, Table};

/// Show tool calls and their results
///
/// Lists the calls of one session in order of time, including those of its
/// sub-agents, or of all sessions, newest first. Each call has a status: ok, error, denied, interrupted,
/// or missing. A call that a branch of a session copied counts once, in the session that
/// made it; a session alone is shown with the calls it copied. --stats summarises them by tool,
/// agent type, skill and MCP server, with durations and times.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session or sub-agent [default: all sessions]
    session: Option<String>,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
    /// Skip the first N calls; JSON output has the next value as `next`
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Only failed calls: error, denied, interrupted
    #[arg(long, conflicts_with = "status")]
    errors: bool,
    /// Only calls with this status. Repeatable
    #[arg(long, value_enum, value_name = "STATUS")]
    status: Vec<Ended>,
    /// Show statistics
    #[arg(long)]
    stats: bool,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ended {
    /// Succeeded
    Ok,
    /// The tool failed
    Error,
    /// Permission was denied
    Denied,
    /// The user interrupted it
    Interrupted,
    /// No result was recorded
    Missing,
}

impl Ended {
    fn status(self) -> Status {
        match self {
            Ended::Ok => Status::Ok,
            Ended::Error => Status::Error,
            Ended::Denied => Status::Denied,
            Ended::Interrupted => Status::Interrupted,
            Ended::Missing => Status::Missing,
        }
    }
}

/// The default number of calls of all sessions for programs.
const PAGE: usize = 50;

impl Args {
    /// Whether it is about one session.
    pub(crate) fn names_session(&self) -> bool {
        self.session_name().is_some()
    }

    fn session_name(&self) -> Option<&String> {
        self.session.as_ref().or(self.filters.session.as_ref())
    }
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let named = args.session_name();
    let found = named.map(|name| context.find(name)).transpose()?;
    let filter = context.filter(&FilterArgs { session: None, ..args.filters.clone() })?;
    let all = if found.is_some() {
        Vec::new()
    } else {
        let (sessions, read_errors) = sessions_with_calls(&context.library, &filter);
        report_read_errors(&read_errors);
        sessions
    };
    let mut sessions: Vec<&Session> = match &found {
        Some(found) => vec![&found.session],
        None => all.iter().collect(),
    };
    context.library.prompts().retain_by_known_tools(&mut sessions, &filter);
    let statuses: Vec<Status> = args.status.iter().map(|ended| ended.status()).collect();
    let progress = context.progress("reading");
    let request = ToolCallsRequest {
        library: &context.library,
        sessions: &sessions,
        wanted: WantedCalls {
            filter: &filter,
            found: found.as_ref(),
            only_errors: args.errors,
            statuses: &statuses,
        },
        progress: &progress,
    };
    if args.stats {
        let (stats, read_errors) = request.stats(&context.settings.zone);
        report_read_errors(&read_errors);
        return stats::show(context, stats.document(&context.settings.zone));
    }
    let limit = match (args.limit.limit, &found) {
        (Some(limit), _) if limit > 0 => limit,
        (Some(_), _) | (None, Some(_)) => usize::MAX,
        (None, None) if context.output.format != Format::Text => PAGE,
        (None, None) => context.output.limit(None).unwrap_or(PAGE),
    };
    let is_one = found.is_some();
    let (total, calls, troubles) = request.page(args.offset, limit, !is_one);
    report_read_errors(&troubles);
    let next = args.offset + calls.len();
    let next = (next < total && !calls.is_empty()).then_some(next);
    let text = if context.output.format == Format::Text {
        text(context, &calls, total, is_one)
    } else {
        String::new()
    };
    context.output.rows(calls, |calls| ToolsDocument::new(total, next, calls), || text)
}

/// The type of the sub-agent and the beginning of its id: several may have one type.
fn agent(call: &ToolCallDocument) -> String {
    let id = call.agent_id.as_deref().unwrap_or_default();
    let id = document::short_id(id);
    format!("{} {id}", call.agent_type.as_deref().unwrap_or_default()).trim().to_owned()
}

fn text(context: &Context, calls: &[ToolCallDocument], total: usize, is_one: bool) -> String {
    if calls.is_empty() {
        return "No calls.\n".to_owned();
    }
    let mut table = Table::new(vec![
        Column::new("WHEN").style(Style::Dim).drop_order(3),
        Column::new("SESSION").style(Style::Id).drop_order(1),
        Column::new("TURN").right().style(Style::Dim).drop_order(5),
        Column::new("AGENT").style(Style::Accent).shrinks_to(8).drop_order(2),
        Column::new("ENDED").style(Style::Warning),
        Column::new("TIME").right().style(Style::Dim).drop_order(4),
        Column::new("CALL").shrinks_to(20).wide(),
    ]);
    for call in calls {
        let when = call.started_at.map(|time| render::time::moment(time.0, &context.settings.zone));
        let session = document::short_id(&call.session_id).to_owned();
        table.row([
            when.unwrap_or_default(),
            if is_one { String::new() } else { session },
            call.turn.map(|turn| turn.to_string()).unwrap_or_default(),
            agent(call),
            if call.status == "ok" { String::new() } else { call.status.to_string() },
            call.duration_ms.map(render::milliseconds).unwrap_or_default(),
            call.summary.clone(),
        ]);
    }
    let table = table.render(context.output.width(), context.output.paint);
    table + &context.output.cut_note(calls.len(), total, "calls")
}
