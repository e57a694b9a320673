//! Small facts that cannot be derived again: bookmarks, what was deleted and
//! when, what calls of deleted sessions used, how full a limit was.
//!
//! One file, `ledger.jsonl`, that only ever grows: one sealed line a fact (see
//! [`crate::sealed`]). Nothing is taken back by changing a line; a later line
//! says so. ManifestReader is lenient and takes no lock: what is damaged is reported
//! and the rest counts, what a newer annals wrote is kept and ignored.
//!
//! Deliberately not here: texts of sessions (the archive has them), and
//! anything that can be read again from a transcript.

mod append;
mod fact;
mod limits;
#[cfg(test)]
mod tests;

pub use fact::{Entry, Fact, LedgerCalls, Mark, MarkTarget, RateLimit, RateLimitWindow};

use crate::mend::{HashBudget, mend};
use crate::sealed::{SealError, seal, unseal};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The facts, as they were when it was opened and with what was added since.
#[derive(Clone, Debug)]
pub struct Ledger {
    folder: PathBuf,
    /// What is sealed into the lines that can be read, in order.
    kept: Vec<String>,
    damage: Vec<DamagedLedgerLine>,
    torn: Option<u64>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedLedgerLine {
    /// Its number, from 1.
    pub line: u64,
    /// Where it begins.
    pub offset: u64,
    /// What is wrong with it.
    pub reason: SealError,
    /// Whether what it said could be told from its checksum: then it counts.
    pub is_mended: bool,
}

/// Why the ledger could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// It is there and cannot be read.
    #[error("the ledger {} cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// It cannot be written; it is as it was.
    #[error("the ledger {} cannot be written: {reason}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// Somebody else has been writing for a long while.
    #[error("another annals is writing the ledger {}; try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
}

impl Ledger {
    /// Reads the ledger in a folder. One that is not there is empty.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Ledger, LedgerError> {
        let folder = folder.into();
        let path = append::file_in(&folder);
        // Anything but a file could keep its reader waiting.
        let read = fs::metadata(&path).and_then(|metadata| {
            if metadata.is_file() {
                fs::read(&path)
            } else {
                Err(io::Error::other("it is no regular file"))
            }
        });
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(reason) => return Err(LedgerError::Unreadable { path, reason }),
        };
        Ok(Ledger::read(folder, &bytes))
    }

    fn read(folder: PathBuf, bytes: &[u8]) -> Ledger {
        let mut ledger = Ledger { folder, kept: Vec::new(), damage: Vec::new(), torn: None };
        let mut offset = 0;
        let mut patience = HashBudget::default();
        for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            let whole = line.strip_suffix(b"\n");
            match (unseal(whole.unwrap_or(line)), whole) {
                (Ok(rest), _) => ledger.kept.push(rest.to_owned()),
                // Somebody may be writing it just now.
                (Err(_), None) => ledger.torn = Some(offset),
                (Err(reason), Some(whole)) => {
                    let mended = mend(whole, &mut patience);
                    let is_mended = !mended.is_empty();
                    ledger.damage.push(DamagedLedgerLine {
                        line: number,
                        offset,
                        reason,
                        is_mended,
                    });
                    let rests = mended.iter().filter_map(|line| unseal(line.as_bytes()).ok());
                    ledger.kept.extend(rests.map(str::to_owned));
                }
            }
            offset += line.len() as u64;
        }
        ledger
    }

    /// Adds facts: all of them, on disk when this returns, or none. Waits a
    /// while for others that write.
    pub fn append(&mut self, entries: &[Entry]) -> Result<(), LedgerError> {
        let added: Vec<String> = entries.iter().map(Entry::rest).collect();
        let lines: String = added.iter().map(|rest| seal(rest) + "\n").collect();
        if !lines.is_empty() {
            append::append(&self.folder, &lines)?;
        }
        self.kept.extend(added);
        Ok(())
    }

    /// Writes damaged lines anew, where what they said could be told.
    pub fn mend(&mut self) -> Result<(), LedgerError> {
        if self.damage.is_empty() {
            return Ok(());
        }
        append::mend(&self.folder)?;
        *self = Ledger::open(std::mem::take(&mut self.folder))?;
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> PathBuf {
        append::file_in(&self.folder)
    }

    /// The folder it lies in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Lines that cannot be read.
    pub fn damage(&self) -> &[DamagedLedgerLine] {
        &self.damage
    }

    /// Where a last line begins that was not written to its end. Nobody was told
    /// that it was; the next writer takes it away.
    pub fn torn(&self) -> Option<u64> {
        self.torn
    }

    /// The facts, oldest first, without those of kinds that are not known here.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.kept.iter().filter_map(|rest| Entry::parse(rest))
    }

    /// How many lines are kept and not understood: a newer annals wrote them.
    pub fn unknown(&self) -> usize {
        self.kept.len() - self.entries().count()
    }

    /// The facts of some kinds.
    fn of(&self, kinds: &[&str]) -> impl Iterator<Item = Entry> {
        let wanted = |rest: &&String| fact::kind(rest).is_some_and(|it| kinds.contains(&&*it));
        self.kept.iter().filter(wanted).filter_map(|rest| Entry::parse(rest))
    }

    /// The bookmarks that stand, oldest first.
    pub fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = Vec::new();
        for entry in self.of(&["mark", "unmark"]) {
            match entry.fact {
                Fact::Mark(mark) => {
                    marks.retain(|known| known.target != mark.target && known.id != mark.id);
                    marks.push(Mark { at: entry.at, ..mark });
                }
                Fact::Unmark { mark } => marks.retain(|known| known.id != mark),
                _ => {}
            }
        }
        marks
    }

    /// The id of the bookmark at a place: the same whenever it is set.
    pub fn mark_id(&self, target: &MarkTarget) -> String {
        let marks = self.marks();
        let known = marks.iter().find(|mark| mark.target == *target).map(|mark| mark.id.clone());
        let free = |id: &String| marks.iter().all(|mark| mark.id != *id);
        known.unwrap_or_else(|| {
            // One more attempt than there are marks finds a free one.
            (0..=marks.len()).map(|attempt| target.id(attempt)).find(free).unwrap_or_default()
        })
    }

    /// What is left of API calls of sessions whose transcripts are gone. What
    /// was remembered twice is given once.
    pub fn calls(&self) -> Vec<LedgerCalls> {
        let mut known: HashSet<(String, Option<String>, String)> = HashSet::new();
        let mut remembered = Vec::new();
        for entry in self.of(&["calls"]) {
            let Fact::Calls(mut calls) = entry.fact else { continue };
            let key = |line: &String| (calls.session.clone(), calls.agent.clone(), line.clone());
            let fresh: Vec<String> =
                calls.lines.iter().filter(|line| !known.contains(&key(line))).cloned().collect();
            known.extend(fresh.iter().map(key));
            calls.lines = fresh;
            if !calls.lines.is_empty() {
                remembered.push(calls);
            }
        }
        remembered
    }

    /// The sessions that were deleted on purpose.
    pub fn tombstones(&self) -> HashSet<String> {
        let buried = self.of(&["tombstone"]).filter_map(|entry| match entry.fact {
            Fact::Tombstone { session, .. } => Some(session),
            _ => None,
        });
        buried.collect()
    }

    /// How full limits were, in the order they were noted.
    pub fn rate_limits(&self) -> Vec<RateLimit> {
        let limits = self.of(&["rate_limit"]).filter_map(|entry| match entry.fact {
            Fact::RateLimit(limit) => Some(limit),
            _ => None,
        });
        limits.collect()
    }
}
