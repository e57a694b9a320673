//! Segments as Parquet files.
//!
//! The entries of a segment stand in the file's own metadata, each with the number of its
//! rows, so that a push learns what the lake has without reading rows. They are packed, because
//! a segment of calls has few bytes for each session. A file that does
//! not have exactly the columns of its table, or more rows or bytes than a segment may
//! have, is refused before its values are read. Rows are read a few at a time, so that memory is
//! needed for the rows that are wanted and for a few pages, and not for the file.

mod page_header;
mod pages;
#[cfg(test)]
mod tests;

use crate::columns::{Column, ColumnKind, ColumnValues, schema};
use crate::day_sums::sum_by_day;
use crate::names::{Level, SessionId, Table};
use crate::object_check::CheckDepth;
use crate::rows::{ForTable, Rows, TableRow};
use crate::segment::{Entry, Format, FormatError, Piece};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use pages::{MAX_CELL, PageSizes, Pages};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{KeyValue, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The key of the entries in a file's metadata.
const ENTRIES: &str = "annals.entries";
/// The rows of a file may take this many bytes in memory, and their pages without compression too.
/// A push writes 48 MiB at once, and puts nine such files together.
const MAX_VALUES: u64 = 448 << 20;
/// What a row that is kept takes beside its values, for its place and while it is moved there.
pub(crate) const ROW_OVERHEAD: u64 = 384;
/// A file may have this many bytes.
pub(crate) const MAX_FILE: u64 = 128 << 20;
/// The metadata of a file may have this many bytes. Unpacked they are many more.
const MAX_FOOTER: u64 = 16 << 20;
/// How many bytes of pages are read at once, unless a row needs more.
const PAGES_AT_ONCE: u64 = 64 << 20;
/// How many rows are read at once.
const ROWS_AT_ONCE: u64 = 1024;
const PAGE_BYTES: usize = 256 << 10;
const ENTRIES_ZSTD_LEVEL: i32 = 9;
/// The entries of a file may take this many bytes before compression.
const MAX_ENTRIES_BYTES: usize = 16 << 20;

/// An entry with the number of its rows.
struct CountedEntry {
    entry: Entry,
    rows: u64,
}

/// Entries by their members, which lie together so that they pack well.
#[derive(Default, Deserialize, Serialize)]
struct PackedEntries {
    sessions: Vec<SessionId>,
    sources: Vec<String>,
    from: Vec<u64>,
    to: Vec<u64>,
    digests: Vec<u64>,
    rules: Vec<u32>,
    rows: Vec<u64>,
}

impl PackedEntries {
    fn pack(entries: &[CountedEntry]) -> Result<String> {
        let mut packed = PackedEntries::default();
        for CountedEntry { entry, rows } in entries {
            packed.sessions.push(entry.session.clone());
            packed.sources.push(entry.source.clone());
            packed.from.push(entry.from);
            packed.to.push(entry.to);
            packed.digests.push(entry.digest);
            packed.rules.push(entry.rules);
            packed.rows.push(*rows);
        }
        let json = serde_json::to_vec(&packed).map_err(|error| invalid(error.to_string()))?;
        let bytes = zstd::bulk::compress(&json, ENTRIES_ZSTD_LEVEL)?;
        Ok(BASE64_STANDARD.encode(bytes))
    }

    fn unpack(text: &str) -> Result<Vec<CountedEntry>> {
        let bytes = BASE64_STANDARD.decode(text).map_err(|error| invalid(error.to_string()))?;
        let json = zstd::bulk::decompress(&bytes, MAX_ENTRIES_BYTES)?;
        let packed: PackedEntries =
            serde_json::from_slice(&json).map_err(|error| invalid(error.to_string()))?;
        let PackedEntries { sessions, sources, from, to, digests, rules, rows } = packed;
        let count = sessions.len();
        let lengths = [sources.len(), from.len(), to.len(), digests.len(), rules.len(), rows.len()];
        if lengths.iter().any(|length| *length != count) {
            return Err(invalid("its entries are incomplete"));
        }
        let places = from.into_iter().zip(to).zip(digests.into_iter().zip(rules)).zip(rows);
        let entries = sessions.into_iter().zip(sources).zip(places).map(
            |((session, source), (((from, to), (digest, rules)), rows))| CountedEntry {
                entry: Entry { session, source, from, to, digest, rules },
                rows,
            },
        );
        Ok(entries.collect())
    }
}

/// Writes and reads segments as Parquet files.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParquetFormat;

impl ParquetFormat {
    /// How many bytes the pages of a segment take without compression.
    pub(crate) fn check(
        table: Table,
        depth: CheckDepth,
        bytes: &[u8],
    ) -> std::result::Result<u64, FormatError> {
        let read = || {
            let file = open(table, bytes)?;
            counted_entries(&file.metadata)?;
            Ok(file.groups.iter().map(|sizes| sizes.total).sum())
        };
        let size = caught(read).map_err(|error| failed(table, &error))?;
        if depth == CheckDepth::Rows {
            // All rows are read, and none is kept.
            Self::decode_some(table, bytes, 0, &|_| false)?;
        }
        Ok(size)
    }

    /// The pieces of a segment that are wanted. `None` if their rows take more memory than
    /// `at_most`.
    pub(crate) fn decode_some(
        table: Table,
        bytes: &[u8],
        at_most: u64,
        is_wanted: &dyn Fn(&Entry) -> bool,
    ) -> std::result::Result<Option<Vec<Piece<Rows>>>, FormatError> {
        let decode = Decode { table, bytes, at_most, is_wanted };
        caught(|| table.run(decode)).map_err(|error| failed(table, &error))
    }
}

impl Format for ParquetFormat {
    type Rows = Rows;

    fn encode(
        &self,
        table: Table,
        pieces: &[Piece<Rows>],
    ) -> std::result::Result<Vec<u8>, FormatError> {
        table.run(Encode { table, pieces }).map_err(|error| failed(table, &error))
    }

    fn decode(
        &self,
        table: Table,
        bytes: &[u8],
    ) -> std::result::Result<Vec<Piece<Rows>>, FormatError> {
        let pieces = Self::decode_some(table, bytes, u64::MAX, &|_| true)?;
        Ok(pieces.unwrap_or_default())
    }

    fn entries(&self, table: Table, bytes: &[u8]) -> std::result::Result<Vec<Entry>, FormatError> {
        let read = caught(|| open(table, bytes).and_then(|file| counted_entries(&file.metadata)));
        let read = read.map_err(|error| failed(table, &error))?;
        Ok(read.into_iter().map(|counted| counted.entry).collect())
    }

    fn sum_by_day(&self, calls: &[Rows], elsewhere: &[Rows]) -> Rows {
        Rows::Days(sum_by_day(calls, elsewhere))
    }

    fn is_of_project(&self, piece: &Piece<Rows>, key: &str) -> bool {
        piece.rows.to_json().iter().any(|row| row["project"] == key)
    }

    fn count(&self, rows: &Rows) -> u64 {
        rows.len() as u64
    }

    fn size(&self, rows: &Rows) -> u64 {
        rows.size()
    }
}

struct Encode<'p> {
    table: Table,
    pieces: &'p [Piece<Rows>],
}

