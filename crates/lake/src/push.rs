//! Brings what an installation shares into its chains.
//!
//! A push reads the chains of its installation, compares them with what is here and
//! with what the owner decided, and writes at most one manifest per chain and attempt.
//! It can die between any two requests and be repeated by anybody with the same home.
//!
//! Rows that change their audience are first added where they belong and then removed
//! where they were, in two attempts, so that nothing is lost in between: the lake may be
//! the last to have them. Decisions are written first of all, in the private chain.

use crate::bucket::{Bucket, BucketError, Created};
use crate::chain::{Chain, ChainError, ChainHead};
use crate::decision::Decisions;
use crate::flaw::Flaw;
use crate::local::{Local, Target};
use crate::manifest::{Manifest, Segment};
use crate::names::{
    Audience, ChainName, Installation, ManifestNumber, Month, Owner, SegmentName, SessionId, Table,
};
use crate::segment::{Entry, Format, FormatError, Piece};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How often a push begins again because a copy of this home writes at the same time.
const MAX_ATTEMPTS: usize = 50;

/// How to push.
#[derive(Clone, Debug)]
pub struct PushOptions {
    /// Merge the small segments of a table and month when there are more than this many.
    pub small_segments: usize,
    /// A segment is small below this size.
    pub small_bytes: u64,
    /// Delete unnamed segments even if there is nothing to write: an earlier push may have
    /// died and left some.
    pub collects_always: bool,
    /// A mistake to make, so that tests can show that they notice it.
    #[cfg(test)]
    pub(crate) flaw: Option<Flaw>,
}

impl Default for PushOptions {
    fn default() -> Self {
        PushOptions {
            small_segments: 8,
            small_bytes: 8 << 20,
            collects_always: false,
            #[cfg(test)]
            flaw: None,
        }
    }
}

/// What a push did.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PushReport {
    /// Manifests written.
    pub manifests: u64,
    /// Segments written.
    pub segments: u64,
    /// Bytes of these segments.
    pub bytes: u64,
    /// Objects deleted.
    pub deleted: u64,
}

/// Why a push failed. It can always be repeated.
#[derive(Debug, thiserror::Error)]
pub enum PushError {
    /// A chain cannot be read or written.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// A request failed.
    #[error(transparent)]
    Bucket(#[from] BucketError),
    /// A segment cannot be read.
    #[error("{name}: {source}")]
    Format {
        /// The object.
        name: String,
        /// What is wrong.
        source: FormatError,
    },
    /// Another process with the same installation is always faster.
    #[error("another process of this installation writes at the same time; try again later")]
    Contended,
}

/// Pushes for one installation.
#[derive(Debug)]
pub struct Pusher<'a, B, F, L> {
    /// Where to.
    pub bucket: &'a B,
    /// How segments are encoded.
    pub format: &'a F,
    /// What is here.
    pub local: &'a L,
    /// Whose rows they are.
    pub owner: Owner,
    /// Whose chains are written.
    pub installation: Installation,
    /// How to push.
    pub options: PushOptions,
}

/// A chain with the entries of its segments.
struct ReadChain {
    head: ChainHead,
    /// One list for each segment, in the manifest's order.
    entries: Vec<Vec<Entry>>,
}

impl ReadChain {
    fn with_segments(&self) -> impl Iterator<Item = (&Segment, &Vec<Entry>)> {
        self.head.manifest.segments.iter().zip(&self.entries)
    }
}

/// Rows to add, by their place.
type Additions<R> = BTreeMap<(Audience, Table, Month), Vec<Piece<R>>>;
/// Rows of one chain, by the segments they belong to.
type PiecesByPlace<R> = BTreeMap<(Table, Month), Vec<Piece<R>>>;
/// What each chain has of each session.
type Holdings<'c> = HashMap<(&'c Audience, Table, &'c SessionId), BTreeSet<(&'c Entry, Month)>>;

/// How an attempt ended.
enum Attempt {
    Finished,
    /// Something changed meanwhile, or a second step is due.
    Again,
}

