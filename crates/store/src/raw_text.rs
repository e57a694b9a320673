//! Strings found in raw JSON text without parsing it, as the official list does:
//! anywhere, nested or not, in lines that may be cut.

use memchr::memmem::Finder;
use transcript::json;

/// Whether a line has a key with a string, written as the official list looks
/// for it: `"key":"` or `"key": "`.
pub(crate) fn has_string(line: &[u8], key: &Finder<'_>) -> bool {
    key.find_iter(line).any(|at| opens_string(&line[at + key.needle().len()..]).is_some())
}

/// The key that a needle `"key":` looks for.
pub(crate) fn name_of<'n>(key: &'n Finder<'_>) -> &'n str {
    let needle = key.needle();
    str::from_utf8(&needle[1..needle.len() - 2]).unwrap_or_default()
}

/// Where a string starts in this: at once or after one space.
fn opens_string(rest: &[u8]) -> Option<usize> {
    if rest.starts_with(b"\"") { Some(0) } else { rest.starts_with(b" \"").then_some(1) }
}

/// The first `"key":"value"` anywhere in raw text; only if there is none, the
/// first `"key": "value"`.
pub(crate) fn first_string(text: &[u8], key: &Finder<'_>) -> Option<String> {
    let mut spaced = None;
    for at in key.find_iter(text) {
        let rest = &text[at + key.needle().len()..];
        match opens_string(rest) {
            Some(0) => {
                if let Some(found) = raw_string(rest) {
                    return Some(found);
                }
            }
            Some(start) if spaced.is_none() => spaced = raw_string(&rest[start..]),
            _ => {}
        }
    }
    spaced
}

/// The last `"key":"value"` or `"key": "value"` anywhere in raw text.
pub(crate) fn last_string(text: &[u8], key: &Finder<'_>) -> Option<String> {
    // Mostly it stands in one of the last lines: looking through a stretch at a
    // time from the end is quicker than searching backwards.
    const STRETCH: usize = 4096;
    let needle = key.needle().len();
    let mut end = text.len();
    while end > 0 {
        let start = end.saturating_sub(STRETCH);
        let stretch = &text[start..(end + needle - 1).min(text.len())];
        let found = key.find_iter(stretch).filter_map(|at| {
            let rest = &text[start + at + needle..];
            raw_string(&rest[opens_string(rest)?..])
        });
        if let Some(last) = found.last() {
            return Some(last);
        }
        end = start;
    }
    None
}

/// The string that starts here, decoded; as it stands if it has bad escapes.
fn raw_string(text: &[u8]) -> Option<String> {
    let raw = String::from_utf8_lossy(&text[..json::string_end(text, 0)?]);
    let decoded = json::decode_string(&raw).map(|decoded| decoded.text.into_owned());
    Some(decoded.unwrap_or_else(|| raw[1..raw.len() - 1].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needles;

    #[test]
    fn raw_strings_prefer_the_tight_form_first_and_the_later_one_last() {
        let text = br#"{"cwd": "/spaced"} {"cwd":"/tight"} {"x":{"cwd":"/nested"}}"#;
        assert_eq!(first_string(text, &needles::CWD).as_deref(), Some("/tight"));
        assert_eq!(last_string(text, &needles::CWD).as_deref(), Some("/nested"));
        let key = Finder::new("\"b\":");
        assert_eq!(last_string(br#"{"b":"x"} {"b": "y"} {"b":"torn"#, &key).as_deref(), Some("y"));
        assert_eq!(first_string(br#"{"b":"a\"\u00e9\\"}"#, &key).as_deref(), Some("a\"é\\"));
        assert_eq!(first_string(br#"{"b":"a\q"}"#, &key).as_deref(), Some("a\\q"));
        assert_eq!(first_string(br#"{"t":"\"b\":\"no\""}"#, &key), None);
    }

    #[test]
    fn the_last_of_many_is_found_across_stretches() {
        for gap in [10, 4080, 4085, 4090, 4096, 10_000] {
            let text = format!(
                "{{\"cwd\":\"/first\"}}{}{{\"cwd\":\"/last\"}}{}",
                " ".repeat(gap),
                " ".repeat(gap)
            );
            assert_eq!(
                last_string(text.as_bytes(), &needles::CWD).as_deref(),
                Some("/last"),
                "{gap}"
            );
        }
    }
}
