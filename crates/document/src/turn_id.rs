//! The number of a turn in JSON.

use conversation::TurnNumber;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// The number of a turn: an integer, or a text for turns outside of the current
/// conversation, such as `b1.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnId(pub TurnNumber);

impl From<TurnNumber> for TurnId {
    fn from(number: TurnNumber) -> Self {
        TurnId(number)
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for TurnId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            TurnNumber::Main(number) => serializer.serialize_u32(number),
            number => serializer.collect_str(&number),
        }
    }
}

impl<'de> Deserialize<'de> for TurnId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TurnVisitor).map(TurnId)
    }
}

struct TurnVisitor;

impl Visitor<'_> for TurnVisitor {
    type Value = TurnNumber;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the number of a turn")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<TurnNumber, E> {
        u32::try_from(number).map(TurnNumber::Main).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<TurnNumber, E> {
        text.parse().map_err(E::custom)
    }
}

impl JsonSchema for TurnId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "TurnId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["integer", "string"],
            "minimum": 0,
            "pattern": "^[bo][1-9][0-9]*\\.[0-9]+$"
        })
    }
}

/// The command that shows a turn of a session or sub-agent, or all of it.
pub fn show_command(id: &str, turn: Option<TurnNumber>) -> String {
    let place = turn.map(|turn| format!("{id}:{turn}"));
    format!("annals show {}", render::shell_quoted(place.as_deref().unwrap_or(id)))
}

/// The command that shows the turn at a line of a transcript.
pub fn show_line_command(id: &str, line: u64) -> String {
    format!("annals show {} --line {line}", render::shell_quoted(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_read_back_as_it_was_written() {
        let table = [
            (TurnNumber::Main(12), "12"),
            (TurnNumber::Branch { branch: 1, turn: 2 }, "\"b1.2\""),
            (TurnNumber::Orphan { segment: 3, turn: 0 }, "\"o3.0\""),
        ];
        for (number, json) in table {
            assert_eq!(serde_json::to_string(&TurnId(number)).expect("JSON"), json);
            assert_eq!(serde_json::from_str::<TurnId>(json).expect("a turn").0, number);
        }
        for json in ["-1", "1.5", "\"x\"", "null", "4294967296"] {
            assert!(serde_json::from_str::<TurnId>(json).is_err(), "{json}");
        }
    }
}
