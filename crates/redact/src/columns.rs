//! Secrets in a column of a table whose header names it: comma-separated values,
//! the tables of databases and of Markdown, tables with drawn lines, and columns
//! that only blanks separate.

mod aligned;

use std::ops::Range;

use aligned::find_aligned;

use crate::assignment::{
    is_chosen_password, is_noise, is_random_key, is_scrambled_password, is_signed_password,
    is_strong_password, is_worded_password,
};
use crate::check::{contains_any_case, is_placeholder};
use crate::labels::{self, is_certain, is_number_password};
use crate::letters::ascii;
use crate::pattern::WORD;

/// The longest line that is looked at.
const LONGEST: usize = 400;
const MOST_ROWS: usize = 200;

/// The separators of columns; of several in a header, the first counts. A wiki has two signs
/// in a row.
const SEPARATORS: [&str; 9] = ["!!", "||", "|", "│", "┃", "║", "\t", ";", ","];

/// Words of the names of columns with secrets, beside those of `labels`.
const OTHERS: [&str; 49] = [
    "_token |",
    "_token,",
    "| key",
    "|  key",
    "key |",
    ",key",
    ";key",
    "\tkey",
    "_key |",
    "_key,",
    "│ key",
    "totp",
    "webhook",
    "private_key",
    "  key",
    "passwd",
    "pwd",
    "pass,",
    "pass;",
    "pass |",
    "| pass",
    "  pass",
    "secret",
    "api_key",
    "apikey",
    "api key",
    "api_token",
    "access_token",
    "| token",
    ",token",
    "  token",
    "\ttoken",
    "│ token",
    "credential",
    "community",
    "| pin ",
    ",pin,",
    ";pin;",
    "| pw ",
    ",pass",
    ";pass",
    "\"pass\"",
    ",pw",
    ";pw",
    "\"pw\"",
    "pw,",
    "pw;",
    "wifi key",
    "wpa key",
];

/// The words of [`OTHERS`] and of `labels`.
pub(crate) const KEYWORDS: &[&str] = &{
    let mut words = [""; OTHERS.len() + labels::PASSWORDS.len()];
    let mut at = 0;
    while at < words.len() {
        let other = at < OTHERS.len();
        words[at] = if other { OTHERS[at] } else { labels::PASSWORDS[at - OTHERS.len()] };
        at += 1;
    }
    words
};

/// Words of the names of columns with passwords, and with those who use them.
const PASSWORDS: [&str; 6] = ["passw", "pwd", "kennwort", "contrase", "passphrase", "credential"];

/// The same, where they are the whole name.
const SHORT_PASSWORDS: [&str; 2] = ["pass", "pw"];

/// Words of the names of columns in tables of tests, where `pass` is a count.
const RESULTS: [&str; 5] = ["fail", "skip", "total", "score", "result"];

const LOGINS: [&str; 18] = [
    "user", "login", "mail", "name", "account", "host", "server", "benutzer", "konto", "usuario",
    "system", "url", "site", "service", "client", "device", "title", "web",
];

/// The secrets below a header. The keyword is in the header.
pub(crate) fn column_values(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    find_column(text, keyword).unwrap_or_default()
}

/// What the name of a column says about its cells.
#[derive(Debug, Clone, Copy)]
struct Column {
    /// Passwords that somebody chose, beside a column with those who use them.
    has_login: bool,
    /// Nothing but the word for a password is in the header.
    is_password: bool,
    /// Commas and semicolons are in text as well.
    is_list: bool,
}

