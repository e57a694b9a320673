//! The groups of all API calls, as they were when a report last added them up.
//!
//! Two facts belong together: the groups of each set of files with the versions of those
//! files, and the hashes of all call ids with the set each belongs to. The origin of the
//! second is the digest of the first's versions, so neither is used without the other.

use crate::facts::Facts;
use crate::memory::facts::Origin;
use index::{Digest, FactKind, FactMasking, NewFacts};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use usage::{CallGroups, FileNumber, Name, Names, Prices, pack_groups, unpack_groups};

/// The stored groups of sets of files that share no call with each other.
#[derive(Debug, Default)]
pub(crate) struct StoredGroups {
    pub(crate) sets: Vec<StoredSet>,
    /// The set and the place in it, by the version of a file.
    by_version: HashMap<Digest, (usize, usize)>,
    /// The digest of all versions.
    versions: Option<Digest>,
}

/// The stored groups of one set of files.
#[derive(Debug)]
pub(crate) struct StoredSet {
    /// The versions of its files, in the order of their paths.
    pub(crate) versions: Vec<Digest>,
    /// Its groups; files are numbered by their places in the set.
    pub(crate) groups: CallGroups,
}

/// The sets of call ids, by the hashes of the ids.
#[derive(Debug)]
pub(crate) struct StoredCallIds {
    /// Entries of a hash and a set, by hash.
    bytes: Vec<u8>,
}

/// The bytes of an entry of [`StoredCallIds`].
const ENTRY: usize = 12;

/// A set of files to store.
pub(crate) struct NewGroupSet<'s> {
    pub(crate) versions: Vec<Digest>,
    pub(crate) groups: &'s CallGroups,
    /// The numbers of its files, ascending.
    pub(crate) files: &'s [FileNumber],
    /// The hashes of its call ids.
    pub(crate) hashes: &'s [u64],
}

impl StoredGroups {
    /// The set that a version of a file belongs to, and its place there.
    pub(crate) fn place_of(&self, version: Digest) -> Option<(usize, usize)> {
        self.by_version.get(&version).copied()
    }

    fn read(bytes: &[u8], names: &mut Names) -> Option<StoredGroups> {
        let mut stored = StoredGroups::default();
        let (count, mut rest) = split_count(bytes)?;
        let mut versions = Vec::new();
        for set in 0..count {
            let (members, after) = split_count(rest)?;
            let (own, after) = after.split_at_checked(members.checked_mul(Digest::LENGTH)?)?;
            rest = after;
            let own: Vec<Digest> =
                own.as_chunks().0.iter().copied().map(Digest::from_bytes).collect();
            for (place, version) in own.iter().enumerate() {
                stored.by_version.insert(*version, (set, place));
            }
            versions.push(own);
        }
        stored.versions = Some(Digest::of(&bytes[..bytes.len() - rest.len()]));
        let groups = unpack_groups(rest, names)?;
        let is_whole = groups.len() == versions.len();
        let sets = versions.into_iter().zip(groups);
        let sets = sets.map(|(versions, groups)| {
            let is_whole = groups.files().all(|file| (file as usize) < versions.len());
            is_whole.then_some(StoredSet { versions, groups })
        });
        stored.sets = sets.collect::<Option<_>>()?;
        is_whole.then_some(stored)
    }
}

/// A count of four bytes, and what follows it.
fn split_count(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (count, rest) = bytes.split_first_chunk()?;
    Some((usize::try_from(u32::from_le_bytes(*count)).ok()?, rest))
}

fn push_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
}

impl StoredCallIds {
    /// The set that has a call with this hash of its id.
    pub(crate) fn set_of(&self, hash: u64) -> Option<usize> {
        let (entries, _) = self.bytes.as_chunks::<ENTRY>();
        let place = entries.binary_search_by_key(&hash, |entry| split_entry(entry).0).ok()?;
        Some(split_entry(&entries[place]).1)
    }

