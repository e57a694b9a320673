//! The fold of one file as bytes, for whoever remembers it.
//!
//! Reading it back gives the fold of the same lines, whatever the file's number
//! is by then. Bytes that are not whole, which their last eight tell, give nothing.
//!
//! Most calls stand in one file alone. Hashes of what lines have in common come
//! first, so that those are found without reading anything else, and their calls
//! are made without gathering ([`Fold::finish_with`]).

use crate::finish::{Finished, add_calls};
use crate::fold::{
    Call, Calls, Duplicates, FileNumber, Fold, Gathered, Key, Limit, Lines, Owner, Place, Tally,
    Winner, add, hash,
};
use crate::line::{Advice, Counters, Terms};
use crate::money::PicoUsd;
use crate::names::Name;
use jiff::Timestamp;
use std::collections::HashSet;

/// Changes with the shape: what was packed otherwise is read from the file again.
const VERSION: u8 = 2;

const NO_TIME: u8 = 0;
const OTHER_TIME: u8 = 1;
const SAME_TIME: u8 = 2;

#[derive(Default)]
struct Packer {
    bytes: Vec<u8>,
    /// The time that was packed last: the times of a call are mostly one.
    time: Option<Timestamp>,
}

impl Packer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
            number >>= 7;
        }
        self.bytes.push(u8::try_from(number).unwrap_or_default());
    }

    fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn name(&mut self, name: Name) {
        self.number(name.number().into());
    }

    fn optional<T>(&mut self, value: Option<T>, each: impl FnOnce(&mut Self, T)) {
        self.bytes.push(value.is_some().into());
        if let Some(value) = value {
            each(self, value);
        }
    }

    fn time(&mut self, time: Option<Timestamp>) {
        let Some(moment) = time else { return self.bytes.push(NO_TIME) };
        if self.time == time {
            return self.bytes.push(SAME_TIME);
        }
        self.time = time;
        self.bytes.push(OTHER_TIME);
        self.signed(moment.as_second());
        self.signed(moment.subsec_nanosecond().into());
    }

    fn counters(&mut self, counters: &Counters) {
        let Counters { input, output, thinking, write_5m, write_1h, read, web_searches } = counters;
        for count in [input, output, thinking, write_5m, write_1h, read, web_searches] {
            self.number(*count);
        }
    }

    fn gathered(&mut self, gathered: &Gathered) {
        let Gathered { winner, owner, first, tools, is_sidechain, lines } = gathered;
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
        self.count(winner.advice.len());
        for advice in &winner.advice {
            self.text(&advice.model);
            self.counters(&advice.counters);
        }
        self.bytes.push(owner.is_copy.into());
        self.time(owner.time);
        self.number(owner.offset);
        for name in owner.place.names() {
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

struct Unpacker<'b> {
    bytes: &'b [u8],
    file: FileNumber,
    /// What the names are called in the fold that takes them in.
    names: Vec<Name>,
    /// The time that was read last.
    time: Option<Timestamp>,
    /// The tools of the call that was read last.
    tools: Vec<(u64, Name)>,
}

/// The fold of a file that was packed, found to be whole.
#[derive(Clone, Copy, Debug)]
pub struct PackedFold<'b> {
    bytes: &'b [u8],
    file: FileNumber,
}

impl<'b> PackedFold<'b> {
    /// The packed fold of a file that has this number now; `None` for bytes that
    /// are something else.
    pub fn open(bytes: &'b [u8], file: FileNumber) -> Option<PackedFold<'b>> {
        let (bytes, seal) = bytes.split_last_chunk::<8>()?;
        let is_whole = bytes.first() == Some(&VERSION) && sealed(bytes) == *seal;
        is_whole.then(|| PackedFold { bytes: &bytes[1..], file })
    }

    fn unpacker(&self) -> Unpacker<'b> {
        let PackedFold { bytes, file } = *self;
        Unpacker { bytes, file, names: Vec::new(), time: None, tools: Vec::new() }
    }
}

