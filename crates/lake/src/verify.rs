//! Compares every object of an owner with the manifest that names it.

use crate::bucket::{Bucket, BucketError};
use crate::chain::{Chain, ChainHead};
use crate::manifest::{Manifest, Segment};
use crate::memory::{Memory as _, MemoryOfProcess};
use crate::names::{Audience, ChainName, Installation, ManifestNumber, Owner, SegmentName};
use crate::segment::{Entry, Format};
use std::collections::{BTreeSet, HashSet};

/// What a check found. It remembers what it read, so that a push after it need not read it.
#[derive(Debug, Default)]
pub struct Verified {
    /// Chains with a manifest.
    pub chains: u64,
    /// Manifests read.
    pub manifests: u64,
    /// Segments read.
    pub segments: u64,
    /// Their rows.
    pub rows: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Objects that are damaged or missing, with what is wrong.
    pub problems: Vec<(String, String)>,
    /// Segments that no manifest names.
    pub unnamed: Vec<String>,
    /// Objects that are neither a manifest nor a segment.
    pub foreign: Vec<String>,
    /// What was read.
    pub memory: MemoryOfProcess,
}

impl Verified {
    /// Checks everything that an owner has.
    pub async fn check<B: Bucket, F: Format>(
        &mut self,
        bucket: &B,
        format: &F,
        owner: &Owner,
    ) -> Result<(), BucketError> {
        for chain in chains_of(bucket, owner).await? {
            self.check_chain(bucket, format, &chain).await?;
        }
        Ok(())
    }

    async fn check_chain<B: Bucket, F: Format>(
        &mut self,
        bucket: &B,
        format: &F,
        chain: &ChainName,
    ) -> Result<(), BucketError> {
        let mut manifests: Vec<ManifestNumber> = Vec::new();
        let mut segments: Vec<SegmentName> = Vec::new();
        for name in bucket.list(&chain.prefix(), None).await? {
            let number = name.strip_prefix(&chain.manifests());
            let number = number.and_then(|name| name.strip_suffix(".json")?.parse().ok());
            let segment = name.strip_prefix(&chain.segments()).and_then(|name| name.parse().ok());
            match (number, segment) {
                (Some(number), _) => manifests.push(number),
                (_, Some(segment)) => segments.push(segment),
                _ => self.foreign.push(name),
            }
        }
        manifests.sort_unstable();
        let mut head = ChainHead::default();
        for number in manifests {
            let name = chain.manifest(number);
            let Some(bytes) = bucket.get_at_most(&name, Manifest::MAX_BYTES as u64).await? else {
                // Older ones are deleted while others push.
                continue;
            };
            self.manifests += 1;
            match Manifest::parse(&bytes) {
                Ok(manifest) => head = ChainHead { number, manifest },
                Err(error) => self.problems.push((name, error.to_string())),
            }
        }
        self.chains += u64::from(head.number != ManifestNumber::NONE);
        let named: HashSet<&SegmentName> =
            head.manifest.segments.iter().map(|it| &it.name).collect();
        let unnamed = segments.iter().filter(|segment| !named.contains(segment));
        self.unnamed.extend(unnamed.map(|segment| chain.segment(segment)));
        for segment in &head.manifest.segments {
            let name = chain.segment(&segment.name);
            let result = match bucket.get_at_most(&name, segment.bytes).await {
                Ok(Some(bytes)) => check_segment(format, segment, &bytes),
                Ok(None) => Err("it is named by a manifest and does not exist".to_owned()),
                // A size that the manifest does not have, or a request that failed.
                Err(error) => Err(error.reason),
            };
            match result {
                Ok(entries) => {
                    self.segments += 1;
                    self.rows = self.rows.saturating_add(segment.rows);
                    self.bytes = self.bytes.saturating_add(segment.bytes);
                    self.memory.keep_entries(&segment.name, &entries);
                }
                Err(reason) => self.problems.push((name, reason)),
            }
        }
        self.memory.keep_head(chain, &head);
        Ok(())
    }
}

/// Whether an object is what its manifest and its name say.
fn check_segment<F: Format>(
    format: &F,
    segment: &Segment,
    bytes: &[u8],
) -> Result<Vec<Entry>, String> {
    let Segment { name, rows, bytes: size } = segment;
    if bytes.len() as u64 != *size {
        return Err(format!("it has {} bytes instead of {size}", bytes.len()));
    }
    if !name.fits(bytes) {
        return Err("its bytes are not the ones its name says".to_owned());
    }
    let pieces = format.decode(name.table, bytes).map_err(|error| error.to_string())?;
    let found = pieces.iter().fold(0_u64, |sum, piece| sum + format.count(&piece.rows));
    if found != *rows {
        return Err(format!("it has {found} rows instead of {rows}"));
    }
    Ok(pieces.into_iter().map(|piece| piece.entry).collect())
}

/// All chains of an owner, also those that no private chain lists.
async fn chains_of<B: Bucket>(bucket: &B, owner: &Owner) -> Result<Vec<ChainName>, BucketError> {
    let mut audiences: BTreeSet<Audience> = BTreeSet::from([Audience::Private, Audience::Org]);
    for team in bucket.folders("v1/team/").await.unwrap_or_default() {
        // Who may not list all teams still checks the teams of the private chains.
        audiences.extend(team.parse().ok().map(Audience::Team));
    }
    let private = ChainName::owner_prefix(&Audience::Private, owner);
    for folder in bucket.folders(&private).await? {
        let Ok(installation) = folder.parse::<Installation>() else { continue };
        let name = ChainName { audience: Audience::Private, owner: owner.clone(), installation };
        if let Ok(head) = Chain::new(bucket, name).head().await {
            audiences.extend(head.manifest.audiences);
        }
    }
    let mut chains = Vec::new();
    for audience in audiences {
        for folder in bucket.folders(&ChainName::owner_prefix(&audience, owner)).await? {
            let Ok(installation) = folder.parse() else { continue };
            chains.push(ChainName {
                audience: audience.clone(),
                owner: owner.clone(),
                installation,
            });
        }
    }
    Ok(chains)
}
