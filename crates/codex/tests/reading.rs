//! What the reader makes of each kind of line. All lines are made up.

use app::{
    CallInput, ChangeKind, EntryKind, EntryState, Lineage, ProblemKind, Session, read_whole,
};
use codex::Reader;

/// Ids that contain their time: the parent's turn, the thread, and the thread's own turns.
const OLD_TURN: &str = "01900000-0000-7000-8000-000000000001";
const PARENT: &str = "018f0000-0000-7000-8000-000000000001";
const THREAD: &str = "01900000-ffff-7000-8000-000000000001";
const TURN: &str = "01900001-0000-7000-8000-000000000001";
const NEXT_TURN: &str = "01900001-0001-7000-8000-000000000001";

fn line(kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-31T12:00:00.000Z","type":"{kind}","payload":{payload}}}"#)
}

fn event(kind: &str, fields: &str) -> String {
    let separator = if fields.is_empty() { "" } else { "," };
    line("event_msg", &format!(r#"{{"type":"{kind}"{separator}{fields}}}"#))
}

fn item(kind: &str, fields: &str) -> String {
    line("response_item", &format!(r#"{{"type":"{kind}",{fields}}}"#))
}

fn completed(kind: &str, fields: &str) -> String {
    event("item_completed", &format!(r#""item":{{"type":"{kind}",{fields}}}"#))
}

fn message(role: &str, text: &str) -> String {
    let part = if role == "assistant" { "output_text" } else { "input_text" };
    item("message", &format!(r#""role":"{role}","content":[{{"type":"{part}","text":"{text}"}}]"#))
}

fn meta(id: &str, fields: &str) -> String {
    line("session_meta", &format!(r#"{{"id":"{id}"{fields}}}"#))
}

fn turn(id: &str) -> String {
    event("task_started", &format!(r#""turn_id":"{id}""#))
}

fn read(lines: &[String]) -> Session {
    read_whole::<Reader>((lines.join("\n") + "\n").as_bytes())
}

/// What there is to show, without what is silent.
fn shown(lines: &[String]) -> Vec<EntryKind> {
    let entries = read(lines).entries.into_iter().map(|entry| entry.kind);
    entries.filter(|kind| !matches!(kind, EntryKind::Silent(_))).collect()
}

fn prompt(text: &str) -> EntryKind {
    EntryKind::Prompt(text.to_owned())
}

fn text(text: &str) -> EntryKind {
    EntryKind::Text(text.to_owned())
}

fn thinking(text: &str) -> EntryKind {
    EntryKind::Thinking(text.to_owned())
}

fn notice(kind: &str, text: &str) -> EntryKind {
    EntryKind::Notice(kind.to_owned(), text.to_owned())
}

/// The only result: its text, whether it failed, and the paths that it changed.
fn result(lines: &[String]) -> (String, bool, Vec<(String, ChangeKind)>) {
    let results: Vec<_> = shown(lines)
        .into_iter()
        .filter_map(|kind| match kind {
            EntryKind::Result { text, is_error, changes, .. } => {
                let changes = changes.into_iter().map(|change| (change.path, change.kind));
                Some((text, is_error, changes.collect()))
            }
            _ => None,
        })
        .collect();
    let [result] = <[_; 1]>::try_from(results).expect("one result");
    result
}

#[test]
fn the_header_comes_from_the_first_meta() {
    let session = read(&[
        line(
            "session_meta",
            &format!(
                r#"{{"id":"{THREAD}","timestamp":"2026-01-31T11:59:00Z","cwd":"/work","cli_version":"0.100.0",
                "source":"cli","git":{{"branch":"main","repository_url":"https://example.org/r"}}}}"#
            )
            .replace('\n', ""),
        ),
        line("turn_context", &format!(r#"{{"turn_id":"{TURN}","model":"gpt-1","cwd":"/other"}}"#)),
        event("thread_name_updated", &format!(r#""thread_id":"{THREAD}","thread_name":"Named""#)),
        event("thread_name_updated", r#""thread_id":"other","thread_name":"Not this""#),
        meta(THREAD, r#","cwd":"/again","cli_version":"0.200.0""#),
        event("user_message", r#""message":"First""#),
        event("user_message", r#""message":"Second""#),
    ]);
    let header = session.header;
    assert_eq!(header.id, THREAD);
    assert_eq!(header.directory.as_deref(), Some("/work"));
    assert_eq!(header.branch.as_deref(), Some("main"));
    assert_eq!(header.repository.as_deref(), Some("https://example.org/r"));
    assert_eq!(header.version.as_deref(), Some("0.100.0"));
    assert_eq!(header.source.as_deref(), Some("cli"));
    assert_eq!(header.model.as_deref(), Some("gpt-1"));
    assert_eq!(header.title.as_deref(), Some("Named"));
    assert_eq!(header.first_prompt.as_deref(), Some("First"));
    assert_eq!(header.started.unwrap().to_string(), "2026-01-31T11:59:00Z");
    assert_eq!(header.ended.unwrap().to_string(), "2026-01-31T12:00:00Z");
    assert_eq!(header.lineage, []);
}

#[test]
fn lineage_tells_agents_forks_and_bases_apart() {
    let spawned = format!(
        r#","source":{{"subagent":{{"thread_spawn":{{"parent_thread_id":"{PARENT}","agent_nickname":"Ada"}}}}}}"#
    );
    let header = read(&[meta(THREAD, &spawned)]).header;
    assert_eq!(header.lineage, [Lineage::Agent { of: PARENT.to_owned(), call: None }]);
    assert_eq!(
        (header.source.as_deref(), header.agent_name.as_deref()),
        (Some("subagent"), Some("Ada"))
    );

    let review = format!(r#","source":{{"subagent":"review"}},"parent_thread_id":"{PARENT}""#);
    let header = read(&[meta(THREAD, &review)]).header;
    assert_eq!(header.agent_name.as_deref(), Some("review"));
    assert_eq!(header.lineage.len(), 1);

    let fork = format!(
        r#","forked_from_id":"{PARENT}","history_base":{{"thread_id":"{PARENT}","end_ordinal_exclusive":4,"end_byte_offset":900}}"#
    );
    let header = read(&[meta(THREAD, &fork)]).header;
    assert_eq!(
        header.lineage,
        [
            Lineage::Fork { of: PARENT.to_owned() },
            Lineage::Base { file: PARENT.to_owned(), bytes: 900 }
        ]
    );
}

#[test]
fn messages_that_are_written_twice_are_shown_once() {
    let legacy = [
        turn(TURN),
        message("user", "Question"),
        event("user_message", r#""message":"Question""#),
        event("agent_message", r#""message":"Answer""#),
        message("assistant", "Answer"),
    ];
    assert_eq!(shown(&legacy), [prompt("Question"), text("Answer")]);
    let paginated = [
        turn(TURN),
        message("user", "Question"),
        completed("UserMessage", r#""id":"u","content":[{"type":"text","text":"Question"}]"#),
        completed("AgentMessage", r#""id":"a","content":[{"type":"Text","text":"Answer"}]"#),
        message("assistant", "Answer"),
    ];
    assert_eq!(shown(&paginated), [prompt("Question"), text("Answer")]);
}

#[test]
fn equal_messages_of_different_turns_are_both_shown() {
    let lines = [
        turn(TURN),
        message("user", "Go on"),
        event("user_message", r#""message":"Go on""#),
        turn(NEXT_TURN),
        message("user", "Go on"),
        event("user_message", r#""message":"Go on""#),
    ];
    assert_eq!(shown(&lines), [prompt("Go on"), prompt("Go on")]);
}

#[test]
fn a_migrated_turn_begins_after_the_item_of_its_prompt() {
    let lines = [
        message("user", "Question"),
        turn("rollout-1"),
        completed("UserMessage", r#""content":[{"type":"text","text":"Question"}]"#),
        event("thread_rolled_back", r#""num_turns":1"#),
    ];
    let session = read(&lines);
    assert_eq!(session.entries[0].kind, prompt("Question"));
    assert_eq!(session.entries[0].state, EntryState::Undone);
    assert_eq!(session.live().count(), 1);
}

#[test]
fn what_the_program_says_as_the_user_is_a_notice() {
    let lines = [
        turn(TURN),
        message("developer", "Rules"),
        message("user", "<environment_context>here</environment_context>"),
        message("user", "# AGENTS.md instructions for /work"),
        message("user", "A kind of context that is not known"),
        message("user", "Question"),
        event("user_message", r#""message":"Question""#),
    ];
    assert_eq!(
        shown(&lines),
        [
            notice("developer", "Rules"),
            notice("environment_context", "<environment_context>here</environment_context>"),
            notice("user_instructions", "# AGENTS.md instructions for /work"),
            notice("user", "A kind of context that is not known"),
            prompt("Question"),
        ]
    );
    assert_eq!(read(&lines).header.first_prompt.as_deref(), Some("Question"));
}

#[test]
fn what_the_program_says_between_calls_is_a_notice() {
    let lines = [
        turn(TURN),
        message("user", "Question"),
        event("user_message", r#""message":"Question""#),
        message("user", "Use another tool"),
        message("assistant", "Answer"),
    ];
    let expected = [prompt("Question"), notice("user", "Use another tool"), text("Answer")];
    assert_eq!(shown(&lines), expected);
}

#[test]
fn the_event_of_a_prompt_with_an_image_counts() {
    let lines = [
        turn(TURN),
        item(
            "message",
            r#""role":"user","content":[{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"},{"type":"input_text","text":"</image>"},{"type":"input_text","text":"What is this?"}]"#,
        ),
        event("user_message", r#""message":"What is this? [Image #1]""#),
    ];
    let image = EntryKind::Attachment { kind: "image/png".to_owned(), bytes: 28 };
    assert_eq!(shown(&lines), [image, prompt("What is this? [Image #1]")]);
}

#[test]
fn prompts_that_only_an_item_or_only_an_event_has_are_shown() {
    assert_eq!(shown(&[message("user", "Question")]), [prompt("Question")]);
    let lines = [turn(TURN), event("user_message", r#""message":"Review""#)];
    assert_eq!(shown(&lines), [prompt("Review")]);
}

#[test]
fn thinking_is_shown_once_and_empty_where_it_is_encrypted() {
    let lines = [
        turn(TURN),
        event("agent_reasoning", r#""text":"One""#),
        event("agent_reasoning", r#""text":"Two""#),
        item(
            "reasoning",
            r#""summary":[{"type":"summary_text","text":"One"},{"type":"summary_text","text":"Two"}]"#,
        ),
        item("reasoning", r#""summary":[],"encrypted_content":"x""#),
        item("reasoning", r#""summary":[{"type":"summary_text","text":"Three"}],"content":null"#),
        completed("Reasoning", r#""summary_text":["One","Three"],"raw_content":[]"#),
    ];
    assert_eq!(shown(&lines), [thinking("One"), thinking("Two"), thinking(""), thinking("Three")]);
}

#[test]
fn calls_of_every_kind_are_shown() {
    let call = |id: &str, tool: &str, input: CallInput| EntryKind::Call {
        id: id.to_owned(),
        tool: tool.to_owned(),
        input,
    };
    let json = |json: &str| CallInput::Json(json.to_owned());
    let plain = |text: &str| CallInput::Text(text.to_owned());
    let lines = [
        item("function_call", r#""name":"f","arguments":"{\"a\":1}","call_id":"1""#),
        item("custom_tool_call", r#""name":"c","input":"text","call_id":"2""#),
        item("local_shell_call", r#""call_id":"3","action":{"type":"exec"}"#),
        item("web_search_call", r#""id":"4","action":{"query":"q"}"#),
        item("tool_search_call", r#""call_id":"5","arguments":{"query":"q"}"#),
        event("dynamic_tool_call_request", r#""callId":"6","tool":"d","arguments":{}"#),
        event("view_image_tool_call", r#""call_id":"7","path":"/a.png""#),
    ];
    assert_eq!(
        shown(&lines),
        [
            call("1", "f", json(r#"{"a":1}"#)),
            call("2", "c", plain("text")),
            call("3", "local_shell", json(r#"{"type":"exec"}"#)),
            call("4", "web_search", json(r#"{"query":"q"}"#)),
            call("5", "tool_search", json(r#"{"query":"q"}"#)),
            call("6", "d", json("{}")),
            call("7", "view_image", plain("/a.png")),
        ]
    );
}

const CALL: &str = r#""name":"exec_command","arguments":"{}","call_id":"c1""#;
const OUTPUT: &str = r#""call_id":"c1","output":"for the model""#;
const END: &str = r#""call_id":"c1","command":["ls"],"exit_code":2,"aggregated_output":"whole""#;

#[test]
fn an_exit_code_makes_an_error_before_or_after_the_output() {
    let call = item("function_call", CALL);
    let output = item("function_call_output", OUTPUT);
    let end = event("exec_command_end", END);
    let expected = ("for the model".to_owned(), true, Vec::new());
    assert_eq!(result(&[call.clone(), end.clone(), output.clone()]), expected);
    assert_eq!(result(&[call.clone(), output.clone(), end.clone()]), expected);
    assert_eq!(result(&[call.clone(), end]), ("whole".to_owned(), true, Vec::new()));
    assert!(!result(&[call, output]).1);
}

#[test]
fn commands_of_the_paginated_form_are_results() {
    let call = item("function_call", CALL);
    let end = completed(
        "CommandExecution",
        r#""id":"c1","command":["ls"],"status":"failed","exit_code":1,"aggregated_output":"no""#,
    );
    assert_eq!(result(&[call, end]), ("no".to_owned(), true, Vec::new()));
}

#[test]
fn calls_within_a_call_have_events_only() {
    let lines = [event(
        "mcp_tool_call_end",
        r#""call_id":"exec-1","invocation":{"server":"s","tool":"t","arguments":{"a":1}},"result":{"Err":"broken"}"#,
    )];
    assert_eq!(
        shown(&lines),
        [
            EntryKind::Call {
                id: "exec-1".to_owned(),
                tool: "mcp__s__t".to_owned(),
                input: CallInput::Json(r#"{"a":1}"#.to_owned()),
            },
            EntryKind::Result {
                call: "exec-1".to_owned(),
                text: "broken".to_owned(),
                is_error: true,
                changes: Vec::new(),
            },
        ]
    );
    let fine = completed(
        "McpToolCall",
        r#""id":"m","server":"s","tool":"t","arguments":{},"status":"completed","result":{"content":[{"type":"text","text":"ok"}],"isError":false}"#,
    );
    assert_eq!(result(&[fine]), ("ok".to_owned(), false, Vec::new()));
}

#[test]
fn searches_of_the_web_are_shown_once() {
    let search = item("web_search_call", r#""status":"completed","action":{"query":"q"}"#);
    let end = event("web_search_end", r#""call_id":"ws","query":"q","action":{"query":"q"}"#);
    assert_eq!(shown(&[search.clone(), end.clone()]).len(), 1);
    assert_eq!(shown(&[end.clone(), search.clone()]).len(), 1);
    assert_eq!(shown(&[search.clone(), search, end]).len(), 2);
}

const PATCH: &str = r#""name":"apply_patch","call_id":"p1","input":"*** Begin Patch\n*** Update File: a.rs\n@@\n-x\n+y\n*** End Patch""#;

#[test]
fn changes_of_files_come_with_the_result() {
    let call = item("custom_tool_call", PATCH);
    let output = item("custom_tool_call_output", r#""call_id":"p1","output":"Success.""#);
    let end = event(
        "patch_apply_end",
        r#""call_id":"p1","stdout":"ok","stderr":"","success":true,"changes":{"/w/a.rs":{"type":"update","unified_diff":"@@ -1 +1 @@\n-x\n+y\n","move_path":null},"/w/b.rs":{"type":"add","content":"new"}}"#,
    );
    let recorded =
        vec![("/w/a.rs".to_owned(), ChangeKind::Edit), ("/w/b.rs".to_owned(), ChangeKind::Write)];
    let lines = [call.clone(), end.clone(), output.clone()];
    assert_eq!(result(&lines), ("Success.".to_owned(), false, recorded.clone()));
    assert_eq!(result(&[end]).2, recorded);
    // Without the event, what the patch asks for.
    assert_eq!(result(&[call.clone(), output]).2, [("a.rs".to_owned(), ChangeKind::Edit)]);
    let failed = item(
        "custom_tool_call_output",
        r#""call_id":"p1","output":"apply_patch verification failed: x""#,
    );
    let (_, is_error, changes) = result(&[call, failed]);
    assert!(is_error && changes.is_empty());
}

#[test]
fn a_patch_within_a_shell_changes_files() {
    let call = item(
        "function_call",
        r#""name":"shell","call_id":"s","arguments":"{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Delete File: a\\n*** End Patch\"]}""#,
    );
    let output = item("function_call_output", r#""call_id":"s","output":"Done""#);
    assert_eq!(result(&[call, output]).2, [("a".to_owned(), ChangeKind::Delete)]);
}

#[test]
fn glued_objects_are_both_read() {
    let lines = [event("user_message", r#""message":"One""#) + &message("assistant", "Two")];
    let session = read(&lines);
    assert_eq!(shown(&lines), [prompt("One"), text("Two")]);
    assert_eq!(session.problems.len(), 1);
    assert_eq!(session.problems[0].kind, ProblemKind::GluedObjects);
    assert_eq!(session.entries[0].place, session.entries[1].place);
}

#[test]
fn damaged_lines_are_kept_and_reading_goes_on() {
    let lines = [
        "{\"timestamp\":\"x\",\"type\":\"response_item\",\"payl".to_owned(),
        line("response_item", r#"{"type":"message","role":7}"#),
        line("new_kind", "{}"),
        event("new_event", ""),
        completed("NewItem", r#""id":"x""#),
        event("user_message", r#""message":"Still read""#),
    ];
    let session = read(&lines);
    assert_eq!(session.entries.len(), 6);
    assert_eq!(session.entries[5].kind, prompt("Still read"));
    let problems: Vec<_> =
        session.problems.iter().map(|problem| (problem.line, problem.kind)).collect();
    assert_eq!(problems, [(1, ProblemKind::NotJson), (2, ProblemKind::UnexpectedShape)]);
    let unknown: Vec<_> = session.unknown.iter().collect();
    assert_eq!(
        unknown,
        [("event_msg/new_event", 1), ("item_completed/NewItem", 1), ("new_kind", 1)]
    );
}

#[test]
fn a_legacy_fork_repeats_its_parent_until_its_own_turn() {
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}""#)),
        meta(PARENT, ""),
        turn(OLD_TURN),
        event("user_message", r#""message":"Of the parent""#),
        turn(TURN),
        event("user_message", r#""message":"Of the fork""#),
    ];
    let session = read(&lines);
    let repeated = session.entries.iter().map(|entry| entry.state == EntryState::Replayed);
    assert_eq!(repeated.collect::<Vec<_>>(), [false, true, true, true, false, false]);
    assert_eq!(session.header.id, THREAD);
    assert_eq!(session.header.first_prompt.as_deref(), Some("Of the parent"));
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["Of the fork"]);
}

#[test]
fn an_agents_first_prompt_is_its_own() {
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}","parent_thread_id":"{PARENT}""#)),
        turn(OLD_TURN),
        event("user_message", r#""message":"Of the parent""#),
        turn(TURN),
        event("user_message", r#""message":"For the agent""#),
    ];
    assert_eq!(read(&lines).header.first_prompt.as_deref(), Some("For the agent"));
}

#[test]
fn a_migrated_fork_is_recognised_by_its_turns() {
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}","history_mode":"paginated""#)),
        turn(OLD_TURN),
        message("assistant", "Of the parent"),
        turn(TURN),
        message("assistant", "Of the fork"),
    ];
    let live: Vec<_> = read(&lines).live().map(|entry| entry.kind.clone()).collect();
    assert!(live.contains(&text("Of the fork")));
    assert!(!live.contains(&text("Of the parent")));
}

#[test]
fn without_ids_of_turns_a_pause_ends_the_repetition() {
    let at =
        |second: u32, line: &str| line.replace("12:00:00.000Z", &format!("12:00:{second:02}.000Z"));
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}""#)),
        meta(PARENT, ""),
        event("user_message", r#""message":"Of the parent""#),
        at(5, &event("user_message", r#""message":"Of the fork""#)),
    ];
    assert_eq!(read(&lines).prompts().collect::<Vec<_>>(), ["Of the fork"]);
}

#[test]
fn a_migrated_fork_without_ids_of_turns_repeats_until_a_pause() {
    let later = |line: String| line.replace("12:00:00.000Z", "12:00:05.000Z");
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}","history_mode":"paginated""#)),
        message("user", "Of the parent"),
        turn("rollout-1"),
        completed("UserMessage", r#""content":[{"type":"text","text":"Of the parent"}]"#),
        later(message("user", "Of the fork")),
        later(turn("rollout-9")),
    ];
    let session = read(&lines);
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["Of the fork"]);
    assert_eq!(session.entries[0].state, EntryState::Live);
}

#[test]
fn a_resumed_thread_repeats_nothing() {
    let lines = [
        meta(THREAD, ""),
        event("user_message", r#""message":"One""#),
        meta(THREAD, ""),
        event("user_message", r#""message":"Two""#),
    ];
    assert_eq!(read(&lines).prompts().collect::<Vec<_>>(), ["One", "Two"]);
}

#[test]
fn rolled_back_turns_are_undone() {
    let ask = |text: &str| event("user_message", &format!(r#""message":"{text}""#));
    let lines = [
        turn(OLD_TURN),
        ask("One"),
        turn(TURN),
        ask("Two"),
        turn(NEXT_TURN),
        ask("Three"),
        event("thread_rolled_back", r#""num_turns":2"#),
        ask("Four"),
    ];
    assert_eq!(read(&lines).prompts().collect::<Vec<_>>(), ["One", "Four"]);
    // Older versions do not say where turns begin.
    let lines = [ask("One"), ask("Two"), event("thread_rolled_back", r#""num_turns":1"#)];
    assert_eq!(read(&lines).prompts().collect::<Vec<_>>(), ["One"]);
    let lines = [ask("One"), event("thread_rolled_back", r#""num_turns":9"#)];
    assert_eq!(read(&lines).prompts().count(), 0);
}

#[test]
fn compactions_are_shown_once_and_keep_what_was_before() {
    let lines = [
        turn(TURN),
        event("user_message", r#""message":"Before""#),
        line("compacted", r#"{"message":"Summary","replacement_history":[]}"#),
        event("context_compacted", ""),
    ];
    let summary = EntryKind::Compaction("Summary".to_owned());
    assert_eq!(shown(&lines), [prompt("Before"), summary]);
    assert_eq!(read(&lines).prompts().count(), 1);
    let lines = [turn(TURN), completed("ContextCompaction", r#""id":"x""#)];
    assert_eq!(shown(&lines), [EntryKind::Compaction(String::new())]);
}

#[test]
fn agents_are_started_once() {
    let started = EntryKind::AgentStart { agent: "a1".to_owned(), call: Some("c".to_owned()) };
    let spawn_end = event("collab_agent_spawn_end", r#""call_id":"c","new_thread_id":"a1""#);
    let spawn = item("function_call", r#""name":"spawn_agent","arguments":"{}","call_id":"c""#);
    let output = item("function_call_output", r#""call_id":"c","output":"{\"agent_id\":\"a1\"}""#);
    for lines in [
        vec![spawn.clone(), spawn_end, output.clone()],
        vec![spawn, output],
        vec![
            event(
                "sub_agent_activity",
                r#""event_id":"c","agent_thread_id":"a1","kind":"started""#,
            ),
            event(
                "sub_agent_activity",
                r#""event_id":"d","agent_thread_id":"a1","kind":"interacted""#,
            ),
        ],
        vec![completed(
            "CollabAgentToolCall",
            r#""id":"c","tool":"spawn_agent","receiver_thread_ids":["a1"]"#,
        )],
    ] {
        let agents: Vec<_> = shown(&lines)
            .into_iter()
            .filter(|kind| matches!(kind, EntryKind::AgentStart { .. }))
            .collect();
        assert_eq!(agents, std::slice::from_ref(&started));
    }
}

#[test]
fn what_a_parent_tells_its_agent_is_a_prompt() {
    let to = |author: &str, recipient: &str| {
        let fields = format!(
            r#""author":"{author}","recipient":"{recipient}","content":[{{"type":"input_text","text":"Do it"}}]"#
        );
        item("agent_message", &fields)
    };
    let lines = [
        meta(THREAD, r#","agent_path":"/root/review""#),
        to("/root", "/root/review"),
        to("/root/other", "/root/review"),
    ];
    assert_eq!(
        shown(&lines),
        [prompt("Do it"), notice("agent_message", "/root/other → /root/review: Do it")]
    );
}

#[test]
fn interruptions_errors_and_reviews_are_shown() {
    let lines = [
        event("turn_aborted", &format!(r#""turn_id":"{TURN}","reason":"interrupted""#)),
        event("turn_aborted", r#""reason":"replaced""#),
        event("error", r#""message":"Too many requests""#),
        event("entered_review_mode", r#""user_facing_hint":"changes""#),
        event(
            "exited_review_mode",
            r#""review_output":{"overall_explanation":"Fine","findings":[{"title":"T","body":"B"}]}"#,
        ),
    ];
    assert_eq!(
        shown(&lines),
        [
            EntryKind::Interruption,
            notice("turn_aborted", "replaced"),
            EntryKind::Error("Too many requests".to_owned()),
            notice("entered_review_mode", "changes"),
            notice("exited_review_mode", "Fine\n\nT\n\nB"),
        ]
    );
}

#[test]
fn a_last_line_without_a_line_break_is_read() {
    let file = meta(THREAD, "") + "\n" + &event("user_message", r#""message":"Last""#);
    let session = read_whole::<Reader>(file.as_bytes());
    assert_eq!(session.entries.len(), 2);
    let place = session.entries[1].place;
    assert_eq!(place.line, 2);
    assert_eq!(place.offset + place.bytes, file.len() as u64);
}

#[test]
fn the_summary_of_a_compaction_is_not_shown_as_a_message_too() {
    let summary = "Another model wrote this summary: We counted fish.";
    let rows = shown(&[
        message("assistant", "We counted fish."),
        line("compacted", &format!(r#"{{"message":"{summary}"}}"#)),
        message("assistant", "On."),
    ]);
    assert_eq!(rows, [EntryKind::Compaction(summary.to_owned()), text("On.")]);
}

#[test]
fn a_message_belongs_to_the_turn_that_its_event_names() {
    let session = read(&[
        turn(TURN),
        turn(NEXT_TURN),
        message("assistant", "Reviewed."),
        event(
            "item_completed",
            &format!(
                r#""turn_id":"{TURN}","item":{{"type":"AgentMessage","content":[{{"type":"Text","text":"Reviewed."}}]}}"#
            ),
        ),
    ]);
    let shown = session.entries.iter().find(|entry| entry.kind == text("Reviewed."));
    assert_eq!(shown.and_then(|entry| entry.turn.as_deref()), Some(TURN));
}
