//! The embedded engine: segments come into a folder on this machine, which is laid out as
//! stores. No server is needed.

use crate::bucket::{Bucket, BucketError};
use crate::cache_files::{remove, remove_folder, write_whole};
use crate::chain::ChainError;
use crate::manifest::Segment;
use crate::names::{ChainName, Level, Owner, SegmentName, SessionId};
use crate::reading::chains::{AT_ONCE, ChainFinder, SegmentsByOwner};
use crate::reading::copies::{Copies, LaidOutCopy};
use crate::reading::engine::{Engine, OwnerView, Question, UnusableObject, View};
use crate::reading::layout::OwnerLayout;
use crate::reading::owner_store::lay_out;
use crate::reading::roll_up::roll_up;
use crate::reading::scope::Scope;
use crate::reading::segments::FetchedSegments;
use crate::segment::Format as _;
use crate::segment_file::ParquetFormat;
use futures_util::{StreamExt as _, stream};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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

/// The embedded engine.
#[derive(Debug)]
pub struct Reader<'a, B> {
    /// The lake.
    pub bucket: &'a B,
    /// Who reads.
    pub owner: Owner,
    /// The folder on this machine for everything that is read.
    pub folder: PathBuf,
    /// The time.
    pub now: Timestamp,
}

/// What was fetched for a question.
#[derive(Default)]
struct Fetched<'s> {
    usable: BTreeMap<&'s Owner, BTreeSet<SegmentName>>,
    unusable: Vec<UnusableObject>,
}

impl<B: Bucket> Engine for Reader<'_, B> {
    type Error = ReadLakeError;

    async fn view(&self, question: &Question, scope: &Scope) -> Result<View, ReadLakeError> {
        // A segment that is gone was replaced by a newer manifest, which is read then.
        for _ in 0..5 {
            if let Some(view) = self.attempt(question, scope).await? {
                let folder = view_folder(&self.folder, question, scope);
                keep(&folder, &view).map_err(|source| io_error(&folder, source))?;
                return Ok(view);
            }
        }
        Err(ReadLakeError::Restless)
    }
}

impl<B: Bucket> Reader<'_, B> {
    async fn attempt(
        &self,
        question: &Question,
        scope: &Scope,
    ) -> Result<Option<View>, ReadLakeError> {
        let finder = ChainFinder { bucket: self.bucket, reader: &self.owner };
        let mut unusable = Vec::new();
        let by_owner = finder.segments(question, scope, &mut unusable).await?;
        let folder = view_folder(&self.folder, question, scope);
        let segments = FetchedSegments::new(folder.join("segments"));
        let Some(fetched) = self.fetch(&by_owner, &segments).await? else { return Ok(None) };
        unusable.extend(fetched.unusable);
        let owners = self
            .lay_out(question, &folder, &segments, &fetched.usable, &mut unusable)
            .map_err(|source| io_error(&folder, source))?;
        let names: HashSet<&str> = fetched.usable.keys().map(|owner| owner.as_str()).collect();
        let kept: HashSet<SegmentName> = fetched.usable.values().flatten().cloned().collect();
        remove_others(&folder.join("stores"), &names)
            .and_then(|()| remove_others(&folder.join("days"), &names))
            .and_then(|()| segments.keep_only(&kept))
            .map_err(|source| io_error(&folder, source))?;
        Ok(Some(View { home: folder.join("home"), owners, unusable, as_of: self.now }))
    }

    /// Lays out what was fetched.
    fn lay_out(
        &self,
        question: &Question,
        folder: &Path,
        segments: &FetchedSegments,
        usable: &BTreeMap<&Owner, BTreeSet<SegmentName>>,
        unusable: &mut Vec<UnusableObject>,
    ) -> io::Result<Vec<OwnerView>> {
        let mut owners = Vec::new();
        let mut stores = Vec::new();
        let copies = Copies::put_back(folder)?;
        for (owner, names) in usable {
            if question.is_usage() && **owner != self.owner {
                owners.push(sums_of(folder, owner, segments, names, unusable)?);
                continue;
            }
            let layout = OwnerLayout::new(folder.join("stores").join(owner.as_str()));
            let laid_out = lay_out(&layout, segments, names, unusable)?;
            owners.push(OwnerView {
                owner: (*owner).clone(),
                root: Some(layout.root().to_owned()),
                days: None,
                sessions: laid_out.count(),
                with_metadata: laid_out.count_at(Level::Metadata),
                with_text: laid_out.count_at(Level::Text),
            });
            stores.push((*owner, layout, laid_out));
        }
        let mut sessions: BTreeMap<&SessionId, Vec<LaidOutCopy<'_>>> = BTreeMap::new();
        for (owner, layout, laid_out) in &stores {
            for (session, project) in laid_out.sessions() {
                let project = layout.root().join("projects").join(project);
                sessions.entry(session).or_default().push(LaidOutCopy { owner, project });
            }
        }
        copies.set_aside(folder, &self.owner, &sessions)?;
        Ok(owners)
    }

    /// Brings the segments that are not here. `None` if one is gone from the lake.
    async fn fetch<'s>(
        &self,
        by_owner: &'s SegmentsByOwner,
        segments: &FetchedSegments,
    ) -> Result<Option<Fetched<'s>>, ReadLakeError> {
        let mut fetched = Fetched::default();
        let all = by_owner.iter().flat_map(|(owner, own)| own.iter().map(move |it| (owner, it)));
        // An owner without segments may have had some.
        fetched.usable.extend(by_owner.keys().map(|owner| (owner, BTreeSet::new())));
        let requests = stream::iter(all).map(|(owner, (chain, segment))| async move {
            (owner, segment, self.fetch_one(segments, chain, segment).await)
        });
        let mut requests = requests.buffered(AT_ONCE);
        while let Some((owner, segment, outcome)) = requests.next().await {
            match outcome? {
                Outcome::Here => {
                    fetched.usable.entry(owner).or_default().insert(segment.name.clone());
                }
                Outcome::Unusable(object) => fetched.unusable.push(object),
                Outcome::Gone => return Ok(None),
            }
        }
        Ok(Some(fetched))
    }

    async fn fetch_one(
        &self,
        segments: &FetchedSegments,
        chain: &ChainName,
        segment: &Segment,
    ) -> Result<Outcome, ReadLakeError> {
        if segments.has(&segment.name) {
            return Ok(Outcome::Here);
        }
        let name = chain.segment(&segment.name);
        let bytes = match self.bucket.get_at_most(&name, segment.bytes).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(Outcome::Gone),
            Err(error) if error.is_oversized => {
                return Ok(Outcome::Unusable(UnusableObject { name, reason: error.reason }));
            }
            Err(error) => return Err(error.into()),
        };
        if let Err(reason) = check(segments, segment, &bytes) {
            return Ok(Outcome::Unusable(UnusableObject { name, reason }));
        }
        let kept = segments.keep(&segment.name, &bytes);
        kept.map_err(|source| io_error(&self.folder, source))?;
        Ok(Outcome::Here)
    }
}