fn find_column(text: &str, keyword: Range<usize>) -> Option<Vec<Range<usize>>> {
    let bytes = text.as_bytes();
    // The keyword may start with the separator before it.
    let marks = text[keyword.clone()].find(char::is_alphanumeric)?;
    let end = text[keyword.clone()].trim_end_matches([' ', ':', ',', ';']).len();
    let keyword = keyword.start + marks..keyword.start + end.max(marks);
    // Nearly all keywords are not in a header.
    if !is_cell_end(bytes, keyword.end) || !may_start_cell(&bytes[..keyword.start]) {
        return None;
    }
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + LONGEST)];
    let end = keyword.end + memchr::memchr(b'\n', rest)?;
    let floor = keyword.start.saturating_sub(LONGEST);
    let start =
        memchr::memrchr(b'\n', &bytes[floor..keyword.start]).map_or(floor, |at| floor + at + 1);
    let header = text.get(start..end)?;
    let separator = SEPARATORS.into_iter().find(|mark| header.contains(mark));
    let Some(separator) = separator else {
        return find_aligned(text, start..end, keyword);
    };
    let column = header[..keyword.start - start].matches(separator).count();
    let columns = header.split(separator).count();
    // Text may be before the first name.
    if columns > 40 || !header.split(separator).skip(column.max(1)).all(is_name) {
        return None;
    }
    let is_list = matches!(separator, "," | ";");
    if is_list && !is_cell_start(bytes, keyword.start) {
        return None;
    }
    // A list of arguments has a comma at its end.
    if is_list && header.split(separator).any(|name| name.trim().is_empty()) {
        return None;
    }
    let cell = header.split(separator).nth(column).unwrap_or_default();
    let name = text[keyword.clone()].trim_matches([',', ';', '|', ' ', '\t', '│', '"']);
    if is_short_password(name) && RESULTS.iter().any(|word| contains_any_case(header, word)) {
        return None;
    }
    let has_login = columns <= 12
        && is_login_column(name)
        && cell_name(cell).strip_suffix(name).is_some_and(is_apart)
        && header.split(separator).any(names_login);
    let column_of = Column { has_login, is_password: is_password_name(cell, name), is_list };
    let mut found = Vec::new();
    let mut at = end + 1;
    for line in text.get(at..)?.split_inclusive('\n').take(MOST_ROWS) {
        let row = line.trim_end_matches(['\n', '\r']);
        if !is_rule(row) {
            // A row of a wiki has other signs than its header.
            let separator = if separator == "!!" { "||" } else { separator };
            let mut before = 0;
            let mut count = 0;
            let mut place = (0, "");
            for cell in cells(row, separator) {
                if count == column {
                    place = (before, cell);
                }
                before += cell.len() + separator.len();
                count += 1;
            }
            if count != columns {
                break;
            }
            let (before, cell) = place;
            let value = cell.trim_matches(['"', '\'', ' ', '`', '*']);
            let value_start = at + before + cell.find(value).unwrap_or(0);
            if is_secret(value, column_of) {
                found.push(value_start..value_start + value.len());
            }
        }
        at += line.len();
    }
    Some(found)
}

/// The cells of a row. A cell in quotes may have the separator in it.
fn cells<'r>(row: &'r str, separator: &'r str) -> impl Iterator<Item = &'r str> {
    let is_list = matches!(separator, "," | ";") && row.contains('"');
    let mut rest = Some(row);
    std::iter::from_fn(move || {
        let text = rest?;
        let quoted = is_list.then(|| text.strip_prefix('"')).flatten();
        let inner = quoted.and_then(|inner| inner.find('"')).map_or(0, |end| end + 2);
        let Some(at) = text[inner..].find(separator) else {
            rest = None;
            return Some(text);
        };
        let end = inner + at;
        rest = Some(&text[end + separator.len()..]);
        Some(&text[..end])
    })
}

/// Whether nothing but a short rest of its word follows the keyword in its cell.
fn is_cell_end(bytes: &[u8], end: usize) -> bool {
    let is_mark =
        |byte: &u8| matches!(byte, b',' | b';' | b'\t' | b'|' | b'!' | b'\n' | b'\r' | 0xE2..);
    let is_edge = |byte: &&u8| matches!(**byte, b' ' | b'"' | b'`' | b'*');
    let name = WORD.run(&bytes[end..], 12);
    let after = &bytes[end + name..];
    let edge = after.iter().take(60).take_while(is_edge).count();
    after.starts_with(b"  ") || after.get(edge).is_some_and(is_mark)
}

