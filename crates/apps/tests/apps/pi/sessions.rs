//! What the lines of a session mean, on lines made for these tests.

use apps::EntryState::{self, Left, Live, Replayed};
use apps::pi::Reader;
use apps::{ChangeKind, EntryKind, Lineage, Session, read_whole};

const HEADER: &str = r#"{"type":"session","version":3,"id":"s-1","timestamp":"2026-01-02T03:00:00.000Z","cwd":"/kelp"}"#;

fn read(lines: &[String]) -> Session {
    let mut text = HEADER.to_owned() + "\n";
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    read_whole::<Reader>(text.as_bytes())
}

fn entry(id: &str, parent: &str, rest: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(r#"{{"id":"{id}","parentId":{parent},"timestamp":"2026-01-02T03:04:05.000Z",{rest}}}"#)
}

fn user(id: &str, parent: &str, text: &str) -> String {
    let rest = format!(
        r#""type":"message","message":{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}}"#
    );
    entry(id, parent, &rest)
}

fn assistant(id: &str, parent: &str, content: &str, input: u64) -> String {
    let rest = format!(
        r#""type":"message","message":{{"role":"assistant","content":[{content}],"model":"m-1","usage":{{"input":{input},"output":5,"cacheRead":7,"cacheWrite":1,"totalTokens":{},"cost":{{"total":0.0025}}}},"stopReason":"stop"}}"#,
        input + 13
    );
    entry(id, parent, &rest)
}

fn states(session: &Session) -> Vec<(&str, EntryState)> {
    let entries = session.entries.iter();
    entries.filter_map(|entry| Some((entry.id.as_deref()?, entry.state))).collect()
}

#[test]
fn the_header_and_the_latest_name_are_taken() {
    let session = read(&[
        entry("a", "", r#""type":"model_change","provider":"p","modelId":"m-0""#),
        user("b", "a", "Count."),
        entry("c", "b", r#""type":"session_info","name":"Fish""#),
    ]);
    let header = &session.header;
    assert_eq!((header.id.as_str(), header.directory.as_deref()), ("s-1", Some("/kelp")));
    assert_eq!((header.title.as_deref(), header.model.as_deref()), (Some("Fish"), Some("m-0")));
    assert_eq!(header.first_prompt.as_deref(), Some("Count."));
    assert!(header.lineage.is_empty());
}

#[test]
fn the_branch_of_the_last_line_is_live() {
    let branches = [
        user("a", "", "One."),
        user("b", "a", "Left."),
        user("c", "b", "Left too."),
        user("d", "a", "Two."),
    ];
    assert_eq!(states(&read(&branches)), [("a", Live), ("b", Left), ("c", Left), ("d", Live)]);
    let mut back = branches.to_vec();
    back.push(entry("e", "c", r#""type":"label","targetId":"a","label":"start""#));
    assert_eq!(
        states(&read(&back)),
        [("a", Live), ("b", Live), ("c", Live), ("d", Left), ("e", Live)]
    );
}

#[test]
fn entries_without_ids_and_with_cycles_are_read() {
    let linear = r#"{"type":"message","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"Old."}}"#;
    let session = read(&[linear.to_owned(), linear.replace("Old", "Older")]);
    assert_eq!(session.prompts().count(), 2);
    let session = read(&[user("a", "b", "One."), user("b", "a", "Two.")]);
    assert_eq!(states(&session), [("a", Live), ("b", Live)]);
    let session = read(&[user("a", "", "One."), user("b", "missing", "Two.")]);
    assert_eq!(states(&session), [("a", Left), ("b", Live)]);
}

#[test]
fn every_branch_was_paid_for_and_copies_once() {
    let call = assistant("b", "a", r#"{"type":"text","text":"Two."}"#, 10);
    let session = read(&[
        user("a", "", "One."),
        call.clone(),
        assistant("c", "a", "", 20),
        // The same call under another id, as a migrated copy has it.
        call.replace("\"b\"", "\"z\""),
    ]);
    assert_eq!(session.api_calls.len(), 2);
    let call = &session.api_calls[0];
    assert_eq!((call.tokens.input, call.tokens.cache_read, call.tokens.total()), (10, 7, 23));
    assert_eq!(call.reported_pico_usd, Some(2_500_000_000));
    assert_eq!(session.entries[call.entry].id.as_deref(), Some("b"));
}

#[test]
fn a_fork_repeats_the_entries_before_its_header() {
    let header = r#"{"type":"session","version":3,"id":"s-2","timestamp":"2026-02-01T00:00:00Z","cwd":"/kelp","parentSession":"/x/--kelp--/2026-01-02T03-00-00-000Z_s-1.jsonl"}"#;
    let new = user("b", "a", "New.").replace("2026-01-02", "2026-03-02");
    let text = [header, &user("a", "", "Copied."), &new].join("\n");
    let session = read_whole::<Reader>(text.as_bytes());
    assert_eq!(session.header.lineage, [Lineage::Fork { of: "s-1".to_owned() }]);
    assert_eq!(states(&session), [("a", Replayed), ("b", Live)]);
}

#[test]
fn calls_results_and_changes_belong_together() {
    let calls = r#"{"type":"thinking","thinking":"Hm."},{"type":"toolCall","id":"c-1","name":"write","arguments":{"path":"a.md","content":"new"}},{"type":"toolCall","id":"c-2","name":"edit","arguments":{"path":"b.md","oldText":"x","newText":"y"}},{"type":"toolCall","id":"c-3","name":"edit","arguments":{"path":"c.md"}}"#;
    let result = |id: &str, call: &str, rest: &str| {
        let rest = format!(
            r#""type":"message","message":{{"role":"toolResult","toolCallId":"{call}","toolName":"x","content":[{{"type":"text","text":"ok"}},{{"type":"image","data":"AAAA","mimeType":"image/png"}}],{rest}}}"#
        );
        entry(id, "a", &rest)
    };
    let session = read(&[
        assistant("a", "", calls, 10),
        result("b", "c-1", r#""isError":false"#),
        result("c", "c-2", r#""details":{"diff":"-1 x\n+1 y"},"isError":false"#),
        result("d", "c-3", r#""isError":true"#),
    ]);
    let mut found = Vec::new();
    for entry in &session.entries {
        if let EntryKind::Result { call, changes, is_error, text, .. } = &entry.kind {
            assert_eq!(text, "ok");
            let change = changes.first().map(|c| (c.path.as_str(), c.kind, c.diff.as_deref()));
            found.push((call.as_str(), *is_error, change));
        }
    }
    let diff = "--- b.md\n+++ b.md\n@@ -1,1 +1,1 @@\n-x\n+y\n";
    assert_eq!(
        found,
        [
            ("c-1", false, Some(("a.md", ChangeKind::Write, None))),
            ("c-2", false, Some(("b.md", ChangeKind::Edit, Some(diff)))),
            ("c-3", true, None),
        ]
    );
    let image = EntryKind::Attachment { kind: "image/png".to_owned(), bytes: 4 };
    assert_eq!(session.entries.iter().filter(|entry| entry.kind == image).count(), 3);
}

#[test]
fn compactions_commands_errors_and_unknown_kinds_are_kept() {
    let message = |rest: &str| format!(r#""type":"message","message":{{{rest}}}"#);
    let session = read(&[
        user("a", "", "One."),
        entry("b", "a", r#""type":"compaction","summary":"Fish.","firstKeptEntryId":"a""#),
        entry(
            "c",
            "b",
            &message(r#""role":"bashExecution","command":"ls","output":"reef","exitCode":0"#),
        ),
        entry(
            "d",
            "c",
            &message(
                r#""role":"assistant","content":[],"stopReason":"error","errorMessage":"Down.""#,
            ),
        ),
        entry("e", "d", &message(r#""role":"assistant","content":[],"stopReason":"aborted""#)),
        entry(
            "f",
            "e",
            r#""type":"custom_message","customType":"x","content":"Seen.","display":true"#,
        ),
        entry(
            "g",
            "f",
            r#""type":"custom_message","customType":"x","content":"Not.","display":false"#,
        ),
        entry("h", "g", r#""type":"hologram""#),
        entry("i", "h", &message(r#""role":"ghost""#)),
        entry("j", "i", &message(r#""role":"assistant","content":[{"type":"video"}]"#)),
    ]);
    let kinds: Vec<_> = session.entries.iter().skip(2).map(|entry| entry.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            EntryKind::Compaction("Fish.".into()),
            EntryKind::Notice("command".into(), "$ ls\nreef".into()),
            EntryKind::Error("Down.".into()),
            EntryKind::Interruption,
            EntryKind::Notice("x".into(), "Seen.".into()),
            EntryKind::Silent("x".into()),
            EntryKind::Unknown("hologram".into()),
            EntryKind::Unknown("message ghost".into()),
            EntryKind::Unknown("video".into()),
        ]
    );
    assert_eq!(session.prompts().count(), 1, "a compaction leaves the prompts before it");
    let unknown: Vec<_> = session.unknown.iter().collect();
    assert_eq!(unknown, [("block video", 1), ("hologram", 1), ("message ghost", 1)]);
}
