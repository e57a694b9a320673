//! A copy of a database, opened for reading.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::row_store::copy::{Step, copy_database};
use crate::row_store::failure::{Failure, RowStoreError};
use crate::row_store::permission::{self, StepCount};
use crate::row_store::snapshot_folder::SnapshotFolder;
use crate::row_store::stamp::Stamp;
use crate::row_store::table::{FoundTable, Schema, StrangeTable, find_strange_tables, find_tables};

/// What is read at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The size of the database and its WAL together.
    pub copy_bytes: u64,
    /// The length of one value. A longer one is read as [`Value::Null`].
    pub value_bytes: u32,
    /// The rows of one query.
    pub rows: u64,
    /// The text of all rows of one query.
    pub text_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { copy_bytes: 16 << 30, value_bytes: 64 << 20, rows: 5_000_000, text_bytes: 2 << 30 }
    }
}

/// The value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// No value, or one that is neither a number nor text of an allowed length.
    Null,
    /// A whole number.
    Integer(i64),
    /// Another number.
    Real(f64),
    /// Text. Bytes that are not UTF-8 are replaced.
    Text(&'a str),
}

/// A value of which only short texts are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortValue<'a> {
    /// A text.
    Text(&'a str),
    /// A longer value.
    Long,
    /// No text, or none that is UTF-8.
    Other,
}

/// The name and value of a column in a row.
pub type Cell<'a> = (&'static str, Value<'a>);

/// One state of a database of another program. Dropping it deletes the copy.
pub struct Snapshot {
    database: PathBuf,
    stamp: Stamp,
    limits: Limits,
    tables: Vec<FoundTable>,
    strange: Vec<StrangeTable>,
    steps: StepCount,
    /// Closed before the folder is deleted: fields are dropped in this order.
    connection: Connection,
    _folder: SnapshotFolder,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut snapshot = formatter.debug_struct("Snapshot");
        snapshot.field("database", &self.database).field("stamp", &self.stamp);
        snapshot.finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Copies a database and opens the copy. `private` is a folder of annals for such copies,
    /// which is created if needed; the schema has the tables that may be read.
    pub fn take(
        database: &Path,
        private: &Path,
        schema: Schema<'_>,
        limits: Limits,
    ) -> Result<Snapshot, RowStoreError> {
        Snapshot::take_watched(database, private, schema, limits, &mut |_| ())
            .map_err(RowStoreError::of(database))
    }

    fn take_watched(
        database: &Path,
        private: &Path,
        schema: Schema<'_>,
        limits: Limits,
        at: &mut dyn FnMut(Step),
    ) -> Result<Snapshot, Failure> {
        let folder = SnapshotFolder::create(private)
            .map_err(|error| Failure::Copy { folder: private.to_owned(), error })?;
        let stamp = copy_database(database, &folder, limits.copy_bytes, at)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let mut connection = Connection::open_with_flags(folder.database(), flags)?;
        permission::restrict(&connection, limits.value_bytes)?;
        let steps = StepCount::watch(&mut connection, stamp.bytes())?;
        let tables = find_tables(&connection, schema)?;
        let strange = find_strange_tables(&connection, schema)?;
        permission::allow_only(&mut connection, &tables, &strange)?;
        let database = database.to_owned();
        Ok(Snapshot {
            database,
            stamp,
            limits,
            tables,
            strange,
            steps,
            connection,
            _folder: folder,
        })
    }

    /// The database, where its program has it.
    pub fn database(&self) -> &Path {
        &self.database
    }

    /// The stamp of the database before it was copied. As long as
    /// [`find_stamp`](crate::row_store::find_stamp) returns the same, results from this snapshot hold.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Columns of the read tables that are not read, as `table.column`: signs of a newer schema.
    pub fn unread_columns(&self) -> Vec<String> {
        let names = |found: &FoundTable| {
            let table = found.table.name;
            found.unread.iter().map(move |name| format!("{table}.{name}")).collect::<Vec<_>>()
        };
        self.tables.iter().flat_map(names).collect()
    }

    /// Columns that every known version has and this database has not, as `table.column`.
    pub fn missing_columns(&self) -> Vec<String> {
        let names = |found: &FoundTable| {
            let table = found.table.name;
            found.missing.iter().map(move |name| format!("{table}.{name}")).collect::<Vec<_>>()
        };
        self.tables.iter().flat_map(names).collect()
    }

    /// The names of tables that are not known, with whether they have the key of an owner.
    pub fn strange_tables(&self) -> impl Iterator<Item = (&str, bool)> {
        self.strange.iter().map(|table| (table.name.as_str(), !table.keys.is_empty()))
    }

    /// Whether a table has a row: one that is read, or one that is not known.
    pub fn has_rows(&self, table: &str) -> Result<bool, RowStoreError> {
        let read = self.tables.iter().map(|found| found.table.name);
        let mut names = read.chain(self.strange.iter().map(|strange| strange.name.as_str()));
        if !names.any(|name| name == table) {
            return Ok(false);
        }
        self.find_row(table).map_err(RowStoreError::of(&self.database))
    }

