//! Times and ages as people type them: `yesterday`, `3d`, `2026-01-31`.
//!
//! The clock and the zone are parameters: nothing here asks the system for
//! them.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// Which end of a day an expression means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayEdge {
    /// The start, for `--since`.
    Start,
    /// The end, for `--until`, which includes the day.
    End,
}

/// A text that is not a time or an age.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeExpressionError {
    /// It was read as a time.
    #[error("invalid date {0:?}: use YYYY-MM-DD, `today`, `yesterday`, `3d`, `2w` or `12h`")]
    Time(String),
    /// It was read as an age.
    #[error("invalid age {0:?}: use 400d or 52w")]
    Age(String),
}

/// Reads a time: a date, `today`, `yesterday`, `3d`, `2w` (calendar days in
/// the zone), `12h`, `30m` (exact), or a time in RFC 3339.
pub fn parse_time(
    text: &str,
    edge: DayEdge,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<Timestamp, TimeExpressionError> {
    let today = now.to_zoned(zone.clone()).date();
    let day = |date: Date| -> Option<Timestamp> {
        let date = if edge == DayEdge::End { date.tomorrow().ok()? } else { date };
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
    found.ok_or_else(|| TimeExpressionError::Time(text.to_owned()))
}

/// Reads an age: `400d`, `52w`.
pub fn parse_age(text: &str) -> Result<SignedDuration, TimeExpressionError> {
    let days = match split_count(text.trim()) {
        Some((count, "d")) => Some(count),
        Some((count, "w")) => Some(count * 7),
        _ => None,
    };
    // With an age of zero nothing would be archived.
    let days = days.filter(|days| *days > 0);
    let wrong = || TimeExpressionError::Age(text.to_owned());
    days.map(|days| SignedDuration::from_hours(days * 24)).ok_or_else(wrong)
}

fn split_count(text: &str) -> Option<(i64, &str)> {
    let at = text.find(|c: char| !c.is_ascii_digit())?;
    // jiff panics beyond a few thousand years.
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
            ("today", DayEdge::Start, "2026-03-30T22:00:00Z"),
            ("today", DayEdge::End, "2026-03-31T22:00:00Z"),
            ("yesterday", DayEdge::Start, "2026-03-29T22:00:00Z"),
            // Across the change to summer time.
            ("2d", DayEdge::Start, "2026-03-28T23:00:00Z"),
            ("2026-03-29", DayEdge::End, "2026-03-29T22:00:00Z"),
            ("1w", DayEdge::Start, "2026-03-23T23:00:00Z"),
            ("12h", DayEdge::Start, "2026-03-30T10:30:00Z"),
            ("2026-01-02T03:04:05Z", DayEdge::End, "2026-01-02T03:04:05Z"),
        ];
        for (text, edge, expected) in table {
            assert_eq!(
                parse_time(text, edge, now, &zone).unwrap().to_string(),
                expected,
                "{text} {edge:?}"
            );
        }
    }

    #[test]
    fn other_text_is_an_error() {
        for text in
            ["", "soon", "3", "3y", "2026-13-01", "99999999999999999999d", "9999999d", "-1d"]
        {
            assert!(
                parse_time(text, DayEdge::Start, Timestamp::UNIX_EPOCH, &TimeZone::UTC).is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn an_error_names_the_text_and_the_forms() {
        let error = parse_time("foo", DayEdge::Start, Timestamp::UNIX_EPOCH, &TimeZone::UTC);
        let expected =
            "invalid date \"foo\": use YYYY-MM-DD, `today`, `yesterday`, `3d`, `2w` or `12h`";
        assert_eq!(error.unwrap_err().to_string(), expected);
        assert_eq!(parse_age("0d").unwrap_err().to_string(), "invalid age \"0d\": use 400d or 52w");
    }
}
