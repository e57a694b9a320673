//! Removing images and other binary content from lines.
//!
//! Binary content is written as one long string of base64. Its type is in a member beside
//! it and stays; of the content only its size is left.

use memchr::memchr2;
use std::borrow::Cow;

/// Shorter strings may be keys, hashes or words, which are masked elsewhere if secret.
const SHORTEST: usize = 1024;

/// The line with long base64 strings replaced by their size. Lines are JSON; in anything
/// else, nothing is found.
pub(crate) fn without_binary_content(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    if bytes.len() < SHORTEST {
        return Cow::Borrowed(line);
    }
    let mut result = String::new();
    let (mut copied, mut place) = (0, 0);
    while let Some(begin) = memchr::memchr(b'"', &bytes[place..]).map(|found| place + found + 1) {
        let Some(end) = string_end(bytes, begin) else { break };
        let text = &bytes[begin..end];
        if text.len() >= SHORTEST && text.iter().all(|byte| is_base64(*byte)) {
            result.push_str(&line[copied..begin]);
            result.push_str(&format!("[removed: {} bytes]", text.len() / 4 * 3));
            copied = end;
        }
        place = end + 1;
    }
    if copied == 0 {
        return Cow::Borrowed(line);
    }
    result.push_str(&line[copied..]);
    Cow::Owned(result)
}

/// Where a JSON string ends that begins at `begin`.
fn string_end(bytes: &[u8], begin: usize) -> Option<usize> {
    let mut place = begin;
    loop {
        let found = place + memchr2(b'"', b'\\', bytes.get(place..)?)?;
        if bytes[found] == b'"' {
            return Some(found);
        }
        place = found + 2;
    }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_removed_and_its_type_and_size_stay() {
        let data = "iVBORw0KGgo".repeat(400);
        let line = format!(
            r#"{{"media_type":"image/png","data":"{data}","text":"a \" quote \\","again":"{data}"}}"#
        );
        assert_eq!(
            without_binary_content(&line),
            r#"{"media_type":"image/png","data":"[removed: 3300 bytes]","text":"a \" quote \\","again":"[removed: 3300 bytes]"}"#
        );
    }

    #[test]
    fn text_stays() {
        let words = "some words of a long answer ".repeat(100);
        for line in [format!(r#"{{"text":"{words}"}}"#), words.clone(), format!("\"{words}")] {
            assert_eq!(without_binary_content(&line), line);
        }
    }

    #[test]
    fn damaged_lines_do_not_panic() {
        let long = "A".repeat(2000);
        for line in [format!("\"{long}\\"), format!("\"\\\"{long}"), format!("é\"{long}\"é")] {
            let _ = without_binary_content(&line);
        }
    }
}
