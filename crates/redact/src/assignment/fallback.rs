//! Values that are used if another is missing: `env.PASSWORD || "…"`.

use super::Assignment;
use super::delimit::{find_closing, find_quote, skip_blanks};

/// The value that is used if another is missing: `env.PASSWORD || "…"`,
/// `?? "…"`, `or "…"`, `new String("…")`. The name ends at `name_end`.
pub(super) fn find_fallback(text: &str, name_end: usize) -> Option<Assignment> {
    const LEADS: &[&str] = &["||", "??", " or ", "new String(", "?:", ".unwrap_or(", "{{"];
    const FARTHEST: usize = 120;
    let bytes = text.as_bytes();
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
