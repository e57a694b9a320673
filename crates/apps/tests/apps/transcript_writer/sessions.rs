//! Made-up sessions, shown as transcripts and read by the engine.

use crate::transcript_writer::support::check;
use apps::transcript_writer::{SessionTranscript, SourceEntry, SourceSession, write_transcript};
use apps::{
    ApiCall, App, CallInput, ChangeKind, Entry, EntryKind, EntryState, FileChange, Header, Lineage,
    Place, Session, TokenCounts,
};
use conversation::{
    AgentScan, BranchKind, Conversation, MessageState, Status, StepKind, TurnNumber, View,
};
use std::sync::Arc;
use transcript::RecordKind;

fn entry(line: u64, kind: EntryKind) -> Entry {
    let time = format!("2026-01-02T03:{:02}:{:02}Z", line / 60 % 60, line % 60);
    let place = Place { line, offset: line * 100, bytes: 90 };
    Entry { time: time.parse().ok(), ..Entry::new(place, kind) }
}

fn prompt(line: u64, text: &str) -> Entry {
    entry(line, EntryKind::Prompt(text.to_owned()))
}

fn text(line: u64, text: &str) -> Entry {
    entry(line, EntryKind::Text(text.to_owned()))
}

fn call(line: u64, id: &str, tool: &str, json: &str) -> Entry {
    let input = CallInput::Json(json.to_owned());
    entry(line, EntryKind::Call { id: id.to_owned(), tool: tool.to_owned(), input })
}

fn result(line: u64, call: &str, text: &str) -> Entry {
    let (call, text) = (call.to_owned(), text.to_owned());
    let changes = Vec::new();
    entry(line, EntryKind::Result { call, text, is_error: false, exit_code: None, changes })
}

fn with_state(state: EntryState, entry: Entry) -> Entry {
    Entry { state, ..entry }
}

fn session(entries: Vec<Entry>) -> Session {
    Session { entries, ..Session::default() }
}

fn shown(session: &Session) -> SessionTranscript {
    let entries = SourceEntry::of(session);
    check(App::Codex, "codex:s", &session.header, &entries);
    write_transcript(&SourceSession::new(App::Codex, "codex:s", &session.header, &entries))
}

fn text_of(transcript: &[u8]) -> &str {
    str::from_utf8(transcript).expect("UTF-8")
}

#[test]
fn a_turn_has_its_prompt_and_everything_that_answers_it() {
    let session = session(vec![
        prompt(2, "Count the fish."),
        entry(4, EntryKind::Thinking("hm".to_owned())),
        text(4, "Looking."),
        call(4, "c1", "shell", "{\n\"command\": [\"ls\"]}"),
        result(6, "c1", "3 fish"),
        text(9, "Three."),
        prompt(11, "Thanks"),
        entry(12, EntryKind::Interruption),
        entry(13, EntryKind::Error("overloaded".to_owned())),
        entry(14, EntryKind::Notice("info".to_owned(), "resumed".to_owned())),
    ]);
    let transcript = shown(&session);
    let lines: Vec<_> = transcript::entries(&transcript.main)
        .filter(|entry| entry.record.kind != RecordKind::Blank)
        .map(|entry| entry.line)
        .collect();
    assert_eq!(lines, [2, 4, 6, 9, 11, 12, 13, 14]);
    let conversation = Conversation::read(&transcript.main, View::App);
    let turns = conversation.turns();
    assert_eq!(turns.turns.len(), 2);
    assert_eq!(turns.turns[0].prompt(), Some("Count the fish."));
    let [first] = turns.calls.all() else { panic!("one call") };
    assert_eq!((first.status(), &*first.tool), (Status::Ok, "shell"));
    assert_eq!(first.input.as_ref().unwrap().as_str(), "{ \"command\": [\"ls\"]}");
    assert_eq!((turns.turns[1].interruptions, turns.turns[1].failures), (1, 1));
}

