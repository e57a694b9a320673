//! Segments as Parquet files.
//!
//! The entries of a segment stand in the file's own metadata, each with the number of its
//! rows, so that a push learns what the lake has without reading rows. They are packed, because
//! a segment of calls has few bytes for each session. A file that does
//! not have exactly the columns of its table, or more rows or bytes than a segment may
//! have, is refused before its values are read.

use crate::columns::{Column, ColumnKind, ColumnValues, schema};
use crate::day_sums::sum_by_day;
use crate::names::{Level, SessionId, Table};
use crate::object_check::CheckDepth;
use crate::rows::{ForTable, Rows, TableRow};
use crate::segment::{Entry, Format, FormatError, Piece};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{KeyValue, ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The key of the entries in a file's metadata.
const ENTRIES: &str = "annals.entries";
/// A file may have this many rows.
const MAX_ROWS: u64 = 16 << 20;
/// The values of a file may take this many bytes before compression.
const MAX_BYTES: u64 = 1 << 30;
const PAGE_BYTES: usize = 256 << 10;
const ENTRIES_ZSTD_LEVEL: i32 = 9;
/// The entries of a file may take this many bytes before compression.
const MAX_ENTRIES_BYTES: usize = 64 << 20;

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
    /// How many bytes the values of a segment take without compression.
    pub(crate) fn check(
        table: Table,
        depth: CheckDepth,
        bytes: &[u8],
    ) -> std::result::Result<u64, FormatError> {
        let read = || {
            let file = open(table, bytes)?;
            counted_entries(file.metadata())?;
            let sizes = file.metadata().row_groups().iter().map(RowGroupMetaData::total_byte_size);
            Ok(sizes.filter_map(|size| u64::try_from(size).ok()).sum())
        };
        let size = caught(read).map_err(|error| failed(table, &error))?;
        if depth == CheckDepth::Rows {
            ParquetFormat.decode(table, bytes)?;
        }
        Ok(size)
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
        caught(|| table.run(Decode { table, bytes })).map_err(|error| failed(table, &error))
    }

    fn entries(&self, table: Table, bytes: &[u8]) -> std::result::Result<Vec<Entry>, FormatError> {
        let read = caught(|| open(table, bytes).and_then(|file| counted_entries(file.metadata())));
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
}

impl ForTable for Decode<'_> {
    type Output = Result<Vec<Piece<Rows>>>;

    fn run<R: TableRow>(self) -> Result<Vec<Piece<Rows>>> {
        decode::<R>(self.table, self.bytes)
    }
}

fn failed(table: Table, error: &ParquetError) -> FormatError {
    FormatError { table, reason: error.to_string() }
}

fn invalid(reason: impl Into<String>) -> ParquetError {
    ParquetError::General(reason.into())
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

/// Opens a file and checks everything that its metadata says.
fn open(table: Table, bytes: &[u8]) -> Result<SerializedFileReader<Bytes>> {
    let file_size = bytes.len();
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes))?;
    let metadata = file.metadata();
    let columns: &[Column] = table.columns();
    let expected = schema(columns)?;
    if metadata.file_metadata().schema().get_fields() != expected.get_fields() {
        return Err(invalid("its columns are not those of the table"));
    }
    let (mut rows, mut size) = (0_u64, 0_u64);
    for group in metadata.row_groups() {
        rows = rows.saturating_add(u64::try_from(group.num_rows()).unwrap_or(u64::MAX));
        let bytes = u64::try_from(group.total_byte_size()).unwrap_or(u64::MAX);
        size = size.saturating_add(bytes);
        for column in group.columns() {
            if column.num_values() != group.num_rows() {
                return Err(invalid("its columns have different numbers of rows"));
            }
            // The reader panics on places that cannot be.
            let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let end = start.checked_add(column.compressed_size());
            let is_inside = start >= 0
                && column.data_page_offset() >= start
                && column.compressed_size() >= 0
                && end.is_some_and(|end| usize::try_from(end).is_ok_and(|end| end <= file_size));
            if !is_inside {
                return Err(invalid("a column lies outside the file"));
            }
        }
    }
    if rows > MAX_ROWS || size > MAX_BYTES {
        return Err(invalid("it is larger than a segment may be"));
    }
    Ok(file)
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

fn decode<R: TableRow>(table: Table, bytes: &[u8]) -> Result<Vec<Piece<Rows>>> {
    let file = open(table, bytes)?;
    let mut entries = counted_entries(file.metadata())?.into_iter();
    let mut pieces = Vec::new();
    let mut open_piece: Option<(CountedEntry, Vec<R>)> = None;
    for number in 0..file.num_row_groups() {
        let group = file.get_row_group(number)?;
        let rows = usize::try_from(group.metadata().num_rows())
            .map_err(|_| invalid("a group has a negative number of rows"))?;
        let mut columns: Vec<ColumnValues> = R::COLUMNS.iter().map(ColumnValues::new).collect();
        for (column, values) in columns.iter_mut().enumerate() {
            values.read(group.get_column_reader(column)?, rows)?;
        }
        for _ in 0..rows {
            let row = R::take(&mut columns)?;
            let (mut counted, mut taken) = match open_piece.take() {
                Some(piece) => piece,
                None => (next_with_rows(&mut entries, &mut pieces, R::into_rows)?, Vec::new()),
            };
            taken.push(row);
            if taken.len() as u64 == counted.rows {
                counted.rows = 0;
                pieces.push(Piece { entry: counted.entry, rows: R::into_rows(taken) });
            } else {
                open_piece = Some((counted, taken));
            }
        }
    }
    pieces.extend(
        entries.map(|counted| Piece { entry: counted.entry, rows: R::into_rows(Vec::new()) }),
    );
    Ok(pieces)
}

/// The next entry that has rows; those before it become pieces without any.
fn next_with_rows<R>(
    entries: &mut impl Iterator<Item = CountedEntry>,
    pieces: &mut Vec<Piece<Rows>>,
    into_rows: impl Fn(Vec<R>) -> Rows,
) -> Result<CountedEntry> {
    for counted in entries {
        if counted.rows > 0 {
            return Ok(counted);
        }
        pieces.push(Piece { entry: counted.entry, rows: into_rows(Vec::new()) });
    }
    Err(invalid("it has more rows than it says"))
}
