//! The fold of one file as bytes, so that callers can cache it.
//!
//! Reading it back gives the fold of the same lines, even if the file has another
//! number by then. The last eight bytes are a checksum; damaged bytes give nothing.
//!
//! Most calls are in one file only. The hashes of their keys come first, so that these
//! calls are found without reading anything else, and are built without merging
//! ([`Fold::finish_with`]).

use crate::finish::{FinishedRequest, add_calls};
use crate::fold::{
    Attribution, Call, Calls, Duplicates, FileNumber, Fold, Key, LimitNotice, Lines, Owner,
    RequestLines, Tally, Winner, add, hash,
};
use crate::line::{AdvisorCall, Terms};
use crate::money::PicoUsd;
use crate::names::Name;
use crate::packed_bytes::{Packer, Unpacker, checksum};
use std::borrow::Cow;
use std::collections::HashSet;

/// Changes with the format: a fold of another version is built from the file again.
const VERSION: u8 = 2;

/// The same format, with names that are not those of the file because secrets were removed.
const VERSION_WITHOUT_SECRETS: u8 = 3;

impl Packer {
    fn request_lines(&mut self, request_lines: &RequestLines) {
        let RequestLines { winner, owner, first, tools, is_sidechain, lines } = request_lines;
        self.counters(&winner.counters);
        self.time(winner.time);
        self.number(winner.offset);
        self.name(winner.model);
        self.optional(winner.terms.as_deref(), |packer, terms| {
            let flags = [terms.is_fast, terms.is_us, terms.is_batch];
            packer.bytes.extend(flags.map(u8::from));
            packer.optional(terms.unknown_tier.as_deref(), Packer::text);
        });
        self.optional(winner.cost, |packer, cost| packer.bytes.extend(cost.0.to_le_bytes()));
        self.count(winner.advisor_calls.len());
        for advisor in &winner.advisor_calls {
            self.text(&advisor.model);
            self.counters(&advisor.counters);
        }
        self.bytes.push(owner.is_copy.into());
        self.time(owner.time);
        self.number(owner.offset);
        for name in owner.attribution.names() {
            self.name(name);
        }
        self.time(*first);
        self.count(tools.len());
        for (call, tool) in tools {
            self.bytes.extend(call.to_le_bytes());
            self.name(*tool);
        }
        self.bytes.push((*is_sidechain).into());
        for count in [lines.progress, lines.forked, lines.background] {
            self.number(count);
        }
        self.number(lines.plain.iter().map(|(_, count)| count).sum());
    }
}

/// A packed fold whose checksum is correct.
#[derive(Clone, Copy, Debug)]
pub struct PackedFold<'b> {
    bytes: &'b [u8],
    file: FileNumber,
}

impl<'b> PackedFold<'b> {
    /// The packed fold of a file that now has this number; `None` for damaged or other
    /// bytes, and for a fold whose names are not those of the file.
    pub fn open(bytes: &'b [u8], file: FileNumber) -> Option<PackedFold<'b>> {
        PackedFold::open_version(bytes, file, &[VERSION])
    }

    /// The same, also with names from which secrets were removed.
    pub fn open_without_secrets(bytes: &'b [u8], file: FileNumber) -> Option<PackedFold<'b>> {
        PackedFold::open_version(bytes, file, &[VERSION, VERSION_WITHOUT_SECRETS])
    }

    fn open_version(bytes: &'b [u8], file: FileNumber, versions: &[u8]) -> Option<PackedFold<'b>> {
        let (bytes, expected) = bytes.split_last_chunk::<8>()?;
        let is_known = bytes.first().is_some_and(|version| versions.contains(version));
        let is_whole = is_known && checksum(bytes) == *expected;
        is_whole.then(|| PackedFold { bytes: &bytes[1..], file })
    }

    /// The number of the file.
    pub fn file(&self) -> FileNumber {
        self.file
    }

    /// The hashes of the ids that its calls have in every file. Calls without an id have
    /// none: no other file has them.
    pub fn call_hashes(&self) -> impl Iterator<Item = u64> + use<'b> {
        let mut unpacker = self.unpacker();
        // The checksum is correct, so reading does not fail.
        let count = unpacker.skip_heading().unwrap_or_default();
        let hashes = unpacker.take(count.saturating_mul(8)).unwrap_or_default();
        hashes.chunks_exact(8).map(number_of).filter(|hash| *hash != 0)
    }

    fn unpacker(&self) -> Unpacker<'b> {
        let PackedFold { bytes, file } = *self;
        Unpacker { bytes, file, names: Vec::new(), time: None, tools: Vec::new() }
    }
}

/// The key that the lines of one call share, in packed form.
#[derive(Clone, Copy)]
enum PackedKey<'b> {
    Named(u8, &'b str),
    Place(FileNumber, u64),
}

impl PackedKey<'_> {
    fn owned(self) -> Key {
        match self {
            PackedKey::Named(0, id) => Key::Message(id.into()),
            PackedKey::Named(1, id) => Key::Request(id.into()),
            PackedKey::Named(_, id) => Key::Line(id.into()),
            PackedKey::Place(file, offset) => Key::Place(file, offset),
        }
    }
}

