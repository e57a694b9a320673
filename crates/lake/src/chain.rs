//! One chain in a bucket: its newest manifest, the next one, and what can go.

use crate::bucket::{Bucket, BucketError, Created};
use crate::manifest::{Manifest, ManifestError};
use crate::names::{ChainName, ManifestNumber, SegmentName};
use std::collections::HashSet;

/// Older manifests are deleted. A reader that has just listed them can still read one.
const MANIFESTS_TO_KEEP: usize = 3;
/// How often a reader lists again because the manifest it had chosen was deleted.
const MAX_LISTINGS: usize = 20;

/// Why a chain cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// A request failed.
    #[error(transparent)]
    Bucket(#[from] BucketError),
    /// Its newest manifest cannot be used.
    #[error("{name}: {source}")]
    Manifest {
        /// The object.
        name: String,
        /// What is wrong.
        source: ManifestError,
    },
    /// Its manifests were deleted faster than they could be read.
    #[error("{0}: the manifests change too fast to be read")]
    Restless(String),
    /// All numbers are used.
    #[error("{0}: no manifest number is left")]
    Full(String),
}

/// The newest manifest of a chain.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ChainHead {
    /// Its number; [`ManifestNumber::NONE`] if the chain is empty.
    pub number: ManifestNumber,
    /// The manifest; an empty one if the chain is empty.
    pub manifest: Manifest,
}

/// What [`Chain::collect`] did.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Collected {
    /// Segments deleted.
    pub deleted: u64,
    /// Whether segments lie under a number that no manifest has yet: a push is under way,
    /// or one has died.
    pub has_unfinished: bool,
}

/// A chain in a bucket.
#[derive(Debug)]
pub struct Chain<'a, B> {
    pub(crate) bucket: &'a B,
    pub(crate) name: ChainName,
}

impl<'a, B: Bucket> Chain<'a, B> {
    /// The chain with this name.
    pub fn new(bucket: &'a B, name: ChainName) -> Self {
        Chain { bucket, name }
    }

    /// Its newest manifest.
    pub async fn head(&self) -> Result<ChainHead, ChainError> {
        self.head_since(None).await
    }

    /// Its newest manifest, if `known` was once the newest. One request if it still is.
    pub async fn head_since(&self, known: Option<ChainHead>) -> Result<ChainHead, ChainError> {
        // The known one itself is listed too: without it the chain is not the one that was
        // known, but one in a bucket that was emptied.
        let known = known.filter(|head| head.number != ManifestNumber::NONE);
        if let Some(known) = known {
            let numbers = self.manifest_numbers(known.number.previous()).await?;
            match numbers.last() {
                Some(newest) if *newest == known.number => return Ok(known),
                _ => {}
            }
        }
        for _ in 0..MAX_LISTINGS {
            let Some(number) = self.manifest_numbers(ManifestNumber::NONE).await?.pop() else {
                return Ok(ChainHead::default());
            };
            let name = self.name.manifest(number);
            // Deleted since it was listed: newer ones have come.
            let limit = Manifest::MAX_BYTES as u64;
            let Some(bytes) = self.bucket.get_at_most(&name, limit).await? else { continue };
            let manifest =
                Manifest::parse(&bytes).map_err(|source| ChainError::Manifest { name, source })?;
            return Ok(ChainHead { number, manifest });
        }
        Err(ChainError::Restless(self.name.prefix()))
    }

    /// Adds a manifest behind `previous`. `None` if another writer was faster.
    pub async fn append(
        &self,
        previous: ManifestNumber,
        manifest: Manifest,
    ) -> Result<Option<ChainHead>, ChainError> {
        let number = previous.next().ok_or_else(|| ChainError::Full(self.name.prefix()))?;
        let name = self.name.manifest(number);
        let bytes = manifest.to_bytes();
        let is_ours = match self.bucket.create(&name, bytes.clone()).await? {
            Created::New => true,
            // Equal bytes: it is ours and the answer to an earlier request was lost, or
            // a copy of this home wrote the same, which is as good.
            Created::Exists => self.bucket.get(&name).await?.is_some_and(|there| there == bytes),
        };
        Ok(is_ours.then_some(ChainHead { number, manifest }))
    }

    /// Deletes the segments that no manifest can name any more, and old manifests.
    ///
    /// A segment is first named by the manifest whose number it carries, and once dropped
    /// it is never named again. So everything up to the number of any manifest that was
    /// ever the newest, and not in it, can go, whatever others are writing meanwhile.
    pub async fn collect(&self, head: &ChainHead) -> Result<Collected, ChainError> {
        let named: HashSet<&SegmentName> =
            head.manifest.segments.iter().map(|segment| &segment.name).collect();
        let prefix = self.name.segments();
        let mut collected = Collected::default();
        for name in self.bucket.list(&prefix, None).await? {
            // Objects of other programs are none of our business.
            let parsed: Option<SegmentName> =
                name.strip_prefix(&prefix).and_then(|name| name.parse().ok());
            let Some(segment) = parsed else { continue };
            if named.contains(&segment) {
                continue;
            }
            if segment.number > head.number {
                collected.has_unfinished = true;
                continue;
            }
            self.bucket.delete(&self.name.segment(&segment)).await?;
            collected.deleted += 1;
        }
        let mut numbers = self.manifest_numbers(ManifestNumber::NONE).await?;
        numbers.truncate(numbers.len().saturating_sub(MANIFESTS_TO_KEEP));
        for number in numbers {
            self.bucket.delete(&self.name.manifest(number)).await?;
        }
        Ok(collected)
    }

    /// The numbers of its manifests behind `after`, in order.
    async fn manifest_numbers(
        &self,
        after: ManifestNumber,
    ) -> Result<Vec<ManifestNumber>, ChainError> {
        let prefix = self.name.manifests();
        let after = (after != ManifestNumber::NONE).then(|| self.name.manifest(after));
        let names = self.bucket.list(&prefix, after.as_deref()).await?;
        let number =
            |name: &String| name.strip_prefix(&prefix)?.strip_suffix(".json")?.parse().ok();
        Ok(names.iter().filter_map(number).collect())
    }
}
