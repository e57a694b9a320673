//! The calls of files: from the index's memo, else from the files. All threads
//! read files, within the deadline.

use super::UsageFile;
use crate::Library;
use crate::open::scan::ReadError;
use crate::progress::{Progress, StoppableReader, is_stopped};
use crate::usage::ledger::LedgerUsage;
use memchr::memmem::Finder;
use rayon::prelude::*;
use std::sync::Mutex;
use store::MatchingLineReader;
use usage::{Calls, FileNumber, Fold, PackedFold, UsageLine, read_line};

impl Library {
    /// The calls of files: remembered ones for files with unchanged stamps, the
    /// others are read.
    pub(super) fn read_calls(
        &self,
        files: &[UsageFile],
        remembered: &LedgerUsage,
        progress: &dyn Progress,
    ) -> (Calls, Vec<ReadError>) {
        let own_number = |number: usize| FileNumber::try_from(number).unwrap_or(FileNumber::MAX);
        let mut known = Vec::new();
        let mut order: Vec<usize> = (0..files.len()).collect();
        order.retain(|number| {
            let remembered = self.remembered_usage(&files[*number]);
            let packed =
                remembered.and_then(|file| PackedFold::open(&file.fold, own_number(*number)));
            known.extend(packed);
            packed.is_none()
        });
        progress.start(order.iter().map(|number| files[*number].bytes).sum());
        let deadline = progress.deadline();
        // With a deadline, the newest files matter most; without one, starting
        // with the largest is fastest.
        order.sort_by_cached_key(|number| {
            let file = &files[*number];
            let modified = deadline.and_then(|_| Some(self.all.find(&file.path)?.0.modified));
            std::cmp::Reverse((modified, file.bytes))
        });
        let read_errors = Mutex::new(Vec::new());
        let needle = Finder::new(usage::NEEDLE);
        // One fold per thread, taken and put back, so that there are few to
        // merge.
        let folds: Mutex<Vec<(Fold, MatchingLineReader)>> = Mutex::new(Vec::new());
        let read = |number: usize| {
            let file = &files[number];
            if progress.is_late() {
                progress.leave_out();
                return;
            }
            let own = own_number(number);
            let taken = folds.lock().ok().and_then(|mut folds| folds.pop());
            let (mut fold, mut reader) = taken.unwrap_or_default();
            let read = self.all.open(&file.path).and_then(|open| {
                let mut open = StoppableReader::new(open, progress);
                reader.read(&mut open, &needle, |line| {
                    read_line(line, |read| match read {
                        UsageLine::Call(call) => fold.note(own, &call),
                        UsageLine::Other => {}
                        UsageLine::Damaged(offset) => fold.note_damage(own, offset),
                    });
                })
            });
            match (read, read_errors.lock()) {
                (Err(error), _) if is_stopped(&error) => progress.leave_out(),
                (Err(error), Ok(mut read_errors)) => {
                    read_errors.push(ReadError::new(&file.path, &error));
                }
                _ => {}
            }
            progress.advance(file.bytes);
            if let Ok(mut folds) = folds.lock() {
                folds.push((fold, reader));
            }
        };
        if deadline.is_some() {
            // In this order, as far as threads allow.
            order.into_iter().par_bridge().for_each(read);
        } else {
            order.into_par_iter().with_max_len(1).for_each(read);
        }
        let read = folds.into_inner().unwrap_or_default().into_iter().map(|(fold, _)| fold);
        let mut fold = read.fold(Fold::default(), Fold::merge);
        remembered.note(&mut fold, files.len());
        progress.finish();
        (fold.finish_with(&known), read_errors.into_inner().unwrap_or_default())
    }
}
