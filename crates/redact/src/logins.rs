//! Passwords that follow a user name: `curl -u user:password`, `smbclient -U
//! user%password`, `sqlplus user/password@host`.

use std::ops::Range;

use memchr::memmem;

use crate::assignment::{is_scrambled_password, is_signed_password, is_strong_password};
use crate::check::{entropy, is_placeholder};
use crate::commands::{bare_length, is_well_known};
use crate::letters::is_visible;
use crate::pattern::{ALNUM, DOTTED, starts_token};

/// Programs with an option for a login, and what separates its parts.
const PROGRAMS: &[(&[u8], u8)] = &[
    (b"curl", b':'),
    (b"http ", b':'),
    (b"https ", b':'),
    (b"xh ", b':'),
    (b"wget", b':'),
    (b"bundle", b':'),
    (b"lftp", b','),
    (b"open ", b','),
    (b"smbclient", b'%'),
    (b"rpcclient", b'%'),
    (b"smbget", b'%'),
    (b"smbmap", b'%'),
    (b"net ", b'%'),
    (b"winexe", b'%'),
];

/// The password in `curl -u user:password`. The keyword is the option, with the
/// blank or the equals sign after it.
pub(crate) fn login_option(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut start = keyword.end;
    let apart = bytes[keyword.start] == b' '
        || bytes[..keyword.start].last().is_none_or(u8::is_ascii_whitespace)
        // The end of a long option: `--web-auth`.
        || (keyword.len() > 4 && bytes[..keyword.start].last().is_some_and(u8::is_ascii_alphanumeric));
    if !apart {
        return None;
    }
    // The command with this option must be earlier on the line.
    let line = memchr::memrchr(b'\n', &bytes[..start]).map_or(0, |newline| newline + 1);
    let line = line.max(start.saturating_sub(2000));
    let before = &bytes[line..start];
    let separator = PROGRAMS
        .iter()
        .find(|(name, _)| memmem::find(before, name).is_some())
        .map(|(_, separator)| *separator);
    let escapes = bytes[start..].iter().take(4).take_while(|byte| **byte == b'\\').count();
    let mut quote = None;
    if let Some(mark @ (b'"' | b'\'')) = bytes.get(start + escapes) {
        quote = Some(*mark);
        start += escapes + 1;
    }
    let is_share = text[keyword.clone()].starts_with("-U");
    if is_share || text[keyword.clone()].contains("user = ") {
        start += skip_domain(&bytes[start..]);
    }
    let rest = &bytes[start..bytes.len().min(start + 512)];
    let length = quote.map_or_else(
        || bare_length(rest),
        |mark| {
            let ends = |byte: u8| byte == mark || byte == b'\n' || (byte == b'\\' && mark == b'"');
            rest.iter().take_while(|byte| !ends(**byte)).count()
        },
    );
    let login = text.get(start..start + length)?;
    // `ann:'…'`
    if quote.is_none()
        && let Some(mark @ (b'"' | b'\'')) = bytes.get(start + length)
        && login.ends_with([':', '%', ','])
        && separator.is_none_or(|separator| login.ends_with(char::from(separator)))
    {
        let from = start + length + 1;
        let rest = &bytes[from..bytes.len().min(from + 200)];
        let inner = rest.iter().position(|byte| byte == mark || *byte == b'\n')?;
        let password = text.get(from..from + inner)?;
        let is_likely = is_signed_password(password)
            || is_scrambled_password(password)
            || is_strong_password(password);
        let good = if separator.is_some() { is_plain(login, password) } else { is_likely };
        return good.then(|| from..from + inner);
    }
    let separator = separator.or((&text[keyword.clone()] == "stats auth ").then_some(b':'));
    let Some(separator) = separator else {
        // Of other programs, only what nothing else looks like.
        let (user, password) = login.split_once(if is_share { '%' } else { ':' })?;
        let is_password =
            is_signed_password(password) || is_scrambled_password(password) || is_key(password);
        let is_login = !login.contains(['/', '\\']) && is_password;
        return is_login.then(|| start + user.len() + 1..start + length);
    };
    let (user, password) = login.split_once(char::from(separator))?;
    // A key in place of the user: `-u KEY:` or `-u KEY:x`.
    if password.len() < 4 && is_key(user) {
        return Some(start..start + user.len());
    }
    is_plain(user, password).then(|| start + user.len() + 1..start + length)
}

/// `DOMAIN\\` before a user name.
fn skip_domain(rest: &[u8]) -> usize {
    let name = DOTTED.run(rest, 40);
    let slashes = rest[name..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    let is_domain = name > 0 && slashes > 0;
    if is_domain && rest.get(name + slashes).is_some_and(u8::is_ascii_alphanumeric) {
        name + slashes
    } else {
        0
    }
}

fn is_key(user: &str) -> bool {
    user.len() >= 18
        && user.bytes().filter(u8::is_ascii_digit).count() >= 2
        && entropy(user.as_bytes()) >= 3.2
        && !user.contains(['$', '@', '<', '{'])
        && !is_placeholder(user)
}

fn is_plain(user: &str, password: &str) -> bool {
    password.len() >= 4
        && !password.starts_with(['$', '<', '{', '*'])
        && !password.contains("${")
        && !is_well_known(password)
        && !password.eq_ignore_ascii_case(user)
        && !is_placeholder(password)
}

/// The password in `sqlplus user/password@host`. The keyword is the command.
pub(crate) fn slash_login(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if !starts_token(bytes, keyword.start) {
        return None;
    }
    let blanks = bytes[keyword.end..].iter().take(8).take_while(|byte| **byte == b' ').count();
    let flags = if bytes[keyword.end + blanks..].starts_with(b"-") { 3 } else { 0 };
    let start = keyword.end + blanks + flags;
    let user = DOTTED.run(bytes.get(start..)?, 40);
    if user == 0 || bytes.get(start + user) != Some(&b'/') {
        return None;
    }
    let secret = start + user + 1;
    let is_part = |byte: &u8| is_visible(*byte) && !b"@\"'`\\;|".contains(byte);
    let length = bytes[secret..].iter().take(64).take_while(|byte| is_part(byte)).count();
    let password = text.get(secret..secret + length)?;
    let host = bytes.get(secret + length) == Some(&b'@');
    let is_number = host && password.bytes().any(|byte| byte.is_ascii_digit());
    let plain = is_plain(text.get(start..start + user)?, password)
        && !password.contains('/')
        && (is_number || !password.contains('.'));
    let good = plain
        && (host || is_strong_password(password))
        && password.bytes().any(|b| ALNUM.contains(b));
    good.then_some(secret..secret + length)
}
