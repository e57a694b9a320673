//! Reading in pieces, and any bytes.

use crate::reader_testkit::{check_places, with_byte_at};
use apps::Session;
use apps::gemini::{Reader, read_document};
use proptest::prelude::*;

fn line() -> impl Strategy<Value = String> {
    let id = 0..4_u8;
    prop_oneof![
        Just(r#"{"sessionId":"s","projectHash":"h","startTime":"2026-01-02T03:04:05Z"}"#.to_owned()),
        id.clone().prop_map(|id| format!(r#"{{"id":"{id}","type":"user","content":"say {id}"}}"#)),
        (id.clone(), 0..3_u8).prop_map(|(id, calls)| {
            let calls: Vec<_> = (0..calls)
                .map(|call| format!(r#"{{"id":"c{call}","name":"ls","status":"success"}}"#))
                .collect();
            format!(
                r#"{{"id":"{id}","type":"gemini","content":"é","tokens":{{"input":{id}}},"toolCalls":[{}]}}"#,
                calls.join(",")
            )
        }),
        id.clone().prop_map(|id| format!(r#"{{"$rewindTo":"{id}"}}"#)),
        id.clone().prop_map(|id| {
            format!(
                r#"{{"$set":{{"messages":[{{"id":"s","type":"user","content":"so far"}},{{"id":"a","type":"gemini","content":"Got it. Thanks for the additional context!"}},{{"id":"n{id}","type":"user","content":"say {id}"}}]}}}}"#
            )
        }),
        (id.clone(), id).prop_map(|(one, two)| {
            format!(
                r#"{{"$set":{{"messages":[{{"id":"{one}","type":"user","content":"say {one}"}},{{"id":"{two}","type":"gemini","content":""}}]}}}}"#
            )
        }),
        Just("{\"id\":\"1\",\"type\"".to_owned()),
        Just(String::new()),
    ]
}

fn check(session: &Session, bytes: &[u8]) {
    check_places(session, bytes);
    for call in &session.api_calls {
        assert!(session.entries[call.entry].id.as_ref() == Some(&call.key));
    }
}

crate::reader_testkit::property_tests!(Reader, line(), check);

proptest! {
    #[test]
    fn any_bytes_are_a_document(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&read_document(&bytes), &bytes);
    }

    #[test]
    fn damaged_documents_are_read(
        lines in prop::collection::vec(line(), 1..6),
        at in any::<usize>(),
        byte in any::<u8>(),
    ) {
        let bytes = with_byte_at(&lines, at, byte);
        let document = [b"{\"messages\":[", &bytes[..], b"]}"].concat();
        check(&read_document(&document), &document);
    }
}
