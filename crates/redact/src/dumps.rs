//! Secrets in dumps and manifests, whose heading says what the lines below it
//! are: `COPY users (…, password) FROM stdin` of `PostgreSQL`, and the data of a
//! Kubernetes secret.

use std::ops::Range;

use memchr::memmem;

use crate::assignment::{is_random_key, is_scrambled_password};
use crate::check::{contains_any_case, decode_base64, is_placeholder, is_uuid};
use crate::commands::is_well_known;
use crate::pattern::{ANY64, WORD};

const MOST_ROWS: usize = 500;
/// The longest list of columns, and the longest manifest.
const LONGEST: usize = 4000;

/// The values of the columns that hold secrets. The keyword is `COPY`.
pub(crate) fn copied_values(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    find_copied(text, keyword).unwrap_or_default()
}

fn find_copied(text: &str, keyword: Range<usize>) -> Option<Vec<Range<usize>>> {
    const SECRETS: [&str; 9] =
        ["passw", "pwd", "secret", "token", "api_key", "apikey", "salt", "private_key", "hash"];
    let limit = text.floor_char_boundary(text.len().min(keyword.end + LONGEST));
    let line = text.get(keyword.end..limit)?.split('\n').next()?;
    let lower = line.to_ascii_lowercase();
    let from = lower.find("from stdin").or_else(|| lower.find("to stdout"))?;
    let separator = separator_of(&lower[from..]);
    let names = &line[..from];
    let (table, columns) = names.split_once('(').unwrap_or((names, ""));
    if table.trim().contains(' ') {
        return None;
    }
    let is_short = |name: &str| ["pass", "pw"].iter().any(|word| name.eq_ignore_ascii_case(word));
    let has_word = |name: &str| {
        SECRETS.iter().any(|word| contains_any_case(name, word))
            || is_short(name.trim_matches([' ', ')', '"']))
    };
    // What a table of secrets holds in columns with other names, or without names, is one
    // if it is random.
    let is_of_secrets = has_word(table) || contains_any_case(table, "credential");
    let is_secret: Vec<bool> = columns
        .split(',')
        .map(|name| has_word(name) || (is_of_secrets && name.trim() == "key"))
        .collect();
    let mut found = Vec::new();
    let mut at = keyword.end + line.len() + 1;
    for row in text.get(at..)?.split_inclusive('\n').take(MOST_ROWS) {
        let cells = row.trim_end_matches(['\n', '\r']);
        // Tabs may be written as blanks where the dump was copied.
        if cells.starts_with("\\.") || !cells.contains(separator) {
            break;
        }
        for (column, place) in cells_of(cells, separator).into_iter().enumerate() {
            let cell = cells[place.clone()].trim_matches('"');
            let start = at + place.start + usize::from(cells[place].starts_with('"'));
            let is_secret = is_secret.get(column).copied().unwrap_or_default();
            let is_key = || {
                is_of_secrets
                    && cell.len() >= 16
                    && (is_random_key(cell) || is_scrambled_password(cell))
            };
            if (is_secret && is_value(cell)) || is_key() {
                found.push(start..start + cell.len());
            }
        }
        at += row.len();
    }
    Some(found)
}

/// What separates the cells of a copy: a tab, a comma in the format `csv`, or the sign that an
/// option names.
fn separator_of(options: &str) -> char {
    let named = options.split_once("delimiter").and_then(|(_, sign)| {
        let sign = sign.split('\'').nth(1)?.chars().next()?;
        (sign != '\\').then_some(sign)
    });
    named.unwrap_or(if options.contains("csv") { ',' } else { '\t' })
}

/// The places of the cells in a row. A separator in quotes belongs to its cell.
fn cells_of(row: &str, separator: char) -> Vec<Range<usize>> {
    let (mut cells, mut start, mut is_quoted) = (Vec::new(), 0, false);
    for (at, letter) in row.char_indices() {
        if letter == '"' && separator != '\t' {
            is_quoted = !is_quoted;
        } else if letter == separator && !is_quoted {
            cells.push(start..at);
            start = at + letter.len_utf8();
        }
    }
    cells.push(start..row.len());
    cells
}

/// Whether a cell of such a column holds a secret: neither nothing, nor a number
/// or a time, nor a word.
fn is_value(cell: &str) -> bool {
    let has = |test: fn(&u8) -> bool| cell.as_bytes().iter().any(test);
    cell.len() >= 6
        && !cell.contains(' ')
        && has(u8::is_ascii_alphabetic)
        && (has(u8::is_ascii_digit) || has(|byte| b"!#$%^&*".contains(byte)))
        && !is_uuid(cell)
        && !is_well_known(cell)
        && !is_placeholder(cell)
        && !crate::has_placeholder(cell)
}

/// The values below `data:` and `stringData:` of a Kubernetes secret, but names of
/// users and hosts and public certificates. The keyword is its kind.
pub(crate) fn manifest_values(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    const PUBLIC: [&str; 8] =
        ["user", "host", "port", "crt", "cert", "namespace", "region", "name"];
    let bytes = text.as_bytes();
    if bytes.get(keyword.end).is_some_and(|byte| !byte.is_ascii_whitespace()) {
        return Vec::new();
    }
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(LONGEST));
    let start =
        memmem::rfind(&bytes[floor..keyword.start], b"\n---").map_or(floor, |at| floor + at + 1);
    let ceiling = text.floor_char_boundary(text.len().min(keyword.end + LONGEST));
    let end =
        memmem::find(&bytes[keyword.end..ceiling], b"\n---").map_or(ceiling, |at| keyword.end + at);
    let mut found = Vec::new();
    let mut at = start;
    // The indent of the heading, and whether its values are base64.
    let mut block = None;
    for line in text[start..end].split_inclusive('\n') {
        let inner = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - inner.len();
        let value_at = at + line.len();
        at = value_at;
        if let Some((outer, is_base64)) = block
            && indent > outer
        {
            let Some((name, value)) = inner.trim_end().split_once(": ") else { continue };
            let value = value.trim_matches([' ', '"', '\'']);
            let is_named = name.bytes().all(|byte| WORD.contains(byte) || b".-\"'".contains(&byte));
            let is_public = PUBLIC.iter().any(|word| contains_any_case(name, word))
                && !contains_any_case(name, "pass");
            let is_secret = if is_base64 { is_encoded(value) } else { is_plain(value) };
            if is_named && !is_public && is_secret {
                let from = value_at - line.len() + line.rfind(value).unwrap_or_default();
                found.push(from..from + value.len());
            }
            continue;
        }
        block = match inner.trim_end() {
            "data:" => Some((indent, true)),
            "stringData:" => Some((indent, false)),
            _ => None,
        };
    }
    found
}

fn is_encoded(value: &str) -> bool {
    value.len() >= 8
        && value.bytes().all(|byte| ANY64.contains(byte))
        && value.trim_end_matches('=').len() % 4 != 1
        && decode_base64(value.as_bytes(), 64).len() >= 5
        && !is_well_known(str::from_utf8(&decode_base64(value.as_bytes(), 64)).unwrap_or_default())
        && !is_placeholder(value)
}

fn is_plain(value: &str) -> bool {
    value.len() >= 6
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && value.bytes().any(|byte| byte.is_ascii_digit() || b"!#%^&*@".contains(&byte))
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !value.contains(['{', '<', '('])
        && !value.contains("://")
        && !value.starts_with(['$', '/', '.', '|', '>'])
        && !is_well_known(value)
        && !is_placeholder(value)
        && !crate::has_placeholder(value)
}
