//! Every object against its manifest, and this machine against the lake.

use super::lake_access::LakeAccess;
use super::{failure, own_program, print, push};
use document::{
    Document as _, LakeAnswer, LakeComparisonDocument, LakeFailure, LakeMachine,
    LakeProblemDocument, LakeSettings, LakeVerifyDocument,
};
use lake::{CheckedFormat, Owner, Verified, owners_in_lake};

pub(super) async fn run(
    settings: &LakeSettings,
    machine: Option<&LakeMachine>,
    everyone: bool,
) -> Result<LakeVerifyDocument, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let bucket = access.open(settings)?;
    let cannot = |error| failure(format!("cannot check {}: {error}", access.url));
    let owners: Vec<Owner> = if everyone {
        owners_in_lake(&bucket).await.map_err(cannot)?.into_iter().collect()
    } else {
        vec![access.owner.clone()]
    };
    let format = CheckedFormat::new(own_program()?);
    let mut verified = Verified::default();
    for (owner, number) in owners.iter().zip(0_u64..) {
        let step = format!("checking the objects of {owner}");
        // The caller may be gone.
        let _ = print(&LakeAnswer::Progress { step, done: number, total: owners.len() as u64 });
        verified.check(&bucket, &format, owner).await.map_err(cannot)?;
    }
    let is_intact = verified.problems.is_empty();
    // A push cannot work with objects that are damaged.
    let local = match machine {
        Some(machine) if is_intact => {
            Some(push::compare(settings, machine, &bucket, &verified).await?)
        }
        _ => None,
    };
    let problems = std::mem::take(&mut verified.problems).into_iter();
    Ok(LakeVerifyDocument {
        schema: LakeVerifyDocument::SCHEMA.into(),
        url: access.url.to_string(),
        chains: verified.chains,
        manifests: verified.manifests,
        segments: verified.segments,
        rows: verified.rows,
        bytes: verified.bytes,
        problems: problems.map(|(name, reason)| LakeProblemDocument { name, reason }).collect(),
        unnamed: verified.unnamed,
        foreign: verified.foreign,
        local: local.map(|compared| LakeComparisonDocument {
            missing_rows: compared.rows,
            missing_sessions: compared.sessions,
            superfluous: compared.deleted,
        }),
        is_intact,
    })
}