impl Key {
    /// A hash that does not depend on the number of the file; 0 for a call that no other
    /// file can have.
    fn hash(&self) -> u64 {
        match self {
            Key::Message(id) => hash(id).max(1),
            Key::Request(id) => hash(id).rotate_left(1).max(1),
            Key::Line(id) => hash(id).rotate_left(2).max(1),
            // Such groups are always merged: they are rare.
            Key::Place(..) => 0,
        }
    }
}

fn number_of(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

/// The hashes that occur more than once.
fn repeated_hashes(mut hashes: Vec<u64>) -> HashSet<u64> {
    hashes.sort_unstable();
    hashes.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect()
}

impl<'b> Unpacker<'b> {
    /// Passes everything before the groups, and returns the number of groups; see
    /// [`Fold::read_heading`].
    fn skip_heading(&mut self) -> Option<usize> {
        for _ in 0..self.count()? {
            let length = self.count()?;
            self.take(length)?;
        }
        for _ in 0..3 {
            self.number()?;
        }
        self.counters()?;
        for _ in 0..self.count()? {
            self.number()?;
            self.counters()?;
        }
        for _ in 0..self.count()? {
            self.time()?;
            let length = self.count()?;
            self.take(length)?;
        }
        for _ in 0..self.count()? {
            self.number()?;
        }
        self.count()
    }

    fn key(&mut self) -> Option<PackedKey<'b>> {
        match self.byte()? {
            kind @ 0..=2 => Some(PackedKey::Named(kind, self.text()?)),
            3 => Some(PackedKey::Place(self.file, self.number()?)),
            _ => None,
        }
    }

    fn request_lines(&mut self) -> Option<RequestLines> {
        let (finished, [progress, forked, background], plain) = self.request()?;
        let FinishedRequest { winner, owner, first, is_sidechain, .. } = finished;
        let plain = if plain == 0 { Vec::new() } else { vec![(self.file, plain)] };
        let lines = Lines { progress, forked, background, plain };
        let tools = self.tools.clone();
        Some(RequestLines { winner, owner, first, tools, is_sidechain, lines })
    }

    /// All lines of one request in this file, and how many of them are progress, forked,
    /// in the background, and plain. Its tools are left in `self.tools`.
    fn request(&mut self) -> Option<(FinishedRequest, [u64; 3], u64)> {
        let file = self.file;
        let counters = self.counters()?;
        let time = self.time()?;
        let offset = self.number()?;
        let model = self.name()?;
        let terms = self.optional(|unpacker| {
            Some(Box::new(Terms {
                is_fast: unpacker.flag()?,
                is_us: unpacker.flag()?,
                is_batch: unpacker.flag()?,
                unknown_tier: unpacker.optional(|unpacker| unpacker.text().map(str::to_owned))?,
            }))
        })?;
        let cost = self.optional(|unpacker| {
            let bytes = unpacker.take(16)?.try_into().ok()?;
            Some(PicoUsd(i128::from_le_bytes(bytes)))
        })?;
        let mut advisor_calls = Vec::new();
        for _ in 0..self.count()? {
            let model = self.text()?.to_owned();
            advisor_calls.push(AdvisorCall { model, counters: self.counters()? });
        }
        let winner = Winner { counters, time, file, offset, model, terms, cost, advisor_calls };
        let is_copy = self.flag()?;
        let time = self.time()?;
        let offset = self.number()?;
        let mut names = [Name::NONE; 10];
        for name in &mut names {
            *name = self.name()?;
        }
        let owner =
            Owner { is_copy, time, file, offset, attribution: Attribution::of_names(names) };
        let first = self.time()?;
        self.tools.clear();
        for _ in 0..self.count()? {
            let call = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
            let tool = self.name()?;
            self.tools.push((call, tool));
        }
        let is_sidechain = self.flag()?;
        let copies = [self.number()?, self.number()?, self.number()?];
        let plain = self.number()?;
        let lines = copies.into_iter().fold(plain, u64::saturating_add);
        Some((FinishedRequest { winner, owner, first, is_sidechain, lines }, copies, plain))
    }
}

