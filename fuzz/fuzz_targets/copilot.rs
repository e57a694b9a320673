//! Reads any bytes as a log of events of Copilot CLI, in two parts and whole.

#![no_main]

use apps::{Read as _, read_whole};
use apps::copilot::Reader;
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
    apps::copilot::parse_workspace(bytes);
});
