//! How a secret is written: sets of bytes, and sequences of runs of them.
//!
//! A pattern is matched at one position, next to a keyword, and never searched
//! for: each run takes as many bytes as it can, without backtracking, so
//! matching is linear. Regular expressions are deliberately not here: no token
//! needs them, and they would cost more than everything else.

/// A set of ASCII bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Set(u16);

const LOWER_AF: u16 = 1;
const LOWER_GZ: u16 = 1 << 1;
const UPPER_AF: u16 = 1 << 2;
const UPPER_GZ: u16 = 1 << 3;
const DIGIT_01: u16 = 1 << 4;
const DIGIT_27: u16 = 1 << 5;
const DIGIT_89: u16 = 1 << 6;
const DASH: u16 = 1 << 7;
const UNDERSCORE: u16 = 1 << 8;
const DOT: u16 = 1 << 9;
const PLUS_SLASH: u16 = 1 << 10;
const EQUALS: u16 = 1 << 11;
const TILDE: u16 = 1 << 12;
const PERCENT: u16 = 1 << 13;

/// `0-9`
pub(crate) const DIGIT: Set = Set(DIGIT_01 | DIGIT_27 | DIGIT_89);
/// `0-9a-f`
pub(crate) const HEX: Set = Set(DIGIT.0 | LOWER_AF);
/// `0-9a-fA-F`
pub(crate) const ANY_HEX: Set = Set(HEX.0 | UPPER_AF);
/// `0-9a-f-`: a UUID.
pub(crate) const UUID: Set = Set(HEX.0 | DASH);
/// `a-z`
pub(crate) const LOWER: Set = Set(LOWER_AF | LOWER_GZ);
/// `0-9a-z`
pub(crate) const LOWER_ALNUM: Set = Set(LOWER.0 | DIGIT.0);
/// `0-9A-Z`
pub(crate) const UPPER_ALNUM: Set = Set(UPPER_AF | UPPER_GZ | DIGIT.0);
/// `A-Z2-7`
pub(crate) const BASE32: Set = Set(UPPER_AF | UPPER_GZ | DIGIT_27);
/// `0-9A-Za-z`
pub(crate) const ALNUM: Set = Set(LOWER.0 | UPPER_ALNUM.0);
/// `0-9A-Za-z_`
pub(crate) const WORD: Set = Set(ALNUM.0 | UNDERSCORE);
/// `0-9A-Za-z_-`: URL-safe base64.
pub(crate) const URL64: Set = Set(WORD.0 | DASH);
/// `0-9A-Za-z_.-`
pub(crate) const DOTTED: Set = Set(URL64.0 | DOT);
/// `0-9A-Za-z_.~-`
pub(crate) const TILDED: Set = Set(DOTTED.0 | TILDE);
/// `0-9A-Za-z+/`
pub(crate) const BASE64: Set = Set(ALNUM.0 | PLUS_SLASH);
/// `0-9A-Za-z+/=`
pub(crate) const PADDED64: Set = Set(BASE64.0 | EQUALS);
/// Both alphabets of base64, and padding.
pub(crate) const ANY64: Set = Set(PADDED64.0 | URL64.0);
/// The characters of a bearer token.
pub(crate) const BEARER: Set = Set(ANY64.0 | DOT | TILDE);
/// Base64 in a query, with escapes such as `%2B`.
pub(crate) const QUERY64: Set = Set(ANY64.0 | PERCENT);
/// `=`
pub(crate) const PADDING: Set = Set(EQUALS);

const CLASSES: [u16; 256] = classes();

const fn classes() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'a'..=b'f' => LOWER_AF,
            b'g'..=b'z' => LOWER_GZ,
            b'A'..=b'F' => UPPER_AF,
            b'G'..=b'Z' => UPPER_GZ,
            b'0' | b'1' => DIGIT_01,
            b'2'..=b'7' => DIGIT_27,
            b'8' | b'9' => DIGIT_89,
            b'-' => DASH,
            b'_' => UNDERSCORE,
            b'.' => DOT,
            b'+' | b'/' => PLUS_SLASH,
            b'=' => EQUALS,
            b'~' => TILDE,
            b'%' => PERCENT,
            _ => 0,
        };
        byte += 1;
    }
    table
}

impl Set {
    pub(crate) fn contains(self, byte: u8) -> bool {
        CLASSES[usize::from(byte)] & self.0 != 0
    }

    /// The number of leading bytes in the set, at most `most`.
    pub(crate) fn run(self, bytes: &[u8], most: usize) -> usize {
        bytes.iter().take(most).take_while(|byte| self.contains(**byte)).count()
    }

    /// The number of trailing bytes in the set, at most `most`.
    pub(crate) fn run_back(self, bytes: &[u8], most: usize) -> usize {
        bytes.iter().rev().take(most).take_while(|byte| self.contains(**byte)).count()
    }
}

/// A part of a pattern.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// A number of bytes in a set, at least and at most.
    Run(Set, usize, usize),
    /// These bytes.
    Text(&'static str),
}

