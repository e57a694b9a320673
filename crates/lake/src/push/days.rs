//! The sums of each day, for everyone.
//!
//! Single calls are the owner's; what everyone may read is how much each project and
//! model took on a day, without session or time of day. The sums of a month are made from
//! the calls that lie in the private chain, and from nothing else: every copy of a home makes
//! the same ones, and what is forgotten there is gone from them too.
//!
//! Two installations of an owner can have copies of one session. A call counts where the
//! name of the installation sorts first.

use super::change::NewSegment;
use super::{PushError, PushReport, Pusher, Settled};
use crate::bucket::Bucket;
use crate::chain::{Chain, ChainHead};
use crate::local::Local;
use crate::manifest::{Obedience, Segment};
use crate::memory::Memory;
use crate::names::{
    Audience, ChainName, Installation, ManifestNumber, Month, SegmentName, SessionId, Table,
};
use crate::segment::{Entry, Format, Piece};
use std::collections::{BTreeMap, BTreeSet};

/// The segments that the sums of a month are made from.
#[derive(Default)]
struct Ingredients {
    own: Vec<SegmentName>,
    /// Of installations whose names sort before this one's.
    others: Vec<(ChainName, SegmentName)>,
}

impl Ingredients {
    /// Says what the sums are made from.
    fn entry(&self, rules: u32) -> Result<Entry, PushError> {
        let mut hasher = blake3::Hasher::new();
        for name in &self.own {
            hasher.update(name.to_string().as_bytes());
            hasher.update(b"\n");
        }
        for (chain, name) in &self.others {
            hasher.update(chain.segment(name).as_bytes());
            hasher.update(b"\n");
        }
        let digest = hasher.finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&digest.as_bytes()[..8]);
        let session: SessionId = "days".parse().map_err(PushError::Name)?;
        let source = digest.to_hex()[..32].to_owned();
        Ok(Entry { session, source, from: 0, to: 1, digest: u64::from_le_bytes(first), rules })
    }
}

