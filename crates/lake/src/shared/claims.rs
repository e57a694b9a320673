//! Comparing what the lake says it has of a source with what is here.

use crate::names::{SessionId, Table};
use crate::segment::Entry;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::HashMap;

/// The digest of the ids of all records so far, one more record included.
pub(crate) fn next_digest(digest: u64, id: &[u8]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&digest.to_le_bytes());
    hasher.update(id);
    first_bytes(&hasher.finalize())
}

pub(crate) fn first_bytes(hash: &blake3::Hash) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// The digests of a source's records: after each record, that of all before it and it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims {
    digests: Vec<u64>,
}

impl Claims {
    pub(crate) fn add(&mut self, id: &[u8]) {
        let last = self.digests.last().copied().unwrap_or_default();
        self.digests.push(next_digest(last, id));
    }

    pub(crate) fn len(&self) -> u64 {
        self.digests.len() as u64
    }

    /// The digest of the records before `to`.
    pub(crate) fn digest(&self, to: u64) -> Option<u64> {
        match to {
            0 => Some(0),
            _ => usize::try_from(to - 1).ok().and_then(|last| self.digests.get(last)).copied(),
        }
    }

    /// Whether an entry is about records that are here.
    pub(crate) fn holds(&self, entry: &Entry) -> bool {
        self.digest(entry.to) == Some(entry.digest)
    }

    /// How many records from the first on the lake has, made by these rules or newer ones.
    pub(crate) fn covered(&self, has: &[&Entry], rules: u32) -> u64 {
        let mut covered = 0;
        loop {
            let next = has.iter().filter(|entry| {
                entry.rules >= rules
                    && entry.from <= covered
                    && covered < entry.to
                    && self.holds(entry)
            });
            match next.map(|entry| entry.to).max() {
                Some(to) => covered = to,
                None => return covered,
            }
        }
    }

    /// The entry for some records.
    pub(crate) fn entry(
        &self,
        session: &SessionId,
        source: &str,
        records: std::ops::Range<u64>,
        rules: u32,
    ) -> Option<Entry> {
        Some(Entry {
            session: session.clone(),
            source: source.to_owned(),
            from: records.start,
            to: records.end,
            digest: self.digest(records.end)?,
            rules,
        })
    }

    /// All of them, to be remembered.
    pub(crate) fn known(&self, table: Table, source: &str) -> KnownClaim {
        KnownClaim {
            table,
            source: source.to_owned(),
            records: self.len(),
            digest: self.digest(self.len()).unwrap_or_default(),
        }
    }
}

/// What a table had of a source when it was last read.
#[derive(Clone, Debug, Eq, PartialEq, Deserialize, Serialize)]
pub(crate) struct KnownClaim {
    pub(crate) table: Table,
    pub(crate) source: String,
    /// How many records it had.
    pub(crate) records: u64,
    /// The digest of their ids.
    pub(crate) digest: u64,
}

impl KnownClaim {
    /// Whether the lake has all of it, given what it has of this table.
    pub(crate) fn is_covered(&self, has: &[&Entry], rules: u32) -> bool {
        let own: Vec<&&Entry> = has
            .iter()
            .filter(|entry| entry.source == self.source && entry.rules >= rules)
            .collect();
        if self.table == Table::Sessions {
            return own.iter().any(|entry| {
                entry.to > self.records || (entry.to == self.records && entry.digest == self.digest)
            });
        }
        let mut covered = 0;
        while covered < self.records {
            let next = own
                .iter()
                .filter(|entry| entry.from <= covered && covered < entry.to)
                .filter(|entry| entry.to != self.records || entry.digest == self.digest);
            match next.map(|entry| entry.to).filter(|to| *to <= self.records).max() {
                Some(to) => covered = to,
                None => return false,
            }
        }
        true
    }
}

/// What a session was when it was last read.
#[derive(Clone, Debug, Default, Eq, PartialEq, Deserialize, Serialize)]
pub(crate) struct KnownSession {
    /// The digest of the stamps of its files.
    pub(crate) stamps: u64,
    /// Whether its text was read, not only its metadata.
    pub(crate) has_text: bool,
    /// The rules that made its rows.
    #[serde(default)]
    pub(crate) rules: u32,
    pub(crate) claims: Vec<KnownClaim>,
}

impl KnownSession {
    /// Whether the lake has all of a table.
    pub(crate) fn is_covered(&self, table: Table, has: &[&Entry], rules: u32) -> bool {
        let mut claims = self.claims.iter().filter(|claim| claim.table == table);
        claims.all(|claim| claim.is_covered(has, rules))
    }
}

/// What sessions were when they were last read, so that only changed ones are read again.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub struct KnownSessions(RefCell<HashMap<SessionId, KnownSession>>);

impl KnownSessions {
    /// What is known of a session, if its files are as they were.
    pub(crate) fn get(&self, session: &SessionId, stamps: u64) -> Option<KnownSession> {
        self.0.borrow().get(session).filter(|known| known.stamps == stamps).cloned()
    }

    pub(crate) fn keep(&self, session: &SessionId, known: KnownSession) {
        self.0.borrow_mut().insert(session.clone(), known);
    }
}
