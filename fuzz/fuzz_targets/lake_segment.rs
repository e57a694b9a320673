//! Reads any bytes as a segment of each table of a lake.

#![no_main]

use lake::{Format as _, ParquetFormat, Table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for table in Table::ALL {
        let entries = ParquetFormat.entries(table, bytes);
        if let Ok(pieces) = ParquetFormat.decode(table, bytes) {
            let claimed = entries.expect("rows cannot be read without their entries");
            assert_eq!(pieces.len(), claimed.len());
        }
    }
});
