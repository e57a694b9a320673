//! SQL queries of the index, and what the library adds to them: which files are
//! visible, and the API calls with their costs.
//!
//! Calls come from the folds that the index has of each file, followed by those
//! that the ledger remembers, as `Usage::read` combines them from the files
//! themselves: the sums are the same.

use super::{Freshness, Indexed};
use crate::open::scan::ReadError;
use crate::usage::UsageFile;
use crate::usage::report::SYNTHETIC;
use crate::{Library, Search};
use index::{CallRow, FileCalls, IndexError, ShownFile, SqlRequest, SqlSink};
use std::cell::RefCell;
use std::time::Duration;
use store::progress::CancellationToken;
use usage::{Call, CostMode, FileNumber, Fold, Names, PackedFold, PicoUsd, Pricer, Prices};

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

impl Search<'_> {
    /// Answers a query from the index as it is, which is how the refresh left it.
    pub fn sql(
        self,
        refreshed: Freshness,
        query: &SqlQuery<'_>,
        sink: &mut dyn SqlSink,
    ) -> Result<Indexed<SqlAnswer>, IndexError> {
        // Paths are as they are in the index.
        self.library.note_names();
        let index = self.library.index()?;
        let shows_file = self.library.shows_indexed();
        let shows =
            |file: &ShownFile<'_>| shows_file(file.path, file.session, file.is_archive_only);
        let read_errors = RefCell::new(Vec::new());
        let calls =
            |files: Vec<FileCalls>| self.library.call_rows(files, &mut read_errors.borrow_mut());
        let request = SqlRequest {
            text: query.text,
            timeout: query.timeout,
            token: query.token.clone(),
            shows: &shows,
            // The file of another app instead of the path of the transcript made of it.
            shown_path: &|path| self.library.apps().file(path).map(|file| file.path),
            calls: &calls,
        };
        let is_answered = index.sql(&request, sink)?;
        let answer = SqlAnswer { is_answered, read_errors: read_errors.into_inner() };
        Ok(Indexed::new(answer, refreshed))
    }
}

impl Library {
    /// The API calls of files, and those that the ledger remembers.
    fn call_rows(&self, files: Vec<FileCalls>, read_errors: &mut Vec<ReadError>) -> Vec<CallRow> {
        let mut packed = Vec::new();
        for (number, file) in (0..).zip(&files) {
            let own = PackedFold::open_without_secrets(&file.used, number);
            if own.is_none() {
                let reason = "the index does not have its API calls".to_owned();
                read_errors.push(ReadError { path: file.path.clone(), reason });
            }
            packed.extend(own);
        }
        let mut fold = Fold::default();
        let remembered = self.ledger_usage(read_errors);
        remembered.note(&mut fold, files.len());
        let gone: Vec<UsageFile> = remembered.files().collect();
        let path = |number: usize| files.get(number).map(|file| file.path.as_path());
        let calls = self.calls_of(fold, packed, path);
        let source = CallSource { files, gone };
        let names = &calls.names;
        let known = Prices::embedded();
        let mut pricer = Pricer::new(&known, CostMode::Auto);
        let exclude = &self.options.exclude;
        let is_wanted = |call: &&Call| {
            names.get(call.model) != Some(SYNTHETIC)
                && (exclude.is_empty()
                    || !names.get(call.attribution.cwd).is_some_and(|cwd| exclude.is_match(cwd)))
        };
        let wanted = calls.calls.iter().filter(is_wanted);
        wanted.map(|call| source.row(call, names, pricer.cost(call, names).total)).collect()
    }
}

/// The files that calls are numbered by.
struct CallSource {
    files: Vec<FileCalls>,
    gone: Vec<UsageFile>,
}

impl CallSource {
    /// The session, sub-agent and its type, from the path of a file.
    fn place(&self, number: FileNumber) -> (Option<String>, Option<String>, Option<String>) {
        let Ok(number) = usize::try_from(number) else { return (None, None, None) };
        if let Some(file) = self.files.get(number) {
            return (file.session.clone(), file.agent.clone(), file.agent_type.clone());
        }
        let gone = number.checked_sub(self.files.len()).and_then(|number| self.gone.get(number));
        gone.map_or((None, None, None), |file| {
            (file.session_id.clone(), file.agent_id.clone(), file.agent_type.clone())
        })
    }

    fn row(&self, call: &Call, names: &Names, cost: Option<PicoUsd>) -> CallRow {
        let (session, agent, agent_type) = self.place(call.file);
        let name = |name| names.get(name).map(str::to_owned);
        CallRow {
            id: call.id.to_string(),
            session: session.or_else(|| name(call.attribution.session)),
            cwd: name(call.attribution.cwd),
            branch: name(call.attribution.branch),
            model: name(call.model),
            is_sidechain: call.is_sidechain || agent.is_some(),
            agent,
            agent_type: name(call.attribution.agent).or(agent_type),
            time: call.time,
            counters: call.counters,
            cost: cost.and_then(|cost| cost.decimal().parse().ok()),
        }
    }
}