impl ForTable for Encode<'_> {
    type Output = Result<Vec<u8>>;

    fn run<R: TableRow>(self) -> Result<Vec<u8>> {
        encode::<R>(self.table, self.pieces)
    }
}

struct Decode<'b> {
    table: Table,
    bytes: &'b [u8],
    /// The memory for rows that are wanted.
    at_most: u64,
    is_wanted: &'b dyn Fn(&Entry) -> bool,
}

impl ForTable for Decode<'_> {
    type Output = Result<Option<Vec<Piece<Rows>>>>;

    fn run<R: TableRow>(self) -> Result<Option<Vec<Piece<Rows>>>> {
        self.decode::<R>()
    }
}

fn failed(table: Table, error: &ParquetError) -> FormatError {
    let reason = match error {
        ParquetError::General(reason) => reason.clone(),
        other => other.to_string(),
    };
    FormatError { table, reason }
}

fn invalid(reason: impl Into<String>) -> ParquetError {
    ParquetError::General(reason.into())
}

fn too_large(what: &str, limit: u64) -> ParquetError {
    invalid(format!("it is too large: {what} more than {} MiB", limit >> 20))
}

/// Whether a cell is not larger than cells may be.
pub(crate) fn check_cell(bytes: usize) -> Result<()> {
    if bytes > MAX_CELL { Err(too_large("a cell takes", MAX_CELL as u64)) } else { Ok(()) }
}

/// The result of reading a file, also if the Parquet reader panics on one that is damaged
/// on purpose. A program that aborts on panics ends here; it has nothing to lose then.
fn caught<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    result.unwrap_or_else(|_| Err(invalid("it is damaged")))
}

