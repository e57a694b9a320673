//! The types of field values, readable by both parsers.
//!
//! The fast parser is `Deserialize`, which borrows from the line. The lenient
//! parser is [`LenientRead`]: it reads one JSON value, keeps what is readable and
//! reports the rest. Its results are owned, because its input may be a copy in
//! which invalid UTF-8 was replaced.

use crate::json;
use crate::problem::{Problem, Reason};
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// The path of the field that the lenient parser reads, and the problems so far.
pub(crate) struct FieldContext<'p> {
    pub(crate) path: String,
    depth: usize,
    offset: u64,
    problems: &'p mut Vec<Problem>,
}

/// How deep the lenient parser follows blocks within blocks. Claude Code nests
/// three levels; each level is scanned again, and the stack is finite.
const MAX_DEPTH: usize = 48;

impl<'p> FieldContext<'p> {
    pub(crate) fn new(offset: u64, problems: &'p mut Vec<Problem>) -> Self {
        FieldContext { path: String::new(), depth: 0, offset, problems }
    }

    pub(crate) fn note(&mut self, reason: Reason) {
        self.problems.push(Problem { offset: self.offset, reason });
    }

    /// Runs `read` one level deeper, so that its problems have the whole path.
    /// `None` beyond [`MAX_DEPTH`].
    pub(crate) fn enter<T>(
        &mut self,
        step: &str,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(step);
        self.depth += 1;
        let value = if self.depth > MAX_DEPTH {
            self.note(Reason::TooDeep);
            None
        } else {
            read(self)
        };
        self.depth -= 1;
        self.path.truncate(length);
        value
    }

    pub(crate) fn wrong_type(&mut self, expected: &'static str, raw: &str) {
        let path = self.path.clone();
        self.note(Reason::WrongType { path, expected, found: json::type_name(raw) });
    }
}

/// A type that the lenient parser can read from one JSON value.
pub(crate) trait LenientRead<'a>: Sized {
    /// The expected JSON type, for problem messages.
    const EXPECTED: &'static str;

    /// Reads `raw` and reports problems to `context`. `None` if nothing is
    /// readable; the problem is then reported.
    fn read(raw: &str, context: &mut FieldContext<'_>) -> Option<Self>;
}

/// A decoded string: borrowed from the line if it has no escapes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Str<'a>(Cow<'a, str>);

impl<'a> Str<'a> {
    /// The text as a `Cow`.
    pub fn into_cow(self) -> Cow<'a, str> {
        self.0
    }

    /// Copies the text, so that it no longer borrows from the line.
    pub fn into_owned(self) -> Str<'static> {
        Str(Cow::Owned(self.0.into_owned()))
    }
}

impl Deref for Str<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> From<&'a str> for Str<'a> {
    fn from(text: &'a str) -> Self {
        Str(Cow::Borrowed(text))
    }
}

impl From<String> for Str<'_> {
    fn from(text: String) -> Self {
        Str(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for Str<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Str(text)
    }
}

impl PartialEq<str> for Str<'_> {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Str<'_> {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

struct StrVisitor;

impl<'de> Visitor<'de> for StrVisitor {
    type Value = Str<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Str<'de>, E> {
        Ok(Str(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Str<'de>, E> {
        Ok(Str(Cow::Owned(text.to_owned())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(StrVisitor)
    }
}

impl Serialize for Str<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'a> LenientRead<'a> for Str<'a> {
    const EXPECTED: &'static str = "a string";

    fn read(raw: &str, context: &mut FieldContext<'_>) -> Option<Self> {
        let Some(decoded) = json::decode_string(raw) else {
            context.wrong_type(Self::EXPECTED, raw);
            return None;
        };
        if decoded.lone_surrogates {
            let path = context.path.clone();
            context.note(Reason::LoneSurrogate { path });
        }
        Some(Str(Cow::Owned(decoded.text.into_owned())))
    }
}

/// A JSON value that is kept as text and parsed only on request.
#[derive(Clone, Debug)]
pub struct Json<'a>(Cow<'a, RawValue>);

impl<'a> Json<'a> {
    /// The decoded string if this is a string, otherwise the JSON text.
    pub(crate) fn into_string_or_text(self) -> Str<'a> {
        match self.0 {
            Cow::Borrowed(raw) => match json::decode_string(raw.get()) {
                Some(decoded) => Str(decoded.text),
                None => Str(Cow::Borrowed(raw.get())),
            },
            Cow::Owned(raw) => match json::decode_string(raw.get()) {
                Some(decoded) => Str(Cow::Owned(decoded.text.into_owned())),
                None => Str(Cow::Owned(raw.get().to_owned())),
            },
        }
    }

