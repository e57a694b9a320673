//! The calls of all files in groups, for reports that need not tell calls apart.
//!
//! The index stores the groups of all files, divided into sets of files that share no call
//! with each other ([`usage::sets_sharing_calls`]). A set is used again if all its files are
//! as they were, and no other file has one of its calls. The files of all other sets, and
//! new ones, are folded and added up again. So a report costs what changed, and the result
//! is that of folding everything: no decision about a call involves two sets.
//!
//! With and without the index it is the same code: without one, nothing is stored, and every
//! set is new. Calls are made and added up one set at a time, so that they are never all in
//! memory.
//!
//! Groups are exact for reports that divide time where no group has calls on both sides,
//! which is checked ([`Usage::read_for`]); any other report is made of the calls themselves.
//!
//! Deliberately not here: how a report is made of groups (`report.rs`), what a group is
//! ([`usage::CallGroup`]), and how sets are stored (`facts::call_groups`).

use crate::facts::call_groups::{NewGroupSet, StoredGroups};
use crate::lines::ReadError;
use crate::packing::is_worth_storing;
use crate::progress::Progress;
use crate::usage::dimension::Dimension;
use crate::usage::ledger::LedgerUsage;
use crate::usage::reading::{FileFold, number_of, open_folds};
use crate::usage::report::{Calendar, HOUR, UsageOptions};
use crate::usage::{Usage, UsageFile, UsageSource};
use index::Digest;
use jiff::Timestamp;
use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt as _;
use usage::{
    CallGroups, CostMode, FileNumber, Fold, Names, PackedFold, Pricer, Prices, sets_sharing_calls,
};

/// The calls of all files in groups.
#[derive(Debug, Default)]
pub(super) struct GroupedCalls {
    pub(super) names: Names,
    pub(super) groups: CallGroups,
    pub(super) read_errors: Vec<ReadError>,
}

/// A set of files that shares no call with others.
struct GroupSet {
    /// The numbers of its files, ascending.
    files: Vec<FileNumber>,
    groups: CallGroups,
    /// The hashes of its call ids.
    hashes: Vec<u64>,
}

/// The stored sets, and which of them still hold.
struct KnownSets {
    stored: StoredGroups,
    /// The present numbers of the files of each set; `None` if a file changed, or another
    /// file has one of its calls.
    files: Vec<Option<Vec<FileNumber>>>,
    /// The set of each file.
    sets: Vec<Option<usize>>,
}

impl Usage {
    /// Reads what a report needs: all calls, or only groups of them.
    pub fn read_for(&self, options: &UsageOptions, progress: &dyn Progress) -> UsageSource {
        let has_names = |by: &Dimension| matches!(by, Dimension::Branch | Dimension::Worktree);
        if options.by.iter().any(has_names) {
            self.catalog.note_names();
        }
        let mut source = self.read_own(options, progress);
        self.add_sums(&mut source, &options.zone);
        source
    }

    fn read_own(&self, options: &UsageOptions, progress: &dyn Progress) -> UsageSource {
        let with_sessions = options.needs_sessions();
        if options.needs_calls() || !self.stores.options.exclude.is_empty() {
            return self.read(with_sessions, progress);
        }
        let mut read_errors = Vec::new();
        let files = self.usage_files(&mut read_errors);
        let ledger = self.ledger_usage(&mut read_errors);
        let read = self.read_groups(&files, &ledger, &options.prices, progress);
        if !options.can_divide(&read.groups) {
            return self.usage_of(files, Vec::new(), with_sessions, progress);
        }
        let mut source = UsageSource { files, read_errors, ..UsageSource::default() };
        source.read_errors.extend(read.read_errors);
        source.calls.names = read.names;
        source.calls.tally = read.groups.tally;
        source.calls.duplicates = read.groups.duplicates;
        source.calls.naive = read.groups.naive.iter().copied().collect();
        source.groups = Some(read.groups);
        source.remember(ledger);
        if with_sessions {
            source.add_sessions(self);
        }
        source
    }
}

impl UsageSource {
    /// Whether the calls before each of these moments can be kept apart from those after it:
    /// groups have calls of up to a quarter of an hour.
    pub fn is_divided_at(&self, moments: &[Timestamp]) -> bool {
        let Some(groups) = &self.groups else { return true };
        groups.groups.iter().all(|group| {
            let (Some(first), Some(last)) = (group.call.time, group.last) else { return true };
            !moments.iter().any(|moment| first < *moment && *moment <= last)
        })
    }
}

