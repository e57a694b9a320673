//! Calls grouped, so that every grouping adds up to the same.

use crate::cost::Cost;
use crate::fold::Call;
use crate::line::Counters;
use crate::money::PicoUsd;
use crate::names::{Name, Names};
use crate::split::divided;
use std::collections::BTreeMap;

/// What calls came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many.
    pub calls: u64,
    /// What they used.
    pub counters: Counters,
    /// What they would cost, as far as that is known.
    pub cost: PicoUsd,
    /// How many of them have a price.
    pub priced: u64,
    /// How many of them have none, or not the whole of it.
    pub unpriced: u64,
    /// What the cache saved against its absence.
    pub saved: PicoUsd,
    /// Tokens that were written again because the cache had expired.
    pub expired_tokens: u64,
    /// What that cost.
    pub expired: PicoUsd,
}

impl Sums {
    /// What one call comes to. `expired` is how many of its tokens were in a
    /// cache that had expired.
    pub fn of(call: &Call, cost: &Cost, expired: u64) -> Sums {
        let rewritten = i128::from(expired).saturating_mul(cost.rewrite_rate.0);
        Sums {
            calls: 1,
            counters: call.counters,
            cost: cost.total.unwrap_or_default(),
            priced: u64::from(cost.total.is_some()),
            unpriced: u64::from(cost.unpriced.is_some()),
            saved: cost.saved,
            expired_tokens: expired,
            expired: PicoUsd(rewritten),
        }
    }

    /// Adds others.
    pub fn add(&mut self, other: &Sums) {
        self.calls = self.calls.saturating_add(other.calls);
        self.counters = self.counters.plus(&other.counters);
        self.cost = self.cost.plus(other.cost);
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

    /// Shares in proportion to weights; they add up to the whole, but for how
    /// many have a price: that is said of each.
    pub fn divided(&self, weights: &[u64]) -> Vec<Sums> {
        let mut shares = vec![Sums::default(); weights.len()];
        let mut share = |amount: i128, place: &dyn Fn(&mut Sums, i128)| {
            for (own, part) in shares.iter_mut().zip(divided(amount, weights)) {
                place(own, part);
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
        share(self.saved.0, &|own, part| own.saved = PicoUsd(part));
        share(self.expired_tokens.into(), &|own, part| own.expired_tokens = whole(part));
        share(self.expired.0, &|own, part| own.expired = PicoUsd(part));
        for own in &mut shares {
            // A share of a call without a price has none either.
            own.priced = self.priced;
            own.unpriced = self.unpriced;
        }
        shares
    }
}

/// What a row is about: a value for each way of grouping; none where a call has
/// none.
pub type RowKey = Vec<Option<String>>;

/// Calls grouped.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The rows by their keys.
    pub rows: BTreeMap<RowKey, Row>,
    /// All of them together.
    pub total: Row,
}

/// A row: what its calls came to, and by model.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// All of them.
    pub sums: Sums,
    /// By model.
    pub models: BTreeMap<String, Sums>,
}

/// Adds calls up, row by row, under numbers that are cheaper to find than keys.
#[derive(Debug, Default)]
pub struct Adder {
    rows: Vec<(RowKey, Models)>,
    total: Models,
}

/// The number of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowNumber(usize);

/// Sums by model: mostly few.
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

impl Adder {
    /// A new row. Rows of one key are one in the end.
    pub fn row(&mut self, key: RowKey) -> RowNumber {
        self.rows.push((key, Models::new()));
        RowNumber(self.rows.len() - 1)
    }

    /// Adds what one call came to, to each of its rows: mostly one; the tools it
    /// called share it.
    pub fn add(&mut self, rows: &[(RowNumber, u64)], model: Name, sums: &Sums) {
        add(&mut self.total, model, sums);
        if let [(row, _)] = rows {
            add(&mut self.rows[row.0].1, model, sums);
            return;
        }
        let weights: Vec<u64> = rows.iter().map(|(_, weight)| *weight).collect();
        for ((row, _), share) in rows.iter().zip(sums.divided(&weights)) {
            add(&mut self.rows[row.0].1, model, &share);
        }
    }

    /// What it came to.
    pub fn finish(self, names: &Names) -> Report {
        let mut report = Report::default();
        add_all(&mut report.total, &self.total, names);
        for (key, models) in self.rows {
            add_all(report.rows.entry(key).or_default(), &models, names);
        }
        report
    }
}
