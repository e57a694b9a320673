//! The values that were masked in a file, and how far it was read for them.
//!
//! Unlike other facts they stay usable while their file grows: checkpoints say up to where
//! they hold, and the file is read from there.

use crate::memory::facts::Origin;
use crate::packing::is_worth_storing;
use crate::redaction::Redaction;
use crate::redaction::plan_names::PlanName;
use crate::redaction::session_values::FileValues;
use index::{Digest, FactKind, FactMasking, NewFacts, Stamp, StoredFacts};
use redact::{SessionValues, ValueKey};
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::Checkpoint;

/// The stored values of all files.
#[derive(Debug)]
pub(crate) struct ValueFacts {
    stored: StoredFacts,
    /// What all origins begin with.
    beginning: Vec<u8>,
}

impl ValueFacts {
    /// The values of a file when it was read last.
    pub(crate) fn find(&self, path: &Path, key: ValueKey) -> Option<FileValues> {
        unpack(self.stored.find(path, origin(&self.beginning, path))?, key)
    }

    /// The values of all files when they were read last.
    pub(crate) fn of_all(&self, key: ValueKey) -> impl Iterator<Item = SessionValues> {
        self.stored.all().filter_map(move |packed| Some(unpack(packed, key)?.values))
    }
}

fn origin(beginning: &[u8], path: &Path) -> Digest {
    Digest::of(&[beginning, path.as_os_str().as_bytes()].concat())
}

/// How many bytes of files are read for values before they are stored.
const MANY_BYTES: u64 = 16 << 20;

/// How many files.
const MANY: usize = 256;

/// Values of a file that can be stored: path, origin, packed.
pub(crate) type PackedValues = (PathBuf, Digest, Vec<u8>);

impl Redaction {
    /// The stored values; `None` without an index.
    pub(crate) fn stored_values(&self) -> Option<ValueFacts> {
        let stored = self.memory.stored_facts(FactKind::Values)?;
        Some(ValueFacts { stored, beginning: Origin::new(&self.memory, FactMasking::None).bytes })
    }

    /// The values that are not stored yet, packed.
    pub(crate) fn pack_unstored_values(&self) -> Vec<PackedValues> {
        let beginning = Origin::new(&self.memory, FactMasking::None).bytes;
        let unstored = self.take_unstored_values().into_iter();
        let pack = |(path, of): (PathBuf, Arc<FileValues>)| {
            let origin = origin(&beginning, &path);
            (path, origin, pack(&of))
        };
        unstored.map(pack).collect()
    }

    /// Stores values, if many were read since the last time.
    pub(crate) fn store_many_values(&self) {
        let (files, bytes) = self.unstored_values();
        if files >= MANY || bytes >= MANY_BYTES {
            self.store_values();
        }
    }

    /// Stores the values that were read.
    pub(crate) fn store_values(&self) {
        let (files, bytes) = self.unstored_values();
        if !is_worth_storing(files, bytes) || !self.memory.stores_facts() {
            return;
        }
        let packed = self.pack_unstored_values();
        let new = packed.iter().map(|(path, origin, packed)| NewFacts {
            path,
            origin: *origin,
            packed: packed.clone(),
        });
        self.memory.store_facts(&[(FactKind::Values, new.collect())]);
    }
}

fn pack(of: &FileValues) -> Vec<u8> {
    let FileValues { stamp, checkpoints, is_provisional, values, plans } = of;
    let (inode, device, changed) = stamp.identity;
    let mut packed = Vec::new();
    for number in
        [stamp.bytes, stamp.modified.cast_unsigned(), inode, device, changed.cast_unsigned()]
    {
        packed.extend(number.to_le_bytes());
    }
    packed.push((*is_provisional).into());
    packed.extend((checkpoints.len() as u64).to_le_bytes());
    for checkpoint in checkpoints {
        packed.extend(checkpoint.to_bytes());
    }
    packed.extend((plans.len() as u64).to_le_bytes());
    for PlanName(name) in plans {
        packed.extend(name.to_le_bytes());
    }
    packed.extend(values.pack());
    packed
}

fn unpack(packed: &[u8], key: ValueKey) -> Option<FileValues> {
    let mut rest = packed;
    let bytes = take_number(&mut rest)?;
    let modified = take_number(&mut rest)?.cast_signed();
    let (inode, device) = (take_number(&mut rest)?, take_number(&mut rest)?);
    let identity = (inode, device, take_number(&mut rest)?.cast_signed());
    let (is_provisional, after) = rest.split_first()?;
    rest = after;
    let mut checkpoints = Vec::new();
    for _ in 0..take_number(&mut rest)? {
        let (checkpoint, after) = rest.split_first_chunk()?;
        rest = after;
        checkpoints.push(Checkpoint::from_bytes(checkpoint));
    }
    let mut plans = BTreeSet::new();
    for _ in 0..take_number(&mut rest)? {
        plans.insert(PlanName(take_number(&mut rest)?));
    }
    let stamp = Stamp { bytes, modified, identity };
    let values = SessionValues::unpack(key, rest)?;
    Some(FileValues { stamp, checkpoints, is_provisional: *is_provisional != 0, values, plans })
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_of_a_file_are_unpacked_as_they_were_packed(
            numbers in any::<(u64, i64, u64, u64, i64)>(),
            places in prop::collection::vec(any::<[[u8; 16]; 3]>(), 0..4),
            is_provisional: bool,
            plans in prop::collection::btree_set(any::<u64>(), 0..4),
            end in 0_usize..400,
        ) {
            let (bytes, modified, inode, device, changed) = numbers;
            let checkpoints = places.iter().filter_map(|bytes| bytes.as_flattened().first_chunk());
            let checkpoints = checkpoints.map(Checkpoint::from_bytes);
            let key = ValueKey::new([1; 32]);
            let of = FileValues {
                stamp: Stamp { bytes, modified, identity: (inode, device, changed) },
                checkpoints: checkpoints.collect(),
                is_provisional,
                values: SessionValues::new(key),
                plans: plans.into_iter().map(PlanName).collect(),
            };
            let packed = pack(&of);
            let again = unpack(&packed, key).expect("values");
            prop_assert_eq!(format!("{again:?}"), format!("{of:?}"));
            if end < packed.len() {
                prop_assert!(unpack(&packed[..end], key).is_none());
            }
        }
    }
}
