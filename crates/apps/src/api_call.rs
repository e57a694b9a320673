//! Calls of a model's API, with what they used.

use crate::entry::Workplace;
use jiff::Timestamp;
use std::sync::Arc;

/// Tokens of one API call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenCounts {
    /// Input that was neither read from nor written to the cache.
    pub input: u64,
    /// Input read from the cache.
    pub cache_read: u64,
    /// Input written to the cache.
    pub cache_write: u64,
    /// Output, reasoning included.
    pub output: u64,
    /// The part of the output that is reasoning.
    pub reasoning: u64,
}

impl TokenCounts {
    /// Input and output.
    pub fn total(self) -> u64 {
        self.input
            .saturating_add(self.cache_read)
            .saturating_add(self.cache_write)
            .saturating_add(self.output)
    }
}

/// One call of a model's API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiCall {
    /// What makes it the same call wherever it is stored: equal keys of one app are one call.
    pub key: String,
    /// The entry that reports it, as its number in the session.
    pub entry: usize,
    /// When it was recorded.
    pub time: Option<Timestamp>,
    /// The model.
    pub model: Option<String>,
    /// The sub-agent that made it, where several write into one file.
    pub agent: Option<String>,
    /// Where it was made; `None`: where the header says.
    pub workplace: Option<Arc<Workplace>>,
    /// What it used.
    pub tokens: TokenCounts,
    /// The size of the model's context window, where the app says it.
    pub context_window: Option<u64>,
    /// What the app says it cost, in millionths of a millionth of a dollar. Credits are not
    /// dollars and are never put here.
    pub reported_pico_usd: Option<u128>,
}

impl ApiCall {
    /// What the app says it cost. Apps write 0 for a model whose price they do not know, and for
    /// one that a plan pays for: a call that used tokens and cost 0 counts as one without a
    /// reported cost.
    pub fn reported_cost(&self) -> Option<u128> {
        self.reported_pico_usd.filter(|cost| *cost > 0 || self.tokens.total() == 0)
    }
}

/// Reads a number of dollars, as JSON writes it, exactly: in millionths of a millionth of a
/// dollar, further digits cut off. Negative and very large numbers have no meaning here.
///
/// ```
/// assert_eq!(apps::parse_usd("0.0123"), Some(12_300_000_000));
/// assert_eq!(apps::parse_usd("1.5e-7"), Some(150_000));
/// assert_eq!(apps::parse_usd("-1"), None);
/// ```
pub fn parse_usd(number: &str) -> Option<u128> {
    const PICO: i32 = 12;
    let (digits, exponent) = match number.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (number, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = !whole.is_empty()
        && whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    let length = i32::try_from(fraction.len()).ok()?;
    if !is_number || digits.len() > 40 || !(-60..=20).contains(&exponent) {
        return None;
    }
    let value: u128 = format!("{whole}{fraction}").parse().ok()?;
    let shift = PICO + exponent - length;
    let factor = 10_u128.checked_pow(shift.unsigned_abs());
    if shift < 0 {
        // A divisor too large for the type is larger than any value.
        Some(factor.map_or(0, |factor| value / factor))
    } else {
        value.checked_mul(factor?)
    }
}

#[cfg(test)]
mod tests {
    use super::{ApiCall, TokenCounts, parse_usd};

    #[test]
    fn dollars_are_exact_to_twelve_digits() {
        assert_eq!(parse_usd("0"), Some(0));
        assert_eq!(parse_usd("12"), Some(12_000_000_000_000));
        assert_eq!(parse_usd("0.000000000001"), Some(1));
        assert_eq!(parse_usd("0.0000000000019"), Some(1));
        assert_eq!(parse_usd("2E1"), Some(20_000_000_000_000));
    }

    #[test]
    fn cost_of_zero_is_reported_only_by_a_call_that_used_nothing() {
        let call = |output: u64, reported_pico_usd: Option<u128>| ApiCall {
            key: String::new(),
            entry: 0,
            time: None,
            model: None,
            agent: None,
            workplace: None,
            tokens: TokenCounts { output, ..TokenCounts::default() },
            context_window: None,
            reported_pico_usd,
        };
        let table =
            [(7, Some(0), None), (7, Some(1), Some(1)), (7, None, None), (0, Some(0), Some(0))];
        for (output, reported, expected) in table {
            assert_eq!(call(output, reported).reported_cost(), expected, "{output} {reported:?}");
        }
    }

    #[test]
    fn what_is_not_an_amount_is_nothing() {
        for text in ["", ".5", "-0.1", "1e99", "nan", "1.2.3", "null", "+1"] {
            assert_eq!(parse_usd(text), None, "{text}");
        }
    }
}
