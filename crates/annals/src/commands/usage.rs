//! `annals usage`: tokens, and their cost at API prices.

mod arguments;
pub(super) mod budget;
mod explain;
mod heatmap;
mod lake;
mod limits;
mod notes;
mod rows;
mod team_budgets;
mod text;

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::{CliError, report_read_errors, with_hint};
use crate::lake_view::{LakeArgs, LakeScope};
use crate::output::Format;
use anyhow::Context as _;
use arguments::{Report, ReportOrSession, report_hint, report_or_session, way, weekday};
use budget::NamedBudget;
use clap::{ArgMatches, ValueEnum};
use document::LakeQuestion;
use document::answers::{UsageAnswer, UsageRequest, read_usage};
use jiff::civil::Weekday;
pub(crate) use lake::teams as read_teams;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::usage::{Dimension, UsageOptions};
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use usage::{Budget, CostMode, Prices};

/// Show tokens and cost
///
/// Counts every API call once, however often transcripts repeat it, grouped by
/// time, session, project, model and more, with cache savings. Costs are
/// API-equivalent: what the API would charge, not what a subscription costs.
/// --explain shows how the figures are calculated.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The report [default: daily], or a session
    #[arg(value_parser = report_or_session(), value_name = "REPORT|SESSION")]
    report: Option<ReportOrSession>,
    /// Only this session
    #[arg(value_name = "SESSION")]
    session: Option<String>,
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
    /// First day of the week [default: monday]
    #[arg(long, value_parser = weekday(), value_name = "DAY")]
    week_start: Option<Weekday>,
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
    #[command(flatten)]
    pub(crate) lake: LakeArgs,
    /// With --lake: a CSV file with teams and cost centers of projects and owners
    /// [default: lake.teams]
    #[arg(long, value_name = "FILE", requires = "lake")]
    teams: Option<PathBuf>,
}

impl Args {
    /// The dimensions.
    fn ways(&self) -> Vec<Dimension> {
        let mut ways: Vec<Dimension> = Vec::new();
        for way in &self.by {
            if !ways.contains(way) {
                ways.push(*way);
            }
        }
        if let (Report::By(usual), true) = (self.report(), ways.is_empty()) {
            ways.extend(usual);
        }
        ways
    }

    /// The report that is asked for.
    fn report(&self) -> Report {
        match self.report {
            Some(ReportOrSession::Report(report)) => report,
            Some(ReportOrSession::Session(_)) | None => Report::By(&[Dimension::Day]),
        }
    }

    /// Whether it is about one session.
    pub(crate) fn names_session(&self) -> bool {
        self.filters().is_ok_and(|filters| filters.session.is_some())
    }

    /// The filters, with the session that the arguments name.
    fn filters(&self) -> Result<FilterArgs, CliError> {
        let mut filters = self.filters.clone();
        let first = match &self.report {
            Some(ReportOrSession::Session(name)) => Some(name),
            _ => None,
        };
        if let (Some(_), Some(more)) = (first, &self.session) {
            let message = format!("{more:?}: usage is of one session\nhint: {}", report_hint());
            return Err(CliError::Misuse(message));
        }
        filters.session = first.or(self.session.as_ref()).cloned().or(filters.session);
        Ok(filters)
    }

    /// The filter. A word that names no report may be a session, or a report with a typing error.
    fn filter(&self, context: &Context) -> anyhow::Result<Filter> {
        let filter = context.filter(&self.filters()?);
        if matches!(self.report, Some(ReportOrSession::Session(_))) {
            return filter.map_err(|error| with_hint(error, &report_hint()));
        }
        filter
    }

