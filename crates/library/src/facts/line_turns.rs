//! The turns of lines, for a search that meets them file by file.
//!
//! Only the conversation tells them, and reading it takes longer than searching the file.
//! So a search with hits in many files stores what it read, in runs of lines.

use crate::facts::Facts;
use crate::packing::{Packer, Unpacker};
use crate::redaction::fact_secrets::{FactSecrets, Packed};
use crate::sessions::turns::LineTurns;
use conversation::TurnNumber;
use index::{Digest, FactKind, StoredFacts};
use std::path::{Path, PathBuf};

/// Stored turns are loaded all at once, which is worth it from this number of files on.
const MANY: usize = 4;

/// Reads the turns of lines in the order of their files: only the last file is
/// remembered, so that memory does not grow with the number of files.
pub struct LineTurnsReader<'l> {
    facts: &'l Facts,
    last: Option<(PathBuf, TurnRuns)>,
    files: usize,
    stored: Option<StoredFacts>,
    read: Vec<PathBuf>,
    derived: Vec<(Option<Digest>, Packed)>,
}

impl<'l> LineTurnsReader<'l> {
    /// A reader with the stored turns of these facts.
    pub fn new(facts: &'l Facts) -> Self {
        LineTurnsReader {
            facts,
            last: None,
            files: 0,
            stored: None,
            read: Vec::new(),
            derived: Vec::new(),
        }
    }

    /// The turn of a line; `None` for lines outside of the conversation.
    pub fn at_line(&mut self, path: &Path, is_agent: bool, line: u64) -> Option<TurnNumber> {
        let known = self.last.take().filter(|(known, _)| known == path);
        let known = known.unwrap_or_else(|| (path.to_owned(), self.runs(path, is_agent)));
        self.last.insert(known).1.at_line(line)
    }

    fn runs(&mut self, path: &Path, is_agent: bool) -> TurnRuns {
        self.files += 1;
        if self.files == MANY {
            self.stored = self.facts.memory.stored_facts(FactKind::LineTurns);
        }
        let has_index = self.stored.is_some();
        let origin = has_index.then(|| self.facts.file_origin(FactKind::LineTurns, path)).flatten();
        let known = self.stored.as_ref().zip(origin);
        let known = known.and_then(|(stored, origin)| stored.find(path, origin));
        if let Some(runs) = known.and_then(|bytes| TurnRuns::unpack(bytes, is_agent)) {
            return runs;
        }
        let Some(turns) = self.facts.sessions.read_line_turns(path, is_agent) else {
            return TurnRuns::default();
        };
        let runs = TurnRuns::of(&turns);
        if has_index {
            self.read.push(path.to_owned());
            self.derived.push((origin, Packed::new(runs.pack(is_agent), &FactSecrets::None)));
        }
        runs
    }

    /// Stores the turns that were read.
    pub fn store(self) {
        if !self.read.is_empty() {
            self.facts.store_file_facts(FactKind::LineTurns, &self.read, &self.derived, &[]);
        }
    }
}

/// The turns of a transcript's lines, as runs of lines with the same turn.
#[derive(Debug, Default, PartialEq, Eq)]
struct TurnRuns(Vec<TurnRun>);

/// Consecutive lines of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TurnRun {
    first: u64,
    last: u64,
    turn: TurnNumber,
}

impl TurnRuns {
    fn of(turns: &LineTurns) -> TurnRuns {
        let mut runs: Vec<TurnRun> = Vec::new();
        for (line, turn) in turns.lines() {
            match runs.last_mut().filter(|run| run.turn == turn && run.last + 1 == line) {
                Some(run) => run.last = line,
                None => runs.push(TurnRun { first: line, last: line, turn }),
            }
        }
        TurnRuns(runs)
    }

    fn at_line(&self, line: u64) -> Option<TurnNumber> {
        let run = self.0.get(self.0.partition_point(|run| run.last < line))?;
        (run.first <= line).then_some(run.turn)
    }

    fn pack(&self, is_agent: bool) -> Packer {
        let mut packer = Packer::default();
        packer.number(is_agent.into());
        let mut before = 0;
        for run in &self.0 {
            packer.number(run.first - before);
            packer.number(run.last - run.first);
            packer.turn(run.turn);
            before = run.last;
        }
        packer
    }

    /// Reads them back; `None` if the lines were read differently.
    fn unpack(bytes: &[u8], is_agent: bool) -> Option<TurnRuns> {
        let mut unpacker = Unpacker::new(bytes)?;
        if unpacker.flag()? != is_agent {
            return None;
        }
        let mut runs = Vec::new();
        let mut before = 0_u64;
        while !unpacker.is_done() {
            let first = before.checked_add(unpacker.number()?)?;
            let last = first.checked_add(unpacker.number()?)?;
            runs.push(TurnRun { first, last, turn: unpacker.turn()? });
            before = last;
        }
        Some(TurnRuns(runs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::view::parse_conversation;
    use conversation::View;
    use proptest::prelude::*;
    use testkit::{assistant, file, metadata, user};

    #[test]
    fn runs_have_the_turns_of_their_lines() {
        let bytes = file(&[
            user("one").link("u1", None),
            assistant("yes").link("u2", Some("u1")).message("id", "m1"),
            metadata("summary", &[]),
            user("two").link("u3", Some("u2")),
            assistant("no").link("u4", Some("u3")).message("id", "m2"),
            user("two, again").link("u5", Some("u2")),
            assistant("yes").link("u6", Some("u5")).message("id", "m3"),
            assistant("more").link("u7", Some("u6")).message("id", "m4"),
        ]);
        let turns = LineTurns::of(&parse_conversation(&bytes, false, View::App));
        let runs = TurnRuns::of(&turns);
        let expected: Vec<_> = (0..10).map(|line| turns.at_line(line)).collect();
        assert_eq!(expected.iter().flatten().count(), 7);
        let found: Vec<_> = (0..10).map(|line| runs.at_line(line)).collect();
        assert_eq!(found, expected);
        let packed = runs.pack(false).finish();
        assert_eq!(TurnRuns::unpack(&packed, false), Some(runs));
        assert_eq!(TurnRuns::unpack(&packed, true), None);
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_unpack_without_failing(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some(runs) = TurnRuns::unpack(&bytes, false) {
                prop_assert!(runs.0.len() <= bytes.len());
            }
        }
    }
}
