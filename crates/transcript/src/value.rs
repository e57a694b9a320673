//! The values a field can have, each readable by both tiers of the parser.
//!
//! The fast tier is `Deserialize`, borrowing from the line. The slow tier is
//! [`Lenient`]: it takes one JSON value, keeps what can be kept, and notes what
//! could not. Its results are owned, because its input may be a repaired copy.

use crate::json;
use crate::problem::{Problem, Reason};
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// Where the slow tier is in a line, and what it has found wrong so far.
pub(crate) struct Place<'p> {
    pub(crate) path: String,
    depth: usize,
    offset: u64,
    problems: &'p mut Vec<Problem>,
}

/// How deep the slow tier follows blocks within blocks. The app nests three
/// deep; each level is scanned again, and the stack is finite.
const DEEPEST: usize = 48;

impl<'p> Place<'p> {
    pub(crate) fn new(offset: u64, problems: &'p mut Vec<Problem>) -> Self {
        Place { path: String::new(), depth: 0, offset, problems }
    }

    pub(crate) fn note(&mut self, reason: Reason) {
        self.problems.push(Problem { offset: self.offset, reason });
    }

    /// Runs `read` one step deeper, so that its problems carry the whole path.
    /// `None` if that is deeper than anybody goes.
    pub(crate) fn within<T>(
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
        let value = if self.depth > DEEPEST {
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

/// A value the slow tier can read from one JSON value.
pub(crate) trait Lenient<'a>: Sized {
    /// What a problem says was expected.
    const EXPECTED: &'static str;

    /// Reads `raw`, noting what is wrong. `None` if nothing could be kept;
    /// the reason then stands in `at`.
    fn read(raw: &str, at: &mut Place<'_>) -> Option<Self>;
}

/// Text of a transcript: borrowed from the line unless it had escapes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Str<'a>(Cow<'a, str>);

impl<'a> Str<'a> {
    /// The text as a `Cow`, for callers that go on transforming it.
    pub fn into_cow(self) -> Cow<'a, str> {
        self.0
    }

    /// The same text, no longer borrowing from the line.
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

impl<'a> Lenient<'a> for Str<'a> {
    const EXPECTED: &'static str = "a string";

    fn read(raw: &str, at: &mut Place<'_>) -> Option<Self> {
        let Some(decoded) = json::decode_string(raw) else {
            at.wrong_type(Self::EXPECTED, raw);
            return None;
        };
        if decoded.lone_surrogates {
            let path = at.path.clone();
            at.note(Reason::LoneSurrogate { path });
        }
        Some(Str(Cow::Owned(decoded.text.into_owned())))
    }
}

/// A JSON value that is kept as it stands and not looked into.
#[derive(Clone, Debug)]
pub struct Json<'a>(Cow<'a, RawValue>);

impl<'a> Json<'a> {
    /// The decoded string if it is one, else the JSON text itself.
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

    /// The string it is, if it is one.
    pub fn string(&self) -> Option<Cow<'_, str>> {
        json::decode_string(self.as_str()).map(|decoded| decoded.text)
    }

    /// The value of a top-level member, if this is an object that has it.
    pub fn member(&self, key: &str) -> Option<&str> {
        json::member(self.as_str(), key)
    }

    /// A top-level member that is a string, decoded.
    pub fn member_string(&self, key: &str) -> Option<Cow<'_, str>> {
        json::decode_string(self.member(key)?).map(|decoded| decoded.text)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&'de RawValue>::deserialize(deserializer).map(|raw| Json(Cow::Borrowed(raw)))
    }
}

impl<'a> Lenient<'a> for Json<'a> {
    const EXPECTED: &'static str = "a value";

    fn read(raw: &str, _at: &mut Place<'_>) -> Option<Self> {
        RawValue::from_string(raw.to_owned()).ok().map(|raw| Json(Cow::Owned(raw)))
    }
}

impl Lenient<'_> for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(raw: &str, at: &mut Place<'_>) -> Option<Self> {
        let value = serde_json::from_str(raw).ok();
        if value.is_none() {
            at.wrong_type(Self::EXPECTED, raw);
        }
        value
    }
}

/// A counter. Some versions wrote whole numbers as floats; those count too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(pub u64);

/// A number of any kind, as the floating-point value it stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Number(pub f64);

/// A counter beyond 2⁵³ is not a count of anything; the lost precision is moot.
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

impl Lenient<'_> for Count {
    const EXPECTED: &'static str = "a count";

    fn read(raw: &str, at: &mut Place<'_>) -> Option<Self> {
        let value = serde_json::from_str(raw).ok();
        if value.is_none() {
            at.wrong_type(Self::EXPECTED, raw);
        }
        value
    }
}

impl Lenient<'_> for Number {
    const EXPECTED: &'static str = "a number";

    fn read(raw: &str, at: &mut Place<'_>) -> Option<Self> {
        let value = serde_json::from_str(raw).ok();
        if value.is_none() {
            at.wrong_type(Self::EXPECTED, raw);
        }
        value
    }
}

impl<'a, T: Lenient<'a>> Lenient<'a> for Box<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn read(raw: &str, at: &mut Place<'_>) -> Option<Self> {
        T::read(raw, at).map(Box::new)
    }
}