#[test]
fn records_name_the_session_and_where_it_ran() {
    let mut session = session(vec![prompt(1, "Hello")]);
    session.header = Header {
        directory: Some("/kelp".to_owned()),
        branch: Some("main".to_owned()),
        version: Some("0.1".to_owned()),
        source: Some("exec".to_owned()),
        ..Header::default()
    };
    let transcript = shown(&session);
    let record = transcript::entries(&transcript.main).next().unwrap().record;
    let envelope = record.envelope;
    assert_eq!(envelope.session_id.as_ref().unwrap().as_str(), "codex:s");
    assert_eq!(envelope.cwd.as_deref(), Some("/kelp"));
    assert_eq!(envelope.git_branch.as_deref(), Some("main"));
    assert_eq!(envelope.version.as_deref(), Some("0.1"));
    assert_eq!(envelope.entrypoint.as_deref(), Some("exec"));
    assert_eq!(envelope.timestamp.as_deref(), Some("2026-01-02T03:00:01.000Z"));
    assert!(!envelope.is_sidechain && envelope.agent_id.is_none());
}

#[test]
fn a_compaction_begins_a_generation() {
    let transcript = shown(&session(vec![
        prompt(1, "one"),
        text(2, "first"),
        entry(3, EntryKind::Compaction("They counted.".to_owned())),
        prompt(4, "two"),
        text(5, "second"),
        entry(6, EntryKind::Compaction(String::new())),
    ]));
    let conversation = Conversation::read(&transcript.main, View::App);
    assert_eq!(conversation.past_generations.len(), 2);
    let compactions: Vec<_> =
        conversation.compactions.iter().map(|id| conversation.compaction(*id).summary).collect();
    assert_eq!(compactions, [Some("They counted.".to_owned()), Some(String::new())]);
    assert_eq!(conversation.all_turns().turns.len(), 2);
}

#[test]
fn undone_and_left_entries_are_abandoned_branches() {
    let transcript = shown(&session(vec![
        prompt(1, "one"),
        text(2, "first"),
        with_state(EntryState::Undone, prompt(3, "wrong")),
        with_state(EntryState::Undone, text(4, "wrong answer")),
        prompt(5, "right"),
        text(6, "right answer"),
        with_state(EntryState::Left, prompt(7, "elsewhere")),
    ]));
    let conversation = Conversation::read(&transcript.main, View::App);
    let branches: Vec<_> = conversation
        .branches
        .iter()
        .map(|branch| (branch.prompt.as_deref(), branch.kind, branch.messages.len()))
        .collect();
    assert_eq!(
        branches,
        [(Some("wrong"), BranchKind::Edit, 2), (Some("elsewhere"), BranchKind::Rewind, 1)]
    );
    let from = conversation.branches[0].from.unwrap();
    assert_eq!(conversation.graph.node(from).line, 2);
    assert_eq!(conversation.state(from), Some(MessageState::Live));
}

#[test]
fn a_session_that_is_undone_as_a_whole_has_no_conversation() {
    let transcript = shown(&session(vec![
        with_state(EntryState::Undone, prompt(1, "one")),
        with_state(EntryState::Undone, text(2, "first")),
    ]));
    let conversation = Conversation::read(&transcript.main, View::App);
    assert!(conversation.chain.is_empty());
    assert_eq!(conversation.branches.len(), 1);
}

#[test]
fn what_an_older_file_has_more_forks_off_where_the_conversation_left_it() {
    let undone = [prompt(3, "wrong"), text(4, "wrong answer")];
    let live = [(0, prompt(1, "one")), (0, text(2, "first")), (1, prompt(2, "right"))];
    let header = Header::default();
    let mut entries: Vec<_> = live
        .iter()
        .map(|(file, entry)| {
            let state = EntryState::Live;
            SourceEntry { entry, state, file: *file, calls: Vec::new() }
        })
        .collect();
    let undone = undone.iter().map(|entry| SourceEntry {
        entry,
        state: EntryState::Undone,
        file: 0,
        calls: Vec::new(),
    });
    entries.extend(undone);
    check(App::Codex, "codex:s", &header, &entries);
    let source = SourceSession::new(App::Codex, "codex:s", &header, &entries);
    let transcript = write_transcript(&source);
    assert_eq!(transcript.file_starts, [(0, 0), (1, 4)]);
    assert_eq!(transcript.source_line(6), Some((1, 2)));
    let conversation = Conversation::read(&transcript.main, View::App);
    let [branch] = &conversation.branches[..] else { panic!("one branch") };
    assert_eq!((branch.kind, branch.messages.len()), (BranchKind::Edit, 2));
    assert_eq!(conversation.graph.node(branch.from.unwrap()).line, 2);
}

