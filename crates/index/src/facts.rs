//! Facts about files and sessions that callers derive, so that they need not read the
//! files again.
//!
//! The index stores them as bytes under the path of a file, with a digest of everything
//! they were derived from; it does not know what they mean. A caller computes the digest
//! of the present and uses facts only if it is the same. Like everything here they are a
//! cache: missing, damaged or outdated facts are derived again.
//!
//! Deliberately not here: how facts are derived and packed; see `facts` in the library.

use crate::database::IndexFolder;
use crate::failure::IndexError;
use crate::path_bytes;
use rusqlite::{Connection, params};
use std::collections::HashMap;
use std::path::Path;

/// A digest of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 16]);

impl Digest {
    /// The number of bytes.
    pub const LENGTH: usize = 16;

    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest::short(&blake3::hash(bytes))
    }

    /// A digest from its bytes.
    pub fn from_bytes(bytes: [u8; Self::LENGTH]) -> Digest {
        Digest(bytes)
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8; Self::LENGTH] {
        &self.0
    }

    fn short(hash: &blake3::Hash) -> Digest {
        Digest(hash.as_bytes().first_chunk().copied().unwrap_or_default())
    }

    fn of_path(path: &Path) -> Digest {
        Digest::of(&path_bytes::of(path))
    }
}

/// What facts are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactKind {
    /// The tool calls of a session.
    Calls,
    /// The files that a session read and changed.
    Touches,
    /// The prompts of a transcript.
    Prompts,
    /// The names of models, tools and types of sub-agents in a transcript.
    Names,
    /// The metadata of a transcript.
    Metadata,
    /// The totals of all sessions; not about a file.
    Sums,
    /// The API calls of all files, added up; not about a file.
    CallGroups,
    /// The ids of those calls; not about a file.
    CallIds,
    /// The turns that the prompts of a transcript begin.
    PromptTurns,
    /// The turns of the lines of a transcript.
    LineTurns,
    /// What lists need of the files of another app; stored under the app's folder.
    AppListings,
    /// The digests of values that were masked in a file.
    Values,
}

/// How the lines were masked before facts were derived from them. Facts of lines masked
/// in different ways are stored side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactMasking {
    /// Not at all.
    None,
    /// Credentials.
    Standard,
    /// Also addresses and names.
    Strict,
}

impl FactKind {
    /// Those about a file.
    const OF_FILES: [FactKind; 8] = [
        FactKind::Calls,
        FactKind::Touches,
        FactKind::Prompts,
        FactKind::Names,
        FactKind::Metadata,
        FactKind::PromptTurns,
        FactKind::LineTurns,
        FactKind::Values,
    ];

    /// The number in the database.
    fn number(self, masking: FactMasking) -> i64 {
        let kind = match self {
            FactKind::Calls => 0,
            FactKind::Touches => 1,
            FactKind::Prompts => 2,
            FactKind::Names => 3,
            FactKind::Metadata => 4,
            FactKind::Sums => 5,
            FactKind::CallGroups => 6,
            FactKind::CallIds => 7,
            FactKind::PromptTurns => 8,
            FactKind::LineTurns => 9,
            FactKind::AppListings => 10,
            FactKind::Values => 11,
        };
        let masking = match masking {
            FactMasking::None => 0,
            FactMasking::Standard => 1,
            FactMasking::Strict => 2,
        };
        kind << 2 | masking
    }
}

impl FactKind {
    /// Those about many files.
    const OF_MANY: [FactKind; 4] =
        [FactKind::Sums, FactKind::CallGroups, FactKind::CallIds, FactKind::AppListings];
}

impl FactMasking {
    const ALL: [FactMasking; 3] = [FactMasking::None, FactMasking::Standard, FactMasking::Strict];
}

/// Facts to store.
#[derive(Clone, Debug)]
pub struct NewFacts<'f> {
    /// The file they are stored under.
    pub path: &'f Path,
    /// The digest of everything they were derived from.
    pub origin: Digest,
    /// The packed facts.
    pub packed: Vec<u8>,
}

