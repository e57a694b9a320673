//! Passwords on command lines and in statements: options of client programs,
//! variables set in a shell or an image, SQL, `.netrc`.
//!
//! The search starts at the command, not at the option: `-p` means something
//! else nearly everywhere.

use std::ops::Range;

use memchr::memmem;

use crate::assignment;
use crate::check::is_placeholder;
use crate::pattern::{WORD, starts_token};

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
        return Some(Word { range: start..start + length - closing, quote: Some(*quote), end });
    }
    let ends = |byte: &u8| {
        !byte.is_ascii_graphic() || matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b';' | b'|' | b')')
    };
    let rest = &bytes[at..bytes.len().min(at + 512)];
    let length = rest.iter().position(ends).unwrap_or(rest.len());
    (length > 0).then(|| Word { range: at..at + length, quote: None, end: at + length })
}

fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take(64).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Whether the word is a password, not a variable or a placeholder.
fn is_password(text: &str, word: &Word) -> bool {
    let Some(value) = text.get(word.range.clone()) else { return false };
    let quoted = word.quote == Some(b'\'');
    value.len() >= 5
        && (quoted || !(value.starts_with('$') || value.contains("${") || value.contains("$(")))
        && !value.starts_with(['<', '{', '[', '*', '%', '-', '/'])
        && !value.contains(['\n', '{', '}', '<', '>'])
        && !(value.len() < 6 && value.bytes().all(|byte| byte.is_ascii_digit()))
        && value.bytes().any(|byte| byte != value.as_bytes()[0])
        && !is_well_known(value)
        && !is_placeholder(value)
}

/// The password among the options of a client program. The keyword is the
/// command.
pub(crate) fn option_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let command = &text[keyword.clone()];
    if !starts_token(bytes, keyword.start) {
        return None;
    }
    // `mysql -p name` asks for the password and opens `name`.
    let (option, apart, joined) = match command {
        "mysql " | "mysqldump " | "mysqladmin " | "mariadb " => ("-p", false, true),
        "sshpass " => ("-p", true, true),
        "redis-cli " => ("-a", true, false),
        _ => ("-p", true, false),
    };
    let limit = keyword.end + LONGEST_LINE;
    let mut at = keyword.end;
    while at < limit.min(bytes.len()) {
        at = skip_blanks(bytes, at);
        // The line continues.
        if bytes[at..].starts_with(b"\\\n") {
            at += 2;
            continue;
        }
        let word = read_word(text, at)?;
        let keyword_text = text.get(word.range.clone())?;
        let next = || {
            let start = skip_blanks(bytes, word.end);
            (start > word.end).then(|| read_word(text, start)).flatten()
        };
        let long = ["--password=", "--pass="].iter().find(|long| keyword_text.starts_with(**long));
        let password = if word.quote.is_some() {
            None
        } else if let Some(long) = long {
            read_word(text, at + long.len())
        } else if keyword_text == "--password" || (keyword_text == option && apart) {
            next()
        } else if joined && keyword_text.starts_with(option) {
            // `-p'…'`: the word ended at the quote.
            read_word(text, at + option.len())
        } else {
            None
        };
        if let Some(password) = password {
            return is_password(text, &password).then_some(password.range);
        }
        at = word.end.max(at + 1);
    }
    None
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

/// `PASSWORD '…'`, `IDENTIFIED BY '…'`, `IDENTIFIED WITH plugin BY '…'`.
pub(crate) fn sql_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let keyword_text = &text[keyword.clone()];
    let mut at = skip_blanks(bytes, keyword.end);
    if keyword_text.eq_ignore_ascii_case("identified with ") {
        let rest = &bytes[at..bytes.len().min(at + 80)];
        let by = rest.windows(4).position(|four| four.eq_ignore_ascii_case(b" by "))?;
        at = skip_blanks(bytes, at + by + 4);
    }
    let word = read_word(text, at).filter(|word| word.quote == Some(b'\''))?;
    let value = text.get(word.range.clone())?;
    let certain = !keyword_text.eq_ignore_ascii_case("password ");
    // In prose, a quoted word after this is more likely a name.
    let good = certain
        || (value.bytes().any(|byte| !byte.is_ascii_alphabetic())
            && value.bytes().any(|byte| byte.is_ascii_digit()));
    (good && !value.contains([' ', '$', '%', ':']) && is_password(text, &word))
        .then_some(word.range)
}

/// `machine HOST login NAME password …`, on one line or several. The keyword
/// ends before the host.
pub(crate) fn netrc_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if !starts_token(bytes, keyword.start) {
        return None;
    }
    let mut at = keyword.end;
    let mut next = || {
        loop {
            at += match &bytes[at..] {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => 1,
                [b'\\', b'n' | b't' | b'r', ..] => 2,
                _ => break,
            };
        }
        let word = read_word(text, at).filter(|word| word.quote.is_none())?;
        at = word.end;
        Some(word)
    };
    let first = next()?;
    let host = text.get(first.range)?;
    if !host.contains('.') && host != "localhost" {
        return None;
    }
    for _ in 0..3 {
        let name = next()?;
        let value = next()?;
        match text.get(name.range)? {
            "password" => return is_password(text, &value).then_some(value.range),
            "login" | "account" => {}
            _ => return None,
        }
    }
    None
}

/// The password in `jdbc:…`, wherever it is.
pub(crate) fn jdbc_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + LONGEST_LINE)];
    let ends = |byte: &u8| !byte.is_ascii_graphic() || b"\"'`\\<>".contains(byte);
    let rest = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let named = ["password=", "pwd="].iter().find_map(|name| {
        let at = rest.windows(name.len()).position(|w| w.eq_ignore_ascii_case(name.as_bytes()))?;
        Some(at + name.len())
    });
    let (start, length) = if let Some(start) = named {
        let value = &rest[start..];
        (start, memchr::memchr2(b'&', b';', value).unwrap_or(value.len()))
    } else {
        // `jdbc:oracle:thin:user/password@host`
        let at = memchr::memchr(b'@', rest)?;
        let start =
            memmem::find(&rest[..at], b"oracle:").and(memchr::memchr(b'/', &rest[..at]))? + 1;
        (start, at - start)
    };
    let start = keyword.end + start;
    let word = Word { range: start..start + length, quote: None, end: start + length };
    is_password(text, &word).then_some(word.range)
}

/// `ngrok config add-authtoken …`
pub(crate) fn ngrok_token(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let start = skip_blanks(text.as_bytes(), keyword.end);
    let length = WORD.run(&text.as_bytes()[start..], 80);
    let value = &text[start..start + length];
    let random = value.bytes().filter(u8::is_ascii_digit).count() >= 3;
    (length >= 40 && random && !is_placeholder(value)).then(|| start..start + length)
}
