//! Stores of these tests, and their usage reports as text.

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::usage::{Dimension, UsageOptions, UsageReport, UsageSource};
use library::{Library, Options};
use store::RootOrigin;
use testkit::Sandbox;
use usage::{CostMode, Prices};

pub(crate) const CWD: &str = "/home/ada/tidepool";

pub(crate) fn open(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        ..Options::default()
    })
}

pub(crate) fn by(dimensions: &[Dimension]) -> UsageOptions {
    UsageOptions {
        by: dimensions.to_vec(),
        filter: Filter::default(),
        mode: CostMode::Auto,
        prices: Prices::embedded(),
        zone: TimeZone::UTC,
        week_start: Weekday::Monday,
        teams: library::usage::TeamTable::default(),
    }
}

pub(crate) fn read(library: &Library) -> UsageSource {
    let source = library.usage().read(true, &NoProgress);
    assert!(source.read_errors.is_empty(), "{:?}", source.read_errors);
    source
}

pub(crate) fn report(library: &Library, options: &UsageOptions) -> UsageReport {
    library.usage().report(&read(library), options, &NoProgress)
}

/// Rows as text: their key, the number of calls, the output tokens.
pub(crate) fn rows(report: &UsageReport) -> Vec<String> {
    let rows = report.report.rows.iter().map(|(key, row)| {
        let key: Vec<&str> = key.iter().map(|value| value.as_deref().unwrap_or("-")).collect();
        format!("{}: {} calls, {} out", key.join(" | "), row.sums.calls, row.sums.counters.output)
    });
    rows.collect()
}

/// The rows of a store.
pub(crate) fn row_texts(sandbox: &Sandbox, dimension: Dimension) -> Vec<String> {
    rows(&report(&open(sandbox), &by(&[dimension])))
}