impl UsageOptions {
    /// Whether the report needs calls, not only groups of them.
    fn needs_calls(&self) -> bool {
        let by_call = [Dimension::Turn, Dimension::Tool, Dimension::Block];
        self.needs_agents()
            || self.filter.tool.is_some()
            || self.mode != CostMode::Auto
            || self.by.is_empty()
            || self.by.iter().any(|by| by_call.contains(by))
    }

    /// Whether no group has calls on both sides of a border between rows, days or what the
    /// filter admits.
    fn can_divide(&self, groups: &CallGroups) -> bool {
        let mut calendar = Calendar::new(&self.zone);
        let by_hour = self.by.contains(&Dimension::Hour);
        groups.by_time().all(|group| {
            let (Some(first), Some(last)) = (group.call.time, group.last) else { return true };
            if first == last {
                return true;
            }
            let admits = |time| self.filter.admits_time(Some(time));
            let hour =
                |time: Timestamp| time.to_zoned(self.zone.clone()).strftime(HOUR).to_string();
            admits(first) == admits(last)
                && calendar.date(first) == calendar.date(last)
                && (!by_hour || hour(first) == hour(last))
        })
    }
}

impl Usage {
    /// The calls of files and those that the ledger remembers, at these prices. Files of
    /// the ledger are numbered after the others.
    pub(super) fn read_groups(
        &self,
        files: &[UsageFile],
        ledger: &LedgerUsage,
        prices: &Prices,
        progress: &dyn Progress,
    ) -> GroupedCalls {
        let mut read = GroupedCalls::default();
        let mut versions: Vec<Option<Digest>> = files
            .iter()
            .map(|file| self.version_of(file))
            .chain((0..ledger.len()).map(|place| Some(ledger.version(place))))
            .collect();
        let stored = self.facts.stored_groups(prices, &mut read.names).unwrap_or_default();
        let mut known = KnownSets::new(stored, &versions);
        let mut ids = None;
        let mut folds: Vec<FileFold> = Vec::new();
        let mut is_folded = vec![false; versions.len()];
        // Folding a file can show that it shares calls with a set, whose files then are
        // folded too.
        loop {
            let places = (0..versions.len()).filter(|place| !is_folded[*place]);
            let (own, gone): (Vec<usize>, Vec<usize>) =
                places.filter(|place| !known.has(*place)).partition(|place| *place < files.len());
            if own.is_empty() && gone.is_empty() {
                break;
            }
            own.iter().chain(&gone).for_each(|place| is_folded[*place] = true);
            let (mut new, read_errors) = self.folds_of(files, own, progress);
            read.read_errors.extend(read_errors);
            new.extend(gone.into_iter().map(|place| {
                let packed = ledger.fold(place - files.len());
                FileFold { place, packed, is_read: false }
            }));
            // Some of a file that was read may be missing, and it may have changed.
            for fold in new.iter().filter(|fold| fold.is_read) {
                versions[fold.place] = None;
            }
            let ids = ids.get_or_insert_with(|| self.facts.stored_call_ids(&known.stored));
            for fold in open_folds(&new) {
                match ids {
                    Some(ids) => {
                        let shared = fold.call_hashes().filter_map(|hash| ids.set_of(hash));
                        shared.for_each(|set| known.files[set] = None);
                    }
                    // Nothing is known about what the files of a set share with others.
                    None => known.files.fill(None),
                }
            }
            folds.extend(new);
        }
        progress.finish();
        folds.sort_unstable_by_key(|fold| fold.place);
        let is_stored = known.count() > 0;
        let new = add_up(&open_folds(&folds), prices, &mut read.names);
        let hashes = ids.flatten().filter(|_| is_stored).map(|ids| ids.by_set(known.files.len()));
        let mut sets = known.into_sets(hashes.unwrap_or_default());
        let first_new = sets.len();
        sets.extend(new);
        if !progress.is_late() {
            self.store_sets(&sets, first_new, &versions, files, prices, &read.names);
        }
        read.groups.groups.reserve_exact(sets.iter().map(|set| set.groups.groups.len()).sum());
        for set in sets {
            read.groups.add(set.groups);
        }
        read
    }

