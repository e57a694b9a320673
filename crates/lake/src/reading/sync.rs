//! Brings what may be read into this machine's folder.

use crate::bucket::{Bucket, BucketError};
use crate::cache_files::{remove_folder, write_whole};
use crate::chain::{Chain, ChainError};
use crate::manifest::Segment;
use crate::names::{Audience, ChainName, Installation, Owner, SegmentName, SessionId};
use crate::reading::layout::{OwnerLayout, SessionRows};
use crate::reading::scope::Scope;
use crate::reading::segments::FetchedSegments;
use crate::segment::Format as _;
use crate::segment_file::ParquetFormat;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::PathBuf;

/// How many sessions are held in memory at once.
const SESSIONS_AT_ONCE: usize = 64;
/// The state of an owner's store. A new number lays everything out again.
const LAYOUT_VERSION: u32 = 1;

/// Why the lake cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadLakeError {
    /// A chain cannot be read.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// A request failed.
    #[error(transparent)]
    Bucket(#[from] BucketError),
    /// The folder on this machine cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The lake changed too often while it was read.
    #[error("the lake changes faster than it can be read; try again")]
    Restless,
}

/// An object that cannot be used. The others are.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnusableObject {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

/// The store of one owner.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OwnerStore {
    /// Whose sessions it has.
    pub owner: Owner,
    /// Where it is.
    pub root: PathBuf,
    /// How many sessions it has.
    pub sessions: usize,
    /// Of these, the ones with lines, not only usage.
    pub with_text: usize,
}

/// What [`Reader::sync`] brought.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SyncReport {
    /// The stores, in order of their owners.
    pub stores: Vec<OwnerStore>,
    /// Segments fetched.
    pub fetched: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Objects that cannot be used.
    pub unusable: Vec<UnusableObject>,
}

/// What an owner's store was made of.
#[derive(Debug, Default, Deserialize, Serialize)]
struct LaidOut {
    version: u32,
    segments: BTreeSet<SegmentName>,
    /// The project folder of each session, and whether it has text.
    sessions: BTreeMap<SessionId, (String, bool)>,
}

/// Reads a lake.
#[derive(Debug)]
pub struct Reader<'a, B> {
    /// The lake.
    pub bucket: &'a B,
    /// Who reads.
    pub owner: Owner,
    /// The folder on this machine for everything that is read.
    pub folder: PathBuf,
}

type SegmentsByOwner = BTreeMap<Owner, Vec<(ChainName, Segment)>>;

impl<B: Bucket> Reader<'_, B> {
    /// Brings what a scope has, and lays it out as stores.
    pub async fn sync(&self, scope: &Scope) -> Result<SyncReport, ReadLakeError> {
        // A segment that is gone was replaced by a newer manifest, which is read then.
        for _ in 0..5 {
            if let Some(report) = self.attempt(scope).await? {
                return Ok(report);
            }
        }
        Err(ReadLakeError::Restless)
    }

    async fn attempt(&self, scope: &Scope) -> Result<Option<SyncReport>, ReadLakeError> {
        let by_owner = self.segments(scope).await?;
        let folder = self.folder.join(scope.to_string().replace(':', "-"));
        let fetched = FetchedSegments::new(folder.join("segments"));
        let mut report = SyncReport::default();
        let mut usable: BTreeMap<&Owner, BTreeSet<SegmentName>> = BTreeMap::new();
        for (owner, segments) in &by_owner {
            let names = usable.entry(owner).or_default();
            for (chain, segment) in segments {
                if !fetched.has(&segment.name) {
                    let object = chain.segment(&segment.name);
                    let bytes = self.bucket.get_at_most(&object, segment.bytes).await?;
                    let Some(bytes) = bytes else { return Ok(None) };
                    if let Err(reason) = check(segment, &bytes) {
                        report.unusable.push(UnusableObject { name: object, reason });
                        continue;
                    }
                    fetched
                        .keep(&segment.name, &bytes)
                        .map_err(|source| io_error(&folder, source))?;
                    report.fetched += 1;
                    report.bytes += bytes.len() as u64;
                }
                names.insert(segment.name.clone());
            }
        }
        for (owner, names) in &usable {
            let layout = OwnerLayout::new(folder.join("stores").join(owner.as_str()));
            let laid_out = lay_out(&layout, &fetched, names, &mut report.unusable)
                .map_err(|source| io_error(layout.root(), source))?;
            report.stores.push(OwnerStore {
                owner: (*owner).clone(),
                root: layout.root().to_owned(),
                sessions: laid_out.sessions.len(),
                with_text: laid_out.sessions.values().filter(|(_, has_text)| *has_text).count(),
            });
        }
        let owners: HashSet<&str> = usable.keys().map(|owner| owner.as_str()).collect();
        let kept: HashSet<SegmentName> = usable.values().flatten().cloned().collect();
        remove_other_stores(&folder.join("stores"), &owners)
            .and_then(|()| fetched.keep_only(&kept))
            .map_err(|source| io_error(&folder, source))?;
        Ok(Some(report))
    }

    /// The segments of all chains in a scope.
    async fn segments(&self, scope: &Scope) -> Result<SegmentsByOwner, ReadLakeError> {
        let mut by_owner = SegmentsByOwner::new();
        let mut chains = Vec::new();
        match scope.audience() {
            Some(audience) => {
                let prefix = ChainName::audience_prefix(&audience);
                for folder in self.bucket.folders(&prefix).await? {
                    let Ok(owner) = folder.parse::<Owner>() else { continue };
                    chains.extend(self.chains_of(&audience, &owner).await?);
                }
            }
            None => {
                for chain in self.chains_of(&Audience::Private, &self.owner).await? {
                    let head = Chain::new(self.bucket, chain.clone()).head().await?;
                    for audience in &head.manifest.audiences {
                        chains.push(ChainName { audience: audience.clone(), ..chain.clone() });
                    }
                    chains.push(chain);
                }
            }
        }
        for chain in chains {
            let head = Chain::new(self.bucket, chain.clone()).head().await?;
            let segments = by_owner.entry(chain.owner.clone()).or_default();
            segments.extend(head.manifest.segments.into_iter().map(|one| (chain.clone(), one)));
        }
        Ok(by_owner)
    }

    /// The chains of an owner for an audience, one for each installation.
    async fn chains_of(
        &self,
        audience: &Audience,
        owner: &Owner,
    ) -> Result<Vec<ChainName>, ReadLakeError> {
        let folders = self.bucket.folders(&ChainName::owner_prefix(audience, owner)).await?;
        let installations = folders.iter().filter_map(|name| name.parse::<Installation>().ok());
        let chain = |installation| ChainName {
            audience: audience.clone(),
            owner: owner.clone(),
            installation,
        };
        Ok(installations.map(chain).collect())
    }
}

