//! Amounts of money.

use crate::grouped;
use usage::PicoUsd;

/// An amount to the cent, and to a hundredth of a cent below a dollar: `$12.35`,
/// `$0.0123`.
pub fn money(amount: PicoUsd) -> String {
    let sign = if amount.0 < 0 { "-" } else { "" };
    let amount = amount.0.unsigned_abs();
    // An amount that rounds up to a dollar is shown as a dollar.
    let (places, unit) = if amount != 0 && amount < 995_000_000_000 {
        (4, 100_000_000)
    } else {
        (2, 10_000_000_000)
    };
    let rounded = (amount + unit / 2) / unit;
    let scale = 10_u128.pow(places);
    let dollars = u64::try_from(rounded / scale).unwrap_or(u64::MAX);
    let width = places as usize;
    format!("{sign}${}.{:0width$}", grouped(dollars), rounded % scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_rounded_by_size() {
        let table = [
            (0, "$0.00"),
            (10_000, "$0.0000"),
            (12_345_600_000, "$0.0123"),
            (994_999_999_999, "$0.9950"),
            (995_000_000_000, "$1.00"),
            (1_234_567_890_000_000_000, "$1,234,567.89"),
            (-1_500_000_000_000, "-$1.50"),
        ];
        for (pico, shown) in table {
            assert_eq!(money(PicoUsd(pico)), shown);
        }
    }
}
