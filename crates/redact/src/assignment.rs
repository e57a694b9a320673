//! Secrets that only their name reveals: `PASSWORD=…`, `"api_key": "…"`,
//! `--token …`, `<secret>…</secret>`.
//!
//! Any word may be a password, and code is full of such names with other
//! values. A value is therefore judged by its characters; a pass phrase of
//! dictionary words is deliberately not matched.

use std::ops::Range;

use crate::check::{all, contains_any_case, entropy, is_placeholder, is_uuid};
use crate::commands::is_well_known;
use crate::pattern::{ALNUM, DIGIT, WORD};

/// Used in place of a quote before a value that extends to the end of the text:
/// the value of a JSON member, whatever quotes it contains.
pub(crate) const WHOLE: char = '\u{1}';

/// Suffixes that may follow a keyword within a name.
const SUFFIXES: &[&str] = &["key", "token", "secret", "value", "base", "hash", "id", "string"];

const LONGEST: usize = 4096;

/// How a value is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Quoted,
    Bare,
    Flag,
}

/// A value and how it is assigned to its name.
#[derive(Debug, Clone)]
struct Assignment {
    value: Range<usize>,
    quoting: Quoting,
    /// `NAME=value` without blanks, as in a shell.
    tight: bool,
    /// In single quotes, where a shell expands no variables.
    single: bool,
}

/// What a name implies about its value.
#[derive(Debug, Clone, Copy)]
struct NameTraits {
    password: bool,
    /// All capitals.
    is_capitals: bool,
    /// Ids can look like this as well.
    may_be_uuid: bool,
}

/// The value of the name that contains the keyword.
pub(crate) fn find_secret(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let keyword_text = &text[keyword.clone()];
    let password = text.as_bytes()[keyword.start].eq_ignore_ascii_case(&b'p')
        && !keyword_text.eq_ignore_ascii_case("private_key");
    let is_capitals = is_uppercase(keyword_text);
    let end = skip_name(text.as_bytes(), keyword.end)?;
    let is_id = text[..end].ends_with("ID");
    let npm = text[..keyword.start].ends_with("_auth");
    let assignment = delimit(text, keyword)?;
    let may_be_uuid = (is_capitals && !password && !is_id) || npm;
    let name = NameTraits { password, is_capitals, may_be_uuid };
    is_secret(&text[assignment.value.clone()], name, &assignment).then_some(assignment.value)
}

/// The same for names that end in `pass` or `pw`. They are short, so they need
/// a shell variable or quotes. The keyword may include characters before and
/// after the name.
pub(crate) fn find_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let keyword_text = &text[keyword.clone()];
    let (at, length) = ["pass", "pw"].into_iter().find_map(|word| {
        let at = keyword_text
            .as_bytes()
            .windows(word.len())
            .position(|w| w.eq_ignore_ascii_case(word.as_bytes()))?;
        Some((keyword.start + at, word.len()))
    })?;
    let bytes = text.as_bytes();
    let camel = bytes[at].is_ascii_uppercase() && bytes[at + 1].is_ascii_lowercase();
    if bytes[..at].last().is_some_and(u8::is_ascii_alphabetic) && !camel {
        return None;
    }
    let is_capitals = is_uppercase(&text[at..at + length]);
    let assignment = delimit(text, at..at + length)?;
    let value = &text[assignment.value.clone()];
    let certain = assignment.quoting == Quoting::Quoted || (is_capitals && assignment.tight);
    let name = NameTraits { password: true, is_capitals, may_be_uuid: false };
    (certain && value.len() >= 8 && is_secret(value, name, &assignment)).then_some(assignment.value)
}

