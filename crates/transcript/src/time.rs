//! Times as transcripts write them.

use jiff::Timestamp;

/// Reads a time: ISO 8601 with a zone, as the app writes it; the simplified
/// transcripts' seconds since the epoch are read in `Record::time`.
///
/// Times without a zone are taken as UTC: the machine that wrote them is not
/// known, and UTC is what every version of the app writes.
pub fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(timestamp) = text.parse() {
        return Some(timestamp);
    }
    if let Ok(local) = text.parse::<jiff::civil::DateTime>() {
        return local.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    }
    jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_the_forms_that_occur() {
        let table = [
            ("2026-01-02T03:04:05.678Z", Some(1_767_323_045_678)),
            ("2026-01-02T03:04:05.678999Z", Some(1_767_323_045_678)),
            ("2026-01-02T03:04:05+02:00", Some(1_767_315_845_000)),
            ("2026-01-02 03:04:05Z", Some(1_767_323_045_000)),
            ("2026-01-02T03:04:05", Some(1_767_323_045_000)),
            ("2026-01-02", Some(1_767_312_000_000)),
            ("Fri, 02 Jan 2026 03:04:05 GMT", Some(1_767_323_045_000)),
            ("nonsense", None),
            ("", None),
        ];
        for (text, milliseconds) in table {
            assert_eq!(
                parse_timestamp(text).map(Timestamp::as_millisecond),
                milliseconds,
                "{text}"
            );
        }
    }
}
