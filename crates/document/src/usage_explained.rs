//! How usage was counted: all of it, one call, and limits that were reached.

use crate::sessions::shown;
use crate::table::{Column, columns};
use crate::usage_report::unpriced;
use crate::{Document, Keyword, Moment};
use archive::{RateLimit, RateLimitWindow};
use library::usage::{FoundLine, UsageReport, UsageSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use usage::{Call, Calls, Cost, CostPart, PicoUsd};

/// How the figures were counted.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageExplanationDocument {
    /// Lines of transcripts that are about an API call.
    pub lines: u64,
    /// API calls.
    pub calls: u64,
    /// Calls that Claude Code made up; no row counts them.
    pub synthetic_calls: u64,
    /// Lines that cannot be read.
    pub damaged_lines: u64,
    /// Lines with odd counts or times.
    pub odd_lines: u64,
    /// Lines that repeat a call.
    pub duplicates: UsageDuplicatesDocument,
    /// What a plain sum of all lines would give.
    pub naive: UsagePlainSumDocument,
    /// With `--explain`: annals' figures beside those of Claude Code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reconciled: Option<UsageComparisonDocument>,
}

/// Lines that repeat a call, by reason.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageDuplicatesDocument {
    /// Written while the answer streamed.
    pub streaming: u64,
    /// Copied by forks.
    pub fork: u64,
    /// Copied by resumed sessions.
    pub resume_copy: u64,
    /// Replayed.
    pub replay: u64,
    /// Written as progress of a sub-agent.
    pub progress: u64,
}

/// What a plain sum of all lines would give.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsagePlainSumDocument {
    /// Input that was not cached.
    pub input_tokens: u64,
    /// Output.
    pub output_tokens: u64,
    /// Input written to the cache.
    pub cache_write_tokens: u64,
    /// Input read from the cache.
    pub cache_read_tokens: u64,
    /// The cost at API prices.
    pub cost_usd: String,
}

/// annals' figures beside those of Claude Code.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct UsageComparisonDocument {
    /// Sessions whose cost Claude Code recorded (`cost-state`).
    pub sessions: Vec<UsageSessionCostDocument>,
    /// What Claude Code's `stats-cache.json` claims.
    pub stats_cache: Vec<UsageStatsCacheDocument>,
}

/// The cost of a session by Claude Code's count and by annals' count.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageSessionCostDocument {
    /// The session.
    pub session_id: String,
    /// What Claude Code recorded.
    pub logged_usd: String,
    /// What annals counts.
    pub counted_usd: String,
    /// The difference.
    pub difference_usd: String,
}

/// What Claude Code's cache of statistics claims of a model.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageStatsCacheDocument {
    /// The store.
    pub root: String,
    /// The day up to which Claude Code counted.
    pub last_computed_date: Option<String>,
    /// The model.
    pub model: String,
    /// Tokens by Claude Code's count.
    pub claimed_tokens: u64,
    /// Tokens by annals' count.
    pub counted_tokens: u64,
}

impl UsageExplanationDocument {
    /// How a report was counted, with the figures of Claude Code, if wanted.
    pub fn new(
        source: &UsageSource,
        report: &UsageReport,
        reconciled: Option<UsageComparisonDocument>,
    ) -> Self {
        let calls = &source.calls;
        let naive = &calls.tally.naive;
        UsageExplanationDocument {
            lines: calls.tally.lines,
            calls: source.call_count(),
            synthetic_calls: report.synthetic,
            damaged_lines: calls.tally.damaged,
            odd_lines: calls.tally.odd,
            duplicates: UsageDuplicatesDocument {
                streaming: calls.duplicates.streaming,
                fork: calls.duplicates.fork,
                resume_copy: calls.duplicates.resume_copy,
                replay: calls.duplicates.replay,
                progress: calls.duplicates.progress,
            },
            naive: UsagePlainSumDocument {
                input_tokens: naive.input,
                output_tokens: naive.output,
                cache_write_tokens: naive.write_5m.saturating_add(naive.write_1h),
                cache_read_tokens: naive.read,
                cost_usd: report.naive_cost.decimal(),
            },
            reconciled,
        }
    }
}

