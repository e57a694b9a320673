//! The fold of one file as bytes, for whoever remembers it.
//!
//! Reading it back gives the fold of the same lines, whatever the file's number
//! is by then. Bytes that are not whole, which their last eight tell, give nothing.

use crate::fold::{
    FileNumber, Fold, Gathered, Key, Limit, Lines, Owner, Place, Tally, Winner, add,
};
use crate::line::{Advice, Counters, Terms};
use crate::money::PicoUsd;
use crate::names::Name;
use jiff::Timestamp;

/// Changes with the shape: what was packed otherwise is read from the file again.
const VERSION: u8 = 1;

struct Packer(Vec<u8>);

impl Packer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
            number >>= 7;
        }
        self.0.push(u8::try_from(number).unwrap_or_default());
    }

    fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn name(&mut self, name: Name) {
        self.number(name.number().into());
    }

    fn optional<T>(&mut self, value: Option<T>, each: impl FnOnce(&mut Self, T)) {
        self.0.push(value.is_some().into());
        if let Some(value) = value {
            each(self, value);
        }
    }

    fn time(&mut self, time: Option<Timestamp>) {
        self.optional(time, |packer, time| {
            packer.signed(time.as_second());
            packer.signed(time.subsec_nanosecond().into());
        });
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
            packer.0.extend(flags.map(u8::from));
            packer.optional(terms.unknown_tier.as_deref(), Packer::text);
        });
        self.optional(winner.cost, |packer, cost| packer.0.extend(cost.0.to_le_bytes()));
        self.count(winner.advice.len());
        for advice in &winner.advice {
            self.text(&advice.model);
            self.counters(&advice.counters);
        }
        self.0.push(owner.is_copy.into());
        self.time(owner.time);
        self.number(owner.offset);
        for name in owner.place.names() {
            self.name(name);
        }
        self.time(*first);
        self.count(tools.len());
        for (call, tool) in tools {
            self.0.extend(call.to_le_bytes());
            self.name(*tool);
        }
        self.0.push((*is_sidechain).into());
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
}

impl<'b> Unpacker<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    fn flag(&mut self) -> Option<bool> {
        self.byte().map(|byte| byte != 0)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
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
        self.optional(|unpacker| {
            let second = unpacker.signed()?;
            let nanosecond = i32::try_from(unpacker.signed()?).ok()?;
            Timestamp::new(second, nanosecond).ok()
        })
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
        let mut tools = Vec::new();
        for _ in 0..self.count()? {
            let call = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
            tools.push((call, self.name()?));
        }
        let is_sidechain = self.flag()?;
        let (progress, forked, background) = (self.number()?, self.number()?, self.number()?);
        let plain = self.number()?;
        let plain = if plain == 0 { Vec::new() } else { vec![(file, plain)] };
        let lines = Lines { progress, forked, background, plain };
        Some(Gathered { winner, owner, first, tools, is_sidechain, lines })
    }
}

impl Fold {
    /// The fold of one file as bytes.
    pub fn pack(&self) -> Vec<u8> {
        let mut packer = Packer(vec![VERSION]);
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
        for (key, group) in &self.groups {
            let (kind, text) = match key {
                Key::Message(id) => (0, &**id),
                Key::Request(id) => (1, &**id),
                Key::Line(id) => (2, &**id),
                Key::Place(..) => (3, ""),
            };
            packer.0.push(kind);
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
        let seal = sealed(&packer.0);
        packer.0.extend(seal);
        packer.0
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
        let Some((bytes, seal)) = bytes.split_last_chunk::<8>() else { return false };
        if bytes.first() != Some(&VERSION) || sealed(bytes) != *seal {
            return false;
        }
        let mut unpacker = Unpacker { bytes: &bytes[1..], file, names: Vec::new() };
        self.take_in(&mut unpacker).is_some()
    }

    /// `None` for what cannot be: sealed bytes are whole.
    fn take_in(&mut self, unpacker: &mut Unpacker<'_>) -> Option<()> {
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
        let count = unpacker.count()?;
        self.groups.reserve(count);
        for _ in 0..count {
            let key = match unpacker.byte()? {
                0 => Key::Message(unpacker.text()?.into()),
                1 => Key::Request(unpacker.text()?.into()),
                2 => Key::Line(unpacker.text()?.into()),
                3 => Key::Place(file, unpacker.number()?),
                _ => return None,
            };
            let group = self.groups.entry(key).or_default();
            for _ in 0..unpacker.count()? {
                let request = unpacker.optional(|unpacker| unpacker.text().map(Into::into))?;
                add(group, request, unpacker.gathered()?);
            }
        }
        Some(())
    }
}

/// What whole bytes end with.
fn sealed(bytes: &[u8]) -> [u8; 8] {
    let mut seal = [0; 8];
    seal.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
    seal
}
