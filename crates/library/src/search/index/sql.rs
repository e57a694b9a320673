//! SQL queries of the index, and what the search adds to them: which files are
//! visible, and the API calls with their costs.
//!
//! Calls come from the folds that the index has of each file, followed by those
//! that the ledger remembers, as `Usage::read` combines them from the files
//! themselves: the sums are the same.

use crate::lines::ReadError;
use crate::memory::CallRows;
use crate::search::Search;
use crate::search::index::freshness::{Freshness, Indexed};
use index::{FileCalls, IndexError, ShownFile, SqlRequest, SqlSink};
use std::cell::RefCell;
use std::time::Duration;
use store::progress::CancellationToken;

/// The options of a query.
#[derive(Clone, Debug)]
pub struct SqlQuery<'q> {
    /// One statement.
    pub text: &'q str,
    /// The time limit.
    pub timeout: Duration,
    /// Ends the query when nobody waits for it any more.
    pub token: CancellationToken,
}

/// The outcome of a query.
#[derive(Clone, Debug, Default)]
pub struct SqlAnswer {
    /// Whether there was an index to query.
    pub is_answered: bool,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
}

impl Search {
    /// Answers a query from the index as it is, which is how the refresh left it.
    pub fn sql(
        &self,
        refreshed: Freshness,
        query: &SqlQuery<'_>,
        calls: &dyn CallRows,
        sink: &mut dyn SqlSink,
    ) -> Result<Indexed<SqlAnswer>, IndexError> {
        // Paths are as they are in the index.
        self.catalog.note_names();
        let index = self.memory.index()?;
        let shows_file = self.memory.shows_indexed();
        let shows =
            |file: &ShownFile<'_>| shows_file(file.path, file.session, file.is_archive_only);
        let read_errors = RefCell::new(Vec::new());
        let calls = |files: Vec<FileCalls>| calls.call_rows(files, &mut read_errors.borrow_mut());
        let request = SqlRequest {
            text: query.text,
            timeout: query.timeout,
            token: query.token.clone(),
            shows: &shows,
            // The file of another app instead of the path of the transcript made of it.
            shown_path: &|path| self.stores.apps().file(path).map(|file| file.path),
            calls: &calls,
        };
        let is_answered = index.sql(&request, sink)?;
        let answer = SqlAnswer { is_answered, read_errors: read_errors.into_inner() };
        Ok(Indexed::new(answer, refreshed))
    }
}