#[test]
fn a_message_that_was_written_again_stays_at_its_place() {
    let transcript = shown(&session(vec![
        prompt(1, "one"),
        text(5, "first, corrected"),
        prompt(3, "two"),
        text(4, "second"),
        text(5, "third"),
    ]));
    let conversation = Conversation::read(&transcript.main, View::App);
    let steps = conversation.turns().turns.into_iter().flat_map(|turn| turn.steps);
    let lines: Vec<_> = steps.map(|step| conversation.graph.node(step.node).line).collect();
    assert_eq!(lines, [1, 5, 3, 4, 5]);
}

fn api_call(key: &str, entry: usize, output: u64) -> ApiCall {
    ApiCall {
        key: key.to_owned(),
        entry,
        time: None,
        model: Some("kelp-1".to_owned()),
        agent: None,
        workplace: None,
        tokens: TokenCounts { input: 10, cache_read: 5, cache_write: 2, output, reasoning: 1 },
        context_window: Some(258_400),
        reported_pico_usd: Some(12_300_000_000),
    }
}

#[test]
fn every_call_counts_once_also_without_words() {
    let mut session = session(vec![
        prompt(1, "one"),
        text(2, "first"),
        call(2, "c1", "shell", "{}"),
        entry(3, EntryKind::Silent("usage".to_owned())),
        with_state(EntryState::Undone, text(4, "wrong")),
    ]);
    session.api_calls = vec![
        api_call("a", 1, 7),
        api_call("a", 3, 7),
        api_call("b", 3, 8),
        api_call("c", 3, 9),
        api_call("d", 4, 1),
        api_call("e", 99, 2),
    ];
    let transcript = shown(&session);
    let lines: Vec<_> = transcript::entries(&transcript.main)
        .filter(|entry| entry.record.message().is_some_and(|message| message.usage.is_some()))
        .map(|entry| {
            let message = entry.record.message().unwrap();
            (entry.line, message.id.as_ref().unwrap().to_string(), message.blocks().len())
        })
        .collect();
    let expected = [(2, "a", 2), (3, "b", 0), (3, "c", 0), (4, "d", 1), (4, "e", 0)];
    let expected = expected.map(|(line, key, blocks)| (line, format!("codex:{key}"), blocks));
    assert_eq!(lines, expected);
    let all = text_of(&transcript.main);
    assert!(all.contains(concat!(
        r#""model":"kelp-1","id":"codex:a","usage":{"input_tokens":10,"#,
        r#""cache_creation_input_tokens":2,"cache_read_input_tokens":5,"output_tokens":7,"#,
        r#""output_tokens_details":{"thinking_tokens":1},"context_window":258400}},"requestId":"codex:a","costUSD":0.0123,"#,
    )));
}

fn of_response(response: &str, entry: Entry) -> Entry {
    Entry { response: Some(response.to_owned()), ..entry }
}

/// The message id and the model of each record of the model.
fn ids_of(transcript: &SessionTranscript) -> Vec<(Option<String>, Option<String>)> {
    transcript::entries(&transcript.main)
        .filter(|entry| entry.record.kind == transcript::RecordKind::Assistant)
        .filter_map(|entry| {
            let message = entry.record.message()?;
            let text = |text: Option<&str>| text.map(str::to_owned);
            Some((message.id.as_ref().map(ToString::to_string), text(message.model.as_deref())))
        })
        .collect()
}

