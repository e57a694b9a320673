//! Which chains a lake has, and their newest manifests.

use crate::bucket::Bucket;
use crate::chain::{Chain, ChainError, ChainHead};
use crate::names::{Audience, ChainName, Installation, ManifestNumber, Owner, TeamName};
use crate::reading::Scope;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

/// How many chains are read at once.
const AT_ONCE: usize = 16;

/// A chain with its newest manifest.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ListedChain {
    /// The chain.
    pub name: ChainName,
    /// Its newest manifest.
    pub head: ChainHead,
}

/// Reads the newest manifests of a lake.
#[derive(Debug)]
pub struct Chains<'a, B> {
    /// The lake.
    pub bucket: &'a B,
}

impl<B: Bucket> Chains<'_, B> {
    /// All chains of all owners. Only loaders may read all of them.
    pub async fn all(&self) -> Result<Vec<ListedChain>, ChainError> {
        self.heads(self.names().await?).await
    }

    /// All chains of all owners, and those whose newest manifest cannot be used with the
    /// reason: what somebody writes into their own chain is nobody else's problem.
    pub async fn readable(
        &self,
    ) -> Result<(Vec<ListedChain>, Vec<(ChainName, String)>), ChainError> {
        let names = self.names().await?;
        let heads = stream::iter(names).map(|name| async move {
            let head = Chain::new(self.bucket, name.clone()).head().await;
            (name, head)
        });
        let (mut readable, mut unreadable) = (Vec::new(), Vec::new());
        let mut heads = heads.buffered(AT_ONCE);
        while let Some((name, head)) = heads.next().await {
            match head {
                Ok(head) if head.number == ManifestNumber::NONE => {}
                Ok(head) => readable.push(ListedChain { name, head }),
                Err(ChainError::Bucket(error)) if !error.is_fault_of_object => {
                    return Err(error.into());
                }
                Err(error) => unreadable.push((name, error.to_string())),
            }
        }
        Ok((readable, unreadable))
    }

    async fn names(&self) -> Result<Vec<ChainName>, ChainError> {
        let mut audiences = vec![Audience::Private];
        for team in self.bucket.folders("v1/team/").await? {
            // Folders of other programs are none of our business.
            let team: Option<TeamName> = team.parse().ok();
            audiences.extend(team.map(Audience::Team));
        }
        audiences.push(Audience::Org);
        let mut names = Vec::new();
        for audience in audiences {
            names.extend(self.for_audience(&audience).await?);
        }
        Ok(names)
    }

    /// The chains in a scope that `reader` may read.
    pub async fn in_scope(
        &self,
        scope: &Scope,
        reader: &Owner,
    ) -> Result<Vec<ListedChain>, ChainError> {
        if let Some(audience) = scope.audience() {
            let names = self.for_audience(&audience).await?;
            return self.heads(names).await;
        }
        let mut own = self.heads(self.of_owner(&Audience::Private, reader).await?).await?;
        // The private chain lists the others.
        let others = own.iter().flat_map(|chain| {
            let audiences = chain.head.manifest.audiences.iter();
            audiences.map(|audience| ChainName { audience: audience.clone(), ..chain.name.clone() })
        });
        let others = self.heads(others.collect()).await?;
        own.extend(others);
        Ok(own)
    }

    async fn for_audience(&self, audience: &Audience) -> Result<Vec<ChainName>, ChainError> {
        let folders = self.bucket.folders(&ChainName::audience_prefix(audience)).await?;
        let owners = folders.iter().filter_map(|folder| folder.parse::<Owner>().ok());
        let listed =
            stream::iter(owners).map(|owner| async move { self.of_owner(audience, &owner).await });
        let names: Vec<Vec<ChainName>> = listed.buffered(AT_ONCE).try_collect().await?;
        Ok(names.into_iter().flatten().collect())
    }

    async fn of_owner(
        &self,
        audience: &Audience,
        owner: &Owner,
    ) -> Result<Vec<ChainName>, ChainError> {
        let folders = self.bucket.folders(&ChainName::owner_prefix(audience, owner)).await?;
        let installations = folders.iter().filter_map(|name| name.parse::<Installation>().ok());
        let chain = |installation| ChainName {
            audience: audience.clone(),
            owner: owner.clone(),
            installation,
        };
        Ok(installations.map(chain).collect())
    }

    /// The chains that have a manifest, in the given order.
    async fn heads(&self, names: Vec<ChainName>) -> Result<Vec<ListedChain>, ChainError> {
        let heads = stream::iter(names).map(|name| async move {
            let head = Chain::new(self.bucket, name.clone()).head().await?;
            Ok::<_, ChainError>(ListedChain { name, head })
        });
        let read: Vec<ListedChain> = heads.buffered(AT_ONCE).try_collect().await?;
        Ok(read.into_iter().filter(|chain| chain.head.number != ManifestNumber::NONE).collect())
    }
}
