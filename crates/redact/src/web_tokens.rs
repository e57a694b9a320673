//! JSON web tokens, signed and encrypted, on one line or wrapped over several.

use std::ops::Range;

use crate::breaks::Pieces;
use crate::check::{decode_base64, is_mixed};
use crate::pattern::{DOTTED, URL64, follows_word, starts_token};

/// The shortest token.
const SHORTEST: usize = 40;

/// A JSON web token, or an encrypted one: its header is JSON with an algorithm.
/// The keyword is its first letters.
pub(crate) fn json_web_token(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = keyword.start;
    if !starts_token(bytes, start) && !follows_word(bytes, start) {
        return None;
    }
    let (header, length, segments) = measure(&bytes[start..]);
    let end = start + length;
    if length < 12 || !is_header(&bytes[start..start + header]) {
        return None;
    }
    let is_whole = segments >= 2 && length >= SHORTEST;
    let last = length - bytes[start..end].iter().rev().take_while(|byte| **byte != b'.').count();
    // A signature of this length is complete, and what follows is another line.
    let is_signed = segments >= 3 && length - last >= SHORTEST;
    if let Some(wrapped) = find_wrapped(text, start, end).filter(|_| !is_signed) {
        return Some(start..wrapped);
    }
    is_whole.then_some(start..end)
}

/// The end of a token that goes on in the next line.
fn find_wrapped(text: &str, start: usize, end: usize) -> Option<usize> {
    let pieces = Pieces::gather(text, start, end, DOTTED)?;
    let (_, length, segments) = measure(pieces.text.as_bytes());
    let first = end - start;
    let added = pieces.text.get(first..length).filter(|added| added.len() >= 8)?;
    (segments >= 2 && length >= SHORTEST && is_mixed(added)).then(|| pieces.source_end(length))
}

/// The length of the header, of the whole token, and the number of its segments.
fn measure(bytes: &[u8]) -> (usize, usize, usize) {
    let (mut end, mut segments, mut header) = (0, 0, 0);
    while segments < 5 {
        let length = URL64.run(&bytes[end..], 64 * 1024);
        if segments == 0 {
            header = length;
        }
        // An encrypted token may have no own key: its second part is empty.
        let keyless = segments == 1 && bytes.get(end) == Some(&b'.');
        if length == 0 && segments < 2 && !keyless {
            break;
        }
        end += length;
        segments += 1;
        let goes_on = bytes
            .get(end + 1)
            .is_some_and(|byte| URL64.contains(*byte) || (segments == 1 && *byte == b'.'));
        if bytes.get(end) != Some(&b'.') || !goes_on {
            break;
        }
        end += 1;
    }
    (header, end, segments)
}

fn is_header(encoded: &[u8]) -> bool {
    let decoded = decode_base64(encoded, 4096);
    let decoded = String::from_utf8_lossy(&decoded);
    ["\"alg\"", "\"enc\"", "\"typ\""].iter().any(|name| decoded.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";
    const BODY: &str = "eyJzdWIiOiIyODM3NDYiLCJpYXQiOjE1MTYyMzkwMjJ9";
    const SIGNATURE: &str = "h6eWhlE6BMu21K3_iecnXrB3En4XD7ItPf8lYk7FC7C";

    fn find(text: &str) -> Option<&str> {
        let start = text.find("eyJ")?;
        json_web_token(text, start..start + 3).and_then(|range| text.get(range))
    }

    #[test]
    fn a_token_is_found_on_one_line_and_on_several() {
        let (first, second) = BODY.split_at(20);
        for text in [
            format!("{HEADER}.{BODY}.{SIGNATURE}"),
            format!("{HEADER}.\n  {BODY}.\n  {SIGNATURE}"),
            format!("{HEADER}.{first}\n{second}.{SIGNATURE}"),
            format!("{HEADER}\\\n.{BODY}\\\n.{SIGNATURE}"),
        ] {
            assert_eq!(find(&text), Some(text.as_str()));
        }
    }

    #[test]
    fn the_line_after_a_token_stays() {
        let token = format!("{HEADER}.{BODY}.{SIGNATURE}");
        for after in ["done", "README.md", "Version2Build77x"] {
            assert_eq!(find(&format!("{token}\n{after}")), Some(token.as_str()), "{after}");
        }
        assert_eq!(find(HEADER), None);
        assert_eq!(find(&format!("{HEADER}\nand.so.on")), None);
    }
}
