//! JSON text that readers look into without building values.

use std::borrow::Cow;

use jiff::Timestamp;
use serde_json::value::RawValue;
use transcript::json;

use crate::problem::ProblemKind;

/// A JSON value as the text that an app wrote. `null` counts as absent everywhere.
///
/// ```
/// let line = apps::JsonText::parse(r#"{"id":"a","usage":{"input":3,"cache":null}}"#).unwrap();
/// assert_eq!(line.string("id").as_deref(), Some("a"));
/// assert_eq!(line.get("usage").and_then(|usage| usage.count("input")), Some(3));
/// assert!(line.get("usage").unwrap().get("cache").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonText<'a>(&'a str);

impl<'a> JsonText<'a> {
    /// The value, if the text is exactly one JSON value.
    pub fn parse(text: &'a str) -> Option<Self> {
        serde_json::from_str::<&RawValue>(text).ok().map(|raw| JsonText(raw.get()))
    }

    /// The text.
    pub fn text(self) -> &'a str {
        self.0
    }

    /// The member of an object; of duplicate keys the last.
    pub fn get(self, key: &str) -> Option<JsonText<'a>> {
        json::member(self.0, key).filter(|text| *text != "null").map(JsonText)
    }

    /// The member that a path of keys leads to.
    pub fn find(self, path: &[&str]) -> Option<JsonText<'a>> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The string, decoded, if this is one. Half surrogates become U+FFFD.
    pub fn as_string(self) -> Option<Cow<'a, str>> {
        json::decode_string(self.0).map(|decoded| decoded.text)
    }

    /// The string of a member.
    pub fn string(self, key: &str) -> Option<String> {
        self.get(key)?.as_string().map(Cow::into_owned)
    }

    /// The string of a member, if it is not empty.
    pub fn filled(self, key: &str) -> Option<String> {
        self.string(key).filter(|text| !text.is_empty())
    }

    /// The whole number, if this is one that is not negative: `3` and `3.0`.
    pub fn as_count(self) -> Option<u64> {
        self.whole().parse().ok()
    }

    /// The whole number, if this is one: `3`, `3.0` and `-1`.
    pub fn as_integer(self) -> Option<i64> {
        self.whole().parse().ok()
    }

    /// The text without a fraction of zeros.
    fn whole(self) -> &'a str {
        match self.0.split_once('.') {
            Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
            _ => self.0,
        }
    }

    /// The whole number of a member.
    pub fn count(self, key: &str) -> Option<u64> {
        self.get(key)?.as_count()
    }

    /// Whether a member is `true`.
    pub fn is_true(self, key: &str) -> bool {
        self.get(key).is_some_and(|value| value.0 == "true")
    }

    /// The time of a member: ISO 8601, or milliseconds since 1970.
    pub fn time(self, key: &str) -> Option<Timestamp> {
        let value = self.get(key)?;
        match value.as_string() {
            Some(text) => transcript::parse_timestamp(&text),
            None => Timestamp::from_millisecond(value.0.parse().ok()?).ok(),
        }
    }

    /// The elements, if this is a list.
    pub fn elements(self) -> impl Iterator<Item = JsonText<'a>> {
        json::elements(self.0).map(JsonText)
    }

    /// The members with their decoded keys, if this is an object.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, JsonText<'a>)> {
        json::Members::new(self.0.as_bytes()).filter_map(move |(key, range)| {
            let key = String::from_utf8_lossy(key);
            let decoded = if key.contains('\\') {
                let quoted = format!("\"{key}\"");
                json::decode_string(&quoted).map(|decoded| decoded.text.into_owned())
            } else {
                None
            };
            let key = decoded.map_or(key, Cow::Owned);
            Some((key, JsonText(self.0.get(range)?)))
        })
    }

    /// Whether this is an object.
    pub fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    /// Whether this is a list.
    pub fn is_list(self) -> bool {
        self.0.starts_with('[')
    }
}

/// The values of a line: one, or several where an app wrote two without a line break between
/// them. What comes after the last complete value is a problem.
pub(crate) fn parse_values(line: &str) -> (Vec<JsonText<'_>>, Option<ProblemKind>) {
    let mut values = Vec::new();
    let mut stream = serde_json::Deserializer::from_str(line).into_iter::<&RawValue>();
    let mut problem = None;
    for value in &mut stream {
        match value {
            Ok(raw) => values.push(JsonText(raw.get())),
            Err(_) => problem = Some(ProblemKind::NotJson),
        }
    }
    if problem.is_none() && values.len() > 1 {
        problem = Some(ProblemKind::GluedObjects);
    }
    (values, problem)
}

#[cfg(test)]
mod tests {
    use super::{JsonText, parse_values};
    use crate::problem::ProblemKind;

    fn value(text: &str) -> JsonText<'_> {
        JsonText::parse(text).unwrap()
    }

    #[test]
    fn null_and_a_value_of_another_type_are_absent() {
        let object = value(r#"{"a":null,"b":5,"c":"x","d":""}"#);
        assert_eq!(object.get("a"), None);
        assert_eq!(object.string("b"), None);
        assert_eq!(object.count("c"), None);
        assert_eq!((object.string("d").as_deref(), object.filled("d")), (Some(""), None));
        assert_eq!(value("[1]").get("a"), None);
    }

    #[test]
    fn only_whole_numbers_are_counts() {
        let cases = [("7", Some(7)), ("7.0", Some(7)), ("7.5", None), ("-1", None), ("1e3", None)];
        for (text, expected) in cases {
            assert_eq!(value(text).as_count(), expected, "{text}");
        }
        let integers = [("-1", Some(-1)), ("3.0", Some(3)), ("0.5", None), ("\"3\"", None)];
        for (text, expected) in integers {
            assert_eq!(value(text).as_integer(), expected, "{text}");
        }
    }

    #[test]
    fn times_are_texts_or_milliseconds() {
        let object = value(r#"{"a":"2026-01-02T03:04:05.678Z","b":1767323045678,"c":true}"#);
        assert_eq!(object.time("a"), object.time("b"));
        assert!(object.time("a").is_some() && object.time("c").is_none());
    }

    #[test]
    fn members_come_in_order_with_decoded_keys() {
        let keys: Vec<_> = value(r#"{"b\\":1,"a":{"c":2}}"#)
            .members()
            .map(|(key, value)| (key.into_owned(), value.text().to_owned()))
            .collect();
        assert_eq!(keys, [("b\\".into(), "1".into()), ("a".into(), r#"{"c":2}"#.into())]);
    }

    #[test]
    fn a_line_can_hold_several_values() {
        let cases = [
            ("{}", 1, None),
            (r#"{"a":1}{"b":2}"#, 2, Some(ProblemKind::GluedObjects)),
            (r#"{"a":1} {"b""#, 1, Some(ProblemKind::NotJson)),
            ("nonsense", 0, Some(ProblemKind::NotJson)),
            ("", 0, None),
        ];
        for (line, count, problem) in cases {
            let (values, found) = parse_values(line);
            assert_eq!((values.len(), found), (count, problem), "{line}");
        }
    }
}
