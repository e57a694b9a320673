//! Lines that cannot be read as they should.

use std::path::PathBuf;
use transcript::Reason;

/// Damage in a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// Where in the file.
    pub offset: u64,
    /// What is wrong.
    pub reason: Reason,
}

/// A file with more problems than are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedDamage {
    /// The file.
    pub path: PathBuf,
    /// How many more there are.
    pub count: u64,
}

/// The most problems of one file that are listed; the others are counted. A file can have as
/// many as it has bytes.
pub(crate) const LISTED_DAMAGE: usize = 1000;
