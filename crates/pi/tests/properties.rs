//! Reading in pieces, and any bytes.

use app::{Read as _, Session, read_whole};
use pi::Reader;
use proptest::prelude::*;

fn line() -> impl Strategy<Value = String> {
    let id = 0..5_u8;
    prop_oneof![
        Just(r#"{"type":"session","id":"s","timestamp":"2026-01-02T03:04:05Z","parentSession":"x"}"#.to_owned()),
        (id.clone(), id.clone(), 1..4_u8).prop_map(|(id, parent, day)| format!(
            r#"{{"type":"message","id":"{id}","parentId":"{parent}","timestamp":"2026-01-0{day}T03:04:05Z","message":{{"role":"user","content":"é"}}}}"#
        )),
        (id.clone(), id).prop_map(|(id, parent)| format!(
            r#"{{"type":"message","id":"{id}","parentId":"{parent}","message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"edit","arguments":{{"path":"p"}}}}],"usage":{{"input":{id}}}}}}}"#
        )),
        Just(r#"{"type":"message","message":{"role":"toolResult","toolCallId":"c","details":{"diff":"+1 é"}}}"#.to_owned()),
        Just("{\"type\":".to_owned()),
        Just(String::new()),
    ]
}

fn check_places(session: &Session, bytes: &[u8]) {
    for entry in &session.entries {
        assert!(entry.place.offset + entry.place.bytes <= bytes.len() as u64);
        assert!(entry.place.line >= 1);
    }
    for call in &session.api_calls {
        assert!(call.entry < session.entries.len());
    }
}

proptest! {
    #[test]
    fn reading_on_equals_reading_whole(
        lines in prop::collection::vec(line(), 0..20),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
    ) {
        let bytes = lines.join("\n").into_bytes();
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let mut reader = Reader::default();
        let mut used = 0;
        for cut in cuts {
            used += reader.read_on(&bytes[used..cut.max(used)]);
            check_places(reader.session(), &bytes);
        }
        used += reader.read_on(&bytes[used..]);
        if used < bytes.len() {
            reader.read_last(&bytes[used..]);
        }
        let whole = read_whole::<Reader>(&bytes);
        check_places(&whole, &bytes);
        prop_assert_eq!(reader.into_session(), whole);
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_places(&read_whole::<Reader>(&bytes), &bytes);
    }

    #[test]
    fn damaged_lines_are_read(
        lines in prop::collection::vec(line(), 1..6),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = lines.join("\n").into_bytes();
        if !bytes.is_empty() {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        check_places(&read_whole::<Reader>(&bytes), &bytes);
    }
}
