//! Policies of a bucket as an answer.

use super::{failure, wrong};
use document::{
    Document as _, LakeFailure, LakePolicyDocument, LakePolicyFileDocument, LakeSettings,
};
use lake::{PolicyVendor, StorageUrl, TeamName, bucket_policies};

pub(super) fn run(
    settings: &LakeSettings,
    vendor: &str,
    teams: &[String],
) -> Result<LakePolicyDocument, LakeFailure> {
    let vendor: PolicyVendor = vendor.parse().map_err(failure)?;
    let url: Option<Result<StorageUrl, _>> = settings.url.as_ref().map(|url| url.parse());
    let url = url.transpose().map_err(|error| wrong("lake.url", error))?;
    let (bucket, prefix) = match &url {
        None => ("BUCKET", ""),
        Some(StorageUrl::S3 { bucket, prefix, .. } | StorageUrl::Gcs { bucket, prefix }) => {
            (bucket.as_str(), prefix.as_str())
        }
        Some(url) if url.is_folder() => {
            return Err(failure(format!(
                "{url}: a folder has no policies\nhint: pass the URL of a bucket"
            )));
        }
        Some(url) => return Err(failure(format!("{url}: no policies are known for it"))),
    };
    let teams: Result<Vec<TeamName>, _> = teams.iter().map(|team| team.parse()).collect();
    let teams = teams.map_err(failure)?;
    let policies = bucket_policies(vendor, bucket, prefix, &teams);
    Ok(LakePolicyDocument {
        schema: LakePolicyDocument::SCHEMA.into(),
        vendor: vendor.name().into(),
        policies: policies
            .into_iter()
            .map(|policy| LakePolicyFileDocument {
                name: policy.name,
                purpose: policy.purpose,
                text: policy.text,
            })
            .collect(),
    })
}
