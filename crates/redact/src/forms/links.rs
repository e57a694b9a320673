//! Cookies, and links and headers that log somebody in.

use std::ops::Range;

use crate::assignment::is_random_key;
use crate::bearer::token_end;
use crate::check::{contains_any_case, entropy, is_mixed, is_placeholder, is_uuid};
use crate::pattern::{ANY_HEX, URL64};

/// Words of the names of cookies of a session.
const SESSIONS: &[&str] = &["sess", "sid", "auth", "token", "jwt", "remember"];

/// What a masked value starts with.
const PLACEHOLDER: &str = "[redacted:";

fn is_random(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    value.len() >= 20
        && digits >= 2
        && !value.starts_with(PLACEHOLDER)
        && !is_uuid(value)
        && !value.contains("://")
        && entropy(value.as_bytes()) >= 3.2
        && !is_placeholder(value)
        && (is_random_key(value) || is_mixed(value))
}

/// The value of a row of a file with cookies. The keyword is one of its columns.
pub(crate) fn cookie_row(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let floor = keyword.start.saturating_sub(200);
    let start =
        memchr::memrchr(b'\n', &bytes[floor..keyword.start]).map_or(floor, |at| floor + at + 1);
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + 4200)];
    let end = keyword.end + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let row = text.get(start..end)?.trim_end();
    let fields: Vec<&str> = row.split('\t').collect();
    let [.., name, value] = fields.as_slice() else { return None };
    let is_session = fields.len() >= 7 && SESSIONS.iter().any(|word| contains_any_case(name, word));
    (is_session
        && value.len() >= 12
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && !is_placeholder(value))
    .then(|| start + row.len() - value.len()..start + row.len())
}

/// `"name": "sid", "value": "…"` of an export of cookies. The keyword is the name in quotes.
pub(crate) fn named_cookie(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const VALUE: &str = "\"value\"";
    let rest = text.get(keyword.end..)?;
    let head = &rest[..rest.floor_char_boundary(rest.len().min(160))];
    let head = &head[..head.find('}').unwrap_or(head.len())];
    let at = head.find(VALUE)? + VALUE.len();
    let lead = head[at..].bytes().take_while(|byte| b" :\"".contains(byte)).count();
    let start = keyword.end + at + lead;
    let value = &text[start..token_end(text, start)];
    (value.len() >= 16
        && !value.starts_with(PLACEHOLDER)
        && entropy(value.as_bytes()) >= 2.6
        && value.bytes().any(|b| b.is_ascii_digit()))
    .then(|| start..start + value.len())
}

/// The last part of a link that logs in everybody who has it. The keyword is the part before it.
pub(crate) fn login_link(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let length = URL64.run(&bytes[keyword.end..], 400);
    let value = &text[keyword.end..keyword.end + length];
    let next = bytes.get(keyword.end + length);
    let is_file = matches!(next, Some(b'.'))
        && bytes.get(keyword.end + length + 1).is_some_and(u8::is_ascii_alphanumeric);
    let is_hex = length == 32 && value.bytes().all(|byte| ANY_HEX.contains(byte));
    // Other words are parts of a path, and names of files.
    let is_last = !is_file && next != Some(&b'/');
    // A webhook whose name is an id is open to everybody who has it.
    let is_hook = text[keyword.clone()].contains("/webhook") && is_last && is_uuid(value);
    let is_short = text[keyword.clone()].contains("build_hooks")
        && length == 24
        && value.bytes().all(|byte| ANY_HEX.contains(byte));
    (is_hex || is_hook || is_short || (is_last && is_random(value)))
        .then(|| keyword.end..keyword.end + length)
}

/// The key in the query of an address that starts something: `…/deploy/srv-1?key=…`. The keyword
/// is the name with what assigns it.
pub(crate) fn hook_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const HOOKS: &[&str] = &["/deploy", "hook", "/trigger", "/build", "/restart", "/run", "/push/"];
    let bytes = text.as_bytes();
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(160));
    let address =
        text[floor..keyword.start].rfind("://").map(|at| &text[floor + at..keyword.start])?;
    let length = URL64.run(&bytes[keyword.end..], 200);
    let value = &text[keyword.end..keyword.end + length];
    let has = |test: fn(u8) -> bool| value.bytes().any(test);
    (!address.contains([' ', '\n', '"', '\''])
        && HOOKS.iter().any(|hook| address.contains(hook))
        && length >= 8
        && has(|b| b.is_ascii_digit())
        && has(|b| b.is_ascii_alphabetic())
        && crate::check::is_jumbled(value)
        && !crate::bearer::is_wordy(value)
        && !is_placeholder(value))
    .then(|| keyword.end..keyword.end + length)
}

/// The last word of a header whose name says that it proves who asks:
/// `X-Session-Proof: v1 …`. The keyword ends the name.
pub(crate) fn proof_header(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let mut start = keyword.end;
    for _ in 0..2 {
        let value = &text[start..token_end(text, start)];
        if is_random(value) {
            return Some(start..start + value.len());
        }
        start += value.len() + 1;
        if value.is_empty()
            || value.len() > 16
            || !text.is_char_boundary(start.min(text.len()))
            || start >= text.len()
        {
            return None;
        }
    }
    None
}