/// The end of the pattern that starts at `at`. The bytes after it must not look
/// like more of the same.
pub(crate) fn match_parts(bytes: &[u8], at: usize, parts: &[Part]) -> Option<usize> {
    let mut end = at;
    let mut final_set = ALNUM;
    for part in parts {
        let rest = bytes.get(end..)?;
        end += match *part {
            Part::Run(set, least, most) => {
                let length = set.run(rest, most);
                if length < least {
                    return None;
                }
                final_set = set;
                length
            }
            Part::Text(text) => {
                final_set = ALNUM;
                rest.starts_with(text.as_bytes()).then_some(text.len())?
            }
        };
    }
    let more = bytes.get(end).is_some_and(|byte| WORD.contains(*byte) || final_set.contains(*byte));
    // Two underscores separate the parts of a tool's name: `mcp__SERVER__TOOL`.
    let is_separated = !final_set.contains(b'_') && bytes[end..].starts_with(b"__");
    (!more || is_separated).then_some(end)
}

/// Every byte that can be part of the pattern.
pub(crate) fn union(parts: &[Part]) -> Set {
    parts.iter().fold(Set(0), |union, part| match part {
        Part::Run(set, ..) => Set(union.0 | set.0),
        Part::Text(text) => {
            Set(text.bytes().fold(union.0, |union, byte| union | CLASSES[usize::from(byte)]))
        }
    })
}

/// Whether the bytes are the start of the pattern; they may end before it does.
pub(crate) fn begins_parts(bytes: &[u8], parts: &[Part]) -> bool {
    let mut rest = bytes;
    for part in parts {
        let length = match *part {
            Part::Run(set, least, most) => {
                let length = set.run(rest, most);
                if length < least && length < rest.len() {
                    return false;
                }
                length
            }
            Part::Text(text) if rest.len() < text.len() => {
                return text.as_bytes().starts_with(rest);
            }
            Part::Text(text) if rest.starts_with(text.as_bytes()) => text.len(),
            Part::Text(_) => return false,
        };
        rest = &rest[length..];
    }
    rest.is_empty()
}

/// Whether a token may start at `at`: the byte before must not be part of it.
/// Written-out escapes (`\n`, `%3D`, the end of a colour) are not part of a
/// token, although they end in letters.
pub(crate) fn starts_token(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[..at];
    match before {
        [] | [.., b'\\', b'n' | b't' | b'r' | b'b' | b'f'] => true,
        [.., last] if !WORD.contains(*last) => true,
        [.., b'%', high, low] if ANY_HEX.contains(*high) && ANY_HEX.contains(*low) => true,
        [.., b'\\', b'u', a, b, c, d] => [a, b, c, d].iter().all(|digit| ANY_HEX.contains(**digit)),
        [rest @ .., b'm'] => {
            let digits = rest
                .iter()
                .rev()
                .take(12)
                .take_while(|b| b.is_ascii_digit() || **b == b';')
                .count();
            rest[..rest.len() - digits].ends_with(b"[")
        }
        _ => false,
    }
}

/// Whether a short word precedes `at` directly, as in `BearereyJ…`.
pub(crate) fn follows_word(bytes: &[u8], at: usize) -> bool {
    const LONGEST: usize = 10;
    let before = &bytes[..at];
    let letters =
        before.iter().rev().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphabetic()).count();
    (1..=LONGEST).contains(&letters) && starts_token(bytes, at - letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_starts_where_a_word_does_or_after_an_escape_written_out() {
        for (text, starts) in [
            ("^", true),
            ("a ^", true),
            ("a^", false),
            ("_^", false),
            (r"\n^", true),
            ("n^", false),
            ("%3D^", true),
            ("%3^", false),
            (r"\u003d^", true),
            ("\u{1b}[31m^", true),
            ("\u{1b}[0;1m^", true),
            ("m^", false),
            ("é^", true),
            ("=^", true),
        ] {
            let at = text.find('^').unwrap();
            assert_eq!(starts_token(text.as_bytes(), at), starts, "{text}");
        }
    }

    #[test]
    fn a_short_word_may_precede_an_unmistakable_token() {
        for (text, follows) in [
            ("Bearer^", true),
            ("a token^", true),
            ("^", false),
            (" ^", false),
            ("v1^", false),
            ("1a^", false),
            ("_a^", false),
            ("abcdefghij^", true),
            ("abcdefghijk^", false),
            ("é^", false),
            ("éa^", true),
        ] {
            let at = text.find('^').unwrap();
            assert_eq!(follows_word(text.as_bytes(), at), follows, "{text}");
        }
    }

    #[test]
    fn a_pattern_matches_whole_runs_with_nothing_of_the_same_after_it() {
        let parts = [Part::Run(HEX, 2, 4), Part::Text("-"), Part::Run(ALNUM, 3, 3)];
        for (text, end) in [
            ("ab12-xyz", Some(8)),
            ("ab12-xyz.", Some(8)),
            ("ab12-xyz0", None),
            ("ab12-xyz_", None),
            ("ab12-xyz__get", Some(8)),
            ("a-xyz", None),
            ("abcde-xyz", None),
            ("ab12-xy", None),
            ("ab12-xyé", None),
        ] {
            assert_eq!(match_parts(text.as_bytes(), 0, &parts), end, "{text}");
        }
    }
}
