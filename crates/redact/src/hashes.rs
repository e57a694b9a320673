//! Hashes of passwords, as in `/etc/shadow`, `.htpasswd` and databases: a guess
//! can be tested against them. They are long and have a fixed form.

use std::ops::Range;

use crate::assignment::is_chosen_password;
use crate::check::{entropy, is_placeholder};
use crate::pattern::{ANY_HEX, BASE64, DOTTED, HEX, PADDED64, WORD};

/// `$6$salt$hash`, `$2b$12$…`, `$argon2id$v=19$…`. The keyword is the first
/// part.
pub(crate) fn crypt_hash(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_part =
        |byte: &u8| DOTTED.contains(*byte) || matches!(byte, b'/' | b'+' | b'$' | b'=' | b',');
    // `scrypt:32768:8:1$`: the parameters have colons.
    let head = if text[keyword.clone()].ends_with(':') {
        let rest = &bytes[keyword.end..bytes.len().min(keyword.end + 12)];
        memchr::memchr(b'$', rest)?
    } else {
        0
    };
    let from = keyword.end + head;
    let length = bytes[from..].iter().take(400).take_while(|byte| is_part(byte)).count();
    let end = from + length;
    let value = text.get(keyword.start..end)?.trim_end_matches([',', '.', '=', '$']);
    let last = value.rsplit('$').next()?;
    let good = last.len() >= 20
        && value.len() >= 27
        && entropy(last.as_bytes()) >= 3.5
        && last.bytes().any(|byte| byte.is_ascii_digit())
        && (last.len() >= 64 || last.bytes().any(|byte| byte.is_ascii_uppercase()))
        && !is_placeholder(value);
    good.then(|| keyword.start..keyword.start + value.len())
}

/// `{SSHA}…` and `{PLAIN}…` of a directory. The keyword is the scheme.
pub(crate) fn scheme_hash(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_graphic() && !b":\"'`\\,;<>".contains(byte);
    let length = bytes[keyword.end..].iter().take(200).take_while(|byte| is_part(byte)).count();
    let end = keyword.end + length;
    let value = text.get(keyword.end..end)?;
    let good = value.len() >= 8
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !value.contains(['{', '}', '$', '('])
        && !is_placeholder(value);
    let is_plain = ["{PLAIN}", "{CLEARTEXT}"].contains(&&text[keyword.clone()]);
    (good || (is_plain && is_chosen_password(value))).then_some(keyword.end..end)
}

/// `user:500:LM:NT:::`, a dump of Windows accounts. The keyword is the LM hash
/// of the empty password.
pub(crate) fn windows_hash(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let length = ANY_HEX.run(&text.as_bytes()[keyword.end..], 33);
    (length == 32).then(|| keyword.end..keyword.end + length)
}

/// `md5…` of `PostgreSQL`. The keyword is that prefix in quotes.
pub(crate) fn postgres_hash(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let length = HEX.run(&bytes[keyword.end..], 33);
    let quote = bytes[keyword.start];
    (length == 32 && bytes.get(keyword.end + length) == Some(&quote))
        .then(|| keyword.start + 1..keyword.end + length)
}

/// `SCRAM-SHA-256$4096:salt$key:key`. The keyword is the first part.
pub(crate) fn scram_hash(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| {
        BASE64.contains(*byte) || WORD.contains(*byte) || matches!(byte, b'=' | b':' | b'$')
    };
    let length = bytes[keyword.end..].iter().take(300).take_while(|byte| is_part(byte)).count();
    let end = keyword.end + length;
    (length >= 60).then_some(keyword.start..end)
}

/// `password 7 094F…` of a switch, which anybody can reverse. The keyword ends
/// before the value.
pub(crate) fn switch_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let length = ANY_HEX.run(&bytes[keyword.end..], 100);
    let ends = bytes.get(keyword.end + length).is_none_or(|byte| !WORD.contains(*byte));
    (length >= 8 && length.is_multiple_of(2) && ends).then(|| keyword.end..keyword.end + length)
}

/// `hmac-sha256:name:base64`, a key for updates of a zone. The keyword is the
/// start of the algorithm.
pub(crate) fn zone_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = keyword.end + DOTTED.run(&bytes[keyword.end..], 8);
    at += usize::from(bytes.get(at) == Some(&b':'));
    let name = DOTTED.run(&bytes[at..], 80);
    if name == 0 || bytes.get(at + name) != Some(&b':') {
        return None;
    }
    let start = at + name + 1;
    let length = PADDED64.run(&bytes[start..], 200);
    (length >= 20 && entropy(&bytes[start..start + length]) >= 3.0).then(|| start..start + length)
}
