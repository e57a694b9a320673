//! The stores as a whole: doctor, secrets, the archive, and SQL over the index.
//!
//! These see every session, so a server that was started with a filter has none of them.

use super::actions::archive_failure;
use super::index_options;
use super::overview::index_failure;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use axum::http::StatusCode;
use document::answers::unique_columns;
use document::{
    DoctorDocument, SecretDocument, SecretsDocument, SqlDocument, SqlSchemaDocument, answers,
};
use library::archive::ArchiveError;
use library::progress::{Limits, Progress as _};
use library::search::{SqlQuery, SqlSink, SqlValue, VIEWS, VIEWS_VERSION};
use redact::{Level, Redactor};
use std::sync::Arc;

/// The most rows of an answer, and the most bytes of their texts.
const MOST_ROWS: usize = 5_000;
const MOST_BYTES: usize = 8 << 20;

/// Problems of the stores.
pub(super) fn doctor(call: &Call<'_>) -> Result<Answer, Failure> {
    check_unfiltered(call)?;
    let diagnosis = call.library.health().diagnose(call.now, call.limits);
    let archive = call.library.archive().report(call.app.settings.max_age, call.now);
    let unusable = call.library.health().unusable_roots();
    call.document(&DoctorDocument::new(
        call.library.catalog().roots(),
        unusable,
        &diagnosis,
        &archive,
    ))
}

/// Where secrets are; the secrets themselves are not in the answer.
pub(super) fn secrets(call: &Call<'_>) -> Result<Answer, Failure> {
    check_unfiltered(call)?;
    let list = call.library.catalog().all_sessions();
    call.note(list.read_errors);
    let sessions: Vec<_> = list.sessions.into_iter().filter(|it| it.path.is_some()).collect();
    let searched = sessions.len();
    // With --reveal, titles and paths are still masked here.
    let redactor = match &call.app.settings.redactor {
        Some(redactor) => Arc::clone(redactor),
        None => Arc::new(Redactor::new(Level::Standard, [0; 32])),
    };
    let found = call.noting(call.library.health().secrets(sessions, &redactor, call.limits));
    let rows: Vec<SecretDocument> = found.iter().flat_map(SecretDocument::of).collect();
    call.document(&SecretsDocument::new(searched, rows))
}

/// What the archive holds.
pub(super) fn archive(call: &Call<'_>) -> Result<Answer, Failure> {
    check_unfiltered(call)?;
    let max_age = call.app.settings.max_age;
    let only_deleted = call.flag("deleted")?;
    let archive = answers::archive_list(&call.library, only_deleted, max_age, call.now);
    let document = match archive {
        Ok(answer) => call.noting(answer),
        Err(ArchiveError::Nothing) => answers::empty_archive(&call.library, max_age, call.now),
        Err(error) => return Err(archive_failure(&error)),
    };
    call.document(&document)
}

/// The views that queries can use.
pub(super) fn schema(call: &Call<'_>) -> Result<Answer, Failure> {
    call.document(&SqlSchemaDocument::new(VIEWS_VERSION, VIEWS))
}

/// The result of a query, which can only read.
pub(super) fn sql(call: &Call<'_>) -> Result<Answer, Failure> {
    check_unfiltered(call)?;
    let text = call.required("q")?;
    let limit = call.limit(MOST_ROWS, MOST_ROWS)?;
    let search = call.library.search();
    let fresh = search.refresh_index_within(index_options(), call.limits);
    let fresh = fresh.map_err(|error| index_failure(&error))?;
    let mut rows =
        Rows { limit, limits: call.limits, columns: Vec::new(), rows: Vec::new(), bytes: 0 };
    let query = SqlQuery { text, timeout: call.app.times.work, token: call.limits.token() };
    let answer = search.sql(fresh, &query, call.library.usage(), &mut rows);
    let (answer, fresh) = answer.map_err(|error| index_failure(&error))?.into_parts();
    if !answer.is_answered {
        return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "there is no index yet")
            .with_retry_after(5));
    }
    if rows.bytes > MOST_BYTES {
        let text = "the result is larger than 8 MB";
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, text).with_hint("add LIMIT"));
    }
    call.document(&SqlDocument::new(&rows.columns, &rows.rows, &fresh))
}

pub(super) fn check_unfiltered(call: &Call<'_>) -> Result<(), Failure> {
    if call.app.settings.filter.is_empty() {
        return Ok(());
    }
    let text = "a server that was started with filters does not show all sessions";
    Err(Failure::new(StatusCode::CONFLICT, text).with_hint("start annals web without filters"))
}

/// The rows of a result.
struct Rows<'l> {
    limit: usize,
    limits: &'l Limits,
    columns: Vec<String>,
    rows: Vec<Vec<SqlValue>>,
    bytes: usize,
}

impl SqlSink for Rows<'_> {
    fn columns(&mut self, names: &[String]) {
        self.columns = unique_columns(names);
    }

    fn row(&mut self, values: Vec<SqlValue>) -> bool {
        if self.rows.len() >= self.limit || self.bytes > MOST_BYTES || self.limits.is_cancelled() {
            return false;
        }
        let bytes = values.iter().map(|value| match value {
            SqlValue::Text(text) => text.len() + 16,
            SqlValue::Blob(bytes) => 2 * bytes.len() + 16,
            _ => 16,
        });
        self.bytes += bytes.sum::<usize>();
        self.rows.push(values);
        true
    }
}
