//! Passwords on command lines: options and arguments of programs (`clients`),
//! words that are piped into a program (`pipes`), variables set in a shell or an
//! image; and in statements of other languages (`statements`).

mod clients;
mod options;
mod pipes;
mod statements;
mod tokens;

use std::ops::Range;

pub(crate) use clients::{CLIENT_COMMANDS, POSITIONAL_COMMANDS};
pub(crate) use options::short_option;
pub(crate) use pipes::{command_password, here_password, piped_password};
pub(crate) use statements::{
    column_password, inserted_passwords, jdbc_password, netrc_password, sql_password,
};
pub(crate) use tokens::{auth_variable, login_token, printed_key};

use clients::{CERTAIN, CLIENTS, COMMON, Client, POSITIONALS, Positional};

use crate::assignment::{
    self, is_chosen_password, is_scrambled_password, is_signed_password, is_strong_password,
    is_worded_password,
};
use crate::breaks;
use crate::check::{entropy, is_placeholder};
use crate::letters::{ascii, is_visible};
use crate::pattern::{ANY64, DOTTED, WORD, starts_token};

/// How far after a command its options are searched.
const LONGEST_LINE: usize = 600;

/// Well-known default passwords, which are not secrets.
const WELL_KNOWN: &[&str] = &[
    "password",
    "passwd",
    "pass",
    "pwd",
    "secret",
    "postgres",
    "root",
    "admin",
    "guest",
    "test",
    "user",
    "mysql",
    "redis",
    "token",
    "username",
    "credentials",
    "db_password",
    "dbpass",
    "s3cret",
    "s3cr3t",
    "secr3t",
    "passw0rd",
    "p4ssw0rd",
    "p@ssw0rd",
    "pa55word",
    "password1",
    "latin1",
    "latin-1",
    "utf8",
    "utf-8",
];

/// Whether a password is a well-known default.
pub(crate) fn is_well_known(password: &str) -> bool {
    WELL_KNOWN.iter().any(|word| password.eq_ignore_ascii_case(word))
}

/// A shell word, without its quotes.
struct Word {
    range: Range<usize>,
    quote: Option<u8>,
    /// After the closing quote.
    end: usize,
}

/// The word that starts at `at` and ends on the same line.
fn read_word(text: &str, at: usize) -> Option<Word> {
    let bytes = text.as_bytes();
    let escapes = bytes[at..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    if let Some(quote @ (b'"' | b'\'')) = bytes.get(at + escapes) {
        let start = at + escapes + 1;
        let rest = &bytes[start..bytes.len().min(start + 512)];
        let length = rest.iter().position(|byte| byte == quote || *byte == b'\n')?;
        let closing =
            rest[..length].iter().rev().take(escapes).take_while(|b| **b == b'\\').count();
        let end = start + length + 1;
        if escapes == 0
            && let Some(last) = breaks::spliced_end(bytes, end)
        {
            return Some(Word { range: start..last, quote: Some(*quote), end: last + 1 });
        }
        return Some(Word { range: start..start + length - closing, quote: Some(*quote), end });
    }
    let length = bare_length(&bytes[at..bytes.len().min(at + 512)]);
    (length > 0).then(|| Word { range: at..at + length, quote: None, end: at + length })
}

/// The length of a word without quotes. A backslash before a symbol is part of it.
pub(crate) fn bare_length(rest: &[u8]) -> usize {
    let ends =
        |byte: u8| !is_visible(byte) || matches!(byte, b'"' | b'\'' | b'`' | b';' | b'|' | b')');
    let mut at = 0;
    while let Some(byte) = rest.get(at).filter(|byte| !ends(**byte)) {
        if *byte == b'\\' {
            match rest.get(at + 1) {
                Some(next) if is_escaped(*next) => at += 1,
                _ => break,
            }
        }
        at += 1;
    }
    at
}

/// Symbols that a shell would act on.
fn is_escaped(byte: u8) -> bool {
    matches!(
        byte,
        b'!' | b'&'
            | b'$'
            | b'#'
            | b'*'
            | b'('
            | b')'
            | b';'
            | b'|'
            | b'<'
            | b'>'
            | b'?'
            | b'~'
            | b'^'
            | b'%'
            | b'@'
            | b'='
            | b'+'
    )
}

fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take(64).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Whether the word is a password, not a variable or a placeholder.
fn is_password(text: &str, word: &Word) -> bool {
    let Some(value) = text.get(word.range.clone()) else { return false };
    let quoted = word.quote == Some(b'\'');
    if is_quoted_noise(value, word.quote) {
        return true;
    }
    value.len() >= 5
        && (quoted || !(value.starts_with('$') || value.contains("${") || value.contains("$(")))
        && (!value.starts_with(['<', '{', '[', '*', '%', '-', '/'])
            || (value.starts_with(['*', '%']) && is_signed_password(&value[1..])))
        && !value.contains(['\n', '{', '}', '<', '>'])
        && !(value.len() < 6 && value.bytes().all(|byte| byte.is_ascii_digit()))
        && value.bytes().any(|byte| byte != value.as_bytes()[0])
        && !is_well_known(value)
        && !is_placeholder(value)
}

/// Whether a word in quotes is of random signs, and none of a variable.
fn is_quoted_noise(value: &str, quote: Option<u8>) -> bool {
    let is_literal = quote == Some(b'\'') || (quote.is_some() && !value.contains('$'));
    is_literal && assignment::is_noise(value)
}

/// The password among the options of a client program. The keyword is the
/// command.
pub(crate) fn option_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let command = &text[keyword.clone()];
    if !starts_token(bytes, keyword.start) {
        return None;
    }
    let client = CLIENTS.iter().find(|client| client.command == command)?;
    let limit = keyword.end + LONGEST_LINE;
    let mut at = keyword.end;
    while at < limit.min(bytes.len()) {
        at = skip_blanks(bytes, at);
        // The line continues.
        if bytes[at..].starts_with(b"\\\n") {
            at += 2;
            continue;
        }
        // `DOMAIN\\user`
        if bytes.get(at) == Some(&b'\\') {
            at += 1;
            continue;
        }
        let word = read_word(text, at)?;
        let password = find_option(text, client, at, &word);
        if let Some(password) = password.filter(|password| is_password(text, password)) {
            return Some(password.range);
        }
        // Another command starts.
        if matches!(bytes.get(word.end), Some(b';' | b'|')) {
            return None;
        }
        at = word.end.max(at + 1);
    }
    None
}

