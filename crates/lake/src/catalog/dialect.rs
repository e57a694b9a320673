//! What differs between the engines: quotes, types, and how a list of objects is read.

use super::location::ObjectLocation;
use crate::columns::ColumnKind;
use crate::names::Table;
use std::str::FromStr;

/// A name of no engine.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("invalid engine \"{}\": use duckdb, spark or clickhouse", .0.escape_debug())]
pub struct DialectError(String);

/// An engine that reads objects.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Dialect {
    /// DuckDB.
    DuckDb,
    /// Spark SQL.
    Spark,
    /// ClickHouse.
    ClickHouse,
}

impl FromStr for Dialect {
    type Err = DialectError;

    fn from_str(text: &str) -> Result<Self, DialectError> {
        match text {
            "duckdb" => Ok(Dialect::DuckDb),
            "spark" => Ok(Dialect::Spark),
            "clickhouse" => Ok(Dialect::ClickHouse),
            other => Err(DialectError(other.to_owned())),
        }
    }
}

impl Dialect {
    /// The name, as in arguments.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::DuckDb => "duckdb",
            Dialect::Spark => "spark",
            Dialect::ClickHouse => "clickhouse",
        }
    }

    pub(super) fn create_view(self) -> &'static str {
        match self {
            Dialect::DuckDb | Dialect::ClickHouse => "CREATE OR REPLACE VIEW",
            // Others need a catalog of tables that outlives the session.
            Dialect::Spark => "CREATE OR REPLACE TEMPORARY VIEW",
        }
    }

    /// A name of a view or column.
    pub(crate) fn name(self, name: &str) -> String {
        match self {
            Dialect::DuckDb => format!("\"{}\"", name.replace('"', "\"\"")),
            Dialect::Spark => format!("`{}`", name.replace('`', "``")),
            Dialect::ClickHouse => {
                format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
            }
        }
    }

    /// A text.
    pub(crate) fn text(self, text: &str) -> String {
        match self {
            Dialect::DuckDb => format!("'{}'", text.replace('\'', "''")),
            Dialect::Spark | Dialect::ClickHouse => {
                format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
            }
        }
    }

    /// The type of values that may be missing.
    pub(crate) fn nullable_type(self, kind: ColumnKind) -> String {
        let name = self.type_name(kind);
        match self {
            Dialect::DuckDb | Dialect::Spark => name.to_owned(),
            Dialect::ClickHouse => format!("Nullable({name})"),
        }
    }

    /// The type of values.
    pub(crate) fn type_name(self, kind: ColumnKind) -> &'static str {
        match (self, kind) {
            (Dialect::DuckDb, ColumnKind::Text) => "VARCHAR",
            (Dialect::DuckDb, ColumnKind::Moment) => "TIMESTAMPTZ",
            (Dialect::Spark, ColumnKind::Text) => "STRING",
            (Dialect::Spark, ColumnKind::Moment) => "TIMESTAMP",
            (Dialect::DuckDb | Dialect::Spark, ColumnKind::Count) => "BIGINT",
            (Dialect::DuckDb | Dialect::Spark, ColumnKind::Money) => "DECIMAL(38, 0)",
            (Dialect::DuckDb | Dialect::Spark, ColumnKind::Flag) => "BOOLEAN",
            (Dialect::ClickHouse, ColumnKind::Text) => "String",
            (Dialect::ClickHouse, ColumnKind::Count) => "Int64",
            (Dialect::ClickHouse, ColumnKind::Moment) => "DateTime64(6, 'UTC')",
            (Dialect::ClickHouse, ColumnKind::Money) => "Decimal(38, 0)",
            (Dialect::ClickHouse, ColumnKind::Flag) => "Bool",
        }
    }

    /// The columns of a table with their types.
    pub(crate) fn structure(self, table: Table) -> String {
        let columns = table.columns().iter().map(|column| {
            let kind = if column.is_optional {
                self.nullable_type(column.kind)
            } else {
                self.type_name(column.kind).to_owned()
            };
            format!("{} {kind}", self.name(column.name))
        });
        columns.collect::<Vec<_>>().join(", ")
    }

    /// What to read objects from, in as few parts as the engine allows.
    pub(super) fn sources(
        self,
        location: &ObjectLocation,
        table: Table,
        objects: &[String],
    ) -> Vec<String> {
        match self {
            Dialect::DuckDb if objects.is_empty() => Vec::new(),
            Dialect::DuckDb => {
                let objects: Vec<String> = objects.iter().map(|object| self.text(object)).collect();
                vec![format!("read_parquet([\n    {}])", objects.join(",\n    "))]
            }
            // It reads views: see [`spark_view`].
            Dialect::Spark => Vec::new(),
            Dialect::ClickHouse => {
                let function = if location.is_folder() { "file" } else { "s3" };
                let structure = self.text(&self.structure(table));
                let source = |object: &String| {
                    format!("{function}({}, 'Parquet', {structure})", self.text(object))
                };
                objects.iter().map(source).collect()
            }
        }
    }
}

/// A view of Spark over objects of one folder. It says which columns they have: Spark would
/// otherwise run a job for each object, again in every query, to find that out.
pub(super) fn spark_view(name: &str, table: Table, folder: &str, objects: &[String]) -> String {
    let spark = Dialect::Spark;
    // Spark takes one path, which can be a pattern with alternatives; \ escapes in patterns.
    let folder = folder.replace('\\', "\\\\");
    let path = match objects {
        [object] => format!("{folder}{object}"),
        _ => format!("{folder}{{{}}}", objects.join(",")),
    };
    format!(
        "{} {} ({}) USING parquet OPTIONS (path {});\n",
        spark.create_view(),
        spark.name(name),
        spark.structure(table),
        spark.text(&path),
    )
}
