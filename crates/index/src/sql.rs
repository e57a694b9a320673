//! A person's query: read-only, of the public views alone, within limits of
//! time and memory.
//!
//! The query runs on a connection of its own, which cannot write the file. Views
//! and what stands behind them are temporary, in memory: they show the files of
//! whoever asks, and are gone with the answer. API calls are put together only
//! for a query that asks for them.
//!
//! Deliberately not here: what a query may do (`permission.rs`), what views
//! there are (`views.rs`), and what API calls cost (the library says).

use crate::Index;
use crate::failure::IndexError;
use crate::permission::Permission;
use crate::views::{self, Behind};
use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, params};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// No value is longer.
pub(crate) const LONGEST_VALUE: i32 = 1 << 20;

/// No query is longer.
const LONGEST_QUERY: usize = 100_000;

/// SQLite takes no more memory.
const MEMORY: i64 = 512 << 20;

/// Steps of SQLite between two looks at the clock. Few: a step can be a search in
/// a long text.
const STEPS: i32 = 100;

/// What is asked.
pub struct SqlQuestion<'q> {
    /// One statement.
    pub text: &'q str,
    /// How long it may take.
    pub timeout: Duration,
    /// Whether a file is shown.
    pub shows: &'q dyn Fn(&ShownFile<'_>) -> bool,
    /// Puts together the API calls of files, which come in the order of their
    /// paths; asked only for a query that wants them.
    pub calls: &'q dyn Fn(Vec<UsedFile>) -> Vec<CallRow>,
}

/// A file that may be shown.
#[derive(Clone, Copy, Debug)]
pub struct ShownFile<'f> {
    /// Where it is, or was.
    pub path: &'f Path,
    /// The session it belongs to.
    pub session: Option<&'f str>,
    /// Whether it is gone from disk and only kept.
    pub is_kept: bool,
}

/// What a file used.
#[derive(Clone, Debug)]
pub struct UsedFile {
    /// Where it is, or was.
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
    /// When it began.
    pub time: Option<jiff::Timestamp>,
    /// What it used.
    pub counters: usage::Counters,
    /// What it costs, in US dollars.
    pub cost: Option<f64>,
    /// Whether a sub-agent made it.
    pub is_sidechain: bool,
}

/// A value of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValue {
    /// None.
    Null,
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Real(f64),
    /// Text; what of it is not UTF-8 is replaced.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// What an answer is told to.
pub trait AnswerSink {
    /// The names of the columns, before any row.
    fn columns(&mut self, names: &[String]);

    /// A row; `false` for no more.
    fn row(&mut self, values: Vec<SqlValue>) -> bool;
}