/// What lines of one call have in common, where it is packed.
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
    /// The same for the same key, whatever the file is called.
    fn hash(&self) -> u64 {
        match self {
            Key::Message(id) => hash(id),
            Key::Request(id) => hash(id).rotate_left(1),
            Key::Line(id) => hash(id).rotate_left(2),
            // Its group is gathered: it is rare.
            Key::Place(..) => 0,
        }
    }
}

fn number_of(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

/// Those that occur more than once.
fn occurring_again(mut hashes: Vec<u64>) -> HashSet<u64> {
    hashes.sort_unstable();
    hashes.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect()
}

impl<'b> Unpacker<'b> {
    fn key(&mut self) -> Option<PackedKey<'b>> {
        match self.byte()? {
            kind @ 0..=2 => Some(PackedKey::Named(kind, self.text()?)),
            3 => Some(PackedKey::Place(self.file, self.number()?)),
            _ => None,
        }
    }

    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    #[inline]
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*byte)
    }

    fn flag(&mut self) -> Option<bool> {
        self.byte().map(|byte| byte != 0)
    }

    #[inline]
    fn number(&mut self) -> Option<u64> {
        // Most numbers are small.
        if let [byte @ 0..0x80, rest @ ..] = self.bytes {
            self.bytes = rest;
            return Some(u64::from(*byte));
        }
        self.large_number()
    }

    fn large_number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for (place, byte) in self.bytes.iter().take(10).enumerate() {
            number |= u64::from(byte & 0x7f) << (7 * place);
            if *byte < 0x80 {
                self.bytes = &self.bytes[place + 1..];
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// How many things follow, each of at least a byte.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|count| *count <= self.bytes.len())
    }

    fn text(&mut self) -> Option<&'b str> {
        let count = self.count()?;
        str::from_utf8(self.take(count)?).ok()
    }

    fn name(&mut self) -> Option<Name> {
        match usize::try_from(self.number()?).ok()?.checked_sub(1) {
            None => Some(Name::NONE),
            Some(place) => self.names.get(place).copied(),
        }
    }

    #[expect(clippy::option_option, reason = "none, and not readable")]
    fn optional<T>(&mut self, each: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flag()? { each(self).map(Some) } else { Some(None) }
    }

    #[expect(clippy::option_option, reason = "none, and not readable")]
    fn time(&mut self) -> Option<Option<Timestamp>> {
        match self.byte()? {
            NO_TIME => Some(None),
            SAME_TIME => Some(self.time),
            OTHER_TIME => {
                let second = self.signed()?;
                let nanosecond = i32::try_from(self.signed()?).ok()?;
                self.time = Some(Timestamp::new(second, nanosecond).ok()?);
                Some(self.time)
            }
            _ => None,
        }
    }

    fn counters(&mut self) -> Option<Counters> {
        Some(Counters {
            input: self.number()?,
            output: self.number()?,
            thinking: self.number()?,
            write_5m: self.number()?,
            write_1h: self.number()?,
            read: self.number()?,
            web_searches: self.number()?,
        })
    }

    fn gathered(&mut self) -> Option<Gathered> {
        let (finished, [progress, forked, background], plain) = self.request()?;
        let Finished { winner, owner, first, is_sidechain, .. } = finished;
        let plain = if plain == 0 { Vec::new() } else { vec![(self.file, plain)] };
        let lines = Lines { progress, forked, background, plain };
        let tools = self.tools.clone();
        Some(Gathered { winner, owner, first, tools, is_sidechain, lines })
    }

    /// All lines of one request in this file, and how many of them are progress,
    /// forked, in the background, and none of these. Its tools are put aside.
    fn request(&mut self) -> Option<(Finished, [u64; 3], u64)> {
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
        let mut advice = Vec::new();
        for _ in 0..self.count()? {
            let model = self.text()?.to_owned();
            advice.push(Advice { model, counters: self.counters()? });
        }
        let winner = Winner { counters, time, file, offset, model, terms, cost, advice };
        let is_copy = self.flag()?;
        let time = self.time()?;
        let offset = self.number()?;
        let mut names = [Name::NONE; 10];
        for name in &mut names {
            *name = self.name()?;
        }
        let owner = Owner { is_copy, time, file, offset, place: Place::of_names(names) };
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
        Some((Finished { winner, owner, first, is_sidechain, lines }, copies, plain))
    }
}

