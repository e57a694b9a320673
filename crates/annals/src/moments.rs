//! Days and moments as people type them.

use crate::failure::Ending;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// Which end of a day is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// Its beginning, for `--since`.
    Start,
    /// Its end, for `--until`: the day counts.
    End,
}

/// Reads a moment: a date, `today`, `yesterday`, `3d`, `2w` (calendar days in
/// the zone), `12h`, `30m` (exact), or a time in RFC 3339.
pub(crate) fn parse(
    text: &str,
    edge: Edge,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<Timestamp, Ending> {
    let wrong = || {
        Ending::Misuse(format!(
            "{text:?} is no day: try 2026-01-31, today, yesterday, 3d, 2w, 12h, or 2026-01-31T08:00:00Z"
        ))
    };
    let today = now.to_zoned(zone.clone()).date();
    let day = |date: Date| -> Option<Timestamp> {
        let date = if edge == Edge::End { date.tomorrow().ok()? } else { date };
        Some(date.to_zoned(zone.clone()).ok()?.timestamp())
    };
    let found = match text.trim() {
        "today" => day(today),
        "yesterday" => today.yesterday().ok().and_then(day),
        text => match split_count(text) {
            Some((count, "d")) => today.checked_sub(count.days()).ok().and_then(day),
            Some((count, "w")) => today.checked_sub(count.weeks()).ok().and_then(day),
            Some((count, "h")) => now.checked_sub(SignedDuration::from_hours(count)).ok(),
            Some((count, "m")) => now.checked_sub(SignedDuration::from_mins(count)).ok(),
            _ => text.parse::<Timestamp>().ok().or_else(|| text.parse::<Date>().ok().and_then(day)),
        },
    };
    found.ok_or_else(wrong)
}

/// Reads an age: `400d`, `52w`.
pub(crate) fn parse_age(text: &str) -> Result<SignedDuration, Ending> {
    let days = match split_count(text.trim()) {
        Some((count, "d")) => Some(count),
        Some((count, "w")) => Some(count * 7),
        _ => None,
    };
    // None at all would keep nothing.
    let days = days.filter(|days| *days > 0);
    let wrong = || Ending::Misuse(format!("{text:?} is no age: try 400d or 52w"));
    days.map(|days| SignedDuration::from_hours(days * 24)).ok_or_else(wrong)
}

fn split_count(text: &str) -> Option<(i64, &str)> {
    let at = text.find(|c: char| !c.is_ascii_digit())?;
    // Beyond a few thousand years jiff would rather panic than count.
    let count = text[..at].parse().ok().filter(|count| *count < 1_000_000)?;
    Some((count, &text[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_calendar_days_in_the_zone() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let now: Timestamp = "2026-03-30T22:30:00Z".parse().unwrap();
        let table = [
            ("today", Edge::Start, "2026-03-30T22:00:00Z"),
            ("today", Edge::End, "2026-03-31T22:00:00Z"),
            ("yesterday", Edge::Start, "2026-03-29T22:00:00Z"),
            // Over the change to summer time.
            ("2d", Edge::Start, "2026-03-28T23:00:00Z"),
            ("2026-03-29", Edge::End, "2026-03-29T22:00:00Z"),
            ("1w", Edge::Start, "2026-03-23T23:00:00Z"),
            ("12h", Edge::Start, "2026-03-30T10:30:00Z"),
            ("2026-01-02T03:04:05Z", Edge::End, "2026-01-02T03:04:05Z"),
        ];
        for (text, edge, expected) in table {
            assert_eq!(
                parse(text, edge, now, &zone).unwrap().to_string(),
                expected,
                "{text} {edge:?}"
            );
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in
            ["", "soon", "3", "3y", "2026-13-01", "99999999999999999999d", "9999999d", "-1d"]
        {
            assert!(
                parse(text, Edge::Start, Timestamp::UNIX_EPOCH, &TimeZone::UTC).is_err(),
                "{text}"
            );
        }
    }
}
