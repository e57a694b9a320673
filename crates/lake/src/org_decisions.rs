//! What administrators decided for everybody, also for those who join later.
//!
//! Owners who have something in the lake find these decisions in their private chains
//! ([`crate::TakeBack`]). Others have no chain yet: an installation that is new reads what lies
//! here before it sends a row. So the decision is written here first, and then the owners are
//! listed: who is not in that list reads it.
//!
//! Each decision is one object, named by the digest of its bytes, and is never taken back.

use crate::bucket::{Bucket, BucketError};
use crate::decision::Decisions;
use crate::take_back::TakenBack;

const PREFIX: &str = "v1/decisions/";
/// Larger objects are not decisions.
const MAX_BYTES: u64 = 1 << 20;

/// Writes a decision for everybody. What is about one owner alone is not one.
pub async fn decide_for_everybody(
    bucket: &impl Bucket,
    what: &TakenBack,
) -> Result<(), BucketError> {
    let mut decisions = Decisions::default();
    match what {
        TakenBack::Everything => return Ok(()),
        TakenBack::Project(key) => decisions.forget_project(key),
        TakenBack::Expired(level, before) => decisions.expire(*level, *before),
    }
    // Strings and maps with string keys: nothing here can fail to be written.
    let bytes = serde_json::to_vec(&decisions).unwrap_or_default();
    let name = format!("{PREFIX}{}.json", &blake3::hash(&bytes).to_hex()[..32]);
    bucket.create(&name, bytes).await.map(drop)
}

/// All that was decided for everybody.
pub(crate) async fn decided_for_everybody(bucket: &impl Bucket) -> Result<Decisions, BucketError> {
    let mut all = Decisions::default();
    for name in bucket.list(PREFIX, None).await? {
        let Some(bytes) = bucket.get_at_most(&name, MAX_BYTES).await? else { continue };
        let decisions: Decisions = serde_json::from_slice(&bytes).map_err(|error| BucketError {
            request: "get",
            name: name.clone(),
            reason: format!("not a decision: {error}"),
            is_fault_of_object: false,
        })?;
        for (level, before) in decisions.expired() {
            all.expire(level, before);
        }
        for key in decisions.forgotten_projects() {
            all.forget_project(key);
        }
    }
    Ok(all)
}