/// Whether only a name can be between the keyword and what separates cells.
fn may_start_cell(before: &[u8]) -> bool {
    let is_name = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || **byte >= 0x80 || b" -_./\"'`*#()".contains(*byte)
    };
    let length = before.iter().rev().take(48).take_while(is_name).count();
    before[..before.len() - length].last().is_none_or(|byte| b",;\t|\n\r!".contains(byte))
}

/// Whether nothing but its name is before the keyword in its cell.
fn is_cell_start(bytes: &[u8], start: usize) -> bool {
    let is_edge = |byte: &&u8| matches!(**byte, b' ' | b'"' | b'`' | b'*');
    let start = start - WORD.run_back(&bytes[..start], 24);
    let before = &bytes[..start];
    let edge = before.iter().rev().take(60).take_while(is_edge).count();
    let outer = before[..start - edge].last();
    outer.is_none_or(|byte| matches!(byte, b',' | b';' | b'\t' | b'|' | b'\n' | b'\r'))
}

/// A header has short names and nothing else.
fn is_name(name: &str) -> bool {
    let name = name.trim_matches(['"', '\r', ' ', '#', '*', '`', '!']);
    name.chars().count() <= 24
        && name.chars().all(|c| c.is_alphanumeric() || "_- ./()'’・ー".contains(c))
}

/// A line between the header and the rows, or around the table.
fn is_rule(row: &str) -> bool {
    row.chars().all(|c| "-+|=: ".contains(c) || ('─'..='╿').contains(&c))
}

/// The name of a column without the marks around it.
fn cell_name(cell: &str) -> &str {
    cell.trim_matches(['"', '\'', ' ', '`', '*', '\r', '#', '!'])
}

