//! Manifests and segments that somebody changed: errors, and never a panic or more memory
//! than their size allows.

use crate::decision::Sharing;
use crate::manifest::{Manifest, Segment};
use crate::names::{Audience, Level, ManifestNumber, Month, SegmentName, Table};
use crate::segment::Format as _;
use crate::segment_file::ParquetFormat;
use crate::tests::machine::{Machine, WORK, conversation};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::OnceLock;

/// All segments of a machine that shares text.
fn segments() -> &'static [(Table, Vec<u8>)] {
    static SEGMENTS: OnceLock<Vec<(Table, Vec<u8>)>> = OnceLock::new();
    SEGMENTS.get_or_init(|| {
        let machine = Machine::new(Level::Text);
        machine.session(1, WORK, conversation());
        machine.push();
        let objects = machine.objects.0.borrow();
        let segments = objects.iter().filter_map(|(name, bytes)| {
            let (_, name) = name.split_once("/d/")?;
            Some((name.parse::<SegmentName>().unwrap().table, bytes.clone()))
        });
        segments.collect()
    })
}

fn manifest() -> Vec<u8> {
    let number: ManifestNumber = "00000007".parse().unwrap();
    let mut manifest = Manifest::default();
    for table in Table::ALL {
        let name = SegmentName::of(number, table, Month::FIRST, table.as_str().as_bytes());
        manifest.segments.push(Segment { name, rows: 3, bytes: 100 });
    }
    manifest.audiences.insert(Audience::Org);
    manifest.decided = number;
    manifest.decisions.decide("s1".parse().unwrap(), Sharing::Forgotten);
    manifest.decisions.expire(Level::Text, Month::LAST);
    manifest.decisions.forget_project("github.com/acme/tides");
    manifest.decisions.set_left(true);
    manifest.to_bytes()
}

/// Bytes are replaced, a part is left out, or a part comes twice.
fn changed(bytes: &[u8], places: &[(Index, u8)], cut: Option<(Index, Index)>) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (place, value) in places {
        let place = place.index(bytes.len());
        bytes[place] = *value;
    }
    if let Some((from, to)) = cut {
        let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
        if from < to {
            bytes.drain(from..to);
        } else {
            let twice = bytes[to..from].to_vec();
            bytes.splice(to..to, twice);
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_segments_are_read_or_refused(
        segment: Index,
        places in prop::collection::vec((any::<Index>(), any::<u8>()), 0..6),
        cut in prop::option::of((any::<Index>(), any::<Index>())),
    ) {
        let (table, bytes) = &segments()[segment.index(segments().len())];
        let bytes = changed(bytes, &places, cut);
        let entries = ParquetFormat.entries(*table, &bytes);
        if let Ok(pieces) = ParquetFormat.decode(*table, &bytes) {
            prop_assert_eq!(pieces.len(), entries.unwrap().len());
        }
        // Another table has other columns.
        for other in Table::ALL.into_iter().filter(|other| other != table) {
            prop_assert!(ParquetFormat.decode(other, &bytes).is_err());
        }
    }

    #[test]
    fn changed_manifests_are_read_or_refused(
        places in prop::collection::vec((any::<Index>(), any::<u8>()), 0..4),
        cut in prop::option::of((any::<Index>(), any::<Index>())),
    ) {
        if let Ok(read) = Manifest::parse(&changed(&manifest(), &places, cut)) {
            prop_assert_eq!(Manifest::parse(&read.to_bytes()).unwrap(), read);
        }
    }
}

#[test]
fn manifest_survives_being_written_and_parsed() {
    let bytes = manifest();
    assert_eq!(Manifest::parse(&bytes).unwrap().to_bytes(), bytes);
}
