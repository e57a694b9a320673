//! Several secrets below one name: arrays and lists (`api_keys: ["…", "…"]`), objects of them,
//! variables with commas; and the rows that a script prints of credentials.

use std::ops::Range;

use super::listings::lines_after;
use crate::assignment::{
    is_chosen_password, is_noise, is_public_key, is_random_key, is_scrambled_password,
    is_signed_password,
};
use crate::check::{is_mixed, is_placeholder, is_uuid};
use crate::labels::is_certain;
use crate::pattern::{ANY_HEX, WORD};

/// How many values are read, and how far.
const MOST_VALUES: usize = 40;
const FARTHEST: usize = 4000;

/// Words before `keys` that tell them from keys of caches, tables and objects.
const KINDS: [&str; 20] = [
    "api", "app", "secret", "sign", "crypt", "cookie", "session", "access", "auth", "private",
    "hmac", "jwt", "master", "fernet", "admin", "service", "webhook", "license", "token", "valid",
];

/// The values of a list that a name holds. The keyword is at the end of the name.
pub(crate) fn listed_values(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    find_list(text, keyword).unwrap_or_default()
}

fn find_list(text: &str, keyword: Range<usize>) -> Option<Vec<Range<usize>>> {
    const BETWEEN: usize = 40;
    let bytes = text.as_bytes();
    let word = text[keyword.clone()].to_ascii_lowercase();
    let end =
        keyword.start + word.trim_end_matches([':', '=', ' ', '[', '"', '\'', '\\', '(']).len();
    let is_between = |byte: &&u8| WORD.contains(**byte) || b":=<>[]({\"'\\ \n,>".contains(*byte);
    // Nearly all such names are in prose or hold something else.
    let is_separator = |byte: &&u8| b"\"'\\ ".contains(*byte);
    let gap = bytes[end..].iter().take(4).take_while(is_separator).count();
    let separator = *bytes.get(end + gap).filter(|byte| b":=,(".contains(byte))?;
    let start = end - WORD.run_back(&bytes[..end], 48);
    let name = text[start..end].to_ascii_lowercase();
    let is_key = name.ends_with("keys") || name.ends_with("key");
    let is_open = ["public", "pgp", "gpg", "fingerprint"].iter().any(|word| name.contains(word));
    if is_open || (is_key && !KINDS.iter().any(|kind| name.contains(kind))) {
        return None;
    }
    let from = end + gap + 1;
    let rest = &bytes[from..bytes.len().min(from + FARTHEST)];
    let between = rest.iter().take(BETWEEN).take_while(is_between).count();
    let open = (0..between).find(|at| {
        let blanks = rest[at + 1..].iter().take(24).take_while(|b| b.is_ascii_whitespace()).count();
        matches!(rest[*at], b'[' | b'(' | b'{')
            && matches!(rest.get(at + 1 + blanks), Some(b'"' | b'\'' | b'`' | b'\\'))
    });
    let is_good = |place: &Range<usize>| text.get(place.clone()).is_some_and(is_listed);
    let values: Vec<Range<usize>> = match open {
        Some(open) => quoted_values(&rest[open + 1..], from + open + 1),
        None if separator == b':' && bytes.get(from) == Some(&b'\n') => items(text, from),
        None if separator == b'=' => separated(text, from),
        None => return None,
    };
    Some(values.into_iter().filter(is_good).collect())
}

/// The strings up to the closing bracket.
fn quoted_values(rest: &[u8], from: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < rest.len() && found.len() < MOST_VALUES {
        match rest[at] {
            b']' | b')' | b'}' | b';' | b'{' | b'[' | b'(' => break,
            quote @ (b'"' | b'\'' | b'`') => {
                let inner = &rest[at + 1..];
                let Some(length) = memchr::memchr2(quote, b'\n', inner) else { break };
                let value = inner[..length].strip_suffix(b"\\").unwrap_or(&inner[..length]);
                // The name of a member is not a value.
                if inner.get(length + 1) != Some(&b':') {
                    found.push(from + at + 1..from + at + 1 + value.len());
                }
                at += length + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// `- …`, the items of a list in YAML.
fn items(text: &str, from: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (start, line) in lines_after(text, from, MOST_VALUES).skip(1) {
        let Some(item) = line.trim_start().strip_prefix("- ") else { break };
        let value = item.trim().trim_matches(['"', '\'']);
        let at = start + line.find(value).unwrap_or(0);
        found.push(at..at + value.len());
    }
    found
}

/// `A_KEYS=…,…`: several values without blanks.
fn separated(text: &str, from: usize) -> Vec<Range<usize>> {
    let rest = &text.as_bytes()[from..];
    let quote = usize::from(matches!(rest.first(), Some(b'"' | b'\'')));
    let is_part = |byte: &&u8| byte.is_ascii_graphic() && !b"\"'`;".contains(*byte);
    let length = rest[quote..].iter().take(1000).take_while(is_part).count();
    let Some(value) = text.get(from + quote..from + quote + length) else { return Vec::new() };
    let mut at = from + quote;
    let mut found = Vec::new();
    for part in value.split(',') {
        // `name:key`, as some servers list them.
        let inner = part.rsplit(':').next().unwrap_or(part);
        found.push(at + part.len() - inner.len()..at + part.len());
        at += part.len() + 1;
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// Whether a value of a list is a secret: long and random, or a password by its characters.
fn is_listed(value: &str) -> bool {
    let is_hex = value.bytes().all(|byte| ANY_HEX.contains(byte));
    let is_key = value.len() >= 20
        && is_random_key(value)
        && if is_hex { value.len() >= 32 } else { is_mixed(value) };
    !is_uuid(value)
        && !is_placeholder(value)
        && !crate::has_placeholder(value)
        && !is_public_key(value)
        && !value.contains(['/', ' '])
        && (is_key || (value.len() >= 16 && is_scrambled_password(value)) || is_noise(value))
}

/// The last cells of the rows that a script prints, if its code reads passwords. The keyword
/// is the member that holds them: `println(it.password)`.
pub(crate) fn printed_rows(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    const MOST_LINES: usize = 14;
    let mut found = Vec::new();
    for (start, line) in lines_after(text, keyword.end, MOST_LINES).skip(1) {
        let row = line.trim_end();
        let mark = ["\t", " | ", " : ", ": ", " / ", ", ", " "];
        let Some(mark) = mark.into_iter().find(|mark| row.contains(mark)) else { continue };
        let Some((before, value)) = row.rsplit_once(mark) else { continue };
        let is_row =
            mark == "\t" || (before.split(' ').count() <= 3 && !before.ends_with(['=', '(']));
        let has_mark = value.bytes().any(|byte| byte.is_ascii_digit());
        let is_password = is_certain(value)
            || is_noise(value)
            || is_signed_password(value)
            || is_scrambled_password(value)
            || (mark == "\t" && has_mark && is_chosen_password(value));
        let is_code = value.contains(['(', '"', ';', '{']) || value.ends_with([',', '.']);
        if is_row && is_password && !is_code && !crate::has_placeholder(value) {
            let at = start + row.len() - value.len();
            found.push(at..at + value.len());
        }
    }
    found
}
