//! Judges a word after a label by its characters: whether a generator or a person made it as a
//! password, or whether it is a name, a path, a version or code.
//!
//! What stands between the label and the word is deliberately not here (`mod`).

use crate::assignment::{
    is_chosen_password, is_pass_phrase, is_scrambled_password, is_strong_password,
    is_worded_password,
};
use crate::check::{is_mixed, is_placeholder, is_uuid};
use crate::letters::ascii;
use crate::pattern::ANY_HEX;

/// Numbers of a wireless network, of a card, of a door: no year and no row of digits.
pub(crate) fn is_number_password(value: &str) -> bool {
    let steps = || value.as_bytes().windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
    (5..=24).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_digit())
        && !value.ends_with("000")
        && !steps().all(|step| step == 0)
        && steps().filter(|step| *step == 1).count() + 2 < value.len()
        && !(value.len() == 8 && value.starts_with("20"))
}

/// Whether a word is a password and no name, path, version or code, whatever leads to it.
pub(crate) fn is_certain(value: &str) -> bool {
    let plain = &*ascii(value);
    let has = |test: fn(u8) -> bool| plain.bytes().any(test);
    let signs = plain.bytes().filter(|byte| b"!#$%^&*+?~@,;".contains(byte)).count();
    let inner: String = plain.chars().filter(|c| !matches!(c, '-' | '_' | '.' | '~')).collect();
    if !(8..=64).contains(&plain.len()) || is_code(value) || is_placeholder(plain) {
        return false;
    }
    let is_varied = has(|b| b.is_ascii_uppercase()) && has(|b| b.is_ascii_lowercase());
    let is_signed = is_varied
        && signs > 0
        && is_strong_password(plain)
        && crate::nearby::is_inner(plain)
        && is_chosen_form(plain);
    let is_joined = inner.len() >= 10 && is_scrambled_password(&inner) && is_mixed(&inner);
    is_signed || (!plain.contains('=') && (is_scrambled_password(plain) || is_joined))
}

/// The symbols of a list of names, of a query or of an equation are not enough.
fn is_chosen_form(plain: &str) -> bool {
    let others = plain.bytes().filter(|byte| b"!#$%^&*~".contains(byte)).count();
    others > 0 || !plain.contains(['=', '?', ',', ';']) && plain.contains(['@', '+'])
}

/// Whether a word that a label leads to is a password that somebody chose.
pub(super) fn is_chosen(value: &str) -> bool {
    let plain = &*ascii(value);
    let has_digit = plain.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = plain.bytes().any(|byte| byte.is_ascii_alphabetic());
    let has_mark =
        plain.trim_end_matches(['!', '?']).contains(['!', '#', '$', '&', '+', '*', '^', '@', '_']);
    let is_word = plain.bytes().skip(1).all(|b| b.is_ascii_lowercase());
    plain.len() >= 7
        && !is_code(value)
        && has_letter
        && ((has_digit && is_long_enough(plain))
            || (has_mark && !is_word && plain.contains(['!', '#', '&', '*']))
            || is_pass_phrase(plain))
        && is_chosen_password(plain)
}

fn is_long_enough(plain: &str) -> bool {
    let digits = plain.bytes().filter(u8::is_ascii_digit).count();
    let has = |test: fn(u8) -> bool| plain.bytes().any(test);
    plain.len() >= 8
        && (digits >= 2
            || has(|b| b.is_ascii_uppercase())
            || is_worded_password(plain)
            || has(|b| b"_.!-".contains(&b)))
}

/// Letters of both cases, a digit, and more than a word with a number.
pub(super) fn is_varied(value: &str) -> bool {
    let plain = &*ascii(value);
    let has = |test: fn(u8) -> bool| plain.bytes().any(test);
    has(|b| b.is_ascii_uppercase())
        && has(|b| b.is_ascii_lowercase())
        && has(|b| b.is_ascii_digit())
        && plain.len() >= 10
        && (plain.contains(['_', '.', '!', '@', '#', '*', '+', '&']) || is_worded_password(plain))
}

/// `Harbor-1217`: a word with a capital, a sign and at least three digits, that is not the name
/// of a machine, a system or a document.
pub(crate) fn is_numbered_word(value: &str) -> bool {
    const NAMES: [&str; 34] = [
        "server", "host", "windows", "ubuntu", "debian", "node", "prod", "staging", "router",
        "switch", "printer", "drucker", "client", "user", "ticket", "issue", "build", "version",
        "release", "form", "room", "raum", "port", "error", "case", "page", "vlan", "rfc", "iso",
        "chapter", "model", "step", "id", "covid",
    ];
    let word = value.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let word = if word.is_empty() { return false } else { word };
    let rest = &value[word.len()..];
    let digits = rest.bytes().filter(u8::is_ascii_digit).count();
    let signs = rest.bytes().filter(u8::is_ascii_punctuation).count();
    let is_capital = word.as_bytes()[0].is_ascii_uppercase()
        && word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase());
    is_capital
        && word.len() >= 4
        && digits >= 3
        && digits + signs == rest.len()
        && (1..=2).contains(&signs)
        && rest.starts_with(['-', '_', '@', '!', '#', '.', '$', '*'])
        && !NAMES.contains(&&*word.to_ascii_lowercase())
        && is_chosen_password(value)
}

/// Whether what is in quotes after a label is its value.
pub(super) fn is_quoted(inner: &str) -> bool {
    let plain = &*ascii(inner);
    let has_digit = plain.bytes().any(|byte| byte.is_ascii_digit());
    if inner.contains(' ') {
        return has_digit && inner.split(' ').count() >= 3 && is_chosen_password(plain);
    }
    is_certain(inner) || is_chosen(inner)
}

/// Addresses, paths, references, numbers with a unit, hashes and code.
pub(super) fn is_code(value: &str) -> bool {
    const PARTS: &[&str] = &[
        "://",
        "${",
        "{{",
        "$(",
        "::",
        "->",
        "=>",
        "==",
        "&&",
        "||",
        "%s",
        "%d",
        "\\",
        "`",
        "\"",
        "()",
        "[]",
        "</",
        "/>",
        "[redacted",
        "//",
        "{",
        "}",
        "<",
    ];
    let is_address = value.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    let is_hex = value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().all(|byte| ANY_HEX.contains(byte) || byte == b'-');
    value.starts_with(['/', '.', '$', '<', '[', '-', '@', '&', '|', '~', '(', '+'])
        || PARTS.iter().any(|part| value.contains(part))
        || value.contains('/')
        || is_address
        || is_hex
        || is_uuid(value)
}