impl Fold {
    /// The fold of one file as bytes.
    pub fn pack(&self) -> Vec<u8> {
        let mut packer = Packer { bytes: vec![VERSION], time: None };
        packer.count(self.names.len());
        for text in self.names.texts() {
            packer.text(text);
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
            for (request, gathered) in group {
                packer.optional(request.as_deref(), Packer::text);
                packer.gathered(gathered);
            }
        }
        let seal = sealed(&packer.bytes);
        packer.bytes.extend(seal);
        packer.bytes
    }

    /// The fold that was packed, as that of a file of this number; `None` for
    /// bytes that are something else.
    pub fn unpack(bytes: &[u8], file: FileNumber) -> Option<Fold> {
        let mut fold = Fold::default();
        fold.absorb(bytes, file).then_some(fold)
    }

    /// Adds a fold that was packed, as that of a file of this number. Answers
    /// `false`, and adds nothing, for bytes that are something else.
    pub fn absorb(&mut self, bytes: &[u8], file: FileNumber) -> bool {
        let Some(packed) = PackedFold::open(bytes, file) else { return false };
        let mut unpacker = packed.unpacker();
        let read = self.take_in_heading(&mut unpacker).and_then(|count| {
            unpacker.take(count.checked_mul(8)?)?;
            self.groups.reserve(count);
            for _ in 0..count {
                let key = unpacker.key()?;
                self.take_in_group(key.owned(), &mut unpacker)?;
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
            // Sealed bytes are whole: what cannot be read is nothing.
            let count = self.take_in_heading(unpacker).unwrap_or_default();
            let own = unpacker.take(count.saturating_mul(8)).unwrap_or_default();
            counts.push(own);
            hashes.extend(own.chunks_exact(8).map(number_of));
        }
        let mut calls = Vec::with_capacity(hashes.len());
        let shared = occurring_again(hashes);
        let mut duplicates = Duplicates::default();
        for (mut unpacker, own) in unpackers.into_iter().zip(counts) {
            for hash in own.chunks_exact(8).map(number_of) {
                let read = if shared.contains(&hash) {
                    unpacker.key().and_then(|key| self.take_in_group(key.owned(), &mut unpacker))
                } else {
                    self.finish_group(&mut unpacker, &mut calls, &mut duplicates)
                };
                if read.is_none() {
                    break;
                }
            }
        }
        self.finish_behind(calls, duplicates)
    }

    /// What comes before the groups, and how many of these there are. `None` for
    /// what cannot be: sealed bytes are whole.
    fn take_in_heading(&mut self, unpacker: &mut Unpacker<'_>) -> Option<usize> {
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
            self.limits.push(Limit { time, notice: unpacker.text()?.to_owned(), file });
        }
        for _ in 0..unpacker.count()? {
            self.unread.push((file, unpacker.number()?));
        }
        unpacker.count()
    }

    fn take_in_group(&mut self, key: Key, unpacker: &mut Unpacker<'_>) -> Option<()> {
        let group = self.groups.entry(key).or_default();
        for _ in 0..unpacker.count()? {
            let request = unpacker.optional(|unpacker| unpacker.text().map(Into::into))?;
            add(group, request, unpacker.gathered()?);
        }
        Some(())
    }

    /// Makes the calls of a group that no other file has lines of.
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
        self.take_in_group(key.owned(), unpacker)
    }
}

/// What whole bytes end with: enough to see that some were changed or lost by
/// accident.
fn sealed(bytes: &[u8]) -> [u8; 8] {
    let mix = |seal: u64, word: u64| (seal ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    let seal = words.iter().fold(bytes.len() as u64, |seal, word| {
        mix(seal.rotate_left(29), u64::from_le_bytes(*word))
    });
    let seal = rest.iter().fold(seal, |seal, byte| mix(seal.rotate_left(29), u64::from(*byte)));
    (seal ^ (seal >> 32)).to_le_bytes()
}
