//! Copying the archive to another disk or machine, and importing one.
//!
//! The ledger is copied too: bookmarks, deleted sessions, API calls without text and,
//! in a complete export, rate limits.

use crate::archive::actions::Actions;
use crate::archive::{ArchiveError, SessionArchive};
use crate::progress::Progress;
use crate::stores::{ARCHIVE, LEDGER};
use archive::{
    Archive, Entry, Fact, FileKey, Generation, Ledger, MergeReport, merge, owning_session,
};
use jiff::Timestamp;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// What an export or import copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransferReport {
    /// Files and versions.
    pub merged: MergeReport,
    /// Facts of the ledger.
    pub facts: usize,
    /// Sessions that were left out because they were deleted from the target with `forget`.
    pub forgotten: BTreeSet<String>,
    /// Sessions that were deleted from the source with `forget` but are still in the
    /// target.
    pub still_archived: BTreeSet<String>,
    /// Unreadable lines of the source's manifest.
    pub broken_lines: usize,
}

impl Actions {
    /// Copies the archive into a folder: all of it, or these sessions.
    pub fn export(
        &self,
        folder: &Path,
        sessions: &[String],
        now: Timestamp,
        progress: &dyn Progress,
    ) -> Result<TransferReport, ArchiveError> {
        self.archive.check_export(folder)?;
        let wanted: HashSet<&str> = sessions.iter().map(String::as_str).collect();
        let is_wanted =
            |id: Option<&str>| wanted.is_empty() || id.is_some_and(|id| wanted.contains(id));
        let mut facts: Vec<Entry> = self.archive.ledger()?.entries().collect();
        facts.retain(|entry| is_wanted(session_of(&entry.fact)));
        let mut there = Ledger::open(folder.join(LEDGER))?;
        merge_archives(
            &*self.archive.open()?,
            &folder.join(ARCHIVE),
            (facts, &mut there),
            now,
            &|key, generations| is_wanted(owning_session(key, generations)),
            &|bytes| progress.advance(bytes),
        )
    }

    /// Imports another archive.
    pub fn import(
        &self,
        folder: &Path,
        now: Timestamp,
        progress: &dyn Progress,
    ) -> Result<TransferReport, ArchiveError> {
        let below = folder.join(ARCHIVE);
        let is_home = below.is_dir();
        let from: PathBuf = if is_home { below } else { folder.to_owned() };
        let archive = Archive::open(&from)?;
        let facts = if is_home {
            Ledger::open(folder.join(LEDGER))?.entries().collect()
        } else {
            Vec::new()
        };
        let mut own = self.archive.ledger()?;
        let into = self.archive.folder()?;
        merge_archives(&archive, &into, (facts, &mut own), now, &|_, _| true, &|bytes| {
            progress.advance(bytes);
        })
    }
}

impl SessionArchive {
    /// Refuses to export into a folder with other contents.
    fn check_export(&self, folder: &Path) -> Result<(), ArchiveError> {
        let refuse =
            |reason: &str| Err(ArchiveError::Refused(format!("{} {reason}", folder.display())));
        let real = |path: &Path| {
            let there = path.ancestors().find_map(|above| {
                let rest = path.strip_prefix(above).ok()?;
                Some(std::fs::canonicalize(above).ok()?.join(rest))
            });
            there.unwrap_or_else(|| path.to_owned())
        };
        let target = real(folder);
        if let Some(home) = &self.stores.options.home
            && (target.starts_with(real(home)) || real(home).starts_with(&target))
        {
            return refuse("overlaps annals' own archive\nhint: name another folder");
        }
        if self.store_roots().iter().any(|area| target.starts_with(real(area.folder()))) {
            return refuse("is in a store, where annals never writes\nhint: name another folder");
        }
        match std::fs::read_dir(folder) {
            Ok(mut entries) => {
                let is_export = folder.join(ARCHIVE).join("manifest.jsonl").exists();
                if is_export || entries.next().is_none() {
                    Ok(())
                } else {
                    refuse("is neither empty nor an earlier export\nhint: name another folder")
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => refuse(&format!("cannot be used: {error}")),
        }
    }
}

/// The session that a fact is about.
fn session_of(fact: &Fact) -> Option<&str> {
    match fact {
        Fact::Mark(mark) => Some(&mark.target.session),
        Fact::Tombstone { session, .. } => Some(session),
        Fact::Calls(calls) => Some(&calls.session),
        _ => None,
    }
}

/// Merges the archive `from` and the facts of its ledger into the archive in `into` and its
/// ledger.
fn merge_archives(
    from: &Archive,
    into: &Path,
    (facts, ledger): (Vec<Entry>, &mut Ledger),
    now: Timestamp,
    wanted: &dyn Fn(&FileKey, &[Generation]) -> bool,
    advance: &dyn Fn(u64),
) -> Result<TransferReport, ArchiveError> {
    let deleted_in_target: HashSet<String> = ledger.tombstones().into_iter().collect();
    let mut forgotten = BTreeSet::new();
    let state = from.state();
    for (key, generations) in state.files() {
        let id = owning_session(key, generations).filter(|id| deleted_in_target.contains(*id));
        forgotten.extend(id.filter(|_| wanted(key, generations)).map(str::to_owned));
    }
    let is_wanted = |key: &FileKey, generations: &[Generation]| {
        let owner = owning_session(key, generations);
        !owner.is_some_and(|id| deleted_in_target.contains(id)) && wanted(key, generations)
    };
    let merged = merge(from, into, now, &is_wanted, advance)?;
    let known: Vec<Entry> = ledger.entries().collect();
    // A session that the target has was not deleted there: the source's record of
    // its deletion must not remove it.
    let archived = Archive::open(into)?.state().sessions();
    let mut still_archived = BTreeSet::new();
    let mut new_facts = facts;
    new_facts.retain(|entry| match &entry.fact {
        Fact::Tombstone { session, .. } if archived.contains_key(session) => {
            still_archived.insert(session.clone());
            false
        }
        _ => !known.contains(entry),
    });
    ledger.append(&new_facts)?;
    let broken_lines = from.broken_lines();
    Ok(TransferReport { merged, facts: new_facts.len(), forgotten, still_archived, broken_lines })
}
