//! The embedded engine: segments come into a folder on this machine, which is laid out as
//! stores. No server is needed.

use crate::bucket::{Bucket, BucketError};
use crate::chain::ChainError;
use crate::manifest::Segment;
use crate::names::{ChainName, Owner, SegmentName};
use crate::reading::ViewFolder;
use crate::reading::chains::{AT_ONCE, ChainFinder, SegmentsByOwner};
use crate::reading::engine::{Engine, UnusableObject, View};
use crate::reading::scope::Scope;
use crate::reading::segments::FetchedSegments;
use crate::segment::Format as _;
use crate::segment_file::{MAX_FILE, ParquetFormat};
use crate::strange_names::WithoutStrangeNames;
use document::LakeQuestion;
use futures_util::{StreamExt as _, stream};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use tokio::sync::Semaphore;

/// How many MiB of objects are fetched at once.
const FETCHED_MEBIBYTES: u32 = 128;

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

    async fn view(&self, question: &LakeQuestion, scope: &Scope) -> Result<View, ReadLakeError> {
        // A segment that is gone was replaced by a newer manifest, which is read then.
        for attempt in 0..5 {
            if let Some(view) = self.attempt(question, scope, attempt == 0).await? {
                return Ok(view);
            }
        }
        Err(ReadLakeError::Restless)
    }
}

impl<B: Bucket> Reader<'_, B> {
    async fn attempt(
        &self,
        question: &LakeQuestion,
        scope: &Scope,
        trusts_known: bool,
    ) -> Result<Option<View>, ReadLakeError> {
        let folder = ViewFolder::new(&self.folder, question, scope);
        let known = folder.known_heads();
        let bucket = WithoutStrangeNames::new(self.bucket);
        let finder =
            ChainFinder { bucket: &bucket, reader: &self.owner, known: &known, trusts_known };
        let mut unusable = Vec::new();
        let by_owner = finder.segments(question, scope, &mut unusable).await?;
        unusable.extend(bucket.unusable());
        let Some(fetched) = self.fetch(&by_owner, &folder.segments()).await? else {
            return Ok(None);
        };
        unusable.extend(fetched.unusable);
        let view = folder.view(question, &self.owner, &fetched.usable, unusable, self.now);
        view.map(Some).map_err(|source| io_error(folder.path(), source))
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
        let memory = &Semaphore::new(FETCHED_MEBIBYTES as usize);
        let requests = stream::iter(all).map(|(owner, (chain, segment))| async move {
            // Many small objects at once, or few large ones.
            let mebibytes = u32::try_from(segment.bytes >> 20).unwrap_or(FETCHED_MEBIBYTES);
            let _memory = memory.acquire_many(mebibytes.clamp(1, FETCHED_MEBIBYTES)).await;
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
        if segment.bytes > MAX_FILE {
            let reason = format!("it is too large: it has more than {} MiB", MAX_FILE >> 20);
            return Ok(Outcome::Unusable(UnusableObject { name, reason }));
        }
        let bytes = match self.bucket.get_at_most(&name, segment.bytes).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(Outcome::Gone),
            Err(error) if error.is_fault_of_object => {
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
pub fn kept_view(folder: &Path, question: &LakeQuestion, scope: &Scope) -> Option<View> {
    ViewFolder::new(folder, question, scope).kept()
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