impl<B: Bucket, F: Format, L: Local<F::Rows>, M: Memory> Pusher<'_, B, F, L, M> {
    /// Brings the sums of all days in line with the calls. Returns whether the lake is still
    /// as the attempt before left it: only then does the chain obey the decisions, sums and
    /// all.
    pub(super) async fn publish_days(
        &self,
        settled: &Settled,
        report: &mut PushReport,
    ) -> Result<bool, PushError> {
        let control = self.chain(Audience::Private);
        let control_head = self.head(&control).await?;
        if control_head.manifest.decided != settled.decided {
            return Ok(false);
        }
        let months = self.ingredients(&control_head).await?;
        let chain = self.chain(Audience::Org);
        let head = self.head(&chain).await?;
        if head.number != settled.org {
            return Ok(false);
        }

        let mut kept: BTreeMap<Month, (Segment, Entry)> = BTreeMap::new();
        let mut manifest = head.manifest.clone();
        manifest.segments.clear();
        for segment in &head.manifest.segments {
            if segment.name.table != Table::Days {
                manifest.segments.push(segment.clone());
                continue;
            }
            let Some(entries) = self.entries(&chain, segment).await? else { return Ok(false) };
            if let Some(entry) = entries.into_iter().next() {
                kept.insert(segment.name.month, (segment.clone(), entry));
            }
        }
        let rules = control_head.manifest.rules;
        let mut objects = Vec::new();
        for (month, ingredients) in &months {
            let entry = ingredients.entry(rules)?;
            match kept.remove(month) {
                Some((segment, known)) if known == entry => manifest.segments.push(segment),
                _ => {
                    let sums = self.sums(&head, *month, ingredients, entry).await?;
                    let Some(sums) = sums else { return Ok(false) };
                    manifest.segments.push(sums.segment.clone());
                    objects.push(sums);
                }
            }
        }
        manifest.segments.sort_by(|a, b| a.name.cmp(&b.name));
        let decided = control_head.manifest.decided;
        let is_empty = head.number == ManifestNumber::NONE && manifest.segments.is_empty();
        if manifest.obeys.decided != decided && !is_empty {
            manifest.obeys = Obedience { decided, since: self.number_after(head.number)? };
        }
        if manifest == head.manifest {
            return Ok(true);
        }
        // The list of audiences is written before the chain that it names.
        if !control_head.manifest.audiences.contains(&Audience::Org) {
            let mut announcing = control_head.manifest.clone();
            announcing.audiences.insert(Audience::Org);
            let written =
                self.write(&control, &control_head, announcing, Vec::new(), report).await?;
            if written.is_none() {
                return Ok(false);
            }
        }
        let Some(written) = self.write(&chain, &head, manifest, objects, report).await? else {
            return Ok(false);
        };
        report.deleted += chain.collect(&written).await?.deleted;
        Ok(true)
    }

    /// What the sums of each month are made from.
    async fn ingredients(
        &self,
        control: &ChainHead,
    ) -> Result<BTreeMap<Month, Ingredients>, PushError> {
        let mut months: BTreeMap<Month, Ingredients> = BTreeMap::new();
        for name in calls_of(control) {
            months.entry(name.month).or_default().own.push(name.clone());
        }
        if months.is_empty() {
            return Ok(months);
        }
        let prefix = ChainName::owner_prefix(&Audience::Private, &self.owner);
        for folder in self.bucket.folders(&prefix).await? {
            let Ok(installation) = folder.parse::<Installation>() else { continue };
            if installation >= self.installation {
                continue;
            }
            let chain = ChainName { installation, ..self.chain(Audience::Private).name };
            let head = self.head(&Chain::new(self.bucket, chain.clone())).await?;
            for name in calls_of(&head) {
                if let Some(month) = months.get_mut(&name.month) {
                    month.others.push((chain.clone(), name.clone()));
                }
            }
        }
        Ok(months)
    }

    /// The sums of a month as a segment. `None` if a segment is gone meanwhile.
    async fn sums(
        &self,
        head: &ChainHead,
        month: Month,
        ingredients: &Ingredients,
        entry: Entry,
    ) -> Result<Option<NewSegment>, PushError> {
        let own = self.chain(Audience::Private);
        let mut calls = Vec::new();
        let mut counted_elsewhere = Vec::new();
        for name in &ingredients.own {
            let Some(pieces) = self.pieces(&own, name).await? else { return Ok(None) };
            calls.extend(pieces.into_iter().map(|piece| piece.rows));
        }
        for (chain, name) in &ingredients.others {
            let chain = Chain::new(self.bucket, chain.clone());
            let Some(pieces) = self.pieces(&chain, name).await? else { return Ok(None) };
            counted_elsewhere.extend(pieces.into_iter().map(|piece| piece.rows));
        }
        let sums = self.format.sum_by_day(&calls, &counted_elsewhere);
        let rows = self.format.count(&sums);
        let failed = |source| PushError::Format { name: format!("days of {month}"), source };
        let bytes =
            self.format.encode(Table::Days, &[Piece { entry, rows: sums }]).map_err(failed)?;
        let number = self.number_of_new(head.number)?;
        let name = SegmentName::of(number, Table::Days, month, &bytes);
        let segment = Segment { name, rows, bytes: bytes.len() as u64 };
        Ok(Some(NewSegment { segment, bytes, sessions: BTreeSet::new() }))
    }

    async fn pieces(
        &self,
        chain: &Chain<'_, B>,
        name: &SegmentName,
    ) -> Result<Option<Vec<Piece<F::Rows>>>, PushError> {
        let Some(bytes) = self.read(chain, name).await? else { return Ok(None) };
        let failed = |source| PushError::Format { name: chain.name.segment(name), source };
        self.format.decode(name.table, &bytes).map(Some).map_err(failed)
    }
}

fn calls_of(head: &ChainHead) -> impl Iterator<Item = &SegmentName> {
    let names: BTreeSet<&SegmentName> =
        head.manifest.segments.iter().map(|segment| &segment.name).collect();
    names.into_iter().filter(|name| name.table == Table::Calls)
}
