//! Removing images and other binary content from lines and texts.
//!
//! Binary content is written in base64: as a member of an image or a document, however short,
//! after the head of a `data:` address, or as a long run, perhaps broken into lines of one
//! length. Its type is beside it and stays; of the content only its size is left.

use memchr::memmem;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

/// Shorter runs may be keys, hashes or words, which are masked elsewhere if secret.
const SHORTEST: usize = 1024;
/// Programs break base64 into lines of 64 or 76 characters.
const SHORTEST_LINE: usize = 60;
/// The type of an image stands beside its content.
const NEARBY: usize = 200;

/// The text with binary content replaced by its size. Text is a line of JSON, or what a
/// string of one says.
pub(crate) fn without_binary_content(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    add_long_runs(bytes, &mut found);
    add_data_addresses(bytes, &mut found);
    add_members(bytes, &mut found);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    found.sort_by_key(|span| (span.start, Reverse(span.end)));
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for span in found.into_iter().filter(|span| !span.is_empty()) {
        // A longer one begins earlier.
        if span.start < copied {
            continue;
        }
        result.push_str(&text[copied..span.start]);
        result.push_str(&format!("[removed: {} bytes]", size(&bytes[span.clone()])));
        copied = span.end;
    }
    result.push_str(&text[copied..]);
    Cow::Owned(result)
}

/// How many bytes base64 stands for, without its breaks.
fn size(content: &[u8]) -> usize {
    let escapes = memchr::memchr_iter(b'\\', content).count();
    let letters = content.iter().filter(|byte| is_base64(**byte)).count();
    letters.saturating_sub(escapes) / 4 * 3
}

/// Adds runs that are long enough to be content wherever they stand. Each of them has a byte
/// at fixed distances, so the bytes in between need not be looked at.
fn add_long_runs(bytes: &[u8], found: &mut Vec<Range<usize>>) {
    let mut place = SHORTEST - 1;
    while place < bytes.len() {
        // A break between two lines takes at most four bytes.
        let inside = (place..bytes.len().min(place + 4)).find(|at| is_base64(bytes[*at]));
        if let Some(inside) = inside {
            let block = block_around(bytes, inside);
            if block.len() >= SHORTEST && is_mixed(&bytes[block.clone()]) {
                place = place.max(block.end);
                found.push(block);
            }
        }
        place += SHORTEST / 2;
    }
}

fn add_data_addresses(bytes: &[u8], found: &mut Vec<Range<usize>>) {
    const HEAD: &[u8] = b";base64,";
    for head in memmem::find_iter(bytes, HEAD) {
        let begin = head + HEAD.len();
        if bytes.get(begin).copied().is_some_and(is_base64) {
            found.push(begin..block_around(bytes, begin).end);
        }
    }
}

/// Adds the content of images and documents.
fn add_members(bytes: &[u8], found: &mut Vec<Range<usize>>) {
    for name in [&b"\"base64\""[..], b"\"data\""] {
        for member in memmem::find_iter(bytes, name) {
            let after = member + name.len();
            let Some(value) = string_after_colon(bytes, after) else { continue };
            let is_content = bytes[value.clone()].iter().all(|byte| is_base64(*byte));
            let has_type = || {
                let before = &bytes[member.saturating_sub(NEARBY)..member];
                let behind = &bytes[value.end..bytes.len().min(value.end + NEARBY)];
                let before = before.rsplit(|byte| *byte == b'{').next().unwrap_or_default();
                let behind = behind.split(|byte| *byte == b'}').next().unwrap_or_default();
                let types = [&b"\"media_type\":"[..], b"\"mimeType\":", b"\"base64\""];
                let is_typed = |text| types.iter().any(|name| memmem::find(text, name).is_some());
                is_typed(before) || is_typed(behind)
            };
            if is_content && (name == b"\"base64\"" || has_type()) {
                found.push(value);
            }
        }
    }
}

/// The content of the string that is the value of a member whose name ends here.
fn string_after_colon(bytes: &[u8], name_end: usize) -> Option<Range<usize>> {
    let blanks =
        |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let colon = name_end + blanks(name_end);
    if bytes.get(colon) != Some(&b':') {
        return None;
    }
    let quote = colon + 1 + blanks(colon + 1);
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let length = memchr::memchr(b'"', &bytes[quote + 1..])?;
    Some(quote + 1..quote + 1 + length)
}

/// The run of base64 around a place, with the lines before and after it.
fn block_around(bytes: &[u8], place: usize) -> Range<usize> {
    let own = run_around(bytes, place);
    let mut block = own.clone();
    let mut width = None;
    while let Some(end) = break_before(bytes, block.start) {
        let line = run_around(bytes, end - 1);
        let fits = width.map_or(own.len() <= line.len(), |width| width == line.len());
        if line.len() < SHORTEST_LINE || line.end != end || !fits {
            break;
        }
        width = Some(line.len());
        block.start = line.start;
    }
    let width = width.unwrap_or(own.len());
    let mut last = own.len();
    while let Some(begin) = break_after(bytes, block.end).filter(|_| last == width) {
        if width < SHORTEST_LINE || !bytes.get(begin).copied().is_some_and(is_base64) {
            break;
        }
        let line = run_around(bytes, begin);
        if line.start != begin || line.len() > width {
            break;
        }
        last = line.len();
        block.end = line.end;
    }
    block
}

