//! JSON text looked at without building values: the one scanner of raw JSON, for
//! every crate that may know this one. It finds where strings and values end,
//! walks members and elements, and decodes strings.
//!
//! Everything here walks bytes with a counter instead of recursing, because
//! transcripts can nest deeper than a stack. The scanners expect well-formed
//! JSON (`serde_json` has seen it, or will) and answer `None` instead of guessing
//! where it is not.

use memchr::memchr;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A decoded string, and whether half surrogates were replaced in it.
#[derive(Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text; borrowed if it had no escapes.
    pub text: Cow<'a, str>,
    /// Whether a `\ud800`-like escape without its partner became U+FFFD.
    pub lone_surrogates: bool,
}

/// The end of the string that starts (with its quote) at `start`: the place after
/// its closing quote. `None` if it never closes.
pub fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    // Text has many more escapes than quotes: only before a quote they matter.
    let mut at = start + 1;
    loop {
        at += memchr(b'"', bytes.get(at..)?)?;
        let before = bytes[start + 1..at].iter().rev();
        let is_escaped = before.take_while(|byte| **byte == b'\\').count() % 2 == 1;
        at += 1;
        if !is_escaped {
            return Some(at);
        }
    }
}

/// The end of the value that starts at `start`. `None` if it never ends.
pub fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    match *bytes.get(start)? {
        b'"' => string_end(bytes, start),
        b'{' | b'[' => {
            let mut depth = 0_usize;
            let mut at = start;
            loop {
                match *bytes.get(at)? {
                    b'"' => {
                        at = string_end(bytes, at)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth -= 1;
                        if depth == 0 {
                            return Some(at + 1);
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
        }
        _ => {
            let rest = &bytes[start..];
            let length = rest
                .iter()
                .position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n'))
                .unwrap_or(rest.len());
            (length > 0).then_some(start + length)
        }
    }
}

/// The first position from `at` on that is not white space.
pub fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    at
}

/// An iterator over the members of an object. It is lazy: a caller that stops
/// early does not read the rest.
///
/// Yields the raw key (without quotes, with escapes) and the byte range of the
/// value. Ends without an error at the first byte that is not JSON.
pub struct Members<'a> {
    bytes: &'a [u8],
    at: Option<usize>,
}

impl<'a> Members<'a> {
    /// The members of the object in `bytes`; none if it is not an object.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = skip_space(bytes, 0);
        let at = (bytes.get(at) == Some(&b'{')).then_some(at + 1);
        Members { bytes, at }
    }

    fn step(&mut self, at: usize) -> Option<(&'a [u8], std::ops::Range<usize>)> {
        let bytes = self.bytes;
        let mut at = skip_space(bytes, at);
        if bytes.get(at) == Some(&b',') {
            at = skip_space(bytes, at + 1);
        }
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        let end = string_end(bytes, at)?;
        let key = &bytes[at + 1..end - 1];
        at = skip_space(bytes, end);
        if bytes.get(at) != Some(&b':') {
            return None;
        }
        at = skip_space(bytes, at + 1);
        let end = value_end(bytes, at)?;
        self.at = Some(end);
        Some((key, at..end))
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a [u8], std::ops::Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at.take()?;
        self.step(at)
    }
}

/// The elements of a JSON list; none if `text` is not a list.
pub fn elements(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let start = skip_space(bytes, 0);
    let mut at = (bytes.get(start) == Some(&b'[')).then_some(start + 1);
    std::iter::from_fn(move || {
        let mut from = skip_space(bytes, at.take()?);
        if bytes.get(from) == Some(&b',') {
            from = skip_space(bytes, from + 1);
        }
        if bytes.get(from).is_none_or(|byte| *byte == b']') {
            return None;
        }
        let end = value_end(bytes, from)?;
        at = Some(end);
        text.get(from..end)
    })
}

/// The value of the last member named `key`, if `text` is an object.
///
/// ```
/// use transcript::json::member;
///
/// assert_eq!(member(r#"{"a":[1],"b":2}"#, "a"), Some("[1]"));
/// ```
pub fn member<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    Members::new(text.as_bytes())
        .filter(|(name, _)| *name == key.as_bytes())
        .last()
        .and_then(|(_, range)| text.get(range))
}

/// The type of a JSON value, for messages.
pub fn type_name(text: &str) -> &'static str {
    match text.trim_start().as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        Some(_) => "a number",
        None => "nothing",
    }
}

/// Decodes a JSON string, given with its quotes. `None` if it is not a string.
pub fn decode_string(text: &str) -> Option<Decoded<'_>> {
    let inner = text.trim().strip_prefix('"')?.strip_suffix('"')?;
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Decoded { text: Cow::Borrowed(inner), lone_surrogates: false });
    }
    let mut decoded = String::with_capacity(inner.len());
    let mut lone_surrogates = false;
    let mut rest = inner;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        decoded.push_str(&rest[..at]);
        let escape = *rest.as_bytes().get(at + 1)?;
        rest = rest.get(at + 2..)?;
        let character = match escape {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'"' | b'\\' | b'/' => char::from(escape),
            b'u' => {
                let (character, after) = decode_unicode_escape(rest)?;
                rest = after;
                character.unwrap_or_else(|| {
                    lone_surrogates = true;
                    char::REPLACEMENT_CHARACTER
                })
            }
            _ => return None,
        };
        decoded.push(character);
    }
    decoded.push_str(rest);
    Some(Decoded { text: Cow::Owned(decoded), lone_surrogates })
}

