//! The folds of files: from the index, else from the files. All threads read files, within
//! the bounds of the call.
//!
//! Every fold is packed, wherever it comes from: packed folds take a fifth of the memory, and
//! one code makes calls of all of them.

use crate::lines::ReadError;
use crate::progress::{BytesLeft, Progress, StoppableReader, is_stopped};
use crate::usage::ledger::LedgerUsage;
use crate::usage::{Usage, UsageFile};
use memchr::memmem::Finder;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Mutex;
use store::MatchingLineReader;
use usage::{Calls, FileNumber, Fold, PackedFold, UsageLine, read_line};

/// The packed fold of a file.
pub(super) struct FileFold {
    /// The file's place among all files.
    pub(super) place: usize,
    pub(super) packed: Vec<u8>,
    /// Whether it was read from the file just now, as far as possible.
    pub(super) is_read: bool,
}

/// The number of the file at a place.
pub(super) fn number_of(place: usize) -> FileNumber {
    FileNumber::try_from(place).unwrap_or(FileNumber::MAX)
}

/// The folds that can be opened. All are valid unless memory is damaged.
pub(super) fn open_folds(folds: &[FileFold]) -> Vec<PackedFold<'_>> {
    let opened = folds.iter().map(|fold| PackedFold::open(&fold.packed, number_of(fold.place)));
    opened.flatten().collect()
}

impl Usage {
    /// The calls of files, and those that the ledger remembers.
    pub(super) fn read_calls(
        &self,
        files: &[UsageFile],
        remembered: &LedgerUsage,
        progress: &dyn Progress,
    ) -> (Calls, Vec<ReadError>) {
        let places = (0..files.len()).collect();
        let (folds, troubles) = self.folds_of(files, places, progress);
        let mut fold = Fold::default();
        remembered.note(&mut fold, files.len());
        progress.finish();
        let path = |number: usize| files.get(number).map(|file| file.path.as_path());
        (self.calls_of(fold, open_folds(&folds), path), troubles)
    }

    /// The calls of folds. Those of the lake are found for each owner alone: anybody can
    /// write the id of somebody else's call, which says nothing about that call.
    pub(crate) fn calls_of<'p>(
        &self,
        fold: Fold,
        packed: Vec<PackedFold<'_>>,
        path: impl Fn(usize) -> Option<&'p Path>,
    ) -> Calls {
        if self.stores.lake().is_none() {
            return fold.finish_with(&packed);
        }
        let mut by_owner: BTreeMap<Option<&str>, Vec<PackedFold<'_>>> = BTreeMap::new();
        for fold in packed {
            let path = usize::try_from(fold.file()).ok().and_then(&path);
            let owner = path.and_then(|path| self.stores.owner_of(path));
            by_owner.entry(owner).or_default().push(fold);
        }
        Fold::finish_sets(by_owner.into_values())
    }

    /// The folds of the files at these places: remembered ones for files with unchanged
    /// stamps, the others are read.
    pub(super) fn folds_of(
        &self,
        files: &[UsageFile],
        places: Vec<usize>,
        progress: &dyn Progress,
    ) -> (Vec<FileFold>, Vec<ReadError>) {
        let remembered: Vec<(usize, usize)> =
            places.iter().filter_map(|place| Some((*place, files[*place].remembered?))).collect();
        let numbers: Vec<usize> = remembered.iter().map(|(_, number)| *number).collect();
        // An index that cannot be read counts as missing.
        let stored =
            self.memory.memo().zip(self.memory.index().ok()).filter(|_| !numbers.is_empty());
        let stored = stored.and_then(|(memo, index)| index.folds(memo, &numbers).ok());
        let mut folds: Vec<FileFold> = Vec::with_capacity(places.len());
        let mut unread = places;
        let known = remembered.into_iter().zip(stored.unwrap_or_default());
        folds.extend(known.filter_map(|((place, _), packed)| {
            let packed = packed.filter(|packed| PackedFold::open(packed, 0).is_some())?;
            Some(FileFold { place, packed, is_read: false })
        }));
        let is_known: HashSet<usize> = folds.iter().map(|fold| fold.place).collect();
        unread.retain(|place| !is_known.contains(place));
        let (read, troubles) = self.read_folds(files, unread, progress);
        folds.extend(read);
        (folds, troubles)
    }

    fn read_folds(
        &self,
        files: &[UsageFile],
        mut order: Vec<usize>,
        progress: &dyn Progress,
    ) -> (Vec<FileFold>, Vec<ReadError>) {
        // Which files are read is decided before any is, so that threads do not matter.
        if progress.most_bytes().is_some() {
            order.sort_by_cached_key(|place| {
                let file = &files[*place];
                let modified = self.stores.all.find(&file.path).map(|(stat, _)| stat.modified);
                (std::cmp::Reverse(modified), file.path.clone())
            });
            let mut left = BytesLeft::of(progress);
            order.retain(|place| {
                let is_read = left.admits(files[*place].bytes);
                if !is_read {
                    progress.leave_out();
                }
                is_read
            });
        }
        progress.start(order.iter().map(|place| files[*place].bytes).sum());
        // Starting with the largest is fastest.
        order.sort_by_key(|place| std::cmp::Reverse(files[*place].bytes));
        let read_errors = Mutex::new(Vec::new());
        let needle = Finder::new(usage::NEEDLE);
        let folds: Mutex<Vec<FileFold>> = Mutex::new(Vec::with_capacity(order.len()));
        // Taken and put back, so that there are as many as threads.
        let readers: Mutex<Vec<MatchingLineReader>> = Mutex::new(Vec::new());
        let read = |place: usize| {
            let file = &files[place];
            if progress.is_late() {
                progress.leave_out();
                return;
            }
            let own = number_of(place);
            let taken = readers.lock().ok().and_then(|mut readers| readers.pop());
            let mut reader = taken.unwrap_or_default();
            let mut fold = Fold::default();
            let of_app = self
                .stores
                .app_calls(&file.path)
                .map(|calls| calls.map(|calls| calls.iter().for_each(|call| fold.note(own, call))));
            let read = of_app.unwrap_or_else(|| {
                let open = self.stores.all.open(&file.path)?;
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
                folds.push(FileFold { place, packed: fold.pack(), is_read: true });
            }
            if let Ok(mut readers) = readers.lock() {
                readers.push(reader);
            }
        };
        order.into_par_iter().with_max_len(1).for_each(read);
        (folds.into_inner().unwrap_or_default(), read_errors.into_inner().unwrap_or_default())
    }
}
