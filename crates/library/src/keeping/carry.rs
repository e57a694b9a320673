//! Carrying the archive to another disk or machine, and bringing one in.
//!
//! The ledger goes along: marks, what was forgotten, calls without text.

use super::{ARCHIVE, KeepError, LEDGER};
use crate::Library;
use archive::{Archive, Entry, Fact, FileKey, Generation, Ledger, Merged, merge, owner};
use jiff::Timestamp;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// What was carried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Files and versions.
    pub merged: Merged,
    /// Facts of the ledger.
    pub facts: usize,
    /// Sessions that were left out because they had been forgotten.
    pub forgotten: BTreeSet<String>,
}

impl Library {
    /// Copies what is kept into a folder: all of it, or these sessions.
    pub fn export(
        &self,
        folder: &Path,
        sessions: &[String],
        now: Timestamp,
        advance: &dyn Fn(u64),
    ) -> Result<Carried, KeepError> {
        let wanted: HashSet<&str> = sessions.iter().map(String::as_str).collect();
        let is_wanted =
            |id: Option<&str>| wanted.is_empty() || id.is_some_and(|id| wanted.contains(id));
        let mut facts: Vec<Entry> = self.ledger()?.entries().collect();
        facts.retain(|entry| is_wanted(session_of(&entry.fact)));
        let mut there = Ledger::open(folder.join(LEDGER))?;
        carry(
            &*self.archive()?,
            &folder.join(ARCHIVE),
            (facts, &mut there),
            now,
            &|key, generations| is_wanted(owner(key, generations)),
            advance,
        )
    }

    /// Brings in what another archive keeps.
    pub fn import(
        &self,
        folder: &Path,
        now: Timestamp,
        advance: &dyn Fn(u64),
    ) -> Result<Carried, KeepError> {
        let below = folder.join(ARCHIVE);
        let is_home = below.is_dir();
        let from: PathBuf = if is_home { below } else { folder.to_owned() };
        let archive = Archive::open(&from)?;
        let facts = if is_home {
            Ledger::open(folder.join(LEDGER))?.entries().collect()
        } else {
            Vec::new()
        };
        let mut own = self.ledger()?;
        let into = self.archive_folder()?;
        carry(&archive, &into, (facts, &mut own), now, &|_, _| true, advance)
    }
}

/// The session a fact speaks of.
fn session_of(fact: &Fact) -> Option<&str> {
    match fact {
        Fact::Mark(mark) => Some(&mark.place.session),
        Fact::Tombstone { session, .. } => Some(session),
        Fact::Calls(calls) => Some(&calls.session),
        _ => None,
    }
}

fn carry(
    from: &Archive,
    into: &Path,
    (facts, ledger): (Vec<Entry>, &mut Ledger),
    now: Timestamp,
    wanted: &dyn Fn(&FileKey, &[Generation]) -> bool,
    advance: &dyn Fn(u64),
) -> Result<Carried, KeepError> {
    let buried: HashSet<String> = ledger.tombstones().into_iter().collect();
    let mut forgotten = BTreeSet::new();
    let state = from.state();
    for (key, generations) in state.files() {
        let id = owner(key, generations).filter(|id| buried.contains(*id));
        forgotten.extend(id.filter(|_| wanted(key, generations)).map(str::to_owned));
    }
    let is_wanted = |key: &FileKey, generations: &[Generation]| {
        let is_buried = owner(key, generations).is_some_and(|id| buried.contains(id));
        !is_buried && wanted(key, generations)
    };
    let merged = merge(from, into, now, &is_wanted, advance)?;
    let known: Vec<Entry> = ledger.entries().collect();
    // A session that is kept here was not forgotten here: nothing that comes in
    // may bury it.
    let kept = Archive::open(into)?.state().sessions();
    let news: Vec<Entry> = facts
        .into_iter()
        .filter(|entry| !known.contains(entry))
        .filter(|entry| match &entry.fact {
            Fact::Tombstone { session, .. } => !kept.contains_key(session),
            _ => true,
        })
        .collect();
    ledger.append(&news)?;
    Ok(Carried { merged, facts: news.len(), forgotten })
}
