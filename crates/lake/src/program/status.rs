//! What an owner has in the lake. What a push would add is not known here.

use super::lake_access::{LakeAccess, installation};
use super::readers::readers;
use document::{LakeChainDocument, LakeFailure, LakeSettings, LakeStatusDocument};
use lake::{
    Audience, Bucket as _, BucketError, Chain, ChainError, ChainHead, ChainName, Installation,
    ManifestNumber, ObjectBucket,
};

/// Asks the storage. If it does not answer, the rest is still known, so that is not
/// a failure.
pub(super) async fn run(settings: &LakeSettings) -> Result<LakeStatusDocument, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let own = installation(settings)?;
    let mut document = LakeStatusDocument::new(settings);
    let read = match access.open(settings) {
        Ok(bucket) => {
            chains(&bucket, &access, own.as_ref()).await.map_err(|error| error.to_string())
        }
        Err(failure) => Err(failure.message),
    };
    match read {
        Ok(chains) => {
            document.reachable = Some(true);
            document.chains = chains;
        }
        Err(problem) => {
            document.reachable = Some(false);
            document.problem = Some(problem);
        }
    }
    Ok(document)
}

async fn chains(
    bucket: &ObjectBucket,
    access: &LakeAccess,
    own: Option<&Installation>,
) -> Result<Vec<LakeChainDocument>, ChainError> {
    let mut found = Vec::new();
    for installation in installations(bucket, access).await? {
        let name = |audience: &Audience| ChainName {
            audience: audience.clone(),
            owner: access.owner.clone(),
            installation: installation.clone(),
        };
        // The private chain lists the others.
        let private = Chain::new(bucket, name(&Audience::Private)).head().await?;
        let others = private.manifest.audiences.clone();
        let is_own = own == Some(&installation);
        let describe =
            |audience: &Audience, head: &ChainHead| describe(access, &name(audience), head, is_own);
        found.extend(describe(&Audience::Private, &private));
        for audience in others {
            let head = Chain::new(bucket, name(&audience)).head().await?;
            found.extend(describe(&audience, &head));
        }
    }
    // What this machine has written comes first.
    found.sort_by_key(|chain| !chain.is_own);
    Ok(found)
}

async fn installations(
    bucket: &ObjectBucket,
    access: &LakeAccess,
) -> Result<Vec<Installation>, BucketError> {
    let prefix = ChainName::owner_prefix(&Audience::Private, &access.owner);
    let folders = bucket.folders(&prefix).await?;
    Ok(folders.iter().filter_map(|folder| folder.parse().ok()).collect())
}

/// `None` for a chain without manifests.
fn describe(
    access: &LakeAccess,
    name: &ChainName,
    head: &ChainHead,
    is_own: bool,
) -> Option<LakeChainDocument> {
    if head.number == ManifestNumber::NONE {
        return None;
    }
    let segments = &head.manifest.segments;
    Some(LakeChainDocument {
        audience: name.audience.to_string(),
        installation: name.installation.to_string(),
        is_own,
        manifest: head.number.to_string().parse().unwrap_or_default(),
        segments: segments.len() as u64,
        rows: segments.iter().fold(0, |sum, segment| sum.saturating_add(segment.rows)),
        bytes: segments.iter().fold(0, |sum, segment| sum.saturating_add(segment.bytes)),
        readers: readers(&access.url, &name.audience),
    })
}
