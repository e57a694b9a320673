//! Passwords in a column of comma-separated values whose header names it.

use std::ops::Range;

use crate::assignment::{is_scrambled_password, is_signed_password};
use crate::check::is_placeholder;

/// The longest line that is looked at.
const LONGEST: usize = 400;

/// The first password below a header that is not masked yet. The keyword is in
/// the header.
pub(crate) fn column_value(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let floor = keyword.start.saturating_sub(LONGEST);
    let start =
        memchr::memrchr(b'\n', &bytes[floor..keyword.start]).map_or(floor, |at| floor + at + 1);
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + LONGEST)];
    let end = keyword.end + memchr::memchr(b'\n', rest)?;
    let header = text.get(start..end)?;
    let separator = [',', ';', '\t'].into_iter().find(|separator| header.contains(*separator))?;
    // A header has short names and nothing else.
    let is_name = |name: &str| {
        let name = name.trim_matches(['"', '\r', ' ', '#']);
        (1..=24).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_- ".contains(&byte))
    };
    let column = header[..keyword.start - start].matches(separator).count();
    let columns = header.split(separator).count();
    // Text may be before the first name.
    if columns > 40 || !header.split(separator).skip(column.max(1)).all(is_name) {
        return None;
    }
    let mut at = end + 1;
    for line in text.get(at..)?.split_inclusive('\n').take(64) {
        let cells: Vec<&str> = line.trim_end_matches(['\n', '\r']).split(separator).collect();
        if cells.len() != columns {
            return None;
        }
        let before: usize = cells[..column].iter().map(|cell| cell.len() + 1).sum();
        let cell = cells[column];
        let value = cell.trim_matches(['"', ' ']);
        let value_start = at + before + cell.find(value).unwrap_or(0);
        if !is_placeholder(value) && (is_signed_password(value) || is_scrambled_password(value)) {
            return Some(value_start..value_start + value.len());
        }
        at += line.len();
    }
    None
}
