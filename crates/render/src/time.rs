//! Times in a time zone, for display.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// The age of a time: `20m ago`, `3d ago`; the date after a month.
pub fn ago(time: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let past = now.duration_since(time);
    let seconds = past.as_secs();
    match seconds {
        ..-60 => date(time, zone),
        -60..60 => "now".to_owned(),
        60..3_600 => format!("{}m ago", seconds / 60),
        3_600..86_400 => format!("{}h ago", seconds / 3_600),
        86_400..2_592_000 => format!("{}d ago", seconds / 86_400),
        _ => date(time, zone),
    }
}

/// The age of a time in words: `3 days ago`.
pub fn age(time: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(time).as_secs();
    let (count, unit) = match seconds {
        ..60 => return if seconds < -60 { "in the future" } else { "just now" }.to_owned(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        86_400..1_209_600 => (seconds / 86_400, "day"),
        1_209_600..5_184_000 => (seconds / 604_800, "week"),
        5_184_000..63_072_000 => (seconds / 2_592_000, "month"),
        _ => (seconds / 31_536_000, "year"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural} ago")
}

/// The time until a moment: `in 2d`, `in 5h`, `due` if it has passed.
pub fn until(time: Timestamp, now: Timestamp) -> String {
    let seconds = time.duration_since(now).as_secs();
    match seconds {
        ..=0 => "due".to_owned(),
        1..3_600 => "within the hour".to_owned(),
        3_600..86_400 => format!("in {}h", seconds / 3_600),
        _ => format!("in {}d", seconds / 86_400),
    }
}

/// A date.
pub fn date(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string()
}

/// A date and time of day.
pub fn moment(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A duration: `45s`, `3m 20s`, `2h 5m`, `3d 4h`.
pub fn span(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let pair = |large: i64, unit: &str, small: i64, small_unit: &str| {
        if small == 0 {
            format!("{large}{unit}")
        } else {
            format!("{large}{unit} {small}{small_unit}")
        }
    };
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => pair(seconds / 60, "m", seconds % 60, "s"),
        3_600..86_400 => pair(seconds / 3_600, "h", seconds % 3_600 / 60, "m"),
        _ => pair(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h"),
    }
}

/// The name of a time zone.
pub fn zone_name(zone: &TimeZone) -> String {
    zone.iana_name().map_or_else(|| "local time".to_owned(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn ages_are_short() {
        let now = at("2026-02-01T12:00:00Z");
        let table = [
            ("2026-02-01T11:59:30Z", "now"),
            ("2026-02-01T11:40:00Z", "20m ago"),
            ("2026-01-31T13:00:00Z", "23h ago"),
            ("2026-01-29T11:00:00Z", "3d ago"),
            ("2025-12-25T11:00:00Z", "2025-12-25"),
            ("2026-03-01T00:00:00Z", "2026-03-01"),
        ];
        for (time, expected) in table {
            assert_eq!(ago(at(time), now, &TimeZone::UTC), expected);
        }
        let table = [
            ("2026-02-01T11:59:30Z", "just now"),
            ("2026-02-01T11:59:00Z", "1 minute ago"),
            ("2026-01-31T13:00:00Z", "23 hours ago"),
            ("2026-01-29T11:00:00Z", "3 days ago"),
            ("2026-01-12T11:00:00Z", "2 weeks ago"),
            ("2025-10-25T11:00:00Z", "3 months ago"),
            ("2023-10-25T11:00:00Z", "2 years ago"),
            ("2026-03-01T00:00:00Z", "in the future"),
        ];
        for (time, expected) in table {
            assert_eq!(age(at(time), now), expected);
        }
        assert_eq!(until(at("2026-02-03T13:00:00Z"), now), "in 2d");
        assert_eq!(until(at("2026-01-03T13:00:00Z"), now), "due");
    }

    #[test]
    fn spans_have_two_units() {
        let table =
            [(45, "45s"), (200, "3m 20s"), (7_500, "2h 5m"), (273_600, "3d 4h"), (3_600, "1h")];
        for (seconds, expected) in table {
            assert_eq!(span(SignedDuration::from_secs(seconds)), expected);
        }
    }
}
