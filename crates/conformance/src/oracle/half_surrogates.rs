//! Halves of surrogate pairs in the official reader's JSON.
//!
//! JavaScript strings can contain them, and its JSON then escapes them; Rust strings cannot.
//! annals shows U+FFFD instead (`docs/listing.md`), and this module does the same to the
//! official reader's JSON. The rest of the JSON stays as it is.

/// The same JSON with U+FFFD for every escaped half without its other half.
pub(super) fn replaced(json: &str) -> String {
    let mut whole = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(start) = rest.find('\\') {
        whole.push_str(&rest[..start]);
        rest = &rest[start..];
        let (text, length) = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => (rest.get(..12), 12),
            (Some(0xd800..0xe000), _) => (Some(r"\ufffd"), 6),
            // Also `\\`, so that a second backslash does not begin an escape.
            _ => (rest.get(..2), 2),
        };
        whole.push_str(text.unwrap_or(rest));
        rest = rest.get(length..).unwrap_or_default();
    }
    whole + rest
}

/// The UTF-16 unit whose escape the text begins with.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix(r"\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_without_their_other_half_are_replaced() {
        for (json, expected) in [
            (r#""he\ud800llo""#, r#""he\ufffdllo""#),
            (r#""\udc00\ud800""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\ud800 \n é\u00e9""#, r#""\\ud800 \n é\u00e9""#),
            (r#""\\\ud800""#, r#""\\\ufffd""#),
            (r"\", r"\"),
        ] {
            assert_eq!(replaced(json), expected);
        }
    }
}
