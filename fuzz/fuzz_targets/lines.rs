//! Reads any bytes as a transcript: the entries cover all bytes, and reading in two
//! pieces, split at any line, gives the same as reading in one piece.

#![no_main]

use libfuzzer_sys::fuzz_target;
use transcript::{Lines, entries};

fuzz_target!(|bytes: &[u8]| {
    let whole: Vec<_> = entries(bytes).map(|entry| (entry.line, entry.offset, entry.bytes)).collect();
    let mut next = 0;
    for (number, (line, offset, piece)) in whole.iter().enumerate() {
        assert_eq!(*offset, next, "entries tile the bytes");
        next = offset + piece.len() as u64;
        let last_of_line = whole.get(number + 1).is_none_or(|(following, _, _)| following != line);
        if last_of_line && usize::try_from(next).is_ok_and(|at| bytes.get(at) == Some(&b'\n')) {
            next += 1;
        }
    }
    assert_eq!(next, bytes.len() as u64, "nothing is left over");

    let middle = bytes.len() / 2;
    let cut = bytes[..middle].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let lines = bytes[..cut].iter().filter(|byte| **byte == b'\n').count() as u64;
    let first = entries(&bytes[..cut]);
    let second = Lines::from_position(&bytes[cut..], cut as u64, lines + 1).entries();
    let pieces: Vec<_> = first.chain(second).map(|entry| (entry.line, entry.offset, entry.bytes)).collect();
    assert_eq!(pieces, whole);
});
