//! Takes rows of an owner back without the owner's machines: everything, a project, or what
//! is expired.
//!
//! The decision is written into the private chains of all installations of the owner, and
//! their chains are written without the rows, by the same code that pushes. So the owner's
//! machines obey at their next push. Who may do this is what the storage lets write and
//! delete below the owner's prefixes.

use crate::bucket::{Bucket, BucketError};
use crate::chain::Chain;
use crate::decision::Decisions;
use crate::local::DecidedElsewhere;
use crate::memory::Memory;
use crate::names::{
    Audience, ChainName, Installation, Level, Month, Owner, SessionId, Table, TeamName,
};
use crate::push::{PushError, PushOptions, PushReport, Pusher};
use crate::segment::Format;
use std::collections::BTreeSet;

/// How often new installations are looked for.
const MAX_ROUNDS: usize = 20;

/// What to take back.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TakenBack {
    /// Everything, and the lake takes nothing until the owner joins again.
    Everything,
    /// All sessions of a project, and the lake takes no new ones.
    Project(String),
    /// Rows of a level and the higher ones, of months before this one.
    Expired(Level, Month),
}

/// Takes rows back.
#[derive(Debug)]
pub struct TakeBack<'a, B, F, M> {
    /// Where from.
    pub bucket: &'a B,
    /// How segments are encoded.
    pub format: &'a F,
    /// What is remembered of the lake.
    pub memory: &'a M,
    /// How to write.
    pub options: PushOptions,
}

impl<B: Bucket, F: Format, M: Memory> TakeBack<'_, B, F, M> {
    /// Takes it back from one owner. Repeating it does no harm.
    pub async fn run(&self, owner: &Owner, what: &TakenBack) -> Result<PushReport, PushError> {
        let mut report = PushReport::default();
        let mut informed: BTreeSet<Installation> = BTreeSet::new();
        for _ in 0..MAX_ROUNDS {
            let installations = self.installations(owner).await?;
            // An installation that is new since has read the decisions of one that was informed.
            if installations.is_subset(&informed) {
                return Ok(report);
            }
            let decisions = self.decisions(owner, &installations, what).await?;
            for installation in installations {
                let pushed = self.tell(owner, &installation, &decisions).await?;
                report.manifests += pushed.manifests;
                report.deleted += pushed.deleted;
                report.segments.extend(pushed.segments);
                informed.insert(installation);
            }
        }
        Err(PushError::Contended)
    }

    async fn tell(
        &self,
        owner: &Owner,
        installation: &Installation,
        decisions: &Decisions,
    ) -> Result<PushReport, PushError> {
        let pusher = Pusher {
            bucket: self.bucket,
            format: self.format,
            local: &DecidedElsewhere(decisions.clone()),
            memory: self.memory,
            owner: owner.clone(),
            installation: installation.clone(),
            // A push of theirs may have died and left objects.
            options: PushOptions { collects_always: true, ..self.options.clone() },
        };
        pusher.push().await
    }

    /// What the owner decided so far, and this.
    async fn decisions(
        &self,
        owner: &Owner,
        installations: &BTreeSet<Installation>,
        what: &TakenBack,
    ) -> Result<Decisions, PushError> {
        let mut decisions = Decisions::default();
        for installation in installations {
            let chain = self.chain(owner, installation, Audience::Private);
            decisions.merge(&chain.head().await?.manifest.decisions);
        }
        match what {
            TakenBack::Everything => {
                for session in self.sessions(owner, installations).await? {
                    decisions.forget(session);
                }
                decisions.set_left(true);
            }
            // The push itself finds the sessions.
            TakenBack::Project(key) => decisions.forget_project(key),
            TakenBack::Expired(level, before) => decisions.expire(*level, *before),
        }
        Ok(decisions)
    }

    /// The sessions that the lake has of an owner.
    async fn sessions(
        &self,
        owner: &Owner,
        installations: &BTreeSet<Installation>,
    ) -> Result<BTreeSet<SessionId>, PushError> {
        let mut found = BTreeSet::new();
        for installation in installations {
            let private = self.chain(owner, installation, Audience::Private).head().await?;
            let others = private.manifest.audiences.iter().cloned();
            for audience in std::iter::once(Audience::Private).chain(others) {
                let chain = self.chain(owner, installation, audience);
                for segment in chain.head().await?.manifest.segments {
                    let table = segment.name.table;
                    // Sums by day are about no session.
                    if table == Table::Days {
                        continue;
                    }
                    let name = chain.name.segment(&segment.name);
                    // One that is gone was replaced meanwhile.
                    let Some(bytes) = self.bucket.get(&name).await? else { continue };
                    let entries = self.format.entries(table, &bytes);
                    let entries = entries.map_err(|source| PushError::Format { name, source })?;
                    found.extend(entries.into_iter().map(|entry| entry.session));
                }
            }
        }
        Ok(found)
    }

    async fn installations(&self, owner: &Owner) -> Result<BTreeSet<Installation>, BucketError> {
        let prefix = ChainName::owner_prefix(&Audience::Private, owner);
        let folders = self.bucket.folders(&prefix).await?;
        Ok(folders.iter().filter_map(|folder| folder.parse().ok()).collect())
    }

    fn chain(
        &self,
        owner: &Owner,
        installation: &Installation,
        audience: Audience,
    ) -> Chain<'_, B> {
        let name = ChainName { audience, owner: owner.clone(), installation: installation.clone() };
        Chain::new(self.bucket, name)
    }
}

/// Everybody who has something in the lake that may be listed here.
pub async fn owners_in_lake(bucket: &impl Bucket) -> Result<BTreeSet<Owner>, BucketError> {
    let mut prefixes = vec![
        ChainName::audience_prefix(&Audience::Private),
        ChainName::audience_prefix(&Audience::Org),
    ];
    for team in bucket.folders("v1/team/").await? {
        let Ok(team) = team.parse::<TeamName>() else { continue };
        prefixes.push(ChainName::audience_prefix(&Audience::Team(team)));
    }
    let mut owners = BTreeSet::new();
    for prefix in prefixes {
        let folders = bucket.folders(&prefix).await?;
        owners.extend(folders.iter().filter_map(|folder| folder.parse::<Owner>().ok()));
    }
    Ok(owners)
}
