//! Secrets in a column of a table whose header names it: comma-separated values,
//! the tables of databases and of Markdown, tables with drawn lines, and columns
//! that only blanks separate.

use std::ops::Range;

use crate::assignment::{
    is_chosen_password, is_random_key, is_scrambled_password, is_signed_password,
    is_strong_password, is_worded_password,
};
use crate::check::{contains_any_case, is_placeholder};
use crate::letters::ascii;
use crate::pattern::WORD;

/// The longest line that is looked at.
const LONGEST: usize = 400;
const MOST_ROWS: usize = 200;

/// The separators of columns; of several in a header, the first counts.
const SEPARATORS: [char; 6] = ['|', '│', '┃', '║', '\t', ';'];

/// Words of the names of columns with passwords, and with those who use them.
const PASSWORDS: [&str; 8] =
    ["passw", "pwd", "kennwort", "pass,", "pass;", "pass |", "contrase", "passphrase"];
const LOGINS: [&str; 18] = [
    "user", "login", "mail", "name", "account", "host", "server", "benutzer", "konto", "usuario",
    "system", "url", "site", "service", "client", "device", "title", "web",
];

/// The secrets below a header. The keyword is in the header.
pub(crate) fn column_values(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    find_column(text, keyword).unwrap_or_default()
}

fn find_column(text: &str, keyword: Range<usize>) -> Option<Vec<Range<usize>>> {
    let bytes = text.as_bytes();
    // The keyword may start with the separator before it.
    let marks = text[keyword.clone()].find(|c: char| c.is_ascii_alphanumeric())?;
    let keyword = keyword.start + marks..keyword.end;
    // Nearly all keywords are not in a header.
    if !is_cell(bytes, &keyword) {
        return None;
    }
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + LONGEST)];
    let end = keyword.end + memchr::memchr(b'\n', rest)?;
    let floor = keyword.start.saturating_sub(LONGEST);
    let start =
        memchr::memrchr(b'\n', &bytes[floor..keyword.start]).map_or(floor, |at| floor + at + 1);
    let header = text.get(start..end)?;
    let separator = SEPARATORS.into_iter().chain([',']).find(|mark| header.contains(*mark));
    let Some(separator) = separator else {
        return find_aligned(text, start..end, keyword);
    };
    let column = header[..keyword.start - start].matches(separator).count();
    let columns = header.split(separator).count();
    // Text may be before the first name.
    if columns > 40 || !header.split(separator).skip(column.max(1)).all(is_name) {
        return None;
    }
    let is_list = matches!(separator, ',' | ';');
    // A list of arguments has a comma at its end.
    if is_list && header.split(separator).any(|name| name.trim().is_empty()) {
        return None;
    }
    let cell = header.split(separator).nth(column).unwrap_or_default();
    let cell = cell.trim_matches(['"', '\'', ' ', '`', '*', '\r']);
    let name = text[keyword.clone()].trim_matches([',', ';', '|', ' ', '\t', '│']);
    let before = cell.strip_suffix(name);
    let is_password = is_login_column(name)
        && before.is_some_and(|before| !before.ends_with(|c: char| c.is_ascii_alphanumeric()));
    let has_login = columns <= 12 && is_password && header.split(separator).any(names_login);
    let mut found = Vec::new();
    let mut at = end + 1;
    for line in text.get(at..)?.split_inclusive('\n').take(MOST_ROWS) {
        let row = line.trim_end_matches(['\n', '\r']);
        if !is_rule(row) {
            let cells: Vec<&str> = row.split(separator).collect();
            if cells.len() != columns {
                break;
            }
            let before: usize =
                cells[..column].iter().map(|cell| cell.len() + separator.len_utf8()).sum();
            let cell = cells[column];
            let value = cell.trim_matches(['"', '\'', ' ', '`', '*']);
            let value_start = at + before + cell.find(value).unwrap_or(0);
            let is_password = has_login && is_chosen_password(value) && !is_address(value);
            if is_password || is_value(value, is_list) {
                found.push(value_start..value_start + value.len());
            }
        }
        at += line.len();
    }
    Some(found)
}

