//! Writing JSON into a buffer.

use serde::de::IgnoredAny;
use std::io::Write as _;

/// Writes a string.
pub(crate) fn push_string(bytes: &mut Vec<u8>, text: &str) {
    // Writing into a vector does not fail.
    let _ = serde_json::to_writer(bytes, text);
}

/// Writes a number.
pub(crate) fn push_number(bytes: &mut Vec<u8>, number: u64) {
    let _ = write!(bytes, "{number}");
}

/// Writes `,"key":"text"`, if there is a text.
pub(crate) fn push_member(bytes: &mut Vec<u8>, key: &str, text: Option<&str>) {
    if let Some(text) = text {
        let _ = write!(bytes, ",\"{key}\":");
        push_string(bytes, text);
    }
}

/// Writes a value that is JSON already, without line breaks. `false` if it is not JSON; then
/// nothing is written.
pub(crate) fn push_json(bytes: &mut Vec<u8>, json: &str) -> bool {
    if serde_json::from_str::<IgnoredAny>(json).is_err() {
        return false;
    }
    let start = bytes.len();
    bytes.extend_from_slice(json.trim_ascii().as_bytes());
    // In JSON, line breaks are only between tokens.
    for byte in &mut bytes[start..] {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    true
}

/// Writes millionths of a millionth of a dollar as dollars.
pub(crate) fn push_usd(bytes: &mut Vec<u8>, pico: u128) {
    const PICO: u128 = 1_000_000_000_000;
    let _ = write!(bytes, "{}", pico / PICO);
    if !pico.is_multiple_of(PICO) {
        let fraction = format!("{:012}", pico % PICO);
        let _ = write!(bytes, ".{}", fraction.trim_end_matches('0'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn json_becomes_one_line() {
        assert_eq!(
            written(|b| assert!(push_json(b, "{\r\n \"a\": [1,\n\"x\\n\"]}\n"))),
            r#"{   "a": [1, "x\n"]}"#
        );
        for text in ["", "{", "{\"a\":\"\n\"}", "{} {}", "nan"] {
            assert_eq!(written(|b| assert!(!push_json(b, text), "{text}")), "");
        }
    }

    #[test]
    fn nesting_has_no_limit() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(written(|bytes| assert!(push_json(bytes, &deep))), deep);
    }

    #[test]
    fn dollars_are_exact() {
        let cases =
            [(0, "0"), (1, "0.000000000001"), (12_300_000_000, "0.0123"), (5_000_000_000_000, "5")];
        for (pico, text) in cases {
            assert_eq!(written(|bytes| push_usd(bytes, pico)), text);
            assert_eq!(app::parse_usd(text), Some(pico));
        }
    }
}
