//! What a segment holds, as far as the protocol has to know.

use crate::names::{SessionId, Table};
use serde::{Deserialize, Serialize};

/// The rows of one session in one segment, as a claim that can be compared with what a
/// machine has: lines `from` to `to` of one source, whose record ids up to `to` have
/// this digest.
///
/// The digest is of ids, never of text: masked text differs between installations, and
/// a digest of unmasked text could be guessed.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Deserialize, Serialize)]
pub struct Entry {
    /// The session.
    pub session: SessionId,
    /// The transcript: the session's (empty) or an agent's.
    pub source: String,
    /// The first line.
    pub from: u64,
    /// The line behind the last.
    pub to: u64,
    /// Of the ids of all records of the source before `to`.
    pub digest: u64,
    /// The version of the rules that made the rows: of parsing and of masking.
    pub rules: u32,
}

/// Rows with the claim they fulfil.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Piece<R> {
    /// Which rows they are.
    pub entry: Entry,
    /// The rows.
    pub rows: R,
}

/// An object that is not a segment.
#[derive(Debug, thiserror::Error)]
#[error("not a segment of {}: {reason}", .table.as_str())]
pub struct FormatError {
    /// The table it should belong to.
    pub table: Table,
    /// What is wrong with it.
    pub reason: String,
}

/// How segments are encoded.
pub trait Format {
    /// Rows of one session.
    type Rows;

    /// The bytes of a segment. The same pieces give the same bytes.
    fn encode(&self, table: Table, pieces: &[Piece<Self::Rows>]) -> Result<Vec<u8>, FormatError>;

    /// The pieces of a segment.
    fn decode(&self, table: Table, bytes: &[u8]) -> Result<Vec<Piece<Self::Rows>>, FormatError>;

    /// The entries of a segment, without its rows.
    fn entries(&self, table: Table, bytes: &[u8]) -> Result<Vec<Entry>, FormatError>;

    /// The sums of calls by day, without those that are counted elsewhere. A call that
    /// comes several times counts once. The same calls give the same sums.
    fn sum_by_day(&self, calls: &[Self::Rows], elsewhere: &[Self::Rows]) -> Self::Rows;

    /// Whether the rows of a piece are of the project with this key.
    fn is_of_project(&self, piece: &Piece<Self::Rows>, key: &str) -> bool;

    /// The number of rows in a piece.
    fn count(&self, rows: &Self::Rows) -> u64;

    /// About how many bytes they take in memory.
    fn size(&self, rows: &Self::Rows) -> u64;
}