/// Reads the four digits after `\u`, and the second half of a surrogate pair if
/// one follows. The character is `None` for half a pair.
fn decode_unicode_escape(rest: &str) -> Option<(Option<char>, &str)> {
    let unit = hex_unit(rest)?;
    let after = &rest[4..];
    if (0xD800..0xDC00).contains(&unit)
        && let Some(second) = after.strip_prefix("\\u").and_then(hex_unit)
        && (0xDC00..0xE000).contains(&second)
    {
        let scalar = 0x1_0000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
        return Some((char::from_u32(scalar), &after[6..]));
    }
    Some((char::from_u32(unit), after))
}

fn hex_unit(text: &str) -> Option<u32> {
    let digits = text.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
    u32::from_str_radix(digits, 16).ok()
}

/// The (key, value) pairs of an object in order, validated as JSON.
pub(crate) fn pairs(text: &str) -> serde_json::Result<Vec<(Cow<'_, str>, &str)>> {
    struct Pairs;

    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(Cow<'de, str>, &'de str)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(key) = map.next_key::<crate::value::Str<'de>>()? {
                pairs.push((key.into_cow(), map.next_value::<&'de RawValue>()?.get()));
            }
            Ok(pairs)
        }
    }

    let mut deserializer = serde_json::Deserializer::from_str(text);
    let pairs = deserializer.deserialize_map(Pairs)?;
    deserializer.end()?;
    Ok(pairs)
}

/// Calls `each` with every string value in a JSON text, decoded and in order.
/// Keys are left out.
pub fn string_values<'a>(text: &'a str, mut each: impl FnMut(Cow<'a, str>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr(b'"', &bytes[at..]) {
        let start = at + found;
        let Some(end) = string_end(bytes, start) else { return };
        at = end;
        let is_key = bytes.get(skip_space(bytes, end)) == Some(&b':');
        if !is_key && let Some(decoded) = text.get(start..end).and_then(decode_string) {
            each(decoded.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_walked_in_order_with_their_values() {
        let text = r#" {"a" : 1, "b\"":[{"x":"}"}],"c":"\\","d":null}"#;
        let found: Vec<_> = Members::new(text.as_bytes())
            .map(|(key, range)| (String::from_utf8_lossy(key).into_owned(), &text[range]))
            .collect();
        let expected = [("a", "1"), (r#"b\""#, r#"[{"x":"}"}]"#), ("c", r#""\\""#), ("d", "null")];
        assert_eq!(found, expected.map(|(key, value)| (key.to_owned(), value)));
    }

    #[test]
    fn members_of_broken_text_end_without_panic() {
        for text in ["", "{", "{\"", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":[", "[1]"] {
            assert_eq!(Members::new(text.as_bytes()).count(), 0, "{text}");
        }
    }

    #[test]
    fn a_string_ends_at_the_first_quote_that_is_not_escaped() {
        let characters = *b"a\\\"";
        for number in 0..3_usize.pow(8) {
            let mut rest = number;
            let mut bytes = vec![b'"'];
            for _ in 0..8 {
                bytes.push(characters[rest % 3]);
                rest /= 3;
            }
            let mut at = 1;
            let mut expected = None;
            while at < bytes.len() && expected.is_none() {
                match bytes[at] {
                    b'"' => expected = Some(at + 1),
                    b'\\' => at += 2,
                    _ => at += 1,
                }
            }
            assert_eq!(string_end(&bytes, 0), expected, "{}", String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn strings_decode_with_pairs_and_lone_halves() {
        let table = [
            (r#""plain""#, "plain", false),
            (r#""a\n\t\"\\\/\u00e9""#, "a\n\t\"\\/é", false),
            (r#""\ud83d\ude00""#, "😀", false),
            (r#""\ud83dx""#, "\u{fffd}x", true),
            (r#""\ude00\ud83d""#, "\u{fffd}\u{fffd}", true),
            (r#""\ud83d\u0041""#, "\u{fffd}A", true),
        ];
        for (json, text, lone) in table {
            let decoded = decode_string(json).expect(json);
            assert_eq!((decoded.text.as_ref(), decoded.lone_surrogates), (text, lone));
        }
        for json in ["5", r#""\q""#, r#""\u12""#, r#"""#, ""] {
            assert_eq!(decode_string(json), None, "{json}");
        }
    }

    #[test]
    fn string_values_leave_keys_out() {
        let mut values = Vec::new();
        string_values(r#"{"k":"v","l":["w",{"m" : "x\ny"}],"n":1}"#, |v| {
            values.push(v.into_owned());
        });
        assert_eq!(values, ["v", "w", "x\ny"]);
    }

    #[test]
    fn elements_of_a_list() {
        let found: Vec<_> = elements(r#" [1, {"a":[2]},"]" ]"#).collect();
        assert_eq!(found, ["1", r#"{"a":[2]}"#, r#""]""#]);
        assert_eq!(elements("{}").count() + elements("[]").count() + elements("[1").count(), 1);
    }

    #[test]
    fn the_last_of_duplicate_members_counts() {
        assert_eq!(member(r#"{"a":1,"a":2}"#, "a"), Some("2"));
        assert_eq!(member(r#"{"b":{"a":1}}"#, "a"), None);
    }
}
