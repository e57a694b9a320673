//! The newest manifests of all private chains of an owner, from one listing.
//!
//! Everything that takes rows back passes through a private chain: decisions, newer rules,
//! administrators. So does what other installations add to sums by day. If these numbers are
//! the ones that were there when a push had finished, the lake still has what it brought.

use crate::bucket::{Bucket, BucketError};
use crate::chain::number_of;
use crate::names::{Audience, ChainName, Installation, ManifestNumber, Owner};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number of the newest manifest in each private chain of an owner.
#[derive(Clone, Debug, Default, Eq, PartialEq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct PrivateChains(BTreeMap<Installation, ManifestNumber>);

impl PrivateChains {
    /// Lists them: one request, or one for each thousand objects.
    pub async fn list<B: Bucket>(bucket: &B, owner: &Owner) -> Result<Self, BucketError> {
        let mut chains = PrivateChains::default();
        let prefix = ChainName::owner_prefix(&Audience::Private, owner);
        for name in bucket.list(&prefix, None).await? {
            let Some((folder, rest)) =
                name.strip_prefix(&prefix).and_then(|name| name.split_once('/'))
            else {
                continue;
            };
            // Objects of other programs are none of our business.
            if let (Ok(installation), Some(number)) = (folder.parse(), number_of("m/", rest)) {
                let newest = chains.0.entry(installation).or_default();
                *newest = number.max(*newest);
            }
        }
        Ok(chains)
    }

    /// The newest manifest of an installation.
    pub(crate) fn newest(&self, installation: &Installation) -> ManifestNumber {
        self.0.get(installation).copied().unwrap_or_default()
    }

    pub(crate) fn set_newest(&mut self, installation: &Installation, number: ManifestNumber) {
        self.0.insert(installation.clone(), number);
    }

    /// The newest manifest of each installation.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Installation, ManifestNumber)> {
        self.0.iter().map(|(installation, number)| (installation, *number))
    }
}
