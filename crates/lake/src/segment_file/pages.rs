//! The pages of a column, read one after the other and never larger than they may be.
//!
//! Anybody may have written a file. What it says about its own size is not believed: before a page
//! is unpacked, its header is compared with the limits here, and unpacking ends at the size in the
//! header. The reader of Parquet files gets pages of the kinds and encodings that annals writes, and
//! no others: there are encodings in which a few bytes stand for many.

use super::page_header::{PageHeader, PageKind};
use super::{invalid, too_large};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use zstd::bulk::Decompressor;

/// A cell has at most this many bytes: as many as a line may have, and some for masks that are
/// longer than what they mask.
pub(crate) const MAX_CELL: usize = 65 << 20;
/// A page has at most two cells if they are large.
const MAX_PAGE: usize = 2 * MAX_CELL;
/// The pages that rows of a group need at once, one of each column with its dictionary.
const MAX_PAGES_AT_ONCE: u64 = 160 << 20;
/// What a page takes beside its bytes.
const PAGE_OVERHEAD: u64 = 256;

/// What the pages of some columns take in memory.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct PageSizes {
    /// All of them.
    pub(super) total: u64,
    /// The largest of each column.
    pub(super) largest: u64,
}

impl PageSizes {
    /// Of the columns of a group of rows, from the headers of their pages. Nothing is unpacked.
    pub(super) fn of_group(file: &Bytes, group: &RowGroupMetaData, at_most: u64) -> Result<Self> {
        let rows = u64::try_from(group.num_rows()).unwrap_or_default();
        let mut sizes = PageSizes::default();
        let mut dictionaries = 0_u64;
        for column in group.columns() {
            let mut pages = Pages::new(file, column)?;
            let (mut largest, mut dictionary) = (0, 0);
            while let Some((header, _)) = pages.next_header()? {
                let mut size = header.bytes as u64 + PAGE_OVERHEAD;
                if header.kind == PageKind::Dictionary {
                    // Each value has at least four bytes in the page.
                    if u64::from(header.values) > header.bytes as u64 / 4 {
                        return Err(invalid("a dictionary has fewer values than it says"));
                    }
                    size += u64::from(header.values) * size_of::<ByteArray>() as u64;
                    dictionary = size.max(dictionary);
                } else {
                    if u64::from(header.values) > rows {
                        return Err(invalid("a page has more values than its group has rows"));
                    }
                    largest = size.max(largest);
                }
                sizes.total = sizes.total.saturating_add(size);
                if sizes.total > at_most {
                    return Err(too_large("its values take", super::MAX_VALUES));
                }
            }
            sizes.largest += largest;
            dictionaries += dictionary;
        }
        if sizes.largest + dictionaries > MAX_PAGES_AT_ONCE {
            return Err(too_large("the pages of a row take", MAX_PAGES_AT_ONCE));
        }
        Ok(sizes)
    }
}

/// The pages of a column.
pub(super) struct Pages {
    /// What is left of its bytes.
    rest: Bytes,
    is_packed: bool,
    /// Only made for pages that are unpacked.
    unpacker: Option<Decompressor<'static>>,
}

impl Pages {
    pub(super) fn new(file: &Bytes, column: &ColumnChunkMetaData) -> Result<Self> {
        let is_packed = match column.compression() {
            Compression::UNCOMPRESSED => false,
            Compression::ZSTD(_) => true,
            _ => return Err(invalid("a column has a compression that annals does not use")),
        };
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let end = start.checked_add(column.compressed_size());
        let range = usize::try_from(start).ok().zip(end.and_then(|end| usize::try_from(end).ok()));
        let range = range.filter(|(start, end)| start <= end && *end <= file.len());
        let (start, end) = range.ok_or_else(|| invalid("a column lies outside the file"))?;
        Ok(Pages { rest: file.slice(start..end), is_packed, unpacker: None })
    }

    /// The header of the next page, and its bytes in the file.
    fn next_header(&mut self) -> Result<Option<(PageHeader, Bytes)>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let header = PageHeader::read(&self.rest)?;
        if header.bytes > MAX_PAGE {
            return Err(too_large("a page takes", MAX_PAGE as u64));
        }
        let rest = self.rest.split_off(header.header_bytes);
        self.rest = rest;
        if header.packed_bytes > self.rest.len() {
            return Err(invalid("a page lies outside its column"));
        }
        let packed = self.rest.split_to(header.packed_bytes);
        Ok(Some((header, packed)))
    }

    fn unpack(&mut self, header: &PageHeader, packed: Bytes) -> Result<Bytes> {
        let bytes = if !self.is_packed {
            packed
        } else if header.bytes == 0 {
            // A page without values.
            Bytes::new()
        } else {
            let unpacker = match &mut self.unpacker {
                Some(unpacker) => unpacker,
                none => none.insert(Decompressor::new()?),
            };
            Bytes::from(unpacker.decompress(&packed, header.bytes)?)
        };
        if bytes.len() == header.bytes {
            Ok(bytes)
        } else {
            Err(invalid("a page has another size than it says"))
        }
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some((header, packed)) = self.next_header()? else { return Ok(None) };
        let buf = self.unpack(&header, packed)?;
        let PageHeader { kind, encoding, values: num_values, .. } = header;
        Ok(Some(match kind {
            PageKind::Data => Page::DataPage {
                buf,
                num_values,
                encoding,
                def_level_encoding: Encoding::RLE,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            },
            PageKind::Dictionary => Page::DictionaryPage {
                buf,
                num_values,
                encoding: if encoding == Encoding::PLAIN {
                    Encoding::PLAIN
                } else {
                    Encoding::PLAIN_DICTIONARY
                },
                is_sorted: false,
            },
        }))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(invalid("pages are read one after the other"))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        Err(invalid("pages are read one after the other"))
    }
}
