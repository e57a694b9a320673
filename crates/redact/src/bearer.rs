//! Tokens after the name of a scheme: `Bearer …`, `Negotiate …`, `Digest …`.
//!
//! In a header, and wherever a value is long enough and no placeholder, the token
//! is everything up to a quote, a blank or the end of the line: servers accept any
//! characters, and people choose short ones. What stands in its place is judged by
//! `references`. User and password in base64 are deliberately not here (`headers`).

use std::ops::Range;

use memchr::memmem;

use crate::assignment::is_chosen_password;
use crate::check::{
    all, contains_any_case, entropy, is_jumbled, is_mixed, is_placeholder, is_sample, placeholders,
};
use crate::letters::letter_length;
use crate::pattern::{ANY64, DOTTED, WORD};
use crate::references::is_reference;

const LONGEST: usize = 8192;
/// The shortest token in a header, and elsewhere.
const SHORTEST: usize = 8;
const SHORTEST_ALONE: usize = 16;

/// Symbols that tokens have, and names and prose hardly.
const SIGNS: &[char] = &['&', '#', '!', '%', ':', '|', '+', '/', '=', '*', '^', '@', '~'];

/// The token after `Bearer` or after another scheme of a header. The keyword ends
/// with the scheme and a blank.
pub(crate) fn bearer_token(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // A header may go on in the next line, and a shell may escape its blank.
    let is_gap = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\n' | b'\\');
    let gap = bytes[keyword.end..].iter().take(24).take_while(is_gap).count();
    let start = skip_joint(bytes, keyword.end + gap);
    let value = &text[start..token_end(text, start)];
    let is_in_header =
        text[keyword.clone()].contains([':', '-']) || follows_header(bytes, keyword.start);
    let rest = &text[start..];
    // `token_type=Bearer expires_in=3600`: the answer of a server in one line.
    let is_answer = bytes[..keyword.start].ends_with(b"=")
        && value.split_once('=').is_some_and(|(name, _)| {
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        });
    if is_answer {
        return None;
    }
    let good = if is_in_header { is_token(value, rest) } else { is_token_alone(value, rest) };
    good.then(|| start..start + value.len())
}

/// The token of `Negotiate`, `NTLM` and `Kerberos`, which is base64. The keyword
/// is the scheme with a blank.
pub(crate) fn negotiated_token(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let length = ANY64.run(&bytes[keyword.end..], LONGEST);
    let value = &text[keyword.end..keyword.end + length];
    let good = follows_header(bytes, keyword.start)
        && length >= SHORTEST_ALONE
        && is_mixed(value)
        && !is_placeholder(value);
    good.then(|| keyword.end..keyword.end + length)
}

/// What proves the password in `Digest username="…", nonce="…", response="…"`:
/// a stranger who has it can guess the password, or be the user once more. The keyword
/// is the scheme with a blank.
pub(crate) fn digest_proof(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    const NAMES: [&[u8]; 3] = [b"response=", b"nonce=", b"opaque="];
    let bytes = text.as_bytes();
    let end = bytes.len().min(keyword.end + 800);
    let rest = &bytes[keyword.end..end];
    let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    if memmem::find(rest, b"username=").is_none() {
        return Vec::new();
    }
    let values = NAMES.iter().flat_map(|name| {
        memmem::find_iter(rest, name).filter_map(|at| {
            let mut start = keyword.end + at + name.len();
            start += bytes[start..].iter().take(8).take_while(|b| b"\\\"'".contains(b)).count();
            let length = ANY64.run(&bytes[start..], 200);
            (length >= SHORTEST_ALONE && is_jumbled(&text[start..start + length]))
                .then(|| start..start + length)
        })
    });
    values.collect()
}

/// The start of the string that is joined to the scheme: `"Bearer " + "…"`.
fn skip_joint(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..bytes.len().min(from + 24)];
    let skip = |at: usize, set: &[u8]| {
        at + rest[at.min(rest.len())..].iter().take_while(|byte| set.contains(byte)).count()
    };
    let quote = skip(0, b"\\\"'`");
    let joint = skip(quote, b" +.,&%");
    let next = skip(joint, b"\\\"'`");
    if quote > 0 && joint > quote && next > joint { from + next } else { from }
}

/// The end of the token that starts at `start`, without punctuation after it.
pub(crate) fn token_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(start + LONGEST);
    let mut end = start;
    while end < limit {
        match &bytes[end..] {
            [b'"' | b'\'' | b'`', ..] | [b'<', b'/', ..] => break,
            // The end of a string or of a line, written out.
            [b'\\', b'"' | b'\'' | b'`' | b'n' | b'r' | b't' | b'\\' | b'\n', ..] | [b'\\'] => {
                break;
            }
            [byte, ..] if byte.is_ascii_graphic() => end += 1,
            _ => match sign_length(text, end) {
                0 => break,
                length => end += length,
            },
        }
    }
    let is_mark = |byte: &&u8| b".,;:)]}>*-".contains(byte);
    end - bytes[start..end].iter().rev().take_while(is_mark).count()
}

