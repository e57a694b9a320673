//! Which files share calls.
//!
//! A call belongs to one file, but forks, resumed sessions and copies write it too, and
//! all of its lines decide which file that is and what it used. Files that share no call,
//! directly or through others, decide nothing about each other: the calls of each such
//! set of files can be found, added up and stored separately.

use crate::packed::PackedFold;
use std::collections::HashMap;

/// Divides folds into the smallest sets that share no call with each other, each by its
/// places among the folds, ascending.
///
/// Ids are compared by their hashes: two files with the same hash of different ids are in
/// one set too, which changes no result.
pub fn sets_sharing_calls(folds: &[PackedFold<'_>]) -> Vec<Vec<usize>> {
    let mut sets = DisjointSets { parents: (0..folds.len()).collect() };
    let mut owners: HashMap<u64, usize> = HashMap::new();
    for (place, fold) in folds.iter().enumerate() {
        for hash in fold.call_hashes() {
            let owner = *owners.entry(hash).or_insert(place);
            sets.join(owner, place);
        }
    }
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for place in 0..folds.len() {
        let set = sets.find(place);
        let number = *numbers.entry(set).or_insert(members.len());
        if number == members.len() {
            members.push(Vec::new());
        }
        members[number].push(place);
    }
    members
}

/// Sets of places that are only ever joined.
struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
    fn find(&mut self, place: usize) -> usize {
        let mut root = place;
        while self.parents[root] != root {
            // Halves the way for the next time.
            self.parents[root] = self.parents[self.parents[root]];
            root = self.parents[root];
        }
        root
    }

    fn join(&mut self, one: usize, two: usize) {
        let (one, two) = (self.find(one), self.find(two));
        self.parents[one.max(two)] = one.min(two);
    }
}
