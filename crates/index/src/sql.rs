//! Runs a user's SQL query: read-only, on the public views only, with limits on
//! time and memory.
//!
//! Each query runs on a separate connection that cannot write the file. The views
//! and the hidden tables behind them are temporary and in memory: they show only the files
//! that the caller selected, and disappear with the connection. API calls are
//! collected only for a query that reads them.
//!
//! Deliberately not here: which operations a query may use (`permission.rs`), the
//! views (`views.rs`), and the cost of API calls (the library computes it).

use crate::failure::IndexError;
use crate::page_check::PageCheck;
use crate::path_bytes::path_of_row;
use crate::permission::Permission;
use crate::text::without_placeholders;
use crate::views::HiddenNames;
use crate::{Index, views};
use redact::{Level, Redactor};
use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, params};
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::progress::CancellationToken;

/// The longest value a query may read or compute, in bytes.
pub(crate) const LONGEST_VALUE: i32 = 1 << 20;

/// The longest query, in bytes.
const LONGEST_QUERY: usize = 100_000;

/// The most memory that a query may use, its result included, in bytes.
const MEMORY: i64 = 512 << 20;

/// The part of it that SQLite may use. A row is copied several times on its way out, and a
/// result that is not streamed is held, so the other part is for these.
const SQLITE_MEMORY: i64 = 320 << 20;

/// The longest row, in bytes. SQLite holds a value once that many columns show, and a row
/// holds it for each of them.
const LONGEST_ROW: usize = 8 << 20;

/// SQLite steps between two checks of the clock. Few, because one step can search a
/// long text.
const STEPS: i32 = 100;

/// A query and its limits.
pub struct SqlRequest<'q> {
    /// One SQL statement.
    pub text: &'q str,
    /// The time limit.
    pub timeout: Duration,
    /// Ends the query when nobody waits for it any more.
    pub token: CancellationToken,
    /// Whether a file is visible to the query.
    pub shows: &'q dyn Fn(&ShownFile<'_>) -> bool,
    /// The path under which a file is shown, if that is not its own.
    pub shown_path: &'q dyn Fn(&Path) -> Option<PathBuf>,
    /// Collects the API calls of files, given in path order; called only for a
    /// query that reads them.
    pub calls: &'q dyn Fn(Vec<FileCalls>) -> Vec<CallRow>,
}

/// A file that may be visible to a query.
#[derive(Clone, Copy, Debug)]
pub struct ShownFile<'f> {
    /// Its path; the file may no longer exist.
    pub path: &'f Path,
    /// The session it belongs to.
    pub session: Option<&'f str>,
    /// Whether it is only in the archive, no longer on disk.
    pub is_archive_only: bool,
}

/// The API calls of a file.
#[derive(Clone, Debug)]
pub struct FileCalls {
    /// Its path; the file may no longer exist.
    pub path: PathBuf,
    /// The session it belongs to.
    pub session: Option<String>,
    /// The sub-agent it belongs to.
    pub agent: Option<String>,
    /// That agent's type.
    pub agent_type: Option<String>,
    /// The fold of its API calls, packed.
    pub used: Vec<u8>,
}

/// A row of the view of API calls.
#[derive(Clone, Debug, Default)]
pub struct CallRow {
    /// The API response's id.
    pub id: String,
    /// The session it belongs to.
    pub session: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The sub-agent that made it.
    pub agent: Option<String>,
    /// That agent's type.
    pub agent_type: Option<String>,
    /// When it started.
    pub time: Option<jiff::Timestamp>,
    /// Its token counts.
    pub counters: usage::Counters,
    /// Its cost in US dollars.
    pub cost: Option<f64>,
    /// Whether a sub-agent made it.
    pub is_sidechain: bool,
}

/// A value of a result row.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValue {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Real(f64),
    /// Text; invalid UTF-8 is replaced.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// Receives the result of a query.
pub trait SqlSink {
    /// Receives the column names, before any row.
    fn columns(&mut self, names: &[String]);

    /// Receives a row; returns `false` to stop.
    fn row(&mut self, values: Vec<SqlValue>) -> bool;
}

