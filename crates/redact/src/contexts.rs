//! Secrets recognized by their context: passwords in URLs, paths and keys of services; and
//! the names of people, in addresses and home directories.

use std::ops::Range;

use crate::check::{contains_any_case, entropy, is_mixed, is_placeholder};
use crate::commands::is_well_known;
use crate::letters::is_visible;
use crate::pattern::{
    ALNUM, ANY_HEX as HEX_DIGITS, BASE64, DIGIT, DOTTED, HEX, QUERY64, URL64, WORD,
};

/// The password in `scheme://user:password@host`, or a token in its position.
pub(crate) fn url_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = keyword.end;
    if !bytes[..keyword.start].last().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let rest = &bytes[start..bytes.len().min(start + 512)];
    // Nearly all URLs have none.
    memchr::memchr(b'@', rest)?;
    if let Some(secret) = spliced_password(rest) {
        return Some(start + secret.start..start + secret.end);
    }
    let at = find_host(rest).or_else(|| {
        let length = rest.iter().position(|byte| ends_authority(*byte)).unwrap_or(rest.len());
        // A password may contain an unescaped `@`: the last one counts. The
        // same goes for a slash, but then a host must follow, not just any `@`.
        memchr::memrchr(b'@', &rest[..length]).or_else(|| find_late_host(rest, length))
    })?;
    if !rest
        .get(at + 1)
        .is_some_and(|byte| ALNUM.contains(*byte) || matches!(byte, b'[' | b'%' | b'_'))
    {
        return None;
    }
    let login = &rest[..at];
    let secret = match memchr::memchr(b':', login) {
        Some(colon) => start + colon + 1..start + at,
        // A token alone, in place of the user.
        None if at >= 20 && entropy(login) >= 3.0 && login.iter().any(u8::is_ascii_digit) => {
            start..start + at
        }
        None => return None,
    };
    let user = text.get(start..secret.start.saturating_sub(1)).unwrap_or_default();
    let value = text.get(secret.clone())?;
    let stands_for_one = value.len() < 3
        || value.starts_with(['$', '{', '<', '[', '*'])
        || (value.starts_with('%') && HEX_DIGITS.run(&value.as_bytes()[1..], 2) < 2)
        || value.contains("${")
        || value.contains('{')
        || value.bytes().all(|byte| byte == value.as_bytes()[0])
        || is_well_known(value)
        || value.eq_ignore_ascii_case(user)
        || is_placeholder(value);
    (!stands_for_one).then_some(secret)
}

/// The password of a URL that is put together from several strings: `"db://ann:" "…" "@host"`.
fn spliced_password(rest: &[u8]) -> Option<Range<usize>> {
    let length = rest.iter().position(|byte| ends_authority(*byte))?;
    let quote = *rest.get(length).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let login = &rest[..length];
    let colon = memchr::memchr(b':', login)?;
    let is_gap = |byte: &u8| byte.is_ascii_whitespace() || b"+.\\&fb".contains(byte);
    let skip = |at: usize| {
        let gap = rest[at..].iter().take(60).take_while(|byte| is_gap(byte)).count();
        (rest.get(at + gap) == Some(&quote)).then_some(at + gap + 1)
    };
    if login.contains(&b'@') || length - colon > 40 {
        return None;
    }
    let next = skip(length + 1)?;
    let inner = rest[next..].iter().position(|byte| *byte == quote || *byte == b'\n')?;
    let start = if colon + 1 == length { next } else { colon + 1 };
    let end = if let Some(at) = memchr::memchr(b'@', &rest[next..next + inner]) {
        next + at
    } else {
        let host = skip(next + inner + 1)?;
        (rest.get(host) == Some(&b'@')).then_some(next + inner)?
    };
    let value = rest.get(start..end)?;
    let is_literal = !value.iter().any(|byte| b"${}<>()".contains(byte)) && value.len() >= 5;
    (is_literal && !str::from_utf8(value).is_ok_and(is_placeholder)).then_some(start..end)
}

