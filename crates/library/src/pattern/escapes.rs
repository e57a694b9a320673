//! JSON escapes that may stand for characters of a pattern.
//!
//! They are searched for by their prefixes, which is faster than a regular
//! expression for all of them: the prefixes are rare, and the digits after them
//! decide.

use memchr::memmem::Finder;

/// Escapes by number.
#[derive(Debug)]
pub(crate) struct NumericEscapes {
    start: Finder<'static>,
    /// Whether the pattern has only ASCII characters.
    is_ascii: bool,
    /// Whether it has tabs or carriage returns, the only control characters
    /// possible.
    has_blanks: bool,
}

impl NumericEscapes {
    /// Escapes that may be any of these characters.
    pub(crate) fn of(mut characters: impl Iterator<Item = char> + Clone) -> Self {
        let is_ascii = characters.clone().all(|character| character.is_ascii());
        NumericEscapes {
            start: Finder::new(if is_ascii { r"\u00" } else { r"\u" }),
            is_ascii,
            has_blanks: characters.any(|character| matches!(character, '\t' | '\r')),
        }
    }

    /// Where the first of them is.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<usize> {
        let mut starts = self.start.find_iter(bytes);
        starts.find(|start| self.may_be(&bytes[start + r"\u".len()..]))
    }

    fn may_be(&self, digits: &[u8]) -> bool {
        match digits {
            [b'0', b'0', b'2'..=b'7', ..] => true,
            [b'0', b'0', b'0', b'9' | b'd' | b'D', ..] => self.has_blanks,
            [] | [b'0', b'0'] | [b'0', b'0', b'0' | b'1', ..] => false,
            [b'0', b'0', third, ..] => !self.is_ascii && third.is_ascii_hexdigit(),
            [b'0', second, ..] => !self.is_ascii && second.is_ascii_hexdigit(),
            [first, ..] => !self.is_ascii && *first != b'0' && first.is_ascii_hexdigit(),
        }
    }
}

/// The escape of a slash, if one of the characters is a slash.
pub(crate) fn slash(mut characters: impl Iterator<Item = char>) -> Option<Finder<'static>> {
    characters.any(|character| character == '/').then(|| Finder::new(r"\/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_counts_if_it_may_be_one_of_the_characters() {
        // (characters of the pattern, text with an escape, whether it matches)
        let table = [
            ("a", r"\u0061", true),
            ("a", r"\u007A", true),
            ("a", r"\u001b\u002d", true),
            ("a", r"\u001b", false),
            ("a", r"\u00e9", false),
            ("a", r"\u65e5", false),
            ("a", r"\u0009", false),
            ("a\t", r"\u0009", true),
            ("\r", r"\u000D", true),
            ("\r", r"\u000a", false),
            ("é", r"\u00E9", true),
            ("é", r"\u0061", true),
            ("é", r"\u001f", false),
            ("日", r"\u65e5", true),
            ("日", r"\u0a01", true),
            ("日", r"\uzz", false),
            ("日", r"\u0z", false),
            ("日", r"\u00z", false),
            ("日", r"\u00", false),
            ("日", r"\u0", false),
            ("日", r"\u", false),
            ("a", r"\u00", false),
            ("a", r"\u000", false),
        ];
        for (characters, text, expected) in table {
            let found = NumericEscapes::of(characters.chars()).find(text.as_bytes());
            assert_eq!(found.is_some(), expected, "{characters:?} {text}");
        }
        assert_eq!(NumericEscapes::of("a".chars()).find(br"..\u001b.\u0061"), Some(9));
        assert_eq!(slash("a/b".chars()).and_then(|slash| slash.find(br"a\/b")), Some(1));
        assert!(slash("ab".chars()).is_none());
    }
}
