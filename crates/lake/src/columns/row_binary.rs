//! Values in ClickHouse's format `RowBinary`.

use super::{ColumnValues, Values, damaged};
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::errors::Result;

/// A text may have this many bytes.
const MAX_TEXT: u64 = 1 << 30;

fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8]> {
    let (taken, rest) =
        bytes.split_at_checked(count).ok_or_else(|| damaged("a row ends too early"))?;
    *bytes = rest;
    Ok(taken)
}

fn fixed<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N]> {
    take(bytes, N)?.try_into().map_err(|_| damaged("a value has the wrong size"))
}

/// The bytes of the next text.
pub(crate) fn take_text<'b>(bytes: &mut &'b [u8]) -> Result<&'b [u8]> {
    let mut length = 0_u64;
    for shift in (0..35).step_by(7) {
        let [byte] = fixed::<1>(bytes)?;
        length |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            let is_sane = length <= MAX_TEXT && length <= bytes.len() as u64;
            let length = usize::try_from(length).ok().filter(|_| is_sane);
            return take(bytes, length.ok_or_else(|| damaged("a text is too long"))?);
        }
    }
    Err(damaged("the length of a text is too long"))
}

impl ColumnValues {
    /// Adds the next value.
    pub(crate) fn push_binary(&mut self, bytes: &mut &[u8]) -> Result<()> {
        if let Some(levels) = &mut self.levels {
            let [is_missing] = fixed::<1>(bytes)?;
            levels.push(i16::from(is_missing == 0));
            if is_missing != 0 {
                return Ok(());
            }
        }
        match &mut self.values {
            Values::Text(values) => values.push(ByteArray::from(take_text(bytes)?.to_vec())),
            Values::Number(values) => values.push(i64::from_le_bytes(fixed(bytes)?)),
            Values::Money(values) => {
                let value = i128::from_le_bytes(fixed(bytes)?);
                values.push(FixedLenByteArray::from(value.to_be_bytes().to_vec()));
            }
            Values::Flag(values) => {
                let [flag] = fixed::<1>(bytes)?;
                values.push(flag != 0);
            }
        }
        Ok(())
    }
}