fn properties(table: Table, entries: String) -> Result<WriterPropertiesPtr> {
    // Rows without text are few bytes, and are worth more work.
    let zstd_level = match table.level() {
        Level::Usage => 16,
        Level::Metadata => 12,
        Level::Text => 3,
    };
    let mut properties = WriterProperties::builder()
        .set_created_by("annals".to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(zstd_level)?))
        .set_data_page_size_limit(PAGE_BYTES)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_max_row_group_row_count(Some(rows_per_group(table)))
        // A file of usage has few pages, and their index would be a good part of it.
        .set_offset_index_disabled(table.level() == Level::Usage)
        .set_key_value_metadata(Some(vec![KeyValue::new(ENTRIES.to_owned(), entries)]));
    for column in table.columns() {
        let path = ColumnPath::from(column.name);
        if ["session_id", "time", "file"].contains(&column.name) {
            // What engines look for: one session, some days, one file.
            let depth = match table.level() {
                Level::Usage => EnabledStatistics::Chunk,
                Level::Metadata | Level::Text => EnabledStatistics::Page,
            };
            properties = properties.set_column_statistics_enabled(path.clone(), depth);
        }
        if grows(column) {
            properties =
                properties.set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED);
        }
        if grows(column) || !repeats(column) {
            properties = properties.set_column_dictionary_enabled(path, false);
        }
    }
    Ok(Arc::new(properties.build()))
}

/// Whether values grow from row to row, so that their differences are small.
fn grows(column: &Column) -> bool {
    ["line", "number"].contains(&column.name)
}

/// Whether values come again and again. A dictionary of others would only be added to what it
/// says.
fn repeats(column: &Column) -> bool {
    let unique = [
        "id",
        "request_id",
        "tool_use_id",
        "call_id",
        "uuid",
        "hash",
        "url",
        "text",
        "words",
        "title",
        "first_prompt",
    ];
    column.kind != ColumnKind::Moment && !unique.contains(&column.name)
}

fn rows_per_group(table: Table) -> usize {
    match table.level() {
        Level::Usage | Level::Metadata => 1 << 16,
        Level::Text => 1 << 14,
    }
}

fn encode<R: TableRow>(table: Table, pieces: &[Piece<Rows>]) -> Result<Vec<u8>> {
    let counted: Vec<CountedEntry> = pieces
        .iter()
        .map(|piece| CountedEntry { entry: piece.entry.clone(), rows: piece.rows.len() as u64 })
        .collect();
    let entries = PackedEntries::pack(&counted)?;
    let rows = pieces
        .iter()
        .map(|piece| R::of(&piece.rows).ok_or_else(|| invalid("rows of another table")));
    let rows: Vec<&R> = rows.collect::<Result<Vec<&[R]>>>()?.into_iter().flatten().collect();
    let properties = properties(table, entries)?;
    let mut file = SerializedFileWriter::new(Vec::new(), schema(R::COLUMNS)?, properties)?;
    for group in rows.chunks(rows_per_group(table)) {
        let mut columns: Vec<ColumnValues> = R::COLUMNS.iter().map(ColumnValues::new).collect();
        for row in group {
            row.put(&mut columns);
        }
        let mut writer = file.next_row_group()?;
        for values in columns {
            let mut column =
                writer.next_column()?.ok_or_else(|| invalid("the schema has too few columns"))?;
            values.write(column.untyped())?;
            column.close()?;
        }
        writer.close()?;
    }
    file.into_inner()
}

/// A file whose metadata and sizes were checked.
struct OpenFile {
    bytes: Bytes,
    metadata: ParquetMetaData,
    /// Of each group of rows.
    groups: Vec<PageSizes>,
}

/// Opens a file and checks everything that its metadata and the headers of its pages say.
fn open(table: Table, bytes: &[u8]) -> Result<OpenFile> {
    if bytes.len() as u64 > MAX_FILE {
        return Err(too_large("it has", MAX_FILE));
    }
    // The length of the metadata and four letters are the end.
    let end = bytes.len().checked_sub(8).and_then(|end| bytes.get(end..end + 4));
    let footer = end.and_then(|end| end.try_into().ok()).map(u32::from_le_bytes);
    if footer.is_some_and(|footer| u64::from(footer) > MAX_FOOTER) {
        return Err(too_large("its metadata take", MAX_FOOTER));
    }
    let bytes = Bytes::copy_from_slice(bytes);
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&bytes)?;
    let columns: &[Column] = table.columns();
    let expected = schema(columns)?;
    if metadata.file_metadata().schema().get_fields() != expected.get_fields() {
        return Err(invalid("its columns are not those of the table"));
    }
    let mut left = MAX_VALUES;
    let mut groups = Vec::new();
    for group in metadata.row_groups() {
        if group.columns().iter().any(|column| column.num_values() != group.num_rows()) {
            return Err(invalid("its columns have different numbers of rows"));
        }
        let sizes = PageSizes::of_group(&bytes, group, left)?;
        left = left.saturating_sub(sizes.total);
        groups.push(sizes);
    }
    Ok(OpenFile { bytes, metadata, groups })
}