    /// Identifies the content of a file that the index remembers.
    fn version_of(&self, file: &UsageFile) -> Option<Digest> {
        let stamp = self.remembered_usage(file)?.stamp?;
        let (inode, device, changed) = stamp.identity;
        let mut bytes = file.path.as_os_str().as_bytes().to_vec();
        let numbers = [stamp.bytes, stamp.modified.cast_unsigned(), inode, device];
        for number in numbers.into_iter().chain([changed.cast_unsigned()]) {
            bytes.extend(number.to_le_bytes());
        }
        Some(Digest::of(&bytes))
    }

    /// Stores all sets whose files are identified, if enough of them are new.
    fn store_sets(
        &self,
        sets: &[GroupSet],
        first_new: usize,
        versions: &[Option<Digest>],
        files: &[UsageFile],
        prices: &Prices,
        names: &Names,
    ) {
        if sets.len() == first_new || !self.memory.stores_facts() {
            return;
        }
        let mut seen: HashSet<Digest> = HashSet::new();
        let mut storable = Vec::with_capacity(sets.len());
        let (mut new_files, mut new_bytes) = (0, 0);
        for (place, set) in sets.iter().enumerate() {
            let places = || set.files.iter().filter_map(|file| usize::try_from(*file).ok());
            let own: Option<Vec<Digest>> = places().map(|place| *versions.get(place)?).collect();
            // Of two deleted files with the same calls, no version tells which is which.
            let Some(own) = own.filter(|own| own.iter().all(|version| seen.insert(*version)))
            else {
                continue;
            };
            if place >= first_new {
                new_files += own.len();
                new_bytes +=
                    places().filter_map(|place| Some(files.get(place)?.bytes)).sum::<u64>();
            }
            storable.push(NewGroupSet {
                versions: own,
                groups: &set.groups,
                files: &set.files,
                hashes: &set.hashes,
            });
        }
        if is_worth_storing(new_files, new_bytes) {
            self.facts.store_groups(prices, names, storable);
        }
    }
}

impl KnownSets {
    fn new(stored: StoredGroups, versions: &[Option<Digest>]) -> KnownSets {
        let mut found: Vec<Vec<Option<FileNumber>>> =
            stored.sets.iter().map(|set| vec![None; set.versions.len()]).collect();
        let mut sets = vec![None; versions.len()];
        for (place, version) in versions.iter().enumerate() {
            let stored_place = version.and_then(|version| stored.place_of(version));
            // The second of two files with the same version belongs to no set.
            if let Some((set, member)) = stored_place
                && found[set][member].is_none()
            {
                found[set][member] = Some(number_of(place));
                sets[place] = Some(set);
            }
        }
        // Among copies of a call, the order of their files decides.
        let in_order = |files: &Vec<FileNumber>| files.is_sorted();
        let files = found.into_iter().map(|own| own.into_iter().collect::<Option<Vec<_>>>());
        let files = files.map(|own| own.filter(in_order)).collect();
        KnownSets { stored, files, sets }
    }

    /// Whether the groups of a file still hold.
    fn has(&self, place: usize) -> bool {
        self.sets[place].is_some_and(|set| self.files[set].is_some())
    }

    fn count(&self) -> usize {
        self.files.iter().flatten().count()
    }

    /// The sets that still hold, with the hashes of their call ids.
    fn into_sets(self, hashes: Vec<Vec<u64>>) -> Vec<GroupSet> {
        let mut hashes = hashes.into_iter();
        let sets = self.stored.sets.into_iter().zip(self.files).filter_map(|(set, files)| {
            let hashes = hashes.next().unwrap_or_default();
            let files = files?;
            // Places were checked when the groups were unpacked.
            let groups = set.groups.renumbered(&files)?;
            Some(GroupSet { files, groups, hashes })
        });
        sets.collect()
    }
}

