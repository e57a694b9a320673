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
use crate::names::{Audience, ChainName, ManifestNumber, Month, SegmentName, SessionId, Table};
use crate::private_chains::PrivateChains;
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
        trusts: bool,
        report: &mut PushReport,
    ) -> Result<bool, PushError> {
        let control = self.chain(Audience::Private);
        let control_head = &settled.control;
        report.private = settled.private.clone();
        let months = self.ingredients(control_head, &settled.private).await?;
        let chain = self.chain(Audience::Org);
        let head = self.head(&chain, trusts).await?;
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
                self.write(&control, control_head, announcing, Vec::new(), report).await?;
            let Some(written) = written else { return Ok(false) };
            if !control.is_newest(written.number).await? {
                return Ok(false);
            }
            report.private.set_newest(&self.installation, written.number);
        }
        let Some(written) = self.write(&chain, &head, manifest, objects, report).await? else {
            return Ok(false);
        };
        let decisions = &control_head.manifest.decisions;
        if !self.collects_now(&head, &written, decisions) {
            return Ok(chain.is_newest(written.number).await?);
        }
        let collected = self.collect(&chain, &written).await?;
        report.deleted += collected.map_or(0, |collected| collected.deleted);
        Ok(collected.is_some())
    }

    /// What the sums of each month are made from.
    async fn ingredients(
        &self,
        control: &ChainHead,
        private: &PrivateChains,
    ) -> Result<BTreeMap<Month, Ingredients>, PushError> {
        let mut months: BTreeMap<Month, Ingredients> = BTreeMap::new();
        for name in calls_of(control) {
            months.entry(name.month).or_default().own.push(name.clone());
        }
        if months.is_empty() {
            return Ok(months);
        }
        for (installation, number) in private.iter() {
            if *installation >= self.installation {
                continue;
            }
            let chain = self.chain(Audience::Private).name;
            let chain = ChainName { installation: installation.clone(), ..chain };
            let known = self.memory.head(&chain).filter(|known| known.number == number);
            let head = match known {
                Some(known) => known,
                None => self.head(&Chain::new(self.bucket, chain.clone()), false).await?,
            };
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
        let bytes = self.format.encode(Table::Days, &[Piece { entry: entry.clone(), rows: sums }]);
        let bytes = bytes.map_err(failed)?;
        let number = self.number_of_new(head.number)?;
        let name = SegmentName::of(number, Table::Days, month, &bytes);
        let segment = Segment { name, rows, bytes: bytes.len() as u64 };
        Ok(Some(NewSegment { segment, bytes, entries: vec![entry], sessions: BTreeSet::new() }))
    }

    async fn pieces(
        &self,
        chain: &Chain<'_, B>,
        name: &SegmentName,
    ) -> Result<Option<Vec<Piece<F::Rows>>>, PushError> {
        let bytes = if let Some(known) = self.memory.calls(name) {
            known
        } else {
            let Some(read) = self.read(chain, name).await? else { return Ok(None) };
            self.memory.keep_calls(name, &read);
            read
        };
        let failed = |source| PushError::Format { name: chain.name.segment(name), source };
        self.format.decode(name.table, &bytes).map(Some).map_err(failed)
    }
}

fn calls_of(head: &ChainHead) -> impl Iterator<Item = &SegmentName> {
    let names: BTreeSet<&SegmentName> =
        head.manifest.segments.iter().map(|segment| &segment.name).collect();
    names.into_iter().filter(|name| name.table == Table::Calls)
}