/// Whether a value of a variable with this name is a secret.
pub(crate) fn is_secret_of(variable: &str, value: &str, quoted: bool) -> bool {
    const PASSWORDS: &[&str] = &["PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "_PW", "_PWD"];
    const OTHERS: &[&str] = &[
        "TOKEN",
        "SECRET",
        "API_KEY",
        "APIKEY",
        "ACCESS_KEY",
        "SECRET_KEY",
        "ADMIN_KEY",
        "AUTH_KEY",
    ];
    let variable = variable.to_ascii_uppercase();
    let ends = |words: &[&str]| words.iter().any(|word| variable.ends_with(word));
    let password = ends(PASSWORDS);
    let quoting = if quoted { Quoting::Quoted } else { Quoting::Bare };
    let assignment = Assignment { value: 0..value.len(), quoting, tight: true, single: false };
    let name = NameTraits { password, is_capitals: true, may_be_uuid: !password };
    (password || ends(OTHERS)) && is_secret(value, name, &assignment)
}

fn is_uppercase(name: &str) -> bool {
    name.bytes().all(|byte| !byte.is_ascii_lowercase())
}

/// The start of the value of the name that contains the keyword.
pub(crate) fn find_value(text: &str, keyword: Range<usize>) -> Option<usize> {
    delimit(text, keyword).map(|assignment| assignment.value.start)
}

fn delimit(text: &str, keyword: Range<usize>) -> Option<Assignment> {
    let bytes = text.as_bytes();
    let mut at = skip_name(bytes, keyword.end)?;
    let quoted_name = skip_quote(bytes, &mut at);
    if bytes.get(at) == Some(&b']') {
        at += 1;
    }
    let spaces = skip_blanks(bytes, &mut at);
    let mut quoting = Quoting::Bare;
    let mut element = false;
    match bytes.get(at..)? {
        [b'=', b'=' | b'~', ..] | [b':', b':', ..] => return None,
        [b':' | b'+' | b'?', b'=', ..] | [b'=', b'>', ..] => at += 2,
        [b'|', b'|', b'=', ..] => at += 3,
        [b'=' | b':', ..] => at += 1,
        // A call: `setPassword("…")`, `.env("TOKEN", "…")`.
        [b',', ..] if quoted_name => at += 1,
        [b'>', ..] if spaces == 0 && is_element(bytes, keyword.start) => {
            element = true;
            at += 1;
        }
        _ if spaces > 0 && !quoted_name && is_flag(bytes, keyword.start) => {
            quoting = Quoting::Flag;
        }
        _ => return None,
    }
    let equals = bytes[at - 1] == b'=' && spaces == 0;
    let tight = skip_blanks(bytes, &mut at) == 0 && equals;
    if text[at..].starts_with(WHOLE) {
        let value = at + 1..text.len();
        return Some(Assignment { value, quoting: Quoting::Quoted, tight: false, single: false });
    }
    skip_type(bytes, &mut at);
    let before = at;
    if let Some(quote) = find_quote(bytes, &mut at) {
        let rest = &bytes[at..bytes.len().min(at + LONGEST)];
        let end = rest.iter().position(|byte| *byte == quote || *byte == b'\n')?;
        // Escaped quotes end with a backslash before them.
        let escapes = rest[..end].iter().rev().take_while(|byte| **byte == b'\\').count();
        let escapes = if bytes[before] == b'\\' { escapes } else { 0 };
        let value = at..at + end - escapes;
        return Some(Assignment { value, quoting: Quoting::Quoted, tight, single: quote == b'\'' });
    }
    let length = bytes[at..].iter().take(LONGEST).take_while(|byte| is_bare(**byte)).count();
    let mut end = at + length;
    // Punctuation at the end of a sentence; a shell variable is not in one.
    let is_end =
        |byte| matches!(byte, b'.' | b':' | b'*' | b'-') || (!tight && matches!(byte, b'!' | b'?'));
    while end > at && is_end(bytes[end - 1]) {
        end -= 1;
    }
    // If code follows, it is code.
    if matches!(bytes.get(end), Some(b'(' | b'[' | b'{' | b'<')) && !element {
        return None;
    }
    (end > at).then_some(Assignment { value: at..end, quoting, tight, single: false })
}

/// The end of the name, if nothing meaningful follows the keyword.
fn skip_name(bytes: &[u8], mut at: usize) -> Option<usize> {
    for _ in 0..3 {
        let mut next = at;
        if matches!(bytes.get(next), Some(b'_' | b'-' | b'.')) {
            next += 1;
        }
        let rest = bytes.get(next..)?;
        let Some(suffix) = SUFFIXES.iter().find(|suffix| {
            rest.get(..suffix.len())
                .is_some_and(|part| part.eq_ignore_ascii_case(suffix.as_bytes()))
        }) else {
            break;
        };
        at = next + suffix.len();
    }
    let rest = bytes.get(at..)?;
    let digits = match rest {
        [b'_', digits @ ..] if DIGIT.run(digits, 3) > 0 => 1 + DIGIT.run(digits, 3),
        _ => DIGIT.run(rest, 3),
    };
    at += digits;
    (!bytes.get(at).is_some_and(|byte| WORD.contains(*byte))).then_some(at)
}

fn skip_blanks(bytes: &[u8], at: &mut usize) -> usize {
    let length =
        bytes[*at..].iter().take(24).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    *at += length;
    length
}

/// A quote that may have backslashes before it.
fn find_quote(bytes: &[u8], at: &mut usize) -> Option<u8> {
    let escapes = bytes[*at..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    let quote = *bytes.get(*at + escapes)?;
    matches!(quote, b'"' | b'\'' | b'`').then(|| {
        *at += escapes + 1;
        quote
    })
}

fn skip_quote(bytes: &[u8], at: &mut usize) -> bool {
    find_quote(bytes, at).is_some()
}

/// `&str = `, `string = `, `String::from(`: text between a colon or an equals
/// sign and a quote.
fn skip_type(bytes: &[u8], at: &mut usize) {
    let rest = &bytes[*at..];
    let length = rest
        .iter()
        .take(28)
        .take_while(|byte| ALNUM.contains(**byte) || matches!(byte, b'&' | b'\'' | b':' | b'_'))
        .count();
    let mut end = *at + length;
    let spaces = skip_blanks(bytes, &mut end);
    let opens = match bytes.get(end) {
        Some(b'=') if length > 0 => {
            end += 1;
            skip_blanks(bytes, &mut end);
            true
        }
        Some(b'(') if length > 0 && spaces == 0 => {
            end += 1;
            true
        }
        // Python and Rust: b"…", r"…", f"…".
        Some(b'"' | b'\'') => length == 1 && spaces == 0 && matches!(rest[0], b'b' | b'r' | b'f'),
        _ => false,
    };
    if opens && matches!(bytes.get(end), Some(b'"' | b'\'' | b'`' | b'\\')) {
        *at = end;
    }
}

/// `--password …`
fn is_flag(bytes: &[u8], keyword: usize) -> bool {
    let start = bytes[..keyword]
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| WORD.contains(**byte) || **byte == b'-')
        .count();
    bytes[keyword - start..].starts_with(b"--")
}

/// `<password>…`
fn is_element(bytes: &[u8], keyword: usize) -> bool {
    let start = bytes[..keyword]
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| WORD.contains(**byte) || matches!(byte, b'-' | b':'))
        .count();
    bytes[..keyword - start].ends_with(b"<")
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'"' | b'\''
                | b'`'
                | b'\\'
                | b','
                | b';'
                | b'('
                | b')'
                | b'['
                | b']'
                | b'{'
                | b'}'
                | b'<'
                | b'>'
                | b'|'
                | b'&'
        )
}

