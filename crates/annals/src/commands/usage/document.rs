//! Usage in JSON and CSV.

use super::explain::Explained;
use crate::context::Context;
use crate::output::Row;
use library::{Dimension, UsageOptions, UsageReport, UsageSource};
use serde::Serialize;
use std::collections::BTreeMap;
use usage::blocks::Block;
use usage::{PicoUsd, RowKey, Sums, UnpricedReason};

/// Everything a report is told from.
pub(super) struct Told<'a> {
    pub(super) context: &'a Context,
    pub(super) source: &'a UsageSource,
    pub(super) options: &'a UsageOptions,
    pub(super) report: &'a UsageReport,
}

/// What calls came to, in JSON. Names are fixed; fields may be added.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SumsDocument {
    pub(super) calls: u64,
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) thinking_tokens: u64,
    pub(super) cache_write_5m_tokens: u64,
    pub(super) cache_write_1h_tokens: u64,
    pub(super) cache_read_tokens: u64,
    pub(super) web_searches: u64,
    pub(super) total_tokens: u64,
    pub(super) cost_usd: Option<String>,
    pub(super) cost_complete: bool,
    pub(super) cache_hit_rate: Option<f64>,
    pub(super) cache_saved_usd: String,
    pub(super) cache_expired_tokens: u64,
    pub(super) cache_expired_usd: String,
}

impl From<&Sums> for SumsDocument {
    fn from(sums: &Sums) -> Self {
        let counters = &sums.counters;
        SumsDocument {
            calls: sums.calls,
            input_tokens: counters.input,
            output_tokens: counters.output,
            thinking_tokens: counters.thinking,
            cache_write_5m_tokens: counters.write_5m,
            cache_write_1h_tokens: counters.write_1h,
            cache_read_tokens: counters.read,
            web_searches: counters.web_searches,
            total_tokens: counters.total(),
            cost_usd: cost(sums).map(PicoUsd::decimal),
            cost_complete: sums.unpriced == 0,
            cache_hit_rate: sums.hit_rate(),
            cache_saved_usd: sums.saved.decimal(),
            cache_expired_tokens: sums.expired_tokens,
            cache_expired_usd: sums.expired.decimal(),
        }
    }
}

/// What calls cost; nothing where not one of them has a price.
pub(super) fn cost(sums: &Sums) -> Option<PicoUsd> {
    (sums.priced > 0 || sums.unpriced == 0).then_some(sums.cost)
}

/// A row in JSON.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RowDocument {
    pub(super) key: BTreeMap<&'static str, Option<String>>,
    #[serde(flatten)]
    pub(super) sums: SumsDocument,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) block: Option<BlockDocument>,
    pub(super) models: BTreeMap<String, SumsDocument>,
    #[serde(skip)]
    pub(super) values: RowKey,
    #[serde(skip)]
    pub(super) own: Sums,
}

/// What is known of a block.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BlockDocument {
    pub(super) start: String,
    pub(super) end: String,
    pub(super) first_at: String,
    pub(super) last_at: String,
    pub(super) is_active: bool,
    pub(super) anchor: &'static str,
    pub(super) tokens_per_minute: Option<i128>,
    pub(super) cost_per_hour_usd: Option<String>,
    pub(super) projected_tokens: Option<i128>,
    pub(super) projected_cost_usd: Option<String>,
}

