//! Wallets: seed phrases of dictionary words, and key pairs that are written
//! as arrays of numbers.

use std::ops::Range;

/// The words after `mnemonic`, `seed phrase` and the like: twelve to
/// twenty-four short ones in lower case. The keyword is the name.
pub(crate) fn seed_phrase(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let lead = bytes[keyword.end..]
        .iter()
        .take(24)
        .take_while(|byte| !byte.is_ascii_lowercase() || **byte == b'i' || **byte == b's')
        .count();
    // `is` leads to the words too.
    let lead = bytes[keyword.end..keyword.end + lead]
        .iter()
        .rposition(|byte| !byte.is_ascii_lowercase())?;
    let start = keyword.end + lead + 1;
    let (mut at, mut words, mut end) = (start, 0, start);
    while words < 24 {
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
            .take(4)
            .take_while(|byte| matches!(byte, b' ' | b',' | b'\n' | b'-'))
            .count();
        if gap == 0 {
            break;
        }
        at += gap;
    }
    (words >= 12).then_some(start..end)
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