/// The length of a letter or a currency sign beyond ASCII: quotes, ellipses and scripts
/// without blanks end a token.
fn sign_length(text: &str, at: usize) -> usize {
    let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) else { return 0 };
    let is_sign = matches!(letter, '\u{a1}'..='\u{a9}' | '\u{ac}' | '\u{ae}'..='\u{ba}'
        | '\u{bc}'..='\u{bf}' | '\u{d7}' | '\u{f7}' | '\u{20a0}'..='\u{20cf}');
    if is_sign { letter.len_utf8() } else { letter_length(letter) }
}

/// Whether a header or a member with such a name is before the scheme.
fn follows_header(bytes: &[u8], at: usize) -> bool {
    const NAMES: [&str; 4] = ["auth", "token", "header", "value"];
    let is_gap = |byte: &&u8| b" \t\"'`\\:=,(>[]{".contains(byte);
    let gap = bytes[..at].iter().rev().take(12).take_while(is_gap).count();
    let before = &bytes[..at - gap];
    let is_assigned = bytes[at - gap..at].iter().any(|byte| b":=,>\t".contains(byte));
    let is_name = |byte: &&u8| WORD.contains(**byte) || **byte == b'-';
    let length = before.iter().rev().take(40).take_while(is_name).count();
    let name = str::from_utf8(&before[before.len() - length..]).unwrap_or_default();
    is_assigned && NAMES.iter().any(|word| contains_any_case(name, word))
}

/// Whether a value is code that makes the token, or stands for one. A token may contain
/// such characters and words: only a value that is nothing else counts.
fn stands_for_one(value: &str, rest: &str) -> bool {
    let is_cut = ["...", "…"].iter().any(|mark| rest[value.len()..].starts_with(mark));
    (is_cut && value.len() < SHORTEST_ALONE)
        || is_reference(value, rest)
        || is_only_placeholder(value)
        || value.to_ascii_lowercase().starts_with("bearer")
        || crate::has_placeholder(value)
}

/// Whether nothing random is beside the words of a placeholder.
pub(crate) fn is_only_placeholder(value: &str) -> bool {
    /// The shortest random part that makes it a token.
    const LEAST: usize = 12;
    let is_cut = value.ends_with("...") || value.ends_with('…');
    if !is_placeholder(value) && !is_cut {
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        return contains_any_case(value, "bearer") && digits < 3;
    }
    let mut rest = value.to_ascii_lowercase();
    for word in placeholders() {
        rest = rest.replace(word, " ");
    }
    let is_random = |piece: &str| {
        piece.len() >= LEAST
            && is_jumbled(piece)
            && entropy(piece.as_bytes()) >= 3.0
            && !piece.contains("123456")
    };
    !rest.split(|c: char| !c.is_ascii_alphanumeric()).any(is_random)
}

/// Whether a value in a header is a token. `rest` is the text from its start on.
pub(crate) fn is_token(value: &str, rest: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    // In documentation, a sentence goes on after the word.
    let is_alone = rest[value.len()..].chars().next().is_none_or(|next| next != ' ');
    let is_sign = |c: char| SIGNS.contains(&c) || !c.is_ascii();
    let is_number = digits == value.len();
    let is_likely = if is_number {
        is_alone
    } else if is_sample(value) {
        digits >= 3 && is_alone && !is_test(value)
    } else if digits > 0 || value.contains(is_sign) {
        value.len() >= 12 || is_alone || !is_wordy(value)
    } else {
        (value.len() >= 20 && is_zigzag(value)) || (is_alone && is_chosen_password(value))
    };
    value.len() >= SHORTEST
        && is_likely
        && value.bytes().any(|byte| byte.is_ascii_alphanumeric())
        && entropy(value.as_bytes()) >= 2.0
        && !stands_for_one(value, rest)
}

/// Whether a word in a token (`test-token-123`) says that it is a sample.
fn is_test(value: &str) -> bool {
    const WORDS: [&str; 13] = [
        "test", "fake", "mock", "stub", "sample", "demo", "foo", "invalid", "expired", "wrong",
        "bad", "your", "some",
    ];
    WORDS.iter().any(|word| contains_any_case(value, word))
}

fn is_token_alone(value: &str, rest: &str) -> bool {
    value.len() >= SHORTEST_ALONE
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && entropy(value.as_bytes()) >= 3.0
        && (is_jumbled(value) || value.contains(SIGNS))
        && !is_wordy(value)
        && !is_sample(value)
        && !stands_for_one(value, rest)
}

/// Whether letters of both cases alternate as in no name.
fn is_zigzag(value: &str) -> bool {
    let changes = value
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase())
        .count();
    changes * 4 >= value.len()
}

/// `my-test-1`: a name, not a token.
pub(crate) fn is_wordy(value: &str) -> bool {
    all(DOTTED, value)
        && value.split(['-', '_', '.']).all(|word| {
            word.bytes().all(|byte| byte.is_ascii_lowercase())
                || (word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit()))
        })
}
