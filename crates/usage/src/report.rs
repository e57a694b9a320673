//! Groups calls so that every grouping adds up to the same total.

use crate::cost::Cost;
use crate::fold::Call;
use crate::line::Counters;
use crate::money::PicoUsd;
use crate::names::{Name, Names};
use crate::split::split_proportionally;
use std::collections::BTreeMap;

/// The totals of some calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many calls.
    pub calls: u64,
    /// Their token counts.
    pub counters: Counters,
    /// Their cost, as far as known.
    pub cost: PicoUsd,
    /// The part of the cost that was logged with the calls, not calculated.
    pub logged: PicoUsd,
    /// How many of them have a price.
    pub priced: u64,
    /// How many of them have no price, or an incomplete one.
    pub unpriced: u64,
    /// What the cache saved compared with no cache.
    pub saved: PicoUsd,
    /// Tokens written again because the cache had expired.
    pub expired_tokens: u64,
    /// What that cost.
    pub expired: PicoUsd,
}

impl Sums {
    /// The totals of one call. `expired` is how many of its tokens had been in an
    /// expired cache.
    pub fn of(call: &Call, cost: &Cost, expired: u64) -> Sums {
        let rewritten = i128::from(expired).saturating_mul(cost.rewrite_rate.0);
        Sums {
            calls: 1,
            counters: call.counters,
            cost: cost.total.unwrap_or_default(),
            logged: cost.total.filter(|_| cost.is_logged()).unwrap_or_default(),
            priced: u64::from(cost.total.is_some()),
            unpriced: u64::from(cost.unpriced.is_some()),
            saved: cost.saved,
            expired_tokens: expired,
            expired: PicoUsd(rewritten),
        }
    }

    /// Adds other totals.
    pub fn add(&mut self, other: &Sums) {
        self.calls = self.calls.saturating_add(other.calls);
        self.counters = self.counters.plus(&other.counters);
        self.cost = self.cost.plus(other.cost);
        self.logged = self.logged.plus(other.logged);
        self.priced = self.priced.saturating_add(other.priced);
        self.unpriced = self.unpriced.saturating_add(other.unpriced);
        self.saved = self.saved.plus(other.saved);
        self.expired_tokens = self.expired_tokens.saturating_add(other.expired_tokens);
        self.expired = self.expired.plus(other.expired);
    }

    /// The share of prompt tokens that came from the cache.
    pub fn hit_rate(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share = |part: u64, whole: u64| part as f64 / whole as f64;
        let prompt = self.counters.prompt();
        (prompt > 0).then(|| share(self.counters.read, prompt))
    }

    /// Splits the totals in proportion to weights. The shares add up to the whole, except
    /// for `priced` and `unpriced`, which every share has in full.
    pub fn split_proportionally(&self, weights: &[u64]) -> Vec<Sums> {
        let mut shares = vec![Sums::default(); weights.len()];
        let mut share = |amount: i128, set: &dyn Fn(&mut Sums, i128)| {
            for (own, part) in shares.iter_mut().zip(split_proportionally(amount, weights)) {
                set(own, part);
            }
        };
        let whole = |part: i128| u64::try_from(part).unwrap_or(0);
        let counters = &self.counters;
        share(self.calls.into(), &|own, part| own.calls = whole(part));
        share(counters.input.into(), &|own, part| own.counters.input = whole(part));
        share(counters.output.into(), &|own, part| own.counters.output = whole(part));
        share(counters.thinking.into(), &|own, part| own.counters.thinking = whole(part));
        share(counters.write_5m.into(), &|own, part| own.counters.write_5m = whole(part));
        share(counters.write_1h.into(), &|own, part| own.counters.write_1h = whole(part));
        share(counters.read.into(), &|own, part| own.counters.read = whole(part));
        share(counters.web_searches.into(), &|own, part| own.counters.web_searches = whole(part));
        share(self.cost.0, &|own, part| own.cost = PicoUsd(part));
        share(self.logged.0, &|own, part| own.logged = PicoUsd(part));
        share(self.saved.0, &|own, part| own.saved = PicoUsd(part));
        share(self.expired_tokens.into(), &|own, part| own.expired_tokens = whole(part));
        share(self.expired.0, &|own, part| own.expired = PicoUsd(part));
        for own in &mut shares {
            // A share of a call without a price has no price either.
            own.priced = self.priced;
            own.unpriced = self.unpriced;
        }
        shares
    }
}

/// The key of a row: a value for each dimension; `None` if a call has no value.
pub type RowKey = Vec<Option<String>>;

/// A report of calls in groups.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The rows by their keys.
    pub rows: BTreeMap<RowKey, Row>,
    /// The total of all calls.
    pub total: Row,
}

/// A row: totals of its calls, overall and by model.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The totals of all its calls.
    pub sums: Sums,
    /// By model.
    pub models: BTreeMap<String, Sums>,
}

/// Builds a report. Rows are referred to by number, which is cheaper than by key.
#[derive(Debug, Default)]
pub struct ReportBuilder {
    rows: Vec<(RowKey, Models)>,
    total: Models,
}

/// The number of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowNumber(usize);

/// Totals by model; there are mostly few.
type Models = Vec<(Name, Sums)>;

fn add(models: &mut Models, model: Name, sums: &Sums) {
    match models.iter_mut().find(|(known, _)| *known == model) {
        Some((_, own)) => own.add(sums),
        None => models.push((model, sums.clone())),
    }
}

fn add_all(row: &mut Row, models: &Models, names: &Names) {
    for (model, sums) in models {
        row.sums.add(sums);
        let model = names.get(*model).unwrap_or("(none)");
        row.models.entry(model.to_owned()).or_default().add(sums);
    }
}

impl ReportBuilder {
    /// Adds a row. Rows with the same key are merged in the report.
    pub fn row(&mut self, key: RowKey) -> RowNumber {
        self.rows.push((key, Models::new()));
        RowNumber(self.rows.len() - 1)
    }

    /// Adds one call to its rows. It mostly has one; several rows, such as the tools it
    /// called, share it.
    pub fn add(&mut self, rows: &[(RowNumber, u64)], model: Name, sums: &Sums) {
        add(&mut self.total, model, sums);
        if let [(row, _)] = rows {
            add(&mut self.rows[row.0].1, model, sums);
            return;
        }
        let weights: Vec<u64> = rows.iter().map(|(_, weight)| *weight).collect();
        for ((row, _), share) in rows.iter().zip(sums.split_proportionally(&weights)) {
            add(&mut self.rows[row.0].1, model, &share);
        }
    }

    /// The report.
    pub fn finish(self, names: &Names) -> Report {
        let mut report = Report::default();
        add_all(&mut report.total, &self.total, names);
        for (key, models) in self.rows {
            add_all(report.rows.entry(key).or_default(), &models, names);
        }
        report
    }
}
