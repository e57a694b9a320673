//! What a push changes: rows to add, move and leave out, and the objects for them.

use super::read::{Holdings, ReadChain};
use super::{PushError, PushReport, Pusher, WrittenSegment};
use crate::bucket::{Bucket, Created};
use crate::chain::{Chain, ChainError, ChainHead};
use crate::flaw::Flaw;
use crate::local::{Local, Target, Wanted};
use crate::manifest::{Manifest, Segment};
use crate::memory::Memory;
use crate::names::{Audience, ManifestNumber, Month, SegmentName, SessionId, Table};
use crate::segment::{Entry, Format, Piece};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Rows to add, by their place.
pub(super) type Additions<R> = BTreeMap<(Audience, Table, Month), Vec<Piece<R>>>;
/// Rows of one chain, by the segments they belong to.
pub(super) type PiecesByPlace<R> = BTreeMap<(Table, Month), Vec<Piece<R>>>;

/// What a manifest leaves out. Rows are only left out when the lake has them elsewhere, or
/// must not have them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Removal {
    /// Nothing: rows are still on their way to where they belong.
    Nothing,
    /// Rows that belong elsewhere.
    Misplaced,
    /// Also rows that older rules made, when all of them were sent anew.
    MisplacedAndOutdated,
}

/// What a manifest will name, and the objects that have to be written before it.
pub(super) struct Change {
    pub(super) segments: Vec<Segment>,
    pub(super) objects: Vec<NewSegment>,
}

/// A segment that has to be written.
pub(super) struct NewSegment {
    pub(super) segment: Segment,
    pub(super) bytes: Vec<u8>,
    pub(super) entries: Vec<Entry>,
    pub(super) sessions: BTreeSet<SessionId>,
}

