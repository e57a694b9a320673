//! The columns of a Parquet file, and the values of rows in them.
//!
//! A column has one of five kinds of values. Wider types would not mean the same in every
//! engine: unsigned numbers become decimals in one of them, floats lose money.
//!
//! Deliberately not here: which columns a table has (`rows.rs`), and how a file is laid
//! out (`segment_file.rs`).

mod row_binary;

pub(crate) use row_binary::take_text;

use crate::segment_file::check_cell;
use jiff::Timestamp;
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;
use usage::PicoUsd;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// A whole number, at least 0.
    Count,
    /// A moment, in microseconds since 1970.
    Moment,
    /// Trillionths of a dollar, as a decimal of 38 digits.
    Money,
    /// Yes or no.
    Flag,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What a value says.
    pub meaning: &'static str,
    /// What its values are.
    pub kind: ColumnKind,
    /// Whether rows may have no value.
    pub is_optional: bool,
}

impl Column {
    fn parquet_type(&self) -> Result<TypePtr> {
        let (physical, logical) = match self.kind {
            ColumnKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnKind::Count => (Physical::INT64, None),
            ColumnKind::Moment => {
                (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MICROS)))
            }
            ColumnKind::Money => {
                (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::decimal(0, 38)))
            }
            ColumnKind::Flag => (Physical::BOOLEAN, None),
        };
        let repetition = if self.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let mut builder = Type::primitive_type_builder(self.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical);
        if self.kind == ColumnKind::Money {
            builder = builder.with_length(16).with_precision(38).with_scale(0);
        }
        Ok(Arc::new(builder.build()?))
    }
}

/// The schema of a file with these columns.
pub(crate) fn schema(columns: &[Column]) -> Result<TypePtr> {
    let fields: Result<Vec<TypePtr>> = columns.iter().map(Column::parquet_type).collect();
    Ok(Arc::new(Type::group_type_builder("row").with_fields(fields?).build()?))
}

/// The values of some rows in one column, without those that are missing.
#[derive(Debug)]
enum Values {
    Text(Vec<ByteArray>),
    /// Counts and moments.
    Number(Vec<i64>),
    Money(Vec<FixedLenByteArray>),
    Flag(Vec<bool>),
}

/// One column of some rows.
#[derive(Debug)]
pub(crate) struct ColumnValues {
    values: Values,
    /// For each row of an optional column, 1 if it has a value.
    levels: Option<Vec<i16>>,
    /// What [`Cell::take`] has taken.
    taken_rows: usize,
    taken_values: usize,
}

fn damaged(reason: &str) -> ParquetError {
    ParquetError::General(reason.to_owned())
}

impl ColumnValues {
    pub(crate) fn new(column: &Column) -> Self {
        let values = match column.kind {
            ColumnKind::Text => Values::Text(Vec::new()),
            ColumnKind::Count | ColumnKind::Moment => Values::Number(Vec::new()),
            ColumnKind::Money => Values::Money(Vec::new()),
            ColumnKind::Flag => Values::Flag(Vec::new()),
        };
        let levels = column.is_optional.then(Vec::new);
        ColumnValues { values, levels, taken_rows: 0, taken_values: 0 }
    }

    pub(crate) fn write(&self, writer: &mut ColumnWriter<'_>) -> Result<()> {
        let levels = self.levels.as_deref();
        match (&self.values, writer) {
            (Values::Text(values), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                writer.write_batch(values, levels, None)?;
            }
            (Values::Number(values), ColumnWriter::Int64ColumnWriter(writer)) => {
                writer.write_batch(values, levels, None)?;
            }
            (Values::Money(values), ColumnWriter::FixedLenByteArrayColumnWriter(writer)) => {
                writer.write_batch(values, levels, None)?;
            }
            (Values::Flag(values), ColumnWriter::BoolColumnWriter(writer)) => {
                writer.write_batch(values, levels, None)?;
            }
            _ => return Err(damaged("a column has another type than its values")),
        }
        Ok(())
    }

    /// Reads the next `rows` rows of a file in place of those that are there.
    pub(crate) fn read(&mut self, reader: &mut ColumnReader, rows: usize) -> Result<()> {
        self.clear();
        let levels = self.levels.as_mut();
        let (records, ..) = match (&mut self.values, reader) {
            (Values::Text(values), ColumnReader::ByteArrayColumnReader(reader)) => {
                reader.read_records(rows, levels, None, values)?
            }
            (Values::Number(values), ColumnReader::Int64ColumnReader(reader)) => {
                reader.read_records(rows, levels, None, values)?
            }
            (Values::Money(values), ColumnReader::FixedLenByteArrayColumnReader(reader)) => {
                reader.read_records(rows, levels, None, values)?
            }
            (Values::Flag(values), ColumnReader::BoolColumnReader(reader)) => {
                reader.read_records(rows, levels, None, values)?
            }
            _ => return Err(damaged("a column has an unexpected type")),
        };
        if records == rows { Ok(()) } else { Err(damaged("a column has too few rows")) }
    }

    fn clear(&mut self) {
        match &mut self.values {
            Values::Text(values) => values.clear(),
            Values::Number(values) => values.clear(),
            Values::Money(values) => values.clear(),
            Values::Flag(values) => values.clear(),
        }
        if let Some(levels) = &mut self.levels {
            levels.clear();
        }
        (self.taken_rows, self.taken_values) = (0, 0);
    }

