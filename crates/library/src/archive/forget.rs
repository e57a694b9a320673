//! Forgetting a session: the only way to remove something from the archive.

use crate::archive::actions::Actions;
use crate::archive::restore::plans_of;
use crate::archive::{ArchiveError, SessionArchive};
use crate::catalog::find::FoundSession;
use crate::catalog::relatives::Relative;
use crate::session::Presence;
use ::apps::App;
use archive::{Archive, ArchivedSession, Entry, Fact, FileKey, LedgerCalls};
use jiff::Timestamp;
use memchr::memmem::Finder;
use std::io::{self, Read};
use std::sync::Arc;
use store::{LineSource, MatchingLineReader};

/// What forgetting a session would do.
#[derive(Clone, Debug)]
pub struct ForgetPlan {
    /// The session.
    pub id: String,
    /// Its archived files.
    pub files: Vec<FileKey>,
    /// The size of all their versions, in bytes.
    pub bytes: u64,
    /// Sessions that hold some of the same text and are not forgotten.
    pub relatives: Vec<Relative>,
    /// Whether its transcript is still on disk.
    pub is_on_disk: bool,
    /// Whether that is unknown: not everything that its app has can be read.
    pub may_be_on_disk: bool,
}

/// What was forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgetReport {
    /// How many files were removed.
    pub files: usize,
    /// How many of its calls the ledger remembers, without text.
    pub calls: usize,
}

impl SessionArchive {
    /// Computes what forgetting a session would do.
    pub fn plan_forget(&self, found: &FoundSession) -> Result<ForgetPlan, ArchiveError> {
        let archive = self.open()?;
        let state = archive.state();
        let id = &found.session.id;
        let mut session = state.session(id);
        if session.files.is_empty() {
            return Err(self.not_archived_error(id));
        }
        let versions = session.files.iter().flat_map(|key| {
            state.versions(key).iter().map(|version| (key.clone(), version.clone()))
        });
        let versions: Vec<_> = versions.collect();
        let roots: std::collections::BTreeSet<u32> =
            session.files.iter().map(|key| key.0).collect();
        for name in plans_of(&archive, &state, &versions) {
            let keys = roots.iter().map(|root| (*root, name.clone()));
            session.files.extend(keys.filter(|key| state.newest(key).is_some()));
        }
        let bytes = session.files.iter().flat_map(|key| state.versions(key));
        let known = self.catalog.find_id(id);
        Ok(ForgetPlan {
            id: id.clone(),
            bytes: bytes.map(archive::Generation::bytes).sum(),
            relatives: self.catalog.relatives(found),
            is_on_disk: known.as_ref().is_some_and(|known| known.presence == Presence::Disk),
            may_be_on_disk: known.is_some_and(|known| known.presence == Presence::Unknown),
            files: session.files,
        })
    }
}

impl Actions {
    /// Forgets a session: first a line in the ledger, so that it is not
    /// archived again, then its bytes. With `keep_usage` its calls stay,
    /// without text.
    pub fn forget(
        &self,
        plan: &ForgetPlan,
        keep_usage: bool,
        now: Timestamp,
    ) -> Result<ForgetReport, ArchiveError> {
        let archive = self.archive.open()?;
        // The index may contain words of it long after its rows are deleted.
        // The next search builds a new one.
        self.archive.memory.index()?.remove()?;
        let session = ArchivedSession { files: plan.files.clone() };
        let calls = if keep_usage {
            self.archive.archived_calls(&archive, &plan.id, &session)
        } else {
            Vec::new()
        };
        let tombstone = Fact::Tombstone { session: plan.id.clone(), paths: Vec::new() };
        let mut facts = vec![Entry { at: now, fact: tombstone }];
        let count = calls.iter().map(|calls| calls.lines.len()).sum();
        facts.extend(calls.into_iter().map(|calls| Entry { at: now, fact: Fact::Calls(calls) }));
        self.archive.ledger()?.append(&facts)?;
        let files = archive::forget(&self.archive.folder()?, &plan.files, now)?;
        // Another process may have searched meanwhile.
        self.archive.memory.index()?.remove()?;
        Ok(ForgetReport { files, calls: count })
    }
}

/// A file whose lines that are too large are not noted: restoring and forgetting answer nothing.
pub(super) struct Unnoted<'f>(pub(super) &'f mut dyn Read);

impl Read for Unnoted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl LineSource for Unnoted<'_> {}

impl SessionArchive {
    /// The calls in a session's archived files, without text, by file.
    pub(super) fn archived_calls(
        &self,
        archive: &Arc<Archive>,
        id: &str,
        session: &ArchivedSession,
    ) -> Vec<LedgerCalls> {
        let state = archive.state();
        let needle = Finder::new(usage::NEEDLE);
        let mut reader = MatchingLineReader::default();
        let mut calls = Vec::new();
        let mut add = |agent: Option<&str>, file: &mut dyn Read| {
            let mut lines = Vec::new();
            // The calls of damaged files are lost.
            let _ = reader.read(&mut Unnoted(file), &needle, |line| {
                lines.extend(usage::without_text(line.bytes));
            });
            if !lines.is_empty() {
                let (session, agent) = (id.to_owned(), agent.map(str::to_owned));
                calls.push(LedgerCalls { session, agent, agent_type: None, lines });
            }
        };
        if App::split_id(id).0.is_some() {
            for path in self.stores.archived_app_transcripts(id) {
                if let Ok(mut file) = self.stores.all.open(&path) {
                    add(store::agent_id_of(&path), &mut file);
                }
            }
            return calls;
        }
        for key in &session.files {
            let stem = key.1.components().last().and_then(|last| last.strip_suffix(".jsonl"));
            let agent = stem.and_then(|stem| stem.strip_prefix("agent-"));
            let Some(newest) = state.newest(key).filter(|_| stem.is_some()) else { continue };
            add(agent, &mut archive.read(newest));
        }
        calls
    }
}