    /// What it needs of the lake: for what calls do not have, whole sessions.
    pub(crate) fn lake_question(&self) -> LakeQuestion {
        let filters = &self.filters;
        let has_all = self.ways().into_iter().all(Dimension::is_in_calls)
            && filters.git_branch.is_none()
            && filters.agent.is_none()
            && filters.tool.is_none();
        // Of other people there is nothing but sums, which then say what they lack.
        let is_mine = self.lake.lake.as_ref().is_none_or(LakeScope::is_mine);
        if has_all || !is_mine { LakeQuestion::Usage } else { LakeQuestion::List }
    }
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
    if !args.by.is_empty() && matches!(args.report, Some(ReportOrSession::Report(_))) {
        let message = "--by replaces the report\nhint: pass either the name of a report or --by";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    let mut prices = Prices::embedded();
    if let Some(path) = &args.prices {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the price file {}", path.display()))?;
        prices.extend(&text).map_err(|error| {
            CliError::Misuse(format!("invalid price file {}: {error}", path.display()))
        })?;
    }
    let options = UsageOptions {
        by: args.ways(),
        filter: args.filter(context)?,
        mode: match args.cost {
            Mode::Auto => CostMode::Auto,
            Mode::Calculate => CostMode::Calculate,
            Mode::Display => CostMode::Display,
        },
        prices,
        zone: context.settings.zone.clone(),
        week_start: args.week_start.unwrap_or(Weekday::Monday),
        teams: lake::teams(context, args.teams.as_deref())?,
    };
    lake::check(context, args, &options)?;
    if let Some(call) = args.explain.as_deref().filter(|call| !call.is_empty()) {
        return explain::call(context, call, &options);
    }
    // The configured budget is for the person, not for everyone.
    let own =
        if lake::is_of_others(context) { Budget::default() } else { context.settings.budget() };
    let budget = budget::with_limits(own, &args.budget);
    let has_team_budgets = options.teams.budgets().next().is_some();
    if args.check && budget.is_empty() && !has_team_budgets {
        return Err(budget::no_budget().into());
    }
    let has_weeks = args.heatmap || options.by.contains(&Dimension::Week);
    if args.week_start.is_some() && !(has_weeks || budget.week.is_some() || has_team_budgets) {
        let message =
            "annals usage does not use --week-start: it shows no weeks\nhint: use --by week";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    let limit = context.output.limit(args.limit.limit).filter(|_| cuts(args, context));
    let request = UsageRequest {
        options,
        limit,
        budget,
        now: context.settings.now,
        compares: false,
        with_models: true,
        explains: args.explain.is_some(),
    };
    let options = &request.options;
    let progress = context.progress("reading");
    // Never dropped: the process ends after this, and freeing every call takes longer
    // than letting the system have the memory back.
    let source = ManuallyDrop::new(read_usage(&context.library, &request, &progress, &NoProgress));
    drop(progress);
    report_read_errors(&source.read_errors);
    if args.check {
        let usage = context.library.usage();
        let budgets = usage.budget_use(&source, budget, options, context.settings.now);
        let mut all: Vec<NamedBudget> = budgets.into_iter().map(NamedBudget::from).collect();
        all.extend(team_budgets::of_teams(context, &source, options));
        return budget::check(context, &all);
    }
    if options.by.is_empty() {
        return limits::print(context, &source, &options.filter);
    }
    let progress = context.progress("prompts");
    let mut answer = UsageAnswer::new(&context.library, &source, &request, &progress);
    drop(progress);
    let rows = std::mem::take(&mut answer.rows);
    let input = rows::ReportInput::new(context, &answer);
    let text = match context.output.format {
        Format::Text if request.explains => {
            explain::text(context, &input, answer.comparison.as_ref())
        }
        Format::Text if args.heatmap => heatmap::calendar(&input, &rows),
        Format::Text => text::table(&input, &rows, answer.total),
        _ => String::new(),
    };
    context.output.rows(rows, |rows| answer.document(&context.library, rows), || text)
}

/// Whether the limits that were reached are asked for. Other dimensions replace them.
pub(crate) fn asks_for_limits(matches: &ArgMatches) -> bool {
    let report = matches.get_one::<ReportOrSession>("report");
    matches!(report, Some(ReportOrSession::Report(Report::Limits))) && !matches.contains_id("by")
}

/// Whether the session is named without the filter.
pub(crate) fn names_session(matches: &ArgMatches) -> bool {
    let report = matches.get_one::<ReportOrSession>("report");
    matches.contains_id("session") || matches!(report, Some(ReportOrSession::Session(_)))
}

/// Whether a single call is to be explained.
pub(crate) fn asks_for_call(matches: &ArgMatches) -> bool {
    matches.get_one::<String>("explain").is_some_and(|call| !call.is_empty())
}

/// Whether rows are limited by default: programs get all of them.
fn cuts(args: &Args, context: &Context) -> bool {
    args.limit.limit.is_some() || (context.output.format == Format::Text && !args.heatmap)
}
