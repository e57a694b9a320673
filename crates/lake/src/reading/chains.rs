//! Which chains and tables a question needs.

use crate::bucket::{Bucket, BucketError};
use crate::chain::{Chain, ChainError, ChainHead};
use crate::manifest::Segment;
use crate::names::{Audience, ChainName, Installation, Owner, Table};
use crate::reading::engine::UnusableObject;
use crate::reading::known_heads::KnownHeads;
use crate::reading::scope::Scope;
use document::LakeQuestion;
use futures_util::{StreamExt as _, stream};
use std::collections::{BTreeMap, BTreeSet};

/// How many requests are under way at once.
pub(crate) const AT_ONCE: usize = 32;

/// The segments that a question needs, by owner.
pub(crate) type SegmentsByOwner = BTreeMap<Owner, Vec<(ChainName, Segment)>>;

/// The newest manifest of a chain, or why it cannot be read.
type FoundHead = (ChainName, Result<ChainHead, ChainError>);

/// Finds them.
#[derive(Debug)]
pub(crate) struct ChainFinder<'a, B> {
    pub(crate) bucket: &'a B,
    /// Who reads.
    pub(crate) reader: &'a Owner,
    /// What was read before.
    pub(crate) known: &'a KnownHeads,
    /// Whether manifests that were read before need not be read again.
    pub(crate) trusts_known: bool,
}

