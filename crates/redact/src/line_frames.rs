//! Text without the marks of comments, quotations and frames that several lines in a row
//! have, and the columns of a diff that has them side by side.
//!
//! Such marks are everywhere; the caller asks only for texts that speak of a password.
//! Numbers, names and the marks of other diffs are deliberately not here (`line_marks`).

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::line_marks::lines;
use crate::view::View;

/// The blocks of a text whose lines have marks of comments, quotations and frames, and the
/// columns of a diff that has them side by side, without the marks. They have no marks in
/// their lines again.
pub(crate) fn framed_views(text: &str) -> Vec<View> {
    let mut views = Vec::new();
    quoted(text, &mut views);
    beside(text, &mut views);
    views
}

/// A mark that several lines in a row have: of comments, of quotations, of a frame.
const MARKS: [&str; 16] = [
    ">> ", "> > ", ">", "// ", "//", "# ", "#", "-- ", "; ", ";", "* ", "! ", "% ", "│", "┃", "| ",
];

/// The mark at the start of a line, and its length with the blanks before it.
fn mark(line: &[u8]) -> Option<(usize, usize)> {
    let blanks = line.iter().take(8).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let rest = &line[blanks..];
    if !matches!(rest.first()?, b'>' | b'/' | b'#' | b'-' | b';' | b'*' | b'!' | b'%' | b'|' | 0xE2)
    {
        return None;
    }
    // The mark of a diff, with a blank after it, is looked at with its sides.
    if rest.starts_with(b"> ") && !rest.starts_with(b"> > ") {
        return None;
    }
    let index = MARKS.iter().position(|mark| rest.starts_with(mark.as_bytes()))?;
    let length = MARKS[index].len();
    // A frame is apart from its content.
    let gap = usize::from(MARKS[index].len() == 3 && rest.get(length) == Some(&b' '));
    Some((index, blanks + length + gap))
}

/// Adds a view of every block of lines that begin with the same mark, and of lines that
/// all end with the same one: a bar of a frame, or `$` as `cat -A` prints it.
fn quoted(text: &str, views: &mut Vec<View>) {
    let bytes = text.as_bytes();
    let mut block: Vec<Range<usize>> = Vec::new();
    let mut kind = None;
    for line in lines(text, 0) {
        let found = mark(&bytes[line.clone()]).filter(|_| line.len() < 400);
        if found.map(|(index, _)| index) != kind {
            push_block(text, &block, views);
            block.clear();
        }
        kind = found.map(|(index, _)| index);
        if let Some((_, length)) = found {
            block.push(line.start + length..line.end);
        }
    }
    push_block(text, &block, views);
    let is_closed = |line: Range<usize>| bytes[line].ends_with(b"$");
    if bytes.ends_with(b"$\n") || bytes.ends_with(b"$") {
        let found: Vec<_> = lines(text, 0).collect();
        if found.len() > 1 && found.iter().all(|line| is_closed(line.clone())) {
            let lines: Vec<_> = found.into_iter().map(|line| line.start..line.end - 1).collect();
            push_block(text, &lines, views);
        }
    }
}

/// Adds a view of lines without their marks, if they are several.
fn push_block(text: &str, block: &[Range<usize>], views: &mut Vec<View>) {
    if block.len() < 2 {
        return;
    }
    let mut view = View::default();
    for line in block {
        let Some(inner) = text.get(line.clone()) else { continue };
        // The other side of the frame.
        let inner = inner.trim_end_matches(['│', '┃', '|']).trim_end_matches(' ');
        view.push(inner, line.start);
        view.push("\n", line.end);
    }
    views.push(view);
}

/// Adds views of both columns of a diff that has them side by side.
fn beside(text: &str, views: &mut Vec<View>) {
    const GUTTERS: [&str; 3] = [">\t", "|\t", " <\n"];
    /// The narrowest column.
    const LEAST: usize = 30;
    let bytes = text.as_bytes();
    if !GUTTERS.iter().any(|gutter| memmem::find(bytes, gutter.as_bytes()).is_some()) {
        return;
    }
    let (mut left, mut right) = (View::default(), View::default());
    for line in lines(text, 0) {
        let Some(whole) = text.get(line.clone()) else { continue };
        let Some(gutter) = gutter(whole) else { continue };
        let (first, second) = (whole[..gutter.start].trim_end(), &whole[gutter.end..]);
        let is_wide = gutter.end >= LEAST || whole[..gutter.end].contains('\t');
        if !is_wide {
            continue;
        }
        left.push(first, line.start);
        left.push("\n", line.end);
        right.push(second, line.start + gutter.end);
        right.push("\n", line.end);
    }
    views.extend([left, right].into_iter().filter(|view| !view.text.trim().is_empty()));
}

/// The blanks between two columns, with the mark in them.
fn gutter(line: &str) -> Option<Range<usize>> {
    let bytes = line.as_bytes();
    let is_blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    let mark = memchr::memchr3_iter(b'|', b'<', b'>', bytes).find(|at| {
        let before = bytes[..*at].iter().rev().take_while(is_blank).count();
        let is_far =
            before >= 3 || bytes[..*at].last() == Some(&b'\t') || (before > 0 && *at >= 40);
        is_far && matches!(bytes.get(at + 1), None | Some(b' ' | b'\t'))
    });
    let (start, end) = if let Some(mark) = mark {
        (mark, mark + 1)
    } else {
        // A line that is the same in both columns.
        let wide = memmem::find(bytes, b"    ").filter(|at| *at > 0);
        let at = wide.or_else(|| memchr(b'\t', bytes))?;
        (at, at)
    };
    // One blank is after a mark; others belong to the line.
    let most = if mark.is_some() { 1 } else { usize::MAX };
    let after = bytes[end..].iter().take(most).take_while(is_blank).count();
    Some(start..end + after)
}
