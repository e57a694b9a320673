//! What may be between the separator of a name and its value: a type, a
//! prefix of a string, a tag or the mark of a block in YAML.

use super::delimit::skip_blanks;
use crate::pattern::WORD;

/// What may be between a colon and a value in YAML: a tag, an anchor, the mark
/// of a block, the start of the next line. Whether the value is a block.
pub(super) fn skip_yaml(bytes: &[u8], at: &mut usize) -> bool {
    let start = *at;
    for _ in 0..2 {
        let rest = &bytes[*at..];
        let word = rest.iter().take(24).take_while(|byte| byte.is_ascii_graphic()).count();
        let is_mark = match rest.first() {
            Some(b'!') => {
                word > 1
                    && rest[1..word].iter().all(|b| WORD.contains(*b) || matches!(b, b'!' | b'-'))
            }
            Some(b'&') => word > 1 && rest[1..word].iter().all(|byte| WORD.contains(*byte)),
            Some(b'|' | b'>') => word <= 3 && rest.get(word) == Some(&b'\n'),
            _ => false,
        };
        if !is_mark || !matches!(rest.get(word), Some(b' ' | b'\n')) {
            break;
        }
        let mut next = *at + word;
        skip_blanks(bytes, &mut next);
        // `&str =` is a type.
        if bytes.get(next) == Some(&b'=') {
            break;
        }
        *at = next;
    }
    if bytes.get(*at) == Some(&b'\n') {
        let mut next = *at + 1;
        let indent = skip_blanks(bytes, &mut next);
        let block = *at > start;
        let quoted = matches!(bytes.get(next), Some(b'"' | b'\''));
        *at = if indent > 0 && (block || quoted) { next } else { start };
        return block && *at == next;
    }
    false
}

/// `&str = `, `string = `, `String::from(`: text between a colon or an equals
/// sign and a quote.
pub(super) fn skip_type(bytes: &[u8], at: &mut usize) {
    let rest = &bytes[*at..];
    let length = rest
        .iter()
        .take(28)
        .take_while(|byte| WORD.contains(**byte) || matches!(byte, b'&' | b'\'' | b':' | b'.'))
        .count();
    let length = length + skip_parameters(&rest[length..]);
    let mut end = *at + length;
    let spaces = skip_blanks(bytes, &mut end);
    let opens = match bytes.get(end) {
        Some(b'=') if length > 0 => {
            end += 1;
            skip_blanks(bytes, &mut end);
            true
        }
        Some(b'(') if spaces == 0 => {
            end += 1;
            // The strings of Python that are joined begin in the next line; the
            // argument of a call there is another matter.
            if length == 0 {
                let is_gap = |byte: &&u8| byte.is_ascii_whitespace();
                end += bytes[end..].iter().take(40).take_while(is_gap).count();
            }
            true
        }
        // Prefixes of strings in Python, Rust, SQL, C and Objective-C, and
        // `$'…'` of shells.
        Some(b'@' | b'$') if length == 0 => {
            end += 1;
            true
        }
        _ => false,
    };
    let is_string = |at: usize| {
        let prefix = string_prefix(&bytes[at..]);
        matches!(bytes.get(at + prefix), Some(b'"' | b'\'' | b'`' | b'\\'))
            || bytes[at..].starts_with(b"r#")
            || bytes[at..].starts_with(b"R\"")
    };
    if opens && is_string(end) {
        *at = end;
    }
    *at += string_prefix(&bytes[*at..]);
}

/// The letters before the quote of a string: `b"…"`, `u8"…"`, `rb'…'`.
fn string_prefix(rest: &[u8]) -> usize {
    match rest {
        [b'b' | b'r' | b'f' | b'u' | b'N' | b'L' | b'B' | b'U', b'"' | b'\'', ..] => 1,
        [b'u' | b'b' | b'r', b'8' | b'r' | b'b', b'"' | b'\'', ..] => 2,
        _ => 0,
    }
}

/// `[str]`, `(50)`, `<String>`: what a type is made of.
fn skip_parameters(rest: &[u8]) -> usize {
    let close = match rest.first() {
        Some(b'[') => b']',
        Some(b'(') => b')',
        Some(b'<') => b'>',
        _ => return 0,
    };
    let is_part = |byte: &&u8| WORD.contains(**byte) || matches!(**byte, b',' | b' ' | b'.');
    let length = rest[1..].iter().take(24).take_while(is_part).count();
    // A call has its value there.
    let is_type = rest.get(1 + length) == Some(&close)
        && matches!(&rest[2 + length..], [b' ', b'=', ..] | [b'=', ..]);
    if is_type { length + 2 } else { 0 }
}

/// ` NVARCHAR(50) = `, ` As String = `: a declaration without a colon, up to the
/// value in quotes.
pub(super) fn skip_declared(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _ in 0..2 {
        let word = WORD.run(&rest[at..], 24);
        if word == 0 {
            return None;
        }
        at += word;
        at += skip_parameters(&rest[at..]);
        skip_blanks(rest, &mut at);
        if rest.get(at) == Some(&b'=') {
            let mut value = at + 1;
            skip_blanks(rest, &mut value);
            let is_string =
                matches!(&rest[value..], [b'"' | b'\'', ..] | [b'N' | b'@', b'"' | b'\'', ..]);
            return is_string.then_some(at + 1);
        }
    }
    None
}
