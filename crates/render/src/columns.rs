//! How many columns text takes on a terminal.
//!
//! Text is measured in units: a character and the combining characters after it, so
//! that an accent is never separated from its letter. Terminals disagree on some emoji
//! sequences; the sum of the units is never less than the width of the whole, so text
//! that fits by units fits.

use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The distance between tab stops.
const TAB: usize = 8;

/// The bytes and the columns of a text's first unit; zero for an empty text.
pub(crate) fn unit(text: &str) -> (usize, usize) {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return (0, 0) };
    let alone = (first.len_utf8(), first.width().unwrap_or(1));
    match text.as_bytes().get(alone.0) {
        None => return alone,
        Some(next) if next.is_ascii() => return alone,
        Some(_) => {}
    }
    let on_top: usize =
        characters.take_while(|character| character.width() == Some(0)).map(char::len_utf8).sum();
    if on_top == 0 {
        return alone;
    }
    let bytes = alone.0 + on_top;
    (bytes, text[..bytes].width().max(alone.1))
}

/// The columns of a text.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// A line with its tabs expanded to spaces.
pub(crate) fn without_tabs(line: &str) -> Cow<'_, str> {
    if !line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let mut spaced = String::with_capacity(line.len() + TAB);
    let mut column = 0;
    for (at, part) in line.split('\t').enumerate() {
        if at > 0 {
            let stop = column / TAB * TAB + TAB;
            spaced.extend(std::iter::repeat_n(' ', stop - column));
            column = stop;
        }
        spaced.push_str(part);
        column += columns(part);
    }
    Cow::Owned(spaced)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn unit_is_a_character_with_its_combining_characters() {
        let table = [
            ("", (0, 0)),
            ("ab", (1, 1)),
            ("日本", (3, 2)),
            ("e\u{301}x", (3, 1)),
            ("☎\u{fe0f}x", (6, 2)),
            ("😀é", (4, 2)),
        ];
        for (text, expected) in table {
            assert_eq!(unit(text), expected, "{text:?}");
        }
    }

    #[test]
    fn tabs_are_expanded_to_the_next_stop() {
        let table =
            [("a", "a"), ("\ta", "        a"), ("ab\tc", "ab      c"), ("日\tc", "日      c")];
        for (line, expected) in table {
            assert_eq!(without_tabs(line), expected);
        }
    }

    proptest! {
        #[test]
        fn units_are_never_narrower_than_the_whole(text in any::<String>()) {
            let (mut at, mut sum) = (0, 0);
            while at < text.len() {
                let (bytes, columns) = unit(&text[at..]);
                at += bytes;
                sum += columns;
            }
            prop_assert!(sum >= text.width());
        }
    }
}
