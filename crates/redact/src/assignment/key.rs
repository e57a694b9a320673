//! Keys: the values of names that end in `KEY`, in `PAT`, in `SALT` and the like.
//!
//! Anything may be called a key, so the value must be long and random, or the name or its section
//! must say what it opens.

use std::ops::Range;

use super::delimit::delimit;
use super::names::{is_in_key_section, names_cipher};
use super::noise::is_disordered;
use super::value::{self, is_random, is_reference, is_strong, is_worded};
use super::{
    Assignment, Certainty, Quoting, ends_with_any_case, is_chosen_password, is_public_key,
    is_uppercase, is_varied_literal, pairs,
};
use crate::check::{
    all, contains_any_case, entropy, is_jumbled, is_mixed, is_placeholder, is_uuid,
};
use crate::pattern::{ALNUM, ANY_HEX, WORD};

/// The value of a variable or a header that ends in `KEY`, or is a salt: many
/// such values are not secret, so it must be long and random. The keyword
/// starts before that word.
pub(crate) fn find_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const PUBLIC: &[&str] = &[
        "public",
        "publish",
        "cache",
        "primary",
        "foreign",
        "idempot",
        "sort",
        "partition",
        "object",
        "registry",
        "anon",
        "site",
        "host",
        "s3_",
        "bucket",
        "lock",
        "dedup",
        "known",
        "finger",
        "websocket",
        "manifest",
        "image",
        "file",
        "query",
        "content",
        "asset",
        "chunk",
        "row",
        "item",
        "group",
        "map",
        "routing-",
        "node",
        "shard",
        "etag",
        "sec-",
    ];
    let bytes = text.as_bytes();
    let back = WORD.run_back(&bytes[..keyword.start], 48);
    let dashes = bytes[..keyword.start]
        .iter()
        .rev()
        .take(48)
        .take_while(|byte| WORD.contains(**byte) || **byte == b'-')
        .count();
    // A keyword at the start of a line is the whole name.
    let is_whole_name = bytes[keyword.start] == b'\n';
    let back = if is_whole_name { 0 } else { back.max(dashes) };
    let name = &text[keyword.start - back..keyword.start];
    let is_public = PUBLIC.iter().any(|word| contains_any_case(name, word));
    // `active_record_encryption: primary_key: …`
    let is_of_cipher = name.ends_with("primary") && names_cipher(text, keyword.start);
    // `GPG_KEY`: the fingerprint of who signs a release.
    let is_signer =
        ends_with_any_case(name.as_bytes(), "gpg") || ends_with_any_case(name.as_bytes(), "pgp");
    if is_signer || is_public && !is_of_cipher {
        return None;
    }
    let name_end = keyword.start
        + text[keyword.clone()]
            .trim_end_matches([':', '=', ' ', '"', '\'', '<', '/', '&', '\n'])
            .len();
    let assignment = delimit(text, keyword.start..name_end)
        .filter(|assignment| assignment.value.len() > 5)
        .or_else(|| pairs::find_value(text, keyword.start, name_end))?;
    let value = assignment.text(text);
    let quoted = assignment.quoting == Quoting::Quoted;
    let is_variable = assignment.tight && !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let random = is_random(value)
        || (is_variable && value.len() >= 16 && all(ALNUM, value) && is_mixed(value))
        || (value.contains(':') && value.split(':').any(is_uuid))
        || (quoted && value.len() >= 20 && is_strong(value))
        || (is_uuid(value) && may_hold_uuid(text, &keyword, name, &assignment))
        || (quoted || is_variable)
            && is_cipher_key(name)
            && is_disordered(value)
            && value.len() >= 14
        || (quoted && value.len() >= 24 && is_base64_letters(value))
        || (value.len() >= 32
            && all(ANY_HEX, value)
            && is_jumbled(value)
            && entropy(value.as_bytes()) >= 2.7);
    // Anything may be called a key.
    let first = bytes[keyword.start];
    let is_wireless = || {
        let floor = text.ceil_char_boundary(keyword.start.saturating_sub(48));
        let path = text[floor..keyword.start].rsplit([' ', '\n']).next().unwrap_or_default();
        path.starts_with("wireless.") || contains_any_case(path, "wifi")
    };
    if quoted && is_wireless() && is_chosen_password(value) {
        return Some(assignment.value);
    }
    let is_auth = text[keyword.clone()].contains("auth");
    let is_name_before = bytes[..keyword.start].last().is_some_and(u8::is_ascii_alphanumeric);
    let is_named = WORD.contains(first) || is_auth || (first == b'-' && is_name_before);
    let is_bare_name = !is_named || first == b'k' || (first == b'K' && !is_name_before);
    let is_of_cipher = is_bare_name && names_cipher(text, keyword.start);
    let is_of_section = || is_uuid(value) && is_in_key_section(text, keyword.start);
    let random = (random && (!is_bare_name || is_mixed(value) || is_of_cipher || is_of_section()))
        || (is_of_cipher
            && quoted
            && value.len() >= 16
            && is_varied_literal(value)
            && is_chosen_password(value));
    let is_assigned = match assignment.certainty {
        Certainty::Assigned | Certainty::Line | Certainty::Nearby => random,
        Certainty::Directive => random && (is_mixed(value) || quoted) && !is_bare_name,
        Certainty::Compared => quoted && (random || is_worded(value)),
        Certainty::Prose => false,
    };
    (is_assigned && !is_public_key(value) && !is_reference(value)).then_some(assignment.value)
}

/// Whether a key may be a UUID: that of a variable in capitals, and `key = …` in a section that
/// an interface or a comment about a key has.
fn may_hold_uuid(text: &str, keyword: &Range<usize>, name: &str, assignment: &Assignment) -> bool {
    const OTHERS: &[&str] = &[
        "ID", "USER", "TENANT", "PROJECT", "ORG", "REQUEST", "TRACE", "MESSAGE", "EVENT", "BUILD",
        "DEVICE", "STORE", "TASK", "JOB", "RUN", "BATCH", "ENTITY", "UNIQUE", "NATURAL", "MAP",
    ];
    let word = text[keyword.clone()].trim_matches(|c: char| !c.is_ascii_alphabetic());
    let is_variable = matches!(word, "KEY" | "PAT") && !name.is_empty() && is_uppercase(name);
    let is_other = name.split('_').any(|part| OTHERS.contains(&part));
    let is_assigned = matches!(assignment.certainty, Certainty::Assigned | Certainty::Line);
    is_assigned
        && ((is_variable && !is_other)
            || (name.is_empty() && is_in_key_section(text, keyword.start)))
}

/// The names of keys that are made at random, in capitals.
fn is_cipher_key(name: &str) -> bool {
    [
        "SIGN",
        "SIGNING",
        "CRYPT",
        "HMAC",
        "SECRET",
        "API",
        "AUTH",
        "ENCRYPTION",
        "CIPHER",
        "JWT",
        "SECURITY",
        "PRIVATE",
        "MASTER",
    ]
    .iter()
    .any(|word| name.ends_with(word))
}

/// Letters of both cases in no order, with the signs of base64 but no digit.
fn is_base64_letters(value: &str) -> bool {
    let letters: String = value.chars().filter(|c| !matches!(c, '+' | '/' | '=')).collect();
    letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && letters.len() + 4 >= value.len()
        && !is_placeholder(value)
        && value::is_mixed(&letters)
}
