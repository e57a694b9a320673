//! What a push reads before it decides: chains, and the owner's decisions.

use super::{PushError, Pusher};
use crate::bucket::Bucket;
use crate::chain::{Chain, ChainHead};
use crate::decision::Decisions;
use crate::flaw::Flaw;
use crate::local::Local;
use crate::manifest::Segment;
use crate::memory::Memory;
use crate::names::{Audience, ChainName, Installation, Month, SegmentName, SessionId, Table};
use crate::org_decisions::decided_for_everybody;
use crate::segment::{Entry, Format, FormatError};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A chain with the entries of its segments.
pub(super) struct ReadChain {
    pub(super) head: ChainHead,
    /// One list for each segment, in the manifest's order.
    pub(super) entries: Vec<Vec<Entry>>,
}

impl ReadChain {
    pub(super) fn with_segments(&self) -> impl Iterator<Item = (&Segment, &Vec<Entry>)> {
        self.head.manifest.segments.iter().zip(&self.entries)
    }
}

/// What each chain has of each session.
pub(super) type Holdings<'c> =
    HashMap<(&'c Audience, Table, &'c SessionId), BTreeSet<(&'c Entry, Month)>>;

impl<B: Bucket, F: Format, L: Local<F::Rows>, M: Memory> Pusher<'_, B, F, L, M> {
    /// All decisions of the owner that this installation can know.
    pub(super) async fn known_decisions(
        &self,
        control: &ChainHead,
    ) -> Result<Decisions, PushError> {
        let mut decisions = control.manifest.decisions.clone();
        if !control.manifest.knows_decisions && !self.makes(Flaw::SkipsDecisionsOfOthers) {
            let prefix = ChainName::owner_prefix(&Audience::Private, &self.owner);
            for folder in self.bucket.folders(&prefix).await? {
                let Ok(installation) = folder.parse::<Installation>() else { continue };
                if installation != self.installation {
                    let name = ChainName {
                        audience: Audience::Private,
                        owner: self.owner.clone(),
                        installation,
                    };
                    let other = Chain::new(self.bucket, name).head().await?;
                    decisions.merge(&other.manifest.decisions);
                }
            }
        }
        if !control.manifest.knows_decisions {
            decisions.merge(&decided_for_everybody(self.bucket).await?);
        }
        decisions.merge(&self.local.decisions());
        Ok(decisions)
    }

    /// All chains of this installation. `None` if a segment is gone: a newer manifest has
    /// replaced the one that named it.
    pub(super) async fn read_chains(
        &self,
        control: ChainHead,
        trusts: bool,
    ) -> Result<Option<BTreeMap<Audience, ReadChain>>, PushError> {
        let others = control.manifest.audiences.clone();
        let mut chains = BTreeMap::new();
        for audience in std::iter::once(Audience::Private).chain(others) {
            let chain = self.chain(audience.clone());
            let head = match audience {
                Audience::Private => control.clone(),
                _ => self.head(&chain, trusts).await?,
            };
            let mut entries = Vec::new();
            for segment in &head.manifest.segments {
                let Some(read) = self.entries(&chain, segment).await? else { return Ok(None) };
                entries.push(read);
            }
            chains.insert(audience, ReadChain { head, entries });
        }
        Ok(Some(chains))
    }

    /// The sessions of forgotten projects that the lake has and this machine does not know.
    /// Rows are read for them only after a decision, or if a chain does not obey: a push
    /// that did not know the decision may have sent some and died. `None` if a segment is gone.
    pub(super) async fn of_forgotten_projects(
        &self,
        chains: &BTreeMap<Audience, ReadChain>,
        decisions: &Decisions,
        is_new: bool,
    ) -> Result<Option<BTreeSet<SessionId>>, PushError> {
        let mut found = BTreeSet::new();
        let decided = chains.get(&Audience::Private).map(|control| control.head.manifest.decided);
        let obeys = |read: &ReadChain| Some(read.head.manifest.obeys.decided) == decided;
        let is_due = is_new || chains.values().any(|read| !obeys(read));
        if !is_due || decisions.forgotten_projects().next().is_none() {
            return Ok(Some(found));
        }
        for (audience, read) in chains {
            let chain = self.chain(audience.clone());
            for (segment, entries) in read.with_segments() {
                let table = segment.name.table;
                let is_unknown = |session: &SessionId| {
                    table != Table::Days
                        && self.local.project(session).is_none()
                        && !decisions.has_forgotten(session)
                };
                if !entries.iter().any(|entry| is_unknown(&entry.session)) {
                    continue;
                }
                let Some(bytes) = self.read(&chain, &segment.name).await? else { return Ok(None) };
                let pieces = self.format.decode(table, &bytes);
                for piece in pieces.map_err(|source| self.format_error(&chain, segment, source))? {
                    let mut projects = decisions.forgotten_projects();
                    if is_unknown(&piece.entry.session)
                        && projects.any(|key| self.format.is_of_project(&piece, key))
                    {
                        found.insert(piece.entry.session);
                    }
                }
            }
        }
        Ok(Some(found))
    }

    /// The entries of a segment. `None` if it is gone.
    pub(super) async fn entries(
        &self,
        chain: &Chain<'_, B>,
        segment: &Segment,
    ) -> Result<Option<Vec<Entry>>, PushError> {
        if let Some(known) = self.memory.entries(&segment.name) {
            return Ok(Some(known));
        }
        let Some(bytes) = self.read(chain, &segment.name).await? else { return Ok(None) };
        let read = self.format.entries(segment.name.table, &bytes);
        let read = read.map_err(|source| self.format_error(chain, segment, source))?;
        self.memory.keep_entries(&segment.name, &read);
        Ok(Some(read))
    }

    /// The newest manifest of a chain. With `trusts`, the one that is remembered.
    pub(super) async fn head(
        &self,
        chain: &Chain<'_, B>,
        trusts: bool,
    ) -> Result<ChainHead, PushError> {
        let known = self.memory.head(&chain.name);
        if let Some(known) = known.as_ref().filter(|_| trusts) {
            return Ok(known.clone());
        }
        let head = chain.head_since(known.clone()).await?;
        if known.as_ref() != Some(&head) {
            self.memory.keep_head(&chain.name, &head);
        }
        Ok(head)
    }

    pub(super) fn chain(&self, audience: Audience) -> Chain<'_, B> {
        let name = ChainName {
            audience,
            owner: self.owner.clone(),
            installation: self.installation.clone(),
        };
        Chain::new(self.bucket, name)
    }

    pub(super) async fn read(
        &self,
        chain: &Chain<'_, B>,
        segment: &SegmentName,
    ) -> Result<Option<Vec<u8>>, PushError> {
        Ok(self.bucket.get(&chain.name.segment(segment)).await?)
    }

    #[expect(clippy::unused_self, reason = "keeps the calls short")]
    pub(super) fn format_error(
        &self,
        chain: &Chain<'_, B>,
        segment: &Segment,
        source: FormatError,
    ) -> PushError {
        PushError::Format { name: chain.name.segment(&segment.name), source }
    }
}

pub(super) fn holdings(chains: &BTreeMap<Audience, ReadChain>) -> Holdings<'_> {
    let mut holdings = Holdings::new();
    for (audience, read) in chains {
        for (segment, entries) in read.with_segments() {
            for entry in entries {
                let key = (audience, segment.name.table, &entry.session);
                holdings.entry(key).or_default().insert((entry, segment.name.month));
            }
        }
    }
    holdings
}

pub(super) fn decisions_about(decisions: &Decisions, read: &ReadChain) -> Decisions {
    let sessions = read.entries.iter().flatten().map(|entry| &entry.session);
    let known = read.head.manifest.decisions.iter().map(|(session, _)| session);
    decisions.about(sessions.chain(known))
}
