//! Reading in pieces, and any bytes.

use apps::{Read, Session, read_whole};

/// Checks that reading a file in pieces gives the session of reading it whole. `cuts` are where a
/// piece may end; `check` holds for every session on the way.
pub(crate) fn check_pieces<R: Read>(bytes: &[u8], cuts: &[usize], check: impl Fn(&Session, &[u8])) {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| (*cut).min(bytes.len())).collect();
    cuts.sort_unstable();
    let mut reader = R::default();
    let mut used = 0;
    for cut in cuts.into_iter().chain([bytes.len()]) {
        used += reader.read_on(&bytes[used..cut.max(used)]);
        check(reader.session(), bytes);
    }
    if used < bytes.len() {
        reader.read_last(&bytes[used..]);
    }
    let whole = read_whole::<R>(bytes);
    check(&whole, bytes);
    assert_eq!(reader.into_session(), whole);
}

/// Checks that what a session names is there: its entries in the file, and those of its API calls.
pub(crate) fn check_places(session: &Session, bytes: &[u8]) {
    for entry in &session.entries {
        assert!(entry.place.offset + entry.place.bytes <= bytes.len() as u64);
        assert!(entry.place.line >= 1);
    }
    for call in &session.api_calls {
        assert!(call.entry < session.entries.len());
    }
}

/// Lines with another byte at a place, if there is one.
pub(crate) fn with_byte_at(lines: &[String], at: usize, byte: u8) -> Vec<u8> {
    let mut bytes = lines.join("\n").into_bytes();
    if let Some(length) = std::num::NonZero::new(bytes.len()) {
        bytes[at % length] = byte;
    }
    bytes
}

/// The properties of a reader, with a strategy for its lines and a function that checks a session
/// against the bytes it was read from. The crate that uses it has proptest.
macro_rules! property_tests {
    ($reader:ty, $line:expr, $check:expr) => {
        proptest::proptest! {
            #[test]
            fn reading_on_equals_reading_whole(
                lines in proptest::collection::vec($line, 0..20),
                cuts in proptest::collection::vec(
                    proptest::prelude::any::<proptest::sample::Index>(),
                    0..5,
                ),
            ) {
                let bytes = lines.join("\n").into_bytes();
                let cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
                crate::reader_testkit::check_pieces::<$reader>(&bytes, &cuts, $check);
            }

            #[test]
            fn any_bytes_are_read(
                bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300),
            ) {
                $check(&apps::read_whole::<$reader>(&bytes), &bytes);
            }

            #[test]
            fn damaged_lines_are_read(
                lines in proptest::collection::vec($line, 1..6),
                at in proptest::prelude::any::<usize>(),
                byte in proptest::prelude::any::<u8>(),
            ) {
                let bytes = crate::reader_testkit::with_byte_at(&lines, at, byte);
                $check(&apps::read_whole::<$reader>(&bytes), &bytes);
            }
        }
    };
}
pub(crate) use property_tests;
