//! Takes back what owners have in the lake, and says whether it is gone.

use super::lake_access::LakeAccess;
use super::push_state::{read_decisions, write_decisions};
use super::{failure, own_program, print, receipt};
use document::{
    Document as _, LakeAnswer, LakeFailure, LakeLevel, LakeMachine, LakeReceiptDocument,
    LakeSettings, LakeTakeBackDocument, LakeTakenBack, LakeTakenFromDocument,
};
use lake::{
    Acknowledgements, Audience, Bucket as _, Chain, ChainError, ChainName, CheckedFormat,
    Decisions, Installation, Level, NoMemory, ObjectBucket, Owner, PushOptions, Receipt, TakeBack,
    TakenBack, decide_for_everybody, owners_in_lake, remove_lake_folder,
};
use std::path::Path;
use std::time::Duration;

/// How often a receipt is read again while somebody waits for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Takes rows back from one owner, or from everybody whose chains may be listed.
pub(super) async fn run(
    settings: &LakeSettings,
    owner: Option<&str>,
    what: &LakeTakenBack,
) -> Result<LakeTakeBackDocument, LakeFailure> {
    let access = LakeAccess::check_place(settings)?;
    let bucket = access.open(settings)?;
    let what = taken_back(what)?;
    let format = CheckedFormat::new(own_program()?);
    let cannot = |error: &dyn std::fmt::Display| {
        failure(format!("cannot take rows back from {}: {error}", access.url))
    };
    let owners: Vec<Owner> = if let Some(name) = owner {
        vec![name.parse().map_err(failure)?]
    } else {
        // First: who joins from here on reads it.
        decide_for_everybody(&bucket, &what).await.map_err(|error| cannot(&error))?;
        let found = owners_in_lake(&bucket).await.map_err(|error| cannot(&error))?;
        found.into_iter().collect()
    };
    let mut document = LakeTakeBackDocument {
        schema: LakeTakeBackDocument::SCHEMA.into(),
        url: access.url.to_string(),
        owners: Vec::new(),
        configuration: None,
    };
    for (owner, number) in owners.iter().zip(0_u64..) {
        let step = format!("taking back from {owner}");
        // The caller may be gone; the work goes on.
        let _ = print(&LakeAnswer::Progress { step, done: number, total: owners.len() as u64 });
        document.owners.push(from_one(&bucket, &format, owner, &what).await);
    }
    if let [only] = &document.owners[..]
        && let Some(problem) = &only.problem
    {
        return Err(failure(format!(
            "cannot take back everything of {}: {problem}\nhint: the storage must let you read, \
             write and delete below the owner's prefixes; the command can be repeated",
            only.owner
        )));
    }
    Ok(document)
}

async fn from_one(
    bucket: &ObjectBucket,
    format: &CheckedFormat,
    owner: &Owner,
    what: &TakenBack,
) -> LakeTakenFromDocument {
    let work = TakeBack { bucket, format, memory: &NoMemory, options: PushOptions::default() };
    let mut taken = LakeTakenFromDocument {
        owner: owner.to_string(),
        deleted: 0,
        receipt: None,
        problem: None,
    };
    match work.run(owner, what).await {
        Ok(report) => {
            taken.deleted = report.deleted;
            let read = read_receipt(bucket, owner).await;
            taken.receipt = read.ok();
        }
        Err(error) => taken.problem = Some(error.to_string()),
    }
    taken
}

async fn read_receipt(
    bucket: &ObjectBucket,
    owner: &Owner,
) -> Result<LakeReceiptDocument, ChainError> {
    let acknowledgements = Acknowledgements::read(bucket).await?;
    let nothing = Decisions::default();
    let read = Receipt::read(bucket, owner, &nothing, &acknowledgements).await?;
    Ok(receipt::describe(&read))
}

fn taken_back(what: &LakeTakenBack) -> Result<TakenBack, LakeFailure> {
    Ok(match what {
        LakeTakenBack::Everything => TakenBack::Everything,
        LakeTakenBack::Project(key) => TakenBack::Project(key.clone()),
        LakeTakenBack::Expired { level, before } => {
            let level = match level {
                LakeLevel::Usage => Level::Usage,
                LakeLevel::Metadata => Level::Metadata,
                LakeLevel::Text => Level::Text,
            };
            TakenBack::Expired(level, before.parse().map_err(failure)?)
        }
    })
}

/// Takes everything of the configured owner back. What this machine has of the lake is
/// deleted only when the storage has nothing any more.
pub(super) async fn leave(
    settings: &LakeSettings,
    machine: &LakeMachine,
    waits: bool,
) -> Result<LakeTakeBackDocument, LakeFailure> {
    let access = LakeAccess::check_place(settings)?;
    let owner = access.owner(settings)?;
    let mut document = run(settings, Some(owner.as_str()), &LakeTakenBack::Everything).await?;
    let bucket = access.open(settings)?;
    while waits && !document.owners.iter().all(is_gone) {
        tokio::time::sleep(PATIENCE).await;
        let read = read_receipt(&bucket, &owner).await.map_err(failure)?;
        let step = "waiting for acknowledgements, missing".to_owned();
        let missing = read.missing.len() as u64;
        print(&LakeAnswer::Progress { step, done: missing, total: missing }).map_err(failure)?;
        document.owners.iter_mut().for_each(|owner| owner.receipt = Some(read.clone()));
    }
    let folder = Path::new(&machine.data_home).join("lake");
    remove_lake_folder(&folder)
        .map_err(|error| failure(format!("cannot delete {}: {error}", folder.display())))?;
    Ok(document)
}

fn is_gone(taken: &LakeTakenFromDocument) -> bool {
    taken.receipt.as_ref().is_some_and(|receipt| receipt.is_gone_everywhere)
}

/// Decides to take part again. The next push tells the lake.
pub(super) async fn join(
    settings: &LakeSettings,
    machine: &LakeMachine,
) -> Result<LakeAnswer, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let bucket = access.open(settings)?;
    let mut decisions = read_decisions(machine)?;
    decisions.merge(&known_decisions(&bucket, &access.owner).await.map_err(failure)?);
    decisions.set_left(false);
    write_decisions(machine, &decisions)?;
    Ok(LakeAnswer::Joined)
}

/// What all installations of an owner have decided.
pub(super) async fn known_decisions(
    bucket: &ObjectBucket,
    owner: &Owner,
) -> Result<Decisions, ChainError> {
    let mut decisions = Decisions::default();
    let prefix = ChainName::owner_prefix(&Audience::Private, owner);
    for folder in bucket.folders(&prefix).await? {
        let Ok(installation) = folder.parse::<Installation>() else { continue };
        let name = ChainName { audience: Audience::Private, owner: owner.clone(), installation };
        decisions.merge(&Chain::new(bucket, name).head().await?.manifest.decisions);
    }
    Ok(decisions)
}