impl Index {
    /// Runs a query; `false` if there is no index.
    pub fn sql(&self, query: &SqlRequest<'_>, sink: &mut dyn SqlSink) -> Result<bool, IndexError> {
        let text = query.text;
        if text.contains('\0') {
            return Err(IndexError::Query("the query contains a NUL character".into()));
        }
        if text.len() > LONGEST_QUERY {
            let message = format!("the query is longer than {LONGEST_QUERY} bytes");
            return Err(IndexError::Query(message));
        }
        let Some(mut connection) = self.folder.open_to_read()? else { return Ok(false) };
        let hidden = HiddenNames::new()?;
        // A query can read anything.
        if let Some(pages) = PageCheck::open(&self.folder, &connection)? {
            pages.everything()?;
        }
        prepare(&connection, query, &hidden)?;
        let permission = Permission::new(&connection, hidden.clone())?;
        let seconds = query.timeout.as_secs();
        let lengths = guard(&mut connection, &permission, query)?;
        check(&connection, text).map_err(|error| index_error(error, text, seconds))?;
        if permission.wants_calls() {
            // Time, permissions and the length of values limit the query, not annals' own
            // statements; the memory limit stays, and the time begins again afterwards.
            connection.authorizer(None::<fn(AuthContext<'_>) -> Authorization>)?;
            connection.progress_handler(0, None::<fn() -> bool>)?;
            connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, lengths)?;
            fill_calls(&connection, query, &hidden)?;
            guard(&mut connection, &permission, query)?;
        }
        answer(&connection, text, sink).map_err(|error| index_error(error, text, seconds))?;
        Ok(true)
    }
}

/// Creates the views and fills the table of visible files.
fn prepare(
    connection: &Connection,
    query: &SqlRequest<'_>,
    hidden: &HiddenNames,
) -> Result<(), IndexError> {
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // This limits the whole process; everything else it does with SQLite needs less.
    connection.query_row(&format!("PRAGMA hard_heap_limit = {SQLITE_MEMORY}"), [], |_| Ok(()))?;
    // One consistent state of the file until the query ends.
    if connection.is_autocommit() {
        connection.execute_batch("BEGIN")?;
    }
    views::create(connection, hidden)?;
    let mut statement =
        connection.prepare("SELECT id, path, session, is_kept, kind FROM main.file")?;
    let mut rows = statement.query([])?;
    let redactor = Redactor::new(Level::Standard, [0; 32]);
    let mut shown: Vec<(i64, Option<String>, bool, Option<String>)> = Vec::new();
    let mut mains = HashSet::new();
    while let Some(row) = rows.next()? {
        let path = path_of_row(row, 1)?;
        let session: Option<String> = row.get(2)?;
        let file =
            ShownFile { path: &path, session: session.as_deref(), is_archive_only: row.get(3)? };
        if !(query.shows)(&file) {
            continue;
        }
        let kind: String = row.get(4)?;
        if kind == "main" {
            mains.extend(session.clone());
        }
        let shown_path = (query.shown_path)(file.path);
        let text = shown_path.as_deref().unwrap_or(file.path).to_string_lossy();
        // The stored form of a path that is not text is not for people.
        let is_other = shown_path.is_some() || matches!(text, Cow::Owned(_));
        let other = match redactor.mask(&text) {
            Cow::Borrowed(_) if is_other => Some(text.into_owned()),
            Cow::Borrowed(_) => None,
            Cow::Owned(masked) => Some(without_placeholders(&masked)),
        };
        shown.push((row.get(0)?, session, kind == "copy", other));
    }
    let mut insert =
        connection.prepare(&format!("INSERT INTO temp.{} VALUES (?, ?, ?)", hidden.shown()))?;
    for (id, session, is_copy, path) in shown {
        let is_double = is_copy && session.is_some_and(|session| mains.contains(&session));
        insert.execute(params![id, is_double, path])?;
    }
    Ok(())
}

/// Fills the table of API calls.
fn fill_calls(
    connection: &Connection,
    query: &SqlRequest<'_>,
    hidden: &HiddenNames,
) -> Result<(), IndexError> {
    let mut statement = connection.prepare(&format!(
        "SELECT file.path, session, agent, agent_type, fold FROM temp.{} AS shown
         JOIN main.file AS file ON file.id = shown.id
         JOIN main.used AS used ON used.file = file.id",
        hidden.shown()
    ))?;
    let mut files = statement
        .query_map([], |row| {
            Ok(FileCalls {
                path: path_of_row(row, 0)?.into_owned(),
                session: row.get(1)?,
                agent: row.get(2)?,
                agent_type: row.get(3)?,
                used: row.get(4)?,
            })
        })?
        .collect::<Result<Vec<_>, _>>()?;
    files.sort_by(|one, two| one.path.cmp(&two.path));
    let mut insert = connection.prepare(&format!(
        "INSERT INTO temp.{} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        hidden.call()
    ))?;
    let longest = usize::try_from(LONGEST_VALUE).unwrap_or_default();
    for call in (query.calls)(files) {
        let counters = &call.counters;
        let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let text = |text: Option<String>| text.filter(|text| text.len() <= longest);
        insert.execute(params![
            text(Some(call.id)).unwrap_or_default(),
            text(call.session),
            text(call.cwd),
            text(call.branch),
            text(call.model),
            text(call.agent),
            text(call.agent_type),
            call.time.map(jiff::Timestamp::as_millisecond),
            count(counters.input),
            count(counters.output),
            count(counters.thinking),
            count(counters.write_5m),
            count(counters.write_1h),
            count(counters.read),
            count(counters.web_searches),
            call.cost,
            call.is_sidechain,
        ])?;
    }
    Ok(())
}

/// Checks that the query is one read-only statement.
fn check(connection: &Connection, text: &str) -> Result<(), QueryError> {
    let statement = connection.prepare(text)?;
    if statement.column_count() == 0 {
        return Err(QueryError::Other("the query contains no SELECT statement"));
    }
    if statement.is_explain() != 0 || !statement.readonly() {
        return Err(QueryError::Other("only SELECT statements are allowed"));
    }
    if statement.parameter_count() > 0 {
        return Err(QueryError::Other(
            "query parameters (? or :name) are not supported: write the values into the query",
        ));
    }
    Ok(())
}

/// Sets the limits of a query; returns the previous limit on the length of values.
fn guard(
    connection: &mut Connection,
    permission: &Permission,
    query: &SqlRequest<'_>,
) -> Result<i32, IndexError> {
    let deadline = Instant::now().checked_add(query.timeout);
    let token = query.token.clone();
    let is_over =
        move || token.is_cancelled() || deadline.is_some_and(|deadline| Instant::now() > deadline);
    connection.progress_handler(STEPS, Some(is_over))?;
    permission.guard(connection)?;
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, most)?;
    }
    Ok(connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?)
}

