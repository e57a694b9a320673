//! Whether what an owner took back is gone: from every chain, every object, every engine.
//!
//! A chain says in its manifest which decisions it obeys, and since when. So a receipt needs
//! no rows: all private chains have the same decisions, all chains obey them, no object lies
//! there that no manifest names, and every loader has acknowledged the manifest since which
//! a chain obeys.
//!
//! A receipt is about the moment at which it was read. A push that began before a decision
//! and still runs can bring rows back until it ends, and then they are missing from the
//! receipt. Copies on readers' machines are not in it: they go with the reader's next
//! question.

use crate::acknowledgement::Acknowledgements;
use crate::bucket::Bucket;
use crate::chain::{Chain, ChainError, ChainHead};
use crate::decision::Decisions;
use crate::names::{Audience, ChainName, Installation, Loader, ManifestNumber, Owner, SegmentName};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// One chain of an owner.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ChainState {
    /// Its name.
    pub name: ChainName,
    /// Its newest manifest.
    pub head: ChainHead,
    /// How many segments lie there that this manifest does not name.
    pub unnamed: u64,
}

/// Why something that was taken back may still be somewhere.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Outstanding {
    /// Decisions were made here and not pushed yet.
    NotPushed,
    /// They have not reached an installation.
    NotTold(Installation),
    /// A chain has still to be written without the rows.
    NotRemoved(ChainName),
    /// Objects that no manifest names are not deleted yet: a push is under way or has died.
    NotDeleted(ChainName, u64),
    /// A loader has not acknowledged this manifest.
    NotAcknowledged(Loader, ChainName, ManifestNumber),
}

impl fmt::Display for Outstanding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outstanding::NotPushed => f.write_str("decisions made here are not pushed yet"),
            Outstanding::NotTold(installation) => {
                write!(f, "installation {installation} does not know all decisions yet")
            }
            Outstanding::NotRemoved(chain) => {
                write!(f, "{} still has to be written without the rows", chain.prefix())
            }
            Outstanding::NotDeleted(chain, count) => {
                let objects = if *count == 1 { "object" } else { "objects" };
                write!(f, "{count} {objects} in {} that no manifest names", chain.segments())
            }
            Outstanding::NotAcknowledged(loader, chain, number) => {
                write!(f, "{loader} has not acknowledged {}", chain.manifest(*number))
            }
        }
    }
}

/// What an owner has in the lake, and what of it should be gone.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Receipt {
    /// All decisions of the owner.
    pub decisions: Decisions,
    /// All chains of the owner that have a manifest or a segment.
    pub chains: Vec<ChainState>,
    /// What is missing before everything that was taken back is gone everywhere.
    pub outstanding: Vec<Outstanding>,
}

impl Receipt {
    /// Reads it. `local` are the decisions that were made on this machine.
    pub async fn read<B: Bucket>(
        bucket: &B,
        owner: &Owner,
        local: &Decisions,
        acknowledgements: &Acknowledgements,
    ) -> Result<Receipt, ChainError> {
        let mut receipt = Receipt::default();
        let prefix = ChainName::owner_prefix(&Audience::Private, owner);
        for folder in bucket.folders(&prefix).await? {
            let Ok(installation) = folder.parse::<Installation>() else { continue };
            let name = |audience: &Audience| ChainName {
                audience: audience.clone(),
                owner: owner.clone(),
                installation: installation.clone(),
            };
            let private = chain_state(bucket, name(&Audience::Private)).await?;
            // The private chain lists the others, also one whose first manifest is not
            // written yet. Sums by day are announced only when there are some.
            let mut audiences: BTreeSet<Audience> = private.head.manifest.audiences.clone();
            audiences.insert(Audience::Org);
            receipt.chains.push(private);
            for audience in audiences {
                receipt.chains.push(chain_state(bucket, name(&audience)).await?);
            }
        }
        let is_used =
            |state: &ChainState| state.head.number != ManifestNumber::NONE || state.unnamed > 0;
        receipt.chains.retain(is_used);
        for state in receipt.private_chains() {
            let decisions = state.head.manifest.decisions.clone();
            receipt.decisions.merge(&decisions);
        }
        receipt.look_for_what_is_missing(local, acknowledgements);
        Ok(receipt)
    }

    /// Whether everything that was taken back is gone.
    pub fn is_gone_everywhere(&self) -> bool {
        self.outstanding.is_empty()
    }

    fn private_chains(&self) -> Vec<ChainState> {
        let private = self.chains.iter().filter(|it| it.name.audience == Audience::Private);
        private.cloned().collect()
    }

    fn look_for_what_is_missing(&mut self, local: &Decisions, acknowledgements: &Acknowledgements) {
        let mut merged = self.decisions.clone();
        merged.merge(local);
        if merged != self.decisions {
            self.outstanding.push(Outstanding::NotPushed);
        }
        if merged.is_empty() {
            return;
        }
        let private = self.private_chains();
        for state in &self.chains {
            let ChainState { name, head, unnamed } = state;
            if *unnamed > 0 {
                self.outstanding.push(Outstanding::NotDeleted(name.clone(), *unnamed));
            }
            if head.number == ManifestNumber::NONE {
                continue;
            }
            if name.audience == Audience::Private && head.manifest.decisions != self.decisions {
                self.outstanding.push(Outstanding::NotTold(name.installation.clone()));
            }
            let control = private.iter().find(|it| it.name.installation == name.installation);
            let decided = control.map(|control| control.head.manifest.decided);
            let obeys = head.manifest.obeys;
            if decided != Some(obeys.decided) {
                self.outstanding.push(Outstanding::NotRemoved(name.clone()));
            }
            for loader in acknowledgements.missing(name, obeys.since) {
                let loader = loader.clone();
                self.outstanding.push(Outstanding::NotAcknowledged(
                    loader,
                    name.clone(),
                    obeys.since,
                ));
            }
        }
    }
}

async fn chain_state<B: Bucket>(bucket: &B, name: ChainName) -> Result<ChainState, ChainError> {
    let chain = Chain::new(bucket, name.clone());
    let head = chain.head().await?;
    let named: HashSet<&SegmentName> =
        head.manifest.segments.iter().map(|segment| &segment.name).collect();
    let prefix = name.segments();
    let listed = bucket.list(&prefix, None).await?;
    let segments = listed.iter().filter_map(|name| name.strip_prefix(&prefix)?.parse().ok());
    let unnamed = segments.filter(|segment: &SegmentName| !named.contains(segment)).count() as u64;
    Ok(ChainState { name, head, unnamed })
}