/// Whether a value looks like a secret.
fn is_secret(value: &str, name: NameTraits, assignment: &Assignment) -> bool {
    let NameTraits { password, is_capitals, .. } = name;
    let quoting = assignment.quoting;
    let bytes = value.as_bytes();
    if password && is_capitals && is_shell_password(value, assignment) {
        return true;
    }
    let least = if password { 6 } else { 10 };
    if !(least..=LONGEST).contains(&bytes.len())
        || bytes.iter().any(|byte| !byte.is_ascii_graphic())
        || matches!(
            bytes[0],
            b'$' | b'%' | b'{' | b'<' | b'[' | b'(' | b'/' | b'~' | b'#' | b'*' | b'.'
        )
        || value.contains("${")
        || value.contains("{{")
        || value.contains("$(")
        || value.contains("://")
        || is_placeholder(value)
    {
        return false;
    }
    if is_uuid(value) {
        return name.may_be_uuid && entropy(bytes) >= 3.0;
    }
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    if letters == 0 {
        return false;
    }
    let bits = entropy(bytes);
    if quoting == Quoting::Quoted && bits >= 3.0 && is_mixed(value) {
        return true;
    }
    if digits == 0 {
        // Shell files have passwords without a digit; code has names.
        return is_capitals
            && password
            && quoting != Quoting::Flag
            && bytes.len() >= 12
            && bits >= 3.0
            && !is_wordy(value);
    }
    if is_wordy(value)
        && !(password && quoting == Quoting::Quoted && !value.contains(['-', '_', '.', '/', ':']))
    {
        return false;
    }
    if quoting != Quoting::Quoted && bytes.iter().any(|byte| matches!(byte, b'(' | b'*')) {
        return false;
    }
    bits >= if password { 2.3 } else { 3.0 }
}