    /// The value's JSON text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The decoded string, if this is a string.
    pub fn string(&self) -> Option<Cow<'_, str>> {
        json::decode_string(self.as_str()).map(|decoded| decoded.text)
    }

    /// The JSON text of a member, if this is an object with that key.
    pub fn member(&self, key: &str) -> Option<&str> {
        json::member(self.as_str(), key)
    }

    /// The decoded string of a member, if this is an object and that member a
    /// string.
    pub fn member_string(&self, key: &str) -> Option<Cow<'_, str>> {
        json::decode_string(self.member(key)?).map(|decoded| decoded.text)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&'de RawValue>::deserialize(deserializer).map(|raw| Json(Cow::Borrowed(raw)))
    }
}

impl<'a> LenientRead<'a> for Json<'a> {
    const EXPECTED: &'static str = "a value";

    fn read(raw: &str, _at: &mut FieldContext<'_>) -> Option<Self> {
        RawValue::from_string(raw.to_owned()).ok().map(|raw| Json(Cow::Owned(raw)))
    }
}

impl LenientRead<'_> for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(raw: &str, context: &mut FieldContext<'_>) -> Option<Self> {
        let value = serde_json::from_str(raw).ok();
        if value.is_none() {
            context.wrong_type(Self::EXPECTED, raw);
        }
        value
    }
}

/// A count. Some versions wrote counts as floating-point numbers, which are
/// accepted too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(pub u64);

impl Count {
    /// Reads a count from its JSON text.
    pub fn parse(text: &str) -> Option<Count> {
        text.parse().map(Count).ok().or_else(|| count_of(text.parse().ok()?).map(Count))
    }
}

/// Any number, as a floating-point value.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Number(pub f64);

/// Beyond 2⁵³ the conversion loses precision, which no real count reaches.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the value is checked to be a count within range first"
)]
fn count_of(value: f64) -> Option<u64> {
    (value.is_finite() && (0.0..=u64::MAX as f64).contains(&value)).then_some(value as u64)
}

struct CountVisitor;

impl Visitor<'_> for CountVisitor {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a count")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Count, E> {
        Ok(Count(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Count, E> {
        count_of(value).map(Count).ok_or_else(|| E::custom("not a count"))
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CountVisitor)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Number)
    }
}

impl LenientRead<'_> for Count {
    const EXPECTED: &'static str = "a count";

    fn read(raw: &str, context: &mut FieldContext<'_>) -> Option<Self> {
        let value = serde_json::from_str(raw).ok();
        if value.is_none() {
            context.wrong_type(Self::EXPECTED, raw);
        }
        value
    }
}

impl LenientRead<'_> for Number {
    const EXPECTED: &'static str = "a number";

    fn read(raw: &str, context: &mut FieldContext<'_>) -> Option<Self> {
        let value = serde_json::from_str(raw).ok();
        if value.is_none() {
            context.wrong_type(Self::EXPECTED, raw);
        }
        value
    }
}

impl<'a, T: LenientRead<'a>> LenientRead<'a> for Box<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn read(raw: &str, context: &mut FieldContext<'_>) -> Option<Self> {
        T::read(raw, context).map(Box::new)
    }
}
