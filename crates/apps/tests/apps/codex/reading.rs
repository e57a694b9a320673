//! What the reader makes of each kind of line. All lines are made up.

mod calls;
mod forks;
mod responses;
mod workplaces;

use apps::codex::Reader;
use apps::{
    CallInput, ChangeKind, EntryKind, EntryState, Lineage, ProblemKind, Session, read_whole,
};

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
fn the_header_comes_from_the_first_meta_but_for_the_folder_and_the_branch() {
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
    assert_eq!(header.directory.as_deref(), Some("/again"));
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