fn answer(connection: &Connection, text: &str, sink: &mut dyn SqlSink) -> Result<(), QueryError> {
    let mut statement = connection.prepare(text)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    sink.columns(&names);
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        let mut values = Vec::with_capacity(names.len());
        let mut length = 0;
        for column in 0..names.len() {
            length += match row.get_ref(column)? {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
                _ => 0,
            };
            if length > LONGEST_ROW {
                return Err(QueryError::Other("a row of the result is longer than 8 MB"));
            }
            values.push(match row.get_ref(column)? {
                ValueRef::Null => SqlValue::Null,
                ValueRef::Integer(number) => SqlValue::Integer(number),
                ValueRef::Real(number) => SqlValue::Real(number),
                ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
                ValueRef::Blob(bytes) => SqlValue::Blob(bytes.to_vec()),
            });
        }
        if !sink.row(values) {
            break;
        }
    }
    Ok(())
}

/// Why a query was refused or failed.
enum QueryError {
    Sqlite(rusqlite::Error),
    Other(&'static str),
}

impl From<rusqlite::Error> for QueryError {
    fn from(error: rusqlite::Error) -> QueryError {
        QueryError::Sqlite(error)
    }
}

/// The error to report: a mistake in the query, or a failure of the index.
fn index_error(error: QueryError, text: &str, seconds: u64) -> IndexError {
    let error = match error {
        QueryError::Sqlite(error) => error,
        QueryError::Other(message) => return IndexError::Query(message.to_owned()),
    };
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => return IndexError::TimedOut(seconds),
        Some(
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::SystemIoFailure,
        ) => return error.into(),
        Some(ErrorCode::OutOfMemory) => {
            let message =
                format!("the query needs more memory than the limit of {} MB", MEMORY >> 20);
            return IndexError::Query(message);
        }
        _ => {}
    }
    let is_denied = error.sqlite_error_code() == Some(ErrorCode::AuthorizationForStatementDenied);
    let message = match error {
        rusqlite::Error::MultipleStatement => "only one statement is allowed".to_owned(),
        rusqlite::Error::SqlInputError { msg, offset, .. } => match character_at(text, offset) {
            Some(character) => format!("{msg} (at character {character})"),
            None => msg,
        },
        rusqlite::Error::SqliteFailure(_, Some(message)) => message,
        other => other.to_string(),
    };
    let reason = if is_denied { ": a query can only read the public views" } else { "" };
    IndexError::Query(message + reason)
}

/// The number of the character at a byte offset, counted from 1.
fn character_at(text: &str, offset: i32) -> Option<usize> {
    let before = text.get(..usize::try_from(offset).ok()?)?;
    Some(before.chars().count() + 1)
}
