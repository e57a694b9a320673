//! Columns without signs between them: cells that start below the names of the header, as
//! programs align them.

use std::ops::Range;

use super::{
    Column, MOST_ROWS, cell_name, is_login_column, is_name, is_password_name, is_secret,
    is_short_password, names_login,
};

/// Columns that start below the names of the header: `USER     PASSWORD`.
pub(super) fn find_aligned(
    text: &str,
    header: Range<usize>,
    keyword: Range<usize>,
) -> Option<Vec<Range<usize>>> {
    let names = text.get(header.clone())?;
    memchr::memmem::find(names.trim().as_bytes(), b"  ")?;
    let cells = aligned_cells(names);
    let at = keyword.start - header.start;
    let column = cells.iter().position(|(place, _)| place.contains(&at))?;
    let is_header =
        cells.len() >= 2 && cells.iter().all(|(place, _)| is_name(&names[place.clone()]));
    if !is_header || (cells[column].0.start > 0 && !names[..at].contains("  ")) {
        return None;
    }
    let name = &names[cells[column].0.clone()];
    let word = &text[keyword];
    let is_whole = !is_short_password(word) || cell_name(name).eq_ignore_ascii_case(word);
    let has_login = is_whole
        && is_login_column(word)
        && cells.iter().any(|(cell, _)| names_login(&names[cell.clone()]));
    let kind = Column { has_login, is_password: is_password_name(name, word), is_list: false };
    let mut found = Vec::new();
    let mut at = header.end + 1;
    for line in text.get(at..)?.split_inclusive('\n').take(MOST_ROWS) {
        let row = line.trim_end_matches(['\n', '\r']);
        if row.trim().is_empty() {
            break;
        }
        if let Some(place) = cell_below(row, &cells, column) {
            let cell = &row[place.clone()];
            let value = cell.split(' ').next().unwrap_or_default();
            let is_whole = value.len() == cell.len();
            let kind = Column {
                has_login: kind.has_login && is_whole,
                is_password: kind.is_password && is_whole,
                ..kind
            };
            if is_secret(value, kind) {
                found.push(at + place.start..at + place.start + value.len());
            }
        }
        at += line.len();
    }
    Some(found)
}

/// The texts between two or more blanks, and how wide the line is before each.
fn aligned_cells(line: &str) -> Vec<(Range<usize>, usize)> {
    let mut cells = Vec::new();
    let (mut width, mut start, mut blanks, mut end) = (0, None, 2, 0);
    for (at, letter) in line.char_indices() {
        if letter == ' ' {
            blanks += 1;
        } else {
            if blanks >= 2 {
                if let Some((from, before)) = start.take() {
                    cells.push((from..end, before));
                }
                start = Some((at, width));
            }
            blanks = 0;
            end = at + letter.len_utf8();
        }
        width += if is_wide(letter) { 2 } else { 1 };
    }
    cells.extend(start.map(|(from, before)| (from..end, before)));
    cells
}

/// Whether a terminal shows the letter as wide as two others.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}')
}

/// The cell of a row below a name of the header: where it starts, or else the one with the
/// same number.
fn cell_below(row: &str, header: &[(Range<usize>, usize)], column: usize) -> Option<Range<usize>> {
    let cells = aligned_cells(row);
    let at = header[column].1;
    let below = cells.iter().find(|(_, start)| start.abs_diff(at) <= 2);
    let same = || cells.get(column).filter(|_| cells.len() == header.len());
    if let Some((place, _)) = below.or_else(same) {
        return Some(place.clone());
    }
    // One blank is between a long cell and the next.
    let start = row.char_indices().scan(0, |width, (at, letter)| {
        let before = *width;
        *width += if is_wide(letter) { 2 } else { 1 };
        Some((at, before))
    });
    let (start, _) = start.into_iter().find(|(_, width)| *width == at)?;
    let length = row[start..].find(' ').unwrap_or(row.len() - start);
    (row[..start].ends_with(' ') && length > 0).then(|| start..start + length)
}
