//! Reading in pieces, and any bytes.

use app::{Read as _, Session, read_whole};
use copilot::{Reader, parse_workspace};
use proptest::prelude::*;

fn line() -> impl Strategy<Value = String> {
    let kinds = prop::sample::select(vec![
        "session.start",
        "session.shutdown",
        "session.usage_record",
        "user.message",
        "assistant.message",
        "assistant.reasoning",
        "tool.execution_start",
        "tool.execution_complete",
        "subagent.started",
        "new.kind",
    ]);
    let data = prop::sample::select(vec![
        r#"{"content":"é","reasoningText":"hm","toolRequests":[{"toolCallId":"c"}],"interactionId":"t"}"#,
        r#"{"sessionId":"s","usage":{"apiCallId":"k","inputTokens":3}}"#,
        r#"{"toolCallId":"c","fileEdits":[{"path":"/a","kind":"edit"}],"result":{"detailedContent":"diff --git "}}"#,
        r#"{"modelMetrics":{"m":{"usage":{"inputTokens":4}}}}"#,
        "null",
    ]);
    prop_oneof![
        (kinds, data, any::<bool>()).prop_map(|(kind, data, agent)| {
            let agent = if agent { r#""agentId":"a","# } else { "" };
            format!(r#"{{{agent}"type":"{kind}","id":"e","data":{data}}}"#)
        }),
        Just("{\"type\":".to_owned()),
        Just(String::new()),
    ]
}

fn check_places(session: &Session, bytes: &[u8]) {
    for entry in &session.entries {
        assert!(entry.place.offset + entry.place.bytes <= bytes.len() as u64);
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
        let _ = parse_workspace(&bytes);
    }

    #[test]
    fn any_text_is_a_workspace(text in "(name|cwd|id)?: ?[|>]?-?\n?( {0,3}[é'\": a]{0,4}\n?){0,6}") {
        let _ = parse_workspace(text.as_bytes());
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