/// What became of a segment.
enum Outcome {
    Here,
    Gone,
    Unusable(UnusableObject),
}

/// The view that an engine kept for a question, for when the lake cannot be asked.
pub fn kept_view(folder: &Path, question: &Question, scope: &Scope) -> Option<View> {
    let bytes = fs::read(view_folder(folder, question, scope).join("view.json")).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn keep(folder: &Path, view: &View) -> io::Result<()> {
    write_whole(&folder.join("view.json"), &serde_json::to_vec(view)?)
}

/// Usage has a folder of its own: it needs no text.
fn view_folder(folder: &Path, question: &Question, scope: &Scope) -> PathBuf {
    let kind = if question.is_usage() { "usage" } else { "sessions" };
    folder.join(scope.to_string().replace(':', "-")).join(kind)
}

fn io_error(path: &Path, source: io::Error) -> ReadLakeError {
    ReadLakeError::Io { path: path.to_owned(), source }
}

fn check(segments: &FetchedSegments, segment: &Segment, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() as u64 != segment.bytes {
        return Err(format!("it has {} bytes instead of {}", bytes.len(), segment.bytes));
    }
    if !segment.name.fits(bytes) {
        return Err("its bytes are not the ones its name says".to_owned());
    }
    let entries = || ParquetFormat.entries(segment.name.table, bytes);
    segments.guarded(&segment.name, entries).map(drop)
}

fn sums_of(
    folder: &Path,
    owner: &Owner,
    segments: &FetchedSegments,
    names: &BTreeSet<SegmentName>,
    unusable: &mut Vec<UnusableObject>,
) -> io::Result<OwnerView> {
    let file = folder.join("days").join(owner.as_str());
    roll_up(&file, segments, names, unusable)?;
    Ok(OwnerView {
        owner: owner.clone(),
        root: None,
        days: Some(file),
        sessions: 0,
        with_metadata: 0,
        with_text: 0,
    })
}

/// Deletes what is left of owners who share nothing any more.
fn remove_others(folder: &Path, owners: &HashSet<&str>) -> io::Result<()> {
    let Ok(listed) = fs::read_dir(folder) else { return Ok(()) };
    for entry in listed {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| owners.contains(name)) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            remove_folder(&entry.path())?;
        } else {
            remove(&entry.path())?;
        }
    }
    Ok(())
}