/// The value of the option that this word is.
fn find_option(text: &str, client: &Client, at: usize, word: &Word) -> Option<Word> {
    let option = text.get(word.range.clone())?;
    if word.quote.is_some() {
        // `'pass:…'`
        let joined = client.joined.iter().find(|joined| {
            (joined.ends_with(':') || **joined == "-p") && option.starts_with(**joined)
        })?;
        let range = word.range.start + joined.len()..word.range.end;
        return Some(Word { range, quote: word.quote, end: word.end });
    }
    let long = COMMON
        .iter()
        .find(|long| option.strip_prefix(**long).is_some_and(|rest| rest.starts_with('=')));
    if let Some(long) = long {
        return read_word(text, at + long.len() + 1);
    }
    if COMMON.contains(&option) || client.apart.contains(&option) {
        let start = skip_blanks(text.as_bytes(), word.end);
        if start > word.end {
            return read_word(text, start);
        }
    }
    let joined = client.joined.iter().find(|joined| option.starts_with(**joined))?;
    // `-p'…'`: the word ended at the quote.
    read_word(text, at + joined.len())
}

/// The password that is one of the words after a command. The keyword is the
/// command.
pub(crate) fn word_passwords(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    let command = &text[keyword.clone()];
    let rows = POSITIONALS.iter().filter(|row| row.command.eq_ignore_ascii_case(command));
    rows.filter_map(|row| word_of(text, keyword.clone(), row)).collect()
}