impl<B: Bucket, F: Format, L: Local<F::Rows>> Pusher<'_, B, F, L> {
    /// Pushes until there is nothing left to do.
    pub async fn push(&self) -> Result<PushReport, PushError> {
        let mut report = PushReport::default();
        for _ in 0..MAX_ATTEMPTS {
            if let Attempt::Finished = self.attempt(&mut report).await? {
                return Ok(report);
            }
        }
        Err(PushError::Contended)
    }

    async fn attempt(&self, report: &mut PushReport) -> Result<Attempt, PushError> {
        let control = self.chain(Audience::Private);
        let control_head = control.head().await?;
        if control_head.number == ManifestNumber::NONE {
            // An empty manifest announces this installation. From here on, decisions of
            // the owner's other installations reach this chain; earlier ones are read now.
            let announced = control.append(control_head.number, Manifest::default()).await?;
            report.manifests += u64::from(announced.is_some());
            return Ok(Attempt::Again);
        }
        let decisions = self.known_decisions(&control_head).await?;
        let Some(chains) = self.read_chains(control_head).await? else {
            return Ok(Attempt::Again);
        };
        let holdings = holdings(&chains);
        let target =
            |session: &SessionId, table| self.local.target(session, table, decisions.get(session));

        let mut additions = self.moves(&chains, &holdings, &target).await?;
        let Some(moved) = additions.as_mut() else { return Ok(Attempt::Again) };
        let has_moves = !moved.is_empty();
        if !has_moves {
            self.add_local(moved, &holdings, &target);
        }
        let additions = additions.unwrap_or_default();
        let removes = !has_moves || self.makes(Flaw::RemovesBeforeAdding);

        let wanted: BTreeSet<Audience> =
            additions.keys().map(|(audience, ..)| audience.clone()).collect();
        let mut audiences: BTreeSet<Audience> = chains.keys().cloned().collect();
        audiences.extend(wanted);
        let mut additions_by_audience: BTreeMap<Audience, PiecesByPlace<F::Rows>> = BTreeMap::new();
        for ((audience, table, month), pieces) in additions {
            additions_by_audience.entry(audience).or_default().insert((table, month), pieces);
        }

        let mut control_number = ManifestNumber::NONE;
        let mut wrote_others = false;
        // `Private` sorts first: decisions and the list of audiences are written before
        // anything that depends on them.
        for audience in &audiences {
            let chain = self.chain(audience.clone());
            let empty = ReadChain { head: ChainHead::default(), entries: Vec::new() };
            let read = chains.get(audience).unwrap_or(&empty);
            let added = additions_by_audience.remove(audience).unwrap_or_default();
            let head = read.head.clone();
            let Some(change) = self.change(&chain, read, added, removes, &target).await? else {
                return Ok(Attempt::Again);
            };
            let mut manifest = head.manifest.clone();
            manifest.segments = change.segments;
            if *audience == Audience::Private {
                manifest.decisions.clone_from(&decisions);
                manifest.knows_decisions = true;
                manifest.audiences = audiences
                    .iter()
                    .filter(|other| **other != Audience::Private)
                    .cloned()
                    .collect();
            } else {
                manifest.decisions.merge(&decisions_about(&decisions, read));
            }
            let mut newest = head.clone();
            if manifest != head.manifest {
                let Some(written) =
                    self.write(&chain, &head, manifest, change.objects, report).await?
                else {
                    return Ok(Attempt::Again);
                };
                newest = written;
                wrote_others |= *audience != Audience::Private;
            }
            if *audience == Audience::Private {
                control_number = newest.number;
            }
            if (newest != head || self.options.collects_always) && !self.makes(Flaw::NeverDeletes) {
                let collected = chain.collect(&newest).await?;
                report.deleted += collected.deleted;
                if collected.has_unfinished && self.options.collects_always {
                    // Of a push that died. The same manifest under the next number makes
                    // its segments deletable; a push that is alive begins again.
                    let Some(next) = chain.append(newest.number, newest.manifest).await? else {
                        return Ok(Attempt::Again);
                    };
                    report.manifests += 1;
                    report.deleted += chain.collect(&next).await?.deleted;
                    if *audience == Audience::Private {
                        control_number = next.number;
                    }
                }
            }
        }
        if has_moves {
            return Ok(Attempt::Again);
        }
        // A decision that was made while this push wrote has found all chains that were
        // there; a chain that is new now has to be looked at again.
        let looks = wrote_others && !self.makes(Flaw::SkipsTheLastLook);
        if looks && control.head().await?.number != control_number {
            return Ok(Attempt::Again);
        }
        Ok(Attempt::Finished)
    }

    /// All decisions of the owner that this installation can know.
    async fn known_decisions(&self, control: &ChainHead) -> Result<Decisions, PushError> {
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
        decisions.merge(&self.local.decisions());
        Ok(decisions)
    }

    /// All chains of this installation. `None` if a segment is gone: a newer manifest has
    /// replaced the one that named it.
    async fn read_chains(
        &self,
        control: ChainHead,
    ) -> Result<Option<BTreeMap<Audience, ReadChain>>, PushError> {
        let others = control.manifest.audiences.clone();
        let mut chains = BTreeMap::new();
        for audience in std::iter::once(Audience::Private).chain(others) {
            let chain = self.chain(audience.clone());
            let head = match audience {
                Audience::Private => control.clone(),
                _ => chain.head().await?,
            };
            let mut entries = Vec::new();
            for segment in &head.manifest.segments {
                let Some(bytes) = self.read(&chain, &segment.name).await? else { return Ok(None) };
                let read = self.format.entries(segment.name.table, &bytes);
                entries.push(read.map_err(|source| self.format_error(&chain, segment, source))?);
            }
            chains.insert(audience, ReadChain { head, entries });
        }
        Ok(Some(chains))
    }

    /// Rows that lie in one chain and belong in another that lacks them. `None` if a
    /// segment is gone meanwhile.
    async fn moves(
        &self,
        chains: &BTreeMap<Audience, ReadChain>,
        holdings: &Holdings<'_>,
        target: &impl Fn(&SessionId, Table) -> Target,
    ) -> Result<Option<Additions<F::Rows>>, PushError> {
        let mut additions = Additions::new();
        let mut moved = HashSet::new();
        for (audience, read) in chains {
            let chain = self.chain(audience.clone());
            for (segment, entries) in read.with_segments() {
                let SegmentName { table, month, .. } = segment.name;
                let mut leaving = HashMap::new();
                for entry in entries {
                    let Target::Audience(there) = target(&entry.session, table) else { continue };
                    let has = |audience| {
                        holdings
                            .get(&(audience, table, &entry.session))
                            .is_some_and(|held| held.contains(&(entry, month)))
                    };
                    if there != *audience && !has(&there) && moved.insert((entry, table, month)) {
                        leaving.insert(entry, there);
                    }
                }
                if leaving.is_empty() {
                    continue;
                }
                let Some(bytes) = self.read(&chain, &segment.name).await? else { return Ok(None) };
                let pieces = self.format.decode(table, &bytes);
                for piece in pieces.map_err(|source| self.format_error(&chain, segment, source))? {
                    if let Some(there) = leaving.remove(&piece.entry) {
                        additions.entry((there, table, month)).or_default().push(piece);
                    }
                }
            }
        }
        Ok(Some(additions))
    }

    fn add_local(
        &self,
        additions: &mut Additions<F::Rows>,
        holdings: &Holdings<'_>,
        target: &impl Fn(&SessionId, Table) -> Target,
    ) {
        for table in Table::ALL {
            for session in self.local.sessions(table) {
                let Target::Audience(audience) = target(&session, table) else { continue };
                let held = holdings.get(&(&audience, table, &session));
                let has: BTreeSet<&Entry> =
                    held.into_iter().flatten().map(|(entry, _)| *entry).collect();
                let has: Vec<&Entry> = has.into_iter().collect();
                for (month, piece) in self.local.missing(table, &session, &has) {
                    additions.entry((audience.clone(), table, month)).or_default().push(piece);
                }
            }
        }
    }

    /// What a chain's next manifest names. `None` if a segment is gone meanwhile.
    async fn change(
        &self,
        chain: &Chain<'_, B>,
        read: &ReadChain,
        mut pieces: PiecesByPlace<F::Rows>,
        removes: bool,
        target: &impl Fn(&SessionId, Table) -> Target,
    ) -> Result<Option<Change>, PushError> {
        let stays = |entry: &Entry, table| match target(&entry.session, table) {
            Target::Nowhere => !removes,
            Target::Audience(audience) => !removes || audience == chain.name.audience,
            Target::Undecided => true,
        };
        let small = |segment: &Segment| segment.bytes < self.options.small_bytes;
        let mut small_counts: HashMap<(Table, Month), usize> = HashMap::new();
        for segment in read.head.manifest.segments.iter().filter(|segment| small(segment)) {
            *small_counts.entry((segment.name.table, segment.name.month)).or_default() += 1;
        }
        let mut segments = Vec::new();
        for (segment, entries) in read.with_segments() {
            let place = (segment.name.table, segment.name.month);
            let is_whole = entries.iter().all(|entry| stays(entry, segment.name.table));
            let count = small_counts.get(&place).copied().unwrap_or_default();
            let is_merged = pieces.contains_key(&place)
                && small(segment)
                && count > self.options.small_segments;
            if is_whole && !is_merged {
                segments.push(segment.clone());
                continue;
            }
            let Some(bytes) = self.read(chain, &segment.name).await? else { return Ok(None) };
            let decoded = self.format.decode(segment.name.table, &bytes);
            let mut rest = decoded.map_err(|source| self.format_error(chain, segment, source))?;
            rest.retain(|piece| stays(&piece.entry, segment.name.table));
            if !rest.is_empty() {
                pieces.entry(place).or_default().extend(rest);
            }
        }
        let number = self.number_of_new(read.head.number)?;
        let mut objects = Vec::new();
        for ((table, month), mut pieces) in pieces {
            pieces.sort_by(|a, b| a.entry.cmp(&b.entry));
            pieces.dedup_by(|a, b| a.entry == b.entry);
            let rows = pieces.iter().map(|piece| self.format.count(&piece.rows)).sum();
            let bytes = self.format.encode(table, &pieces).map_err(|source| PushError::Format {
                name: format!("{} of {month}", table.as_str()),
                source,
            })?;
            let name = SegmentName::of(number, table, month, &bytes);
            segments.push(Segment { name: name.clone(), rows, bytes: bytes.len() as u64 });
            objects.push((name, bytes));
        }
        segments.sort_by(|a, b| a.name.cmp(&b.name));
        segments.dedup();
        Ok(Some(Change { segments, objects }))
    }

    /// Writes segments and then the manifest that names them. `None` if another writer
    /// was faster.
    async fn write(
        &self,
        chain: &Chain<'_, B>,
        head: &ChainHead,
        manifest: Manifest,
        objects: Vec<(SegmentName, Vec<u8>)>,
        report: &mut PushReport,
    ) -> Result<Option<ChainHead>, PushError> {
        for (name, bytes) in objects {
            let length = bytes.len() as u64;
            // The name has the digest of the bytes, so an object that exists is the same.
            if self.bucket.create(&chain.name.segment(&name), bytes).await? == Created::New {
                report.segments += 1;
                report.bytes += length;
            }
        }
        let written = chain.append(head.number, manifest).await?;
        report.manifests += u64::from(written.is_some());
        Ok(written)
    }

    fn chain(&self, audience: Audience) -> Chain<'_, B> {
        let name = ChainName {
            audience,
            owner: self.owner.clone(),
            installation: self.installation.clone(),
        };
        Chain::new(self.bucket, name)
    }

    async fn read(
        &self,
        chain: &Chain<'_, B>,
        segment: &SegmentName,
    ) -> Result<Option<Vec<u8>>, PushError> {
        Ok(self.bucket.get(&chain.name.segment(segment)).await?)
    }

    #[expect(clippy::unused_self, reason = "keeps the calls short")]
    fn format_error(
        &self,
        chain: &Chain<'_, B>,
        segment: &Segment,
        source: FormatError,
    ) -> PushError {
        PushError::Format { name: chain.name.segment(&segment.name), source }
    }

    fn number_of_new(&self, head: ManifestNumber) -> Result<ManifestNumber, PushError> {
        let head =
            if self.makes(Flaw::NumbersAllSegmentsAlike) { ManifestNumber::NONE } else { head };
        let full = || ChainError::Full(self.installation.to_string());
        Ok(head.next().ok_or_else(full)?)
    }

    /// Whether a test asked for this mistake.
    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "only tests have mistakes to make"))]
    fn makes(&self, flaw: Flaw) -> bool {
        #[cfg(test)]
        let asked = self.options.flaw == Some(flaw);
        #[cfg(not(test))]
        let asked = {
            let _ = flaw;
            false
        };
        asked
    }
}

/// What a manifest will name, and the objects that have to be written before it.
struct Change {
    segments: Vec<Segment>,
    objects: Vec<(SegmentName, Vec<u8>)>,
}

fn holdings(chains: &BTreeMap<Audience, ReadChain>) -> Holdings<'_> {
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

fn decisions_about(decisions: &Decisions, read: &ReadChain) -> Decisions {
    let sessions = read.entries.iter().flatten().map(|entry| &entry.session);
    let known = read.head.manifest.decisions.iter().map(|(session, _)| session);
    decisions.about(sessions.chain(known))
}
