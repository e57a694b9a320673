//! Exact amounts of money, as whole numbers of 10⁻¹² USD.
//!
//! The cheapest item, a cache read of a small model, costs 10⁻⁸ USD per token. Sums of
//! integers do not drift.
//!
//! Deliberately not here: rounding, which belongs to the display.

/// An amount in 10⁻¹² USD. Sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PicoUsd(pub i128);

/// One dollar, in 10⁻¹² USD.
const DOLLAR: i128 = 1_000_000_000_000;

impl PicoUsd {
    /// Zero dollars.
    pub const ZERO: PicoUsd = PicoUsd(0);

    /// Reads a decimal number of dollars: `0.0123`, `1e-5`. Digits below 10⁻¹² are
    /// dropped. `None` for anything but a number, or if it is implausibly large.
    pub fn parse(text: &str) -> Option<PicoUsd> {
        decimal(text, 12).map(PicoUsd)
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: PicoUsd) -> PicoUsd {
        PicoUsd(self.0.saturating_add(other.0))
    }

    /// The difference.
    #[must_use]
    pub fn minus(self, other: PicoUsd) -> PicoUsd {
        PicoUsd(self.0.saturating_sub(other.0))
    }

    /// A decimal number of dollars with all its digits: `0.00000001`, `12.5`.
    pub fn decimal(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let amount = self.0.unsigned_abs();
        let dollars = amount / DOLLAR.unsigned_abs();
        let rest = amount % DOLLAR.unsigned_abs();
        let digits = format!("{rest:012}");
        let digits = digits.trim_end_matches('0');
        if digits.is_empty() {
            format!("{sign}{dollars}")
        } else {
            format!("{sign}{dollars}.{digits}")
        }
    }
}

/// A decimal number times ten to the power of `places`, as a whole number.
pub(crate) fn decimal(text: &str, places: i32) -> Option<i128> {
    let text = text.trim();
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits_only = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits_only(whole) || !digits_only(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let shift = exponent.checked_add(places)?;
    let mut number: i128 = 0;
    let mut digits_left = shift.checked_add(i32::try_from(whole.len()).ok()?)?;
    for digit in whole.bytes().chain(fraction.bytes()) {
        if digits_left <= 0 {
            break;
        }
        number = number.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
        digits_left -= 1;
    }
    // Nobody is charged that much.
    if digits_left > 30 && number != 0 {
        return None;
    }
    for _ in 0..digits_left.clamp(0, 30) {
        number = number.checked_mul(10)?;
    }
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly() {
        let table = [
            ("1", Some(1_000_000_000_000)),
            ("0.00000001", Some(10_000)),
            ("12.5", Some(12_500_000_000_000)),
            ("1e-5", Some(10_000_000)),
            ("2.5E2", Some(250_000_000_000_000)),
            ("-0.5", Some(-500_000_000_000)),
            ("0.0000000000009", Some(0)),
            ("0", Some(0)),
            ("1e300", None),
            ("0e300", Some(0)),
            ("", None),
            (".", None),
            ("NaN", None),
            ("1.2.3", None),
        ];
        for (text, expected) in table {
            assert_eq!(PicoUsd::parse(text).map(|amount| amount.0), expected, "{text}");
        }
    }

    #[test]
    fn decimals_are_written_with_all_their_digits() {
        let table = [
            (0, "0"),
            (10_000, "0.00000001"),
            (12_345_600_000, "0.0123456"),
            (995_000_000_000, "0.995"),
            (1_234_567_890_000_000_000, "1234567.89"),
            (-1_500_000_000_000, "-1.5"),
        ];
        for (pico, decimal) in table {
            assert_eq!(PicoUsd(pico).decimal(), decimal);
        }
    }
}
