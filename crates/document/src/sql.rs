//! Answers of `annals sql`, and the views it can be asked about.

use crate::table::{Column, columns};
use crate::{Document, Keyword, Moment};
use index::{SqlValue, View, ViewColumn};
use library::search::Freshness;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{SerializeMap as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The rows that answer a query.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SqlDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// Whether the index is up to date with the files.
    pub fresh: bool,
    /// Whether the index has read every file at least once, and every line of it.
    pub index_complete: bool,
    /// If it has not: it has read everything that changed since then.
    pub covered_since: Option<Moment>,
    /// The names of the columns; a second `n` is called `n_2`.
    pub columns: Cow<'a, [String]>,
    /// The rows.
    pub rows: Vec<SqlRowDocument<'a>>,
}

impl Document for SqlDocument<'_> {
    const SCHEMA: &'static str = "annals/sql/1";
    const COMMAND: &'static str = "`annals sql QUERY`";
    const ROWS: Option<&'static str> = Some("rows");
}

impl<'a> SqlDocument<'a> {
    /// Rows with the values of these columns.
    pub fn new(columns: &'a [String], rows: &'a [Vec<SqlValue>], fresh: &Freshness) -> Self {
        SqlDocument {
            schema: Self::SCHEMA.into(),
            fresh: fresh.is_fresh,
            index_complete: fresh.has_every_line(),
            covered_since: fresh.covered_since.map(Moment),
            columns: Cow::Borrowed(columns),
            rows: rows.iter().map(|values| SqlRowDocument::new(columns, values)).collect(),
        }
    }
}

/// A row: an object with a member for each column, in their order.
///
/// Numbers and text are as SQLite has them, bytes are hexadecimal digits, an
/// infinite number is `null`.
#[derive(Clone, Debug, PartialEq)]
pub struct SqlRowDocument<'a>(pub Vec<(Cow<'a, str>, SqlValueDocument<'a>)>);

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValueDocument<'a> {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// Another number.
    Real(f64),
    /// Text, or bytes as hexadecimal digits.
    Text(Cow<'a, str>),
}

impl<'a> SqlRowDocument<'a> {
    /// A row with the values of these columns.
    pub fn new(columns: &'a [String], values: &'a [SqlValue]) -> Self {
        let names = columns.iter().map(|name| Cow::from(name.as_str()));
        SqlRowDocument(names.zip(values.iter().map(SqlValueDocument::from)).collect())
    }
}

impl<'a> From<&'a SqlValue> for SqlValueDocument<'a> {
    fn from(value: &'a SqlValue) -> Self {
        match value {
            SqlValue::Null => SqlValueDocument::Null,
            SqlValue::Integer(number) => SqlValueDocument::Integer(*number),
            SqlValue::Real(number) => SqlValueDocument::Real(*number),
            SqlValue::Text(text) => SqlValueDocument::Text(text.into()),
            SqlValue::Blob(bytes) => SqlValueDocument::Text(hexadecimal(bytes).into()),
        }
    }
}

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl Serialize for SqlRowDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for SqlValueDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            SqlValueDocument::Null => serializer.serialize_none(),
            SqlValueDocument::Integer(number) => serializer.serialize_i64(*number),
            SqlValueDocument::Real(number) => serializer.serialize_f64(*number),
            SqlValueDocument::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for SqlRowDocument<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = SqlRowDocument<'static>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object with a member for each column")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, _>()? {
                    members.push((Cow::from(name), value));
                }
                Ok(SqlRowDocument(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}

impl<'de> Deserialize<'de> for SqlValueDocument<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // From its text, so that a number keeps its last digit.
        let value = Box::<RawValue>::deserialize(deserializer)?;
        let text = value.get();
        match text.as_bytes().first() {
            Some(b'n') => Ok(SqlValueDocument::Null),
            Some(b'"') => {
                let text: String = serde_json::from_str(text).map_err(D::Error::custom)?;
                Ok(SqlValueDocument::Text(text.into()))
            }
            _ if text.contains(['.', 'e', 'E']) => {
                text.parse().map(SqlValueDocument::Real).map_err(D::Error::custom)
            }
            _ => text.parse().map(SqlValueDocument::Integer).map_err(D::Error::custom),
        }
    }
}

impl JsonSchema for SqlRowDocument<'_> {
    fn schema_name() -> Cow<'static, str> {
        "SqlRowDocument".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A row: a member for each column, in their order. Numbers and text are as SQLite has them, bytes are hexadecimal digits, an infinite number is `null`.",
            "type": "object",
            "additionalProperties": generator.subschema_for::<SqlValueDocument<'_>>(),
        })
    }
}

impl JsonSchema for SqlValueDocument<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SqlValueDocument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string", "null"] })
    }
}

/// The views that a query can be about ([sql.md](sql.md)).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SqlSchemaDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The version of the views.
    pub version: u32,
    /// The views.
    pub views: Vec<SqlViewDocument>,
}

impl Document for SqlSchemaDocument {
    const SCHEMA: &'static str = "annals/sql-schema/1";
    const COMMAND: &'static str = "`annals sql --schema`";

    fn row(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<SqlColumnRowDocument>())
    }
    const COLUMNS: &'static [Column] = &columns(["view", "column", "meaning"]);
}

/// A view.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SqlViewDocument {
    /// Its name.
    pub name: Keyword,
    /// What its rows are.
    pub meaning: Keyword,
    /// Its columns.
    pub columns: Vec<SqlColumnDocument>,
}

/// A column of a view.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SqlColumnDocument {
    /// Its name.
    pub name: Keyword,
    /// What it holds.
    pub meaning: Keyword,
}

/// A column of a view, as a row.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SqlColumnRowDocument {
    /// The view.
    pub view: Keyword,
    /// The column.
    pub column: Keyword,
    /// What it holds.
    pub meaning: Keyword,
}

impl SqlSchemaDocument {
    /// These views.
    pub fn new(version: u32, views: &[View]) -> Self {
        let column = |column: &ViewColumn| SqlColumnDocument {
            name: column.name.into(),
            meaning: column.meaning.into(),
        };
        let views = views.iter().map(|view| SqlViewDocument {
            name: view.name.into(),
            meaning: view.meaning.into(),
            columns: view.columns.iter().map(column).collect(),
        });
        SqlSchemaDocument { schema: Self::SCHEMA.into(), version, views: views.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_back_in_the_order_of_its_columns() {
        let row = r#"{"z":1,"a":-0.39663133860414396,"n":null,"t":"x\"y","e":1.5}"#;
        let read: SqlRowDocument<'_> = serde_json::from_str(row).expect("a row");
        assert_eq!(serde_json::to_string(&read).expect("JSON"), row);
        assert!(serde_json::from_str::<SqlRowDocument<'_>>(r#"{"a":[1]}"#).is_err());
    }
}
