//! Reads any bytes as a rollout file of Codex, in two parts and whole, and its usage alone.

#![no_main]

use apps::{Read as _, read_whole};
use apps::codex::{Reader, decompress, parse_session_index, usage_of};
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
    let calls = usage_of(bytes);
    assert_eq!(calls.len(), whole.api_calls.len());
    for (fast, slow) in calls.iter().zip(&whole.api_calls) {
        assert_eq!((&fast.key, fast.tokens), (&slow.key, slow.tokens));
    }
    parse_session_index(bytes);
    let _ = decompress(bytes, 1 << 20);
});
