//! What an owner has in the lake, whether what was taken back is gone, and how far engines
//! and pushes are.

use super::lake_access::{LakeAccess, installation};
use super::push::{open_library, sharing_rules};
use super::push_state::read_decisions;
use super::readers::readers;
use super::{push_record, receipt};
use document::{
    LakeChainDocument, LakeFailure, LakeMachine, LakePushesDocument, LakeSettings,
    LakeStatusDocument,
};
use jiff::Timestamp;
use lake::{
    Acknowledgements, ChainError, ChainHead, ChainName, Decisions, Installation, ManifestNumber,
    ObjectBucket, Receipt,
};

/// Asks the storage. If it does not answer, the rest is still known, so that is not
/// a failure.
pub(super) async fn run(
    settings: &LakeSettings,
    machine: Option<&LakeMachine>,
) -> Result<LakeStatusDocument, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let own = installation(settings)?;
    let mut document = LakeStatusDocument::new(settings);
    let local = machine.map(read_decisions).transpose()?.unwrap_or_default();
    document.pushes = machine.map(|machine| pushes(settings, &access, machine)).transpose()?;
    let read = match access.open(settings) {
        Ok(bucket) => read(&bucket, &access, &local).await.map_err(|error| error.to_string()),
        Err(failure) => Err(failure.message),
    };
    match read {
        Ok((receipt, acknowledgements)) => {
            document.reachable = Some(true);
            document.chains = chains(&receipt, &access, own.as_ref());
            document.loaders = receipt::loaders(&receipt, &acknowledgements);
            let is_anything_taken_back = !receipt.decisions.is_empty() || !local.is_empty();
            document.receipt = is_anything_taken_back.then(|| receipt::describe(&receipt));
        }
        Err(problem) => {
            document.reachable = Some(false);
            document.problem = Some(problem);
        }
    }
    Ok(document)
}

async fn read(
    bucket: &ObjectBucket,
    access: &LakeAccess,
    local: &Decisions,
) -> Result<(Receipt, Acknowledgements), ChainError> {
    let acknowledgements = Acknowledgements::read(bucket).await?;
    let receipt = Receipt::read(bucket, &access.owner, local, &acknowledgements).await?;
    Ok((receipt, acknowledgements))
}

/// What is known of pushes, and how many sessions wait for the next one.
fn pushes(
    settings: &LakeSettings,
    access: &LakeAccess,
    machine: &LakeMachine,
) -> Result<LakePushesDocument, LakeFailure> {
    let mut pushes = push_record::read(machine);
    let rules = sharing_rules(settings, access)?;
    let library = open_library(machine)?;
    let last: Option<Timestamp> = pushes.succeeded.as_ref().and_then(|time| time.parse().ok());
    let sessions = library.catalog().all_sessions().sessions;
    let waiting = sessions.iter().filter(|session| {
        let folder = session.project.as_deref().or(session.metadata.cwd.as_deref());
        let is_shared = folder.is_some_and(|folder| rules.readers_of_text(folder).is_some());
        is_shared && last.is_none_or(|last| session.metadata.modified > last)
    });
    pushes.waiting = Some(waiting.count() as u64);
    Ok(pushes)
}

/// What this machine has written comes first.
fn chains(
    receipt: &Receipt,
    access: &LakeAccess,
    own: Option<&Installation>,
) -> Vec<LakeChainDocument> {
    let described = receipt.chains.iter().filter_map(|chain| {
        describe(access, &chain.name, &chain.head, own == Some(&chain.name.installation))
    });
    let mut found: Vec<LakeChainDocument> = described.collect();
    found.sort_by_key(|chain| !chain.is_own);
    found
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