#[test]
fn records_of_a_response_have_one_message_id() {
    let model = |entry: Entry| Entry { model: Some("kelp-1".to_owned()), ..entry };
    let mut session = session(vec![
        prompt(1, "one"),
        of_response("a", model(text(2, "first"))),
        of_response("a", model(call(3, "c1", "shell", "{}"))),
        result(4, "c1", "done"),
        of_response("a", model(call(5, "c2", "shell", "{}"))),
        result(6, "c2", "done"),
        entry(7, EntryKind::Silent("usage".to_owned())),
        of_response("b", model(text(8, "second"))),
    ]);
    session.api_calls = vec![api_call("a", 6, 7)];
    let ids = ids_of(&shown(&session));
    let expected = ["a", "a", "a", "a", "b"];
    let expected =
        expected.map(|id| (Some(format!("codex:{id}")), Some("kelp-1".to_owned()))).to_vec();
    assert_eq!(ids, expected);
}

#[test]
fn an_abandoned_part_of_a_response_stays_abandoned() {
    let undone = |entry: Entry| with_state(EntryState::Undone, entry);
    let session = session(vec![
        prompt(1, "one"),
        of_response("a", text(2, "first")),
        of_response("a", undone(call(3, "c1", "shell", "{}"))),
        undone(result(4, "c1", "done")),
        prompt(5, "two"),
    ]);
    let ids: Vec<_> = ids_of(&shown(&session)).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, [Some("codex:a".to_owned()), None]);
}

#[test]
fn a_response_that_a_compaction_divides_stays_on_both_sides() {
    let session = session(vec![
        prompt(1, "one"),
        of_response("a", text(2, "before")),
        entry(3, EntryKind::Compaction("summary".to_owned())),
        of_response("a", text(4, "after")),
    ]);
    let ids: Vec<_> = ids_of(&shown(&session)).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, [Some("codex:a".to_owned()), None]);
}

#[test]
fn records_name_the_folder_and_the_branch_where_they_were_written() {
    let at = |directory: &str, branch: Option<&str>, entry: Entry| {
        let branch = branch.map(str::to_owned);
        let place = apps::Workplace { directory: Some(directory.to_owned()), branch };
        Entry { workplace: Some(Arc::new(place)), ..entry }
    };
    let mut session = session(vec![
        at("/kelp", Some("low"), prompt(1, "one")),
        at("/reef", None, text(2, "first")),
        prompt(3, "two"),
    ]);
    session.header.directory = Some("/reef".to_owned());
    session.header.branch = Some("high".to_owned());
    let transcript = shown(&session);
    let places: Vec<_> = transcript::entries(&transcript.main)
        .map(|entry| {
            let text = |text: &Option<transcript::Str<'_>>| text.as_deref().map(str::to_owned);
            (text(&entry.record.envelope.cwd), text(&entry.record.envelope.git_branch))
        })
        .collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        places,
        [
            (some("/kelp"), some("low")),
            (some("/reef"), None),
            (some("/reef"), some("high")),
            (None, None)
        ]
    );
    let last = transcript.main.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap();
    assert_eq!(String::from_utf8_lossy(last), r#"{"type":"relocated","relocatedCwd":"/reef"}"#);
}

#[test]
fn prompts_are_shown_exactly_as_they_were_typed() {
    let texts = [
        "",
        " \n",
        "<div>why?</div>",
        "<command-name>/x</command-name>",
        "<bash-input>ls</bash-input>",
        "[Request interrupted by user] really",
        "/compact",
        " /clear now",
        "\u{200b}mine",
    ];
    let prompts = (1..).zip(texts).map(|(line, text)| prompt(line, text)).collect();
    let transcript = shown(&session(prompts));
    let turns = Conversation::read(&transcript.main, View::App).turns();
    let typed: Vec<_> = turns.turns.iter().map(|turn| turn.prompt()).collect();
    assert_eq!(typed, texts.map(Some));
    for (entry, text) in transcript::entries(&transcript.main).zip(texts) {
        let typed = transcript::prompt::typed_prompt(&entry.record);
        assert_eq!(typed.as_deref(), Some(text));
    }
}

