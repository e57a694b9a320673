//! Lines of a word diff, `[-old-]{+new+}`, as they were and as they are: the marks
//! hide where a secret ends. Only used to find positions.

use memchr::memmem;

use crate::view::View;

/// What a text with such a line contains: the marks, with what is around them.
pub(crate) const MARKS: &[&str] =
    &["-]{+", ": [-", "=[-", "= [-", "\"[-", "'[-", ": {+", "={+", "= {+", "\"{+", "'{+", "+}{"];

/// The longest line that is looked at.
const LONGEST: usize = 2000;

/// Both sides of every line with such marks; none, as is nearly always the case.
pub(crate) fn sides(text: &str) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut sides = Vec::new();
    let mut done = 0;
    for at in memmem::find_iter(bytes, b"+}").chain(memmem::find_iter(bytes, b"-]")) {
        let floor = at.saturating_sub(LONGEST);
        let start =
            memchr::memrchr(b'\n', &bytes[floor..at]).map_or(floor, |line| floor + line + 1);
        let rest = &bytes[at..bytes.len().min(at + LONGEST)];
        let end = at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let (start, end) = (text.ceil_char_boundary(start), text.floor_char_boundary(end));
        let line = &text[start..end];
        if start >= done && (line.contains("[-") || line.contains("{+")) {
            done = end;
            sides.push(side(line, start, ("[-", "-]"), ("{+", "+}")));
            sides.push(side(line, start, ("{+", "+}"), ("[-", "-]")));
        }
    }
    sides
}

/// The line at `offset` with what is between the first marks and without what is
/// between the others.
fn side(line: &str, offset: usize, shown: (&str, &str), hidden: (&str, &str)) -> View {
    let mut side = View::with_capacity(line.len());
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let next = [shown.0, shown.1, hidden.0].iter().filter_map(|mark| rest.find(mark)).min();
        let length = next.unwrap_or(rest.len());
        side.push(&rest[..length], offset + at);
        let mark = &rest[length..];
        at += length;
        at += if mark.starts_with(hidden.0) {
            mark.find(hidden.1).map_or(2, |close| close + 2)
        } else {
            2.min(mark.len())
        };
    }
    side
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_line_are_read_without_marks() {
        let text = "x\n  key: [-old-]{+new+} é\ny";
        let sides = sides(text);
        let texts: Vec<&str> = sides.iter().map(|side| side.text.as_str()).collect();
        assert_eq!(texts, ["  key: old é", "  key: new é"]);
        for (side, word) in sides.iter().zip(["old", "new"]) {
            assert_eq!(&text[side.source_range(7..10)], word);
        }
    }

    #[test]
    fn code_with_such_marks_is_not_a_diff() {
        for text in ["a[x-]", "f(a+)", "{a+}", "[a-z]", "$[-1]"] {
            assert!(sides(text).is_empty(), "{text}");
        }
    }
}
