//! The pages of SQLite's trees: their children, their keys and the pages their long rows
//! continue in. The format is documented at <https://sqlite.org/fileformat2.html>.
//!
//! Deliberately not here: reading pages from the file (`page_check.rs`), and the values of
//! rows, except integers at the start of a key.

use crate::page_digests::PAGE;

/// How much of a page rows can use; annals reserves nothing at its end.
const USABLE: u64 = PAGE as u64;

/// A page of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreePage<'p> {
    bytes: &'p [u8],
    kind: Kind,
    /// The positions of the cells, two bytes each.
    cells: &'p [u8],
    /// The last child of an inner page.
    last_child: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    InnerIndex,
    InnerTable,
    LeafIndex,
    LeafTable,
}

/// A cell: a row, or a key between two children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<'p> {
    /// The child with smaller keys.
    pub(crate) child: Option<u32>,
    /// The row id, in trees of tables that have them.
    rowid: i64,
    /// The part of the row on this page; empty on inner pages of tables.
    local: &'p [u8],
    /// The page where the row continues.
    pub(crate) overflow: Option<u32>,
}

impl<'p> TreePage<'p> {
    /// Parses a page; `None` if it is not a page of a tree. The first page of the file begins
    /// with the header of the file.
    pub(crate) fn parse(bytes: &'p [u8], number: u32) -> Option<TreePage<'p>> {
        let start = if number == 1 { 100 } else { 0 };
        let kind = match bytes.get(start)? {
            2 => Kind::InnerIndex,
            5 => Kind::InnerTable,
            10 => Kind::LeafIndex,
            13 => Kind::LeafTable,
            _ => return None,
        };
        let count = usize::from(u16::from_be_bytes(*bytes.get(start + 3..)?.first_chunk()?));
        let is_inner = matches!(kind, Kind::InnerIndex | Kind::InnerTable);
        let last_child = if is_inner {
            Some(u32::from_be_bytes(*bytes.get(start + 8..)?.first_chunk()?))
        } else {
            None
        };
        let first = start + if is_inner { 12 } else { 8 };
        let cells = bytes.get(first..first + 2 * count)?;
        Some(TreePage { bytes, kind, cells, last_child })
    }

    /// Whether it has children.
    pub(crate) fn is_inner(&self) -> bool {
        self.last_child.is_some()
    }

    /// The last child, with greater keys than all cells.
    pub(crate) fn last_child(&self) -> Option<u32> {
        self.last_child
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        self.cells.len() / 2
    }

    /// A cell.
    pub(crate) fn cell(&self, number: usize) -> Option<Cell<'p>> {
        let at = u16::from_be_bytes(*self.cells.get(2 * number..)?.first_chunk()?);
        let mut rest = self.bytes.get(usize::from(at)..)?;
        let child = if self.is_inner() {
            let (child, behind) = rest.split_first_chunk()?;
            rest = behind;
            Some(u32::from_be_bytes(*child))
        } else {
            None
        };
        if self.kind == Kind::InnerTable {
            let rowid = varint(&mut rest)?.cast_signed();
            return Some(Cell { child, rowid, local: &[], overflow: None });
        }
        let length = varint(&mut rest)?;
        let rowid = match self.kind {
            Kind::LeafTable => varint(&mut rest)?.cast_signed(),
            _ => 0,
        };
        let local = usize::try_from(self.local_length(length)).ok()?;
        let overflow = if local as u64 == length {
            None
        } else {
            Some(u32::from_be_bytes(*rest.get(local..)?.first_chunk()?))
        };
        Some(Cell { child, rowid, local: rest.get(..local)?, overflow })
    }

    /// How much of a row of this length is on the page.
    fn local_length(&self, length: u64) -> u64 {
        let most = match self.kind {
            Kind::LeafTable | Kind::InnerTable => USABLE - 35,
            Kind::LeafIndex | Kind::InnerIndex => (USABLE - 12) * 64 / 255 - 23,
        };
        if length <= most {
            return length;
        }
        let least = (USABLE - 12) * 32 / 255 - 23;
        let local = least + (length - least) % (USABLE - 4);
        if local <= most { local } else { least }
    }

    /// Whether its keys are row ids.
    fn is_table(&self) -> bool {
        matches!(self.kind, Kind::InnerTable | Kind::LeafTable)
    }

    /// How the key of a cell compares with integers: its row id, or the first columns.
    pub(crate) fn compare(&self, cell: &Cell<'_>, key: &[i64]) -> Option<std::cmp::Ordering> {
        if self.is_table() {
            return Some(cell.rowid.cmp(key.first()?));
        }
        let mut columns = IntegerColumns::new(cell.local)?;
        for value in key {
            let order = columns.next()?.cmp(value);
            if order.is_ne() {
                return Some(order);
            }
        }
        Some(std::cmp::Ordering::Equal)
    }
}

/// The integers at the start of a row. NULL is smaller than all of them, as SQLite sorts it.
struct IntegerColumns<'r> {
    kinds: &'r [u8],
    values: &'r [u8],
}

impl<'r> IntegerColumns<'r> {
    fn new(row: &'r [u8]) -> Option<IntegerColumns<'r>> {
        let mut rest = row;
        let header = usize::try_from(varint(&mut rest)?).ok()?;
        let kinds = row.get(row.len() - rest.len()..header)?;
        Some(IntegerColumns { kinds, values: &row[header..] })
    }

    fn next(&mut self) -> Option<i64> {
        let length = match varint(&mut self.kinds)? {
            0 => return Some(i64::MIN),
            8 => return Some(0),
            9 => return Some(1),
            length @ 1..=4 => usize::try_from(length).ok()?,
            5 => 6,
            6 => 8,
            _ => return None,
        };
        let bytes = self.values.get(..length)?;
        self.values = &self.values[length..];
        let is_negative = bytes.first().is_some_and(|first| first & 0x80 != 0);
        let begin = if is_negative { -1_i64 } else { 0 };
        Some(bytes.iter().fold(begin, |value, byte| value << 8 | i64::from(*byte)))
    }
}

/// Reads a number of one to nine bytes.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for count in 1..=9 {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        if count == 9 {
            return Some(value << 8 | u64::from(*byte));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_to_nine_bytes() {
        let table: [(&[u8], u64); 5] = [
            (&[0x05], 5),
            (&[0x81, 0x00], 128),
            (&[0xff, 0x7f], 16_383),
            (&[0x81, 0x80, 0x80, 0x80, 0x00], 1 << 28),
            (&[0xff; 9], u64::MAX),
        ];
        for (bytes, expected) in table {
            let mut rest = bytes;
            assert_eq!(varint(&mut rest), Some(expected), "{bytes:?}");
            assert!(rest.is_empty());
        }
        assert_eq!(varint(&mut [0x80, 0x80].as_slice()), None);
    }

    #[test]
    fn integers_of_a_key_are_read_with_their_sign() {
        // Columns of 1, 2 and 6 bytes, the constants 0 and 1, and NULL.
        let row = [7, 1, 2, 5, 8, 9, 0, 0xff, 0x01, 0x00, 0, 0, 0, 0, 1, 0];
        let mut columns = IntegerColumns::new(&row).expect("a row");
        let read: Vec<_> = std::iter::from_fn(|| columns.next()).collect();
        assert_eq!(read, [-1, 256, 256, 0, 1, i64::MIN]);
    }
}