/// How one API call was counted. An id can name several calls.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageCallsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The calls.
    pub calls: Vec<UsageCallDocument>,
}

impl Document for UsageCallsDocument {
    const SCHEMA: &'static str = "annals/call/1";
    const COMMAND: &'static str = "`annals usage --explain CALL`";
}

impl UsageCallsDocument {
    /// The calls that were found.
    pub fn new(calls: Vec<UsageCallDocument>) -> Self {
        UsageCallsDocument { schema: Self::SCHEMA.into(), calls }
    }
}

/// An API call, with how it was counted and priced.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageCallDocument {
    /// The id of the response.
    pub call: String,
    /// The id of the request.
    pub request: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// When the response came.
    pub timestamp: Option<Moment>,
    /// The lines of transcripts that are about it.
    pub lines: Vec<UsageLineDocument>,
    /// The parts of its price.
    pub parts: Vec<UsagePartDocument>,
    /// What the sum of the parts is multiplied with.
    pub factors: Vec<UsageFactorDocument>,
    /// Whether the rates for long prompts apply.
    pub is_long_context: bool,
    /// The cost at API prices.
    pub cost_usd: Option<String>,
    /// What has no price, in words.
    pub unpriced: Option<String>,
}

/// A line of a transcript that is about an API call.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageLineDocument {
    /// The transcript.
    pub path: String,
    /// Where the line begins, in bytes.
    pub offset: u64,
    /// Its time.
    pub timestamp: Option<Moment>,
    /// The id of the request.
    pub request: Option<String>,
    /// Output tokens by this line.
    pub output_tokens: u64,
    /// All tokens by this line.
    pub total_tokens: u64,
    /// Whether it was written by a sub-agent.
    pub is_sidechain: bool,
    /// Whether a fork copied it.
    pub is_fork: bool,
    /// Whether it was made in the background.
    pub is_background: bool,
    /// Whether it was written as progress of a sub-agent.
    pub is_progress: bool,
    /// Whether the call is counted by this line.
    pub is_chosen: bool,
}

/// A part of a price.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsagePartDocument {
    /// What is paid for.
    pub what: Keyword,
    /// How many of them.
    pub count: u64,
    /// The price of one.
    pub rate_usd: String,
    /// The price of all.
    pub amount_usd: String,
}

/// What a price is multiplied with.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsageFactorDocument {
    /// Why.
    pub why: Keyword,
    /// The factor.
    pub factor: String,
}

impl UsageCallDocument {
    /// A call, with the lines it was read from and the parts of its price.
    pub fn new(
        call: &Call,
        calls: &Calls,
        lines: &[FoundLine],
        cost: &Cost,
        parts: Vec<CostPart>,
    ) -> Self {
        let chosen = usize::try_from(call.chosen_line.0).ok();
        let lines = lines.iter().enumerate().map(|(number, found)| UsageLineDocument {
            path: shown(&found.path),
            offset: found.line.offset,
            timestamp: found.line.time.map(Moment),
            request: found.line.request_id.as_deref().map(str::to_owned),
            output_tokens: found.line.counters.output,
            total_tokens: found.line.counters.total(),
            is_sidechain: found.line.origin.is_sidechain,
            is_fork: found.line.origin.is_fork,
            is_background: found.line.origin.is_background,
            is_progress: found.line.origin.is_progress,
            is_chosen: chosen == Some(number) && !call.is_advisor_call,
        });
        let parts = parts.into_iter().map(|part| UsagePartDocument {
            what: part.what.into(),
            count: part.count,
            rate_usd: part.rate.decimal(),
            amount_usd: part.amount.decimal(),
        });
        let factors = cost.factors.iter().map(|(why, factor)| UsageFactorDocument {
            why: (*why).into(),
            factor: PicoUsd(factor.0.saturating_mul(1_000_000_000)).decimal(),
        });
        UsageCallDocument {
            call: call.id.to_string(),
            request: call.request.as_deref().map(str::to_owned),
            model: calls.names.get(call.model).map(str::to_owned),
            timestamp: call.time.map(Moment),
            lines: lines.collect(),
            parts: parts.collect(),
            factors: factors.collect(),
            is_long_context: cost.is_long,
            cost_usd: cost.total.map(PicoUsd::decimal),
            unpriced: cost.unpriced.as_ref().map(unpriced),
        }
    }
}

