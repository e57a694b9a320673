//! Text with its written-out escapes decoded: `\u0041`, `\x41`, `%41`, `&#65;`,
//! and the full-width letters that look like ASCII. A secret that is written
//! with them is one as well, so such a text is searched without them too.
//!
//! Only escapes of visible ASCII characters are decoded: they can be part of a
//! secret or separate it from its name. Only the text around them is searched
//! again. The output keeps all of them; this is only used to find positions.

use std::ops::Range;

/// Escapes for one character: the longest is `&#x0041;` or four backslashes and
/// `u0041`.
const MOST_BACKSLASHES: usize = 8;

const ENTITIES: &[(&[u8], u8)] =
    &[(b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&amp;", b'&'), (b"&apos;", b'\'')];

/// How far before and after an escape a secret with it may reach.
const BEFORE: usize = 96;
const AFTER: usize = 256;

/// A part of a text, decoded.
pub(crate) struct DecodedText {
    pub(crate) text: String,
    /// The start of each piece, here and in the whole text. The last one is the
    /// end of both.
    pieces: Vec<(usize, usize)>,
}

impl DecodedText {
    /// The parts of a text that have such escapes; none, as is nearly always the
    /// case. A plain text has no full-width letters.
    pub(crate) fn parts(text: &str, is_plain: bool) -> impl Iterator<Item = Self> {
        let mut escapes = Escapes::of(text.as_bytes(), is_plain).peekable();
        std::iter::from_fn(move || {
            let first = escapes.next()?;
            let mut group = vec![first];
            while let Some(next) = escapes.next_if(|(place, _)| {
                group.last().is_none_or(|(last, _)| place.start < last.end + AFTER)
            }) {
                group.push(next);
            }
            Some(Self::decode(text, &group))
        })
    }

    /// The text around a group of escapes, from one blank to another.
    fn decode(text: &str, group: &[(Range<usize>, u8)]) -> Self {
        let bytes = text.as_bytes();
        let first = group.first().map_or(0, |(place, _)| place.start);
        let last = group.last().map_or(0, |(place, _)| place.end);
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let floor = first.saturating_sub(BEFORE);
        let start = bytes[..floor].iter().rposition(is_blank).map_or(0, |blank| blank + 1);
        let start = text.floor_char_boundary(start.max(first.saturating_sub(2 * BEFORE)));
        let ceiling = bytes.len().min(last + AFTER);
        let end = bytes[ceiling..].iter().take(AFTER).position(is_blank).unwrap_or(AFTER);
        let end = text.ceil_char_boundary(bytes.len().min(ceiling + end));
        let mut decoded = Self { text: String::with_capacity(end - start), pieces: Vec::new() };
        let mut done = start;
        for (place, character) in group {
            if done < place.start {
                decoded.pieces.push((decoded.text.len(), done));
                decoded.text.push_str(&text[done..place.start]);
            }
            decoded.pieces.push((decoded.text.len(), place.start));
            decoded.text.push(char::from(*character));
            done = place.end;
        }
        decoded.pieces.push((decoded.text.len(), done));
        decoded.text.push_str(&text[done..end]);
        decoded.pieces.push((decoded.text.len(), end));
        decoded
    }

    /// The text without one level of backslashes, as in a string of JSON, in Markdown or
    /// between the words of a shell; `None` if it has none that escape anything.
    pub(crate) fn without_backslashes(text: &str) -> Option<Self> {
        let mut decoded = Self { text: String::new(), pieces: Vec::new() };
        let mut done = 0;
        for at in memchr::memchr_iter(b'\\', text.as_bytes()) {
            // The second of two backslashes is part of the first escape.
            let Some((length, character)) =
                (at >= done).then(|| read_backslash(&text[at..])).flatten()
            else {
                continue;
            };
            if done < at {
                decoded.pieces.push((decoded.text.len(), done));
                decoded.text.push_str(&text[done..at]);
            }
            decoded.pieces.push((decoded.text.len(), at));
            decoded.text.push(character);
            done = at + length;
        }
        if done == 0 {
            return None;
        }
        decoded.pieces.push((decoded.text.len(), done));
        decoded.text.push_str(&text[done..]);
        decoded.pieces.push((decoded.text.len(), text.len()));
        Some(decoded)
    }

    /// The corresponding range of the whole text, with complete escapes.
    pub(crate) fn source_range(&self, range: Range<usize>) -> Range<usize> {
        self.source(range.start)..self.source(range.end)
    }

    fn source(&self, at: usize) -> usize {
        // Of an empty piece and the one after it, the later one starts here.
        let next = self.pieces.partition_point(|(start, _)| *start <= at);
        self.pieces.get(next.wrapping_sub(1)).map_or(at, |(start, whole)| whole + (at - start))
    }
}

/// Iterates over the escapes and the characters they represent.
struct Escapes<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The next escape in ASCII, and the next full-width character: each is
    /// searched once for all of the other kind before it.
    narrow: Option<(Range<usize>, u8)>,
    wide: Option<(Range<usize>, u8)>,
}

impl<'a> Escapes<'a> {
    fn of(bytes: &'a [u8], is_plain: bool) -> Self {
        let wide = if is_plain { None } else { find_wide(bytes, 0) };
        Self { bytes, at: 0, narrow: find_narrow(bytes, 0), wide }
    }
}

impl Iterator for Escapes<'_> {
    type Item = (Range<usize>, u8);

    fn next(&mut self) -> Option<Self::Item> {
        let start = |escape: &Option<(Range<usize>, u8)>| {
            escape.as_ref().map_or(usize::MAX, |(place, _)| place.start)
        };
        let next = if start(&self.narrow) <= start(&self.wide) {
            let next = self.narrow.take()?;
            self.at = next.0.end;
            self.narrow = find_narrow(self.bytes, self.at);
            next
        } else {
            let next = self.wide.take()?;
            self.at = next.0.end;
            self.wide = find_wide(self.bytes, self.at);
            next
        };
        Some(next)
    }
}

