//! The use of the prompt cache, and where it was lost.
//!
//! Each call reads the input of the previous call from the cache. A call that reads
//! far less paid for it again; the events in between show why.

use super::calls::{Call, share};
use jiff::{SignedDuration, Timestamp};

/// Below this, a window is too small for its cache to matter.
const SMALLEST_WINDOW: u64 = 4_000;

/// How many minutes an unused cache lives: ordinarily, and if written for an hour.
const MINUTES: i64 = 5;
const MINUTES_OF_AN_HOUR: i64 = 60;

/// The use of the cache over all calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cache {
    /// Tokens read from it.
    pub read_tokens: u64,
    /// Tokens written to it.
    pub write_tokens: u64,
    /// Tokens neither read from it nor written to it.
    pub input_tokens: u64,
    /// Where it was lost.
    pub expiries: Vec<Expiry>,
}

/// Why a cache was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpiryCause {
    /// The pause before the call was longer than the cache lives.
    Idle,
    /// The model changed.
    ModelChange,
    /// The conversation was compacted.
    Compaction,
    /// Something earlier in the context changed.
    Changed,
}

impl ExpiryCause {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            ExpiryCause::Idle => "idle",
            ExpiryCause::ModelChange => "model_change",
            ExpiryCause::Compaction => "compaction",
            ExpiryCause::Changed => "changed",
        }
    }
}

/// A call that found little of the previous call's input in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry {
    /// The number of the call, from 0.
    pub call: usize,
    /// Its line.
    pub line: u64,
    /// When it was made.
    pub timestamp: Option<Timestamp>,
    /// The time since the previous call.
    pub gap: Option<SignedDuration>,
    /// The cause.
    pub cause: ExpiryCause,
    /// The window of the previous call.
    pub previous_window: u64,
    /// How much of it was still read from the cache.
    pub read_tokens: u64,
    /// The tokens paid in full: written again, or not cached.
    pub written_tokens: u64,
}

impl Cache {
    pub(super) fn of(calls: &[Call]) -> Cache {
        let total = |count: fn(&Call) -> u64| {
            calls.iter().map(count).fold(0, |sum: u64, count| sum.saturating_add(count))
        };
        Cache {
            read_tokens: total(|call| call.cache_read_tokens),
            write_tokens: total(|call| call.cache_write_tokens),
            input_tokens: total(|call| call.input_tokens),
            expiries: expiries(calls),
        }
    }

    /// The share of all input that was read from the cache.
    pub fn hit_rate(&self) -> Option<f64> {
        let written = self.write_tokens.saturating_add(self.input_tokens);
        share(self.read_tokens, self.read_tokens.saturating_add(written))
    }
}

fn expiries(calls: &[Call]) -> Vec<Expiry> {
    let mut expiries = Vec::new();
    // The cache lives as long as it was last written for.
    let mut lifetime = MINUTES;
    for (number, pair) in calls.windows(2).enumerate() {
        let [before, call] = pair else { continue };
        if before.cache_write_tokens > 0 {
            let hour = before.cache_write_1h_tokens > 0;
            lifetime = if hour { MINUTES_OF_AN_HOUR } else { MINUTES };
        }
        let previous_window = before.window();
        if previous_window < SMALLEST_WINDOW || call.cache_read_tokens >= previous_window / 2 {
            continue;
        }
        let gap = before.timestamp.zip(call.timestamp).map(|(from, to)| to.duration_since(from));
        let idle = gap.is_some_and(|gap| gap > SignedDuration::from_mins(lifetime));
        let cause = if call.generation != before.generation {
            ExpiryCause::Compaction
        } else if call.model != before.model {
            ExpiryCause::ModelChange
        } else if idle {
            ExpiryCause::Idle
        } else {
            ExpiryCause::Changed
        };
        expiries.push(Expiry {
            call: number + 1,
            line: call.line,
            timestamp: call.timestamp,
            gap,
            cause,
            previous_window,
            read_tokens: call.cache_read_tokens,
            written_tokens: call.cache_write_tokens.saturating_add(call.input_tokens),
        });
    }
    expiries
}
