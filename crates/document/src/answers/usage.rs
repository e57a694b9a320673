//! Usage, grouped, and compared with the period before.

use super::{UsageComparison, usage_comparison};
use crate::{
    BudgetDocument, UsageComparedDocument, UsageDocument, UsageExplanationDocument, UsageParts,
    UsageRowDocument, UsageSumsDocument,
};
use jiff::Timestamp;
use library::Library;
use library::lines::ReadError;
use library::progress::{NoProgress, Progress};
use library::usage::{Dimension, UsageOptions, UsageReport, UsageSource};
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use usage::{Budget, BudgetUse, Counters, PicoUsd, Report, Row, RowKey, Sums};

/// A usage report, and how much of it to answer with.
#[derive(Debug)]
pub struct UsageRequest {
    /// The grouping, the filter, prices and zone; at least one dimension.
    pub options: UsageOptions,
    /// The most rows; for times the newest, otherwise the most expensive.
    pub limit: Option<usize>,
    /// The budgets.
    pub budget: Budget,
    /// The time.
    pub now: Timestamp,
    /// Whether to add the sums of the period before, of the same length. It needs a
    /// filter with a beginning.
    pub compares: bool,
    /// Whether rows have their sums by model; without them an answer is a fraction as
    /// large.
    pub with_models: bool,
    /// Whether to compare with Claude Code's own figures.
    pub explains: bool,
}

/// Reads the calls and answers with a report, and with what could not be read.
pub fn usage(
    library: &Library,
    request: &UsageRequest,
    progress: &dyn Progress,
) -> (UsageDocument, Vec<ReadError>) {
    let source = read_usage(library, request, progress, &NoProgress);
    (usage_from(library, &source, request, progress), source.read_errors)
}

/// Reads the calls that a report is made of, then looks up the types of agents if it has
/// them.
pub fn read_usage(
    library: &Library,
    request: &UsageRequest,
    reading: &dyn Progress,
    naming: &dyn Progress,
) -> UsageSource {
    let options = &request.options;
    let mut source = if request.explains {
        library.usage().read(true, reading)
    } else {
        library.usage().read_for(options, reading)
    };
    let borders = previous_period(request).filter(|_| request.compares);
    if !borders.is_none_or(|[before, since, _]| source.is_divided_at(&[before, since])) {
        source = library.usage().read(options.needs_sessions(), reading);
    }
    if options.needs_agents() {
        library.usage().name_agents(&mut source, naming);
    }
    source
}

/// Reads the calls of one session and answers with a report of them, and with what could not
/// be read.
pub fn session_usage(
    library: &Library,
    session: &str,
    request: &UsageRequest,
    progress: &dyn Progress,
) -> (UsageDocument, Vec<ReadError>) {
    let with_sessions = request.options.needs_sessions();
    let mut source = library.usage().read_session(session, with_sessions, progress);
    if request.options.needs_agents() {
        library.usage().name_agents(&mut source, progress);
    }
    (usage_from(library, &source, request, progress), source.read_errors)
}

/// Answers with a report of calls that were read already. If the options need
/// sessions or agents, the source must have them.
pub fn usage_from(
    library: &Library,
    source: &UsageSource,
    request: &UsageRequest,
    progress: &dyn Progress,
) -> UsageDocument {
    let mut answer = UsageAnswer::new(library, source, request, progress);
    let rows = std::mem::take(&mut answer.rows);
    answer.document(library, rows)
}

/// A report, with what it was made of: for surfaces that show more than its document has,
/// or less.
#[derive(Debug)]
pub struct UsageAnswer<'a> {
    /// The calls.
    pub source: &'a UsageSource,
    /// What was asked for.
    pub request: &'a UsageRequest,
    /// The sums.
    pub report: UsageReport,
    /// The rows within the limit, in their order.
    pub rows: Vec<SortedUsageRow>,
    /// How many rows there are.
    pub total: usize,
    /// How much of each budget is used.
    pub budgets: Vec<BudgetUse>,
    /// The comparison with Claude Code's own figures, if it was asked for.
    pub comparison: Option<UsageComparison>,
}

impl<'a> UsageAnswer<'a> {
    /// A report of calls that were read already.
    pub fn new(
        library: &Library,
        source: &'a UsageSource,
        request: &'a UsageRequest,
        progress: &dyn Progress,
    ) -> Self {
        let options = &request.options;
        let report = library.usage().report(source, options, progress);
        let mut rows = UsageParts::new(source, options, &report, request.now).sorted_rows();
        let total = rows.len();
        if let Some(limit) = request.limit {
            shorten(&mut rows, limit, options);
        }
        let budgets = library.usage().budget_use(source, request.budget, options, request.now);
        let comparison = request.explains.then(|| usage_comparison(library, source, &report));
        UsageAnswer { source, request, report, rows, total, budgets, comparison }
    }

