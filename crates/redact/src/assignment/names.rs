//! What the name of a value, and the words before it, say beyond the keyword in it: that it
//! belongs to a request, a page, a resource, a cipher, a header or a login.
//!
//! Neighbours of a value are deliberately not here (`neighbours`).

use std::ops::Range;

use super::chosen::is_whole_line;
use super::{Assignment, Certainty, Quoting, ends_with_any_case, is_any, is_chosen_password};
use crate::check::contains_any_case;
use crate::pattern::{ANY_HEX, WORD};

/// Whether words before a name that is nothing but `key` say what the key opens.
pub(super) fn names_cipher(text: &str, at: usize) -> bool {
    const WORDS: [&str; 9] =
        ["crypt", "jwt", "api key", "apikey", "hmac", "cipher", "signing", "wandb", "login("];
    let floor = text.ceil_char_boundary(at.saturating_sub(160));
    WORDS.iter().any(|word| contains_any_case(&text[floor..at], word))
}

/// Whether the name says that its value is an id or the fingerprint of a key: `PrivateKeyId`,
/// `signingkey` of Git.
pub(super) fn names_an_id(text: &str, keyword: &Range<usize>, end: usize, value: &str) -> bool {
    let name = &text[keyword.clone()];
    let rest = text[keyword.end..end].trim_start_matches(['_', '-']);
    let is_hex = value.bytes().all(|byte| ANY_HEX.contains(byte));
    let is_fingerprint = matches!(value.len(), 8 | 16 | 40)
        && is_any(name, &["signingkey"])
        && !value.bytes().any(|byte| byte.is_ascii_lowercase());
    is_hex && (is_any(rest, &["id"]) || is_fingerprint)
}

/// `<user>:<password>@host`: the name stands for a password in a template of an address.
pub(super) fn is_of_template(bytes: &[u8], keyword: &Range<usize>, end: usize) -> bool {
    let start = keyword.start - WORD.run_back(&bytes[..keyword.start], 24);
    bytes[..start].ends_with(b":<") && bytes[end..].starts_with(b">@")
}

/// Whether a bare `key` is in a section or below a comment that says what it opens: `[api]`,
/// `; ключ …`.
pub(super) fn is_in_key_section(text: &str, at: usize) -> bool {
    const KEYS: &[&str] = &[
        "api",
        "token",
        "secret",
        "auth",
        "key ",
        "key:",
        "ключ",
        "schlüssel",
        "clé",
        "clave",
        "chave",
        "chiave",
        "klucz",
        "sleutel",
        "nyckel",
        "密钥",
        "キー",
        "키",
    ];
    let floor = text.ceil_char_boundary(at.saturating_sub(160));
    let mut lines = text[floor..at].trim_end_matches('\n').rsplit('\n').take(4);
    lines
        .find(|line| line.trim_start().starts_with(['[', '#', ';']))
        .is_some_and(|line| KEYS.iter().any(|word| line.to_lowercase().contains(word)))
}

/// Whether the name is in the name of a resource: `arn:aws:secretsmanager:…:secret:…`
pub(super) fn is_in_resource(bytes: &[u8], keyword: usize) -> bool {
    let is_part = |byte: &&u8| byte.is_ascii_graphic();
    bytes[..keyword].ends_with(b":") && {
        let length = bytes[..keyword].iter().rev().take(120).take_while(is_part).count();
        memchr::memmem::find(&bytes[keyword - length..keyword], b"arn:").is_some()
    }
}

/// `secret_key: …`, `postmark_api_token: …`, a line of a configuration: the whole name says
/// what the value is.
pub(super) fn is_named_line(text: &str, keyword: &Range<usize>, assignment: &Assignment) -> bool {
    let name = &text[keyword.clone()];
    let is_kind = is_any(name, &["api_key", "apikey", "api-key", "secret_key", "access_key"])
        || (is_any(name, &["token", "secret"])
            && ["api_", "auth_", "access_", "client_", "api-", "auth-", "bot_", "app_"]
                .iter()
                .any(|kind| ends_with_any_case(&text.as_bytes()[..keyword.start], kind)));
    is_kind
        && assignment.quoting == Quoting::Bare
        && is_whole_line(text, keyword, assignment)
        && !names_a_request(text, keyword)
}

/// `username ann password …`, `utente ann, password …`: the last word of a clause that names a
/// user before the password.
pub(super) fn is_login_line(text: &str, keyword: usize, assignment: &Assignment) -> bool {
    const USERS: [&str; 8] = [
        "user ",
        "username ",
        "login ",
        "utente ",
        "usuario ",
        "benutzer ",
        "gebruiker ",
        "account ",
    ];
    if assignment.certainty != Certainty::Directive || assignment.value.len() < 8 {
        return false;
    }
    let floor = text.ceil_char_boundary(keyword.saturating_sub(40));
    let before = text[floor..keyword].rsplit('\n').next().unwrap_or_default();
    let is_user = USERS.iter().any(|user| {
        before.rfind(user).is_some_and(|at| {
            let name = before[at + user.len()..].trim_end_matches([' ', ',', ';', '/', ':']);
            name.len() >= 2 && !name.contains(' ')
        })
    });
    let value = assignment.text(text);
    let next = text.as_bytes().get(assignment.value.end);
    is_user
        && matches!(next, None | Some(b'\n' | b'\r' | b',' | b'.' | b'"' | b'\''))
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && is_chosen_password(value)
}

/// `secret_id=…`, `SecretID: …`: the half of a login of Vault or Consul that is secret.
pub(super) fn is_secret_id(text: &str, keyword: &Range<usize>, end: usize) -> bool {
    let name = &text[keyword.start..end];
    ["secret_id", "secretid", "secret-id"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether the name is that of a page, of a request or of a version, which UUIDs tell apart.
pub(super) fn names_a_request(text: &str, keyword: &Range<usize>) -> bool {
    const OTHERS: [&str; 14] = [
        "idempot", "page", "next", "continu", "cancel", "request", "sync", "trace", "correl",
        "client", "lock", "lease", "cache", "resume",
    ];
    let bytes = text.as_bytes();
    let is_name = |byte: &&u8| WORD.contains(**byte) || **byte == b'-';
    let length = bytes[..keyword.start].iter().rev().take(40).take_while(is_name).count();
    let name = &text[keyword.start - length..keyword.start];
    let is_other = OTHERS.iter().any(|word| contains_any_case(name, word));
    is_other && text[keyword.clone()].eq_ignore_ascii_case("token")
}

/// Whether the name is that of a place in a list: `next_page_token`, `continuationToken`.
pub(super) fn names_a_page(text: &str, keyword: &Range<usize>) -> bool {
    const PAGES: [&str; 7] =
        ["page", "next", "continuation", "continue", "sync", "idempotency", "cursor"];
    let before = text[text.ceil_char_boundary(keyword.start.saturating_sub(24))..keyword.start]
        .trim_end_matches(['_', '-']);
    text[keyword.clone()].eq_ignore_ascii_case("token")
        && PAGES.iter().any(|page| ends_with_any_case(before.as_bytes(), page))
}

/// `X-Service-Token:`, a header whose value may be a UUID.
pub(super) fn is_header(bytes: &[u8], keyword: usize) -> bool {
    let back = bytes[..keyword]
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| WORD.contains(**byte) || **byte == b'-')
        .count();
    let name = &bytes[keyword - back..keyword];
    name.len() >= 3 && matches!(name, [b'X' | b'x', b'-', .., b'-'])
}