    fn find_row(&self, table: &str) -> Result<bool, Failure> {
        self.steps.restart();
        let sql = format!("SELECT 1 FROM main.{} LIMIT 1", quoted(table));
        Ok(self.connection.prepare(&sql)?.exists([])?)
    }

    /// The texts in two columns of a table that is read, in rows that have both.
    pub fn pairs(
        &self,
        table: &str,
        columns: [&'static str; 2],
        mut visit: impl FnMut(&str, &str),
    ) -> Result<(), RowStoreError> {
        let found = self.tables.iter().find(|found| found.table.name == table);
        let has = |found: &&FoundTable| columns.iter().all(|name| found.columns.contains(name));
        let Some(found) = found.filter(has) else { return Ok(()) };
        self.read_pairs(found.table.name, columns, &mut visit)
            .map_err(RowStoreError::of(&self.database))
    }

    fn read_pairs(
        &self,
        table: &str,
        columns: [&'static str; 2],
        visit: &mut dyn FnMut(&str, &str),
    ) -> Result<(), Failure> {
        self.steps.restart();
        let mut statement = self.connection.prepare(&self.select(table, &columns, None))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let (Some(one), Some(other)) = (text(row.get_ref(0)?), text(row.get_ref(1)?)) {
                visit(&one, &other);
            }
        }
        Ok(())
    }

    /// The owners that the rows of a table name, with the latest time of each: 0 where a table
    /// has no times. Any table with these keys can be asked, whether it is known or not.
    pub fn owners(
        &self,
        table: &str,
        [owner, time]: [&'static str; 2],
    ) -> Result<HashMap<String, i64>, RowStoreError> {
        let known = self.tables.iter().find(|found| found.table.name == table);
        let strange = self.strange.iter().find(|strange| strange.name == table);
        let known = known.map(|found| &found.columns);
        let columns = known.or(strange.map(|strange| &strange.keys));
        let columns: Vec<&'static str> = [owner, time]
            .into_iter()
            .filter(|name| columns.is_some_and(|columns| columns.contains(name)))
            .collect();
        self.read_owners(table, &columns).map_err(RowStoreError::of(&self.database))
    }

    fn read_owners(
        &self,
        table: &str,
        columns: &[&'static str],
    ) -> Result<HashMap<String, i64>, Failure> {
        let mut owners: HashMap<String, i64> = HashMap::new();
        if columns.is_empty() {
            return Ok(owners);
        }
        self.steps.restart();
        let mut statement = self.connection.prepare(&self.select(table, columns, None))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let time = match columns.len() {
                1 => 0,
                _ => row.get_ref(1)?.as_i64().unwrap_or_default(),
            };
            let Some(owner) = text(row.get_ref(0)?) else { continue };
            match owners.get_mut(&*owner) {
                Some(latest) => *latest = time.max(*latest),
                None => drop(owners.insert(owner.into_owned(), time)),
            }
        }
        Ok(owners)
    }

    /// The values of a column with the texts of a key column. Values that are longer than this are
    /// not read.
    pub fn short_values(
        &self,
        table: &str,
        [key, column]: [&'static str; 2],
        longest: u32,
        mut visit: impl FnMut(&str, ShortValue<'_>),
    ) -> Result<(), RowStoreError> {
        let found = self.tables.iter().find(|found| found.table.name == table);
        let has =
            |found: &&FoundTable| [key, column].iter().all(|name| found.columns.contains(name));
        let Some(found) = found.filter(has) else { return Ok(()) };
        let name = found.table.name;
        self.read_short_values(name, [key, column], longest, &mut visit)
            .map_err(RowStoreError::of(&self.database))
    }

    fn read_short_values(
        &self,
        table: &str,
        [key, column]: [&'static str; 2],
        longest: u32,
        visit: &mut dyn FnMut(&str, ShortValue<'_>),
    ) -> Result<(), Failure> {
        let (key, column) = (quoted(key), quoted(column));
        let longest_key = self.limits.value_bytes;
        let sql = format!(
            "SELECT CASE WHEN octet_length({column}) <= {longest} THEN {column} END, \
             octet_length({column}), \
             CASE WHEN octet_length({key}) <= {longest_key} THEN {key} END FROM main.{}",
            quoted(table)
        );
        self.steps.restart();
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let length = row.get::<_, Option<i64>>(1)?;
            let value = text(row.get_ref(0)?);
            let value = match &value {
                Some(text) => ShortValue::Text(text),
                None if length.is_some_and(|length| length > i64::from(longest)) => {
                    ShortValue::Long
                }
                None => ShortValue::Other,
            };
            visit(&text(row.get_ref(2)?).unwrap_or_default(), value);
        }
        Ok(())
    }

    /// Reads rows of a table, in no particular order: all of them, or those with a text in a
    /// column. Of `columns`, those that the database has are read. A table or column that is not
    /// in the list of the app has no rows.
    pub fn rows(
        &self,
        table: &str,
        columns: &[&str],
        with: Option<(&str, &str)>,
        mut visit: impl FnMut(&[Cell<'_>]),
    ) -> Result<(), RowStoreError> {
        let found = self.tables.iter().find(|found| found.table.name == table);
        let Some(found) = found else { return Ok(()) };
        self.read_rows(found, columns, with, &mut visit).map_err(RowStoreError::of(&self.database))
    }

    fn read_rows(
        &self,
        found: &FoundTable,
        columns: &[&str],
        with: Option<(&str, &str)>,
        visit: &mut dyn FnMut(&[Cell<'_>]),
    ) -> Result<(), Failure> {
        let known = |name: &str| found.columns.iter().copied().find(|column| *column == name);
        let columns: Vec<&'static str> = columns.iter().filter_map(|name| known(name)).collect();
        let filter = match with {
            Some((column, text)) => match known(column) {
                Some(column) => Some((column, text)),
                None => return Ok(()),
            },
            None => None,
        };
        if columns.is_empty() {
            return Ok(());
        }
        let sql = self.select(found.table.name, &columns, filter.map(|(column, _)| column));
        self.steps.restart();
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query(rusqlite::params_from_iter(filter.map(|(_, text)| text)))?;
        let too_much = |limit, unit| Failure::TooMuch { table: found.table.name, limit, unit };
        let (mut count, mut bytes) = (0, 0_u64);
        while let Some(row) = rows.next()? {
            count += 1;
            if count > self.limits.rows {
                return Err(too_much(self.limits.rows, "rows"));
            }
            let values = (0..columns.len()).map(|number| row.get_ref(number));
            let values = values.collect::<rusqlite::Result<Vec<_>>>()?;
            let texts: Vec<Option<Cow<'_, str>>> =
                values.iter().map(|value| text(*value)).collect();
            let length: usize = texts.iter().flatten().map(|text| text.len()).sum();
            bytes = bytes.saturating_add(length as u64);
            if bytes > self.limits.text_bytes {
                return Err(too_much(self.limits.text_bytes, "bytes of text"));
            }
            let cells = columns.iter().zip(&values).zip(&texts).map(|((column, value), text)| {
                let value = match (value, text) {
                    (_, Some(text)) => Value::Text(text),
                    (ValueRef::Integer(number), None) => Value::Integer(*number),
                    (ValueRef::Real(number), None) => Value::Real(*number),
                    _ => Value::Null,
                };
                (*column, value)
            });
            visit(&cells.collect::<Vec<_>>());
        }
        Ok(())
    }

    /// How long the values of a column are together, by the text in another column. The values
    /// themselves are not read.
    pub fn lengths(
        &self,
        table: &str,
        of: &str,
        by: &str,
    ) -> Result<HashMap<String, u64>, RowStoreError> {
        self.read_lengths(table, of, by).map_err(RowStoreError::of(&self.database))
    }

    fn read_lengths(
        &self,
        table: &str,
        of: &str,
        by: &str,
    ) -> Result<HashMap<String, u64>, Failure> {
        let mut lengths: HashMap<String, u64> = HashMap::new();
        let found = self.tables.iter().find(|found| found.table.name == table);
        let has = |found: &FoundTable| [of, by].iter().all(|name| found.columns.contains(name));
        if !found.is_some_and(has) {
            return Ok(lengths);
        }
        let longest = self.limits.value_bytes;
        // The names were found in the list of the app.
        let sql = format!(
            "SELECT CASE WHEN octet_length(\"{by}\") <= {longest} THEN \"{by}\" END, \
             octet_length(\"{of}\") FROM main.\"{table}\""
        );
        self.steps.restart();
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let length = row.get::<_, Option<i64>>(1)?.and_then(|length| length.try_into().ok());
            let (Some(key), Some(length)) = (text(row.get_ref(0)?), length) else { continue };
            match lengths.get_mut(&*key) {
                Some(sum) => *sum = sum.saturating_add(length),
                None => {
                    lengths.insert(key.into_owned(), length);
                }
            }
        }
        Ok(lengths)
    }

    /// The names of columns come from the list of the app, never from the database or a person.
    fn select(&self, table: &str, columns: &[&str], filter: Option<&str>) -> String {
        let longest = self.limits.value_bytes;
        // The length of a value is known without reading it.
        let bounded = |column: &&str| {
            format!("CASE WHEN octet_length(\"{column}\") <= {longest} THEN \"{column}\" END")
        };
        let values = columns.iter().map(bounded).collect::<Vec<_>>().join(", ");
        let filter = filter.map(|column| format!(" WHERE \"{column}\" = ?1")).unwrap_or_default();
        format!("SELECT {values} FROM main.{}{filter}", quoted(table))
    }
}

/// A name as SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The text of a value, also if it was stored as bytes.
fn text(value: ValueRef<'_>) -> Option<Cow<'_, str>> {
    match value {
        ValueRef::Text(bytes) => Some(String::from_utf8_lossy(bytes)),
        ValueRef::Blob(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        _ => None,
    }
}
