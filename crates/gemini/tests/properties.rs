//! Reading in pieces, and any bytes.

use app::{Read as _, Session, read_whole};
use gemini::{Reader, read_document};
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

fn check_places(session: &Session, bytes: &[u8]) {
    for entry in &session.entries {
        assert!(entry.place.offset + entry.place.bytes <= bytes.len() as u64);
        assert!(entry.place.line >= 1);
    }
    for call in &session.api_calls {
        assert!(session.entries[call.entry].id.as_ref() == Some(&call.key));
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
        check_places(&read_document(&bytes), &bytes);
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
        let document = [b"{\"messages\":[", &bytes[..], b"]}"].concat();
        check_places(&read_document(&document), &document);
    }
}
