//! Frames that can no longer be read, and how they are stored again.

use super::Writer;
use crate::archive;
use crate::frame::Hash;
use crate::layout::Layout;
use crate::notes;
use crate::state::{Location, StoredBytes};
use std::collections::{HashMap, HashSet};
use std::fs;

impl Writer {
    /// The frames that can no longer be read: the last verification found them
    /// damaged, or their file is missing or truncated.
    pub(crate) fn lost_frames(&self) -> HashSet<Hash> {
        let noted = notes::last_verify(self.layout.folder()).map(|note| note.damaged);
        let noted = noted.unwrap_or_default();
        let mut lost: HashSet<Hash> = noted.iter().filter_map(|hash| Hash::parse(hash)).collect();
        let mut lengths: HashMap<u32, u64> = HashMap::new();
        for (hash, spot) in &self.state.spots {
            let path = |layout: &Layout| match spot.location {
                Location::Loose => layout.loose(*hash),
                Location::Pack { number, .. } => layout.pack(number),
            };
            let length = || fs::metadata(path(&self.layout)).map_or(0, |metadata| metadata.len());
            let is_there = match spot.location {
                Location::Loose => length() == spot.stored,
                Location::Pack { number, at } => {
                    *lengths.entry(number).or_insert_with(length) >= at + spot.stored
                }
            };
            if !is_there {
                lost.insert(*hash);
            }
        }
        lost.retain(|hash| self.state.spots.contains_key(hash));
        lost
    }

    /// Allows frames to be stored again.
    pub(crate) fn distrust(&mut self, lost: &HashSet<Hash>) -> Vec<(Hash, StoredBytes)> {
        let spots = &mut self.state.spots;
        lost.iter().filter_map(|hash| Some((*hash, spots.remove(hash)?))).collect()
    }

    /// Restores the old locations of frames that were not stored again. Returns
    /// how many were stored again.
    pub(crate) fn trust(&mut self, spots: Vec<(Hash, StoredBytes)>) -> usize {
        let count = spots.len();
        let spots = spots.into_iter().filter(|(hash, _)| !self.has(*hash));
        let spots: Vec<_> = spots.collect();
        let mended = count - spots.len();
        self.state.spots.extend(spots);
        mended
    }

    /// Drops changed spare ranges: nothing needs them, so they should not cause
    /// warnings forever. Returns whether there were any.
    pub(crate) fn give_up_bad_spare(&mut self) -> bool {
        let count = self.state.spare.len();
        let layout = &self.layout;
        let none = Hash::of(b"");
        self.state.spare.retain(|spot| archive::read_stored(layout, none, spot).is_ok());
        self.state.spare.len() < count
    }
}
