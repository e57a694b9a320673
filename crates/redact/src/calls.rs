//! Passwords and keys among the arguments of a call that takes one:
//! `login("ann", "…")`, `HTTPBasicAuth('ann', '…')`, `jwt.sign(payload, '…')`.
//!
//! The language does not matter: an argument is a string that looks like a
//! password. Named arguments are deliberately not here (`assignment`).

use std::ops::Range;

use crate::assignment::{
    is_random_key, is_scrambled_password, is_signed_password, is_strong_password,
};
use crate::check::is_placeholder;
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
];

/// The first string argument that is a secret. The keyword ends with the
/// opening bracket.
pub(crate) fn argument(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let name = name_of(text, keyword.end - 1);
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let (is_login, is_key) = (has(LOGINS), has(KEYS));
    let limit = bytes.len().min(keyword.end + LONGEST);
    let mut at = keyword.end;
    let mut depth = 1;
    while at < limit {
        match bytes[at] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return None;
                }
            }
            b';' => return None,
            quote @ (b'"' | b'\'') => {
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
                if !named && is_argument(value, is_login, is_key) {
                    return Some(start + skipped..end);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn is_argument(value: &str, is_login: bool, is_key: bool) -> bool {
    let symbols = value.contains(['/', '(', '{', '<', ' ', ',']) || value.contains("::");
    if symbols || is_placeholder(value) || value.starts_with(['.', '$', '@']) {
        return false;
    }
    let value = value.trim_start_matches(['#', '%', '^']);
    let value = value.trim_end_matches("\\n").trim_end_matches("\\r");
    let is_plain = !value.contains(['@', '?', '=', '\\']) && !value.contains("%s");
    (is_login && is_plain && (is_strong_password(value) || is_scrambled_password(value)))
        || ((is_login || is_key) && is_plain && is_signed_password(value))
        || (is_key && value.len() >= 24 && is_random_key(value))
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
