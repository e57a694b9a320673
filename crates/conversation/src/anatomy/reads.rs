//! Files that stand in the window more than once.

use super::Size;
use super::weigh::Piece;
use std::collections::{BTreeMap, HashSet};

/// A reading of a file: which, and what part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) path: String,
    /// The part as it was asked for; none if it was the whole file.
    pub(super) part: Option<String>,
}

/// A file whose earlier readings a later one repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedRead {
    /// The file.
    pub path: String,
    /// How often it was read, in whole or in part.
    pub reads: u64,
    /// The readings that a later one repeats: of the same part, or of the whole.
    pub repeated: Size,
}

pub(super) fn repeated(pieces: &[Piece], sizes: &[Size]) -> Vec<RepeatedRead> {
    let mut files: BTreeMap<&str, Vec<(Option<&str>, Size)>> = BTreeMap::new();
    for (piece, size) in pieces.iter().zip(sizes) {
        let Some(reading) = &piece.reading else { continue };
        let part = reading.part.as_deref();
        files.entry(&reading.path).or_default().push((part, *size));
    }
    let mut found: Vec<RepeatedRead> = files
        .into_iter()
        .map(|(path, readings)| {
            let mut repeated = Size::default();
            // From the last one back: the parts that were read again.
            let mut later: HashSet<Option<&str>> = HashSet::new();
            for (part, size) in readings.iter().rev() {
                if later.contains(&None) || !later.insert(*part) {
                    repeated.add(*size);
                }
            }
            RepeatedRead { path: path.to_owned(), reads: readings.len() as u64, repeated }
        })
        .filter(|file| file.repeated.count > 0)
        .collect();
    found.sort_by_key(|file| std::cmp::Reverse(file.repeated.tokens));
    found
}
