//! Reading in pieces, and any bytes.

use crate::reader_testkit::check_places;
use apps::copilot::{Reader, parse_workspace};
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

crate::reader_testkit::property_tests!(Reader, line(), check_places);

proptest! {
    #[test]
    fn any_bytes_are_a_workspace(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse_workspace(&bytes);
    }

    #[test]
    fn any_text_is_a_workspace(text in "(name|cwd|id)?: ?[|>]?-?\n?( {0,3}[é'\": a]{0,4}\n?){0,6}") {
        let _ = parse_workspace(text.as_bytes());
    }
}
