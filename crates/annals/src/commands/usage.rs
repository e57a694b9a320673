//! `annals usage`: tokens, and their cost at API prices.

mod arguments;
pub(super) mod budget;
mod explain;
mod heatmap;
mod limits;
mod notes;
mod rows;
mod text;

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use crate::output::Format;
use anyhow::Context as _;
use arguments::{Report, report, way, weekday};
use clap::ValueEnum;
use jiff::civil::Weekday;
use library::{Dimension, NoProgress, UsageOptions};
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use usage::{CostMode, Prices};

/// Show tokens and cost
///
/// Counts every API call once, however often transcripts repeat it, grouped by
/// time, session, project, model and more, with cache savings. Costs are
/// API-equivalent: what the API would charge, not what a subscription costs.
/// --explain shows how the figures are calculated.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The report
    #[arg(value_parser = report(), default_value = "daily")]
    report: Report,
    /// Group by these dimensions instead, the coarsest first
    #[arg(long, value_parser = way(), value_delimiter = ',', value_name = "A,B")]
    by: Vec<Dimension>,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
    /// Where costs come from: logged or calculated
    #[arg(long, value_enum, default_value = "auto")]
    cost: Mode,
    /// A TOML file with additional prices
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// First day of the week
    #[arg(long, value_parser = weekday(), default_value = "monday", value_name = "DAY")]
    week_start: Weekday,
    /// Explain how the figures, or those of one call, are calculated
    #[arg(long, value_name = "CALL", num_args = 0..=1, default_missing_value = "")]
    explain: Option<String>,
    /// Show a calendar with a cell for each day, shaded by its cost
    #[arg(long, conflicts_with_all = ["report", "by", "explain", "limit"])]
    heatmap: bool,
    /// Set a budget in US dollars for this call: day=20, week=100 or month=300
    #[arg(long, value_name = "PERIOD=USD", value_parser = budget::parse_limit)]
    budget: Vec<budget::PeriodLimit>,
    /// Show only the budgets, and exit with code 3 if one of them is exceeded
    #[arg(long, conflicts_with_all = ["report", "by", "explain", "heatmap"])]
    check: bool,
}

/// Where costs come from: logged or calculated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// The cost that Claude Code logged, otherwise calculated from prices
    Auto,
    /// Calculated from prices
    Calculate,
    /// Only what Claude Code logged
    Display,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let mut prices = Prices::embedded();
    if let Some(path) = &args.prices {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the price file {}", path.display()))?;
        prices.extend(&text).map_err(|error| {
            CliError::Misuse(format!("invalid price file {}: {error}", path.display()))
        })?;
    }
    let mut ways: Vec<Dimension> = Vec::new();
    for way in &args.by {
        if !ways.contains(way) {
            ways.push(*way);
        }
    }
    if let (Report::By(usual), true) = (args.report, ways.is_empty()) {
        ways.extend(usual);
    }
    let options = UsageOptions {
        by: ways,
        filter: context.filter(&args.filters)?,
        mode: match args.cost {
            Mode::Auto => CostMode::Auto,
            Mode::Calculate => CostMode::Calculate,
            Mode::Display => CostMode::Display,
        },
        prices,
        zone: context.zone.clone(),
        week_start: args.week_start,
    };
    if let Some(call) = args.explain.as_deref().filter(|call| !call.is_empty()) {
        return explain::call(context, call, &options);
    }
    let budget = budget::with_limits(context.budget, &args.budget);
    if args.check && budget.is_empty() {
        return Err(budget::no_budget().into());
    }
    let needs_sessions = options.needs_sessions() || args.explain.is_some();
    let mut source = context.library.usage().read(needs_sessions, &context.progress("reading"));
    if options.needs_agents() {
        context.library.usage().name_agents(&mut source, &NoProgress);
    }
    // Never dropped: the process ends after this, and freeing every call takes longer
    // than letting the system have the memory back.
    let source = ManuallyDrop::new(source);
    report_read_errors(&source.troubles);
    let usage = context.library.usage();
    let budgets = usage.budget_use(&source, budget, &options, context.now);
    if args.check {
        return budget::check(context, &budgets);
    }
    if options.by.is_empty() {
        return limits::print(context, &source);
    }
    let report = usage.report(&source, &options, &context.progress("prompts"));
    let input = rows::ReportInput {
        context,
        source: &source,
        options: &options,
        report: &report,
        budgets: &budgets,
    };
    let mut rows = input.rows();
    let total = rows.len();
    if let Some(limit) = context.output.limit(args.limit.limit).filter(|_| cuts(args, context)) {
        document::answers::shorten_usage(&mut rows, limit, &options);
    }
    let explained = args.explain.is_some().then(|| explain::Explained::new(&input));
    if args.explain.is_some() && context.output.format == Format::Text {
        let explained = explained.unwrap_or_default();
        return context.output.text(&explain::text(context, &input, &explained));
    }
    let text = if context.output.format == Format::Text {
        if args.heatmap {
            heatmap::calendar(&input, &rows)
        } else {
            text::table(&input, &rows, total)
        }
    } else {
        String::new()
    };
    let reconciled = explained.map(explain::Explained::document);
    context.output.rows(rows, |rows| input.document(rows, reconciled), || text)
}

/// Whether rows are limited by default: programs get all of them.
fn cuts(args: &Args, context: &Context) -> bool {
    args.limit.limit.is_some() || (context.output.format == Format::Text && !args.heatmap)
}
