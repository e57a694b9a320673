//! The bytes of packed facts: numbers, names, times, turns and digests.
//!
//! A name that occurs often is written once. Nothing here knows what facts there are.

use conversation::TurnNumber;
use index::Digest;
use jiff::Timestamp;
use std::collections::HashMap;

/// The version of facts: to be raised when they are derived or packed differently.
pub(crate) const VERSION: &str = concat!("10 ", env!("CARGO_PKG_VERSION"));

/// Facts of one or two short transcripts, such as those that are being written, are not
/// worth storing: reading them again is faster.
pub(crate) const fn is_worth_storing(transcripts: usize, bytes: u64) -> bool {
    transcripts > 2 || bytes > 1 << 20
}

/// Writes values as bytes.
#[derive(Default)]
pub(crate) struct Packer {
    bytes: Vec<u8>,
    /// The second of the last time: facts are mostly ordered by time.
    second: i64,
    names: Vec<String>,
    numbers: HashMap<String, u64>,
}

impl Packer {
    pub(crate) fn number(&mut self, number: u64) {
        push_number(&mut self.bytes, number);
    }

    fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    pub(crate) fn name(&mut self, name: Option<&str>) {
        let Some(name) = name else { return self.number(0) };
        let number = if let Some(number) = self.numbers.get(name) {
            *number
        } else {
            self.names.push(name.to_owned());
            let number = self.names.len() as u64;
            self.numbers.insert(name.to_owned(), number);
            number
        };
        self.number(number);
    }

    pub(crate) fn digest(&mut self, digest: Option<Digest>) {
        self.number(digest.is_some().into());
        if let Some(digest) = digest {
            self.bytes.extend(digest.as_bytes());
        }
    }

    pub(crate) fn time(&mut self, time: Option<Timestamp>) {
        self.number(time.is_some().into());
        let Some(time) = time else { return };
        self.signed(time.as_second() - self.second);
        self.second = time.as_second();
        // Nearly all times are whole milliseconds.
        let nanosecond = i64::from(time.subsec_nanosecond());
        self.signed(if nanosecond % MILLISECOND == 0 {
            nanosecond / MILLISECOND * 2
        } else {
            nanosecond * 2 + 1
        });
    }

    pub(crate) fn turn(&mut self, turn: TurnNumber) {
        let (kind, part, turn) = match turn {
            TurnNumber::Main(turn) => (0, 0, turn),
            TurnNumber::Branch { branch, turn } => (1, branch, turn),
            TurnNumber::Orphan { segment, turn } => (2, segment, turn),
        };
        // Nearly all turns are of the first kind.
        self.number(u64::from(turn) << 2 | kind);
        if kind > 0 {
            self.number(part.into());
        }
    }

    /// The names written so far.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// All values as bytes, with the names in front.
    pub(crate) fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bytes.len() + 256);
        push_number(&mut bytes, self.names.len() as u64);
        for name in &self.names {
            push_number(&mut bytes, name.len() as u64);
            bytes.extend(name.as_bytes());
        }
        bytes.extend(self.bytes);
        bytes
    }
}

/// Nanoseconds in a millisecond.
const MILLISECOND: i64 = 1_000_000;

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap_or_default());
}

/// Reads the same values back.
pub(crate) struct Unpacker<'b> {
    bytes: &'b [u8],
    second: i64,
    names: Vec<&'b str>,
}

impl<'b> Unpacker<'b> {
    /// Reads the names; `None` if these are not packed facts.
    pub(crate) fn new(bytes: &'b [u8]) -> Option<Self> {
        let mut unpacker = Unpacker { bytes, second: 0, names: Vec::new() };
        for _ in 0..unpacker.count()? {
            let length = unpacker.count()?;
            let (name, rest) = unpacker.bytes.split_at_checked(length)?;
            unpacker.bytes = rest;
            unpacker.names.push(str::from_utf8(name).ok()?);
        }
        Some(unpacker)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Option<u64> {
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

    /// How many items follow, each of at least one byte.
    pub(crate) fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|count| *count <= self.bytes.len())
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        self.number().map(|number| number != 0)
    }

    #[expect(clippy::option_option, reason = "the outer is a read failure, the inner no value")]
    pub(crate) fn name(&mut self) -> Option<Option<&'b str>> {
        match usize::try_from(self.number()?).ok()?.checked_sub(1) {
            None => Some(None),
            Some(place) => self.names.get(place).copied().map(Some),
        }
    }

    #[expect(clippy::option_option, reason = "the outer is a read failure, the inner no value")]
    pub(crate) fn digest(&mut self) -> Option<Option<Digest>> {
        if !self.flag()? {
            return Some(None);
        }
        let (digest, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(Some(Digest::from_bytes(*digest)))
    }

    #[expect(clippy::option_option, reason = "the outer is a read failure, the inner no value")]
    pub(crate) fn time(&mut self) -> Option<Option<Timestamp>> {
        if !self.flag()? {
            return Some(None);
        }
        self.second = self.second.checked_add(self.signed()?)?;
        let part = self.signed()?;
        let nanosecond =
            if part % 2 == 0 { (part / 2).checked_mul(MILLISECOND)? } else { (part - 1) / 2 };
        Timestamp::new(self.second, i32::try_from(nanosecond).ok()?).ok().map(Some)
    }

    pub(crate) fn turn(&mut self) -> Option<TurnNumber> {
        let number = self.number()?;
        let turn = u32::try_from(number >> 2).ok()?;
        let mut part = || u32::try_from(self.number()?).ok();
        match number & 3 {
            0 => Some(TurnNumber::Main(turn)),
            1 => Some(TurnNumber::Branch { branch: part()?, turn }),
            2 => Some(TurnNumber::Orphan { segment: part()?, turn }),
            _ => None,
        }
    }

    /// Whether everything was read.
    pub(crate) fn is_done(&self) -> bool {
        self.bytes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_are_unpacked_as_they_were_packed(
            values in prop::collection::vec(
                (any::<u64>(), prop::option::of(".{0,6}"), prop::option::of(any::<i64>())), 0..20),
        ) {
            // Any time a transcript may have, and whole milliseconds.
            let time = |nanosecond: i64| {
                let nanosecond = if nanosecond % 3 == 0 { nanosecond } else {
                    nanosecond / MILLISECOND * MILLISECOND
                };
                Timestamp::from_nanosecond(nanosecond.into()).expect("within range")
            };
            let mut packer = Packer::default();
            for (number, name, moment) in &values {
                packer.number(*number);
                packer.name(name.as_deref());
                packer.time(moment.map(time));
                packer.digest(name.as_ref().map(|name| Digest::of(name.as_bytes())));
            }
            let bytes = packer.finish();
            let mut unpacker = Unpacker::new(&bytes).expect("packed facts");
            for (number, name, moment) in &values {
                prop_assert_eq!(unpacker.number(), Some(*number));
                prop_assert_eq!(unpacker.name(), Some(name.as_deref()));
                prop_assert_eq!(unpacker.time(), Some(moment.map(time)));
                let digest = name.as_ref().map(|name| Digest::of(name.as_bytes()));
                prop_assert_eq!(unpacker.digest(), Some(digest));
            }
            prop_assert!(unpacker.is_done());
        }

        #[test]
        fn arbitrary_bytes_unpack_without_failing(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let Some(mut unpacker) = Unpacker::new(&bytes) else { return Ok(()) };
            while !unpacker.is_done() {
                let known = (unpacker.time(), unpacker.name(), unpacker.digest());
                if known.0.is_none() && known.1.is_none() && known.2.is_none() {
                    break;
                }
            }
        }
    }
}