/// The first `@` that only a host can follow, whatever characters the password
/// before it contains.
fn find_host(rest: &[u8]) -> Option<usize> {
    let ends = |byte: &u8| !matches!(byte, b'/' | b'?') && ends_authority(*byte);
    let rest = &rest[..rest.iter().take(256).position(ends).unwrap_or(rest.len().min(256))];
    let slash = memchr::memchr2(b'/', b'?', rest).unwrap_or(rest.len());
    let colon = memchr::memchr(b':', &rest[..slash])?;
    // `http://host:80/…` is a host and a port.
    if rest[colon + 1..slash].iter().all(u8::is_ascii_digit) {
        return None;
    }
    memchr::memchr_iter(b'@', rest).filter(|at| *at > colon).find(|at| {
        let after = &rest[at + 1..];
        let length = DOTTED.run(after, 253);
        let host = &after[..length];
        let dotted = memchr::memchr(b'.', host).is_some_and(|dot| dot > 0 && dot + 1 < length);
        let port = matches!(&after[length..], [b':', digit, ..] if digit.is_ascii_digit());
        matches!(after.get(length), None | Some(b'/' | b':' | b'?' | b',' | b';'))
            && (dotted || (port && length > 0) || host == b"localhost")
    })
}

fn ends_authority(byte: u8) -> bool {
    !is_visible(byte)
        || matches!(byte, b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'?' | b')' | b'|')
        || byte == b'('
}

/// `postgres://user:pa/ss@host:5432/name`: the slash belongs to the password.
fn find_late_host(rest: &[u8], slash: usize) -> Option<usize> {
    if rest.get(slash) != Some(&b'/') || memchr::memchr(b':', &rest[..slash]).is_none() {
        return None;
    }
    // `http://host:80/…` is a host and a port.
    let colon = memchr::memchr(b':', &rest[..slash])?;
    if rest[colon + 1..slash].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let ends = |byte: &u8| !matches!(byte, b'/' | b'?') && ends_authority(*byte);
    let rest = &rest[..rest.len().min(200)];
    let rest = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let first = memchr::memchr(b'@', rest)?;
    let host = memchr::memchr(b'/', &rest[first..]).map_or(rest.len(), |length| first + length);
    memchr::memrchr(b'@', &rest[..host])
}

/// The password in a URL that names a database or a broker.
pub(crate) fn connection_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const SCHEMES: &[&str] = &[
        "postgres",
        "postgresql",
        "mysql",
        "mariadb",
        "mongodb",
        "srv",
        "redis",
        "rediss",
        "amqp",
        "amqps",
        "mssql",
        "sqlserver",
        "clickhouse",
        "cockroachdb",
        "oracle",
        "psycopg2",
        "asyncpg",
        "pymysql",
        "nats",
        "kafka",
        "ldap",
        "ldaps",
        "smtp",
        "smtps",
        "imap",
        "imaps",
        "ftp",
        "ftps",
        "sftp",
    ];
    let length = ALNUM.run_back(&text.as_bytes()[..keyword.start], 16);
    let scheme = &text[keyword.start - length..keyword.start];
    if !SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return None;
    }
    url_password(text, keyword)
}

/// An e-mail address around the `@`.
pub(crate) fn email(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_local =
        |byte: &u8| ALNUM.contains(*byte) || matches!(byte, b'.' | b'_' | b'+' | b'-' | b'%');
    let local =
        bytes[..keyword.start].iter().rev().take(64).take_while(|byte| is_local(byte)).count();
    let mut start = keyword.start - local;
    // `\nname@host`, written out: the letter belongs to the escape.
    if start > 0 && bytes[start - 1] == b'\\' && local > 1 {
        start += 1;
    }
    while start < keyword.start && matches!(bytes[start], b'.' | b'-' | b'+' | b'%') {
        start += 1;
    }
    let domain = bytes[keyword.end..]
        .iter()
        .take(253)
        .take_while(|byte| ALNUM.contains(**byte) || matches!(byte, b'.' | b'-'))
        .count();
    let host = text[keyword.end..keyword.end + domain].trim_end_matches(['.', '-']);
    let (name, last) = host.rsplit_once('.')?;
    let good = start < keyword.start
        && !name.is_empty()
        && !name.starts_with(['.', '-'])
        && !host.contains("..")
        && (2..=24).contains(&last.len())
        && last.bytes().all(|byte| byte.is_ascii_alphabetic())
        // Pictures for two densities, and repository addresses.
        && !matches!(last, "png" | "jpg" | "svg" | "webp" | "gif")
        && !(bytes[start..keyword.start].eq(b"git") && bytes.get(keyword.end + domain) == Some(&b':'));
    let end = keyword.end + host.len();
    good.then_some(start..end)
}

