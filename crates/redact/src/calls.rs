//! Passwords and keys among the arguments of a call that takes one:
//! `login("ann", "…")`, `HTTPBasicAuth('ann', '…')`, `jwt.sign(payload, '…')`.
//!
//! The language does not matter: an argument is a string that looks like a
//! password. Named arguments are deliberately not here (`assignment`).

use std::ops::Range;

use crate::assignment::{
    is_chosen_password, is_disordered, is_noise, is_pass_phrase, is_random_key,
    is_scrambled_password, is_signed_password, is_strong_password, is_worded_password,
};
use crate::check::{contains_any_case, is_placeholder};
use crate::labels::is_numbered_word;
use crate::pattern::WORD;

/// How far the arguments reach.
const LONGEST: usize = 240;

/// Words of names whose arguments hold a password.
const LOGINS: &[&str] = &[
    "btoa",
    "b64",
    "base64",
    "sendline",
    "send_keys",
    "keyfile",
    "keystore",
    "auth",
    "login",
    "connect",
    "sequelize",
    "credential",
    "passw",
    "pwd",
    "superuser",
    "user",
    "begin",
    "pdo",
    "mysqli",
    "signin",
    "sign_in",
    "logon",
    "unlock",
    "open",
    "authenticate",
    "hash",
    "bcrypt",
    "hashpw",
    "argon2",
    "make",
    "encode",
    "frompassword",
    "scrypt",
    "pbkdf2",
    "checkpw",
];

/// Words of names whose arguments hold a key.
const KEYS: &[&str] = &[
    "jwt",
    "hmac",
    "cipher",
    "fernet",
    "aes",
    "sign",
    "verify",
    "encrypt",
    "decrypt",
    "secretkey",
    "keyspec",
    "secretbox",
    "crypt",
    "token",
    "apikey",
    "api_key",
    "client",
    "configure",
    "init",
    "securitykey",
    "cookieparser",
    "headervalue",
    "new",
    "totp",
    "from_key",
    "wallet",
    "license",
    "setkey",
    "algolia",
];