/// Columns that start below the names of the header: `USER     PASSWORD`.
fn find_aligned(
    text: &str,
    header: Range<usize>,
    keyword: Range<usize>,
) -> Option<Vec<Range<usize>>> {
    let names = text.get(header.clone())?;
    memchr::memmem::find(names.trim().as_bytes(), b"  ")?;
    let is_apart = |at: usize| names[..at].ends_with("  ") || at == 0;
    let name = names[..keyword.start - header.start].rfind("  ").map_or(0, |at| at + 2);
    let is_header = is_apart(name)
        && names.split("  ").filter(|cell| !cell.trim().is_empty()).count() >= 2
        && names.split("  ").all(|cell| cell.trim().is_empty() || is_name(cell));
    if !is_header || !names[name..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let mut found = Vec::new();
    let mut at = header.end + 1;
    for line in text.get(at..)?.split_inclusive('\n').take(MOST_ROWS) {
        let row = line.trim_end_matches(['\n', '\r']);
        if row.trim().is_empty() {
            break;
        }
        let value = row.get(name..).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        let starts =
            row.get(..name).is_some_and(|before| before.is_empty() || before.ends_with(' '));
        if starts && is_value(value, false) {
            found.push(at + name..at + name + value.len());
        }
        at += line.len();
    }
    Some(found)
}

/// Whether the name with the keyword is alone between separators.
fn is_cell(bytes: &[u8], keyword: &Range<usize>) -> bool {
    let is_mark = |byte: &u8| matches!(byte, b',' | b';' | b'\t' | b'|' | b'\n' | b'\r' | 0xE2..);
    let is_edge = |byte: &&u8| matches!(**byte, b' ' | b'"' | b'`' | b'*');
    let name = WORD.run(&bytes[keyword.end..], 12);
    let after = &bytes[keyword.end + name..];
    let edge = after.iter().take(60).take_while(is_edge).count();
    let is_apart = after.starts_with(b"  ");
    if !(is_apart || after.get(edge).is_some_and(is_mark)) {
        return false;
    }
    let start = keyword.start - WORD.run_back(&bytes[..keyword.start], 24);
    let before = &bytes[..start];
    let edge = before.iter().rev().take(60).take_while(is_edge).count();
    let outer = &before[..start - edge];
    // A bar of a table ends with one of these bytes.
    let is_bar = outer.last().is_some_and(|byte| matches!(byte, 0x80..0xC0));
    before.ends_with(b"  ") || is_bar || outer.last().is_none_or(is_mark)
}

/// A header has short names and nothing else.
fn is_name(name: &str) -> bool {
    let name = name.trim_matches(['"', '\r', ' ', '#', '*', '`']);
    name.len() <= 24
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_- ./".contains(&byte))
}

/// A line between the header and the rows, or around the table.
fn is_rule(row: &str) -> bool {
    row.chars().all(|c| "-+|=: ".contains(c) || ('─'..='╿').contains(&c))
}

/// Whether a column holds those who log in, or where.
fn names_login(name: &str) -> bool {
    let name = name.trim_matches(['"', '\'', ' ', '`', '*', '\r', '#']).to_ascii_lowercase();
    LOGINS.iter().any(|login| name.ends_with(login)) && name.len() <= 20
}

/// Whether the column holds passwords, and not keys.
fn is_login_column(keyword: &str) -> bool {
    PASSWORDS.iter().any(|word| contains_any_case(keyword, word))
}

/// `ann@host.org`
fn is_address(value: &str) -> bool {
    value.split_once('@').is_some_and(|(_, host)| host.contains('.'))
}

fn is_value(value: &str, is_list: bool) -> bool {
    let is_key = value.len() >= 20 && is_random_key(value.trim_end_matches('='));
    let is_password =
        is_signed_password(value) || is_scrambled_password(value) || is_worded_password(value);
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
