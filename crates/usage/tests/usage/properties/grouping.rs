//! Properties of groups of calls: adding up sets of files separately, and storing them,
//! changes nothing.

use super::folding::{Placed, Written, calls, files, fold, placed, store};
use proptest::prelude::*;
use std::collections::BTreeMap;
use usage::{
    CallGroups, Calls, CostMode, Fold, Names, PackedFold, Pricer, Prices, Sums, expired_tokens,
    pack_groups, sets_sharing_calls, unpack_groups,
};

/// Lines whose times are minutes apart, so that some are not in the same quarter of an hour.
fn spread(lines: &[Written]) -> Vec<Vec<u8>> {
    let spread = |bytes: Vec<u8>| {
        let mut text = String::from_utf8(bytes).expect("text");
        for second in 0..60 {
            let (hour, minute) = (3 + second * 7 / 60, second * 7 % 60);
            text = text
                .replace(&format!("T03:04:{second:02}Z"), &format!("T{hour:02}:{minute:02}:30Z"));
        }
        text.into_bytes()
    };
    files(lines).into_iter().map(spread).collect()
}

/// The packed folds of files, with their numbers.
fn packs(files: &[Vec<u8>]) -> Vec<(u32, Vec<u8>)> {
    let all = placed(files);
    let own = |file: u32| -> Vec<Placed<'_>> {
        all.iter().copied().filter(|line| line.0 == file).collect()
    };
    (0..4).map(|file| (file, fold(&own(file)).pack())).collect()
}

fn open(packs: &[(u32, Vec<u8>)]) -> Vec<PackedFold<'_>> {
    packs.iter().map(|(file, bytes)| PackedFold::open(bytes, *file).expect("a pack")).collect()
}

/// The groups of each set of files, with the numbers of its files.
fn sets(packs: &[(u32, Vec<u8>)]) -> (Names, Vec<(CallGroups, Vec<u32>)>) {
    let (folds, table) = (open(packs), Prices::embedded());
    let mut pricer = Pricer::new(&table, CostMode::Auto);
    let mut names = Names::default();
    let mut sets = Vec::new();
    for set in sets_sharing_calls(&folds) {
        let own: Vec<PackedFold<'_>> = set.iter().map(|place| folds[*place]).collect();
        let calls = Fold::with_names(names).finish_with(&own);
        sets.push((calls.groups(&mut pricer), own.iter().map(PackedFold::file).collect()));
        names = calls.names;
    }
    (names, sets)
}

/// The totals that reports can ask for, from groups.
fn totals(groups: &CallGroups, names: &Names) -> BTreeMap<String, Sums> {
    let mut totals: BTreeMap<String, Sums> = BTreeMap::new();
    for group in &groups.groups {
        let call = &group.call;
        let key = key(names, call, group.has_cost, &format!("{:?}", group.unpriced));
        totals.entry(key).or_default().add(&group.sums);
    }
    totals
}

/// The same, from calls.
fn expected_totals(calls: &Calls) -> BTreeMap<String, Sums> {
    let table = Prices::embedded();
    let mut pricer = Pricer::new(&table, CostMode::Auto);
    let mut totals: BTreeMap<String, Sums> = BTreeMap::new();
    for (call, expired) in calls.calls.iter().zip(expired_tokens(&calls.calls)) {
        let cost = pricer.cost(call, &calls.names);
        let has_cost = cost.total.is_some() || call.counters.total() == 0;
        let key = key(&calls.names, call, has_cost, &format!("{:?}", cost.unpriced));
        totals.entry(key).or_default().add(&Sums::of(call, &cost, expired));
    }
    totals
}

fn key(names: &Names, call: &usage::Call, has_cost: bool, unpriced: &str) -> String {
    let place = &call.attribution;
    let attribution = [place.session, place.cwd, place.branch, place.version, place.agent]
        .map(|it| names.get(it));
    let quarter = call.time.map(|time| time.as_second() / 900);
    format!(
        "{} {quarter:?} {:?} {attribution:?} {} {} {has_cost} {unpriced}",
        call.file,
        names.get(call.model),
        call.is_sidechain,
        call.is_advisor_call,
    )
}

