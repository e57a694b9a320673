//! What the operations of a log lead to, on lines made for these tests.

use apps::EntryState::{self, Left, Live, Undone};
use apps::gemini::{Reader, is_listed, newest_twin, read_document};
use apps::{ChangeKind, EntryKind, Session, read_whole};

const META: &str = r#"{"sessionId":"s-1","projectHash":"h","startTime":"2026-01-02T03:04:05Z","lastUpdated":"2026-01-02T03:04:05Z","kind":"main"}"#;

fn read(lines: &[&str]) -> Session {
    read_whole::<Reader>((lines.join("\n") + "\n").as_bytes())
}

fn user(id: &str, text: &str) -> String {
    format!(
        r#"{{"id":"{id}","timestamp":"2026-01-02T03:05:00Z","type":"user","content":[{{"text":"{text}"}}]}}"#
    )
}

fn model(id: &str, text: &str, input: u64) -> String {
    format!(
        r#"{{"id":"{id}","timestamp":"2026-01-02T03:06:00Z","type":"gemini","content":"{text}","thoughts":[],"tokens":{{"input":{input},"output":5,"cached":4,"thoughts":2,"tool":1,"total":{}}},"model":"m-1"}}"#,
        input + 8
    )
}

fn states(session: &Session) -> Vec<(String, EntryState)> {
    let shown = session.entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Prompt(text) | EntryKind::Text(text) => Some((text.clone(), entry.state)),
        _ => None,
    });
    shown.collect()
}

#[test]
fn metadata_and_settings_make_the_header() {
    let context = r#"{"id":"c","timestamp":"2026-01-02T03:04:05Z","type":"user","content":[{"text":"<session_context>\n- **Workspace Directories:**\n  - /home/kim/kelp\n</session_context>"}]}"#;
    let session = read(&[
        META,
        &format!(r#"{{"$set":{{"messages":[{context}]}}}}"#),
        &user("u0", "/help"),
        &user("u1", "Count the fish."),
        &model("m1", "Two.", 10),
        r#"{"$set":{"summary":"Fish","lastUpdated":"2026-01-02T04:00:00Z"}}"#,
    ]);
    let header = &session.header;
    assert_eq!((header.id.as_str(), header.title.as_deref()), ("s-1", Some("Fish")));
    assert_eq!(header.first_prompt.as_deref(), Some("Count the fish."));
    assert_eq!(header.directory.as_deref(), Some("/home/kim/kelp"));
    assert_eq!(header.model.as_deref(), Some("m-1"));
    assert_eq!(header.started, "2026-01-02T03:04:05Z".parse().ok());
    assert_eq!(header.ended, "2026-01-02T04:00:00Z".parse().ok());
    // The program's own first message is not a prompt.
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["/help", "Count the fish."]);
}

#[test]
fn a_message_written_again_replaces_itself_and_is_paid_for_once() {
    let with_call = r#"{"id":"m1","timestamp":"2026-01-02T03:06:00Z","type":"gemini","content":"","tokens":{"input":10,"output":5,"cached":4,"thoughts":2,"tool":1,"total":18},"model":"m-1","toolCalls":[{"id":"c1","name":"run_shell_command","args":{"command":"false"},"result":[{"functionResponse":{"id":"c1","response":{"output":"Output: (empty)\nExit Code: 1"}}}],"status":"success"}]}"#;
    let answer = r#"{"id":"u2","timestamp":"2026-01-02T03:07:00Z","type":"user","content":[{"functionResponse":{"id":"c1","response":{"output":"Output: (empty)"}}}]}"#;
    let session = read(&[
        META,
        &user("u1", "Run it."),
        &model("m1", "", 10),
        r#"{"$set":{"lastUpdated":"2026-01-02T03:06:00Z"}}"#,
        &user("u9", "Meanwhile."),
        &model("m9", "Yes.", 20),
        with_call,
        answer,
    ]);
    assert_eq!(session.api_calls.len(), 2);
    let tokens = session.api_calls[0].tokens;
    assert_eq!((tokens.input, tokens.cache_read, tokens.output, tokens.reasoning), (7, 4, 7, 2));
    assert_eq!(tokens.total(), 18);
    for call in &session.api_calls {
        assert_eq!(session.entries[call.entry].id.as_deref(), Some(call.key.as_str()));
    }
    let results: Vec<_> = session
        .entries
        .iter()
        .filter_map(|entry| match &entry.kind {
            EntryKind::Result { call, is_error, .. } => Some((call.as_str(), *is_error)),
            _ => None,
        })
        .collect();
    // The message to the model repeats the result; a command that fails has failed.
    assert_eq!(results, [("c1", true)]);
    assert_eq!(session.prompts().count(), 2);
}

