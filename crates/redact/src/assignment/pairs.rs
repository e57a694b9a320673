//! Names and values that are members beside each other: `name: TOKEN` and
//! `value: …` in YAML, JSON, XML and the options of command lines.

use super::delimit::{delimit, find_quote};
use super::value::LONGEST;
use super::{Assignment, Certainty};
use crate::letters::is_visible;
use crate::pattern::WORD;

/// How far the value may be from its name: other members may be between them.
const FARTHEST: usize = 160;

/// Whether this member says what its neighbour `value` is.
pub(super) fn find_value(text: &str, keyword: usize, name_end: usize) -> Option<Assignment> {
    let bytes = text.as_bytes();
    if bytes[name_end..].starts_with(b"</") {
        return find_sibling(text, name_end);
    }
    is_named(bytes, keyword).then_some(())?;
    if let Some(found) = find_before(text, keyword) {
        return Some(found);
    }
    let mut at = name_end;
    find_quote(bytes, &mut at);
    let rest = &bytes[at..bytes.len().min(at + FARTHEST)];
    let ends = |byte: &u8| matches!(byte, b'{' | b'}' | b'<');
    let rest = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let value = rest.windows(5).position(|five| five.eq_ignore_ascii_case(b"value"))?;
    // `ParameterValue`, `"value"`, `value`: nothing else ends in this word.
    let before = &rest[..value];
    let is_word = before.last().is_some_and(|byte| !WORD.contains(*byte))
        || before.ends_with(b"Parameter")
        || before.ends_with(b"\\n");
    let lines = memchr::memchr_iter(b'\n', before).count();
    if !is_word || lines > 2 {
        return None;
    }
    let value = at + value..at + value + 5;
    delimit(text, value).filter(|found| found.certainty == Certainty::Assigned)
}

/// `SET value = '…' WHERE name = 'TOKEN'`: the value before the member that says what it is.
fn find_before(text: &str, keyword: usize) -> Option<Assignment> {
    let floor = text.ceil_char_boundary(keyword.saturating_sub(FARTHEST));
    let before = &text[floor..keyword];
    let condition = before.rfind(" WHERE ").or_else(|| before.rfind(" where "))?;
    let clause = before[..condition].trim_end();
    let quote = clause.chars().next_back().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = &clause[..clause.len() - 1];
    let start = inner.rfind(quote)? + 1;
    let name = inner[..start - 1].trim_end_matches([' ', '=']).to_ascii_lowercase();
    (name.ends_with("value") || name.ends_with("val") || name.ends_with("data"))
        .then(|| Assignment::whole(floor + start..floor + inner.len()))
}

/// Whether the word with the keyword is itself the value of a member `name` or
/// `key`.
fn is_named(bytes: &[u8], keyword: usize) -> bool {
    let is_name = |byte: &&u8| WORD.contains(**byte) || matches!(**byte, b'-' | b'.' | b':' | b'/');
    let start = keyword - bytes[..keyword].iter().rev().take(60).take_while(is_name).count();
    let is_gap = |byte: &&u8| matches!(**byte, b' ' | b'"' | b'\'' | b'\\' | b'=' | b':' | b'`');
    let gap = bytes[..start].iter().rev().take(12).take_while(is_gap).count();
    // `Key=Name` and `name:Name` are taken for one word with the keyword.
    let before = &bytes[..start - gap];
    let ends = |words: &[&[u8]]| {
        words.iter().any(|word| {
            before.len() >= word.len()
                && before[before.len() - word.len()..].eq_ignore_ascii_case(word)
        })
    };
    gap > 0
        && bytes[start - gap..start].iter().any(|byte| matches!(byte, b'=' | b':'))
        && ends(&[b"name", b"key", b"variable", b"label", b"field"])
}

/// `NAME</name><value>…</value>`: the content of the next element. The name ends
/// at `name_end`.
fn find_sibling(text: &str, name_end: usize) -> Option<Assignment> {
    const INNER: [&[u8]; 5] = [b"<code>", b"<b>", b"<strong>", b"<kbd>", b"<tt>"];
    const NAMES: &[&[u8]] = &[b"value", b"string", b"Value", b"td", b"dd", b"code"];
    let bytes = text.as_bytes();
    let rest = &bytes[name_end..bytes.len().min(name_end + 80)];
    let close = memchr::memchr(b'>', rest)?;
    let blanks = rest[close + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let open = close + 1 + blanks;
    let tag = rest.get(open + 1..)?;
    let end = memchr::memchr(b'>', tag)?;
    if rest[open] != b'<' || !NAMES.contains(&&tag[..end]) {
        return None;
    }
    let mut start = name_end + open + 1 + end + 1;
    start += INNER.iter().find(|tag| bytes[start..].starts_with(tag)).map_or(0, |tag| tag.len());
    let length = bytes[start..]
        .iter()
        .take(LONGEST)
        .take_while(|byte| is_visible(**byte) && **byte != b'<')
        .count();
    let closed = bytes[start + length..].starts_with(b"</");
    (length > 0 && closed).then(|| Assignment::whole(start..start + length))
}