/// Whether this is the password of a password variable: one digit, symbol or
/// inner capital is enough. Outside a shell it must be quoted, and neither
/// blanks nor capitals count: it may be a message or a name.
fn is_shell_password(value: &str, assignment: &Assignment) -> bool {
    const SIGNS: &[u8] = b"!@#$^&*+=?%";
    let bytes = value.as_bytes();
    let has = |test: fn(&u8) -> bool| bytes.iter().any(test);
    let variable = value.contains("${") || value.contains("$(") || value.starts_with('$');
    if !(8..=128).contains(&bytes.len())
        || bytes.iter().any(|byte| !byte.is_ascii_graphic() && *byte != b' ')
        || value.starts_with(['%', '{', '<', '[', '(', '/', '~', '*', '.', ' ', '^'])
        || (variable && !assignment.single)
        || value.contains("{{")
        || value.contains("://")
        || !has(u8::is_ascii_alphabetic)
        || ["passw", "secret"].iter().any(|word| contains_any_case(value, word))
        || is_placeholder(value)
        || is_well_known(value)
    {
        return false;
    }
    let sign = has(|byte| SIGNS.contains(byte));
    let digit = has(u8::is_ascii_digit);
    let quoted = assignment.quoting == Quoting::Quoted;
    if !assignment.tight && !(quoted && !value.contains(' ') && (sign || digit)) {
        return false;
    }
    if value.contains(' ') {
        return quoted && (sign || digit);
    }
    // With other symbols it may be a path, a name or a version.
    let plain = all(ALNUM, value);
    sign || (plain && (digit || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))))
}

/// Randomly mixed upper and lower case. In names, an upper case letter starts a
/// word or belongs to an acronym, and words are longer than that.
fn is_mixed(value: &str) -> bool {
    let upper = value.bytes().filter(u8::is_ascii_uppercase).count();
    let lower = value.bytes().filter(u8::is_ascii_lowercase).count();
    let acronym = value.as_bytes().windows(4).any(|four| four.iter().all(u8::is_ascii_uppercase));
    all(ALNUM, value)
        && value.len() >= 16
        && upper * 4 >= value.len()
        && lower * 4 >= value.len()
        && !acronym
        && value.len() * 10 <= (upper + 1) * 26
}

/// Made of words and numbers, like a name, a path, a version or a date:
/// `my-token-1`, `auth.token`, `v1beta1`, `2026-01-02`.
fn is_wordy(value: &str) -> bool {
    value.split(|c: char| !c.is_ascii_alphanumeric()).all(|word| {
        let tail = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        (tail.len() <= 3 || tail.len() == word.len())
            && tail.bytes().all(|byte| byte.is_ascii_digit())
    })
}
