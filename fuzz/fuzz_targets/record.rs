//! Reads any line as a record: every accessor works without a panic, and the quickly
//! detected kind agrees with the parsed one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use transcript::{DriftReport, RecordKind, entries, text};

fuzz_target!(|bytes: &[u8]| {
    let mut drift = DriftReport::default();
    for entry in entries(bytes) {
        let record = &entry.record;
        let _ = record.time();
        let _ = record.subtype();
        let blocks = record.message().map_or(0, |message| message.blocks().len());
        if std::str::from_utf8(record.raw).is_ok() && record.message().is_some() && entry.problems.is_empty() {
            assert_eq!(record.raw_blocks().count(), blocks, "raw blocks agree with typed ones");
        }
        let _ = record.unknown_members().count();
        for piece in text::of_record(record) {
            assert!(!piece.text.is_empty());
        }
        if entry.problems.is_empty() {
            assert_eq!(RecordKind::of_line(entry.bytes), record.kind, "the cheap kind agrees");
        }
        drift.observe(record);
    }
});