fn find_narrow(bytes: &[u8], from: usize) -> Option<(Range<usize>, u8)> {
    memchr::memchr3_iter(b'\\', b'%', b'&', &bytes[from..]).find_map(|at| {
        let (length, character) = read_escape(&bytes[from + at..])?;
        Some((from + at..from + at + length, character))
    })
}

fn find_wide(bytes: &[u8], from: usize) -> Option<(Range<usize>, u8)> {
    memchr::memchr_iter(0xEF, &bytes[from..]).find_map(|at| {
        let character = read_wide(&bytes[from + at..])?;
        Some((from + at..from + at + 3, character))
    })
}

/// The length of the escape at the start, and its character.
fn read_escape(bytes: &[u8]) -> Option<(usize, u8)> {
    let (length, character) = match bytes {
        [b'%', high, low, ..] => (3, hex(*high)? << 4 | hex(*low)?),
        [b'&', b'#', rest @ ..] => read_reference(rest)?,
        [b'&', ..] => {
            let (entity, character) =
                ENTITIES.iter().find(|(entity, _)| bytes.starts_with(entity))?;
            return Some((entity.len(), *character));
        }
        [b'\\', ..] => {
            let slashes = bytes.iter().take(MOST_BACKSLASHES).take_while(|b| **b == b'\\').count();
            match bytes.get(slashes..)? {
                [b'u', b'0', b'0', high, low, ..] => (slashes + 5, hex(*high)? << 4 | hex(*low)?),
                [b'x', high, low, ..] => (slashes + 3, hex(*high)? << 4 | hex(*low)?),
                _ => return None,
            }
        }
        _ => return None,
    };
    (character.is_ascii_graphic() || character == b' ').then_some((length, character))
}

/// The length of the escape that a backslash starts, and its character; `None` if the
/// backslash is literal, as in a path of Windows.
fn read_backslash(text: &str) -> Option<(usize, char)> {
    let character = match text.as_bytes().get(1)? {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return read_code_unit(text),
        mark if mark.is_ascii_punctuation() => char::from(*mark),
        _ => return None,
    };
    Some((2, character))
}

