//! `annals tools`: every tool call with its result.

mod page;
mod stats;

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use crate::output::{Format, Row, moment};
use clap::ValueEnum;
use conversation::Status;
use document::{ToolCallDocument, ToolsDocument};
use library::{CallFact, Filter, FoundSession, Session};
use render::{Column, Style, Table};

/// Show tool calls and their results
///
/// Lists the calls of one session in order of time, including those of its
/// sub-agents, or of all sessions, newest first. Each call has a status: ok, error, denied, interrupted,
/// or missing. --stats summarises them by tool, agent type, skill and MCP server,
/// with durations and times.
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

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let filter = context.filter(&args.filters)?;
    let found = args.session.as_deref().map(|name| context.find(name)).transpose()?;
    let list = if found.is_none() { Some(context.library.catalog().all_sessions()) } else { None };
    let left = list
        .as_ref()
        .map(|list| context.library.catalog().sessions_without_transcript(list))
        .unwrap_or_default();
    let mut sessions: Vec<&Session> = match (&found, &list) {
        (Some(found), _) => vec![&found.session],
        (None, Some(list)) => {
            report_read_errors(&list.read_errors);
            let fits = |session: &&Session| {
                let timeless = Filter { since: None, until: None, ..filter.clone() };
                timeless.admits(session)
            };
            list.sessions.iter().chain(&left).filter(fits).collect()
        }
        (None, None) => Vec::new(),
    };
    context.library.catalog().retain_by_known_tools(&mut sessions, &filter);
    let wanted = Wanted { filter: &filter, args, found: found.as_ref() };
    let progress = context.progress("reading");
    if args.stats {
        let (sums, read_errors) =
            context.library.search().call_facts(&sessions, &progress, |calls| {
                let mut sum = stats::Stats::default();
                for call in calls.iter().filter(|call| wanted.admits(call)) {
                    sum.note(call, &context.zone);
                }
                sum
            });
        report_read_errors(&read_errors);
        let sums = sums.into_iter().map(|(_, sum)| sum);
        let sum = sums.fold(stats::Stats::default(), stats::Stats::plus);
        return stats::show(context, &sum);
    }
    let limit = match (args.limit.limit, &found) {
        (Some(limit), _) if limit > 0 => limit,
        (Some(_), _) | (None, Some(_)) => usize::MAX,
        (None, None) if context.output.format != Format::Text => PAGE,
        (None, None) => context.output.limit(None).unwrap_or(PAGE),
    };
    let is_one = found.is_some();
    let request =
        page::Request { context, sessions: &sessions, wanted: &wanted, progress: &progress };
    let (total, calls) = request.page(args.offset, limit, !is_one);
    let next = args.offset + calls.len();
    let next = (next < total && !calls.is_empty()).then_some(next);
    let text = if context.output.format == Format::Text {
        text(context, &calls, total, is_one)
    } else {
        String::new()
    };
    context.output.rows(calls, |calls| ToolsDocument::new(total, next, calls), || text)?;
    if total == 0 { Err(CliError::Silent.into()) } else { Ok(()) }
}

/// The filter of calls.
struct Wanted<'a> {
    filter: &'a Filter,
    args: &'a Args,
    found: Option<&'a FoundSession>,
}

impl Wanted<'_> {
    /// Whether a call is wanted, by its facts.
    fn admits(&self, call: &CallFact<'_>) -> bool {
        self.admits_call(call, || call.status)
    }

    /// The same, with a status that is found only if it matters.
    fn admits_call(&self, call: &CallFact<'_>, status: impl Fn() -> Status) -> bool {
        let own = self.found.filter(|found| found.id() != found.session.id);
        if own.is_some_and(|own| call.agent_id != Some(own.id())) {
            return false;
        }
        let holds = |wanted: &Option<String>, name: Option<&str>| {
            wanted.as_ref().is_none_or(|wanted| {
                name.is_some_and(|name| name.to_lowercase().contains(&wanted.to_lowercase()))
            })
        };
        if !holds(&self.filter.agent, call.agent_type)
            || !holds(&self.filter.model, call.model)
            || !self.filter.admits_tool(call.tool)
            || !self.filter.admits_time(call.time)
        {
            return false;
        }
        if !self.args.errors && self.args.status.is_empty() {
            return true;
        }
        let status = status();
        let wrong = matches!(status, Status::Error | Status::Denied | Status::Interrupted);
        (self.args.errors && wrong) || self.args.status.iter().any(|ended| ended.status() == status)
    }
}

impl Row for ToolCallDocument {
    const COLUMNS: &'static [&'static str] = &[
        "started_at",
        "session_id",
        "agent_id",
        "tool",
        "status",
        "duration_ms",
        "tool_use_id",
        "summary",
        "files",
        "turn",
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            moment(self.started_at),
            self.session_id.clone(),
            self.agent_id.clone().unwrap_or_default(),
            self.tool.clone(),
            self.status.to_string(),
            self.duration_ms.map(|took| took.to_string()).unwrap_or_default(),
            self.tool_use_id.clone().unwrap_or_default(),
            self.summary.clone(),
            self.files.join(" "),
            self.turn.map(|turn| turn.to_string()).unwrap_or_default(),
        ]
    }
}

/// The type of the sub-agent and the beginning of its id: several may have one type.
fn agent(call: &ToolCallDocument) -> String {
    let id = call.agent_id.as_deref().unwrap_or_default();
    let id = id.get(..8).unwrap_or(id);
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
        let when = call.started_at.map(|time| render::time::moment(time.0, &context.zone));
        let session: String = call.session_id.chars().take(8).collect();
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