impl Row for RowDocument {
    const COLUMNS: &'static [&'static str] = &[
        "key",
        "calls",
        "input_tokens",
        "output_tokens",
        "thinking_tokens",
        "cache_write_5m_tokens",
        "cache_write_1h_tokens",
        "cache_read_tokens",
        "web_searches",
        "total_tokens",
        "cost_usd",
        "cost_complete",
        "cache_hit_rate",
        "cache_saved_usd",
        "cache_expired_tokens",
        "cache_expired_usd",
    ];

    fn cells(&self) -> Vec<String> {
        let sums = &self.sums;
        let key: Vec<&str> =
            self.values.iter().map(|value| value.as_deref().unwrap_or_default()).collect();
        vec![
            key.join(" | "),
            sums.calls.to_string(),
            sums.input_tokens.to_string(),
            sums.output_tokens.to_string(),
            sums.thinking_tokens.to_string(),
            sums.cache_write_5m_tokens.to_string(),
            sums.cache_write_1h_tokens.to_string(),
            sums.cache_read_tokens.to_string(),
            sums.web_searches.to_string(),
            sums.total_tokens.to_string(),
            sums.cost_usd.clone().unwrap_or_default(),
            sums.cost_complete.to_string(),
            sums.cache_hit_rate.map(|rate| format!("{rate:.4}")).unwrap_or_default(),
            sums.cache_saved_usd.clone(),
            sums.cache_expired_tokens.to_string(),
            sums.cache_expired_usd.clone(),
        ]
    }
}

#[derive(Serialize)]
pub(super) struct Document {
    schema: &'static str,
    timezone: String,
    group_by: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    rows: Vec<RowDocument>,
    total: SumsDocument,
    models: BTreeMap<String, SumsDocument>,
    unknown_models: Vec<String>,
    unpriced: Vec<String>,
    prices: Vec<String>,
    explain: ExplainDocument,
}

#[derive(Serialize)]
struct ExplainDocument {
    lines: u64,
    calls: u64,
    synthetic_calls: u64,
    damaged_lines: u64,
    odd_lines: u64,
    duplicates: DuplicatesDocument,
    naive: NaiveDocument,
    #[serde(skip_serializing_if = "Option::is_none")]
    reconciled: Option<Explained>,
}

#[derive(Serialize)]
struct DuplicatesDocument {
    streaming: u64,
    fork: u64,
    resume_copy: u64,
    replay: u64,
    progress: u64,
}

#[derive(Serialize)]
struct NaiveDocument {
    input_tokens: u64,
    output_tokens: u64,
    cache_write_tokens: u64,
    cache_read_tokens: u64,
    cost_usd: String,
}