/// The name in a path to a home directory; the keyword is the part before it.
pub(crate) fn home_name(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // `-home-name-project`, as project folders are named, has no other end.
    let dashes = bytes[keyword.start] == b'-';
    if dashes
        && !bytes[..keyword.start]
            .last()
            .is_none_or(|byte| matches!(byte, b'/' | b'\\' | b'"' | b' ' | b'\n' | b'\'' | b'`'))
    {
        return None;
    }
    let name = text[keyword.end..]
        .char_indices()
        .take(64)
        .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '.') || (*c == '-' && !dashes)))
        .map_or(text.len().min(keyword.end + 64), |(length, _)| keyword.end + length);
    if !text.is_char_boundary(name) {
        return None;
    }
    let value = text[keyword.end..name].trim_end_matches(['.', '-']);
    let nobody = value.is_empty()
        || !value.contains(char::is_alphanumeric)
        || ["shared", "public", "default", "all", "linuxbrew"]
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word));
    (!nobody).then(|| keyword.end..keyword.end + value.len())
}

/// The path of a webhook, which is its password.
pub(crate) fn hook_path(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let length = bytes[keyword.end..]
        .iter()
        .take(256)
        .take_while(|byte| URL64.contains(**byte) || **byte == b'/')
        .count();
    let path = &text[keyword.end..keyword.end + length];
    let longest = path.split('/').map(str::len).max().unwrap_or(0);
    let good = longest >= 20
        && path.bytes().any(|byte| DIGIT.contains(byte))
        && !is_placeholder(path)
        && !contains_any_case(path, "webhook");
    good.then(|| keyword.end..keyword.end + length)
}

/// The path of a webhook with a short key: a number, then the key.
pub(crate) fn short_hook_path(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let number = DIGIT.run(&bytes[keyword.end..], 12);
    let rest = bytes.get(keyword.end + number + 1..)?;
    let length = ALNUM.run(rest, 24);
    let slash = bytes.get(keyword.end + number) == Some(&b'/');
    (number >= 4 && slash && length >= 5).then(|| keyword.end..keyword.end + number + 1 + length)
}

/// A key of hex digits or letters that a service is named with: in quotes, or
/// after a separator, soon after its name. The keyword is that name.
pub(crate) fn nearby_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 120;
    let bytes = text.as_bytes();
    let line = memchr::memrchr(b'\n', &bytes[..keyword.start]).map_or(0, |newline| newline + 1);
    let start = line.max(keyword.start.saturating_sub(FARTHEST));
    let rest = &bytes[..bytes.len().min(keyword.end + FARTHEST)];
    let mut at = start;
    while at < rest.len() {
        let length = ALNUM.run(&rest[at..], 80);
        let place = at..at + length;
        at += length.max(1);
        let opens =
            bytes[..place.start].last().is_some_and(|b| matches!(b, b'"' | b'\'' | b' ' | b'='));
        let closes = bytes.get(place.end).is_none_or(|b| !matches!(b, b'/' | b'-' | b'_' | b'.'));
        let value = &bytes[place.clone()];
        let hex =
            length == 32 && value.iter().all(|byte| HEX.contains(*byte)) && entropy(value) >= 3.0;
        let mixed = matches!(length, 25 | 40 | 50)
            && entropy(value) >= 4.0
            && text.get(place.clone()).is_some_and(is_mixed);
        if opens && closes && (hex || mixed) {
            return Some(place);
        }
    }
    None
}

