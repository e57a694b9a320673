//! What the ledger remembers of usage: the calls of deleted transcripts, and
//! rate limits.
//!
//! Each remembered transcript is folded like a file that comes after all
//! existing ones: calls that both have are counted once, for the existing
//! transcript.

use crate::lines::ReadError;
use crate::usage::{FoundLine, Usage, UsageFile};
use archive::{Ledger, LedgerCalls, RateLimit};
use index::Digest;
use std::path::PathBuf;
use store::RootOrigin;
use transcript::{Line, LineEnd};
use usage::{CallLine, FileNumber, Fold, UsageLine, read_line};

/// What the ledger remembers of usage.
#[derive(Debug, Default)]
pub(crate) struct LedgerUsage {
    path: PathBuf,
    calls: Vec<LedgerCalls>,
    pub(crate) rate_limits: Vec<RateLimit>,
}

impl Usage {
    /// Reads what the ledger remembers, if there is one.
    pub(crate) fn ledger_usage(&self, read_errors: &mut Vec<ReadError>) -> LedgerUsage {
        // The ledger does not record the store of a call: if the user named
        // stores, only those count.
        let is_demo = |origin| matches!(origin, RootOrigin::Demo);
        let all_demo = self.stores.options.roots.iter().all(|(_, origin)| is_demo(*origin));
        let folder = self
            .stores
            .options
            .home
            .as_ref()
            .filter(|_| all_demo || !self.stores.has_explicit_roots());
        let Some(folder) = folder.map(|home| home.join(crate::stores::LEDGER)) else {
            return LedgerUsage::default();
        };
        match Ledger::open(&folder) {
            Ok(ledger) => {
                let path = ledger.path();
                read_errors.extend(ledger.damage().iter().map(|damage| {
                    let place = format!("line {} (at byte {})", damage.line, damage.offset);
                    ReadError { path: path.clone(), reason: format!("{place}: {}", damage.reason) }
                }));
                let mut calls = ledger.calls();
                calls.retain(|calls| self.stores.reads_app_of(&calls.session));
                LedgerUsage { calls, rate_limits: ledger.rate_limits(), path }
            }
            Err(error) => {
                read_errors.push(ReadError { path: folder, reason: error.to_string() });
                LedgerUsage::default()
            }
        }
    }
}

impl LedgerUsage {
    /// The deleted files.
    pub(crate) fn files(&self) -> impl Iterator<Item = UsageFile> {
        self.calls.iter().map(|calls| {
            UsageFile::remembered(
                self.path.clone(),
                calls.session.clone(),
                calls.agent.clone(),
                calls.agent_type.clone(),
            )
        })
    }

    /// Adds the calls to a fold, numbered after the existing files.
    pub(crate) fn note(&self, fold: &mut Fold, files: usize) {
        for (number, calls) in (files..).zip(&self.calls) {
            let number = FileNumber::try_from(number).unwrap_or(FileNumber::MAX);
            each_call(calls, |call| fold.note(number, call));
        }
    }

    /// How many deleted files there are.
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    /// Identifies the calls of a deleted file.
    pub(crate) fn version(&self, place: usize) -> Digest {
        let LedgerCalls { session, agent, agent_type: _, lines } = &self.calls[place];
        let mut bytes = format!("ledger {session:?} {agent:?}\n").into_bytes();
        for line in lines {
            bytes.extend(line.as_bytes());
            bytes.push(b'\n');
        }
        Digest::of(&bytes)
    }

    /// The packed fold of a deleted file.
    pub(crate) fn fold(&self, place: usize) -> Vec<u8> {
        let mut fold = Fold::default();
        each_call(&self.calls[place], |call| fold.note(0, call));
        fold.pack()
    }

    /// The lines of the calls with an id.
    pub(crate) fn lines_of(&self, id: &str) -> Vec<FoundLine> {
        let mut found = Vec::new();
        for calls in &self.calls {
            each_call(calls, |call| {
                let ids = [&call.message_id, &call.request_id, &call.uuid];
                if ids.into_iter().any(|own| own.as_deref() == Some(id)) {
                    found.push(FoundLine {
                        path: self.path.clone(),
                        line: call.clone().into_owned(),
                    });
                }
            });
        }
        found
    }
}

fn each_call(calls: &LedgerCalls, mut each: impl FnMut(&CallLine<'_>)) {
    let mut offset = 0;
    for (number, line) in (1..).zip(&calls.lines) {
        let bytes = line.as_bytes();
        read_line(Line { number, offset, bytes, end: LineEnd::Newline }, |read| {
            if let UsageLine::Call(call) = read {
                each(&call);
            }
        });
        offset += bytes.len() as u64 + 1;
    }
}
