//! Small facts that cannot be derived again: bookmarks, which sessions were
//! deleted and when, the API calls of deleted sessions, how full a limit was.
//!
//! One file, `ledger.jsonl`, that only grows: one sealed line per fact (see
//! [`crate::sealed`]). Nothing is undone by changing a line; a later line
//! records that. Reading is lenient and takes no lock: damaged lines are
//! reported and skipped, lines of a newer annals are kept and ignored.
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

/// The facts as of opening, plus those added since.
#[derive(Clone, Debug)]
pub struct Ledger {
    folder: PathBuf,
    /// The content of the readable lines, in order.
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
    /// Whether its content could be restored from its checksum. Then it counts.
    pub is_mended: bool,
}

/// Why the ledger could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// It exists but cannot be read.
    #[error("cannot read the ledger {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// It cannot be written; the file is unchanged.
    #[error("cannot write the ledger {}: {reason}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// Another process has been writing for a long time.
    #[error("another annals process is writing the ledger {}\nhint: try again when it has finished", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
}

impl Ledger {
    /// Reads the ledger in a folder. A missing file is an empty ledger.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Ledger, LedgerError> {
        let folder = folder.into();
        let path = append::file_in(&folder);
        // Reading anything but a regular file could block.
        let read = fs::metadata(&path).and_then(|metadata| {
            if metadata.is_file() {
                fs::read(&path)
            } else {
                Err(io::Error::other("not a regular file"))
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
                // Another process may be writing it right now.
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

    /// Adds facts: all of them, durably, or none. Waits a while for other
    /// writers.
    pub fn append(&mut self, entries: &[Entry]) -> Result<(), LedgerError> {
        let added: Vec<String> = entries.iter().map(Entry::rest).collect();
        let lines: String = added.iter().map(|rest| seal(rest) + "\n").collect();
        if !lines.is_empty() {
            append::append(&self.folder, &lines)?;
        }
        self.kept.extend(added);
        Ok(())
    }

    /// Rewrites the damaged lines that could be restored.
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

    /// The folder that contains it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Lines that cannot be read.
    pub fn damage(&self) -> &[DamagedLedgerLine] {
        &self.damage
    }

    /// The offset of an incomplete last line. No caller was promised that it
    /// was written; the next writer removes it.
    pub fn torn(&self) -> Option<u64> {
        self.torn
    }

    /// The facts, oldest first, without those of unknown kinds.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.kept.iter().filter_map(|rest| Entry::parse(rest))
    }

    /// The number of lines that this version does not understand, because a
    /// newer annals wrote them.
    pub fn unknown(&self) -> usize {
        self.kept.len() - self.entries().count()
    }

    /// The facts of certain kinds.
    fn of(&self, kinds: &[&str]) -> impl Iterator<Item = Entry> {
        let wanted = |rest: &&String| fact::kind(rest).is_some_and(|it| kinds.contains(&&*it));
        self.kept.iter().filter(wanted).filter_map(|rest| Entry::parse(rest))
    }

    /// The bookmarks that are still set, oldest first.
    pub fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = Vec::new();
        for entry in self.of(&["mark", "unmark"]) {
            match entry.fact {
                Fact::Mark(mark) => {
                    marks.retain(|known| !known.is_at_same_place(&mark) && known.id != mark.id);
                    marks.push(Mark { at: entry.at, ..mark });
                }
                Fact::Unmark { mark } => marks.retain(|known| known.id != mark),
                _ => {}
            }
        }
        marks
    }

    /// The bookmark at the place of another, if there is one.
    pub fn mark_at(&self, place: &Mark) -> Option<Mark> {
        self.marks().into_iter().find(|mark| mark.is_at_same_place(place))
    }

    /// The id of a bookmark, whatever id it has: always the same for the same place.
    pub fn mark_id(&self, place: &Mark) -> String {
        let (marks, target) = (self.marks(), &place.target);
        let known = self.mark_at(place).map(|mark| mark.id);
        let free = |id: &String| marks.iter().all(|mark| mark.id != *id);
        known.unwrap_or_else(|| {
            // One more attempt than there are marks finds a free id.
            (0..=marks.len()).map(|attempt| target.id(attempt)).find(free).unwrap_or_default()
        })
    }

    /// The API calls of sessions whose transcripts are gone, without
    /// duplicates.
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

    /// The rate limits, in the order they were recorded.
    pub fn rate_limits(&self) -> Vec<RateLimit> {
        let limits = self.of(&["rate_limit"]).filter_map(|entry| match entry.fact {
            Fact::RateLimit(limit) => Some(limit),
            _ => None,
        });
        limits.collect()
    }
}
