//! Reads any bytes as a document of OpenCode's rows, in two parts and whole.

#![no_main]

use apps::{Read as _, read_whole};
use apps::opencode::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let whole = read_whole::<Reader>(bytes);
    let mut reader = Reader::default();
    let mut used = reader.read_on(&bytes[..bytes.len() / 2]);
    used += reader.read_on(&bytes[used..]);
    if used < bytes.len() {
        reader.read_last(&bytes[used..]);
    }
    assert_eq!(reader.into_session(), whole);
    let file = apps::opencode::StorageFile { table: apps::opencode::Table::Part, parent: "msg_1", id: "prt_1" };
    if let Some(row) = apps::opencode::Row::from_file(file, bytes) {
        let document = apps::opencode::document_of_rows(vec![row]);
        assert_eq!(document.iter().filter(|byte| **byte == b'\n').count(), 1);
    }
});
