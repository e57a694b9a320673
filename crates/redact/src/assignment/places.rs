//! Places of a value that no separator on its line delimits: the line below its name, the inner
//! text of an element, and the rest of a line with blanks in it.

use std::ops::Range;

use super::chosen::starts_line;
use super::{Assignment, Quoting};
use crate::letters::letter_length;
use crate::pattern::WORD;

/// The value in the line below its name, further in: as Salt prints it.
pub(super) fn find_below(
    text: &str,
    keyword: &Range<usize>,
    name_end: usize,
) -> Option<Assignment> {
    let bytes = text.as_bytes();
    let rest = bytes.get(name_end..)?.strip_prefix(b":\n")?;
    let is_blank = |byte: &&u8| **byte == b' ';
    let line = memchr::memrchr(b'\n', &bytes[..keyword.start]).map_or(0, |at| at + 1);
    let outer = bytes[line..].iter().take_while(is_blank).count();
    let inner = rest.iter().take(60).take_while(is_blank).count();
    let start = name_end + 2 + inner;
    let length = bytes[start..].iter().take(200).take_while(|byte| byte.is_ascii_graphic()).count();
    let is_word = matches!(bytes.get(start + length), None | Some(b'\n' | b'\r'));
    let is_value = length >= 6 && is_word && inner > outer && bytes[start + length - 1] != b':';
    let assignment = Assignment { tight: true, ..Assignment::whole(start..start + length) };
    (is_value && starts_line(text, keyword.start)).then_some(assignment)
}

/// The words in an element: `<passphrase>…</passphrase>`. The name ends at `name_end`.
pub(super) fn find_tagged(text: &str, keyword: usize, name_end: usize) -> Option<Assignment> {
    let start = name_end + 1;
    let open = keyword - WORD.run_back(&text.as_bytes()[..keyword], 40);
    let inner = text.get(name_end..)?.strip_prefix('>')?;
    let inner = &inner[..inner.floor_char_boundary(120)];
    let value = &inner[..inner.find("</")?];
    let is_words = value.contains(' ') && !value.contains('\n');
    (is_words && text[..open].ends_with('<')).then(|| Assignment::whole(start..start + value.len()))
}

/// The rest of a line of a configuration file, if blanks are in it: `password = Scanner im Flur`.
pub(super) fn find_phrase(
    text: &str,
    keyword: &Range<usize>,
    name_end: usize,
) -> Option<Assignment> {
    let bytes = text.as_bytes();
    let is_blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    let gap = bytes[name_end..].iter().take(40).take_while(is_blank).count();
    let at = name_end + gap;
    if bytes.get(at) != Some(&b'=') {
        return None;
    }
    let start = at + 1 + bytes[at + 1..].iter().take(40).take_while(is_blank).count();
    let rest = text.get(start..text.floor_char_boundary(text.len().min(start + 80)))?;
    let line = rest.split(['\n', '\r', '#']).next()?.trim_end();
    let is_phrase = line.contains(' ')
        && starts_line(text, keyword.start)
        && line.chars().all(|c| c == ' ' || c.is_alphanumeric())
        && line.starts_with(|c: char| letter_length(c) > 0);
    is_phrase.then(|| Assignment {
        quoting: Quoting::Bare,
        ..Assignment::whole(start..start + line.len())
    })
}
