//! Wallets: seed phrases of dictionary words, and key pairs that are written
//! as arrays of numbers.

use std::ops::Range;

/// The words after `mnemonic`, `seed phrase` and the like: twelve to
/// twenty-four short ones in lower case. The keyword is the name.
pub(crate) fn seed_phrase(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = text.get(keyword.end..)?;
    let near = find_words(bytes, keyword.end + lead_length(rest)?);
    if near.1 >= 12 {
        return Some(near.0);
    }
    // Words in between: `Recovery phrase (write it down, 24 words): …`.
    let head = &rest[..rest.floor_char_boundary(80.min(rest.len()))];
    let colon = head.rfind([':', '='])?;
    let start = keyword.end + colon + 1;
    let is_gap = |byte: &&u8| byte.is_ascii_whitespace() || b"\"'`*".contains(*byte);
    let gap = bytes[start..].iter().take(24).take_while(is_gap).count();
    let (place, words) = find_words(bytes, start + gap);
    matches!(words, 12 | 15 | 18 | 21 | 24).then_some(place)
}

/// The length of what may be directly before the words.
fn lead_length(rest: &str) -> Option<usize> {
    let lead = rest
        .bytes()
        .take(24)
        .take_while(|byte| !byte.is_ascii_lowercase() || *byte == b'i' || *byte == b's')
        .count();
    // `is` leads to the words too, and numbers belong to them.
    let lead = rest.as_bytes()[..lead].iter().rposition(|byte| !byte.is_ascii_lowercase())?;
    let number = rest.as_bytes()[..=lead].iter().position(u8::is_ascii_digit);
    Some(number.unwrap_or(lead + 1))
}

/// Where the words are that start at `start`, and how many. They may be numbered.
fn find_words(bytes: &[u8], start: usize) -> (Range<usize>, usize) {
    let (mut at, mut words, mut end) = (start, 0, start);
    while words < 24 {
        at += bytes[at..]
            .iter()
            .take(5)
            .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b')' | b':' | b' '))
            .count();
        let length =
            bytes[at..].iter().take(9).take_while(|byte| byte.is_ascii_lowercase()).count();
        if !(3..=8).contains(&length) {
            break;
        }
        words += 1;
        end = at + length;
        at = end;
        let gap = bytes[at..]
            .iter()
            .take(8)
            .take_while(|byte| matches!(byte, b' ' | b',' | b'\n' | b'-' | b'\t' | b'"' | b'\''))
            .count();
        if gap == 0 {
            break;
        }
        at += gap;
    }
    (start..end, words)
}

/// `[12,250,…]`, sixty-four bytes of a key pair. The keyword is a name before
/// the bracket.
pub(crate) fn number_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 40;
    let bytes = text.as_bytes();
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + FARTHEST)];
    let open = keyword.end + memchr::memchr(b'[', rest)?;
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'\n');
    let length = bytes[open + 1..].iter().take(400).take_while(|byte| is_part(byte)).count();
    let inner = text.get(open + 1..open + 1 + length)?;
    let numbers = inner.split(',').filter(|number| number.trim().parse::<u8>().is_ok()).count();
    (matches!(numbers, 32 | 64) && bytes.get(open + 1 + length) == Some(&b']'))
        .then_some(open + 1..open + 1 + length)
}

/// `abcd-efgh-ijkl-mnop`, a password that a provider generates for one program.
pub(crate) fn is_app_password(value: &str) -> bool {
    let mut groups = value.split(['-', ' ']);
    value.len() == 19
        && groups.clone().count() == 4
        && groups.all(|group| group.len() == 4 && group.bytes().all(|b| b.is_ascii_lowercase()))
}