fn word_of(text: &str, keyword: Range<usize>, row: &Positional) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let command = &text[keyword.clone()];
    // The command of Redis, not a word of a sentence.
    let before = &bytes[..keyword.start];
    let starts_line = before.is_empty()
        || [b"\n".as_slice(), b"> ", b": ", b"\"", b"'"].iter().any(|end| before.ends_with(end));
    if command.starts_with("AUTH ") && !starts_line {
        return None;
    }
    let mut at = keyword.end;
    let mut left = row.words;
    let mut has_option = row.option.is_none();
    for _ in 0..8 {
        at = skip_blanks(bytes, at);
        // A shared folder: `\\host\folder`.
        if bytes[at..].starts_with(b"\\\\") {
            let is_part = |byte: &&u8| byte.is_ascii_graphic();
            at += bytes[at..].iter().take(200).take_while(is_part).count();
            left = left.saturating_sub(1);
            continue;
        }
        let word = read_word(text, at)?;
        let value = text.get(word.range.clone())?;
        at = word.end;
        // The user of a domain: `CORP\\ann`.
        if word.quote.is_none() && bytes.get(at) == Some(&b'\\') {
            let slashes = bytes[at..].iter().take(4).take_while(|byte| **byte == b'\\').count();
            let user = DOTTED.run(&bytes[at + slashes..], 64);
            at += if user > 1 { slashes + user } else { 0 };
        }
        // A drive.
        if value.len() == 2 && value.ends_with(':') {
            continue;
        }
        if crate::has_placeholder(value) {
            left = left.saturating_sub(1);
        } else if word.quote.is_none() && value.starts_with('-') {
            has_option |= row.option.is_some_and(|option| value.contains(option));
            // It prints the line instead of writing it to a file.
            if row.option.is_some() && value.contains('n') {
                left = left.saturating_sub(1);
            }
        } else if left > 0 {
            left -= 1;
        } else {
            // A relay has the login after its address.
            let is_relay = command.starts_with("]:")
                || command.starts_with([':']) && command.ends_with("5 ")
                || command == ":587 ";
            if is_relay && !value.contains(':') {
                return None;
            }
            let value = value.rsplit_once(':').map_or(value, |(_, password)| password);
            // A star between quoted words is of a list of secrets only if the word is quoted too.
            let is_certain = CERTAIN.contains(&command)
                && (!command.contains('*') || word.quote.is_some())
                && is_chosen_password(value);
            // Words in quotes, whatever signs they have.
            let is_certain = is_certain
                || (CERTAIN.contains(&command)
                    && word.quote.is_some()
                    && value.contains(' ')
                    && value.len() <= 80
                    && value.bytes().any(|byte| byte.is_ascii_digit()));
            let has_mark =
                || value.bytes().any(|byte| byte.is_ascii_digit() || b"!#&+".contains(&byte));
            let is_certain = is_certain
                || (command.starts_with("send")
                    && has_mark()
                    && value.len() >= 8
                    && is_chosen_password(value));
            let is_noise = is_quoted_noise(value, word.quote);
            let is_likely = is_certain || is_noise || is_likely(value, word.quote);
            let good = has_option && is_likely && (is_certain || is_password(text, &word));
            return good.then(|| word.range.end - value.len()..word.range.end);
        }
    }
    None
}

/// Whether a word without a name is a password and not a name or a path.
fn is_likely(value: &str, quote: Option<u8>) -> bool {
    let value = &*ascii(value);
    let bytes = value.as_bytes();
    let random = bytes.len() >= 16
        && bytes.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
        && entropy(bytes) >= 3.2
        && !value.contains('/')
        && !value.starts_with('-');
    let base64 =
        bytes.len() >= 24 && entropy(bytes) >= 3.8 && bytes.iter().all(|b| ANY64.contains(*b));
    is_strong_password(value.trim_start_matches(['%', '*', '#']))
        || is_scrambled_password(value)
        || is_worded_password(value)
        || random
        || base64
        || (quote.is_some() && bytes.len() >= 10 && value.get(1..).is_some_and(is_strong_password))
}

/// `set -gx NAME value`, `ENV NAME value`. The keyword ends with the dash of the
/// first flag or before the name.
pub(crate) fn set_variable(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if !starts_token(bytes, keyword.start) {
        return None;
    }
    let flags = usize::from(text[keyword.clone()].ends_with('-'));
    let mut at = skip_blanks(bytes, keyword.end - flags);
    for _ in 0..3 {
        if bytes.get(at) != Some(&b'-') {
            break;
        }
        at = skip_blanks(bytes, read_word(text, at)?.end);
    }
    let length = WORD.run(&bytes[at..], 80);
    let name = &text[at..at + length];
    let start = skip_blanks(bytes, at + length);
    if length == 0 || start == at + length {
        return None;
    }
    let word = read_word(text, start)?;
    let value = text.get(word.range.clone())?;
    assignment::is_secret_of(name, value, word.quote.is_some()).then_some(word.range)
}

/// `ngrok config add-authtoken …`
pub(crate) fn ngrok_token(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let start = skip_blanks(text.as_bytes(), keyword.end);
    let length = WORD.run(&text.as_bytes()[start..], 80);
    let value = &text[start..start + length];
    let random = value.bytes().filter(u8::is_ascii_digit).count() >= 3;
    (length >= 40 && random && !is_placeholder(value)).then(|| start..start + length)
}