    /// Moves on by a row. Returns the place of its value, if it has one.
    fn next_place(&mut self) -> Result<Option<usize>> {
        if let Some(levels) = &self.levels {
            let level = levels.get(self.taken_rows).ok_or_else(|| damaged("too few rows"))?;
            self.taken_rows += 1;
            if *level == 0 {
                return Ok(None);
            }
        }
        self.taken_values += 1;
        Ok(Some(self.taken_values - 1))
    }
}

/// A value of a row.
pub(crate) trait Cell: Sized {
    const KIND: ColumnKind;
    const IS_OPTIONAL: bool = false;

    /// The value, for people.
    fn to_json(&self) -> serde_json::Value;

    /// The bytes that it takes in memory beside its own.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Adds the value to its column.
    fn put(&self, column: &mut ColumnValues);

    /// The value at a place of its column.
    fn at(column: &ColumnValues, place: usize) -> Result<Self>;

    /// The value of the next row.
    fn take(column: &mut ColumnValues) -> Result<Self> {
        let place = column.next_place()?.ok_or_else(|| damaged("a row has no value"))?;
        Self::at(column, place)
    }
}

impl Cell for String {
    const KIND: ColumnKind = ColumnKind::Text;

    fn to_json(&self) -> serde_json::Value {
        serde_json::Value::from(self.as_str())
    }

    fn heap_bytes(&self) -> usize {
        self.len()
    }

    fn put(&self, column: &mut ColumnValues) {
        if let Values::Text(values) = &mut column.values {
            values.push(ByteArray::from(self.as_str()));
        }
    }

    fn at(column: &ColumnValues, place: usize) -> Result<Self> {
        let Values::Text(values) = &column.values else { return Err(damaged("no text")) };
        let value = values.get(place).ok_or_else(|| damaged("too few values"))?;
        check_cell(value.len())?;
        Ok(value.as_utf8()?.to_owned())
    }
}

impl Cell for u64 {
    const KIND: ColumnKind = ColumnKind::Count;

    fn to_json(&self) -> serde_json::Value {
        serde_json::Value::from(*self)
    }

    fn put(&self, column: &mut ColumnValues) {
        if let Values::Number(values) = &mut column.values {
            values.push(i64::try_from(*self).unwrap_or(i64::MAX));
        }
    }

    fn at(column: &ColumnValues, place: usize) -> Result<Self> {
        let Values::Number(values) = &column.values else { return Err(damaged("no number")) };
        let value = values.get(place).ok_or_else(|| damaged("too few values"))?;
        u64::try_from(*value).map_err(|_| damaged("a count is negative"))
    }
}

impl Cell for Timestamp {
    const KIND: ColumnKind = ColumnKind::Moment;

    fn to_json(&self) -> serde_json::Value {
        serde_json::Value::from(self.to_string())
    }

    fn put(&self, column: &mut ColumnValues) {
        if let Values::Number(values) = &mut column.values {
            values.push(self.as_microsecond());
        }
    }

    fn at(column: &ColumnValues, place: usize) -> Result<Self> {
        let Values::Number(values) = &column.values else { return Err(damaged("no moment")) };
        let value = values.get(place).ok_or_else(|| damaged("too few values"))?;
        Timestamp::from_microsecond(*value).map_err(|_| damaged("a moment is out of range"))
    }
}

impl Cell for PicoUsd {
    const KIND: ColumnKind = ColumnKind::Money;

    fn to_json(&self) -> serde_json::Value {
        serde_json::Value::from(self.0.to_string())
    }

    fn put(&self, column: &mut ColumnValues) {
        if let Values::Money(values) = &mut column.values {
            values.push(FixedLenByteArray::from(self.0.to_be_bytes().to_vec()));
        }
    }

    fn at(column: &ColumnValues, place: usize) -> Result<Self> {
        let Values::Money(values) = &column.values else { return Err(damaged("no money")) };
        let value = values.get(place).ok_or_else(|| damaged("too few values"))?;
        let bytes = value.data().try_into().map_err(|_| damaged("money has the wrong size"))?;
        Ok(PicoUsd(i128::from_be_bytes(bytes)))
    }
}

impl Cell for bool {
    const KIND: ColumnKind = ColumnKind::Flag;

    fn to_json(&self) -> serde_json::Value {
        serde_json::Value::from(*self)
    }

    fn put(&self, column: &mut ColumnValues) {
        if let Values::Flag(values) = &mut column.values {
            values.push(*self);
        }
    }

    fn at(column: &ColumnValues, place: usize) -> Result<Self> {
        let Values::Flag(values) = &column.values else { return Err(damaged("no flag")) };
        values.get(place).copied().ok_or_else(|| damaged("too few values"))
    }
}

impl<C: Cell> Cell for Option<C> {
    const KIND: ColumnKind = C::KIND;
    const IS_OPTIONAL: bool = true;

    fn to_json(&self) -> serde_json::Value {
        self.as_ref().map_or(serde_json::Value::Null, Cell::to_json)
    }

    fn heap_bytes(&self) -> usize {
        self.as_ref().map_or(0, Cell::heap_bytes)
    }

    fn put(&self, column: &mut ColumnValues) {
        if let Some(levels) = &mut column.levels {
            levels.push(i16::from(self.is_some()));
        }
        if let Some(value) = self {
            value.put(column);
        }
    }

    fn at(column: &ColumnValues, place: usize) -> Result<Self> {
        C::at(column, place).map(Some)
    }

    fn take(column: &mut ColumnValues) -> Result<Self> {
        match column.next_place()? {
            Some(place) => Self::at(column, place),
            None => Ok(None),
        }
    }
}