fn run_around(bytes: &[u8], place: usize) -> Range<usize> {
    let before = bytes[..place].iter().rev().take_while(|byte| is_base64(**byte)).count();
    let after = bytes[place..].iter().take_while(|byte| is_base64(**byte)).count();
    let start = place - before;
    // The letter of an escape is not part of what follows it.
    let is_escape = start > 0 && bytes[start - 1] == b'\\' && start < place;
    start + usize::from(is_escape)..place + after
}

/// Breaks between lines, as bytes and as escapes.
const BREAKS: [&[u8]; 4] = [b"\\r\\n", b"\r\n", b"\\n", b"\n"];

/// Where a break begins that ends here.
fn break_before(bytes: &[u8], end: usize) -> Option<usize> {
    let found = BREAKS.into_iter().find(|it| bytes[..end].ends_with(it))?;
    (end > found.len()).then(|| end - found.len())
}

/// Where a break ends that begins here.
fn break_after(bytes: &[u8], begin: usize) -> Option<usize> {
    let found = BREAKS.into_iter().find(|it| bytes[begin..].starts_with(it))?;
    Some(begin + found.len())
}

/// A long path or a row of dashes is not base64, which mixes cases and digits.
fn is_mixed(run: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| run.iter().any(is);
    let others = run.iter().filter(|byte| !byte.is_ascii_alphanumeric()).count();
    has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && others < run.len() / 8
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
    fn short_image_is_removed_and_a_short_text_stays() {
        let table = [
            (
                r#"{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhAQABAAAAACw="}}"#,
                r#"{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"[removed: 15 bytes]"}}"#,
            ),
            (
                r#"{"type":"image", "data": "R0lGODlhAQAB", "mimeType": "image/gif"}"#,
                r#"{"type":"image", "data": "[removed: 9 bytes]", "mimeType": "image/gif"}"#,
            ),
            (
                r#"{"file":{"base64":"R0lGODlhAQAB","type":"image/gif"}}"#,
                r#"{"file":{"base64":"[removed: 9 bytes]","type":"image/gif"}}"#,
            ),
            (
                "an icon: ![](data:image/gif;base64,R0lGODlhAQAB) and more",
                "an icon: ![](data:image/gif;base64,[removed: 9 bytes]) and more",
            ),
        ];
        for (line, expected) in table {
            assert_eq!(without_binary_content(line), expected);
        }
        for line in [
            r#"{"data":"hello","text":"media_type"}"#,
            r#"{"type":"base64","value":"data"}"#,
            r#"{"data":["R0lGODlhAQAB"],"media_type":"x"}"#,
            "how does ;base64, begin? \"data\": \"",
        ] {
            assert_eq!(without_binary_content(line), line);
        }
    }

    #[test]
    fn content_that_is_broken_into_lines_is_removed_with_all_of_them() {
        let line = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9";
        let line = &line[..76];
        for end in ["\\n", "\n", "\\r\\n", "\r\n"] {
            let block = format!("{}{line}{end}QUJD", format!("{line}{end}").repeat(40));
            let text = format!("$ base64 moon.png{end}{block}{end}done");
            let expected = format!("$ base64 moon.png{end}[removed: 2340 bytes]{end}done");
            assert_eq!(without_binary_content(&text), expected, "{end:?}");
        }
    }

    #[test]
    fn text_stays() {
        let words = "some words of a long answer ".repeat(100);
        let list = "A1b2\\n".repeat(900);
        let hashes = format!("{}\\n", "0123456789abcdef".repeat(4)).repeat(40);
        let path = "/src/Module1/".repeat(200);
        let dashes = "-".repeat(4000);
        for text in [&words, &list, &hashes, &path, &dashes] {
            for line in [format!(r#"{{"text":"{text}"}}"#), text.clone(), format!("\"{text}")] {
                assert_eq!(without_binary_content(&line), line);
            }
        }
    }

    #[test]
    fn removing_it_again_changes_nothing() {
        let data = "iVBORw0KGgo".repeat(400);
        let line = format!(r#"{{"media_type":"image/png","data":"{data}"}}"#);
        let removed = without_binary_content(&line).into_owned();
        assert_eq!(without_binary_content(&removed), removed);
    }

    #[test]
    fn damaged_lines_do_not_panic() {
        let long = "A".repeat(2000);
        for line in [format!("\"{long}\\"), format!("\"\\\"{long}"), format!("é\"{long}\"é")] {
            let _ = without_binary_content(&line);
        }
    }
}
