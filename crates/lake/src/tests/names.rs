//! Names of objects are parsed and rebuilt, and nothing else is taken for one.

use crate::names::{Audience, ManifestNumber, Month, Owner, SegmentName, Table};
use proptest::prelude::*;

#[test]
fn hostile_names_are_refused() {
    for name in ["", ".", "..", "a/b", "-rf", "a b", "ä", "a\0", "a\n", &"x".repeat(65)] {
        assert!(name.parse::<Owner>().is_err(), "{name:?}");
        assert!(format!("team:{name}").parse::<Audience>().is_err(), "{name:?}");
    }
    for name in [
        "00000000/calls-202611-00000000000000000000000000000000.parquet",
        "00000001/calls-202613-00000000000000000000000000000000.parquet",
        "00000001/calls-202611-0000000000000000000000000000000.parquet",
        "00000001/calls-202611-0000000000000000000000000000000G.parquet",
        "00000001/../calls-202611-00000000000000000000000000000000.parquet",
        "00000001/other-202611-00000000000000000000000000000000.parquet",
        "1/calls-202611-00000000000000000000000000000000.parquet",
    ] {
        assert!(name.parse::<SegmentName>().is_err(), "{name:?}");
    }
}

proptest! {
    #[test]
    fn segment_names_survive_being_written_and_parsed(
        steps in 1_u32..1_000, year in 1970_u16..=9999, month in 1_u8..=12, table in 0..Table::ALL.len(), bytes: Vec<u8>,
    ) {
        let mut number = ManifestNumber::NONE;
        for _ in 0..steps {
            number = number.next().unwrap();
        }
        let month = Month::new(year, month).unwrap();
        let name = SegmentName::of(number, Table::ALL[table], month, &bytes);
        prop_assert_eq!(name.to_string().parse::<SegmentName>().unwrap(), name);
    }

    #[test]
    fn parsing_a_name_never_panics(text: String) {
        let _ = text.parse::<SegmentName>();
        let _ = text.parse::<Audience>();
        let _ = text.parse::<ManifestNumber>();
    }
}
