//! The archived files, as listed in the manifest.

use crate::frame::{Frame, Hash, StoredChecksum};
use crate::manifest::RootLine;
use crate::name::Name;
use crate::scope::ArchiveRoot;
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};
use store::FileStat;

/// The number of a root in an archive.
pub type RootNumber = u32;

/// A file, by its root and its name below the root.
pub type FileKey = (RootNumber, Name);

/// Where stored bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// In their own file, named after their frame: the end of a file that is
    /// still growing.
    Loose,
    /// In a pack, at an offset.
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

/// A file's stamp when it was archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// When it was last modified.
    pub modified: Timestamp,
    /// When it was archived.
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
    /// The file's stamp.
    pub seen: FileStamp,
}

impl Generation {
    /// Whether a file with this stat is this version.
    pub fn is_of(&self, stat: &FileStat) -> bool {
        self.seen.identity == Some(stat.identity())
            && self.seen.modified == stat.modified
            && self.bytes() == stat.bytes
    }

    /// Whether another version has the same bytes.
    pub fn has_bytes_of(&self, other: &Generation) -> bool {
        self.frames == other.frames
    }

    /// Its size.
    pub fn bytes(&self) -> u64 {
        self.frames.iter().map(|frame| frame.length).sum()
    }

    /// The number of whole frames before this byte; `None` if the byte is
    /// inside a frame or beyond the last one.
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

/// The content of an archive.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The archive's id.
    pub(crate) id: String,
    pub(crate) roots: BTreeMap<RootNumber, RootLine>,
    /// The files, each with its versions, oldest first.
    pub(crate) files: BTreeMap<FileKey, Vec<Generation>>,
    pub(crate) spots: HashMap<Hash, StoredBytes>,
    /// Ranges in packs that no version needs any more.
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

    /// The number of a root of this machine.
    pub fn root_of(&self, area: &ArchiveRoot) -> Option<RootNumber> {
        let own = self.roots.values().filter(|root| root.archive == self.id);
        own.into_iter().find(|root| area.identity == *root.path).map(|root| root.number)
    }

    /// The archive that first archived a root, and the root's path there.
    pub fn root(&self, number: RootNumber) -> Option<(&str, &str)> {
        self.roots.get(&number).map(|root| (root.archive.as_str(), root.path.as_str()))
    }

    /// The total size of all versions, and the number of bytes they take up in
    /// the archive.
    pub fn sizes(&self) -> (u64, u64) {
        let whole = self.files.values().flatten().map(Generation::bytes).sum();
        (whole, self.spots.values().map(|spot| spot.stored).sum())
    }

    /// Records where a frame is stored; its previous location becomes spare.
    pub(crate) fn place(&mut self, frame: Frame, spot: StoredBytes) {
        match self.spots.insert(frame.hash, spot) {
            Some(before) if before != spot && before.location != Location::Loose => {
                self.spare.push(before);
            }
            _ => {}
        }
    }

    /// Records the content of a version from a byte on. Returns whether this
    /// replaced nothing; `None` if the part before it is missing.
    pub(crate) fn keep(
        &mut self,
        key: FileKey,
        number: u32,
        from: u64,
        frames: &[Frame],
        seen: FileStamp,
    ) -> Option<bool> {
        // Most files have one version of few frames, and there may be very many
        // files.
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

    /// The frames that any version needs, by hash.
    pub(crate) fn needed(&self) -> HashMap<Hash, u64> {
        let frames = self.files.values().flatten().flat_map(|known| &known.frames);
        frames.map(|frame| (frame.hash, frame.length)).collect()
    }

    /// Marks frames that no version needs as spare. Returns the loose ones to
    /// delete.
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