/// The groups of folds, one set of files at a time.
fn add_up(folds: &[PackedFold<'_>], known: &Prices, names: &mut Names) -> Vec<GroupSet> {
    let mut pricer = Pricer::new(known, CostMode::Auto);
    let sets = sets_sharing_calls(folds).into_iter().map(|set| {
        let own: Vec<PackedFold<'_>> = set.iter().map(|place| folds[*place]).collect();
        let calls = Fold::with_names(std::mem::take(names)).finish_with(&own);
        let groups = calls.groups(&mut pricer);
        *names = calls.names;
        GroupSet {
            files: own.iter().map(PackedFold::file).collect(),
            groups,
            hashes: own.iter().flat_map(PackedFold::call_hashes).collect(),
        }
    });
    sets.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::NoProgress;
    use crate::search::index::IndexOptions;
    use crate::search::index::patience::IndexWait;
    use crate::{Library, Options};
    use store::RootOrigin;
    use testkit::{Sandbox, call, session_id};

    const CWD: &str = "/home/ada/tidepool";

    fn open(sandbox: &Sandbox) -> Library {
        Library::open(Options {
            roots: vec![(sandbox.config(), RootOrigin::Home)],
            home: Some(sandbox.annals_home()),
            ..Options::default()
        })
    }

    /// The sessions whose stored groups still hold, before anything is folded.
    fn known(library: &Library) -> Vec<String> {
        let files = library.usage().usage_files(&mut Vec::new());
        let versions: Vec<_> = files.iter().map(|file| library.usage().version_of(file)).collect();
        let stored = library.facts().stored_groups(&Prices::embedded(), &mut Names::default());
        let known = KnownSets::new(stored.unwrap_or_default(), &versions);
        let known = (0..files.len()).filter(|place| known.has(*place));
        known.filter_map(|place| files[place].session_id.clone()).collect()
    }

    fn read(library: &Library) -> u64 {
        let files = library.usage().usage_files(&mut Vec::new());
        let ledger = LedgerUsage::default();
        library.usage().read_groups(&files, &ledger, &Prices::embedded(), &NoProgress).groups.calls
    }

    /// Five sessions in an index: 4 and 5 have a call in common.
    fn store() -> Sandbox {
        let sandbox = Sandbox::new();
        for session in 1..6 {
            let id = if session == 5 { "m4".to_owned() } else { format!("m{session}") };
            let line = call(&id, [1, 2, 3, 4]).session(&session_id(session)).cwd(CWD);
            sandbox.session(CWD, &session_id(session), [line]);
        }
        let options = IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };
        open(&sandbox).search().refresh_index(options, &NoProgress).expect("an index");
        sandbox
    }

    fn append(sandbox: &Sandbox, session: u32, id: &str) {
        let path =
            sandbox.projects().join("-home-ada-tidepool").join(session_id(session) + ".jsonl");
        let line = call(id, [1, 2, 3, 4]).session(&session_id(session)).cwd(CWD);
        sandbox.append(&path, format!("{line}\n"));
    }

    #[test]
    fn a_report_stores_the_groups_of_all_files_that_the_index_knows() {
        let sandbox = store();
        assert_eq!(known(&open(&sandbox)).len(), 0);
        assert_eq!(read(&open(&sandbox)), 4, "one call is in two files");
        assert_eq!(known(&open(&sandbox)).len(), 5);
        assert_eq!(read(&open(&sandbox)), 4);
    }

    #[test]
    fn groups_of_files_that_did_not_change_still_hold() {
        let sandbox = store();
        read(&open(&sandbox));
        append(&sandbox, 2, "new");
        assert_eq!(known(&open(&sandbox)), [1, 3, 4, 5].map(session_id));
        assert_eq!(read(&open(&sandbox)), 5);
    }

    #[test]
    fn files_that_share_a_call_are_added_up_together() {
        let sandbox = store();
        read(&open(&sandbox));
        append(&sandbox, 4, "new");
        assert_eq!(known(&open(&sandbox)), [1, 2, 3].map(session_id));
        assert_eq!(read(&open(&sandbox)), 5);
    }

    #[test]
    fn a_changed_file_with_a_call_of_an_unchanged_one_counts_it_once() {
        let sandbox = store();
        read(&open(&sandbox));
        append(&sandbox, 2, "m1");
        assert_eq!(read(&open(&sandbox)), 4);
    }

    #[test]
    fn groups_with_a_secret_in_a_name_are_not_stored() {
        let sandbox = store();
        let secret = "/home/ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        let line = call("m6", [1, 2, 3, 4]).session(&session_id(6)).cwd(secret);
        sandbox.session(CWD, &session_id(6), [line]);
        let options = IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };
        open(&sandbox).search().refresh_index(options, &NoProgress).expect("an index");
        assert_eq!(read(&open(&sandbox)), 5);
        assert_eq!(known(&open(&sandbox)), [1, 2, 3, 4, 5].map(session_id));
    }
}
