//! What events mean, on lines made for these tests.

use apps::copilot::Reader;
use apps::{CallInput, ChangeKind, EntryKind, Session, read_whole};

fn event(kind: &str, data: &str) -> String {
    format!(
        r#"{{"type":"{kind}","data":{data},"id":"e-{kind}","timestamp":"2026-01-02T03:04:05Z","parentId":null}}"#
    )
}

fn of_agent(kind: &str, data: &str) -> String {
    event(kind, data).replacen('{', r#"{"agentId":"a-1","#, 1)
}

fn read(lines: &[String]) -> Session {
    read_whole::<Reader>(lines.join("\n").as_bytes())
}

fn kinds(session: &Session) -> Vec<EntryKind> {
    session.entries.iter().map(|entry| entry.kind.clone()).collect()
}

fn record(call: &str, input: u64) -> String {
    event(
        "session.usage_record",
        &format!(
            r#"{{"usage":{{"model":"m-1","inputTokens":{input},"outputTokens":10,"cacheReadTokens":6,"cacheWriteTokens":1,"reasoningTokens":3,"cost":2.0,"apiCallId":"{call}"}}}}"#
        ),
    )
}

fn shutdown(input: u64) -> String {
    event(
        "session.shutdown",
        &format!(
            r#"{{"modelMetrics":{{"m-1":{{"requests":{{"count":3,"cost":1.0}},"usage":{{"inputTokens":{input},"outputTokens":30,"cacheReadTokens":18,"cacheWriteTokens":0}}}}}}}}"#
        ),
    )
}

fn start() -> String {
    event(
        "session.start",
        r#"{"sessionId":"s-1","copilotVersion":"1.0.0","selectedModel":"m-0","context":{"cwd":"/kelp","branch":"reef","repository":"kim/kelp"}}"#,
    )
}

#[test]
fn start_and_prompts_make_the_header() {
    let session = read(&[
        start(),
        event("system.message", r#"{"content":"secret instructions"}"#),
        event("user.message", r#"{"content":"hidden","source":"skill-pdf"}"#),
        event(
            "user.message",
            r#"{"content":"Count.","transformedContent":"<x>Count.","interactionId":"t-1"}"#,
        ),
        event("assistant.message", r#"{"model":"m-1","content":"Two.","toolRequests":[]}"#),
    ]);
    let header = &session.header;
    assert_eq!((header.id.as_str(), header.version.as_deref()), ("s-1", Some("1.0.0")));
    assert_eq!(
        (header.directory.as_deref(), header.branch.as_deref()),
        (Some("/kelp"), Some("reef"))
    );
    assert_eq!(header.repository.as_deref(), Some("kim/kelp"));
    assert_eq!(header.first_prompt.as_deref(), Some("Count."));
    assert_eq!(header.model.as_deref(), Some("m-1"));
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["Count."]);
    assert_eq!(session.entries[4].turn.as_deref(), Some("t-1"), "answers are in the prompt's turn");
    let shown = format!("{:?}", session.entries);
    assert!(!shown.contains("secret instructions"), "the system prompt is not kept");
}

#[test]
fn calls_come_from_messages_and_results_with_their_changes() {
    let diff =
        r"\ndiff --git a/kelp/a.txt b/kelp/a.txt\n+a\ndiff --git a/kelp/b.txt b/kelp/b.txt\n+b\n";
    let session = read(&[
        event(
            "assistant.message",
            r#"{"content":"","reasoningText":"Hm.","toolRequests":[{"toolCallId":"c-1","name":"create","arguments":{"path":"a"}}]}"#,
        ),
        event(
            "tool.execution_start",
            r#"{"toolCallId":"c-1","toolName":"create","arguments":{"path":"a"}}"#,
        ),
        event(
            "tool.execution_complete",
            &format!(
                r#"{{"toolCallId":"c-1","success":true,"fileEdits":[{{"path":"/kelp/a.txt","kind":"create"}},{{"path":"/kelp/b.txt","kind":"edit"}},{{"path":"/kelp/c.txt","kind":"delete"}}],"result":{{"content":"ok","detailedContent":"{diff}"}}}}"#
            ),
        ),
        event("tool.execution_start", r#"{"toolCallId":"c-2","toolName":"bash","arguments":"ls"}"#),
        event(
            "tool.execution_complete",
            r#"{"toolCallId":"c-2","success":true,"shellExecution":{"exitCode":2},"result":{"content":"no"}}"#,
        ),
        event(
            "tool.execution_complete",
            r#"{"toolCallId":"c-3","success":false,"error":{"message":"denied"}}"#,
        ),
    ]);
    let kinds = kinds(&session);
    let EntryKind::Result { changes, .. } = &kinds[3] else { panic!("{kinds:?}") };
    let changes: Vec<_> =
        changes.iter().map(|c| (c.path.as_str(), c.kind, c.diff.as_deref())).collect();
    assert_eq!(
        changes,
        [
            ("/kelp/a.txt", ChangeKind::Write, Some("diff --git a/kelp/a.txt b/kelp/a.txt\n+a\n")),
            ("/kelp/b.txt", ChangeKind::Edit, Some("diff --git a/kelp/b.txt b/kelp/b.txt\n+b\n")),
            ("/kelp/c.txt", ChangeKind::Delete, None),
        ]
    );
    assert_eq!(kinds[0], EntryKind::Thinking("Hm.".into()));
    assert!(matches!(&kinds[1], EntryKind::Call { id, .. } if id == "c-1"));
    assert_eq!(kinds[2], EntryKind::Silent("tool.execution_start".into()));
    let late = CallInput::Text("ls".into());
    assert_eq!(kinds[4], EntryKind::Call { id: "c-2".into(), tool: "bash".into(), input: late });
    assert!(matches!(&kinds[5], EntryKind::Result { is_error: true, .. }));
    assert!(
        matches!(&kinds[6], EntryKind::Result { is_error: true, text, .. } if text == "denied")
    );
}

#[test]
fn reasoning_is_shown_once_and_encrypted_reasoning_is_empty() {
    let session = read(&[
        event("assistant.reasoning", r#"{"content":"Hm."}"#),
        event("assistant.message", r#"{"content":"A.","reasoningText":"Hm."}"#),
        event("assistant.message", r#"{"content":"B.","encryptedContent":"x"}"#),
    ]);
    assert_eq!(
        kinds(&session),
        [
            EntryKind::Thinking("Hm.".into()),
            EntryKind::Text("A.".into()),
            EntryKind::Thinking(String::new()),
            EntryKind::Text("B.".into()),
        ]
    );
}

#[test]
fn sub_agents_are_distinguished_by_their_id() {
    let session = read(&[
        start(),
        event("user.message", r#"{"content":"Ask.","interactionId":"t-1"}"#),
        of_agent("subagent.started", r#"{"toolCallId":"c-1","agentName":"explore"}"#),
        of_agent(
            "user.message",
            r#"{"content":"Look.","source":"agent-s-1","interactionId":"t-2"}"#,
        ),
        of_agent("session.model_change", r#"{"newModel":"small"}"#),
        of_agent("session.usage_record", r#"{"usage":{"inputTokens":5,"apiCallId":"k"}}"#),
        event("assistant.message", r#"{"content":"Done."}"#),
    ]);
    let start = EntryKind::AgentStart { agent: "a-1".into(), call: Some("c-1".into()) };
    assert_eq!(session.entries[2].kind, start);
    assert_eq!(session.entries[3].kind, EntryKind::Prompt("Look.".into()));
    assert_eq!(session.entries[3].agent.as_deref(), Some("a-1"));
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["Ask."]);
    assert_eq!(session.header.model.as_deref(), Some("m-0"));
    assert_eq!(session.api_calls[0].agent.as_deref(), Some("a-1"));
    assert_eq!(session.entries[6].turn.as_deref(), Some("t-1"));
}

#[test]
fn records_count_once_and_shutdowns_do_not_count_beside_them() {
    let session = read(&[
        start(),
        shutdown(40),
        record("k-1", 20),
        record("k-1", 20),
        shutdown(80),
        record("k-2", 25),
        shutdown(120),
    ]);
    let keys: Vec<_> = session.api_calls.iter().map(|call| call.key.as_str()).collect();
    assert_eq!(keys, ["k-1", "k-2"]);
    let tokens = session.api_calls[0].tokens;
    assert_eq!((tokens.input, tokens.cache_read, tokens.cache_write), (13, 6, 1));
    assert_eq!((tokens.output, tokens.reasoning, tokens.total()), (10, 3, 30));
    assert_eq!(session.api_calls[0].reported_pico_usd, None, "credits are not dollars");
}

#[test]
fn without_records_the_last_shutdown_counts() {
    let session = read(&[start(), shutdown(40), shutdown(80), event("session.shutdown", "{}")]);
    let totals: Vec<_> = session.api_calls.iter().map(|call| call.tokens.total()).collect();
    assert_eq!(totals, [110]);
    assert_eq!(session.api_calls[0].model.as_deref(), Some("m-1"));
    assert!(matches!(session.entries[session.api_calls[0].entry].kind, EntryKind::Silent(_)));
}

#[test]
fn notices_errors_and_unknown_events_are_kept() {
    let session = read(&[
        event("session.info", r#"{"infoType":"rewind","message":"Rewound."}"#),
        event("session.error", r#"{"message":"Quota."}"#),
        event("abort", r#"{"reason":"user_abort"}"#),
        event("session.compaction_complete", r#"{"success":true,"summaryContent":"Fish."}"#),
        event("session.hologram", "{}"),
        "[]".to_owned(),
        "{".to_owned(),
    ]);
    assert_eq!(
        kinds(&session),
        [
            EntryKind::Notice("rewind".into(), "Rewound.".into()),
            EntryKind::Error("Quota.".into()),
            EntryKind::Interruption,
            EntryKind::Compaction("Fish.".into()),
            EntryKind::Unknown("session.hologram".into()),
            EntryKind::Unknown("line".into()),
        ]
    );
    assert_eq!(session.unknown.iter().collect::<Vec<_>>(), [("line", 1), ("session.hologram", 1)]);
    assert_eq!(session.problems.len(), 1);
}

#[test]
fn a_message_is_the_response_that_its_record_reports() {
    let message = |call: &str, text: &str| {
        event("assistant.message", &format!(r#"{{{call}"messageId":"{text}","content":"{text}"}}"#))
    };
    let responses = |lines: &[String]| {
        let entries = read(lines).entries.into_iter();
        let written = entries
            .filter(|entry| matches!(entry.kind, EntryKind::Text(_) | EntryKind::Thinking(_)));
        written.map(|entry| entry.response.unwrap()).collect::<Vec<_>>()
    };
    let reasoning = event("assistant.reasoning", r#"{"content":"hm"}"#);
    let turn = event("assistant.turn_start", "{}");
    let named = message(r#""apiCallId":"k-1","#, "a");
    let table = [
        (vec![record("k-1", 9), named.clone(), message("", "b")], vec!["k-1", "b"]),
        (
            vec![reasoning.clone(), named, record("k-1", 9), message("", "b")],
            vec!["k-1", "k-1", "b"],
        ),
        (vec![record("k-1", 9), message("", "a"), message("", "b")], vec!["k-1", "b"]),
        (vec![reasoning, message("", "a"), record("k-1", 9)], vec!["k-1", "k-1"]),
        (vec![record("k-1", 9), turn, message("", "a")], vec!["a"]),
    ];
    for (lines, expected) in table {
        assert_eq!(responses(&lines), expected, "{lines:#?}");
    }
}