    /// The hashes of each set.
    pub(crate) fn by_set(&self, sets: usize) -> Vec<Vec<u64>> {
        let mut hashes = vec![Vec::new(); sets];
        for (hash, set) in self.bytes.as_chunks().0.iter().map(split_entry) {
            if let Some(own) = hashes.get_mut(set) {
                own.push(hash);
            }
        }
        hashes
    }
}

fn split_entry(entry: &[u8; ENTRY]) -> (u64, usize) {
    let (hash, set) = entry.split_at(8);
    let hash = hash.try_into().map_or(0, u64::from_le_bytes);
    let set = set.try_into().map_or(u32::MAX, u32::from_le_bytes);
    (hash, usize::try_from(set).unwrap_or(usize::MAX))
}

impl Facts {
    /// What groups are stored under. Other roots have other files.
    fn groups_key(&self) -> String {
        format!("{:?}", self.stores.roots)
    }

    fn groups_origin(&self, prices: &Prices) -> Digest {
        let mut origin = Origin::new(&self.memory, FactMasking::None);
        origin.text(prices.fingerprint().as_bytes());
        origin.digest()
    }

    /// The stored groups at these prices; their names are added to a table.
    pub(crate) fn stored_groups(&self, prices: &Prices, names: &mut Names) -> Option<StoredGroups> {
        let stored = self.memory.stored_facts(FactKind::CallGroups)?;
        let bytes = stored.find(Path::new(&self.groups_key()), self.groups_origin(prices))?;
        StoredGroups::read(bytes, names)
    }

    /// The call ids of stored groups.
    pub(crate) fn stored_call_ids(&self, groups: &StoredGroups) -> Option<StoredCallIds> {
        let stored = self.memory.stored_facts(FactKind::CallIds)?;
        let bytes = stored.find(Path::new(&self.groups_key()), groups.versions?)?;
        bytes.len().is_multiple_of(ENTRY).then(|| StoredCallIds { bytes: bytes.to_vec() })
    }

    /// Stores the groups of sets of files at the built-in prices, except sets with a name
    /// that is a secret. Other prices are for one command.
    pub(crate) fn store_groups(
        &self,
        prices: &Prices,
        names: &Names,
        mut sets: Vec<NewGroupSet<'_>>,
    ) {
        let origin = self.groups_origin(prices);
        if origin != self.groups_origin(&Prices::embedded()) {
            return;
        }
        let secrets = self.redaction.secrets_in_facts(FactKind::CallGroups);
        let secret: HashSet<Name> = names.choose(|text| secrets.may_be(text));
        sets.retain(|set| {
            secret.is_empty() || !set.groups.names().any(|name| secret.contains(&name))
        });
        let mut bytes = Vec::new();
        push_count(&mut bytes, sets.len());
        for set in &sets {
            push_count(&mut bytes, set.versions.len());
            for version in &set.versions {
                bytes.extend(version.as_bytes());
            }
        }
        let versions = Digest::of(&bytes);
        let groups: Vec<_> = sets.iter().map(|set| (set.groups, set.files)).collect();
        let Some(packed) = pack_groups(names, &groups) else { return };
        bytes.extend(packed);
        let mut ids: Vec<(u64, usize)> = sets
            .iter()
            .enumerate()
            .flat_map(|(number, set)| set.hashes.iter().map(move |hash| (*hash, number)))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let mut entries = Vec::with_capacity(ids.len() * ENTRY);
        for (hash, set) in ids {
            entries.extend(hash.to_le_bytes());
            push_count(&mut entries, set);
        }
        let key = self.groups_key();
        let path = Path::new(&key);
        self.memory.store_facts(&[
            (FactKind::CallGroups, vec![NewFacts { path, origin, packed: bytes }]),
            (FactKind::CallIds, vec![NewFacts { path, origin: versions, packed: entries }]),
        ]);
    }
}