/// All stored facts of a kind.
#[derive(Debug, Default)]
pub struct StoredFacts {
    by_path: HashMap<Digest, (Digest, Vec<u8>)>,
}

impl StoredFacts {
    /// The facts stored under a path, if they were derived from this and are undamaged.
    pub fn find(&self, path: &Path, origin: Digest) -> Option<&[u8]> {
        let (known, bytes) = self.by_path.get(&Digest::of_path(path))?;
        if *known == origin { undamaged(bytes) } else { None }
    }

    /// All of them that are undamaged, whatever they were derived from.
    pub fn all(&self) -> impl Iterator<Item = &[u8]> {
        self.by_path.values().filter_map(|(_, bytes)| undamaged(bytes))
    }
}

fn undamaged(bytes: &[u8]) -> Option<&[u8]> {
    let (packed, check) = bytes.split_last_chunk::<{ Digest::LENGTH }>()?;
    (Digest::of(packed).0 == *check).then_some(packed)
}

pub(crate) fn read(
    folder: &IndexFolder,
    kind: FactKind,
    masking: FactMasking,
) -> Result<Option<StoredFacts>, IndexError> {
    let Some(connection) = folder.open_to_read()? else { return Ok(None) };
    let mut statement =
        connection.prepare("SELECT file, origin, packed FROM fact WHERE kind = ?")?;
    let rows = statement.query_map([kind.number(masking)], |row| {
        Ok((Digest(row.get(0)?), (Digest(row.get(1)?), row.get(2)?)))
    })?;
    Ok(Some(StoredFacts { by_path: rows.collect::<Result<_, _>>()? }))
}

/// Stores facts, if no other process is writing the index; says whether it did.
pub(crate) fn write(
    folder: &IndexFolder,
    masking: FactMasking,
    facts: &[(FactKind, Vec<NewFacts<'_>>)],
) -> Result<bool, IndexError> {
    // A new index is only created by what fills it.
    if folder.open_to_read()?.is_none() {
        return Ok(false);
    }
    let Some(_lock) = folder.lock()? else { return Ok(false) };
    let mut connection = folder.open_to_write(MEMORY)?;
    write_in(&mut connection, masking, facts)?;
    Ok(true)
}

/// Stores facts through a connection whose process has the lock.
pub(crate) fn write_in(
    connection: &mut Connection,
    masking: FactMasking,
    facts: &[(FactKind, Vec<NewFacts<'_>>)],
) -> rusqlite::Result<()> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let mut insert = transaction
        .prepare("INSERT OR REPLACE INTO fact (kind, file, origin, packed) VALUES (?, ?, ?, ?)")?;
    for (kind, facts) in facts {
        for one in facts {
            let mut packed = one.packed.clone();
            packed.extend(Digest::of(&one.packed).0);
            let file = Digest::of_path(one.path);
            insert.execute(params![kind.number(masking), file.0, one.origin.0, packed])?;
        }
    }
    drop(insert);
    transaction.commit()
}

/// The memory for writing facts, which are small.
const MEMORY: usize = 8 << 20;

/// Deletes the facts stored under the path of a file, by its id.
pub(crate) fn remove(connection: &Connection, file: i64) -> rusqlite::Result<()> {
    let path: Vec<u8> = connection
        .prepare_cached("SELECT path FROM file WHERE id = ?")?
        .query_row([file], |row| row.get(0))?;
    let file = Digest::of(&path);
    let mut delete = connection.prepare_cached("DELETE FROM fact WHERE kind = ? AND file = ?")?;
    for kind in FactKind::OF_FILES {
        for masking in FactMasking::ALL {
            delete.execute(params![kind.number(masking), file.0])?;
        }
    }
    Ok(())
}

/// Deletes the facts that are not about one file.
pub(crate) fn remove_of_many(connection: &Connection) -> rusqlite::Result<()> {
    let mut delete = connection.prepare_cached("DELETE FROM fact WHERE kind = ?")?;
    for kind in FactKind::OF_MANY {
        for masking in FactMasking::ALL {
            delete.execute([kind.number(masking)])?;
        }
    }
    Ok(())
}
