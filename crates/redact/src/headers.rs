//! Secrets in HTTP headers: credentials, and the cookies of logged-in sessions.

use std::ops::Range;

use crate::assignment::{WHOLE, is_chosen_password};
use crate::bearer::{is_token, is_wordy, token_end};
use crate::check::{
    all, contains_any_case, decode_base64, entropy, is_jumbled, is_mixed, is_placeholder,
    is_sample, is_uuid,
};
use crate::has_placeholder;
use crate::pattern::{ALNUM, ANY64, BEARER, WORD};

/// The credentials of `Basic`: user and password in base64. The keyword is the
/// scheme with a blank.
pub(crate) fn basic_login(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // A header may go on in the next line, and a shell may escape its blank.
    let is_gap = |byte: &&u8| matches!(**byte, b' ' | b'\n' | b'\\');
    let start = keyword.end + bytes[keyword.end..].iter().take(24).take_while(is_gap).count();
    let length = BEARER.run(&bytes[start..], 8192);
    let value = text[start..start + length].trim_end_matches(['.', '-']);
    let good = is_login(value) || (is_header(&bytes[..keyword.start]) && is_opaque(value));
    good.then(|| start..start + value.len())
}

/// The token that is the whole value of an `Authorization` header, or follows
/// the name of the scheme. The keyword ends with the header's name.
pub(crate) fn raw_authorization(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const SCHEMES: &[&str] = &[
        "token token=",
        "token ",
        "apikey ",
        "api-key ",
        "key ",
        "ssws ",
        "geniekey ",
        "splunk ",
        "accesskey ",
        "discord ",
        "bot ",
        "oauth ",
    ];
    let bytes = text.as_bytes();
    let mut start = find_value(text, keyword.end)?;
    let scheme = SCHEMES.iter().find(|scheme| {
        bytes[start..]
            .get(..scheme.len())
            .is_some_and(|s| s.eq_ignore_ascii_case(scheme.as_bytes()))
    });
    start += scheme.map_or(0, |scheme| scheme.len());
    let value = &text[start..token_end(text, start)];
    if scheme.is_some() && is_uuid(value) && entropy(value.as_bytes()) >= 3.0 {
        return Some(start..start + value.len());
    }
    // Another scheme is before a token: only a blank ends a value.
    let is_alone = matches!(
        bytes.get(start + value.len()),
        None | Some(b'"' | b'\'' | b'`' | b'\n' | b'\r' | b'\\' | b',' | b'}' | b')')
    ) || scheme.is_some();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_random = (value.len() >= 20 || (value.len() >= 12 && is_alone))
        && digits >= 2
        && entropy(value.as_bytes()) >= 3.0;
    let good = (is_random || (is_alone && digits >= 2 && is_password(value)))
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !is_uuid(value)
        && !is_wordy(value)
        && !is_sample(value)
        // The name of a scheme: `AWS4-HMAC-SHA256`.
        && !value.starts_with("AWS4-")
        && is_token(value, &text[start..]);
    good.then(|| start..start + value.len())
}

/// Whether a value without a scheme is a password that somebody chose, and not the name of a
/// setting or of a function.
fn is_password(value: &str) -> bool {
    let is_inner = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    let is_name = all(WORD, value) && value.as_bytes().windows(2).any(is_inner);
    value.len() >= 8 && !is_name && is_chosen_password(value)
}

/// User and password in base64, as Docker and npm store them under `auth`. The
/// keyword ends with the name.
pub(crate) fn stored_login(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let start = find_value(text, keyword.end)?;
    let length = ANY64.run(&text.as_bytes()[start..], 4096);
    is_login(&text[start..start + length]).then(|| start..start + length)
}

/// The first session cookie of a header that is not masked yet. The keyword
/// ends with the header's name.
pub(crate) fn session_cookie(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const SESSIONS: &[&str] = &["sess", "sid", "auth", "token", "jwt", "remember"];
    const LONGEST: usize = 2048;
    let mut start = find_value(text, keyword.end)?;
    let rest = &text.as_bytes()[start..text.len().min(start + LONGEST)];
    let ends = |byte: &u8| !(byte.is_ascii_graphic() || *byte == b' ') || b"\"'`\\".contains(byte);
    let length = rest.iter().position(ends).unwrap_or(rest.len());
    for pair in text.get(start..start + length)?.split(';') {
        if let Some((name, value)) = pair.split_once('=')
            && SESSIONS.iter().any(|word| contains_any_case(name, word))
            && value.len() >= 20
            && !value.contains(' ')
            && value.bytes().any(|byte| byte.is_ascii_digit())
            && entropy(value.as_bytes()) >= 3.0
            && !value.starts_with(['$', '{', '<'])
            && !is_placeholder(value)
            && !has_placeholder(value)
        {
            let end = start + pair.len();
            return Some(end - value.len()..end);
        }
        start += pair.len() + 1;
    }
    None
}

