//! Which chains a lake has, and their newest manifests.

use crate::bucket::{Bucket, BucketError};
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

/// Chains that cannot be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnreadableChains {
    /// The beginning of their names.
    pub prefix: String,
    /// Why.
    pub reason: String,
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
        let mut unreadable = Vec::new();
        let names = self.names(&mut unreadable).await?;
        match unreadable.pop() {
            Some(UnreadableChains { prefix, reason }) => {
                Err(ChainError::Unlisted { prefix, reason })
            }
            None => self.heads(names).await,
        }
    }

    /// All chains of all owners, and what cannot be read: chains whose newest manifest cannot be
    /// used, and folders of owners that cannot be listed. What somebody writes into their own
    /// folder is nobody else's problem.
    pub async fn readable(&self) -> Result<(Vec<ListedChain>, Vec<UnreadableChains>), ChainError> {
        let mut unreadable = Vec::new();
        let names = self.names(&mut unreadable).await?;
        let heads = stream::iter(names).map(|name| async move {
            let head = Chain::new(self.bucket, name.clone()).head().await;
            (name, head)
        });
        let mut readable = Vec::new();
        let mut heads = heads.buffered(AT_ONCE);
        while let Some((name, head)) = heads.next().await {
            match head {
                Ok(head) if head.number == ManifestNumber::NONE => {}
                Ok(head) => readable.push(ListedChain { name, head }),
                Err(ChainError::Bucket(error)) if !error.is_fault_of_object => {
                    return Err(error.into());
                }
                Err(error) => {
                    let (prefix, reason) = (name.prefix(), error.to_string());
                    unreadable.push(UnreadableChains { prefix, reason });
                }
            }
        }
        Ok((readable, unreadable))
    }

    async fn names(
        &self,
        unreadable: &mut Vec<UnreadableChains>,
    ) -> Result<Vec<ChainName>, ChainError> {
        let mut audiences = vec![Audience::Private];
        for team in self.bucket.folders("v1/team/").await? {
            // Folders of other programs are none of our business.
            let team: Option<TeamName> = team.parse().ok();
            audiences.extend(team.map(Audience::Team));
        }
        audiences.push(Audience::Org);
        let mut names = Vec::new();
        for audience in audiences {
            for found in self.of_owners(&audience).await? {
                match found {
                    Ok(found) => names.extend(found),
                    Err(error) if error.is_fault_of_object => {
                        let BucketError { name: prefix, reason, .. } = error;
                        unreadable.push(UnreadableChains { prefix, reason });
                    }
                    Err(error) => return Err(error.into()),
                }
            }
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
        let names: Result<Vec<Vec<ChainName>>, BucketError> =
            self.of_owners(audience).await?.into_iter().collect();
        Ok(names?.into_iter().flatten().collect())
    }

    /// The chains of each owner, or why they cannot be listed.
    async fn of_owners(
        &self,
        audience: &Audience,
    ) -> Result<Vec<Result<Vec<ChainName>, BucketError>>, BucketError> {
        let folders = self.bucket.folders(&ChainName::audience_prefix(audience)).await?;
        let owners = folders.iter().filter_map(|folder| folder.parse::<Owner>().ok());
        let listed =
            stream::iter(owners).map(|owner| async move { self.of_owner(audience, &owner).await });
        Ok(listed.buffered(AT_ONCE).collect().await)
    }

    async fn of_owner(
        &self,
        audience: &Audience,
        owner: &Owner,
    ) -> Result<Vec<ChainName>, BucketError> {
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