impl<B: Bucket> ChainFinder<'_, B> {
    /// The segments of all chains that a question needs. A chain whose manifest cannot be
    /// used is named, and the others count.
    pub(crate) async fn segments(
        &self,
        question: &LakeQuestion,
        scope: &Scope,
        unusable: &mut Vec<UnusableObject>,
    ) -> Result<SegmentsByOwner, ChainError> {
        let found = if question.is_usage() {
            self.heads_with_usage(scope, unusable).await?
        } else {
            self.heads_with_sessions(scope, unusable).await?
        };
        // What is remembered of chains that are gone is not needed; it is in nobody's way.
        let _ = self.known.keep_only(found.iter().map(|(chain, _)| chain));
        let heads = usable(found, unusable)?;
        let mut by_owner = SegmentsByOwner::new();
        for (chain, head) in heads {
            let own = by_owner.entry(chain.owner.clone()).or_default();
            let needed = head.manifest.segments.into_iter().filter(|segment| {
                let table = segment.name.table;
                match (question.is_usage(), &chain.audience) {
                    (true, Audience::Private) => table == Table::Calls,
                    (true, _) => table == Table::Days,
                    // Blocks say nothing that lines do not.
                    (false, _) => !matches!(table, Table::Days | Table::Blocks),
                }
            });
            own.extend(needed.map(|segment| (chain.clone(), segment)));
        }
        Ok(by_owner)
    }

    /// The calls of the reader, and the sums of others. The sums of the reader are those of
    /// the same calls and must not count again.
    async fn heads_with_usage(
        &self,
        scope: &Scope,
        unusable: &mut Vec<UnusableObject>,
    ) -> Result<Vec<FoundHead>, BucketError> {
        let owners = match scope {
            Scope::Mine => BTreeSet::from([self.reader.clone()]),
            // Who has shared something with a team is a member: nobody else can write there.
            Scope::Team(team) => self.owners(&Audience::Team(team.clone())).await?,
            Scope::Org => {
                let mut owners = self.owners(&Audience::Org).await?;
                owners.insert(self.reader.clone());
                owners
            }
        };
        let chains = owners.into_iter().map(|owner| {
            let is_own = owner == *self.reader;
            (if is_own { Audience::Private } else { Audience::Org }, owner)
        });
        self.heads_of(chains, unusable).await
    }

    /// Everything that is for the readers of a scope.
    async fn heads_with_sessions(
        &self,
        scope: &Scope,
        unusable: &mut Vec<UnusableObject>,
    ) -> Result<Vec<FoundHead>, ChainError> {
        if let Some(audience) = scope.audience() {
            let owners = self.owners(&audience).await?;
            let chains = owners.into_iter().map(|it| (audience.clone(), it));
            return Ok(self.heads_of(chains, unusable).await?);
        }
        let mut heads = Vec::new();
        let own = [(Audience::Private, self.reader.clone())];
        for (chain, head) in self.heads_of(own, unusable).await? {
            // One's own chains are not hostile, and without them nothing is complete.
            let head = head?;
            let others = head.manifest.audiences.iter();
            let others: Vec<ChainName> = others
                .map(|audience| ChainName { audience: audience.clone(), ..chain.clone() })
                .collect();
            heads.extend(self.heads(others).await);
            heads.push((chain, Ok(head)));
        }
        Ok(heads)
    }

    async fn owners(&self, audience: &Audience) -> Result<BTreeSet<Owner>, BucketError> {
        let folders = self.bucket.folders(&ChainName::audience_prefix(audience)).await?;
        Ok(folders.iter().filter_map(|folder| folder.parse().ok()).collect())
    }

    /// The newest manifests of owners, one for each installation. Nobody waits for the
    /// listings of others, and an owner whose folder cannot be listed is named. Without one's own,
    /// nothing is complete.
    async fn heads_of(
        &self,
        owners: impl IntoIterator<Item = (Audience, Owner)>,
        unusable: &mut Vec<UnusableObject>,
    ) -> Result<Vec<FoundHead>, BucketError> {
        let asked = stream::iter(owners).map(|(audience, owner)| async move {
            let folders = self.bucket.folders(&ChainName::owner_prefix(&audience, &owner)).await;
            let folders = folders.map_err(|error| (owner.clone(), error))?;
            let installations = folders.iter().filter_map(|name| name.parse::<Installation>().ok());
            let chain = |installation| ChainName {
                audience: audience.clone(),
                owner: owner.clone(),
                installation,
            };
            Ok(self.heads(installations.map(chain).collect()).await)
        });
        let mut heads = Vec::new();
        let mut asked = asked.buffered(AT_ONCE);
        while let Some(found) = asked.next().await {
            match found {
                Ok(found) => heads.extend(found),
                Err((owner, error)) if error.is_fault_of_object && owner != *self.reader => {
                    unusable.push(UnusableObject { name: error.name, reason: error.reason });
                }
                Err((_, error)) => return Err(error),
            }
        }
        Ok(heads)
    }

    async fn heads(&self, chains: Vec<ChainName>) -> Vec<FoundHead> {
        let asked = stream::iter(chains).map(|chain| async move {
            let head = self.head(&chain).await;
            (chain, head)
        });
        asked.buffered(AT_ONCE).collect().await
    }

    async fn head(&self, chain: &ChainName) -> Result<ChainHead, ChainError> {
        let known = self.known.get(chain).filter(|_| self.trusts_known);
        let head = Chain::new(self.bucket, chain.clone()).head_since(known.clone()).await?;
        if known.as_ref() != Some(&head) {
            self.known.keep(chain, &head);
        }
        Ok(head)
    }
}

/// The manifests that can be used. Those that cannot are named; fails if the storage does.
fn usable(
    found: Vec<FoundHead>,
    unusable: &mut Vec<UnusableObject>,
) -> Result<Vec<(ChainName, ChainHead)>, ChainError> {
    let mut heads = Vec::new();
    for (chain, head) in found {
        match head {
            Ok(head) => heads.push((chain, head)),
            Err(ChainError::Manifest { name, source }) => {
                unusable.push(UnusableObject { name, reason: source.to_string() });
            }
            Err(ChainError::Bucket(error)) if error.is_fault_of_object => {
                unusable.push(UnusableObject { name: error.name, reason: error.reason });
            }
            Err(ChainError::Restless(name)) => {
                let reason = "its manifests change too fast to be read".to_owned();
                unusable.push(UnusableObject { name, reason });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(heads)
}