fn naive_texts(
    naive: impl Iterator<Item = (usage::Name, usage::Counters)>,
    names: &Names,
) -> Vec<String> {
    let mut texts: Vec<String> =
        naive.map(|(model, counters)| format!("{:?} {counters:?}", names.get(model))).collect();
    texts.sort();
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Sets of files that share no call are added up separately.
    #[test]
    fn groups_of_all_sets_are_those_of_all_calls(lines in store()) {
        let files = spread(&lines);
        let calls = calls(&files);
        let (names, sets) = sets(&packs(&files));
        let mut all = CallGroups::default();
        for (groups, _) in sets {
            all.add(groups);
        }
        prop_assert_eq!(totals(&all, &names), expected_totals(&calls));
        prop_assert_eq!(all.calls, calls.calls.len() as u64);
        prop_assert_eq!((all.tally, all.duplicates), (calls.tally, calls.duplicates));
        let naive = calls.naive.iter().map(|(model, counters)| (*model, *counters));
        prop_assert_eq!(
            naive_texts(all.naive.into_iter(), &names),
            naive_texts(naive, &calls.names)
        );
    }

    /// No set has a call of another.
    #[test]
    fn files_of_different_sets_share_no_call_id(lines in store()) {
        let packs = packs(&files(&lines));
        let folds = open(&packs);
        let sets = sets_sharing_calls(&folds);
        let mut owners = BTreeMap::new();
        for (number, set) in sets.iter().enumerate() {
            for place in set {
                for hash in folds[*place].call_hashes() {
                    prop_assert_eq!(*owners.entry(hash).or_insert(number), number);
                }
            }
        }
        let mut places: Vec<usize> = sets.concat();
        places.sort_unstable();
        prop_assert_eq!(places, (0..folds.len()).collect::<Vec<_>>());
    }

    /// A group spans less than a quarter of an hour, and begins with its earliest call.
    #[test]
    fn groups_are_short(lines in store()) {
        let calls = calls(&spread(&lines));
        let prices = Prices::embedded();
        let groups = calls.groups(&mut Pricer::new(&prices, CostMode::Auto));
        for group in groups.groups {
            let span = group.call.time.zip(group.last);
            let span = span.map(|(first, last)| last.duration_since(first).as_secs());
            prop_assert!(span.is_none_or(|span| (0..900).contains(&span)), "{span:?}");
            prop_assert_eq!(group.call.time.is_none(), group.last.is_none());
        }
    }

    /// Whatever numbers the files had when they were packed.
    #[test]
    fn groups_are_unpacked_as_they_were_packed(lines in store(), others in 0_u32..9) {
        let (names, sets) = sets(&packs(&spread(&lines)));
        let shared: Vec<_> = sets.iter().map(|(groups, files)| (groups, &files[..])).collect();
        let bytes = pack_groups(&names, &shared).expect("files of the sets");
        let mut again = Names::default();
        // Names of other groups may be there already.
        for other in 0..others {
            again.add(Some(&format!("branch{other}")));
        }
        let unpacked = unpack_groups(&bytes, &mut again).expect("groups");
        prop_assert_eq!(unpacked.len(), sets.len());
        for (own, (groups, files)) in unpacked.into_iter().zip(&sets) {
            let own = own.renumbered(files).expect("files of the set");
            prop_assert_eq!(totals(&own, &again), totals(groups, &names));
            prop_assert_eq!((own.calls, own.tally, own.duplicates), (groups.calls, groups.tally, groups.duplicates));
            let times = |groups: &CallGroups| -> Vec<_> {
                groups.groups.iter().map(|group| (group.call.time, group.last, group.call.chosen_line)).collect()
            };
            prop_assert_eq!(times(&own), times(groups));
            prop_assert_eq!(
                naive_texts(own.naive.iter().copied(), &again),
                naive_texts(groups.naive.iter().copied(), &names)
            );
        }
        for end in 0..bytes.len() {
            prop_assert!(unpack_groups(&bytes[..end], &mut Names::default()).is_none());
        }
    }
}
