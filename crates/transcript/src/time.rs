//! Timestamps in the forms that transcripts contain.

use jiff::Timestamp;

/// Parses a timestamp: ISO 8601 with a zone, as Claude Code writes it.
///
/// A time without a zone counts as UTC: the machine that wrote it is not known,
/// and every version of Claude Code writes UTC. The numeric seconds of simplified
/// transcripts are read by [`Record::time`](crate::Record::time).
pub fn parse_timestamp(text: &str) -> Option<Timestamp> {
    if !is_iso(text) {
        return jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp());
    }
    if let Ok(timestamp) = text.parse() {
        return Some(timestamp);
    }
    let local = text.parse::<jiff::civil::DateTime>().ok()?;
    local.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// Whether a text has the form of ISO 8601 that JavaScript accepts:
/// `2026-01-02`, optionally with `T03:04`, `:05`, `.678` and a zone. jiff accepts
/// more, for instance an hour alone, which an incomplete line can end in.
fn is_iso(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shaped = |from: usize, shape: &[u8]| {
        bytes.get(from..from + shape.len()).is_some_and(|part| {
            part.iter().zip(shape).all(|(byte, shape)| match shape {
                b'0' => byte.is_ascii_digit(),
                b'T' => matches!(byte, b'T' | b' '),
                _ => byte == shape,
            })
        })
    };
    if !shaped(0, b"0000-00-00") {
        return false;
    }
    if bytes.len() == 10 {
        return true;
    }
    if !shaped(10, b"T00:00") {
        return false;
    }
    let mut at = 16;
    if shaped(at, b":00") {
        // Second 60 does not exist on a clock.
        if bytes[at + 1] == b'6' {
            return false;
        }
        at += 3;
        if bytes.get(at) == Some(&b'.') {
            let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            at += 1 + digits;
        }
    }
    match &bytes[at..] {
        [] | b"Z" => true,
        [b'+' | b'-', hours, ..]
            if *hours < b'2' || bytes.get(at + 2).is_some_and(|b| *b < b'4') =>
        {
            bytes.len() == at + 6 && shaped(at + 1, b"00:00")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_parse_in_every_form_that_occurs() {
        let table = [
            ("2026-01-02T03:04:05.678Z", Some(1_767_323_045_678)),
            ("2026-01-02T03:04:05.678999Z", Some(1_767_323_045_678)),
            ("2026-01-02T03:04:05+02:00", Some(1_767_315_845_000)),
            ("2026-01-02 03:04:05Z", Some(1_767_323_045_000)),
            ("2026-01-02T03:04:05", Some(1_767_323_045_000)),
            ("2026-01-02", Some(1_767_312_000_000)),
            ("Fri, 02 Jan 2026 03:04:05 GMT", Some(1_767_323_045_000)),
            ("2026-01-02T03:04Z", Some(1_767_323_040_000)),
            // Ends of incomplete lines, and forms that only jiff accepts.
            ("2026-01-02T03", None),
            ("2026-01-02T03Z", None),
            ("2026-01-02T03\n", None),
            (" 2026-01-02", None),
            ("2026-01-02T03:04:05Z ", None),
            ("2026-01-02T03:04:05,678Z", None),
            ("20260102T030405Z", None),
            ("2026-01-02T03:04:05+01", None),
            ("2026-01-02T03:04:05+24:00", None),
            ("2026-01-02T03:04:60Z", None),
            ("2026-01-02T03:04:05[UTC]", None),
            ("2026-01-02T03:04:05Z[Europe/Paris]", None),
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