impl<B: Bucket, F: Format, L: Local<F::Rows>, M: Memory> Pusher<'_, B, F, L, M> {
    /// Rows that lie in one chain and belong in another that lacks them. `None` if a
    /// segment is gone meanwhile.
    pub(super) async fn moves(
        &self,
        chains: &BTreeMap<Audience, ReadChain>,
        holdings: &Holdings<'_>,
        target: &impl Fn(&SessionId, Table, Month) -> Target,
    ) -> Result<Option<Additions<F::Rows>>, PushError> {
        let mut additions = Additions::new();
        let mut moved = HashSet::new();
        for (audience, read) in chains {
            let chain = self.chain(audience.clone());
            for (segment, entries) in read.with_segments() {
                let SegmentName { table, month, .. } = segment.name;
                let mut leaving = HashMap::new();
                for entry in entries {
                    let Target::Audience(there) = target(&entry.session, table, month) else {
                        continue;
                    };
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

    /// Adds what the lake lacks of the sessions here. Returns whether there is more than
    /// one manifest should add.
    pub(super) fn add_local(
        &self,
        additions: &mut Additions<F::Rows>,
        holdings: &Holdings<'_>,
        target: &impl Fn(&SessionId, Table, Month) -> Target,
    ) -> bool {
        let mut bytes = 0_u64;
        for session in self.local.sessions() {
            if bytes >= self.options.batch_bytes {
                return true;
            }
            let targets: BTreeMap<Table, Audience> = Table::ALL
                .into_iter()
                .filter_map(|table| match target(&session, table, Month::LAST) {
                    Target::Audience(audience) => Some((table, audience)),
                    Target::Nowhere | Target::Undecided => None,
                })
                .collect();
            let wanted: Vec<Wanted<'_>> = targets
                .iter()
                .map(|(table, audience)| {
                    let held = holdings.get(&(audience, *table, &session));
                    let has: BTreeSet<&Entry> =
                        held.into_iter().flatten().map(|(entry, _)| *entry).collect();
                    Wanted { table: *table, has: has.into_iter().collect() }
                })
                .collect();
            let is_expired = |table, month| target(&session, table, month) == Target::Nowhere;
            for (table, month, piece) in self.missing(&session, wanted, &is_expired) {
                let Some(audience) = targets.get(&table) else { continue };
                bytes = bytes.saturating_add(self.format.size(&piece.rows));
                additions.entry((audience.clone(), table, month)).or_default().push(piece);
            }
        }
        false
    }

    /// The rows of a session that the lake lacks and takes.
    fn missing(
        &self,
        session: &SessionId,
        wanted: Vec<Wanted<'_>>,
        is_expired: &impl Fn(Table, Month) -> bool,
    ) -> Vec<(Table, Month, Piece<F::Rows>)> {
        let known: Vec<Vec<Entry>> =
            wanted.iter().map(|wanted| self.memory.expired(wanted.table, session)).collect();
        let wanted: Vec<Wanted<'_>> =
            wanted.into_iter().zip(&known).map(|(wanted, known)| wanted.and(known)).collect();
        let missing = self.local.missing(session, &wanted);
        let expired: Vec<Vec<Entry>> = wanted
            .iter()
            .map(|wanted| {
                let gone = missing.iter().filter(|(table, month, _)| {
                    *table == wanted.table && is_expired(*table, *month)
                });
                gone.map(|(_, _, piece)| piece.entry.clone()).collect()
            })
            .collect();
        if expired.iter().all(Vec::is_empty) {
            return missing;
        }
        // What is behind them may be there, cut in other places.
        let wanted: Vec<Wanted<'_>> = wanted
            .into_iter()
            .zip(&expired)
            .map(|(wanted, expired)| {
                self.memory.keep_expired(wanted.table, session, expired);
                wanted.and(expired)
            })
            .collect();
        let mut missing = self.local.missing(session, &wanted);
        missing.retain(|(table, month, _)| !is_expired(*table, *month));
        missing
    }

    /// What a chain's next manifest names. `None` if a segment is gone meanwhile.
    pub(super) async fn change(
        &self,
        chain: &Chain<'_, B>,
        read: &ReadChain,
        mut pieces: PiecesByPlace<F::Rows>,
        removal: Removal,
        target: &impl Fn(&SessionId, Table, Month) -> Target,
    ) -> Result<Option<Change>, PushError> {
        let stays = |entry: &Entry, segment: &Segment| match target(
            &entry.session,
            segment.name.table,
            segment.name.month,
        ) {
            Target::Audience(audience) if audience == chain.name.audience => {
                removal != Removal::MisplacedAndOutdated
                    || !self.local.is_outdated(segment.name.table, entry)
            }
            Target::Audience(_) | Target::Nowhere => removal == Removal::Nothing,
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
            let is_whole = entries.iter().all(|entry| stays(entry, segment));
            let count = small_counts.get(&place).copied().unwrap_or_default();
            let is_merged = pieces.contains_key(&place)
                && small(segment)
                && count > self.options.small_segments;
            if is_whole && !is_merged {
                segments.push(segment.clone());
                continue;
            }
            if !entries.iter().any(|entry| stays(entry, segment)) {
                continue;
            }
            let Some(bytes) = self.read(chain, &segment.name).await? else { return Ok(None) };
            let decoded = self.format.decode(segment.name.table, &bytes);
            let mut rest = decoded.map_err(|source| self.format_error(chain, segment, source))?;
            rest.retain(|piece| stays(&piece.entry, segment));
            if !rest.is_empty() {
                pieces.entry(place).or_default().extend(rest);
            }
        }
        let number = self.number_of_new(read.head.number)?;
        let mut objects = Vec::new();
        for ((table, month), mut pieces) in pieces {
            let sessions = pieces.iter().map(|piece| piece.entry.session.clone()).collect();
            pieces.sort_by(|a, b| a.entry.cmp(&b.entry));
            pieces.dedup_by(|a, b| a.entry == b.entry);
            if table == Table::Sessions {
                drop_superseded(&mut pieces);
            }
            let rows = pieces.iter().map(|piece| self.format.count(&piece.rows)).sum();
            let bytes = self.format.encode(table, &pieces).map_err(|source| PushError::Format {
                name: format!("{} of {month}", table.as_str()),
                source,
            })?;
            let name = SegmentName::of(number, table, month, &bytes);
            let segment = Segment { name, rows, bytes: bytes.len() as u64 };
            segments.push(segment.clone());
            let entries = pieces.into_iter().map(|piece| piece.entry).collect();
            objects.push(NewSegment { segment, bytes, entries, sessions });
        }
        segments.sort_by(|a, b| a.name.cmp(&b.name));
        segments.dedup();
        Ok(Some(Change { segments, objects }))
    }

    /// Writes segments and then the manifest that names them. `None` if another writer
    /// was faster.
    pub(super) async fn write(
        &self,
        chain: &Chain<'_, B>,
        head: &ChainHead,
        manifest: Manifest,
        objects: Vec<NewSegment>,
        report: &mut PushReport,
    ) -> Result<Option<ChainHead>, PushError> {
        for NewSegment { segment, bytes, entries, sessions } in objects {
            let name = chain.name.segment(&segment.name);
            // Its name has the digest of its bytes, so this is true of every such object.
            self.memory.keep_entries(&segment.name, &entries);
            if segment.name.table == Table::Calls {
                self.memory.keep_calls(&segment.name, &bytes);
            }
            // The name has the digest of the bytes, so an object that exists is the same.
            if self.bucket.create(&name, bytes).await? == Created::New {
                let audience = chain.name.audience.clone();
                report.segments.push(WrittenSegment { audience, segment, sessions });
            }
        }
        let written = chain.append(head.number, manifest).await?;
        report.manifests += u64::from(written.is_some());
        if let Some(written) = &written {
            self.memory.keep_head(&chain.name, written);
        }
        Ok(written)
    }

    pub(super) fn number_of_new(&self, head: ManifestNumber) -> Result<ManifestNumber, PushError> {
        let head =
            if self.makes(Flaw::NumbersAllSegmentsAlike) { ManifestNumber::NONE } else { head };
        self.number_after(head)
    }

    pub(super) fn number_after(&self, head: ManifestNumber) -> Result<ManifestNumber, PushError> {
        let full = || ChainError::Full(self.installation.to_string());
        Ok(head.next().ok_or_else(full)?)
    }
}

/// Leaves the newest row of each session: one that was made of more lines says all that the
/// others say. `pieces` are in order of their entries.
fn drop_superseded<R>(pieces: &mut Vec<Piece<R>>) {
    let is_newer = |one: &Entry, other: &Entry| {
        one.session == other.session && one.to > other.to && one.rules >= other.rules
    };
    let entries: Vec<Entry> = pieces.iter().map(|piece| piece.entry.clone()).collect();
    let mut next = 0;
    pieces.retain(|piece| {
        next += 1;
        let later = entries.get(next..).unwrap_or_default().iter();
        let mut same = later.take_while(|entry| entry.session == piece.entry.session);
        !same.any(|entry| is_newer(entry, &piece.entry))
    });
}
