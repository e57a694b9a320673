//! Sizes and counts for display.

/// A number of bytes in a short unit: `17 B`, `4.2 MB`.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if count < 1000 {
        return format!("{count} B");
    }
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    let mut value = count as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let unit = UNITS[unit];
    if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A short number: `950`, `1.2k`, `34k`, `5.6M`.
pub fn count(count: u64) -> String {
    const UNITS: [&str; 4] = ["", "k", "M", "G"];
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let unit = UNITS[unit];
    if unit.is_empty() || value >= 9.95 {
        format!("{value:.0}{unit}")
    } else {
        format!("{value:.1}{unit}")
    }
}

/// A number with a noun: `1 session`, `2 sessions`.
pub fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// A number in groups of three digits: `1,234,567`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A percentage: `42 %`; `<1 %` for anything above 0.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.5 {
        return "<1 %".to_owned();
    }
    format!("{percent:.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped_and_small_shares_are_visible() {
        let table = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (123_456, "123,456"),
            (1_234_567, "1,234,567"),
        ];
        for (count, expected) in table {
            assert_eq!(grouped(count), expected);
        }
        let shares = [0.0, 0.001, 0.125, 0.996, 1.0].map(percent);
        assert_eq!(shares, ["0 %", "<1 %", "12 %", "100 %", "100 %"]);
    }

    #[test]
    fn one_is_singular() {
        let counts = [0, 1, 2].map(|count| counted(count, "session"));
        assert_eq!(counts, ["0 sessions", "1 session", "2 sessions"]);
    }

    #[test]
    fn large_counts_are_shortened_to_thousands() {
        let table = [(0, "0"), (999, "999"), (1_000, "1.0k"), (33_960, "34k"), (999_600, "1.0M")];
        for (number, expected) in table {
            assert_eq!(count(number), expected);
        }
    }

    #[test]
    fn sizes_are_short() {
        let table = [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (9_940, "9.9 kB"),
            (9_960, "10 kB"),
            (999_499, "999 kB"),
            (999_500, "1.0 MB"),
            (500_380_883, "500 MB"),
            (1_500_000_000_000_000, "1500 TB"),
        ];
        for (count, expected) in table {
            assert_eq!(bytes(count), expected);
        }
    }
}