/// The id of a session that somebody is logged in to: a person who has it is
/// logged in too. The ids of transcripts are UUIDs or have a prefix, and are not secret.
/// The keyword is its name, maybe with the separator.
pub(crate) fn session_id(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let name = &text[keyword.clone()];
    let is_word = bytes[..keyword.start].last().is_some_and(u8::is_ascii_alphanumeric);
    if is_word && name.len() < 8 {
        return None;
    }
    let is_gap = |byte: &&u8| matches!(**byte, b'=' | b':' | b' ' | b'"' | b'\'' | b'\\');
    let gap = bytes[keyword.end..].iter().take(6).take_while(is_gap).count();
    let start = keyword.end + gap;
    let length = ALNUM.run(&bytes[start..], 130);
    let value = text.get(start..start + length)?;
    let is_apart = gap > 0 || name.ends_with(['=', ' ']);
    let next = bytes.get(start + length);
    // The node of a cluster may follow: `.node2`
    let is_node = next == Some(&b'.') && name.eq_ignore_ascii_case("jsessionid");
    let is_whole =
        is_node || next.is_none_or(|byte| !matches!(byte, b'-' | b'_' | b'.' | b'(' | b'[' | b'/'));
    let good = is_apart
        && is_whole
        && (20..=128).contains(&length)
        && value.bytes().filter(u8::is_ascii_digit).count() >= 3
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && entropy(value.as_bytes()) >= 3.0
        && is_jumbled(value)
        // An account of Twilio.
        && !(value.starts_with("AC") && length == 34)
        && !is_placeholder(value);
    good.then(|| start..start + length)
}

/// The start of the value of the name that ends at `at`: after the closing
/// quote, a colon or an equals sign, and the opening quote.
fn find_value(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let skip = |at: usize, set: &[u8]| {
        at + bytes[at..].iter().take(12).take_while(|byte| set.contains(byte)).count()
    };
    // The keyword may include the separator, or be an option, which has none.
    let taken = matches!(bytes[..at].last(), Some(b':' | b'=' | b' '));
    let mut at = at;
    if !taken {
        at = skip(at, b"\\\"'` ]");
        if !matches!(bytes.get(at), Some(b':' | b'=' | b',')) {
            return None;
        }
        at += 1;
    }
    at = skip(at, b" \t");
    // `"name": "Cookie", "value": "…"` of a recorded request.
    let name = skip(at, b"\\\"'\n ");
    if bytes[name..].starts_with(b"value") && bytes[..at].trim_ascii_end().ends_with(b",") {
        at = skip(name + "value".len(), b"\\\"' ");
        at = skip(at + usize::from(bytes.get(at) == Some(&b':')), b" ");
    }
    if text[at..].starts_with(WHOLE) {
        return Some(at + WHOLE.len_utf8());
    }
    Some(skip(at, b"\\\"'`"))
}

/// Whether the name of the header is before the scheme.
fn is_header(before: &[u8]) -> bool {
    const NAME: &[u8] = b"authorization";
    let gap = before.iter().rev().take(12).take_while(|byte| !byte.is_ascii_alphabetic()).count();
    let before = &before[..before.len() - gap];
    before.len() >= NAME.len() && before[before.len() - NAME.len()..].eq_ignore_ascii_case(NAME)
}

/// Whether these are credentials that no user name is readable in.
fn is_opaque(value: &str) -> bool {
    value.len() >= 20
        && is_mixed(value)
        && entropy(value.as_bytes()) >= 3.5
        && !is_placeholder(value)
}

/// Whether this is base64 of `user:password`.
fn is_login(value: &str) -> bool {
    let decoded = decode_base64(value.as_bytes(), 512);
    value.len() >= 8
        && all(ANY64, value)
        && decoded.contains(&b':')
        && decoded.iter().all(|byte| (b' '..0x7F).contains(byte))
}