    /// The document, with these rows.
    pub fn document(self, library: &Library, rows: Vec<SortedUsageRow>) -> UsageDocument {
        let UsageAnswer { source, request, report, budgets, comparison, .. } = self;
        let mut rows: Vec<UsageRowDocument> = rows.into_iter().map(|row| row.document).collect();
        if !request.with_models {
            for row in &mut rows {
                row.models.clear();
            }
        }
        let budgets = budgets.iter().map(BudgetDocument::from).collect();
        let zone = render::time::zone_name(&request.options.zone);
        let comparison = comparison.map(UsageComparison::document);
        let explain = UsageExplanationDocument::new(source, &report, comparison);
        let parts = UsageParts::new(source, &request.options, &report, request.now);
        let mut document = parts.document(zone, rows, budgets, explain);
        if request.compares {
            document.previous = previous(library, source, request);
        }
        document
    }
}

/// Drops rows beyond a limit: for times the oldest, otherwise the cheapest.
fn shorten<T>(rows: &mut Vec<T>, limit: usize, options: &UsageOptions) {
    if options.by.first().is_some_and(|by| by.is_time()) {
        rows.drain(..rows.len().saturating_sub(limit));
    } else {
        rows.truncate(limit);
    }
}

/// The sums of the period before, of the same length.
fn previous(
    library: &Library,
    source: &UsageSource,
    request: &UsageRequest,
) -> Option<UsageComparedDocument> {
    let [before, since, _] = previous_period(request)?;
    let sums = usage_between(library, source, &request.options, before, since);
    Some(UsageComparedDocument {
        since: before.into(),
        until: since.into(),
        total: UsageSumsDocument::from(&sums),
    })
}

/// When the period before begins, when the period of a report does, and when it ends.
fn previous_period(request: &UsageRequest) -> Option<[Timestamp; 3]> {
    let filter = &request.options.filter;
    let since = filter.since?;
    let until = filter.until.unwrap_or(request.now).min(request.now);
    let length = until.duration_since(since);
    let before = since.checked_sub(length).ok().filter(|_| length.is_positive())?;
    Some([before, since, until])
}

/// The sums of the calls of a span of time, with the other conditions of options.
pub fn usage_between(
    library: &Library,
    source: &UsageSource,
    options: &UsageOptions,
    since: Timestamp,
    until: Timestamp,
) -> Sums {
    let mut options = options.clone();
    options.by = vec![Dimension::Model];
    options.filter.since = Some(since);
    options.filter.until = Some(until);
    library.usage().report(source, &options, &NoProgress).report.total.sums
}

/// A row with its key, in the order of grouping, and its sums.
#[derive(Clone, Debug)]
pub struct SortedUsageRow {
    /// The row.
    pub document: UsageRowDocument,
    /// The values of its key.
    pub values: RowKey,
    /// Its sums.
    pub sums: Sums,
}

impl Serialize for SortedUsageRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document.serialize(serializer)
    }
}

impl<'a> UsageParts<'a> {
    /// The parts of a report.
    pub fn new(
        source: &'a UsageSource,
        options: &'a UsageOptions,
        report: &'a UsageReport,
        now: Timestamp,
    ) -> Self {
        let rows = report.report.rows.values();
        let largest_cost = rows.map(|row| row.sums.cost).max().unwrap_or_default();
        UsageParts { source, options, report, now, largest_cost }
    }

    /// The rows in their order.
    pub fn sorted_rows(&self) -> Vec<SortedUsageRow> {
        let rows = ordered_usage(&self.report.report, &self.options.by).into_iter();
        let rows = rows.map(|(key, row)| SortedUsageRow {
            document: self.row(key, &row.sums, &row.models),
            values: self.values(key),
            sums: row.sums.clone(),
        });
        rows.collect()
    }
}

/// The rows of a report in the order in which every surface shows them: times from the
/// oldest on, otherwise the most expensive first, of equal ones that with the most tokens.
pub fn ordered_usage<'r>(report: &'r Report, by: &[Dimension]) -> Vec<(&'r RowKey, &'r Row)> {
    let mut rows: Vec<(&RowKey, &Row)> = report.rows.iter().collect();
    if !by.first().is_some_and(|by| by.is_time()) {
        rows.sort_by_key(|(key, row)| (dearest_first(row.sums.cost, &row.sums.counters), *key));
    }
    rows
}

/// Sorts what has cost most first, and of equal costs what has the most tokens.
pub fn dearest_first(cost: PicoUsd, counters: &Counters) -> Reverse<(PicoUsd, u64)> {
    Reverse((cost, counters.total()))
}