/// The first string argument that is a secret. The keyword ends with the
/// opening bracket.
pub(crate) fn argument(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let name = name_of(text, keyword.end - 1);
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let (is_login, mut is_key) = (has(LOGINS), has(KEYS));
    // Hex digits are a key if they are assigned to one.
    if ["fromhex", "unhexlify", "hex2bin"].iter().any(|decoder| name.ends_with(decoder)) {
        let floor = text.ceil_char_boundary(keyword.start.saturating_sub(40));
        let line = text[floor..keyword.start].rsplit('\n').next().unwrap_or_default();
        is_key = contains_any_case(line, "key") || contains_any_case(line, "secret");
    }
    let is_hashing = ["make(", "create(", "hash", "crypt", "argon2"]
        .iter()
        .any(|word| contains_any_case(&text[keyword.clone()], word));
    let limit = bytes.len().min(keyword.end + LONGEST);
    let mut at = keyword.end;
    let (mut depth, mut is_first) = (1, true);
    while at < limit {
        match bytes[at] {
            // `q{…}` of Perl.
            b'{' if at > 0 && bytes[at - 1] == b'q' => {
                let length = memchr::memchr2(b'}', b'\n', &bytes[at + 1..limit])?;
                let value = text.get(at + 1..at + 1 + length)?;
                if is_login && !is_first && is_second(value, &name) {
                    return Some(at + 1..at + 1 + length);
                }
                is_first = false;
                at += length;
            }
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return None;
                }
            }
            b';' => return None,
            quote @ (b'"' | b'\'' | b'`') => {
                let escapes =
                    bytes[keyword.end..at].iter().rev().take_while(|b| **b == b'\\').count();
                let start = at + 1;
                let rest = &bytes[start..limit];
                let length = rest.iter().position(|byte| *byte == quote || *byte == b'\n')?;
                let end = start + length - escapes.min(length);
                let value = text.get(start..end)?;
                at = start + length;
                let named = bytes[..start - 1 - escapes].last() == Some(&b'=');
                // `ann:…`, which is encoded for a header.
                let login = value.split_once(':').filter(|_| name.contains('b'));
                let (skipped, value) =
                    login.map_or((0, value), |(user, password)| (user.len() + 1, password));
                let is_signing = name.contains("jwt") || name.contains("hmac");
                let is_argument = is_argument(value, is_login, is_key)
                    || (is_signing && is_signing_key(value))
                    || (is_key && is_pass_phrase(value))
                    || (is_login && !is_first && is_second(value, &name))
                    || (is_hashing && is_numbered_word(value));
                is_first = false;
                if !named && is_argument {
                    return Some(start + skipped..end);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The password that a test types into a field whose name speaks of one. The
/// keyword is in the call that types.
pub(crate) fn typed(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const LABELS: &[&str] =
        &["passw", "#pass", "pass'", "pass\"", "passphrase", "pwd", "secret", "passcode"];
    let bytes = text.as_bytes();
    let floor = keyword.start.saturating_sub(LONGEST);
    let line =
        memchr::memrchr(b'\n', &bytes[floor..keyword.start]).map_or(floor, |at| floor + at + 1);
    let line = text.ceil_char_boundary(line);
    let rest = &bytes[..bytes.len().min(keyword.end + LONGEST)];
    let limit =
        memchr::memchr(b'\n', &rest[keyword.end..]).map_or(rest.len(), |at| keyword.end + at);
    let mut at = keyword.end;
    while let Some(open) = rest[at..limit].iter().position(|byte| b"\"'`".contains(byte)) {
        let start = at + open + 1;
        let length = memchr::memchr(rest[start - 1], &rest[start..limit])?;
        let value = text.get(start..start + length)?.trim_end_matches('\\');
        // Keys that end the input.
        let value = value.split(['{', '\\']).next().unwrap_or(value);
        let before = text[line..start].to_ascii_lowercase();
        if LABELS.iter().any(|label| before.contains(label)) && is_typed(value) {
            return Some(start..start + value.len());
        }
        at = start + length + 1;
    }
    None
}

fn is_typed(value: &str) -> bool {
    if value.len() >= 8 && is_chosen_password(value) && !value.contains([' ', '/', '[', '=']) {
        return true;
    }
    let signed = value.replace('@', "!");
    let is_selector = value.starts_with(['#', '.', '[', '/', '$'])
        || value.contains([' ', '/', '(', '<', ','])
        || (value.contains('=') && !value.contains(['!', '#', '^', '&', '*', '%']));
    !is_selector
        && !is_address(value)
        && !is_placeholder(value)
        && (is_strong_password(value)
            || is_scrambled_password(value)
            || is_signed_password(&signed))
}

/// `ann@host.org`
fn is_address(value: &str) -> bool {
    value.split_once('@').is_some_and(|(_, host)| host.contains('.'))
}

/// Whether the argument after that of the user is a password that somebody chose.
fn is_second(value: &str, name: &str) -> bool {
    const CERTAIN: [&str; 8] = [
        "networkcredential",
        "pdo",
        "mysqli",
        "getconnection",
        "dbi",
        "login",
        "basicauth",
        "signin",
    ];
    let has_mark = value.bytes().any(|byte| byte.is_ascii_digit() || b"!#$&+*".contains(&byte));
    let is_name = value.contains(['_', '.', '/', ':', '@'])
        && !value.contains(['!', '#', '$', '&', '+', '*']);
    value.len() >= 8
        && is_chosen_password(value)
        && (CERTAIN.iter().any(|word| name.contains(word)) || (has_mark && !is_name))
}

fn is_argument(value: &str, is_login: bool, is_key: bool) -> bool {
    if is_login && (is_noise(value) || is_disordered(value)) && !value.contains(' ') {
        return true;
    }
    let is_base64 = value.len() >= 40 && value.ends_with('=') && is_random_key(value);
    let symbols =
        (value.contains(['/', '(', '{', '<', ' ', ',']) && !is_base64) || value.contains("::");
    if symbols || is_placeholder(value) || value.starts_with(['.', '$', '@']) {
        return false;
    }
    let value = value.trim_start_matches(['#', '%', '^']);
    let value = value.trim_end_matches("\\n").trim_end_matches("\\r");
    let is_named = value.contains('=') && !value.contains(['!', '#', '^', '&', '*']);
    let inner = value.trim_end_matches('?');
    let is_plain =
        !is_address(value) && !is_named && !inner.contains(['?', '\\']) && !value.contains("%s");
    let signed = value.replace('@', "!");
    (is_login
        && is_plain
        && (is_strong_password(value)
            || is_scrambled_password(value)
            || is_worded_password(value)
            || is_signed_password(&signed)))
        || ((is_login || is_key) && is_plain && is_signed_password(value))
        || ((is_key || is_base64) && value.len() >= 24 && is_random_key(value))
        || (is_login
            && value.contains(['!', '#', '@', '*', '?'])
            && is_signed_password(&value.replace('?', "!")))
}

/// Whether this is the key of a signature and not the name of an algorithm.
fn is_signing_key(value: &str) -> bool {
    const ALGORITHMS: [&str; 8] = ["sha", "aes", "rsa", "hmac", "hs", "utf", "md5", "ecdsa"];
    !ALGORITHMS.iter().any(|name| contains_any_case(value, name) && value.len() < 20)
        && !value.contains([' ', '/', '(', '{', '<', ','])
        && !value.starts_with(['.', '$', '@'])
        && !is_placeholder(value)
        && (is_scrambled_password(value)
            || is_worded_password(value)
            || is_signed_password(value)
            || (is_chosen_password(value) && value.len() >= 10))
}

/// The name before the bracket, in lower case, with the objects it belongs to.
fn name_of(text: &str, bracket: usize) -> String {
    let bytes = text.as_bytes();
    let is_name =
        |byte: &&u8| WORD.contains(**byte) || matches!(**byte, b'.' | b':' | b'>' | b'-' | b'=');
    let length = bytes[..bracket].iter().rev().take(40).take_while(is_name).count();
    // `auth = (`
    let length = length.max(bracket.min("auth = ".len()));
    let start = text.floor_char_boundary(bracket - length);
    text[start..bracket].to_ascii_lowercase()
}
