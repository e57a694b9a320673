//! A forward-only reader of JSON text that reads each byte once.
//!
//! It is for callers that need a few values of a large line: it enters an object
//! without searching for its end, and skips values that are not needed. It does
//! not validate: it returns `None` where it happens to notice that the text is
//! not JSON. Use the parser to be sure.

use crate::json::{self, skip_space, string_end, value_end};
use std::borrow::Cow;

/// A position in a JSON text.
///
/// ```
/// let mut cursor = transcript::JsonCursor::new(br#"{"size":[1,2],"name":"kelp"}"#);
/// let mut name = None;
/// cursor.object(|key, cursor| {
///     match key {
///         b"name" => name = cursor.string()?,
///         _ => drop(cursor.value()?),
///     }
///     Some(())
/// });
/// assert_eq!(name.as_deref(), Some("kelp"));
/// ```
#[derive(Clone, Debug)]
pub struct JsonCursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> JsonCursor<'a> {
    /// Starts at the beginning of a text.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = skip_space(bytes, 0);
        JsonCursor { bytes, at }
    }

    /// The first byte of the value at this position.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Whether only white space is left.
    pub fn is_done(&self) -> bool {
        skip_space(self.bytes, self.at) == self.bytes.len()
    }

    /// Skips the value at this position and returns its text.
    pub fn value(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        self.at = value_end(self.bytes, start)?;
        self.bytes.get(start..self.at)
    }

    /// Skips a string and returns it decoded; skips any other value and returns
    /// `Some(None)`. `None` if the text is not JSON.
    pub fn string(&mut self) -> Option<Option<Cow<'a, str>>> {
        if self.peek()? != b'"' {
            self.value()?;
            return Some(None);
        }
        let start = self.at;
        self.at = string_end(self.bytes, start)?;
        let text = self.bytes.get(start..self.at)?;
        if let Ok(text) = str::from_utf8(text) {
            return Some(json::decode_string(text).map(|decoded| decoded.text));
        }
        let text = String::from_utf8_lossy(text);
        Some(json::decode_string(&text).map(|decoded| Cow::Owned(decoded.text.into_owned())))
    }

    /// Skips a value and returns whether it is `true`.
    pub fn is_true(&mut self) -> Option<bool> {
        Some(self.value()? == b"true")
    }

    /// Enters the object at this position and calls `each` with every raw key and
    /// the cursor at its value, which `each` must skip. Skips any other value.
    pub fn object(
        &mut self,
        mut each: impl FnMut(&'a [u8], &mut Self) -> Option<()>,
    ) -> Option<()> {
        if self.peek()? != b'{' {
            self.value()?;
            return Some(());
        }
        self.at = skip_space(self.bytes, self.at + 1);
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            if self.peek()? != b'"' {
                return None;
            }
            let end = string_end(self.bytes, self.at)?;
            let key = self.bytes.get(self.at + 1..end - 1)?;
            self.at = skip_space(self.bytes, end);
            if self.peek()? != b':' {
                return None;
            }
            self.at = skip_space(self.bytes, self.at + 1);
            each(key, self)?;
            if !self.next_of(b'}')? {
                return Some(());
            }
        }
    }

    /// Enters the list at this position and calls `each` with the cursor at every
    /// element, which `each` must skip. Skips any other value.
    pub fn list(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.peek()? != b'[' {
            self.value()?;
            return Some(());
        }
        self.at = skip_space(self.bytes, self.at + 1);
        if self.peek()? == b']' {
            self.at += 1;
            return Some(());
        }
        loop {
            each(self)?;
            if !self.next_of(b']')? {
                return Some(());
            }
        }
    }

    /// Skips the separator after a member or element; whether another follows.
    fn next_of(&mut self, close: u8) -> Option<bool> {
        self.at = skip_space(self.bytes, self.at);
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b',' => {
                self.at = skip_space(self.bytes, self.at);
                Some(true)
            }
            byte if byte == close => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_lists_are_entered_and_other_values_skipped() {
        let text =
            br#" {"a": [1, {"b" : "x\ny"}, []], "skip": {"b": "no"}, "c": true, "d": null} "#;
        let mut found = Vec::new();
        let mut cursor = JsonCursor::new(text);
        cursor
            .object(|key, cursor| match key {
                b"a" => cursor.list(|cursor| {
                    cursor.object(|_, cursor| {
                        found.push(cursor.string()?.map(Cow::into_owned));
                        Some(())
                    })
                }),
                b"c" => {
                    assert_eq!(cursor.is_true(), Some(true));
                    Some(())
                }
                b"d" => {
                    assert_eq!(cursor.string(), Some(None));
                    Some(())
                }
                _ => cursor.value().map(drop),
            })
            .unwrap();
        assert_eq!(found, [Some("x\ny".to_owned())]);
        assert!(cursor.is_done());
    }

    #[test]
    fn invalid_text_ends_without_panic() {
        for text in [
            "",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":1 2}",
            "{a:1}",
            "[1",
            "[1 2]",
        ] {
            let mut cursor = JsonCursor::new(text.as_bytes());
            let walked = if text.starts_with('[') {
                cursor.list(|cursor| cursor.value().map(drop))
            } else {
                cursor.object(|_, cursor| cursor.value().map(drop))
            };
            assert_eq!(walked, None, "{text}");
        }
    }
}
