//! Reading in pieces, and any bytes.

use crate::reader_testkit::check_places;
use apps::pi::Reader;
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

crate::reader_testkit::property_tests!(Reader, line(), check_places);
