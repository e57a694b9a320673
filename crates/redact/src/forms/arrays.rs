//! Keys that are written as arrays of numbers.

use std::ops::Range;

/// Whether an array of numbers may start here: the text begins with one.
pub(crate) fn array_start(text: &str) -> Option<Range<usize>> {
    let blanks = text.len() - text.trim_start().len();
    let rest = text.as_bytes().get(blanks..blanks + 2)?;
    (rest[0] == b'[' && rest[1].is_ascii_digit()).then_some(blanks..blanks + 2)
}

/// `[174,47,…]` alone: the sixty-four bytes of a key pair, as wallets store it. The keyword
/// ends with the first digit.
pub(crate) fn key_array(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let (range, numbers) = numbers(text, keyword.end - 1)?;
    (numbers.len() == 64 && is_random(&numbers)).then_some(range)
}

/// `network_key: [2, 22, …]`, `link_key[16] = { 0x1b, … }`. The keyword is the name.
pub(crate) fn named_array(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 40;
    let bytes = text.as_bytes();
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + FARTHEST)];
    let is_open = |at: usize| {
        let inner = &rest[at + 1..];
        let blanks = inner.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        inner.get(blanks).is_some_and(u8::is_ascii_digit)
    };
    let assigned = memchr::memchr2(b':', b'=', rest)?;
    let open = memchr::memchr3_iter(b'[', b'{', b'(', &rest[assigned..])
        .map(|at| assigned + at)
        .find(|at| is_open(*at))?;
    let inner = &bytes[keyword.end + open + 1..];
    let blanks = inner.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let (range, numbers) = numbers(text, keyword.end + open + 1 + blanks)?;
    (matches!(numbers.len(), 16 | 24 | 32 | 64) && is_random(&numbers)).then_some(range)
}

/// The bytes from `start` on that commas separate, and where they are.
fn numbers(text: &str, start: usize) -> Option<(Range<usize>, Vec<u8>)> {
    let bytes = text.as_bytes();
    let is_part = |byte: &&u8| {
        byte.is_ascii_hexdigit() || byte.is_ascii_whitespace() || matches!(**byte, b',' | b'x')
    };
    let length = bytes[start..].iter().take(700).take_while(is_part).count();
    let inner =
        text.get(start..start + length)?.trim_end_matches(|c: char| c == ',' || c.is_whitespace());
    let read = |number: &str| {
        let number = number.trim();
        match number.strip_prefix("0x") {
            Some(digits) => u8::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        }
    };
    let numbers = inner.split(',').map(read).collect::<Option<Vec<u8>>>()?;
    Some((start..start + inner.len(), numbers))
}

/// Whether the bytes are neither in order nor mostly equal or small.
fn is_random(numbers: &[u8]) -> bool {
    let mut seen = [false; 256];
    for number in numbers {
        seen[usize::from(*number)] = true;
    }
    let distinct = seen.iter().filter(|seen| **seen).count();
    let steps = numbers.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) <= 2).count();
    let large = numbers.iter().filter(|number| **number >= 100).count();
    distinct * 3 >= numbers.len() * 2 && steps * 4 < numbers.len() && large * 4 >= numbers.len()
}
