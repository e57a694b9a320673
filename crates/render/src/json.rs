//! JSON documents: `snake_case`, RFC 3339 in UTC, complete where tables are truncated.

use jiff::Timestamp;
use serde::{Serialize, Serializer};

/// An indented document, for `--json`.
pub fn document(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n")
}

/// One row, for `--jsonl`.
pub fn row(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(|text| text + "\n")
}

/// A moment as RFC 3339 in UTC, with milliseconds.
pub fn moment(time: Timestamp) -> String {
    // Truncated, not rounded: the app counts whole milliseconds.
    let milliseconds = time.as_millisecond();
    let time = Timestamp::from_millisecond(milliseconds).unwrap_or(time);
    format!("{time:.3}")
}

/// A moment as a field, for `serialize_with`.
pub fn serialize_moment<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&moment(*time))
}

/// A moment that may be absent, for `serialize_with`.
pub fn serialize_optional_moment<S: Serializer>(
    time: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serialize_moment(time, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_milliseconds() {
        let time: Timestamp = "2026-01-02T03:04:05.6789Z".parse().unwrap();
        assert_eq!(moment(time), "2026-01-02T03:04:05.678Z");
        let whole: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
        assert_eq!(moment(whole), "2026-01-02T03:04:05.000Z");
    }
}