fn counted_entries(metadata: &ParquetMetaData) -> Result<Vec<CountedEntry>> {
    let pairs = metadata.file_metadata().key_value_metadata().into_iter().flatten();
    let mut found = pairs.filter(|pair| pair.key == ENTRIES);
    let text = found.next().and_then(|pair| pair.value.as_deref());
    let text = text.ok_or_else(|| invalid("it does not say which rows it has"))?;
    let entries = PackedEntries::unpack(text)?;
    let claimed = entries.iter().try_fold(0_u64, |sum, entry| sum.checked_add(entry.rows));
    let rows = metadata.row_groups().iter().map(RowGroupMetaData::num_rows).sum::<i64>();
    if claimed != u64::try_from(rows).ok() {
        return Err(invalid("it has another number of rows than it says"));
    }
    Ok(entries)
}

impl Decode<'_> {
    fn decode<R: TableRow>(self) -> Result<Option<Vec<Piece<Rows>>>> {
        let file = open(self.table, self.bytes)?;
        let mut entries = counted_entries(&file.metadata)?.into_iter();
        let mut rows_left = MAX_VALUES / size_of::<R>() as u64;
        let (mut bytes_left, mut kept_left) = (MAX_VALUES, self.at_most);
        let mut pieces = Vec::new();
        let mut open_piece: Option<OpenPiece<R>> = None;
        for (group, sizes) in file.metadata.row_groups().iter().zip(&file.groups) {
            let rows = u64::try_from(group.num_rows())
                .map_err(|_| invalid("a group has a negative number of rows"))?;
            let left = rows_left.checked_sub(rows);
            rows_left = left.ok_or_else(|| too_large("its rows take", MAX_VALUES))?;
            let readers = group.columns().iter().map(|column| {
                let pages = Box::new(Pages::new(&file.bytes, column)?);
                Ok(get_column_reader(column.column_descr_ptr(), pages))
            });
            let mut readers: Vec<ColumnReader> = readers.collect::<Result<_>>()?;
            let mut columns: Vec<ColumnValues> = R::COLUMNS.iter().map(ColumnValues::new).collect();
            let at_once = (PAGES_AT_ONCE / sizes.largest.max(1)).clamp(1, ROWS_AT_ONCE);
            let mut unread = rows;
            while unread > 0 {
                let count = unread.min(at_once);
                unread -= count;
                for (values, reader) in columns.iter_mut().zip(&mut readers) {
                    values.read(reader, usize::try_from(count).unwrap_or_default())?;
                }
                for _ in 0..count {
                    let row = R::take(&mut columns)?;
                    let size = row.size() as u64;
                    let left = bytes_left.checked_sub(size);
                    bytes_left = left.ok_or_else(|| too_large("its rows take", MAX_VALUES))?;
                    let mut piece = match open_piece.take() {
                        Some(piece) => piece,
                        None => self.next_piece(&mut entries, &mut pieces)?,
                    };
                    piece.missing -= 1;
                    if piece.is_wanted {
                        let left = kept_left.checked_sub(size + ROW_OVERHEAD);
                        let Some(left) = left else { return Ok(None) };
                        kept_left = left;
                        piece.rows.push(row);
                    }
                    if piece.missing > 0 {
                        open_piece = Some(piece);
                    } else if piece.is_wanted {
                        pieces.push(Piece { entry: piece.entry, rows: R::into_rows(piece.rows) });
                    }
                }
            }
        }
        let without_rows = entries.map(|counted| counted.entry).filter(self.is_wanted);
        pieces.extend(without_rows.map(|entry| Piece { entry, rows: R::into_rows(Vec::new()) }));
        Ok(Some(pieces))
    }

    /// The next entry that has rows; those before it become pieces without any.
    fn next_piece<R: TableRow>(
        &self,
        entries: &mut impl Iterator<Item = CountedEntry>,
        pieces: &mut Vec<Piece<Rows>>,
    ) -> Result<OpenPiece<R>> {
        for CountedEntry { entry, rows } in entries {
            let is_wanted = (self.is_wanted)(&entry);
            if rows > 0 {
                return Ok(OpenPiece { entry, is_wanted, missing: rows, rows: Vec::new() });
            }
            if is_wanted {
                pieces.push(Piece { entry, rows: R::into_rows(Vec::new()) });
            }
        }
        Err(invalid("it has more rows than it says"))
    }
}

/// A piece of which some rows were read.
struct OpenPiece<R> {
    entry: Entry,
    is_wanted: bool,
    missing: u64,
    /// None if it is not wanted.
    rows: Vec<R>,
}
