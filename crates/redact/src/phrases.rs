//! Wallets: seed phrases of dictionary words, and key pairs that are written
//! as arrays of numbers.

use std::ops::Range;

use crate::pattern::PADDED64;

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
            .take_while(|byte| {
                matches!(byte, b' ' | b',' | b'\n' | b'\r' | b'-' | b'\t' | b'"' | b'\'')
            })
            .count();
        // A phrase that is complete at the end of its line does not go on in the next one.
        let ends_line = bytes[at..at + gap].contains(&b'\n');
        if gap == 0
            || (ends_line && matches!(words, 12 | 15 | 18 | 21) && !goes_on(&bytes[at + gap..]))
        {
            break;
        }
        at += gap;
    }
    (start..end, words)
}

/// Whether nothing but words of a phrase is in a line.
fn goes_on(line: &[u8]) -> bool {
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len()).min(200)];
    line.iter()
        .all(|byte| byte.is_ascii_lowercase() || b" ,.\r".contains(byte) || byte.is_ascii_digit())
        && line.split(|byte| *byte == b' ').filter(|word| word.len() >= 3).count() >= 3
}

/// The digits of a code that logs in once, after its name: four to eight, or
/// groups of them. The keyword is the name.
pub(crate) fn one_time_code(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + 24)];
    let is_between = |byte: &&u8| b" :=\n\"'`*-is".contains(byte);
    let lead = rest.iter().take_while(is_between).count();
    let start = keyword.end + lead;
    let is_apart = lead > 0 || bytes[..keyword.end].ends_with(b" ");
    let belongs = |byte: &&u8| byte.is_ascii_digit() || **byte == b'-';
    let length = bytes[start..].iter().take(24).take_while(belongs).count();
    let value = text.get(start..start + length)?.trim_end_matches('-');
    let next = bytes.get(start + length);
    let is_whole = next.is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"/_%".contains(byte));
    let groups = || value.split('-');
    let is_code = groups().all(|group| (4..=8).contains(&group.len()));
    // Rows of the same digit, and digits in their order, are examples.
    let steps = || value.as_bytes().windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
    let is_example =
        steps().all(|step| step == 0) || steps().filter(|step| *step == 1).count() >= 4;
    (is_apart && is_whole && is_code && !is_example).then(|| start..start + value.len())
}

/// The base64 below a comment that speaks of a secret key, in a file of signify or
/// minisign. The keyword starts the comment.
pub(crate) fn signing_key_file(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const LEAST: usize = 80;
    let rest = text.get(keyword.end..)?;
    let comment = rest.split('\n').next()?;
    let start = keyword.end + comment.len() + 1;
    let length = PADDED64.run(text.as_bytes().get(start..)?, 400);
    (comment.contains("secret key") && length >= LEAST).then(|| start..start + length)
}

/// `[12,250,…]`, sixty-four bytes of a key pair. The keyword is a name before
/// the bracket.
pub(crate) fn number_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 100;
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
