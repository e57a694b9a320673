//! API calls as rows of a query, with their costs.
//!
//! They come from the folds that the index has of each file, followed by those
//! that the ledger remembers, as `Usage::read` combines them from the files
//! themselves: the sums are the same.

use crate::lines::ReadError;
use crate::memory::CallRows;
use crate::usage::{Usage, UsageFile};
use crate::window_limit::SYNTHETIC;
use ::usage::{Call, CostMode, FileNumber, Fold, Names, PackedFold, PicoUsd, Pricer, Prices};
use index::{CallRow, FileCalls};

impl CallRows for Usage {
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
        let exclude = &self.stores.options.exclude;
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
