//! Tokens that a program takes to log in, and keys that a program prints.
//!
//! Any program may be meant, so only long random words count.

use std::ops::Range;

use super::{read_word, skip_blanks};
use crate::assignment::{
    is_chosen_password, is_noise, is_oddly_worded_password, is_random_key, is_scrambled_password,
    is_shuffled_password, is_signed_password, is_strong_password,
};
use crate::check::{all, decode_base64, entropy, is_placeholder, is_uuid};
use crate::letters::{ascii, is_visible};
use crate::pattern::{ANY_HEX, ANY64, URL64};

/// The token in `program login TOKEN`. The keyword is the subcommand with its
/// blanks.
pub(crate) fn login_token(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    bytes[..keyword.start].last().filter(|byte| byte.is_ascii_alphanumeric())?;
    let mut at = keyword.end;
    // Options may be before it.
    for _ in 0..6 {
        let word = read_word(text, skip_blanks(bytes, at))?;
        at = word.end;
        let value = text.get(word.range.clone())?;
        if is_id(value) || is_random_key(value) {
            return Some(word.range);
        }
        // `--test login (id …)`, `auth of session …`: a sentence, not an argument.
        if !value.starts_with('-') {
            return None;
        }
    }
    None
}

fn is_id(value: &str) -> bool {
    is_uuid(value) && entropy(value.as_bytes()) >= 3.0 && !is_placeholder(value)
}

/// The password in `NAME_AUTH=user/password`. The keyword ends with the
/// separator.
pub(crate) fn auth_variable(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let word = read_word(text, skip_blanks(text.as_bytes(), keyword.end))?;
    let value = text.get(word.range.clone())?;
    let value = value.trim_end_matches(['}', ')']);
    let (user, password) = value.split_once(['/', ':'])?;
    let is_key = is_random_key(password);
    let is_password = is_scrambled_password(password)
        || is_strong_password(password)
        || (password.bytes().any(|b| b.is_ascii_digit()) && is_chosen_password(password));
    let is_good = is_key || (is_password && !password.contains(['/', ':']));
    (is_good && !user.is_empty() && all(URL64, user))
        .then(|| word.range.start + user.len() + 1..word.range.start + value.len())
}

/// Programs that print nothing but the secret that somebody has stored in them.
const PRINTERS: &[&str] = &[
    "pass show ",
    "gopass ",
    "op read ",
    "bw get ",
    "lpass show ",
    "rbw get ",
    "keyring get ",
    "secret-tool lookup ",
    "-password",
    "--extract ",
];

/// The key in the line after the command that prints it. The keyword is in the
/// command.
pub(crate) fn printed_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + 120)];
    let start = keyword.end + memchr::memchr(b'\n', rest)? + 1;
    let ends = |byte: &u8| !is_visible(*byte);
    let line = &bytes[start..bytes.len().min(start + 200)];
    let length = line.iter().position(ends).unwrap_or(line.len());
    let blanks = line[length..].iter().take_while(|byte| **byte == b' ').count();
    let is_line = matches!(line.get(length + blanks), None | Some(b'\n' | b'\r'));
    let value = text.get(start..start + length)?;
    let body = value.trim_end_matches('=');
    let is_key = value.len() >= 32 && (all(ANY_HEX, value) || all(ANY64, body));
    let is_word = || {
        let has = |test: fn(u8) -> bool| value.bytes().any(test);
        has(|b| b.is_ascii_digit())
            && has(|b| b.is_ascii_uppercase())
            && value.len() >= 8
            && !value.contains(['/', ':', '='])
            && is_chosen_password(value)
    };
    // A password in base64, as a cluster prints it.
    let decoded = decode_base64(body.as_bytes(), 64);
    let is_encoded = value.len() >= 12
        && value.len().is_multiple_of(4)
        && body.len() < value.len()
        && decoded.len() >= 6
        && decoded.iter().all(u8::is_ascii_graphic);
    let is_printer = || PRINTERS.iter().any(|name| text[keyword.clone()].contains(name));
    let is_chosen = || {
        let plain = ascii(value).replace(['(', ')'], "");
        plain.bytes().any(|b| b.is_ascii_digit() || b"!#_".contains(&b))
            && is_chosen_password(&plain)
    };
    let is_secret = (is_key && is_random_key(body))
        || is_noise(value.trim_end_matches('$'))
        || (is_line && is_printer() && is_chosen())
        || (is_line && text[keyword.clone()].contains("password") && is_shuffled_password(value))
        || is_encoded
        || is_word()
        || is_scrambled_password(value)
        || is_oddly_worded_password(value)
        || is_signed_password(value)
        || is_id(value);
    // Text may follow a key with its padding.
    let is_padded = value.len() == 44 && value.ends_with('=');
    ((is_line || is_padded) && is_secret).then_some(start..start + length)
}
