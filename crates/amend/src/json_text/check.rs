//! Checks that text is JSON, strictly and without recursion, and reports where
//! it is not.
//!
//! Claude Code's settings allow neither comments nor trailing commas, so
//! neither does this check. It does not use `transcript::json`, which trusts
//! its input: an edit must refuse text that is not JSON, and name the line, the
//! column and the reason.

use super::BYTE_ORDER_MARK;
use std::fmt;
use std::ops::Range;
use transcript::json;

/// Where text stops being JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The line, from 1.
    pub line: usize,
    /// The character in it, from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.reason)
    }
}

/// Checks that text is one JSON value, and returns its range.
pub(crate) fn check(text: &str) -> Result<Range<usize>, JsonError> {
    let mut checker = Checker { text: text.as_bytes(), at: 0 };
    if text.starts_with(BYTE_ORDER_MARK) {
        checker.at = BYTE_ORDER_MARK.len_utf8();
    }
    checker.document().map_err(|reason| {
        let at = text.floor_char_boundary(checker.at);
        let before = &text[..at];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before[start..].trim_start_matches(BYTE_ORDER_MARK).chars().count() + 1;
        JsonError { line, column, reason }
    })
}

struct Checker<'t> {
    text: &'t [u8],
    at: usize,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Value,
    FirstElement,
    Key,
    FirstKey,
    Separator,
}

impl Checker<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        self.at = json::skip_space(self.text, self.at);
    }

    fn document(&mut self) -> Result<Range<usize>, &'static str> {
        self.skip_space();
        let start = self.at;
        let mut open = Vec::new();
        let mut expected = Expected::Value;
        loop {
            self.skip_space();
            let Some(byte) = self.peek() else { return Err("unexpected end of the text") };
            match (expected, byte) {
                (Expected::FirstElement, b']')
                | (Expected::FirstKey, b'}')
                | (Expected::Separator, b']' | b'}') => {
                    if open.pop() != Some(byte) {
                        return Err("unmatched closing bracket");
                    }
                    self.at += 1;
                    expected = Expected::Separator;
                }
                (Expected::Separator, b',') => {
                    self.at += 1;
                    let in_object = open.last() == Some(&b'}');
                    expected = if in_object { Expected::Key } else { Expected::Value };
                }
                (Expected::Separator, _) => return Err(unexpected(byte, "a comma or an end")),
                (Expected::Key | Expected::FirstKey, b'"') => {
                    self.string()?;
                    self.skip_space();
                    if self.peek() != Some(b':') {
                        return Err("missing colon");
                    }
                    self.at += 1;
                    expected = Expected::Value;
                }
                (Expected::Key, b'}') => return Err("trailing comma"),
                (Expected::Key | Expected::FirstKey, _) => {
                    return Err(unexpected(byte, "a key in double quotes"));
                }
                (Expected::Value | Expected::FirstElement, b'{') => {
                    self.at += 1;
                    open.push(b'}');
                    expected = Expected::FirstKey;
                }
                (Expected::Value | Expected::FirstElement, b'[') => {
                    self.at += 1;
                    open.push(b']');
                    expected = Expected::FirstElement;
                }
                (Expected::Value | Expected::FirstElement, _) => {
                    self.scalar(byte, open.last() == Some(&b']'))?;
                    expected = Expected::Separator;
                }
            }
            if open.is_empty() && expected == Expected::Separator {
                break;
            }
        }
        let end = self.at;
        self.skip_space();
        match self.peek() {
            None => Ok(start..end),
            Some(byte) => Err(unexpected(byte, "the end of the text")),
        }
    }

    fn scalar(&mut self, first: u8, in_array: bool) -> Result<(), &'static str> {
        match first {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            b']' if in_array => Err("trailing comma"),
            _ => {
                let words: [&[u8]; 3] = [b"true", b"false", b"null"];
                let rest = &self.text[self.at..];
                let Some(word) = words.into_iter().find(|word| rest.starts_with(word)) else {
                    return Err(unexpected(first, "a value"));
                };
                self.at += word.len();
                Ok(())
            }
        }
    }

    fn string(&mut self) -> Result<(), &'static str> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => {
                    self.at = start;
                    return Err("unterminated string");
                }
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(0..0x20) => return Err("control character in a string"),
                Some(b'\\') => {
                    let escape = self.text.get(self.at + 1).copied();
                    let length = match escape {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') => {
                            let digits = self.text.get(self.at + 2..self.at + 6);
                            if !digits.is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit)) {
                                return Err("a \\u escape needs four hex digits");
                            }
                            6
                        }
                        _ => return Err("unknown escape"),
                    };
                    self.at += length;
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn number(&mut self) -> Result<(), &'static str> {
        const WRONG: &str = "invalid number";
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let is_zero = self.peek() == Some(b'0');
        let whole = self.digits();
        if whole == 0 || (is_zero && whole > 1) {
            return Err(WRONG);
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(WRONG);
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(WRONG);
            }
        }
        Ok(())
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }
}

fn unexpected(byte: u8, wanted: &'static str) -> &'static str {
    match (byte, wanted) {
        (b'/' | b'#', _) => "comments are not allowed",
        (_, "a value") => "not a JSON value",
        (_, "a key in double quotes") => "expected a key in double quotes",
        (_, "the end of the text") => "unexpected text after the value",
        _ => "expected a comma or a closing bracket",
    }
}
