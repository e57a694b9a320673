//! The tables and columns that may be read.

use rusqlite::Connection;

use crate::row_store::failure::Failure;

/// A table of an app, with the columns that annals may read. Everything else in a database is
/// never read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The columns, in the order in which rows have them.
    pub columns: &'static [&'static str],
    /// The columns without which rows have no meaning.
    pub required: &'static [&'static str],
    /// The columns that every known version has, and without which an answer lacks something.
    pub usual: &'static [&'static str],
}

/// What annals knows of an app's database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema<'s> {
    /// The tables that are read.
    pub tables: &'s [Table],
    /// Tables that may be missing and that no answer shows: these columns of them tell what the
    /// other tables should have.
    pub logs: &'s [Table],
    /// Other tables of the app. Nothing of them is read.
    pub others: &'s [&'static str],
    /// The column that names the owner of a row, and the one with the row's time. Of tables that
    /// are not known, these may be read and whether there is a row, and nothing else, to notice
    /// that the app writes there now.
    pub keys: [&'static str; 2],
}

impl Schema<'_> {
    /// These tables, and no knowledge of others.
    pub fn of(tables: &[Table]) -> Schema<'_> {
        Schema { tables, logs: &[], others: &[], keys: [""; 2] }
    }
}

/// A table that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StrangeTable {
    pub(crate) name: String,
    /// The keys that it has: the owner, and perhaps the time. None, if it does not name the owner.
    pub(crate) keys: Vec<&'static str>,
}

/// How many names of other columns are remembered, and how many characters of each.
const UNREAD_NAMES: usize = 50;
const NAME_CHARACTERS: usize = 100;

/// A table of one database, compared with the list.
#[derive(Clone, Debug)]
pub(crate) struct FoundTable {
    pub(crate) table: Table,
    /// The columns of the list that the database has.
    pub(crate) columns: Vec<&'static str>,
    /// The usual columns that it does not have.
    pub(crate) missing: Vec<&'static str>,
    /// Names of columns that the list does not have.
    pub(crate) unread: Vec<String>,
}

/// Looks for the tables of an app.
pub(crate) fn find_tables(
    connection: &Connection,
    schema: Schema<'_>,
) -> Result<Vec<FoundTable>, Failure> {
    let count = "SELECT count(*) FROM sqlite_schema";
    if connection.query_row(count, [], |row| row.get::<_, i64>(0))? == 0 {
        return Err(Failure::Empty);
    }
    let mut found = Vec::new();
    let mut missing = None;
    for table in schema.tables {
        if is_ordinary_table(connection, table.name)? {
            found.push(find_columns(connection, *table)?);
        } else {
            missing = missing.or(Some(table.name));
        }
    }
    match missing {
        Some(name) if found.is_empty() => Err(Failure::Foreign(name.to_owned())),
        Some(name) => Err(Failure::UnknownSchema(format!("table `{name}`"))),
        None => {
            found.extend(find_logs(connection, schema.logs)?);
            Ok(found)
        }
    }
}

/// Looks for tables of which other columns are not missed.
fn find_logs(connection: &Connection, logs: &[Table]) -> Result<Vec<FoundTable>, Failure> {
    let mut found = Vec::new();
    for log in logs {
        if !is_ordinary_table(connection, log.name)? {
            continue;
        }
        match find_columns(connection, *log) {
            Ok(table) => found.push(FoundTable { unread: Vec::new(), ..table }),
            Err(Failure::UnknownSchema(_)) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(found)
}

/// How many tables that are not known and name owners are looked at, and how many others.
const STRANGE_TABLES: usize = 20;
const OTHER_TABLES: usize = 200;

/// Looks for tables that are not known and may have what an answer lacks.
pub(crate) fn find_strange_tables(
    connection: &Connection,
    schema: Schema<'_>,
) -> Result<Vec<StrangeTable>, Failure> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0
               AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name";
    let mut statement = connection.prepare(sql)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    let (mut strange, mut others) = (Vec::new(), Vec::new());
    for name in names {
        let name = name?;
        let read = schema.tables.iter().chain(schema.logs).map(|table| table.name);
        let mut known = read.chain(schema.others.iter().copied());
        if known.any(|known| known.eq_ignore_ascii_case(&name)) {
            continue;
        }
        let mut columns = Vec::new();
        connection.pragma(None, "table_xinfo", &name, |row| {
            // Generated columns are not stored, or not only: their expressions would run.
            if row.get::<_, i64>("hidden")? == 0 {
                columns.push(row.get::<_, String>("name")?);
            }
            Ok(())
        })?;
        let keys = schema.keys.into_iter();
        let keys = keys.filter(|key| columns.iter().any(|name| name.eq_ignore_ascii_case(key)));
        let keys: Vec<&'static str> = keys.collect();
        if keys.first() != Some(&schema.keys[0]) {
            others.push(StrangeTable { name, keys: Vec::new() });
        } else if strange.len() < STRANGE_TABLES {
            strange.push(StrangeTable { name, keys });
        }
    }
    strange.extend(others.into_iter().take(OTHER_TABLES));
    Ok(strange)
}

/// Whether a name belongs to a table whose rows are in the file: not to a view, and not to a
/// virtual table, whose module would run.
fn is_ordinary_table(connection: &Connection, name: &str) -> Result<bool, Failure> {
    let sql = "SELECT type = 'table' AND rootpage > 0 FROM sqlite_schema
               WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')";
    let mut statement = connection.prepare(sql)?;
    let kinds = statement.query_map([name], |row| row.get::<_, Option<bool>>(0))?;
    let kinds = kinds.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(kinds == [Some(true)])
}

fn find_columns(connection: &Connection, table: Table) -> Result<FoundTable, Failure> {
    let mut names: Vec<String> = Vec::new();
    let mut unread = Vec::new();
    let is_listed =
        |name: &str| table.columns.iter().any(|column| column.eq_ignore_ascii_case(name));
    connection.pragma(None, "table_xinfo", table.name, |row| {
        let name = row.get_ref("name")?;
        let name = String::from_utf8_lossy(name.as_bytes().unwrap_or_default()).into_owned();
        // Generated columns are not stored, or not only: their expressions would run.
        let is_stored = row.get::<_, i64>("hidden")? == 0;
        if is_stored && is_listed(&name) {
            names.push(name);
        } else if unread.len() < UNREAD_NAMES {
            unread.push(name.chars().take(NAME_CHARACTERS).collect());
        }
        Ok(())
    })?;
    let has = |column: &str| names.iter().any(|name| name.eq_ignore_ascii_case(column));
    if let Some(column) = table.required.iter().find(|column| !has(column)) {
        return Err(Failure::UnknownSchema(format!("column `{}.{column}`", table.name)));
    }
    let columns = table.columns.iter().copied().filter(|column| has(column)).collect();
    let missing = table.usual.iter().copied().filter(|column| !has(column)).collect();
    Ok(FoundTable { table, columns, missing, unread })
}
