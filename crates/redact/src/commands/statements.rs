//! Passwords in SQL, connection strings and password files.

use std::ops::Range;

use memchr::memmem;

use super::{LONGEST_LINE, Word, bare_length, is_likely, is_password, read_word, skip_blanks};
use crate::assignment::{is_chosen_password, is_pass_phrase};
use crate::pattern::{DIGIT, DOTTED, starts_token};

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
    // `SET PASSWORD FOR 'ann'@'%' = '…'`
    if bytes[at..].get(..4).is_some_and(|four| four.eq_ignore_ascii_case(b"for ")) {
        let rest = &bytes[at..bytes.len().min(at + 80)];
        at += memchr::memchr(b'=', rest)?;
    }
    if matches!(&bytes[at..], [b'=' | b'(', ..]) {
        at = skip_blanks(bytes, at + 1);
    }
    if matches!(&bytes[at..], [b'N', b'\'', ..]) {
        at += 1;
    }
    let certain = !keyword_text.eq_ignore_ascii_case("password ");
    let word = read_word(text, at).filter(|word| {
        let is_identified = keyword_text.starts_with(['i', 'I']);
        let is_bare_key =
            || text.get(word.range.clone()).is_some_and(|value| is_likely(value, None));
        word.quote == Some(b'\'') || (is_identified && (word.quote.is_some() || is_bare_key()))
    })?;
    let value = text.get(word.range.clone())?;
    // In prose, a quoted word after this is more likely a name.
    let good = certain
        || (value.bytes().any(|byte| !byte.is_ascii_alphabetic())
            && value.bytes().any(|byte| byte.is_ascii_digit()));
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(60));
    let before = &text[floor..keyword.start];
    let is_phrase =
        value.contains(' ') && (certain || is_pass_phrase(value)) && is_chosen_password(value);
    let is_word = !value.contains([' ', ':']) && value != "%s" && is_password(text, &word);
    ((good && is_word) || is_phrase || is_set_password(keyword_text, value, before))
        .then_some(word.range)
}

/// Whether a statement sets the password, and nothing but a name is in its quotes.
fn is_set_password(keyword: &str, value: &str, before: &str) -> bool {
    let is_account = ["USER ", "ROLE ", "LOGIN ", "WITH "].iter().any(|word| before.contains(word));
    is_account && is_chosen_password(value)
        || keyword.trim().eq_ignore_ascii_case("password")
            && value.bytes().any(|b| b.is_ascii_digit())
            && is_chosen_password(value)
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
    if !text[keyword.clone()].starts_with("default") {
        let host = text.get(first.range)?;
        if !host.contains('.') && host != "localhost" {
            return None;
        }
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

/// The values of `INSERT INTO users (…, password) VALUES (…, '…')`: those that
/// are passwords by their characters. The keyword is `values`.
pub(crate) fn inserted_passwords(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    /// How many rows are looked at.
    const MOST: usize = 50;
    let before = &text[text.floor_char_boundary(keyword.start.saturating_sub(400))..keyword.start];
    let lower = before.to_ascii_lowercase();
    let Some(insert) = lower.rfind("insert into").map(|at| &lower[at..]) else { return Vec::new() };
    if !["passw", "secret", "token", "api_key"].iter().any(|word| insert.contains(word)) {
        return Vec::new();
    }
    let limit = text.len().min(keyword.end + LONGEST_LINE);
    let mut found: Vec<Range<usize>> =
        inserted_value(text, insert, keyword.end, limit).into_iter().collect();
    // More rows are in the next lines, each in its brackets.
    let mut at = keyword.end;
    for line in text[keyword.end..].split_inclusive('\n').take(MOST) {
        let row = line.trim_start_matches([' ', '\t']);
        if at > keyword.end && !row.starts_with('(') && !row.trim().is_empty() {
            break;
        }
        if row.starts_with('(') {
            let start = at + line.len() - row.len() + 1;
            found.extend(inserted_value(text, insert, start, at + line.len()));
        }
        at += line.len();
        if row.trim_end().ends_with(';') {
            break;
        }
    }
    found
}

/// The password in the row that starts at `from` and ends before `limit`.
fn inserted_value(text: &str, insert: &str, from: usize, limit: usize) -> Option<Range<usize>> {
    if let Some(secret) = inserted_column(text, insert, from) {
        return Some(secret);
    }
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(quote) = bytes.get(at..limit).and_then(|rest| memchr::memchr(b'\'', rest)) {
        let word = read_word(text, at + quote)?;
        let value = text.get(word.range.clone())?;
        if is_password(text, &word) && is_likely(value, None) && !value.contains([' ', '@']) {
            return Some(word.range);
        }
        at = word.end;
    }
    None
}

/// The value of the column that holds passwords. `insert` is the statement up to its values.
fn inserted_column(text: &str, insert: &str, from: usize) -> Option<Range<usize>> {
    let (_, columns) = insert.split_once('(')?;
    let column = columns.split(')').next()?.split(',').position(|name| {
        let name = name.trim_matches([' ', '`', '"', '\n', '\t']);
        ["password", "passwd", "pwd", "passwort", "kennwort"].contains(&name)
    })?;
    let row = text.get(from..)?.split(['\n', ';']).next()?;
    let mut at = from;
    let value = row.split(',').enumerate().find_map(|(index, value)| {
        let start = at;
        at += value.len() + 1;
        (index == column).then_some((start, value))
    });
    let (start, cell) = value?;
    let inner = cell.trim().strip_prefix('\'').and_then(|cell| cell.split('\'').next())?;
    let start = start + cell.find('\'')? + 1;
    (is_chosen_password(inner) && !crate::has_placeholder(inner))
        .then(|| start..start + inner.len())
}

/// `host:5432:database:user:password`, a line of `.pgpass`. The keyword is the
/// port with the colons around it.
pub(crate) fn column_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let host = DOTTED.run_back(&bytes[..keyword.start], 80);
    let anywhere = bytes[..keyword.start].ends_with(b"*");
    let mut at = keyword.end;
    // The port is before a star: `host:5433:*:user:password`.
    let port = DIGIT.run_back(&bytes[..keyword.start], 5);
    let has_port = port >= 4 && bytes[..keyword.start - port].ends_with(b":");
    let fields = if has_port { 1 } else { 2 };
    for _ in 0..fields {
        let name = DOTTED.run(&bytes[at..], 64).max(usize::from(bytes.get(at) == Some(&b'*')));
        if name == 0 || bytes.get(at + name) != Some(&b':') {
            return None;
        }
        at += name + 1;
    }
    let mut word = read_word(text, at)?;
    // A colon of the password itself has a backslash.
    while bytes[word.end..].starts_with(b"\\:") && word.quote.is_none() {
        let rest = &bytes[word.end + 2..];
        word.range.end += 2 + bare_length(&rest[..rest.len().min(512)]);
        word.end = word.range.end;
    }
    let value = text.get(word.range.clone())?;
    let plain = value.replace("\\:", "");
    // Nothing but the five fields is on the line.
    let is_line = || {
        let line = memchr::memrchr(b'\n', &bytes[..keyword.start]).map_or(0, |at| at + 1);
        let ends = matches!(bytes.get(word.end), None | Some(b'\n' | b'\r'));
        ends && keyword.start - host == line && !plain.contains(':') && is_chosen_password(&plain)
    };
    let good = (host > 0 || anywhere)
        && is_password(text, &word)
        && (is_likely(&plain, None) || is_line());
    (good && !value.contains("//")).then_some(word.range)
}