#[test]
fn rewound_messages_are_undone_and_stay_paid_for() {
    let kept = format!("[{},{}]", user("u1", "One."), model("m1", "1", 10));
    let session = read(&[
        META,
        &user("u1", "One."),
        &model("m1", "1", 10),
        &user("u2", "Two."),
        &model("m2", "2", 20),
        r#"{"$rewindTo":"u2"}"#,
        &format!(r#"{{"$set":{{"messages":{kept}}}}}"#),
        &user("u3", "Three."),
        &model("m3", "3", 30),
    ]);
    let expected = [
        ("One.", Live),
        ("1", Live),
        ("Two.", Undone),
        ("2", Undone),
        ("Three.", Live),
        ("3", Live),
    ];
    assert_eq!(states(&session), expected.map(|(text, state)| (text.to_owned(), state)));
    assert_eq!(session.api_calls.len(), 3);
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["One.", "Three."]);
}

#[test]
fn rewinding_to_an_unknown_message_clears_the_history() {
    let session = read(&[META, &user("u1", "One."), r#"{"$rewindTo":"nowhere"}"#]);
    assert_eq!(states(&session), [("One.".to_owned(), EntryState::Undone)]);
}

#[test]
fn a_resume_lists_the_history_again_and_nothing_is_doubled() {
    // As a resume writes it: other times, no tokens, calls as parts.
    let again = r#"[{"id":"u1","timestamp":"2026-03-04T00:00:00Z","type":"user","content":[{"text":"One."}]},{"id":"m1","timestamp":"2026-03-04T00:00:00Z","type":"gemini","content":[{"text":"1"}]}]"#;
    let session = read(&[
        META,
        &user("u1", "One."),
        &model("m1", "1", 10),
        META,
        r#"{"$set":{"messages":[]}}"#,
        &format!(r#"{{"$set":{{"messages":{again}}}}}"#),
        &user("u2", "Two."),
    ]);
    let live = states(&session);
    assert_eq!(live.len(), 3);
    assert!(live.iter().all(|(_, state)| *state == EntryState::Live), "{live:?}");
    assert_eq!(session.api_calls.len(), 1);
    assert_eq!(session.header.ended, "2026-01-02T03:06:00Z".parse().ok());
}

#[test]
fn a_history_without_a_message_leaves_it_and_other_words_are_another_message() {
    let history = format!("[{}]", user("u2", "Two, but shorter."));
    let session = read(&[
        META,
        &user("u1", "One."),
        &user("u2", "Two."),
        &format!(r#"{{"$set":{{"messages":{history}}}}}"#),
    ]);
    let expected = [("One.", Left), ("Two.", Left), ("Two, but shorter.", Live)];
    assert_eq!(states(&session), expected.map(|(text, state)| (text.to_owned(), state)));
}

#[test]
fn a_compressed_history_keeps_the_conversation_before_it_and_shows_copies_once() {
    let call = |id: &str, rest: &str| {
        format!(r#"{{"id":"{id}","timestamp":"2026-01-02T03:06:00Z","type":"gemini",{rest}}}"#)
    };
    let history = [
        r#"{"id":"n1","type":"user","content":[{"text":"They counted fish."}]}"#.to_owned(),
        r#"{"id":"n2","type":"gemini","content":[{"text":"Got it. Thanks for the additional context!"}]}"#.to_owned(),
        user("n3", "Two."),
        call("n4", r#""content":[{"functionCall":{"id":"c1","name":"ls","args":{}}}]"#),
    ];
    let history = history.join(",");
    let session = read(&[
        META,
        &user("u1", "One."),
        &model("m1", "1", 10),
        &user("u2", "Two."),
        &call("m2", r#""content":"","toolCalls":[{"id":"c1","name":"ls","args":{}}]"#),
        &format!(r#"{{"$set":{{"messages":[{history}]}}}}"#),
        &user("u3", "Three."),
        // A resume lists the compressed history again, and the program compresses it again.
        &format!(r#"{{"$set":{{"messages":[{history},{}]}}}}"#, user("u3", "Three.")),
        &format!(r#"{{"$set":{{"messages":[{}]}}}}"#, history.replace("\"n", "\"o")),
    ]);
    let shown: Vec<_> = session
        .live()
        .filter(|entry| !matches!(entry.kind, EntryKind::Silent(_)))
        .map(|entry| match &entry.kind {
            EntryKind::Call { id, .. } => id.as_str(),
            EntryKind::Prompt(text) | EntryKind::Text(text) => text.as_str(),
            EntryKind::Compaction(_) => "summary",
            _ => "other",
        })
        .collect();
    assert_eq!(shown, ["One.", "1", "Two.", "c1", "summary", "Three.", "summary"]);
}

#[test]
fn only_sessions_with_a_prompt_or_an_answer_are_listed() {
    assert!(is_listed(&read(&[META, &user("u1", "One.")])));
    assert!(is_listed(&read(&[META, &model("m1", "1", 10)])));
    assert!(!is_listed(&read(&[META, &user("u1", "/help"), &user("u2", "?")])));
    assert!(!is_listed(&read(&[META, r#"{"id":"i","type":"info","content":"An update."}"#])));
    assert!(!is_listed(&read(&[META, &user("u1", "One."), r#"{"$rewindTo":"u1"}"#])));
}

#[test]
fn writes_and_edits_are_file_changes() {
    let message = r#"{"id":"m1","timestamp":"2026-01-02T03:06:00Z","type":"gemini","content":"","toolCalls":[
        {"id":"c1","name":"write_file","args":{"file_path":"a.txt","content":"new"},"result":[{"functionResponse":{"response":{"output":"ok"}}}],"status":"success"},
        {"id":"c2","name":"replace","args":{"file_path":"b.txt"},"result":[],"status":"success","resultDisplay":{"fileDiff":"@@ -1 +1 @@","fileName":"b.txt","filePath":"/kelp/b.txt","newContent":"whole","isNewFile":false}},
        {"id":"c3","name":"write_file","args":{"file_path":"c.txt","content":"no"},"result":[{"functionResponse":{"response":{"error":"denied"}}}],"status":"error"},
        {"id":"c4","name":"invoke_agent","args":{},"agentId":"kid","status":"executing"}]}"#
        .replace('\n', "");
    let session = read(&[META, &message]);
    let mut changes = Vec::new();
    for entry in &session.entries {
        if let EntryKind::Result { changes: found, is_error, .. } = &entry.kind {
            assert_eq!(*is_error, found.is_empty());
            changes.extend(found.clone());
        }
    }
    let shown: Vec<_> = changes
        .iter()
        .map(|c| (c.path.as_str(), c.kind, c.diff.is_some(), c.content.as_deref()))
        .collect();
    assert_eq!(
        shown,
        [
            ("a.txt", ChangeKind::Write, false, Some("new")),
            ("/kelp/b.txt", ChangeKind::Edit, true, Some("whole")),
        ]
    );
    let start = EntryKind::AgentStart { agent: "kid".to_owned(), call: Some("c4".to_owned()) };
    assert!(session.entries.iter().any(|entry| entry.kind == start));
}

#[test]
fn a_prompt_is_what_was_typed_without_the_files_it_refers_to() {
    let shown = r#"{"id":"u1","type":"user","content":[{"text":"Read @a.md"},{"text":"\n--- Content from referenced files ---"},{"text":"secret of the sea"}],"displayContent":[{"text":"Read @a"}]}"#;
    let plain =
        shown.replace(r#","displayContent":[{"text":"Read @a"}]"#, "").replace("\"u1\"", "\"u2\"");
    let image = r#"{"id":"u3","type":"user","content":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}"#;
    let session = read(&[META, shown, &plain, image]);
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["Read @a", "Read @a.md"]);
    let attachment = EntryKind::Attachment { kind: "image/png".to_owned(), bytes: 4 };
    assert!(session.entries.iter().any(|entry| entry.kind == attachment));
}

#[test]
fn notices_errors_and_unknown_messages_are_kept() {
    let session = read(&[
        META,
        r#"{"id":"i","type":"info","content":"An update."}"#,
        r#"{"id":"e","type":"error","content":"Quota."}"#,
        r#"{"id":"x","type":"hologram","content":""}"#,
        r#"{"something":"else"}"#,
        "[1]",
        "{torn",
    ]);
    let kinds: Vec<_> = session.entries.iter().skip(1).map(|entry| entry.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            EntryKind::Notice("info".to_owned(), "An update.".to_owned()),
            EntryKind::Error("Quota.".to_owned()),
            EntryKind::Unknown("hologram".to_owned()),
            EntryKind::Unknown("line".to_owned()),
            EntryKind::Unknown("value".to_owned()),
        ]
    );
    let unknown: Vec<_> = session.unknown.iter().collect();
    assert_eq!(unknown, [("line", 1), ("message hologram", 1), ("value", 1)]);
    assert_eq!(session.problems.len(), 1);
}

#[test]
fn an_older_document_gives_the_same_entries_with_places_in_it() {
    let (user, model) = (user("u1", "One."), model("m1", "1", 10));
    let document = format!(
        "{{\n \"sessionId\":\"s-1\",\"startTime\":\"2026-01-02T03:04:05Z\",\n \"messages\":[\n  {user},\n  {model}\n ]\n}}\n"
    );
    let old = read_document(document.as_bytes());
    let log = read(&[META, &user, &model]);
    assert_eq!(old.header.id, log.header.id);
    assert_eq!(old.api_calls.len(), 1);
    assert_eq!(old.api_calls[0].key, log.api_calls[0].key);
    let place = old.entries[1].place;
    assert_eq!(place.line, 5);
    let bytes = &document.as_bytes()[usize::try_from(place.offset).unwrap()..];
    assert!(bytes.starts_with(model.as_bytes()) && place.bytes == model.len() as u64);

    assert_eq!(newest_twin([&old, &log]), Some(&old), "nothing is newer");
    let later = user.replace("2026-01-02", "2026-05-01");
    let (later, stub) = (read(&[META, &later]), read(&[&META.replace("2026", "2027")]));
    assert_eq!(newest_twin([&old, &later, &stub]), Some(&later), "the stub holds nothing");
    assert_eq!(newest_twin([]), None);
}

#[test]
fn metadata_with_messages_is_not_followed_into_itself() {
    let nested = r#"{"sessionId":"s","messages":["#.repeat(50_000) + &"]}".repeat(50_000);
    let session =
        read(&[&nested, &format!(r#"{{"sessionId":"s","messages":[{}]}}"#, user("u", "One."))]);
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["One."]);
}

#[test]
fn a_damaged_document_is_a_problem() {
    for bytes in [&b"{\"sessionId\":"[..], b"[]", b"\xff"] {
        let session = read_document(bytes);
        assert!(!session.problems.is_empty() && session.entries.is_empty());
    }
}

#[test]
fn a_message_of_the_model_is_one_response_with_the_exit_codes_of_its_commands() {
    let call = |id: &str, output: &str| {
        format!(
            r#"{{"id":"{id}","name":"run_shell_command","args":{{}},"result":[{{"functionResponse":{{"id":"{id}","response":{{"output":"{output}"}}}}}}],"status":"success"}}"#
        )
    };
    let line = format!(
        r#"{{"id":"m1","type":"gemini","content":"x","toolCalls":[{},{}]}}"#,
        call("c1", r"Output: no\nExit Code: 2"),
        call("c2", r"Output: no\nExit Code: (none)")
    );
    let session = read(&[META, &line]);
    let of_model = session.entries.iter().filter(|entry| entry.id.is_some());
    assert!(of_model.clone().all(|entry| entry.response.as_deref() == Some("m1")));
    let codes = of_model.filter_map(|entry| match entry.kind {
        EntryKind::Result { exit_code, is_error, .. } => Some((exit_code, is_error)),
        _ => None,
    });
    assert_eq!(codes.collect::<Vec<_>>(), [(Some(2), true), (None, false)]);
}