/// `\u00e9`, or a pair of surrogates.
fn read_code_unit(text: &str) -> Option<(usize, char)> {
    const LENGTH: usize = 6;
    let unit = |at: usize| {
        let digits = text.get(at..at + LENGTH)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let units = [unit(0)?, unit(LENGTH).unwrap_or_default()];
    let character = char::decode_utf16(units).next()?.ok()?;
    Some((LENGTH * character.len_utf16(), character))
}

/// `65;` or `x41;` after `&#`.
fn read_reference(rest: &[u8]) -> Option<(usize, u8)> {
    let end = rest.iter().take(6).position(|byte| *byte == b';')?;
    let digits = str::from_utf8(&rest[..end]).ok()?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u8::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((2 + end + 1, code))
}

/// `Ａ`: U+FF01 to U+FF5E are ASCII in the width of other scripts.
fn read_wide(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [0xEF, 0xBC, low @ 0x81..=0xBF, ..] => Some(low - 0x81 + b'!'),
        [0xEF, 0xBD, low @ 0x80..=0x9E, ..] => Some(low - 0x80 + b'`'),
        _ => None,
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_visible_characters_are_decoded_and_ranges_keep_them_whole() {
        for (text, decoded) in [
            (r"a\u0062c", "abc"),
            (r"a\\\\u0062c", "abc"),
            (r"a\x62c", "abc"),
            ("a%62c", "abc"),
            ("a&#98;c", "abc"),
            ("a&#x62;c", "abc"),
            ("aｂc", "abc"),
            ("ａbｃ", "abc"),
        ] {
            let found = DecodedText::parts(text, false).next().expect(text);
            assert_eq!(found.text, decoded, "{text}");
            assert_eq!(found.source_range(0..3), 0..text.len(), "{text}");
            let middle = &text[found.source_range(1..2)];
            assert!(text.contains(middle) && !middle.starts_with(['a', 'ａ']), "{text}: {middle}");
        }
    }

    #[test]
    fn a_text_without_such_escapes_is_not_copied() {
        for text in ["", r"a\nb", "100 % sure", "a & b", r"C:\users\x", "%0A", r"\u00e9", "é（"] {
            let found = DecodedText::parts(text, false).map(|found| found.text).next();
            assert_eq!(found, (text == "é（").then(|| "é(".to_owned()), "{text}");
        }
    }

    #[test]
    fn one_level_of_backslashes_is_taken_off_and_ranges_keep_them_whole() {
        for (text, decoded) in [
            (r#"a\"c"#, "a\"c"),
            (r"a\\c", r"a\c"),
            (r"a\u00e9c", "aéc"),
            (r"a\u00E9c", "aéc"),
            (r"a\ud83d\ude00c", "a😀c"),
            (r"a\nc", "a\nc"),
            (r"a\#c", "a#c"),
        ] {
            let found = DecodedText::without_backslashes(text).expect(text);
            assert_eq!(found.text, decoded, "{text}");
            assert_eq!(found.source_range(0..decoded.len()), 0..text.len(), "{text}");
            assert_eq!(found.source_range(1..decoded.len() - 1), 1..text.len() - 1, "{text}");
        }
        for text in ["", "ac", r"C:\Users\ada", r"a\u12", r"a\ud83dc", "a\\"] {
            let found = DecodedText::without_backslashes(text).map(|found| found.text);
            assert_eq!(found, None, "{text}");
        }
    }

    #[test]
    fn only_the_text_around_escapes_is_decoded() {
        let text = format!("{}a%62c{}x%79z", "word ".repeat(200), " word".repeat(200));
        let parts: Vec<_> = DecodedText::parts(&text, false).collect();
        assert_eq!(parts.len(), 2);
        for (part, decoded) in parts.iter().zip(["abc", "xyz"]) {
            assert!(part.text.len() < 700, "{}", part.text.len());
            let at = part.text.find(decoded).expect("decoded");
            assert!(text[part.source_range(at..at + 3)].contains('%'));
        }
    }
}
