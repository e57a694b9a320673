//! Values that are used if another is missing: `env.PASSWORD || "…"`.

use super::Assignment;
use super::delimit::{find_closing, find_quote, skip_blanks};
use super::value::is_random;
use crate::pattern::WORD;

/// The value that is used if another is missing: `env.PASSWORD || "…"`,
/// `?? "…"`, `or "…"`, `new String("…")`. The name ends at `name_end`.
pub(super) fn find_fallback(text: &str, name_end: usize) -> Option<Assignment> {
    const LEADS: &[&str] = &["||", "??", " or ", "new String(", "?:", ".unwrap_or(", "{{"];
    const FARTHEST: usize = 120;
    let bytes = text.as_bytes();
    if let Some(value) = find_inner(text, name_end) {
        return Some(value);
    }
    let rest = &bytes[name_end..bytes.len().min(name_end + FARTHEST)];
    let rest = &rest[..memchr::memchr2(b'\n', b';', rest).unwrap_or(rest.len())];
    // A name in prose has no quote after it.
    memchr::memchr2(b'"', b'\'', rest)?;
    memchr::memchr3(b'|', b'?', b'(', rest)
        .or_else(|| memchr::memchr(b'{', rest))
        .or_else(|| memchr::memmem::find(rest, b" or "))?;
    let mut at = LEADS.iter().find_map(|lead| {
        let found = memchr::memmem::find(rest, lead.as_bytes())?;
        Some(name_end + found + lead.len())
    })?;
    skip_blanks(bytes, &mut at);
    let before = at;
    let quote = find_quote(bytes, &mut at)?;
    let end = find_closing(bytes, at, quote, at - before - 1)?;
    Some(Assignment::whole(at..end))
}

/// The value in the object that a name holds: `"password": { "value": "…" }`.
fn find_inner(text: &str, name_end: usize) -> Option<Assignment> {
    const NAMES: [&[u8]; 4] = [b"value", b"default", b"plaintext", b"defaultValue"];
    let bytes = text.as_bytes();
    let rest = &bytes[name_end..bytes.len().min(name_end + 40)];
    let open = memchr::memchr(b'{', rest)?;
    let is_gap = |byte: &u8| b"\\\"' :=\n\t,".contains(byte);
    if !rest[..open].iter().all(is_gap) || rest.get(open + 1) == Some(&b'{') {
        return None;
    }
    let skip = |at: usize| at + bytes[at..].iter().take(24).take_while(|byte| is_gap(byte)).count();
    let name = skip(name_end + open + 1);
    let known = NAMES.iter().find(|name_of| bytes[name..].starts_with(name_of));
    let length = known.map_or_else(|| WORD.run(&bytes[name..], 40), |known| known.len());
    let mut at = name + length;
    let is_separator = |byte: &&u8| b"\\\"' :=".contains(byte);
    let gap = bytes[at..].iter().take(12).take_while(is_separator).count();
    let quote = at + gap.checked_sub(1)?;
    if !matches!(bytes[quote], b'"' | b'\'') || !bytes[at..quote].iter().any(|b| b":=".contains(b))
    {
        return None;
    }
    let escapes = bytes[..quote].iter().rev().take(8).take_while(|byte| **byte == b'\\').count();
    at = quote + 1;
    let end = find_closing(bytes, at, bytes[quote], escapes)?;
    // Of other members, only what nothing else looks like.
    let is_random =
        || text.get(at..end).is_some_and(|value| is_random(value) && !value.contains('/'));
    (length > 0 && (known.is_some() || is_random())).then(|| Assignment::whole(at..end))
}
