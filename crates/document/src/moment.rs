//! A point in time as documents write it.

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A point in time: RFC 3339 in UTC, cut to milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub Timestamp);

impl From<Timestamp> for Moment {
    fn from(time: Timestamp) -> Self {
        Moment(time)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&render::json::moment(self.0))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&render::json::moment(self.0))
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Timestamp::deserialize(deserializer).map(Moment)
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_back_as_it_was_written() {
        let time: Timestamp = "2026-01-02T03:04:05.6789Z".parse().expect("a time");
        let written = serde_json::to_string(&Moment(time)).expect("JSON");
        assert_eq!(written, "\"2026-01-02T03:04:05.678Z\"");
        let read: Moment = serde_json::from_str(&written).expect("a moment");
        assert_eq!(serde_json::to_string(&read).expect("JSON"), written);
    }
}
