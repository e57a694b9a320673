//! What is kept, as the manifest tells it.

use crate::frame::{Frame, Hash, StoredChecksum};
use crate::manifest::RootLine;
use crate::name::Name;
use crate::scope::ArchiveRoot;
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};
use store::FileStat;

/// The number of a root in an archive.
pub type RootNumber = u32;

/// A file by its root and its name below it.
pub type FileKey = (RootNumber, Name);

/// Where stored bytes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// In a file of their own, named by their frame: the end of a file that
    /// grows.
    Loose,
    /// In a pack, from a byte on.
    Pack {
        /// Its number.
        number: u32,
        /// The byte.
        at: u64,
    },
}

/// Stored bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredBytes {
    pub(crate) location: Location,
    pub(crate) stored: u64,
    pub(crate) sum: StoredChecksum,
}

/// How a file looked when it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// When it was last modified.
    pub modified: Timestamp,
    /// When it was read.
    pub kept: Timestamp,
    pub(crate) identity: Option<(u64, u64, i64)>,
    pub(crate) session: Option<String>,
}

/// A version of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u32,
    pub(crate) frames: Vec<Frame>,
    /// How the file looked.
    pub seen: FileStamp,
}

impl Generation {
    /// Whether a file that looks so is this version.
    pub fn is_of(&self, stat: &FileStat) -> bool {
        self.seen.identity == Some(stat.identity())
            && self.seen.modified == stat.modified
            && self.bytes() == stat.bytes
    }

    /// How many bytes it has.
    pub fn bytes(&self) -> u64 {
        self.frames.iter().map(|frame| frame.length).sum()
    }

    /// How many frames stand whole before this byte; none if it lies within
    /// one or behind the last.
    pub(crate) fn frames_before(&self, from: u64) -> Option<usize> {
        let mut end = 0;
        for (number, frame) in self.frames.iter().enumerate() {
            if end >= from {
                return (end == from).then_some(number);
            }
            end += frame.length;
        }
        (end == from).then_some(self.frames.len())
    }
}

/// Everything that is kept.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The archive's own name.
    pub(crate) id: String,
    pub(crate) roots: BTreeMap<RootNumber, RootLine>,
    /// The files, each with its versions, oldest first.
    pub(crate) files: BTreeMap<FileKey, Vec<Generation>>,
    pub(crate) spots: HashMap<Hash, StoredBytes>,
    /// Bytes in packs that nothing needs any more.
    pub(crate) spare: Vec<StoredBytes>,
}

impl State {
    /// Every file with its versions, oldest first.
    pub fn files(&self) -> impl Iterator<Item = (&FileKey, &[Generation])> {
        let files = self.files.iter().filter(|(_, generations)| !generations.is_empty());
        files.map(|(key, generations)| (key, generations.as_slice()))
    }

    /// The newest version of a file.
    pub fn newest(&self, key: &FileKey) -> Option<&Generation> {
        self.files.get(key)?.last()
    }

    /// Every version of a file, oldest first.
    pub fn versions(&self, key: &FileKey) -> &[Generation] {
        self.files.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    /// The number of a root that this archive keeps itself.
    pub fn root_of(&self, area: &ArchiveRoot) -> Option<RootNumber> {
        let own = self.roots.values().filter(|root| root.archive == self.id);
        own.into_iter().find(|root| area.identity == *root.path).map(|root| root.number)
    }

    /// The archive that first kept a root, and where that was.
    pub fn root(&self, number: RootNumber) -> Option<(&str, &str)> {
        self.roots.get(&number).map(|root| (root.archive.as_str(), root.path.as_str()))
    }

    /// How many bytes the kept files have, all versions together, and in how
    /// many stored ones those lie.
    pub fn sizes(&self) -> (u64, u64) {
        let whole = self.files.values().flatten().map(Generation::bytes).sum();
        (whole, self.spots.values().map(|spot| spot.stored).sum())
    }

    /// Notes where a frame lies; where it lay before becomes spare.
    pub(crate) fn place(&mut self, frame: Frame, spot: StoredBytes) {
        match self.spots.insert(frame.hash, spot) {
            Some(before) if before != spot && before.location != Location::Loose => {
                self.spare.push(before);
            }
            _ => {}
        }
    }

    /// A version of a file is this from a byte on. Says whether that is all
    /// there ever was of it; nothing if what it goes on from is not there.
    pub(crate) fn keep(
        &mut self,
        key: FileKey,
        number: u32,
        from: u64,
        frames: &[Frame],
        seen: FileStamp,
    ) -> Option<bool> {
        // Most files have one version of few frames, and there may be very many.
        let generations = self.files.entry(key).or_insert_with(|| Vec::with_capacity(1));
        let place = generations.iter().position(|known| known.number >= number);
        let place = place.unwrap_or(generations.len());
        let is_known = generations.get(place).is_some_and(|known| known.number == number);
        if is_known {
            let known = &mut generations[place];
            let whole = known.frames_before(from)?;
            known.frames.truncate(whole);
            known.frames.extend_from_slice(frames);
            known.seen = seen;
            return Some(false);
        }
        let mut shared = Vec::with_capacity(frames.len());
        if from > 0 {
            let before = place.checked_sub(1).and_then(|before| generations.get(before))?;
            shared.extend_from_slice(&before.frames[..before.frames_before(from)?]);
        }
        shared.extend_from_slice(frames);
        generations.insert(place, Generation { number, frames: shared, seen });
        Some(true)
    }

    /// The frames that a version of a file still needs, by hash.
    pub(crate) fn needed(&self) -> HashMap<Hash, u64> {
        let frames = self.files.values().flatten().flat_map(|known| &known.frames);
        frames.map(|frame| (frame.hash, frame.length)).collect()
    }

    /// Makes spare what no version needs, and says which loose frames go.
    pub(crate) fn drop_unneeded(&mut self) -> Vec<Hash> {
        let needed = self.needed();
        let mut loose = Vec::new();
        let spare = &mut self.spare;
        self.spots.retain(|hash, spot| {
            let is_needed = needed.contains_key(hash);
            if !is_needed {
                match spot.location {
                    Location::Loose => loose.push(*hash),
                    Location::Pack { .. } => spare.push(*spot),
                }
            }
            is_needed
        });
        loose
    }
}
