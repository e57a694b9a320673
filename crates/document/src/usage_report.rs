//! Usage, and its cost at API prices.

use crate::table::Column;
use crate::{BudgetDocument, Document, Keyword, Moment, UsageExplanationDocument};
use jiff::Timestamp;
use library::usage::{Dimension, UsageOptions, UsageReport, UsageSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use usage::blocks::Block;
use usage::{PicoUsd, RowKey, Sums, UnpricedReason};

/// Usage by time, session, project, model and others. Every grouping has the same total.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The time zone of days, weeks and months.
    pub timezone: String,
    /// What rows are grouped by, the coarsest first.
    pub group_by: Vec<Keyword>,
    /// Set where calls were divided among the tools they called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Keyword>,
    /// The rows: by time, or the most expensive first.
    pub rows: Vec<UsageRowDocument>,
    /// All calls together.
    pub total: UsageSumsDocument,
    /// The period before, of the same length; only the web app asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<UsageComparedDocument>,
    /// How much of each budget is used, by all calls; absent if there is no budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetDocument>,
    /// The total by model.
    pub models: BTreeMap<String, UsageSumsDocument>,
    /// Models without a price.
    pub unknown_models: Vec<String>,
    /// Anything else without a price, in words.
    pub unpriced: Vec<String>,
    /// Where the prices come from.
    pub prices: Vec<String>,
    /// How the figures were counted.
    pub explain: UsageExplanationDocument,
}

impl Document for UsageDocument {
    const SCHEMA: &'static str = "annals/usage/1";
    const COMMAND: &'static str = "`annals usage`";
    const ROWS: Option<&'static str> = Some("rows");
    const COLUMNS: &'static [Column] = &[
        Column::ordered("key", "group_by"),
        Column::of("calls"),
        Column::of("input_tokens"),
        Column::of("output_tokens"),
        Column::of("thinking_tokens"),
        Column::of("cache_write_5m_tokens"),
        Column::of("cache_write_1h_tokens"),
        Column::of("cache_read_tokens"),
        Column::of("web_searches"),
        Column::of("total_tokens"),
        Column::of("cost_usd"),
        Column::of("cost_complete"),
        Column::of("cache_hit_rate"),
        Column::of("cache_saved_usd"),
        Column::of("cache_expired_tokens"),
        Column::of("cache_expired_usd"),
        Column::of("reported_usd"),
    ];
}