/// Rate limits that were reached, and how much of them was used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LimitsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The limits, oldest first.
    pub limits: Vec<LimitDocument>,
}

impl Document for LimitsDocument {
    const SCHEMA: &'static str = "annals/limits/1";
    const COMMAND: &'static str = "`annals usage limits`";
    const ROWS: Option<&'static str> = Some("limits");
    const COLUMNS: &'static [Column] =
        &columns(["timestamp", "notice", "resets_at", "path", "window", "used_percent"]);
}

impl LimitsDocument {
    /// The limits that are known.
    pub fn new(limits: Vec<LimitDocument>) -> Self {
        LimitsDocument { schema: Self::SCHEMA.into(), limits }
    }
}

/// A rate limit that was reached, or how much of it was used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LimitDocument {
    /// When that was.
    pub timestamp: Option<Moment>,
    /// The message of Claude Code, or the record of the ledger, in words.
    pub notice: String,
    /// When the limit resets, if that is known.
    pub resets_at: Option<Moment>,
    /// The transcript that holds the notice.
    pub path: Option<String>,
    /// From the ledger: `five_hour` or `seven_day`.
    pub window: Option<Keyword>,
    /// From the ledger: how much was used, in percent.
    #[serde(deserialize_with = "crate::exact::optional")]
    #[schemars(with = "Option<f64>")]
    pub used_percent: Option<f64>,
}

impl From<&RateLimit> for LimitDocument {
    fn from(limit: &RateLimit) -> Self {
        let window = match limit.window {
            RateLimitWindow::FiveHours => "five hours",
            RateLimitWindow::SevenDays => "seven days",
        };
        LimitDocument {
            timestamp: Some(limit.seen_at.into()),
            notice: format!("{:.0} % of {window} used", limit.used_percent),
            resets_at: limit.resets_at.map(Moment),
            path: None,
            window: Some(limit.window.name().into()),
            used_percent: Some(limit.used_percent),
        }
    }
}

impl LimitDocument {
    /// The limits that transcripts show, and the latest state of each window that
    /// the ledger recorded, by time.
    pub fn of(source: &UsageSource) -> Vec<Self> {
        let reached = source.calls.limits.iter().map(|limit| LimitDocument {
            timestamp: limit.time.map(Moment),
            notice: limit.notice.clone(),
            resets_at: usage::blocks::parse_reset_time(&limit.notice).map(Moment),
            path: source
                .files
                .get(usize::try_from(limit.file).unwrap_or(usize::MAX))
                .map(|file| shown(&file.path)),
            window: None,
            used_percent: None,
        });
        let recorded = latest_of_windows(&source.rate_limits).into_iter().map(LimitDocument::from);
        let mut limits: Vec<LimitDocument> = reached.chain(recorded).collect();
        limits.sort_by_key(|limit| limit.timestamp);
        limits
    }
}

/// The latest record of each window.
fn latest_of_windows(recorded: &[RateLimit]) -> Vec<&RateLimit> {
    let mut latest: Vec<&RateLimit> = Vec::new();
    for limit in recorded {
        let key = |limit: &RateLimit| (limit.window.name(), limit.resets_at);
        match latest.iter_mut().find(|known| key(known) == key(limit)) {
            Some(known) if known.seen_at > limit.seen_at => {}
            Some(known) => *known = limit,
            None => latest.push(limit),
        }
    }
    latest
}
