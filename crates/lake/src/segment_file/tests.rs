//! Files that are small and would need much memory. The reader of anybody's rows refuses them.

use super::pages::{MAX_CELL, PageSizes};
use super::*;
use crate::rows::LineRow;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::schema::types::SchemaDescriptor;

/// A file of lines that all have this project and this text.
fn lines(rows: usize, project: &ByteArray, text: &ByteArray) -> Vec<u8> {
    let entry = CountedEntry { entry: entry("s1"), rows: rows as u64 };
    let entries = PackedEntries::pack(&[entry]).unwrap();
    let properties = properties(Table::Lines, entries).unwrap();
    let columns: &[Column] = Table::Lines.columns();
    let mut file =
        SerializedFileWriter::new(Vec::new(), schema(columns).unwrap(), properties).unwrap();
    let mut group = file.next_row_group().unwrap();
    for column in columns {
        let mut writer = group.next_column().unwrap().unwrap();
        let levels = column.is_optional.then(|| vec![0; rows]);
        if column.kind == ColumnKind::Text {
            let value = match column.name {
                "project" => project.clone(),
                "text" => text.clone(),
                _ => ByteArray::from("s1"),
            };
            let values = if column.is_optional { Vec::new() } else { vec![value; rows] };
            let writer = writer.typed::<ByteArrayType>();
            writer.write_batch(&values, levels.as_deref(), None).unwrap();
        } else {
            let values = if column.is_optional { Vec::new() } else { vec![1; rows] };
            let writer = writer.typed::<Int64Type>();
            writer.write_batch(&values, levels.as_deref(), None).unwrap();
        }
        writer.close().unwrap();
    }
    group.close().unwrap();
    file.into_inner().unwrap()
}

fn entry(session: &str) -> Entry {
    let session = session.parse().unwrap();
    Entry { session, source: String::new(), from: 0, to: 1, digest: 1, rules: 1 }
}

fn refused(bytes: &[u8]) -> String {
    assert!(bytes.len() < 300 << 10, "{} bytes", bytes.len());
    // None of the rows is wanted, and they are not read.
    let read = ParquetFormat::decode_some(Table::Lines, bytes, 0, &|_| false);
    let reason = read.unwrap_err().to_string();
    assert_eq!(ParquetFormat.decode(Table::Lines, bytes).unwrap_err().to_string(), reason);
    reason
}

fn large(bytes: usize) -> ByteArray {
    ByteArray::from(vec![b'x'; bytes])
}

#[test]
fn cell_above_the_limit_is_refused() {
    let bytes = lines(1, &"p".into(), &large(MAX_CELL + 1));
    let reason = refused(&bytes);
    assert_eq!(reason, "not a segment of lines: it is too large: a cell takes more than 65 MiB");
    let bytes = lines(1, &"p".into(), &large(2 << 20));
    let pieces = ParquetFormat.decode(Table::Lines, &bytes).unwrap();
    assert_eq!(ParquetFormat.count(&pieces[0].rows), 1);
}

#[test]
fn page_above_the_limit_is_refused_before_it_is_unpacked() {
    let bytes = lines(1, &"p".into(), &large(2 * MAX_CELL + 1));
    let reason = refused(&bytes);
    assert_eq!(reason, "not a segment of lines: it is too large: a page takes more than 130 MiB");
    let entries = ParquetFormat.entries(Table::Lines, &bytes).unwrap_err().to_string();
    assert_eq!(entries, reason, "so it is refused when it is fetched");
}

#[test]
fn few_values_that_make_many_rows_are_refused() {
    // 900 kB in a dictionary, and a few bytes that say that each of 600 rows has them.
    let reason = refused(&lines(600, &large(900 << 10), &"x".into()));
    assert_eq!(reason, "not a segment of lines: it is too large: its rows take more than 448 MiB");
}

#[test]
fn more_rows_than_memory_are_refused_before_they_are_read() {
    let rows = usize::try_from(MAX_VALUES).unwrap() / size_of::<LineRow>() + 1;
    let reason = refused(&lines(rows, &"p".into(), &"x".into()));
    assert_eq!(reason, "not a segment of lines: it is too large: its rows take more than 448 MiB");
}

#[test]
fn only_wanted_rows_need_memory() {
    let bytes = lines(10, &"p".into(), &large(1 << 20));
    let read = |at_most: u64, is_wanted: bool| {
        ParquetFormat::decode_some(Table::Lines, &bytes, at_most, &|_| is_wanted).unwrap()
    };
    assert_eq!(read(9 << 20, false), Some(Vec::new()));
    assert_eq!(read(9 << 20, true), None);
    let pieces = read(11 << 20, true).unwrap();
    assert_eq!(ParquetFormat.count(&pieces[0].rows), 10);
}

/// The headers of pages that claim these sizes, one column for each list.
fn sizes(columns: &[&[u32]], at_most: u64) -> Result<PageSizes> {
    let schema = schema(&Table::Lines.columns()[..columns.len()])?;
    let schema = Arc::new(SchemaDescriptor::new(schema));
    let mut file = Vec::new();
    let mut group = RowGroupMetaData::builder(Arc::clone(&schema)).set_num_rows(1);
    for (number, pages) in columns.iter().enumerate() {
        let start = file.len();
        for size in *pages {
            file.extend([0x15, 0, 0x15]);
            let mut rest = u64::from(*size) << 1;
            while rest >= 0x80 {
                file.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
                rest >>= 7;
            }
            file.push(u8::try_from(rest).unwrap());
            // Nothing in the file; one value, plain.
            file.extend([0x15, 0, 0x2c, 0x15, 2, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0]);
        }
        let length = i64::try_from(file.len() - start).unwrap();
        let column = ColumnChunkMetaData::builder(schema.column(number))
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_data_page_offset(i64::try_from(start).unwrap())
            .set_total_compressed_size(length)
            .set_num_values(1);
        group = group.add_column_metadata(column.build()?);
    }
    PageSizes::of_group(&Bytes::from(file), &group.build()?, at_most)
}

#[test]
fn sizes_of_pages_are_added_up_from_their_headers() {
    const MIB: u32 = 1 << 20;
    let total = |columns: &[&[u32]]| {
        sizes(columns, MAX_VALUES).map(|sizes| sizes.total >> 20).map_err(|error| error.to_string())
    };
    assert_eq!(total(&[&[60 * MIB, 40 * MIB], &[20 * MIB]]), Ok(120));
    let all = total(&[&[100 * MIB; 5]]).unwrap_err();
    assert!(all.contains("its values take more than 448 MiB"), "{all}");
    let row = total(&[&[100 * MIB], &[100 * MIB]]).unwrap_err();
    assert!(row.contains("the pages of a row take more than 160 MiB"), "{row}");
    let page = total(&[&[131 * MIB]]).unwrap_err();
    assert!(page.contains("a page takes more than 130 MiB"), "{page}");
    // A page costs something even if it is empty.
    assert!(sizes(&[&[0; 16]], 15 * 256).is_err());
}

#[test]
fn metadata_above_the_limit_are_refused() {
    let mut bytes = vec![0; 17 << 20];
    bytes.extend((17_u32 << 20).to_le_bytes());
    bytes.extend(b"PAR1");
    let error = ParquetFormat.entries(Table::Lines, &bytes).unwrap_err().to_string();
    assert!(error.contains("its metadata take more than 16 MiB"), "{error}");
}
