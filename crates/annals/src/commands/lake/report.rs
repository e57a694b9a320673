//! `annals lake report`: a month of everyone's usage as a page for people who install nothing.

use crate::commands::usage::read_teams;
use crate::context::Context;
use crate::failure::CliError;
use crate::lake_view::{LakeArgs, LakeScope};
use crate::output::Format;
use crate::{whole_file, zone};
use document::answers::ordered_usage;
use document::{Document as _, LakeQuestion, LakeReportDocument, known_cost};
use jiff::ToSpan as _;
use jiff::civil::Date;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::usage::{Dimension, UsageOptions, UsageReport};
use render::{ReportPage, ReportRow, ReportTable};
use std::path::PathBuf;
use usage::{PicoUsd, Sums};

/// Write a month's usage of the team as a web page
///
/// Sums of everyone who shares usage, by team, project, model and day, at API prices: not an
/// invoice. The file is one page without scripts from elsewhere, for people who have neither
/// annals nor access to the lake. People are listed only with --owners.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The month [default: this one]
    #[arg(long, value_name = "YYYY-MM")]
    month: Option<String>,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the file
    #[arg(long)]
    force: bool,
    /// Also list people
    #[arg(long)]
    owners: bool,
    /// A CSV file with the teams of projects and owners [default: lake.teams]
    #[arg(long, value_name = "FILE")]
    teams: Option<PathBuf>,
    #[command(flatten)]
    lake: LakeArgs,
}

impl Args {
    /// What it asks of the lake: of everyone, unless something else is named.
    pub(crate) fn asks(&self) -> (LakeScope, LakeQuestion) {
        (self.lake.lake.clone().unwrap_or_else(LakeScope::org), LakeQuestion::Usage)
    }
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let first = month(context, args.month.as_deref())?;
    let options = options(context, args, first)?;
    let usage = context.library.usage();
    let progress = context.progress("reading");
    let source = usage.read_for(&options, &progress);
    drop(progress);
    let by = |by: Vec<Dimension>| {
        let options = UsageOptions { by, ..options.clone() };
        usage.report(&source, &options, &NoProgress)
    };
    let mut tables = Vec::new();
    if !options.teams.is_empty() {
        let report = by(vec![Dimension::Team, Dimension::CostCenter]);
        tables.push(table("Teams", vec!["Team", "Cost center"], &report, Dimension::Team));
    }
    if args.owners {
        let report = by(vec![Dimension::Owner]);
        tables.push(table("People", vec!["Owner"], &report, Dimension::Owner));
    }
    for (title, column, dimension) in [
        ("Projects", "Project", Dimension::Project),
        ("Models", "Model", Dimension::Model),
        ("Days", "Day", Dimension::Day),
    ] {
        tables.push(table(title, vec![column], &by(vec![dimension]), dimension));
    }
    let total = by(vec![Dimension::Model]).report.total.sums;
    let title = format!("Claude Code usage, {}", first.strftime("%B %Y"));
    let page = ReportPage { title, facts: facts(context, &total), tables };
    whole_file::write(&args.output, render::html_report(&page).as_bytes(), args.force)?;
    let document = LakeReportDocument {
        schema: LakeReportDocument::SCHEMA.into(),
        month: first.strftime("%Y-%m").to_string(),
        path: args.output.display().to_string(),
        people: people(context),
        cost_usd: known_cost(&total).map(PicoUsd::decimal),
    };
    match context.output.format {
        Format::Json => context.output.json(&document),
        _ => context.output.text(&format!(
            "{}: {}, {}\n",
            document.month,
            known_cost(&total).map_or_else(|| "cost unknown".to_owned(), render::money),
            document.path
        )),
    }
}

/// The first day of a month.
fn month(context: &Context, given: Option<&str>) -> anyhow::Result<Date> {
    let Some(text) = given else {
        return Ok(context
            .settings
            .now
            .to_zoned(context.settings.zone.clone())
            .date()
            .first_of_month());
    };
    let parsed = format!("{text}-01").parse::<Date>().ok().filter(|_| text.len() == 7);
    let wrong = || CliError::Misuse(format!("invalid month {text:?}: use YYYY-MM"));
    Ok(parsed.ok_or_else(wrong)?)
}

fn options(context: &Context, args: &Args, first: Date) -> anyhow::Result<UsageOptions> {
    let moment =
        |date: Date| date.to_zoned(context.settings.zone.clone()).map(|start| start.timestamp());
    let filter = Filter {
        since: Some(moment(first)?),
        // The filter includes its end.
        until: Some(moment(first.checked_add(1.month())?)?.checked_sub(1.millisecond())?),
        ..Filter::default()
    };
    let by = vec![Dimension::Project, Dimension::Day, Dimension::Model];
    let teams = read_teams(context, args.teams.as_deref())?;
    Ok(UsageOptions { teams, ..UsageOptions::new(by, filter, context.settings.zone.clone()) })
}

fn people(context: &Context) -> u64 {
    let Some(lake) = context.library.catalog().lake() else { return 0 };
    u64::from(!lake.stores.is_empty()) + lake.sums.len() as u64
}

fn facts(context: &Context, total: &Sums) -> Vec<(&'static str, String)> {
    let cost = known_cost(total).map_or_else(|| "unknown".to_owned(), render::money);
    let partial = if total.unpriced > 0 { ", without calls whose price is unknown" } else { "" };
    let mut facts = vec![
        ("Cost", format!("{cost} at API prices, not an invoice{partial}")),
        ("Tokens", render::count(total.counters.total())),
        ("Calls", total.calls.to_string()),
        ("People", people(context).to_string()),
    ];
    if let Some(lake) = &context.lake {
        let as_of = render::time::moment(lake.view.as_of, &context.settings.zone);
        facts.push(("As of", as_of));
    }
    let name = render::time::zone_name(&context.settings.zone);
    let is_utc = zone::is_utc(&context.settings.zone);
    let others = if is_utc { "" } else { "; those of other people in UTC" };
    facts.push(("Days", format!("{name}{others}")));
    facts
}

/// A report as a table; `by` is its first dimension.
fn table(
    title: &str,
    names: Vec<&'static str>,
    report: &UsageReport,
    by: Dimension,
) -> ReportTable {
    let rows = ordered_usage(&report.report, &[by]);
    let most = rows.iter().map(|(_, row)| row.sums.cost.0).max().unwrap_or_default().max(1);
    let total = report.report.total.sums.cost.0.max(1);
    #[expect(clippy::cast_precision_loss, reason = "pictures of shares")]
    let share = |cost: PicoUsd, of: i128| cost.0 as f64 / of as f64;
    let rows = rows.into_iter().map(|(key, row)| {
        let sums = &row.sums;
        let mut cells: Vec<String> =
            key.iter().map(|value| value.clone().unwrap_or_else(|| "(none)".to_owned())).collect();
        cells.extend([
            sums.calls.to_string(),
            render::count(sums.counters.total()),
            known_cost(sums).map_or_else(|| "unknown".to_owned(), render::money),
            render::percent(share(sums.cost, total)),
        ]);
        ReportRow { cells, share: share(sums.cost, most) }
    });
    let mut columns = names;
    let count = columns.len();
    columns.extend(["Calls", "Tokens", "Cost", "Share"]);
    ReportTable { title: title.to_owned(), columns, names: count, rows: rows.collect() }
}
