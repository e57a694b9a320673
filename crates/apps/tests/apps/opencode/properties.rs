//! Reading in pieces, and any bytes.

use crate::reader_testkit::check_places;
use apps::opencode::{Reader, Row, StorageFile, Table, Value, document_of_rows};
use apps::read_whole;
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

crate::reader_testkit::property_tests!(Reader, line(), check_places);

proptest! {
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