/// Forty characters of base64 soon after the id of an access key, however they are
/// separated. The keyword starts the id.
pub(crate) fn nearby_secret(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 160;
    const LENGTH: usize = 40;
    let bytes = text.as_bytes();
    let limit = bytes.len().min(keyword.start + 20 + FARTHEST);
    let mut at = keyword.start + 20;
    while at < limit {
        let length = BASE64.run(&bytes[at..], LENGTH + 1);
        let place = at..at + length;
        at += length.max(1);
        let is_secret = |value: &str| is_mixed(value) && entropy(value.as_bytes()) >= 4.0;
        if length == LENGTH && text.get(place.clone()).is_some_and(is_secret) {
            return Some(place);
        }
    }
    None
}

/// `1/1234567890123456:hex`, a token of Asana. The keyword is its name.
pub(crate) fn asana_token(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 240;
    let bytes = text.as_bytes();
    let from = keyword.start.saturating_sub(FARTHEST);
    let rest = &bytes[from..bytes.len().min(keyword.end + FARTHEST)];
    memchr::memchr_iter(b':', rest).find_map(|colon| {
        let colon = from + colon;
        let hex = HEX.run(&bytes[colon + 1..], 40);
        let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b'/';
        let number = bytes[..colon].iter().rev().take(40).take_while(is_number).count();
        (hex == 32 && number >= 14).then(|| colon - number..colon + 1 + hex)
    })
}

/// The path of a Teams webhook, which contains ids of the group and the tenant.
pub(crate) fn teams_path(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let length = text.as_bytes()[keyword.end..]
        .iter()
        .take(400)
        .take_while(|byte| URL64.contains(**byte) || matches!(byte, b'/' | b'@'))
        .count();
    let path = &text[keyword.end..keyword.end + length];
    let id = path.split(['/', '@']).any(|part| part.len() >= 32 && part.contains(char::is_numeric));
    (id && !is_placeholder(path)).then(|| keyword.end..keyword.end + length)
}

/// The signature in `sig=…`, which grants access to an Azure URL. The keyword
/// is that name.
pub(crate) fn azure_signature(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if bytes[..keyword.start].last().is_some_and(|byte| WORD.contains(*byte)) {
        return None;
    }
    let start = keyword.end;
    let length = QUERY64.run(&bytes[start..], 120);
    let value = &text[start..start + length];
    // Signatures of other services are shorter, and stand in the query of a link.
    let is_in_query = matches!(bytes[..keyword.start].last(), Some(b'?' | b'&' | b';'));
    let least = if is_in_query && is_mixed(value) { 24 } else { 43 };
    ((least..=96).contains(&length) && entropy(value.as_bytes()) >= 3.5 && !is_placeholder(value))
        .then(|| start..start + length)
}

/// The key in `https://KEY@o1.ingest.sentry.io/2`.
pub(crate) fn sentry_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let host = ALNUM.run_back(&bytes[..keyword.start], 24);
    let at = (keyword.start - host).checked_sub(1).filter(|at| bytes[*at] == b'@')?;
    let key = ALNUM.run_back(&bytes[..at], 32);
    (key == 32).then(|| at - key..at)
}

/// Whether an AWS key is not the one from the documentation.
pub(crate) fn is_not_example(secret: &str) -> bool {
    !secret.ends_with("EXAMPLE") && entropy(secret.as_bytes()) >= 2.8 && !is_placeholder(secret)
}

/// Whether the parts between dots or dashes look random.
pub(crate) fn has_digits_and_letters(secret: &str) -> bool {
    secret.bytes().any(|byte| byte.is_ascii_digit())
        && secret.bytes().any(|byte| byte.is_ascii_alphabetic())
        && entropy(secret.as_bytes()) >= 3.0
        && !is_placeholder(secret)
        && secret.bytes().filter(|byte| !WORD.contains(*byte)).count() * 4 < secret.len()
}