impl Index {
    /// Answers a query; `false` if there is no index to ask.
    pub fn sql(
        &self,
        query: &SqlQuestion<'_>,
        sink: &mut dyn AnswerSink,
    ) -> Result<bool, IndexError> {
        let text = query.text;
        if text.contains('\0') {
            return Err(IndexError::Query("the query has a character of number 0 in it".into()));
        }
        if text.len() > LONGEST_QUERY {
            let told = format!("the query is longer than {LONGEST_QUERY} bytes");
            return Err(IndexError::Query(told));
        }
        let Some(mut connection) = self.place.open_to_read()? else { return Ok(false) };
        let behind = Behind::new()?;
        prepare(&connection, query, &behind)?;
        let permission = Permission::new(&connection, behind.clone())?;
        let seconds = query.timeout.as_secs();
        let lengths = guard(&mut connection, &permission, query.timeout)?;
        check(&connection, text).map_err(|error| failure(error, text, seconds))?;
        if permission.wants_calls() {
            // What this process does itself is not the query's.
            connection.authorizer(None::<fn(AuthContext<'_>) -> Authorization>)?;
            connection.progress_handler(0, None::<fn() -> bool>)?;
            connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, lengths)?;
            fill_calls(&connection, query, &behind)?;
            guard(&mut connection, &permission, query.timeout)?;
        }
        answer(&connection, text, sink).map_err(|error| failure(error, text, seconds))?;
        Ok(true)
    }
}

/// Makes the views and says which files they show.
fn prepare(
    connection: &Connection,
    query: &SqlQuestion<'_>,
    behind: &Behind,
) -> Result<(), IndexError> {
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // Of the whole process: what else SQLite does in it needs less.
    connection.query_row(&format!("PRAGMA hard_heap_limit = {MEMORY}"), [], |_| Ok(()))?;
    // One state of the file, from here to the answer's end.
    connection.execute_batch("BEGIN")?;
    views::make(connection, behind)?;
    let mut statement =
        connection.prepare("SELECT id, path, session, is_kept, kind FROM main.file")?;
    let mut rows = statement.query([])?;
    let mut shown: Vec<(i64, Option<String>, bool)> = Vec::new();
    let mut mains = HashSet::new();
    while let Some(row) = rows.next()? {
        let path: Vec<u8> = row.get(1)?;
        let session: Option<String> = row.get(2)?;
        let file = ShownFile {
            path: Path::new(OsStr::from_bytes(&path)),
            session: session.as_deref(),
            is_kept: row.get(3)?,
        };
        if !(query.shows)(&file) {
            continue;
        }
        let kind: String = row.get(4)?;
        if kind == "main" {
            mains.extend(session.clone());
        }
        shown.push((row.get(0)?, session, kind == "copy"));
    }
    let mut insert =
        connection.prepare(&format!("INSERT INTO temp.{} VALUES (?, ?)", behind.shown()))?;
    for (id, session, is_copy) in shown {
        let is_double = is_copy && session.is_some_and(|session| mains.contains(&session));
        insert.execute(params![id, is_double])?;
    }
    Ok(())
}

/// Fills the view of API calls.
fn fill_calls(
    connection: &Connection,
    query: &SqlQuestion<'_>,
    behind: &Behind,
) -> Result<(), IndexError> {
    let mut statement = connection.prepare(&format!(
        "SELECT path, session, agent, agent_type, fold FROM temp.{} AS shown
         JOIN main.file AS file ON file.id = shown.id
         JOIN main.used AS used ON used.file = file.id",
        behind.shown()
    ))?;
    let mut files = statement
        .query_map([], |row| {
            let path: Vec<u8> = row.get(0)?;
            Ok(UsedFile {
                path: PathBuf::from(OsStr::from_bytes(&path)),
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
        behind.call()
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

/// Whether a query can be asked: one statement that reads.
fn check(connection: &Connection, text: &str) -> Result<(), Wrong> {
    let statement = connection.prepare(text)?;
    if statement.column_count() == 0 {
        return Err(Wrong::Other("there is no SELECT in the query"));
    }
    if statement.is_explain() != 0 || !statement.readonly() {
        return Err(Wrong::Other("only SELECT can be asked"));
    }
    if statement.parameter_count() > 0 {
        return Err(Wrong::Other(
            "a query has no parameters: there is nothing to put in their place",
        ));
    }
    Ok(())
}

/// Bounds what a query can do and take; answers how long values could be before.
fn guard(
    connection: &mut Connection,
    permission: &Permission,
    timeout: Duration,
) -> Result<i32, IndexError> {
    let deadline = Instant::now().checked_add(timeout);
    let is_over = move || deadline.is_some_and(|deadline| Instant::now() > deadline);
    connection.progress_handler(STEPS, Some(is_over))?;
    permission.guard(connection)?;
    for (what, most) in [
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(what, most)?;
    }
    Ok(connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?)
}

fn answer(connection: &Connection, text: &str, sink: &mut dyn AnswerSink) -> Result<(), Wrong> {
    let mut statement = connection.prepare(text)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    sink.columns(&names);
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        let mut values = Vec::with_capacity(names.len());
        for column in 0..names.len() {
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

/// What is wrong with a query.
enum Wrong {
    Sqlite(rusqlite::Error),
    Other(&'static str),
}

impl From<rusqlite::Error> for Wrong {
    fn from(error: rusqlite::Error) -> Wrong {
        Wrong::Sqlite(error)
    }
}

/// A query's failure: its own, or the index's.
fn failure(wrong: Wrong, text: &str, seconds: u64) -> IndexError {
    let error = match wrong {
        Wrong::Sqlite(error) => error,
        Wrong::Other(told) => return IndexError::Query(told.to_owned()),
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
            let told = format!("it takes more memory than {} MB", MEMORY >> 20);
            return IndexError::Query(told);
        }
        _ => {}
    }
    let is_denied = error.sqlite_error_code() == Some(ErrorCode::AuthorizationForStatementDenied);
    let told = match error {
        rusqlite::Error::MultipleStatement => "one statement at a time".to_owned(),
        rusqlite::Error::SqlInputError { msg, offset, .. } => match place(text, offset) {
            Some(place) => format!("{msg} (at character {place})"),
            None => msg,
        },
        rusqlite::Error::SqliteFailure(_, Some(told)) => told,
        other => other.to_string(),
    };
    let why = if is_denied { ": the public views can be read, and nothing else done" } else { "" };
    IndexError::Query(told + why)
}

/// Which character of a text begins at an offset.
fn place(text: &str, offset: i32) -> Option<usize> {
    let before = text.get(..usize::try_from(offset).ok()?)?;
    Some(before.chars().count() + 1)
}
