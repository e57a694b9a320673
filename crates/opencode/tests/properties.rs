//! Reading in pieces, and any bytes.

use app::{Read as _, Session, read_whole};
use opencode::{Reader, Row, StorageFile, Table, Value, document_of_rows};
use proptest::prelude::*;

fn line() -> impl Strategy<Value = String> {
    let id = 0..5_u8;
    prop_oneof![
        id.clone().prop_map(|id| format!(
            r#"{{"table":"session","id":"s","time_created":{id},"revert":{{"messageID":"{id}"}}}}"#
        )),
        (id.clone(), id.clone()).prop_map(|(id, time)| format!(
            r#"{{"table":"message","id":"{id}","data":{{"role":"user","time":{{"created":{time}}}}}}}"#
        )),
        (id.clone(), id.clone()).prop_map(|(id, time)| format!(
            r#"{{"table":"message","id":"{id}","data":{{"role":"assistant","time":{{"created":{time}}},"tokens":{{"input":{id}}}}}}}"#
        )),
        (id.clone(), id).prop_map(|(id, message)| format!(
            r#"{{"table":"part","id":"{id}","message_id":"{message}","data":{{"type":"text","text":"é"}}}}"#
        )),
        Just(r#"{"table":"part","data":{"type":"tool","tool":"edit","state":{"status":"completed","input":{}}}}"#.to_owned()),
        Just("{\"table\":".to_owned()),
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

    #[test]
    fn every_row_is_one_line(
        id in any::<String>(),
        title in any::<String>(),
        data in prop_oneof![any::<String>(), Just("{ \"a\\n\" : [ 1 , \"x\" ]\n}".to_owned())],
        cost in any::<f64>(),
    ) {
        let columns = [
            ("id", Value::Text(&id)),
            ("title", Value::Text(&title)),
            ("cost", Value::Real(cost)),
            ("data", Value::Text(&data)),
        ];
        let document = document_of_rows(vec![Row::from_columns(Table::Session, &columns)]);
        prop_assert_eq!(document.split_inclusive(|byte| *byte == b'\n').count(), 1);
        let session = read_whole::<Reader>(&document);
        prop_assert!(session.problems.is_empty());
        prop_assert_eq!(&session.header.id, &id);
        prop_assert_eq!(session.header.title.unwrap_or_default(), title);
    }

    #[test]
    fn any_file_is_a_row_or_nothing(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        for table in [Table::Session, Table::Message, Table::Part] {
            let _ = Row::from_file(StorageFile { table, parent: "p", id: "i" }, &bytes);
        }
    }
}
