//! Keys in sentences: `here is the key: …`, `der neue Schlüssel ist …`.
//!
//! Passwords in sentences are deliberately not here (`prose`, `nearby`, `labels`).

use std::ops::Range;

use crate::assignment::{is_public_key, is_random_key, is_scrambled_password};
use crate::check::{all, contains_any_case, is_jumbled, is_mixed};
use crate::nearby::{is_hash, is_led_to};
use crate::pattern::{ALNUM, ANY_HEX, ANY64, UPPER_ALNUM, URL64, WORD};

/// The key that a sentence leads to: `here is the key: …`, `the new one is …`.
/// It must be long and random, and not the hash of a commit. The keyword is the
/// word for it.
pub(crate) fn key_in_prose(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const PUBLIC: [&str; 6] = ["public", "cache", "host", "primary", "object", "foreign"];
    /// Words that a sentence about a commit does not have.
    const SECRETS: [&str; 8] =
        ["ecret", "екрет", "geheim", "privé", "oken ", "окен ", "令牌", "トークン"];
    let bytes = text.as_bytes();
    let limit = text.floor_char_boundary((keyword.end + 70).min(text.len()));
    let mut line =
        memchr::memchr(b'\n', &bytes[keyword.end..limit]).map_or(limit, |at| keyword.end + at);
    // The key is alone in the line below: `Ключ шифрования:`
    if text[..line].ends_with([':', '：']) {
        line = limit;
    }
    let ends = |byte: u8| !byte.is_ascii_graphic() || b"\"'`<>(),;[]{}\\*".contains(&byte);
    let mut at = keyword.end;
    // The rest of the word with the keyword, or code.
    if !text[..at].ends_with(' ')
        && bytes.get(at).is_some_and(|byte| WORD.contains(*byte) || b"/<>{}[]();\\|".contains(byte))
    {
        return None;
    }
    // Nearly all sentences about keys have no long word.
    if !has_long_word(&bytes[at..bytes.len().min(at + 96)]) {
        return None;
    }
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(9));
    let before = text.get(floor..keyword.start)?;
    if PUBLIC.iter().any(|word| contains_any_case(before, word)) {
        return None;
    }
    while at < line {
        if ends(bytes[at]) {
            at += 1;
            continue;
        }
        let length = bytes[at..].iter().take(200).take_while(|byte| !ends(**byte)).count();
        let word = text.get(at..at + length)?.trim_end_matches(['.', ':', '!', '?']);
        let is_secret = || {
            let floor = text.ceil_char_boundary(keyword.start.saturating_sub(30));
            let clause = &text[floor..at];
            !clause.contains("commit") && SECRETS.iter().any(|word| clause.contains(word))
        };
        if length >= 20 && is_key_word(word, is_secret()) {
            let floor = text.ceil_char_boundary(at.saturating_sub(24));
            let clause = text.get(keyword.end..at)?;
            let is_next = clause.trim_matches([' ', '`', '*', '"']).is_empty();
            let is_words = || clause.chars().all(|c| c.is_alphabetic() || " -'’,(".contains(c));
            let is_below = || {
                let ends = bytes.get(at + length).is_none_or(u8::is_ascii_whitespace);
                ends && clause.trim_end().ends_with([':', '：'])
            };
            let is_led = is_next
                || is_led_to(clause, &bytes[floor..at])
                || (clause.contains('\n') && is_below())
                || (is_certain_key(word) && is_words());
            return is_led.then(|| at..at + word.len());
        }
        at += length;
    }
    None
}

/// Whether twenty characters of a key are in a row: only every twentieth is looked at.
fn has_long_word(bytes: &[u8]) -> bool {
    const LEAST: usize = 20;
    (LEAST - 1..bytes.len()).step_by(LEAST).any(|at| {
        let before = ANY64.run_back(&bytes[..at], LEAST);
        ANY64.contains(bytes[at]) && before + ANY64.run(&bytes[at..], LEAST) >= LEAST
    })
}

/// `is_secret`: its sentence calls it secret, so that it is not a commit.
fn is_key_word(word: &str, is_secret: bool) -> bool {
    if is_public_key(word) || is_hash(word) {
        return false;
    }
    // `test_sk_…`: the prefix of a service, and the random part.
    if let Some((prefix, body)) = word.rsplit_once('_')
        && prefix.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        && prefix.len() <= 16
        && body.len() >= 20
        && all(ALNUM, body)
    {
        return is_mixed(body) && is_random_key(body);
    }
    let is_hex = word.bytes().all(|byte| ANY_HEX.contains(byte));
    // Commits have forty digits, and shorter names.
    let is_commit = is_hex && ((word.len() == 40 && !is_secret) || word.len() < 32);
    let is_mixed_key = is_mixed(word) && !word.contains(['/', '.', ':', '_', '~', '|']);
    let is_random = is_random_key(word) || (is_mixed_key && is_scrambled_password(word));
    !is_commit && (is_hex || is_mixed_key || is_capital_key(word)) && is_random
}

/// Capitals and digits, as a generator or an authenticator writes them.
fn is_capital_key(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    all(UPPER_ALNUM, word) && digits >= 3 && is_jumbled(word)
}

/// Whether a key needs nothing that leads to it.
fn is_certain_key(word: &str) -> bool {
    word.len() >= 24
        && is_random_key(word)
        && (is_capital_key(word) || (is_mixed(word) && all(URL64, word)))
}
