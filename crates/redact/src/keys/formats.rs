//! Private keys in formats other than PEM: `PuTTY`, SSH2, `OpenVPN`, JSON web keys,
//! and keys in XML.

use std::ops::Range;

use memchr::memmem;

use super::skip_gap;
use crate::check::is_mixed;
use crate::pattern::{ANY64, HEX, PADDED64, URL64};

const LONGEST: usize = 16 * 1024;

/// The lines after `Private-Lines: 14`. The keyword is that name.
pub(crate) fn putty_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let digits = bytes[keyword.end..].iter().take(4).take_while(|b| b.is_ascii_digit()).count();
    let number: usize = text[keyword.end..keyword.end + digits].parse().ok()?;
    lines(bytes, keyword.end + digits, number, 8)
}

/// The lines of `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----`. The keyword is the
/// start of that line.
pub(crate) fn ssh2_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let label = &bytes[keyword.end..bytes.len().min(keyword.end + 60)];
    memmem::find(label, b"PRIVATE KEY")?;
    let body = keyword.end + memmem::find(label, b" ----")? + 5;
    let rest = &bytes[body..bytes.len().min(body + LONGEST)];
    let end = memmem::find(rest, b"---- END ").unwrap_or(rest.len());
    // Headers such as `Comment: "…"` come before the base64.
    let first = rest[..end].split(|byte| *byte == b'\n').find(|line| {
        line.len() >= 40 && line.trim_ascii().iter().all(|byte| PADDED64.contains(*byte))
    })?;
    let start = memmem::find(rest, first)?;
    let close = rest[..end].trim_ascii_end().len();
    (close > start).then(|| body + start..body + close)
}

/// The lines of an `OpenVPN` key, which are hex digits. The keyword ends its
/// heading.
pub(crate) fn static_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut end = keyword.end;
    let mut first = None;
    while let Some(start) = skip_gap(bytes, end) {
        let length = HEX.run(&bytes[start..], 65);
        if length != 32 {
            break;
        }
        first.get_or_insert(start);
        end = start + length;
    }
    first.map(|first| first..end)
}

/// `number` lines of base64 from `from` on, each of at least `least` characters.
fn lines(bytes: &[u8], from: usize, number: usize, least: usize) -> Option<Range<usize>> {
    let mut end = from;
    let mut first = None;
    for _ in 0..number.min(200) {
        let Some(start) = skip_gap(bytes, end) else { break };
        let length = PADDED64.run(&bytes[start..], 80);
        if length < least {
            break;
        }
        first.get_or_insert(start);
        end = start + length;
    }
    first.map(|first| first..end)
}

/// The secret member of a JSON web key: `d` of an asymmetric key, `k` of a
/// symmetric one. The keyword is the member `kty`.
pub(crate) fn web_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    // The exponent, the factors and what follows from them, and a symmetric key.
    const NAMES: [&[u8]; 7] = [b"d", b"k", b"p", b"q", b"dp", b"dq", b"qi"];
    let bytes = text.as_bytes();
    let floor = keyword.start.saturating_sub(4096);
    // The start of the object may be missing, or be a call.
    let open =
        memchr::memrchr2(b'{', b'(', &bytes[floor..keyword.start]).map_or(floor, |at| floor + at);
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + 4096)];
    let close = keyword.end + memchr::memchr2(b'}', b')', rest).unwrap_or(rest.len());
    let object = &bytes[open..close];
    NAMES.into_iter().find_map(|name| {
        let mut at = 0;
        while let Some(found) = memchr::memmem::find(&object[at..], name) {
            at += found + name.len();
            let is_name =
                object[..at - name.len()].last().is_some_and(|byte| b"\"'{, \n\t".contains(byte));
            let skip = |at: usize, set: &[u8]| {
                at + object[at..].iter().take(8).take_while(|byte| set.contains(byte)).count()
            };
            let start = skip(at, b"\\\"' ");
            if !is_name || !matches!(object.get(start), Some(b':' | b'=')) {
                continue;
            }
            let start = skip(start + 1, b" >\\\"'");
            let length = URL64.run(&object[start..], 2048);
            let is_key = |value: &[u8]| str::from_utf8(value).is_ok_and(is_mixed);
            if length >= 20 && is_key(&object[start..start + length]) {
                return Some(open + start..open + start + length);
            }
        }
        None
    })
}

/// `<D>…</D>` of an RSA key in XML. The keyword is the opening tag.
pub(crate) fn xml_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let length = ANY64.run(&bytes[keyword.end..], 4096);
    let end = keyword.end + length;
    (length >= 40 && bytes[end..].starts_with(b"</")).then_some(keyword.end..end)
}