impl Told<'_> {
    /// The rows: by time, or the dearest first.
    pub(super) fn rows(&self) -> Vec<RowDocument> {
        let mut rows: Vec<RowDocument> = self
            .report
            .report
            .rows
            .iter()
            .map(|(key, row)| RowDocument {
                key: self
                    .options
                    .by
                    .iter()
                    .zip(key)
                    .map(|(by, value)| (by.name(), value.clone().or_else(|| none_of(*by))))
                    .collect(),
                sums: SumsDocument::from(&row.sums),
                title: self.title(key),
                prompt: self.prompt(key),
                block: self.block(key, &row.sums),
                models: models(&row.models),
                values: self
                    .options
                    .by
                    .iter()
                    .zip(key)
                    .map(|(by, value)| value.clone().or_else(|| none_of(*by)))
                    .collect(),
                own: row.sums.clone(),
            })
            .collect();
        if !self.options.by.first().is_some_and(|by| by.is_time()) {
            rows.sort_by(|one, two| {
                let order =
                    |row: &RowDocument| std::cmp::Reverse((row.own.cost, row.own.counters.total()));
                order(one).cmp(&order(two)).then_with(|| one.values.cmp(&two.values))
            });
        }
        rows
    }

    fn value<'k>(&self, key: &'k RowKey, of: Dimension) -> Option<&'k str> {
        let place = self.options.by.iter().position(|by| *by == of)?;
        key.get(place)?.as_deref()
    }

    fn title(&self, key: &RowKey) -> Option<String> {
        let session = self.source.sessions.get(self.value(key, Dimension::Session)?)?;
        session.heading().map(str::to_owned)
    }

    fn prompt(&self, key: &RowKey) -> Option<String> {
        let session = self.value(key, Dimension::Session)?;
        let moment = self.value(key, Dimension::Turn)?;
        self.report.prompts.get(&(session.to_owned(), moment.to_owned())).cloned()
    }

    fn block(&self, key: &RowKey, sums: &Sums) -> Option<BlockDocument> {
        let start = self.value(key, Dimension::Block)?;
        let block = self.report.blocks.iter().find(|block| block.start.to_string() == start)?;
        Some(block_document(block, sums, self.context.now))
    }

    pub(super) fn document(
        &self,
        rows: Vec<RowDocument>,
        reconciled: Option<Explained>,
    ) -> Document {
        let calls = &self.source.calls;
        let naive = &calls.tally.naive;
        let split = self.options.by.contains(&Dimension::Tool);
        Document {
            schema: "annals/usage/1",
            timezone: render::time::zone_name(&self.context.zone),
            group_by: self.options.by.iter().map(|by| by.name()).collect(),
            note: split.then_some("each call is divided over the tools it called"),
            rows,
            total: SumsDocument::from(&self.report.report.total.sums),
            models: models(&self.report.report.total.models),
            unknown_models: self.report.unknown_models.keys().cloned().collect(),
            unpriced: self.report.unpriced.iter().map(unpriced).collect(),
            prices: self.options.prices.sources.clone(),
            explain: ExplainDocument {
                lines: calls.tally.lines,
                calls: calls.calls.len() as u64,
                synthetic_calls: self.report.synthetic,
                damaged_lines: calls.tally.damaged,
                odd_lines: calls.tally.odd,
                duplicates: DuplicatesDocument {
                    streaming: calls.duplicates.streaming,
                    fork: calls.duplicates.fork,
                    resume_copy: calls.duplicates.resume_copy,
                    replay: calls.duplicates.replay,
                    progress: calls.duplicates.progress,
                },
                naive: NaiveDocument {
                    input_tokens: naive.input,
                    output_tokens: naive.output,
                    cache_write_tokens: naive.write_5m.saturating_add(naive.write_1h),
                    cache_read_tokens: naive.read,
                    cost_usd: self.report.naive_cost.decimal(),
                },
                reconciled,
            },
        }
    }
}

/// What a row is called where a call has no value because there is none, as
/// opposed to one nobody wrote down.
fn none_of(by: Dimension) -> Option<String> {
    let is_choice =
        matches!(by, Dimension::Tool | Dimension::Skill | Dimension::Plugin | Dimension::Mcp);
    is_choice.then(|| "(none)".to_owned())
}

/// In words, what has no price.
pub(super) fn unpriced(what: &UnpricedReason) -> String {
    match what {
        UnpricedReason::Model(model) => format!("the model {model}"),
        UnpricedReason::Tier(tier) => format!("the service tier {tier}, counted as standard"),
        UnpricedReason::Fast(model) => format!("fast answers of {model}, counted as standard"),
        UnpricedReason::NotLogged => "calls of which the app noted no cost".to_owned(),
    }
}

fn models(models: &BTreeMap<String, Sums>) -> BTreeMap<String, SumsDocument> {
    models.iter().map(|(model, sums)| (model.clone(), SumsDocument::from(sums))).collect()
}

fn block_document(block: &Block, sums: &Sums, now: jiff::Timestamp) -> BlockDocument {
    let tokens = i128::from(sums.counters.total());
    let money = |amount: i128| PicoUsd(amount).decimal();
    BlockDocument {
        start: block.start.to_string(),
        end: block.end().to_string(),
        first_at: block.first.to_string(),
        last_at: block.last.to_string(),
        is_active: block.is_active(now),
        anchor: block.anchor.name(),
        tokens_per_minute: block.per_minute(tokens),
        cost_per_hour_usd: block.per_minute(sums.cost.0.saturating_mul(60)).map(money),
        projected_tokens: block.projected(tokens).filter(|_| block.is_active(now)),
        projected_cost_usd: block
            .projected(sums.cost.0)
            .filter(|_| block.is_active(now))
            .map(money),
    }
}
