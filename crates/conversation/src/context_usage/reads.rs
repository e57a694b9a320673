//! Files that are in the window more than once.

use super::Size;
use super::pieces::Piece;
use std::collections::{BTreeMap, HashSet};

/// A read of a file, or of a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileRead {
    pub(super) path: String,
    /// The requested part; `None` for the whole file.
    pub(super) part: Option<String>,
}

/// A file with reads that a later read repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedRead {
    /// The file.
    pub path: String,
    /// How often it was read, in whole or in part.
    pub reads: u64,
    /// The reads that a later read of the same part, or of the whole file, repeats.
    pub repeated: Size,
}

pub(super) fn repeated(pieces: &[Piece], sizes: &[Size]) -> Vec<RepeatedRead> {
    let mut files: BTreeMap<&str, Vec<(Option<&str>, Size)>> = BTreeMap::new();
    for (piece, size) in pieces.iter().zip(sizes) {
        let Some(file_read) = &piece.file_read else { continue };
        let part = file_read.part.as_deref();
        files.entry(&file_read.path).or_default().push((part, *size));
    }
    let mut found: Vec<RepeatedRead> = files
        .into_iter()
        .map(|(path, reads)| {
            let mut repeated = Size::default();
            // From the last read backwards: the parts that were read later.
            let mut later: HashSet<Option<&str>> = HashSet::new();
            for (part, size) in reads.iter().rev() {
                if later.contains(&None) || !later.insert(*part) {
                    repeated.add(*size);
                }
            }
            RepeatedRead { path: path.to_owned(), reads: reads.len() as u64, repeated }
        })
        .filter(|file| file.repeated.count > 0)
        .collect();
    found.sort_by_key(|file| std::cmp::Reverse(file.repeated.tokens));
    found
}