/// Declares an object that has the sums of calls among its members. The house
/// does not flatten one object into another, and their names are a contract.
macro_rules! with_sums {
    (
        $(#[$attribute:meta])* $name:ident {
            $($(#[$before_attribute:meta])* $before:ident: $before_type:ty,)*
        } sums {
            $($(#[$after_attribute:meta])* $after:ident: $after_type:ty,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
        pub struct $name {
            $($(#[$before_attribute])* pub $before: $before_type,)*
            /// API calls, each counted once.
            pub calls: u64,
            /// Input that was not cached.
            pub input_tokens: u64,
            /// Output, thinking included.
            pub output_tokens: u64,
            /// The part of the output that is thinking, where it is recorded.
            pub thinking_tokens: u64,
            /// Input written to the cache for five minutes.
            pub cache_write_5m_tokens: u64,
            /// Input written to the cache for an hour.
            pub cache_write_1h_tokens: u64,
            /// Input read from the cache.
            pub cache_read_tokens: u64,
            /// Web searches.
            pub web_searches: u64,
            /// All tokens.
            pub total_tokens: u64,
            /// The cost at API prices, a decimal number with all its digits; `null` if no call has a price.
            pub cost_usd: Option<String>,
            /// Whether every call has a price.
            pub cost_complete: bool,
            /// The part of the cost that apps other than Claude Code reported. The rest is calculated from prices. Missing if they reported nothing.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub reported_usd: Option<String>,
            /// Input read from the cache / (read + written + not cached).
            #[serde(deserialize_with = "crate::exact::optional")]
            #[schemars(with = "Option<f64>")]
            pub cache_hit_rate: Option<f64>,
            /// What the cache saved compared with uncached prices, less the extra cost of writing it.
            pub cache_saved_usd: String,
            /// Tokens written again because a cache had expired.
            pub cache_expired_tokens: u64,
            /// What writing them again cost.
            pub cache_expired_usd: String,
            $($(#[$after_attribute])* pub $after: $after_type,)*
        }
    };
}

with_sums! {
    /// The sums of calls.
    UsageSumsDocument {} sums {}
}

with_sums! {
    /// A row of a usage report: its key, and the sums of its calls.
    UsageRowDocument {
        /// A member for each way of grouping, with the row's value; `null` if the calls have none.
        key: BTreeMap<Keyword, Option<String>>,
    } sums {
        /// The session's title, where rows are sessions.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The prompt, where rows are turns.
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt: Option<String>,
        /// The block, where rows are five-hour blocks.
        #[serde(skip_serializing_if = "Option::is_none")]
        block: Option<UsageBlockDocument>,
        /// The same by model.
        models: BTreeMap<String, UsageSumsDocument>,
    }
}

/// The period before the one that was asked for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageComparedDocument {
    /// When it begins.
    pub since: Moment,
    /// When it ends.
    pub until: Moment,
    /// All calls in it together.
    pub total: UsageSumsDocument,
}

/// A block of five hours, as subscriptions count them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageBlockDocument {
    /// When it begins.
    pub start: String,
    /// When it ends.
    pub end: String,
    /// The first call in it.
    pub first_at: String,
    /// The last call in it.
    pub last_at: String,
    /// Whether it has not ended yet.
    pub is_active: bool,
    /// The seconds until its end, if it has not ended yet.
    pub seconds_left: Option<i64>,
    /// What its beginning rests on: `guessed` from calls, or `recorded`.
    pub anchor: Keyword,
    /// Tokens per minute.
    pub tokens_per_minute: Option<i128>,
    /// Cost per hour.
    pub cost_per_hour_usd: Option<String>,
    /// The tokens at its end, if it goes on like this.
    pub projected_tokens: Option<i128>,
    /// The cost at its end, if it goes on like this.
    pub projected_cost_usd: Option<String>,
    /// The cost of the row / the cost of the most expensive row; `null` if no row has a cost.
    #[serde(deserialize_with = "crate::exact::optional")]
    #[schemars(with = "Option<f64>")]
    pub share_of_largest: Option<f64>,
}

impl From<&Sums> for UsageSumsDocument {
    fn from(sums: &Sums) -> Self {
        let counters = &sums.counters;
        UsageSumsDocument {
            calls: sums.calls,
            input_tokens: counters.input,
            output_tokens: counters.output,
            thinking_tokens: counters.thinking,
            cache_write_5m_tokens: counters.write_5m,
            cache_write_1h_tokens: counters.write_1h,
            cache_read_tokens: counters.read,
            web_searches: counters.web_searches,
            total_tokens: counters.total(),
            cost_usd: known_cost(sums).map(PicoUsd::decimal),
            cost_complete: sums.unpriced == 0,
            reported_usd: reported_usd(sums.logged),
            cache_hit_rate: sums.hit_rate(),
            cache_saved_usd: sums.saved.decimal(),
            cache_expired_tokens: sums.expired_tokens,
            cache_expired_usd: sums.expired.decimal(),
        }
    }
}

/// What calls cost; `None` if not one of them has a price.
pub fn known_cost(sums: &Sums) -> Option<PicoUsd> {
    (sums.priced > 0 || sums.unpriced == 0).then_some(sums.cost)
}

/// What apps reported; `None` if that is nothing.
pub(crate) fn reported_usd(reported: PicoUsd) -> Option<String> {
    (reported > PicoUsd::ZERO).then(|| reported.decimal())
}

/// The source of a usage document.
#[derive(Clone, Copy, Debug)]
pub struct UsageParts<'a> {
    /// The calls.
    pub source: &'a UsageSource,
    /// The requested options.
    pub options: &'a UsageOptions,
    /// The answer.
    pub report: &'a UsageReport,
    /// The present time, for blocks that have not ended.
    pub now: Timestamp,
    /// The cost of the most expensive row, which blocks are compared with.
    pub largest_cost: PicoUsd,
}

impl UsageParts<'_> {
    /// The values of a row's key, in the order of grouping.
    pub fn values(&self, key: &RowKey) -> RowKey {
        let values = self.options.by.iter().zip(key);
        values.map(|(by, value)| value.clone().or_else(|| none_of(*by))).collect()
    }

    /// A row of the report.
    pub fn row(
        &self,
        key: &RowKey,
        sums: &Sums,
        by_model: &BTreeMap<String, Sums>,
    ) -> UsageRowDocument {
        let own = UsageSumsDocument::from(sums);
        let names = self.options.by.iter().map(|by| Keyword::from(by.name()));
        UsageRowDocument {
            key: names.zip(self.values(key)).collect(),
            calls: own.calls,
            input_tokens: own.input_tokens,
            output_tokens: own.output_tokens,
            thinking_tokens: own.thinking_tokens,
            cache_write_5m_tokens: own.cache_write_5m_tokens,
            cache_write_1h_tokens: own.cache_write_1h_tokens,
            cache_read_tokens: own.cache_read_tokens,
            web_searches: own.web_searches,
            total_tokens: own.total_tokens,
            cost_usd: own.cost_usd,
            cost_complete: own.cost_complete,
            reported_usd: own.reported_usd,
            cache_hit_rate: own.cache_hit_rate,
            cache_saved_usd: own.cache_saved_usd,
            cache_expired_tokens: own.cache_expired_tokens,
            cache_expired_usd: own.cache_expired_usd,
            title: self.title(key),
            prompt: self.prompt(key),
            block: self.block(key, sums),
            models: models(by_model),
        }
    }

    fn value<'k>(&self, key: &'k RowKey, of: Dimension) -> Option<&'k str> {
        let position = self.options.by.iter().position(|by| *by == of)?;
        key.get(position)?.as_deref()
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

    fn block(&self, key: &RowKey, sums: &Sums) -> Option<UsageBlockDocument> {
        let start = self.value(key, Dimension::Block)?;
        let block = self.report.blocks.iter().find(|block| block.start.to_string() == start)?;
        Some(UsageBlockDocument::new(block, sums, self.largest_cost, self.now))
    }

    /// The document, with the rows that are shown.
    pub fn document(
        &self,
        timezone: String,
        rows: Vec<UsageRowDocument>,
        budgets: Vec<BudgetDocument>,
        explain: UsageExplanationDocument,
    ) -> UsageDocument {
        let is_split = self.options.by.contains(&Dimension::Tool);
        let total = &self.report.report.total;
        UsageDocument {
            schema: UsageDocument::SCHEMA.into(),
            timezone,
            group_by: self.options.by.iter().map(|by| by.name().into()).collect(),
            note: is_split.then(|| "each call is divided over the tools it called".into()),
            rows,
            total: UsageSumsDocument::from(&total.sums),
            previous: None,
            budgets,
            models: models(&total.models),
            unknown_models: self.report.unknown_models.keys().cloned().collect(),
            unpriced: self.report.unpriced.iter().map(unpriced).collect(),
            prices: self.options.prices.sources(total.models.keys().map(String::as_str)),
            explain,
        }
    }
}

/// The name of a row where a call has no value because there is none, as opposed
/// to a value that was not recorded.
fn none_of(by: Dimension) -> Option<String> {
    let is_choice =
        matches!(by, Dimension::Tool | Dimension::Skill | Dimension::Plugin | Dimension::Mcp);
    is_choice.then(|| "(none)".to_owned())
}

/// What has no price, in words.
pub fn unpriced(what: &UnpricedReason) -> String {
    match what {
        UnpricedReason::Model(model) => format!("the model {model}"),
        UnpricedReason::Tier(tier) => format!("the service tier {tier}, counted as standard"),
        UnpricedReason::Fast(model) => format!("fast answers of {model}, counted as standard"),
        UnpricedReason::NotLogged => "calls of which the app noted no cost".to_owned(),
    }
}

fn models(models: &BTreeMap<String, Sums>) -> BTreeMap<String, UsageSumsDocument> {
    models.iter().map(|(model, sums)| (model.clone(), UsageSumsDocument::from(sums))).collect()
}

impl UsageBlockDocument {
    fn new(block: &Block, sums: &Sums, largest: PicoUsd, now: Timestamp) -> Self {
        let tokens = i128::from(sums.counters.total());
        let money = |amount: i128| PicoUsd(amount).decimal();
        let is_active = block.is_active(now);
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share = sums.cost.0 as f64 / largest.0 as f64;
        UsageBlockDocument {
            start: block.start.to_string(),
            end: block.end().to_string(),
            first_at: block.first.to_string(),
            last_at: block.last.to_string(),
            is_active,
            seconds_left: is_active.then(|| block.end().duration_since(now).as_secs()),
            anchor: block.anchor.name().into(),
            tokens_per_minute: block.per_minute(tokens),
            cost_per_hour_usd: block.per_minute(sums.cost.0.saturating_mul(60)).map(money),
            projected_tokens: block.projected(tokens).filter(|_| is_active),
            projected_cost_usd: block.projected(sums.cost.0).filter(|_| is_active).map(money),
            share_of_largest: (largest > PicoUsd::ZERO).then_some(share),
        }
    }
}
