//! Writing JSON into a buffer.

use serde::de::IgnoredAny;
use std::io::Write as _;

/// Writes a string.
pub(crate) fn push_string(bytes: &mut Vec<u8>, text: &str) {
    bytes.reserve(text.len() + 2);
    bytes.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = find_escaped(rest) {
        bytes.extend_from_slice(&rest[..at]);
        let byte = rest[at];
        match byte {
            b'"' | b'\\' => bytes.extend_from_slice(&[b'\\', byte]),
            b'\n' => bytes.extend_from_slice(b"\\n"),
            b'\t' => bytes.extend_from_slice(b"\\t"),
            b'\r' => bytes.extend_from_slice(b"\\r"),
            0x08 => bytes.extend_from_slice(b"\\b"),
            0x0c => bytes.extend_from_slice(b"\\f"),
            _ => {
                // Writing into a vector does not fail.
                let _ = write!(bytes, "\\u{byte:04x}");
            }
        }
        rest = &rest[at + 1..];
    }
    bytes.extend_from_slice(rest);
    bytes.push(b'"');
}

/// Where the first byte is that a JSON string has to escape. Looks at eight bytes at once: most
/// text has one in forty.
fn find_escaped(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHEST: u64 = 0x8080_8080_8080_8080;
    let is_escaped = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let quote = zero(word ^ (ONES * u64::from(b'"')));
        let backslash = zero(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (quote | backslash | control) & HIGHEST;
        if found != 0 {
            // The lowest is exact; a borrow reaches only higher ones.
            return Some(number * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let start = words.len() * 8;
    rest.iter().position(|byte| is_escaped(*byte)).map(|at| start + at)
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

    proptest::proptest! {
        #[test]
        fn strings_are_written_as_serde_writes_them(text in "([ -~]|\\PC|[\\x00-\\x1f\"\\\\\x7f]){0,60}") {
            let text: &str = &text;
            let written = written(|bytes| push_string(bytes, text));
            proptest::prop_assert_eq!(written, serde_json::to_string(text).unwrap());
        }
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
            assert_eq!(crate::parse_usd(text), Some(pico));
        }
    }
}