fn is_apart(before: &str) -> bool {
    !before.ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// Whether a column holds those who log in, or where.
fn names_login(name: &str) -> bool {
    let name = cell_name(name).to_ascii_lowercase();
    LOGINS.iter().any(|login| name.ends_with(login)) && name.len() <= 20
}

/// Whether the column holds passwords, and not keys.
fn is_login_column(keyword: &str) -> bool {
    PASSWORDS.iter().any(|word| contains_any_case(keyword, word)) || is_short_password(keyword)
}

fn is_short_password(name: &str) -> bool {
    SHORT_PASSWORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Whether the name of the column is a word for a password and nothing else.
fn is_password_name(cell: &str, keyword: &str) -> bool {
    let others = ["secret", "token", "key", "hash"];
    let name = cell_name(cell).to_lowercase();
    let is_whole =
        name.len() <= keyword.len() + 6 && !others.iter().any(|word| name.contains(word));
    is_whole && !name.contains('_')
        || ["community", "credential"].iter().any(|word| name.ends_with(word))
}

/// `ann@host.org`
fn is_address(value: &str) -> bool {
    value.split_once('@').is_some_and(|(_, host)| host.contains('.'))
}

fn is_secret(value: &str, column: Column) -> bool {
    if value.len() < 5 || (value.contains(' ') && !column.has_login) {
        return false;
    }
    let is_chosen = || is_chosen_password(value) && !is_address(value);
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let has_mark = || value.bytes().any(|b| b.is_ascii_digit() || b"!#$&+*^@_".contains(&b));
    is_value(value, column.is_list)
        || (column.has_login && is_chosen())
        || (column.is_password
            && !value.contains(' ')
            && !is_placeholder(value)
            && !crate::has_placeholder(value)
            && if is_number {
                is_number_password(value)
            } else {
                is_certain(value) || (has_mark() && is_chosen())
            })
}

fn is_value(value: &str, is_list: bool) -> bool {
    let is_key = value.len() >= 20 && is_random_key(value.trim_end_matches('='));
    let is_password = is_noise(value)
        || is_signed_password(value)
        || is_scrambled_password(value)
        || is_worded_password(value);
    let signed = value.replace('@', "!");
    let value = &*ascii(value);
    let is_address = is_address(value);
    !is_placeholder(value)
        && !crate::has_placeholder(value)
        && !value.contains(' ')
        && (is_password
            || is_key
            || (!is_list
                && !is_address
                && (is_signed_password(&signed) || is_strong_password(value))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyword_may_start_with_the_separator_before_it() {
        let text = "name\ttoken\nci\taB3dE6gH9jK2mN5pQ8sT1v\n";
        let found = column_values(text, 4..10);
        assert_eq!(&text[found[0].clone()], "aB3dE6gH9jK2mN5pQ8sT1v");
    }

    fn values(text: &str) -> Vec<&str> {
        let keyword = text.find("password").expect("the keyword");
        let found = column_values(text, keyword..keyword + "password".len());
        found.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn every_row_of_a_table_is_looked_at() {
        for text in [
            "user,password\nann,aB3dE6gH9j\nbob,kL2mN5pQ8s\n",
            "| user | password |\n|------|----------|\n| ann | `aB3dE6gH9j` |\n| bob | kL2mN5pQ8s |\n",
            " id | password \n----+----------\n  1 | aB3dE6gH9j\n  2 | kL2mN5pQ8s\n(2 rows)",
            "│ user │ password │\n├──────┼──────────┤\n│ ann  │ aB3dE6gH9j │\n│ bob  │ kL2mN5pQ8s │\n",
            "USER  password    AGE\nann   aB3dE6gH9j  3d\nbob   kL2mN5pQ8s  4d\n",
        ] {
            assert_eq!(values(text), ["aB3dE6gH9j", "kL2mN5pQ8s"], "{text}");
        }
        let rows = "ann,aB3dE6gH9j\n".repeat(50);
        assert_eq!(values(&format!("user,password\n{rows}")).len(), 50);
    }

    #[test]
    fn columns_of_other_languages_and_wikis_are_looked_at() {
        for (text, keyword) in [
            (
                "Service     Identifiant   Mot de passe     Note\n----------  ------------  ---------------  ----\nétage NAS   admin         Hortensia-Kai8   a\nWi-Fi       -             lavoir02kelp     b\nZoll        ann           carte à puce     c\n",
                "Mot de passe",
            ),
            (
                "項目          ID        パスワード         備考\n共有NAS       keiri     Hortensia-Kai8     a\n複合機        admin     lavoir02kelp       b\n",
                "パスワード",
            ),
            (
                "! Gerät !! Login !! Hasło !! Uwagi\n|-\n| a || admin || Hortensia-Kai8 || x\n|-\n| b || – || lavoir02kelp || y\n|-\n| c || – || brak (otwarta) || z\n|}",
                "Hasło",
            ),
            (
                "| 设备 | 账号 | 密码 |\n|---|---|---|\n| a | root | Hortensia-Kai8 |\n| b | x | lavoir02kelp |\n",
                "密码",
            ),
            (
                "| Device | User | Credential |\n|---|---|---|\n| a | root | Hortensia-Kai8 |\n| b | x | SSO |\n| c | x | lavoir02kelp |\n",
                "Credential",
            ),
        ] {
            let at = text.find(keyword).expect("the keyword");
            let found = column_values(text, at..at + keyword.len());
            let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, ["Hortensia-Kai8", "lavoir02kelp"], "{text}");
        }
    }

    #[test]
    fn other_columns_and_sentences_stay() {
        for text in [
            "password,user\nsecret,aB3dE6gH9j\n",
            "the password, and more\nof it, aB3dE6gH9j\n",
            "| password | see aB3dE6gH9j |\n| a |\n",
        ] {
            assert_eq!(values(text), [] as [&str; 0], "{text}");
        }
    }
}
