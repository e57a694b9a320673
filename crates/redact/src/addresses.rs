//! Passwords in addresses without a scheme: `user:password@host`,
//! `DOMAIN/user:'password'@host`, and `user@host:password`, as lists of logins
//! have them. URLs are deliberately not here (`contexts`).

use std::ops::Range;

use crate::assignment::{is_scrambled_password, is_signed_password, is_worded_password};
use crate::check::{contains_any_case, is_placeholder};
use crate::commands::is_well_known;
use crate::letters::{ascii, is_visible};
use crate::pattern::{ALNUM, DOTTED, WORD};

/// What follows the `@` in the data sources of Go: `ann:…@tcp(host:3306)/name`.
const NETWORKS: &[&[u8]] = &[b"tcp(", b"tcp6(", b"unix(", b"udp(", b"cloudsql("];

/// The longest login or password.
const LONGEST: usize = 80;

/// The password before or after the `@`, which is the keyword. Only characters
/// that names and paths do not have make it one.
pub(crate) fn address_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    find_before(text, keyword.start).or_else(|| find_after(text, keyword.end))
}

fn is_user(byte: u8) -> bool {
    DOTTED.contains(byte) || matches!(byte, b'/' | b'\\')
}

/// `user:password@host`
fn find_before(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // The version of a symbol: `_ZN…@@GLIBCXX_3.4`
    if bytes[..at].ends_with(b"@") {
        return None;
    }
    let is_source = is_source(text, at);
    let is_host = |byte: &u8| ALNUM.contains(*byte) || *byte == b'[';
    if !is_source && !bytes.get(at + 1).is_some_and(is_host) {
        return None;
    }
    let (end, ends): (usize, fn(u8) -> bool) = match bytes[..at].last()? {
        b'\'' => (at - 1, |byte| byte == b'\'' || byte == b'\n'),
        b'"' => (at - 1, |byte| byte == b'"' || byte == b'\n'),
        byte if is_visible(*byte) => {
            (at, |byte| !is_visible(byte) || matches!(byte, b'"' | b'\'' | b'`' | b','))
        }
        _ => return None,
    };
    let floor = end.saturating_sub(LONGEST);
    let start =
        bytes[floor..end].iter().rposition(|byte| ends(*byte)).map_or(floor, |at| floor + at + 1);
    let has_user = |colon: usize| bytes[..colon].last().is_some_and(|byte| is_user(*byte));
    let is_good = |secret: &Range<usize>| {
        text.get(secret.clone())
            .is_some_and(|value| !value.starts_with("//") && is_signed_password(&ascii(value)))
    };
    if end < at {
        // The colon is before the quote.
        let colon = start.checked_sub(2).filter(|colon| bytes[*colon] == b':')?;
        return Some(start..end).filter(|secret| has_user(colon) && is_good(secret));
    }
    // `ann:…@tcp(host)`, `ann:…@host`; images and packages have a digest or a version there.
    let after = &bytes[at + 1..];
    let is_host = !after.starts_with(b"sha256") && !after[0].is_ascii_digit();
    let is_scrambled =
        |secret: Range<usize>| is_host && text.get(secret).is_some_and(is_scrambled_password);
    memchr::memchr_iter(b':', &bytes[start..end])
        .map(|colon| start + colon)
        .find(|colon| {
            let secret = colon + 1..end;
            let is_worded = || text.get(secret.clone()).is_some_and(is_worded_password);
            has_user(*colon)
                && (is_good(&secret)
                    || is_scrambled(secret.clone())
                    || (is_host && is_worded())
                    || (is_source && text.get(secret.clone()).is_some_and(is_of_source)))
        })
        .map(|colon| colon + 1..end)
}

/// Whether the `@` is that of a data source of Go: before a network, an address in brackets,
/// or nothing but the name of a database in a line that speaks of one.
fn is_source(text: &str, at: usize) -> bool {
    const NEARBY: usize = 120;
    let after = &text.as_bytes()[at + 1..];
    let is_name = |byte: Option<&u8>| byte.is_some_and(|byte| WORD.contains(*byte));
    let has_database = || {
        let floor = text.ceil_char_boundary(at.saturating_sub(NEARBY));
        let line = text[floor..at].rsplit('\n').next().unwrap_or_default();
        ["sql", "dsn", "database", "db_", "datasource"].iter().any(|w| contains_any_case(line, w))
    };
    match after {
        [b'(', ..] => {
            after.iter().take(LONGEST).position(|byte| *byte == b')').is_some_and(|end| {
                after.get(end + 1) == Some(&b'/') && !after[..end].contains(&b' ')
            })
        }
        [b'/', ..] => is_name(after.get(1)) && has_database(),
        _ => NETWORKS.iter().any(|name| after.starts_with(name)),
    }
}

/// Whether this is the password of a data source, whose form alone is proof.
fn is_of_source(value: &str) -> bool {
    value.len() >= 4
        && !value.starts_with(['$', '<', '{', '%', '*'])
        && !value.contains("${")
        && !is_well_known(value)
        && !is_placeholder(value)
}

/// `user@host:password`
fn find_after(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let host = DOTTED.run(&bytes[at..], LONGEST);
    let start = at + host + 1;
    let has_user = bytes[..at - 1].last().is_some_and(|byte| ALNUM.contains(*byte));
    if !has_user || bytes.get(start - 1) != Some(&b':') || !bytes[at..at + host].contains(&b'.') {
        return None;
    }
    let is_part = |byte: &&u8| byte.is_ascii_graphic() && !b"\"'`\\,;".contains(byte);
    let length = bytes[start..].iter().take(LONGEST).take_while(is_part).count();
    let secret = start..start + length;
    is_signed_password(text.get(secret.clone())?).then_some(secret)
}
