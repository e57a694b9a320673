//! The bytes of packed folds and groups: numbers, texts, times and a checksum.
//!
//! Deliberately not here: which values these consist of; see `packed.rs` and
//! `packed_groups.rs`.

use crate::fold::FileNumber;
use crate::line::Counters;
use crate::names::Name;
use jiff::Timestamp;

const NO_TIME: u8 = 0;
const OTHER_TIME: u8 = 1;
const SAME_TIME: u8 = 2;

/// Writes values as bytes.
#[derive(Default)]
pub(crate) struct Packer {
    pub(crate) bytes: Vec<u8>,
    /// The last time: the times of a call are mostly equal.
    pub(crate) time: Option<Timestamp>,
}

impl Packer {
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
            number >>= 7;
        }
        self.bytes.push(u8::try_from(number).unwrap_or_default());
    }

    pub(crate) fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    /// An amount: mostly small, though it may take sixteen bytes.
    pub(crate) fn wide(&mut self, amount: i128) {
        let small = i64::try_from(amount).ok().filter(|small| small.unsigned_abs() < 1 << 62);
        if let Some(small) = small {
            self.signed(small);
        } else {
            self.number(u64::MAX);
            self.bytes.extend(amount.to_le_bytes());
        }
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn name(&mut self, name: Name) {
        self.number(name.number().into());
    }

    pub(crate) fn optional<T>(&mut self, value: Option<T>, each: impl FnOnce(&mut Self, T)) {
        self.bytes.push(value.is_some().into());
        if let Some(value) = value {
            each(self, value);
        }
    }

    pub(crate) fn time(&mut self, time: Option<Timestamp>) {
        let Some(moment) = time else { return self.bytes.push(NO_TIME) };
        if self.time == time {
            return self.bytes.push(SAME_TIME);
        }
        self.time = time;
        self.bytes.push(OTHER_TIME);
        self.signed(moment.as_second());
        self.signed(moment.subsec_nanosecond().into());
    }

    pub(crate) fn counters(&mut self, counters: &Counters) {
        let Counters { input, output, thinking, write_5m, write_1h, read, web_searches } = counters;
        for count in [input, output, thinking, write_5m, write_1h, read, web_searches] {
            self.number(*count);
        }
    }
}

/// Reads the same values back.
pub(crate) struct Unpacker<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) file: FileNumber,
    /// The names in the fold that the values are added to.
    pub(crate) names: Vec<Name>,
    /// The last time read.
    pub(crate) time: Option<Timestamp>,
    /// The tools of the last call read.
    pub(crate) tools: Vec<(u64, Name)>,
}

impl<'b> Unpacker<'b> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*byte)
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        self.byte().map(|byte| byte != 0)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Option<u64> {
        // Most numbers are small.
        if let [byte @ 0..0x80, rest @ ..] = self.bytes {
            self.bytes = rest;
            return Some(u64::from(*byte));
        }
        self.large_number()
    }

    pub(crate) fn large_number(&mut self) -> Option<u64> {
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

    pub(crate) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    pub(crate) fn wide(&mut self) -> Option<i128> {
        match self.number()? {
            u64::MAX => Some(i128::from_le_bytes(self.take(16)?.try_into().ok()?)),
            number => Some(i128::from((number >> 1).cast_signed() ^ -(number & 1).cast_signed())),
        }
    }

    /// How many items follow, each of at least one byte.
    pub(crate) fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|count| *count <= self.bytes.len())
    }

    pub(crate) fn text(&mut self) -> Option<&'b str> {
        let count = self.count()?;
        str::from_utf8(self.take(count)?).ok()
    }

    pub(crate) fn name(&mut self) -> Option<Name> {
        match usize::try_from(self.number()?).ok()?.checked_sub(1) {
            None => Some(Name::NONE),
            Some(place) => self.names.get(place).copied(),
        }
    }

    #[expect(
        clippy::option_option,
        reason = "the outer is a read failure, the inner an absent value"
    )]
    pub(crate) fn optional<T>(
        &mut self,
        each: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.flag()? { each(self).map(Some) } else { Some(None) }
    }

    #[expect(
        clippy::option_option,
        reason = "the outer is a read failure, the inner an absent value"
    )]
    pub(crate) fn time(&mut self) -> Option<Option<Timestamp>> {
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

    pub(crate) fn counters(&mut self) -> Option<Counters> {
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
}

/// A checksum that detects bytes changed or lost by accident.
pub(crate) fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words
        .iter()
        .fold(bytes.len() as u64, |sum, word| mix(sum.rotate_left(29), u64::from_le_bytes(*word)));
    let sum = rest.iter().fold(sum, |sum, byte| mix(sum.rotate_left(29), u64::from(*byte)));
    (sum ^ (sum >> 32)).to_le_bytes()
}