impl Fold {
    /// Packs the fold of one file.
    pub fn pack(&self) -> Vec<u8> {
        self.pack_without_secrets(|name| Cow::Borrowed(name))
    }

    /// Packs the fold of one file with names (working directories, branches, tools) as a
    /// function returns them. If it changes one, only callers that need no exact names can
    /// open the result.
    pub fn pack_without_secrets(&self, name: impl for<'t> Fn(&'t str) -> Cow<'t, str>) -> Vec<u8> {
        let mut packer = Packer { bytes: vec![VERSION], time: None };
        packer.count(self.names.len());
        for text in self.names.texts() {
            let stored = name(text);
            if stored != text {
                packer.bytes[0] = VERSION_WITHOUT_SECRETS;
            }
            packer.text(&stored);
        }
        let Tally { lines, damaged, odd, naive } = &self.tally;
        for count in [lines, damaged, odd] {
            packer.number(*count);
        }
        packer.counters(naive);
        packer.count(self.naive.len());
        for (model, counters) in &self.naive {
            packer.name(*model);
            packer.counters(counters);
        }
        packer.count(self.limits.len());
        for limit in &self.limits {
            packer.time(limit.time);
            packer.text(&limit.notice);
        }
        packer.count(self.unread.len());
        for (_, offset) in &self.unread {
            packer.number(*offset);
        }
        packer.count(self.groups.len());
        for key in self.groups.keys() {
            packer.bytes.extend(key.hash().to_le_bytes());
        }
        for (key, group) in &self.groups {
            let (kind, text) = match key {
                Key::Message(id) => (0, &**id),
                Key::Request(id) => (1, &**id),
                Key::Line(id) => (2, &**id),
                Key::Place(..) => (3, ""),
            };
            packer.bytes.push(kind);
            match key {
                Key::Place(_, offset) => packer.number(*offset),
                _ => packer.text(text),
            }
            packer.count(group.len());
            for (request, request_lines) in group {
                packer.optional(request.as_deref(), Packer::text);
                packer.request_lines(request_lines);
            }
        }
        let sum = checksum(&packer.bytes);
        packer.bytes.extend(sum);
        packer.bytes
    }

    /// Unpacks a fold, as that of the file with this number; `None` for damaged or other
    /// bytes, and for a fold whose names are not those of the file.
    pub fn unpack(bytes: &[u8], file: FileNumber) -> Option<Fold> {
        PackedFold::open(bytes, file)?;
        let mut fold = Fold::default();
        fold.absorb(bytes, file).then_some(fold)
    }

    /// Adds a packed fold, as that of the file with this number; its names may lack their
    /// secrets. Returns `false`, and adds nothing, for damaged or other bytes.
    pub fn absorb(&mut self, bytes: &[u8], file: FileNumber) -> bool {
        let Some(packed) = PackedFold::open_without_secrets(bytes, file) else { return false };
        let mut unpacker = packed.unpacker();
        let read = self.read_heading(&mut unpacker).and_then(|count| {
            unpacker.take(count.checked_mul(8)?)?;
            self.groups.reserve(count);
            for _ in 0..count {
                let key = unpacker.key()?;
                self.read_group(key.owned(), &mut unpacker)?;
            }
            Some(())
        });
        read.is_some()
    }

    /// The calls of this fold and of packed ones together.
    pub fn finish_with(mut self, packed: &[PackedFold<'_>]) -> Calls {
        let mut unpackers: Vec<Unpacker<'_>> = packed.iter().map(PackedFold::unpacker).collect();
        let mut hashes: Vec<u64> = self.groups.keys().map(Key::hash).collect();
        let mut counts = Vec::with_capacity(unpackers.len());
        for unpacker in &mut unpackers {
            // The checksum is correct, so reading does not fail.
            let count = self.read_heading(unpacker).unwrap_or_default();
            let own = unpacker.take(count.saturating_mul(8)).unwrap_or_default();
            counts.push(own);
            hashes.extend(own.chunks_exact(8).map(number_of));
        }
        let mut calls = Vec::with_capacity(hashes.len());
        let shared = repeated_hashes(hashes);
        let mut duplicates = Duplicates::default();
        for (mut unpacker, own) in unpackers.into_iter().zip(counts) {
            for hash in own.chunks_exact(8).map(number_of) {
                let read = if shared.contains(&hash) {
                    unpacker.key().and_then(|key| self.read_group(key.owned(), &mut unpacker))
                } else {
                    self.finish_group(&mut unpacker, &mut calls, &mut duplicates)
                };
                if read.is_none() {
                    break;
                }
            }
        }
        self.finish_after(calls, duplicates)
    }

    /// The calls of sets of packed folds. No set decides anything about another: lines with
    /// one id in two sets are two calls.
    pub fn finish_sets<'b>(sets: impl IntoIterator<Item = Vec<PackedFold<'b>>>) -> Calls {
        let mut all = Calls::default();
        for set in sets {
            let names = std::mem::take(&mut all.names);
            all.add(Fold::with_names(names).finish_with(&set));
        }
        all.put_in_order();
        all
    }

    /// Reads everything before the groups, and returns the number of groups. `None`
    /// cannot occur with a correct checksum.
    fn read_heading(&mut self, unpacker: &mut Unpacker<'_>) -> Option<usize> {
        let file = unpacker.file;
        for _ in 0..unpacker.count()? {
            let text = unpacker.text()?;
            unpacker.names.push(self.names.add(Some(text)));
        }
        let tally = &mut self.tally;
        tally.lines += unpacker.number()?;
        tally.damaged += unpacker.number()?;
        tally.odd += unpacker.number()?;
        tally.naive = tally.naive.plus(&unpacker.counters()?);
        for _ in 0..unpacker.count()? {
            let model = unpacker.name()?;
            let naive = self.naive.entry(model).or_default();
            *naive = naive.plus(&unpacker.counters()?);
        }
        for _ in 0..unpacker.count()? {
            let time = unpacker.time()?;
            self.limits.push(LimitNotice { time, notice: unpacker.text()?.to_owned(), file });
        }
        for _ in 0..unpacker.count()? {
            self.unread.push((file, unpacker.number()?));
        }
        unpacker.count()
    }

    fn read_group(&mut self, key: Key, unpacker: &mut Unpacker<'_>) -> Option<()> {
        let group = self.groups.entry(key).or_default();
        for _ in 0..unpacker.count()? {
            let request = unpacker.optional(|unpacker| unpacker.text().map(Into::into))?;
            add(group, request, unpacker.request_lines()?);
        }
        Some(())
    }

    /// Builds the calls of a group that is in no other file.
    fn finish_group(
        &mut self,
        unpacker: &mut Unpacker<'_>,
        calls: &mut Vec<Call>,
        duplicates: &mut Duplicates,
    ) -> Option<()> {
        let key = unpacker.key()?;
        let before = unpacker.bytes;
        if let (PackedKey::Named(_, id), 1) = (key, unpacker.count()?) {
            let request = unpacker.optional(|unpacker| unpacker.text().map(Into::into))?;
            let (finished, copies, plain) = unpacker.request()?;
            duplicates.note_counts(copies, plain, 0);
            add_calls(calls, &mut self.names, id, request, finished, &unpacker.tools);
            return Some(());
        }
        unpacker.bytes = before;
        self.read_group(key.owned(), unpacker)
    }
}
