//! What rows mean, on rows made for these tests.

use apps::EntryState::{self, Live, Replayed, Undone};
use apps::opencode::Reader;
use apps::{ChangeKind, EntryKind, Lineage, Session, read_whole};

const SESSION: &str = r#"{"table":"session","id":"ses_1","directory":"/kelp","title":"Fish","version":"1.18.0","time_created":1000,"time_updated":9000}"#;

fn read(lines: &[String]) -> Session {
    read_whole::<Reader>(lines.join("\n").as_bytes())
}

fn message(id: &str, data: &str) -> String {
    format!(r#"{{"table":"message","id":"{id}","session_id":"ses_1","data":{{{data}}}}}"#)
}

fn user(id: &str, created: u64) -> String {
    message(id, &format!(r#""role":"user","time":{{"created":{created}}}"#))
}

fn assistant(id: &str, created: u64, tokens: &str) -> String {
    message(
        id,
        &format!(
            r#""role":"assistant","time":{{"created":{created},"completed":{}}},"modelID":"m-1","cost":0.25,"tokens":{{{tokens}}}"#,
            created + 1
        ),
    )
}

fn part(id: &str, message: &str, data: &str) -> String {
    format!(
        r#"{{"table":"part","id":"{id}","message_id":"{message}","session_id":"ses_1","data":{{{data}}}}}"#
    )
}

fn text(id: &str, message: &str) -> String {
    part(id, message, &format!(r#""type":"text","text":"{id}""#))
}

const TOKENS: &str =
    r#""total":1036,"input":426,"output":7,"reasoning":3,"cache":{"read":600,"write":0}"#;

fn states(session: &Session) -> Vec<(&str, EntryState)> {
    let shown = session.entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Prompt(text) | EntryKind::Text(text) => Some((text.as_str(), entry.state)),
        _ => None,
    });
    shown.collect()
}

#[test]
fn the_session_row_makes_the_header() {
    let child =
        SESSION.replace("\"directory\"", r#""parent_id":"ses_0","agent":"general","directory""#);
    let session = read(&[child, user("m1", 2000), text("p1", "m1"), assistant("m2", 3000, TOKENS)]);
    let header = &session.header;
    assert_eq!((header.id.as_str(), header.title.as_deref()), ("ses_1", Some("Fish")));
    assert_eq!(header.lineage, [Lineage::Agent { of: "ses_0".into(), call: None }]);
    assert_eq!(
        (header.agent_name.as_deref(), header.model.as_deref()),
        (Some("general"), Some("m-1"))
    );
    assert_eq!(header.first_prompt.as_deref(), Some("p1"));
    assert_eq!(header.started.map(jiff::Timestamp::as_millisecond), Some(1000));
    assert_eq!(header.ended.map(jiff::Timestamp::as_millisecond), Some(9000));
}

#[test]
fn the_total_tells_where_reasoning_is_counted() {
    let cases = [
        // 1.18: beside the output.
        (TOKENS, (10, 1036)),
        // 1.1: part of it.
        (r#""total":1036,"input":426,"output":10,"reasoning":3,"cache":{"read":600}"#, (10, 1036)),
        (r#""input":426,"output":10,"reasoning":3,"cache":{"read":600}"#, (10, 1036)),
        (r#""input":426,"output":2,"reasoning":8,"cache":{"read":600}"#, (10, 1036)),
    ];
    for (tokens, expected) in cases {
        let session = read(&[SESSION.to_owned(), assistant("m1", 2000, tokens)]);
        let call = &session.api_calls[0];
        assert_eq!((call.tokens.output, call.tokens.total()), expected, "{tokens}");
        assert_eq!(call.reported_pico_usd, Some(250_000_000_000));
        assert_eq!(session.entries[call.entry].id.as_deref(), Some("m1"));
    }
    let running = assistant("m1", 2000, r#""input":0,"output":0,"cache":{}"#);
    assert!(read(&[SESSION.to_owned(), running]).api_calls.is_empty());
}

#[test]
fn a_fork_repeats_older_messages_with_the_keys_of_their_calls() {
    let original = read(&[SESSION.to_owned(), assistant("m1", 2000, TOKENS)]);
    let fork = SESSION.replace(":1000", ":5000").replace("ses_1", "ses_2");
    let session = read(&[
        fork,
        user("n0", 1500),
        text("q0", "n0"),
        assistant("n1", 2000, TOKENS),
        user("n2", 6000),
        text("q2", "n2"),
        assistant("n3", 7000, TOKENS),
    ]);
    assert_eq!(states(&session), [("q0", Replayed), ("q2", Live)]);
    assert_eq!(session.api_calls[0].key, original.api_calls[0].key);
    assert_ne!(session.api_calls[1].key, original.api_calls[0].key);
}

#[test]
fn a_revert_undoes_from_a_message_or_a_part_on() {
    let rows = |revert: &str| {
        let session =
            SESSION.replace("\"directory\"", &format!(r#""revert":{revert},"directory""#));
        let lines = [
            session,
            user("m1", 2000),
            text("p1", "m1"),
            text("p2", "m1"),
            user("m2", 3000),
            text("p3", "m2"),
        ];
        let found = read(&lines);
        states(&found).into_iter().map(|(_, state)| state).collect::<Vec<_>>()
    };
    assert_eq!(rows("null"), [Live, Live, Live]);
    assert_eq!(rows(r#"{"messageID":"m2","snapshot":"x"}"#), [Live, Live, Undone]);
    assert_eq!(rows(r#"{"messageID":"m1","partID":"p2"}"#), [Live, Undone, Undone]);
}

#[test]
fn tools_have_results_agents_and_changes() {
    let tool = |id: &str, tool: &str, state: &str| {
        let data =
            format!(r#""type":"tool","callID":"c-{id}","tool":"{tool}","state":{{{state}}}"#);
        part(id, "m1", &data)
    };
    let session = read(&[
        SESSION.to_owned(),
        assistant("m1", 2000, TOKENS),
        tool(
            "1",
            "bash",
            r#""status":"completed","input":{"command":"x"},"output":"no","metadata":{"exit":1},"time":{"start":2100,"end":2200}"#,
        ),
        tool(
            "2",
            "write",
            r#""status":"completed","input":{"filePath":"a","content":"new"},"output":"ok","metadata":{"filepath":"/kelp/a"}"#,
        ),
        tool(
            "3",
            "edit",
            r#""status":"completed","input":{"filePath":"b"},"output":"ok","metadata":{"diff":"crate::","filediff":{"file":"/kelp/b"}}"#,
        ),
        tool(
            "4",
            "apply_patch",
            r#""status":"completed","input":{},"output":"ok","metadata":{"files":[{"filePath":"/c","type":"add","patch":"crate::"},{"filePath":"/d","type":"delete"},{"filePath":"/e","type":"move","movePath":"/f"}]}"#,
        ),
        tool("5", "edit", r#""status":"error","input":{"filePath":"b"},"error":"no match""#),
        tool("6", "task", r#""status":"running","input":{},"metadata":{"sessionId":"ses_9"}"#),
    ]);
    let mut changes = Vec::new();
    let mut failed = Vec::new();
    for entry in &session.entries {
        if let EntryKind::Result { call, is_error, changes: found, .. } = &entry.kind {
            changes.extend(found.iter().map(|c| (c.path.as_str(), c.kind, c.diff.is_some())));
            failed.extend(is_error.then_some(call.as_str()));
        }
    }
    assert_eq!(
        changes,
        [
            ("/kelp/a", ChangeKind::Write, false),
            ("/kelp/b", ChangeKind::Edit, true),
            ("/c", ChangeKind::Write, true),
            ("/d", ChangeKind::Delete, false),
            ("/e", ChangeKind::Move, false),
        ]
    );
    assert_eq!(failed, ["c-1", "c-5"]);
    let start = EntryKind::AgentStart { agent: "ses_9".into(), call: Some("c-6".into()) };
    assert_eq!(session.entries.last().map(|entry| &entry.kind), Some(&start));
    let times = session.entries[2..4].iter().filter_map(|entry| entry.time);
    let times: Vec<_> = times.map(jiff::Timestamp::as_millisecond).collect();
    assert_eq!(times, [2100, 2200]);
}

#[test]
fn summaries_errors_synthetic_texts_and_unknown_rows_are_kept() {
    let session = read(&[
        SESSION.to_owned(),
        user("m1", 2000),
        part("p1", "m1", r#""type":"text","text":"Called a tool.","synthetic":true"#),
        part("p2", "m1", r#""type":"file","mime":"image/png","url":"data:AAAA""#),
        part("p3", "m1", r#""type":"compaction","auto":true"#),
        message("m2", r#""role":"assistant","summary":true,"time":{"created":3000}"#),
        text("Fish so far.", "m2"),
        message("m3", r#""role":"assistant","error":{"name":"MessageAbortedError","data":{}}"#),
        message(
            "m4",
            r#""role":"assistant","error":{"name":"APIError","data":{"message":"Down."}}"#,
        ),
        part("p5", "m4", r#""type":"reasoning","text":"Hm.""#),
        part("p6", "m4", r#""type":"hologram""#),
        r#"{"table":"todo","id":"t"}"#.to_owned(),
        r#"{"table":"part","id":"p7","data":"torn"}"#.to_owned(),
    ]);
    let shown: Vec<_> = session
        .entries
        .iter()
        .map(|entry| entry.kind.clone())
        .filter(|kind| !matches!(kind, EntryKind::Silent(_)))
        .collect();
    assert_eq!(
        shown,
        [
            EntryKind::Notice("synthetic".into(), "Called a tool.".into()),
            EntryKind::Attachment { kind: "image/png".into(), bytes: 4 },
            EntryKind::Compaction("Fish so far.".into()),
            EntryKind::Interruption,
            EntryKind::Thinking("Hm.".into()),
            EntryKind::Unknown("part hologram".into()),
            EntryKind::Error("Down.".into()),
            EntryKind::Unknown("todo".into()),
            EntryKind::Unknown("part".into()),
        ]
    );
    let lines: Vec<_> = session.entries.iter().map(|entry| entry.place.line).collect();
    assert!(lines.is_sorted(), "{lines:?}");
    let unknown: Vec<_> = session.unknown.iter().collect();
    assert_eq!(unknown, [("part hologram", 1), ("table todo", 1)]);
    assert_eq!(session.problems.len(), 1);
}

#[test]
fn a_message_of_the_model_is_one_response() {
    let session = read(&[
        SESSION.to_owned(),
        user("m1", 2000),
        text("p1", "m1"),
        assistant("m2", 3000, TOKENS),
        text("p2", "m2"),
        part(
            "p3",
            "m2",
            r#""type":"tool","callID":"c1","tool":"bash","state":{"status":"completed","output":"x","metadata":{"exit":3}}"#,
        ),
        part(
            "p4",
            "m2",
            r#""type":"tool","callID":"c2","tool":"bash","state":{"status":"completed","output":"x","metadata":{}}"#,
        ),
        message("m3", r#""role":"assistant","time":{"created":4000}"#),
        text("p5", "m3"),
    ]);
    let responses: Vec<_> = session
        .entries
        .iter()
        .filter(|entry| matches!(entry.kind, EntryKind::Text(_) | EntryKind::Call { .. }))
        .map(|entry| entry.response.as_deref().unwrap())
        .collect();
    let key = session.api_calls[0].key.as_str();
    assert_eq!(responses, [key, key, key, "m3"]);
    let codes: Vec<_> = session
        .entries
        .iter()
        .filter_map(|entry| match entry.kind {
            EntryKind::Result { exit_code, is_error, .. } => Some((exit_code, is_error)),
            _ => None,
        })
        .collect();
    assert_eq!(codes, [(Some(3), true), (None, false)]);
}