#[test]
fn exit_codes_are_those_of_the_commands() {
    let result = |line: u64, id: &str, exit_code: Option<i64>| {
        let changes = vec![FileChange {
            path: "/kelp/f".to_owned(),
            kind: ChangeKind::Edit,
            moved_to: None,
            diff: None,
            content: None,
        }];
        let (call, text) = (id.to_owned(), "out".to_owned());
        entry(line, EntryKind::Result { call, text, is_error: false, exit_code, changes })
    };
    let transcript = shown(&session(vec![
        prompt(1, "one"),
        call(2, "c1", "shell", r#"{"command":"make"}"#),
        call(3, "c2", "shell", r#"{"command":"make"}"#),
        result(4, "c1", Some(3)),
        result(5, "c2", None),
    ]));
    let turns = Conversation::read(&transcript.main, View::App).turns();
    let codes: Vec<_> = turns
        .calls
        .all()
        .iter()
        .map(|call| match call.summary() {
            conversation::Summary::Shell { exit_code, .. } => exit_code,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(codes, [Some(3), None]);
}

#[test]
fn copied_records_name_the_session_they_come_from() {
    let mut session =
        session(vec![with_state(EntryState::Replayed, prompt(1, "one")), prompt(2, "two")]);
    session.header.lineage.push(Lineage::Fork { of: "r".to_owned() });
    let transcript = shown(&session);
    let graph = Conversation::read(&transcript.main, View::App).graph;
    assert_eq!(graph.forked_from.into_iter().collect::<Vec<_>>(), [("codex:r".to_owned(), 1)]);
}

#[test]
fn a_result_names_the_sub_agent_and_the_file() {
    let change = FileChange {
        path: "/kelp/f".to_owned(),
        kind: ChangeKind::Edit,
        moved_to: None,
        diff: Some("--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n".to_owned()),
        content: None,
    };
    let kind = EntryKind::Result {
        call: "c2".to_owned(),
        text: "done".to_owned(),
        is_error: false,
        exit_code: None,
        changes: vec![change],
    };
    let transcript = shown(&session(vec![
        prompt(1, "one"),
        call(2, "c1", "Task", "{}"),
        call(2, "c2", "Edit", r#"{"file_path":"/kelp/f"}"#),
        result(3, "c1", "finished"),
        entry(3, kind),
        entry(4, EntryKind::AgentStart { agent: "a1".to_owned(), call: Some("c1".to_owned()) }),
    ]));
    let mut scan = AgentScan::default();
    for entry in transcript::entries(&transcript.main) {
        scan.note(entry.line, &entry.record, true);
    }
    let file = conversation::AgentFile { id: "a1".to_owned(), ..Default::default() };
    let agents = conversation::link_agents(&scan, vec![(file, AgentScan::default())]);
    assert_eq!(agents[0].tool_use_id.as_deref(), Some("c1"));
    let turns = Conversation::read(&transcript.main, View::App).turns();
    let conversation::Summary::Change { diff, .. } = turns.calls.all()[1].summary() else {
        panic!("a change")
    };
    assert_eq!((diff.added, diff.removed), (1, 1));
}

#[test]
fn sub_agents_of_the_same_file_have_transcripts_with_the_same_lines() {
    let of_agent = |entry: Entry| Entry { agent: Some("a1".to_owned()), ..entry };
    let mut session = session(vec![
        prompt(1, "one"),
        call(2, "c1", "task", "{}"),
        of_agent(entry(3, EntryKind::Notice("system".to_owned(), "be brief".to_owned()))),
        of_agent(prompt(4, "count")),
        of_agent(text(5, "three")),
        result(6, "c1", "three"),
        text(7, "Three."),
    ]);
    session.api_calls = vec![ApiCall { agent: Some("a1".to_owned()), ..api_call("k", 4, 3) }];
    let transcript = shown(&session);
    assert!(!text_of(&transcript.main).contains("\"isSidechain\":true"));
    let bytes = &transcript.agents["a1"];
    let conversation = Conversation::read_agent(bytes, View::App);
    let turns = conversation.turns();
    assert_eq!(turns.turns.last().unwrap().number, TurnNumber::Main(1));
    assert_eq!(turns.turns.last().unwrap().prompt(), Some("count"));
    assert!(matches!(turns.turns[0].steps[0].kind, StepKind::Notice(..)));
    let lines: Vec<_> =
        conversation.graph.ids().map(|id| conversation.graph.node(id).line).collect();
    assert_eq!(lines, [3, 4, 5]);
}

#[test]
fn a_session_can_be_shown_as_a_sub_agent_of_another_one() {
    let session = session(vec![
        entry(1, EntryKind::Notice("context".to_owned(), "in /kelp".to_owned())),
        prompt(2, "count"),
        text(3, "three"),
        with_state(EntryState::Undone, prompt(4, "wrong")),
    ]);
    let entries = SourceEntry::of(&session);
    let source = SourceSession::new(App::Codex, "codex:parent", &session.header, &entries);
    let transcript = write_transcript(&SourceSession { agent: Some("child"), ..source });
    for entry in transcript::entries(&transcript.main) {
        let envelope = entry.record.envelope;
        assert!(envelope.is_sidechain);
        assert_eq!(envelope.agent_id.as_ref().map(transcript::AgentId::as_str), Some("child"));
        assert_eq!(
            envelope.session_id.as_ref().map(transcript::SessionId::as_str),
            Some("codex:parent")
        );
    }
    let turns = Conversation::read_agent(&transcript.main, View::App).turns();
    let prompts: Vec<_> = turns.turns.iter().filter_map(|turn| turn.prompt()).collect();
    assert_eq!(prompts, ["count"]);
}

#[test]
fn a_line_with_very_many_entries_is_not_glued_together() {
    let many = (0..3_000).map(|number| prompt(1, &format!("prompt {number}")));
    let transcript = shown(&session(many.collect()));
    assert_eq!((transcript.source_line(7), transcript.file_starts.len()), (None, 0));
    assert_eq!(transcript::lines(&transcript.main).count(), 3_000);
}

#[test]
fn implausible_line_numbers_give_no_blank_lines() {
    let mut far = prompt(1, "far");
    far.place.line = u64::MAX;
    let transcript = shown(&session(vec![prompt(1, "near"), far]));
    assert_eq!(transcript::lines(&transcript.main).count(), 2);
}

#[test]
fn a_hostile_session_loses_nothing() {
    let huge = "x\u{1b}[31m\0\u{fffd}\u{2028}\"\\".repeat(20_000);
    let mut entries = vec![
        prompt(0, "\0"),
        prompt(1, "<command-name>/x</command-name>"),
        prompt(1, ""),
        text(2, &huge),
        result(3, "nowhere", &huge),
        call(4, "c", "", "{"),
        call(4, "c", "t", "[[[["),
        call(4, "", "t", "{}"),
        result(5, "c", "one"),
        result(5, "c", "two"),
        result(5, "", "three"),
        result(6, "late", "early"),
        call(7, "late", "t", "null"),
        entry(8, EntryKind::Attachment { kind: String::new(), bytes: u64::MAX }),
        entry(9, EntryKind::Notice("<>\n".to_owned(), "</a><b>".to_owned())),
        entry(9, EntryKind::Error(String::new())),
        entry(10, EntryKind::Unknown("?".to_owned())),
    ];
    entries[3].time = Some(jiff::Timestamp::MIN);
    entries[4].time = Some(jiff::Timestamp::MAX);
    entries[5].time = None;
    let turns_of = |transcript: &SessionTranscript| {
        let turns = Conversation::read(&transcript.main, View::App).all_turns();
        turns.calls.all().iter().filter(|call| call.answer.is_some()).count()
    };
    // Of the two calls with one id, the later one is answered, and so is the one without an id.
    assert_eq!(turns_of(&shown(&session(entries))), 2);
}

#[test]
fn an_empty_session_gives_an_empty_transcript() {
    assert_eq!(shown(&Session::default()), SessionTranscript::default());
}