fn io_error(path: &std::path::Path, source: io::Error) -> ReadLakeError {
    ReadLakeError::Io { path: path.to_owned(), source }
}

fn check(segment: &Segment, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() as u64 != segment.bytes {
        return Err(format!("it has {} bytes instead of {}", bytes.len(), segment.bytes));
    }
    if !segment.name.fits(bytes) {
        return Err("its bytes are not the ones its name says".to_owned());
    }
    let entries = ParquetFormat.entries(segment.name.table, bytes);
    entries.map(drop).map_err(|error| error.to_string())
}

/// Lays out the sessions of segments that are new or gone.
fn lay_out(
    layout: &OwnerLayout,
    fetched: &FetchedSegments,
    segments: &BTreeSet<SegmentName>,
    unusable: &mut Vec<UnusableObject>,
) -> io::Result<LaidOut> {
    let state = layout.root().join("lake.json");
    let known = fs::read(&state).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut known: LaidOut = known.unwrap_or_default();
    if known.version != LAYOUT_VERSION {
        remove_folder(layout.root())?;
        known = LaidOut { version: LAYOUT_VERSION, ..LaidOut::default() };
    }
    if known.segments == *segments {
        return Ok(known);
    }
    let mut sessions_of: HashMap<&SegmentName, Vec<SessionId>> = HashMap::new();
    for name in segments.union(&known.segments) {
        let Some(bytes) = fetched.get(name) else { continue };
        match ParquetFormat.entries(name.table, &bytes) {
            Ok(entries) => {
                let sessions = entries.into_iter().map(|entry| entry.session).collect();
                sessions_of.insert(name, sessions);
            }
            Err(error) => {
                unusable.push(UnusableObject { name: name.to_string(), reason: error.to_string() });
            }
        }
    }
    let changed: BTreeSet<&SessionId> = segments
        .symmetric_difference(&known.segments)
        .filter_map(|name| sessions_of.get(name))
        .flatten()
        .collect();
    let changed: Vec<&SessionId> = changed.into_iter().collect();
    for sessions in changed.chunks(SESSIONS_AT_ONCE) {
        let wanted: HashSet<&SessionId> = sessions.iter().copied().collect();
        let mut rows: HashMap<SessionId, SessionRows> = HashMap::new();
        for name in segments {
            let has =
                sessions_of.get(name).is_some_and(|has| has.iter().any(|id| wanted.contains(id)));
            if !has {
                continue;
            }
            let Some(bytes) = fetched.get(name) else { continue };
            match ParquetFormat.decode(name.table, &bytes) {
                Ok(pieces) => {
                    for piece in
                        pieces.into_iter().filter(|piece| wanted.contains(&piece.entry.session))
                    {
                        rows.entry(piece.entry.session).or_default().add(piece.rows);
                    }
                }
                Err(error) => unusable
                    .push(UnusableObject { name: name.to_string(), reason: error.to_string() }),
            }
        }
        for session in sessions {
            let own = rows.remove(*session).unwrap_or_default();
            let before = known.sessions.remove(*session).map(|(folder, _)| folder);
            if let Some(folder) = layout.lay_out(session, before.as_deref(), &own)? {
                known.sessions.insert((*session).clone(), (folder, own.has_text()));
            }
        }
    }
    known.segments.clone_from(segments);
    let bytes = serde_json::to_vec(&known)?;
    write_whole(&state, &bytes)?;
    Ok(known)
}

/// Deletes the stores of owners who share nothing any more.
fn remove_other_stores(folder: &std::path::Path, owners: &HashSet<&str>) -> io::Result<()> {
    let Ok(listed) = fs::read_dir(folder) else { return Ok(()) };
    for entry in listed {
        let entry = entry?;
        if !entry.file_name().to_str().is_some_and(|name| owners.contains(name)) {
            remove_folder(&entry.path())?;
        }
    }
    Ok(())
}
