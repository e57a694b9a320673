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
    /// A folder of chains cannot be listed.
    #[error("{prefix}: {reason}")]
    Unlisted {
        /// The folder.
        prefix: String,
        /// Why.
        reason: String,
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

    /// Whether a manifest is the newest. Who has created one knows that only from looking
    /// again: a writer that was held up for long can create one whose number was used and
    /// deleted before.
    pub async fn is_newest(&self, number: ManifestNumber) -> Result<bool, ChainError> {
        let newest = self.manifest_numbers(number.previous()).await?.pop();
        Ok(newest.unwrap_or_default() == number)
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

    /// Deletes the segments that no manifest can name any more, and old manifests. `None` if
    /// `head` is not the newest manifest: nothing is deleted then.
    ///
    /// A segment is first named by the manifest whose number it carries, and once dropped
    /// it is never named again. So everything up to the number of any manifest that was
    /// ever the newest, and not in it, can go, whatever others are writing meanwhile.
    ///
    /// Whether it was ever the newest is not known from having created it: a writer that was
    /// held up for long can create a manifest whose number was used and deleted before, and
    /// what it does not name may be what newer ones do.
    pub async fn collect(&self, head: &ChainHead) -> Result<Option<Collected>, ChainError> {
        self.collect_if(head, |newest| newest == head.number).await
    }

    /// The same, if `is_newest` says so about the newest number there is.
    pub(crate) async fn collect_if(
        &self,
        head: &ChainHead,
        is_newest: impl Fn(ManifestNumber) -> bool,
    ) -> Result<Option<Collected>, ChainError> {
        let mut numbers: Vec<ManifestNumber> = Vec::new();
        let mut segments: Vec<SegmentName> = Vec::new();
        let (manifest_prefix, segment_prefix) = (self.name.manifests(), self.name.segments());
        for name in self.bucket.list(&self.name.prefix(), None).await? {
            // Objects of other programs are none of our business.
            numbers.extend(number_of(&manifest_prefix, &name));
            let segment = name.strip_prefix(&segment_prefix).and_then(|name| name.parse().ok());
            segments.extend(segment);
        }
        numbers.sort_unstable();
        if !is_newest(numbers.last().copied().unwrap_or_default()) {
            return Ok(None);
        }
        let named: HashSet<&SegmentName> =
            head.manifest.segments.iter().map(|segment| &segment.name).collect();
        let mut collected = Collected::default();
        for segment in segments.iter().filter(|segment| !named.contains(segment)) {
            if segment.number > head.number {
                collected.has_unfinished = true;
                continue;
            }
            self.bucket.delete(&self.name.segment(segment)).await?;
            collected.deleted += 1;
        }
        numbers.truncate(numbers.len().saturating_sub(MANIFESTS_TO_KEEP));
        for number in numbers {
            self.bucket.delete(&self.name.manifest(number)).await?;
        }
        Ok(Some(collected))
    }

    /// The numbers of its manifests behind `after`, in order.
    async fn manifest_numbers(
        &self,
        after: ManifestNumber,
    ) -> Result<Vec<ManifestNumber>, ChainError> {
        let prefix = self.name.manifests();
        let after = (after != ManifestNumber::NONE).then(|| self.name.manifest(after));
        let names = self.bucket.list(&prefix, after.as_deref()).await?;
        Ok(names.iter().filter_map(|name| number_of(&prefix, name)).collect())
    }
}

/// The number of the manifest with this name.
pub(crate) fn number_of(prefix: &str, name: &str) -> Option<ManifestNumber> {
    name.strip_prefix(prefix)?.strip_suffix(".json")?.parse().ok()
}
