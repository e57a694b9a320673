//! What statements on a copy may do: select the listed columns of the found tables.
//!
//! SQLite asks about every table, column and function while it prepares a statement. Anything
//! not listed here is denied, including features of later SQLite versions.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

use crate::row_store::table::{FoundTable, StrangeTable};

/// How many steps of SQLite's virtual machine pass between two looks at the count.
const STEPS: i32 = 10_000;

/// Steps that a query may take in addition to those for the size of the file.
const BASE_STEPS: u64 = 10_000_000;

/// Makes a new connection safe for content that is not trusted. Nothing was read yet.
pub(crate) fn restrict(connection: &Connection, value_bytes: u32) -> rusqlite::Result<()> {
    for (setting, value) in [
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    ] {
        connection.set_db_config(setting, value)?;
    }
    // Text in UTF-16 may become longer in UTF-8.
    let length = i32::try_from(value_bytes.saturating_mul(2)).unwrap_or(i32::MAX);
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, length),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, value)?;
    }
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "query_only", true)
}

/// Counts the steps of a query, and ends it when there are too many.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepCount(Arc<AtomicU64>);

impl StepCount {
    /// Counts the steps on a connection to a file of this size.
    pub(crate) fn watch(connection: &mut Connection, bytes: u64) -> rusqlite::Result<StepCount> {
        // A row takes several bytes and some ten steps.
        let limit = BASE_STEPS.saturating_add(bytes.saturating_mul(4));
        let count = StepCount::default();
        let steps = count.0.clone();
        let handler = move || {
            let before = steps.fetch_add(u64::from(STEPS.unsigned_abs()), Ordering::Relaxed);
            before > limit
        };
        connection.progress_handler(STEPS, Some(handler))?;
        Ok(count)
    }

    /// Begins to count for another query.
    pub(crate) fn restart(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// The column that SQLite names for a statement that reads no column of a table.
const NO_COLUMN: &str = "";

/// From now on, allows statements on a connection to select the found columns only, and of tables
/// that are not known the keys, and whether there is a row.
pub(crate) fn allow_only(
    connection: &mut Connection,
    tables: &[FoundTable],
    strange: &[StrangeTable],
) -> rusqlite::Result<()> {
    let of_table = |name: &str, columns: &[&'static str]| {
        let columns = columns.iter().chain([&NO_COLUMN]);
        let columns = columns.map(|column| (name.to_ascii_lowercase(), *column));
        columns.collect::<Vec<_>>()
    };
    let known = tables.iter().flat_map(|found| of_table(found.table.name, &found.columns));
    let strange = strange.iter().flat_map(|table| of_table(&table.name, &table.keys));
    let columns: HashSet<(String, &'static str)> = known.chain(strange).collect();
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        let is_allowed = match context.action {
            AuthAction::Select => true,
            AuthAction::Read { table_name, column_name } => {
                context.database_name == Some("main")
                    && context.accessor.is_none()
                    && columns.contains(&(
                        table_name.to_ascii_lowercase(),
                        column_name.to_ascii_lowercase().as_str(),
                    ))
            }
            AuthAction::Function { function_name } => function_name == "octet_length",
            _ => false,
        };
        if is_allowed { Authorization::Allow } else { Authorization::Deny }
    }))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{StepCount, allow_only, restrict};
    use crate::row_store::failure::Failure;
    use crate::row_store::table::{Schema, StrangeTable, Table, find_tables};

    fn restricted() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        let sql = "CREATE TABLE t (a, b); CREATE TABLE account (token);
                   CREATE TABLE Later (owner, content);
                   CREATE TABLE notes (content); CREATE VIRTUAL TABLE words USING fts5(word);
                   CREATE VIEW v AS SELECT a FROM t;";
        connection.execute_batch(sql).unwrap();
        restrict(&connection, 1000).unwrap();
        let table = Table { name: "t", columns: &["a"], required: &["a"], usual: &[] };
        let tables = find_tables(&connection, Schema::of(&[table])).unwrap();
        let strange = |name: &str, keys| StrangeTable { name: name.to_owned(), keys };
        let strange = [strange("later", vec!["owner"]), strange("notes", Vec::new())];
        allow_only(&mut connection, &tables, &strange).unwrap();
        connection
    }

    #[test]
    fn only_listed_columns_can_be_selected() {
        let connection = restricted();
        for sql in [
            "SELECT a FROM t",
            "SELECT A FROM T",
            "SELECT octet_length(a) FROM t",
            "SELECT owner FROM later",
            "SELECT 1 FROM main.later LIMIT 1",
            "SELECT 1 FROM main.\"notes\" LIMIT 1",
        ] {
            connection.prepare(sql).unwrap();
        }
        for sql in [
            "SELECT b FROM t",
            "SELECT * FROM t",
            "SELECT rowid FROM t",
            "SELECT a FROM v",
            "SELECT token FROM account",
            "SELECT 1 FROM main.account LIMIT 1",
            "SELECT 1 FROM main.words LIMIT 1",
            "SELECT 1 FROM main.v LIMIT 1",
            "SELECT content FROM later",
            "SELECT content FROM notes",
            "SELECT rowid FROM notes",
            "SELECT 1 FROM notes ORDER BY content",
            "SELECT count(*) FROM notes",
            "SELECT name FROM sqlite_schema",
            "SELECT upper(a) FROM t",
            "SELECT load_extension('x')",
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
            "DELETE FROM t",
            "PRAGMA query_only = OFF",
            "ATTACH 'x' AS y",
        ] {
            assert!(connection.prepare(sql).is_err(), "{sql}");
        }
    }

    #[test]
    fn a_connection_cannot_write_or_attach_even_without_the_list() {
        let connection = Connection::open_in_memory().unwrap();
        restrict(&connection, 1000).unwrap();
        for sql in ["CREATE TABLE t (a)", "ATTACH ':memory:' AS y", "SELECT zeroblob(3000)"] {
            assert!(connection.execute_batch(sql).is_err(), "{sql}");
        }
    }

    #[test]
    fn a_query_without_an_end_is_stopped() {
        let mut connection = Connection::open_in_memory().unwrap();
        let steps = StepCount::watch(&mut connection, 0).unwrap();
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)
                       SELECT max(x) FROM n";
        for _ in 0..2 {
            let error = connection.query_row(endless, [], |row| row.get::<_, i64>(0)).unwrap_err();
            assert!(matches!(Failure::from(error), Failure::TooManySteps));
            steps.restart();
            connection.query_row("SELECT 1", [], |row| row.get::<_, i64>(0)).unwrap();
        }
    }
}
