//! The headers of pages: which kind of page follows, and how large it is.
//!
//! A header is a Thrift struct in the compact protocol. Only numbers, flags, bytes and structs
//! are read, which is everything that a header has. What is deliberately not here: the values.

use parquet::basic::Encoding;
use parquet::errors::{ParquetError, Result};

/// Headers have structs in structs, and no deeper.
const MAX_DEPTH: u32 = 4;
/// The longest number.
const MAX_NUMBER: u32 = 10;

/// What stands before a page.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct PageHeader {
    pub(super) kind: PageKind,
    pub(super) encoding: Encoding,
    /// How many values it says it has.
    pub(super) values: u32,
    /// The bytes that it says it has without compression.
    pub(super) bytes: usize,
    /// Its bytes in the file.
    pub(super) packed_bytes: usize,
    /// The bytes of the header itself.
    pub(super) header_bytes: usize,
}

/// The pages that annals writes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum PageKind {
    Data,
    Dictionary,
}

/// The number, encoding and sizes in a header, as far as they were found.
#[derive(Default)]
struct Found {
    kind: Option<i64>,
    bytes: Option<i64>,
    packed_bytes: Option<i64>,
    data: [Option<i64>; 4],
    dictionary: [Option<i64>; 4],
}

impl PageHeader {
    /// The header at the beginning of some bytes.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let mut thrift = Thrift { rest: bytes };
        let mut found = Found::default();
        let mut last = 0;
        while let Some((id, kind)) = thrift.field(&mut last)? {
            match (id, kind) {
                (1, 4..=6) => found.kind = Some(thrift.signed()?),
                (2, 4..=6) => found.bytes = Some(thrift.signed()?),
                (3, 4..=6) => found.packed_bytes = Some(thrift.signed()?),
                (5, 12) => found.data = thrift.numbers()?,
                (7, 12) => found.dictionary = thrift.numbers()?,
                _ => thrift.skip(kind, 0)?,
            }
        }
        let (kind, numbers) = match found.kind {
            Some(0) => (PageKind::Data, found.data),
            Some(2) => (PageKind::Dictionary, found.dictionary),
            _ => return Err(damaged("a page is of a kind that annals does not write")),
        };
        // Both kinds of levels, of which a column without lists has one.
        let levels = numbers[2..].iter().flatten();
        if kind == PageKind::Data && levels.into_iter().any(|encoding| *encoding != 3) {
            return Err(damaged("the levels of a page have an encoding that annals does not use"));
        }
        let encoding = match numbers[1] {
            Some(0) => Encoding::PLAIN,
            Some(2 | 8) => Encoding::RLE_DICTIONARY,
            Some(3) => Encoding::RLE,
            Some(5) => Encoding::DELTA_BINARY_PACKED,
            // Others can say much in few bytes.
            _ => return Err(damaged("a page has an encoding that annals does not use")),
        };
        Ok(PageHeader {
            kind,
            encoding,
            values: number(numbers[0])?,
            bytes: number(found.bytes)?,
            packed_bytes: number(found.packed_bytes)?,
            header_bytes: bytes.len() - thrift.rest.len(),
        })
    }
}

fn number<N: TryFrom<i64>>(found: Option<i64>) -> Result<N> {
    let found = found.ok_or_else(|| damaged("the header of a page is incomplete"))?;
    N::try_from(found).map_err(|_| damaged("the header of a page has a number that cannot be"))
}

fn damaged(reason: &str) -> ParquetError {
    ParquetError::General(reason.to_owned())
}

/// A struct in the compact protocol.
struct Thrift<'b> {
    rest: &'b [u8],
}

impl<'b> Thrift<'b> {
    fn take(&mut self, count: u64) -> Result<&'b [u8]> {
        let taken = usize::try_from(count).ok().and_then(|count| self.rest.split_at_checked(count));
        let (taken, rest) = taken.ok_or_else(|| damaged("the header of a page is cut off"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn unsigned(&mut self) -> Result<u64> {
        let mut value = 0_u64;
        for place in 0..MAX_NUMBER {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(place * 7).unwrap_or_default();
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(damaged("the header of a page has a number that cannot be"))
    }

    fn signed(&mut self) -> Result<i64> {
        let value = self.unsigned()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// The id and the type of the next field, or nothing at the end of the struct.
    fn field(&mut self, last: &mut i64) -> Result<Option<(i64, u8)>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        let (step, kind) = (byte >> 4, byte & 0x0f);
        *last = if step == 0 { self.signed()? } else { last.saturating_add(i64::from(step)) };
        Ok(Some((*last, kind)))
    }

    /// The numbers of the first four fields of a struct.
    fn numbers(&mut self) -> Result<[Option<i64>; 4]> {
        let mut numbers = [None; 4];
        let mut last = 0;
        while let Some((id, kind)) = self.field(&mut last)? {
            let place = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
            match (place.and_then(|place| numbers.get_mut(place)), kind) {
                (Some(number), 4..=6) => *number = Some(self.signed()?),
                _ => self.skip(kind, 1)?,
            }
        }
        Ok(numbers)
    }

    fn skip(&mut self, kind: u8, depth: u32) -> Result<()> {
        match kind {
            // The type of a flag is its value.
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.unsigned()?),
            7 => drop(self.take(8)?),
            8 => {
                let length = self.unsigned()?;
                self.take(length)?;
            }
            12 if depth < MAX_DEPTH => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    self.skip(kind, depth + 1)?;
                }
            }
            _ => return Err(damaged("the header of a page has a field that annals does not know")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A data page with 3 values in 200 bytes, 20 of them in the file.
    const DATA: &[u8] =
        &[0x15, 0, 0x15, 0x90, 3, 0x15, 40, 0x2c, 0x15, 6, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0, 99];

    #[test]
    fn header_says_what_follows() {
        let expected = PageHeader {
            kind: PageKind::Data,
            encoding: Encoding::PLAIN,
            values: 3,
            bytes: 200,
            packed_bytes: 20,
            header_bytes: DATA.len() - 1,
        };
        assert_eq!(PageHeader::read(DATA).unwrap(), expected);
    }

    #[test]
    fn negative_sizes_and_unknown_encodings_are_refused() {
        let changed = |place: usize, value: u8| {
            let mut bytes = DATA.to_vec();
            bytes[place] = value;
            PageHeader::read(&bytes).unwrap_err().to_string()
        };
        assert!(changed(6, 39).contains("cannot be"), "a negative size");
        assert!(changed(11, 14).contains("encoding"), "prefixes of the value before");
        assert!(changed(1, 6).contains("of a kind"), "the second version of data pages");
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_header_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = PageHeader::read(&bytes);
        }
    }
}
