//! The sessions of a folder of OpenCode as annals reads them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ::apps::opencode::{Reader, Row, StorageFile, Table, Value, document_of_rows, is_database};
use ::apps::{JsonText, Session, read_whole};
use anyhow::{Context as _, Result};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::apps::files_below;

/// A session with its document.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) document: Vec<u8>,
    pub(super) session: Session,
}

impl Stored {
    fn new(rows: Vec<Row>) -> Stored {
        let document = document_of_rows(rows);
        Stored { session: read_whole::<Reader>(&document), document }
    }
}

/// The sessions of a database, read from a copy of it and of its WAL.
pub(super) fn read_database(data: &Path, copy: &Path) -> Result<Vec<Stored>> {
    for (name, path) in files_below(data)? {
        if is_database(name.strip_suffix("-wal").unwrap_or(&name)) {
            fs::copy(&path, copy.join(&name))
                .with_context(|| format!("cannot copy {}", path.display()))?;
        }
    }
    let database = Connection::open(copy.join("opencode.db")).context("cannot open the copy")?;
    let mut ids = database.prepare("SELECT id FROM session ORDER BY id")?;
    let ids: Vec<String> =
        ids.query_map([], |row| row.get(0))?.collect::<Result<_, rusqlite::Error>>()?;
    ids.iter().map(|id| read_session(&database, id)).collect()
}

fn read_session(database: &Connection, id: &str) -> Result<Stored> {
    let mut rows = Vec::new();
    for (table, column) in
        [(Table::Session, "id"), (Table::Message, "session_id"), (Table::Part, "session_id")]
    {
        let query = format!("SELECT * FROM {} WHERE {column} = ?1", table.name());
        let mut statement = database.prepare(&query)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut found = statement.query([id])?;
        while let Some(row) = found.next()? {
            let mut columns = Vec::new();
            for (at, name) in names.iter().enumerate() {
                let value = match row.get_ref(at)? {
                    ValueRef::Null | ValueRef::Blob(_) => Value::Null,
                    ValueRef::Integer(number) => Value::Integer(number),
                    ValueRef::Real(number) => Value::Real(number),
                    ValueRef::Text(text) => Value::Text(std::str::from_utf8(text)?),
                };
                columns.push((name.as_str(), value));
            }
            rows.push(Row::from_columns(table, &columns));
        }
    }
    Ok(Stored::new(rows))
}

/// The sessions of an older tree.
pub(super) fn read_tree(data: &Path) -> Result<Vec<Stored>> {
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for (name, path) in files_below(data)? {
        let Some(file) = StorageFile::parse(&name) else { continue };
        let bytes = fs::read(&path)?;
        let text = String::from_utf8_lossy(&bytes);
        let session = JsonText::parse(&text).and_then(|object| object.string("sessionID"));
        let session = session.unwrap_or_else(|| file.id.to_owned());
        rows.entry(session).or_default().extend(Row::from_file(file, &bytes));
    }
    Ok(rows.into_values().map(Stored::new).collect())
}
