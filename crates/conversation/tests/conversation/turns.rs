//! Turns: where a turn begins, and its steps in order. The totals of turns are
//! tested in `sums.rs`.

use conversation::{Conversation, Step, StepKind, TurnNumber, Turns, View};
use serde_json::{Value, json};
use testkit::{
    Line, assistant, attachment, chained, file, system, tool_error, tool_result, tool_use, user,
};

/// The turns of a session whose lines follow each other.
fn read_turns(lines: impl IntoIterator<Item = Line>) -> Turns<'static> {
    let bytes: &'static [u8] = file(&chained(lines)).leak();
    Conversation::read(bytes, View::App).turns()
}

/// The same for a sub-agent.
fn read_agent_turns(lines: impl IntoIterator<Item = Line>) -> Turns<'static> {
    let bytes: &'static [u8] = file(&chained(lines)).leak();
    Conversation::read_agent(bytes, View::App).turns()
}

/// An answer with these blocks.
fn blocks(content: Value) -> Line {
    assistant("").message("content", content)
}

fn queued(prompt: &str, mode: &str) -> Line {
    attachment(&json!({"type": "queued_command", "prompt": prompt, "commandMode": mode}))
}

fn prompts(turns: &Turns<'_>) -> Vec<(u32, String)> {
    let prompt = |turn: &conversation::Turn<'_>| turn.prompt().unwrap_or("-").to_owned();
    let number = |turn: &conversation::Turn<'_>| match turn.number {
        TurnNumber::Main(number) => number,
        other => panic!("{other}"),
    };
    turns.turns.iter().map(|turn| (number(turn), prompt(turn))).collect()
}

/// A step as a short text.
fn step_text(turns: &Turns<'_>, step: &Step<'_>) -> String {
    match &step.kind {
        StepKind::Prompt { text, is_queued: false } => format!("prompt {text}"),
        StepKind::Prompt { text, is_queued: true } => format!("queued {text}"),
        StepKind::Text(text) => format!("text {text}"),
        StepKind::Thinking(text) => format!("thought {text}"),
        StepKind::Call(number) => format!("called {}", turns.calls.all()[*number].tool),
        StepKind::UnmatchedResult { call, content, is_error } => {
            let text = content.as_ref().map(|content| content.text().into_owned());
            format!("answered {call} {} {is_error}", text.unwrap_or_default())
        }
        StepKind::Image(source) => format!("image {:?}", source.media_type.as_deref()),
        StepKind::Document { title, .. } => format!("document {:?}", title.as_deref()),
        StepKind::Summary(text) => format!("summary {text}"),
        StepKind::Compaction { trigger, before, after } => {
            format!("compaction {:?} {before:?} {after:?}", trigger.as_deref())
        }
        StepKind::Interruption => "interruption".to_owned(),
        StepKind::ApiError(text) => format!("failure {text}"),
        StepKind::Notice(kind, text) => format!("notice {kind}: {text}"),
    }
}

/// The steps of each turn.
fn steps(turns: &Turns<'_>) -> Vec<Vec<String>> {
    let each = turns.turns.iter();
    each.map(|turn| turn.steps.iter().map(|step| step_text(turns, step)).collect()).collect()
}

#[test]
fn a_turn_begins_with_a_prompt_by_the_person() {
    let command = "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>12 now</command-args>";
    let picture = json!([{"type": "text", "text": "look"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}]);
    let table = [
        ("a prompt", user("again"), Some("again")),
        ("one of several lines", user("again\n\nand again"), Some("again\n\nand again")),
        ("one of blocks", user("").message("content", picture), Some("look\n[image]")),
        ("a command", user(command), Some("/review 12 now")),
        ("a shell command", user("<bash-input>ls -l</bash-input>"), Some("! ls -l")),
        ("a queued prompt", queued("also this", "prompt"), Some("also this")),
        ("a queued command", queued(command, "prompt"), Some("/review 12 now")),
        ("a line of the app", user("Caveat").with("isMeta", true), None),
        ("the answer of a tool", tool_result("t9", "done"), None),
        ("an interruption", user("[Request interrupted by user]"), None),
        ("another", user("[Request interrupted by user for tool use]"), None),
        ("a summary", user("In short").with("isCompactSummary", true), None),
        ("a task's end", user("<task-notification>\n<task-id>x"), None),
        ("a queued task's end", queued("<task-notification>\n<t>", "task-notification"), None),
        (
            "another sender",
            user("hm").with("isMeta", true).with("origin", json!({"kind": "channel"})),
            None,
        ),
        ("the output of a command", user("<local-command-stdout>x</local-command-stdout>"), None),
        ("a reminder", user("<system-reminder>x</system-reminder>"), None),
        ("nothing", user("  \n"), None),
        ("an agent's line", user("aside").with("isSidechain", true), None),
        ("a team's line", user("aside").with("teamName", "blue"), None),
    ];
    for (what, line, expected) in table {
        let turns = read_turns([user("first"), assistant("ok"), line, assistant("and")]);
        let mut expected_prompts = vec![(1, "first".to_owned())];
        expected_prompts.extend(expected.map(|prompt| (2, prompt.to_owned())));
        assert_eq!(prompts(&turns), expected_prompts, "{what}");
        let is_queued = turns.turns.last().is_some_and(|turn| {
            turn.steps
                .iter()
                .any(|step| matches!(step.kind, StepKind::Prompt { is_queued: true, .. }))
        });
        assert_eq!(is_queued, what.starts_with("a queued") && expected.is_some(), "{what}");
    }
}

#[test]
fn everything_before_the_first_prompt_is_turn_0() {
    let note = || system("informational").with("content", "Welcome");
    let before = [note(), user("one"), assistant("ok"), user("two"), assistant("ok")];
    let expected = [(0, "-".to_owned()), (1, "one".to_owned()), (2, "two".to_owned())];
    assert_eq!(prompts(&read_turns(before)), expected);
    assert_eq!(prompts(&read_turns([user("one"), note()])), [(1, "one".to_owned())]);
    assert_eq!(prompts(&read_turns([assistant("unasked")])), [(0, "-".to_owned())]);
    assert_eq!(prompts(&read_turns([])), []);
}

#[test]
fn steps_are_in_the_order_they_happened() {
    let picture = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA"}});
    let paper =
        json!({"type": "document", "title": "Tides", "source": {"type": "text", "data": "x"}});
    let turns = read_turns([
        user("").message("content", json!([{"type": "text", "text": "look"}, picture, paper])),
        blocks(json!([{"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "redacted_thinking", "data": "x"},
            {"type": "text", "text": "I shall."}, {"type": "text", "text": " \n"},
            {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}])),
        tool_result("t1", "done"),
        user("<system-reminder>mind the gap</system-reminder>"),
        user("[Request interrupted by user]"),
        user("<task-notification>over</task-notification>"),
        queued("and the moon?", "prompt"),
        blocks(json!([{"type": "hologram", "data": 1}, {"type": "text", "text": "Yes."}])),
        system("away_summary").with("content", "You were away"),
        system("bridge_status").with("content", "bookkeeping"),
        attachment(&json!({"type": "todo_reminder", "text": "bookkeeping"})),
    ]);
    let first: &[&str] = &[
        "prompt look\n[image]\n[document]",
        "image Some(\"image/png\")",
        "document Some(\"Tides\")",
        "thought hm",
        "thought ",
        "text I shall.",
        "called Bash",
        "notice system-reminder: mind the gap",
        "interruption",
        "notice task-notification: over",
    ];
    let second: &[&str] = &[
        "queued and the moon?",
        "notice hologram: ",
        "text Yes.",
        "notice away_summary: You were away",
    ];
    assert_eq!(steps(&turns), [first, second]);
}

#[test]
fn a_queued_task_notification_is_a_notice_where_the_model_received_it() {
    let note = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>";
    let turns = read_turns([
        user("go"),
        tool_use("t1", "Bash", &json!({})),
        tool_result("t1", "started"),
        queued(note, "task-notification"),
        assistant("It is done."),
    ]);
    let expected: &[&str] =
        &["prompt go", "called Bash", "notice task-notification: task-id: b1", "text It is done."];
    assert_eq!(steps(&turns), [expected]);
}

#[test]
fn a_compaction_and_its_summary_are_steps() {
    let metadata = json!({"trigger": "auto", "preTokens": 150_000, "postTokens": 9_000});
    let turns = read_turns([
        system("compact_boundary").with("compactMetadata", metadata),
        user("In short: tides.").with("isCompactSummary", true),
        user("go on"),
        assistant("Gladly."),
    ]);
    assert_eq!(
        steps(&turns),
        [
            &["compaction Some(\"auto\") Some(150000) Some(9000)", "summary In short: tides."][..],
            &["prompt go on", "text Gladly."]
        ]
    );
}

#[test]
fn a_result_is_a_step_only_if_its_call_is_missing() {
    let turns = read_turns([
        user("go"),
        tool_error("elsewhere", "broken"),
        tool_use("t1", "Read", &json!({})),
        tool_result("t1", "text"),
    ]);
    assert_eq!(
        steps(&turns),
        [&["prompt go", "answered elsewhere broken true", "called Read"][..]]
    );
    assert_eq!(turns.calls.all()[0].answer.as_ref().unwrap().text(), "text");
}

#[test]
fn a_call_written_twice_is_one_step() {
    let call = || tool_use("t1", "Bash", &json!({}));
    let turns = read_turns([user("go"), call(), call(), tool_result("t1", "x")]);
    assert_eq!(steps(&turns), [["prompt go", "called Bash"]]);
    assert_eq!(turns.turns[0].calls, 1);
}

#[test]
fn api_errors_are_steps() {
    let error = json!({"status": 529, "message": "Overloaded"});
    let turns = read_turns([
        user("go"),
        system("api_error").with("error", error).with("retryAttempt", 1),
        system("api_error").with("error", json!({})),
        assistant("API Error: 500").with("isApiErrorMessage", true),
    ]);
    assert_eq!(
        steps(&turns),
        [[
            "prompt go",
            "failure Overloaded (529)",
            "failure no reason recorded",
            "failure API Error: 500"
        ]]
    );
    assert_eq!(turns.turns[0].failures, 3);
}

#[test]
fn api_errors_without_a_reason_are_one_step() {
    let silent = || system("api_error").with("error", json!({}));
    let message = |error: &str, status: Value| {
        let line = assistant(" ").with("isApiErrorMessage", true);
        line.with("error", error).with("apiErrorStatus", status)
    };
    let turns = read_turns([
        user("go"),
        silent(),
        silent(),
        silent(),
        message("overloaded", json!(529)),
        message("rate_limit", Value::Null),
        message("unknown", json!(500)),
        message("unknown", Value::Null),
        silent(),
        assistant("Here."),
        silent(),
    ]);
    assert_eq!(
        steps(&turns),
        [[
            "prompt go",
            "failure no reason recorded, 3 times in a row",
            "failure overloaded (529)",
            "failure rate_limit",
            "failure status 500",
            "failure no reason recorded, 2 times in a row",
            "text Here.",
            "failure no reason recorded"
        ]]
    );
    assert_eq!(turns.turns[0].failures, 9);
}

#[test]
fn messages_of_other_agents_are_notices_of_their_sender() {
    let from = |kind: &str| json!({"kind": kind, "from": "uds:x"});
    let queued = json!({"type": "queued_command", "prompt": "wait", "commandMode": "prompt",
        "origin": from("peer")});
    let turns = read_turns([
        user("go"),
        user("Another session sent a message: hello").with("origin", from("peer")),
        user("begin").with("origin", from("coordinator")),
        user("a task ended").with("promptSource", "system"),
        attachment(&queued),
        assistant("Yes."),
    ]);
    assert_eq!(
        steps(&turns),
        [[
            "prompt go",
            "notice peer: Another session sent a message: hello",
            "notice coordinator: begin",
            "notice note: a task ended",
            "notice peer: wait",
            "text Yes."
        ]]
    );
}

#[test]
fn the_prompts_of_an_agent_come_from_its_parent() {
    let side = |line: Line| line.with("isSidechain", true).with("agentId", "a1");
    let turns = read_agent_turns([
        side(user("<brief>look around</brief>")),
        side(tool_use("t1", "Bash", &json!({}))),
        side(tool_result("t1", "x")),
        side(user("Caveat").with("isMeta", true)),
        side(user("[Request interrupted by user]")),
        side(user("go on")),
        side(user("In short").with("isCompactSummary", true)),
        side(assistant("done")),
    ]);
    assert_eq!(
        steps(&turns),
        [
            &[
                "prompt <brief>look around</brief>",
                "called Bash",
                "notice note: Caveat",
                "interruption"
            ][..],
            &["prompt go on", "summary In short", "text done"]
        ]
    );
}

#[test]
fn plain_transcripts_have_turns_too() {
    let plain = |kind: &str, text: &str| user("").with("type", kind).with("content", text);
    let bare = |line: Line| line.with("message", Value::Null);
    let turns = read_turns([bare(plain("user", "hello")), bare(plain("assistant", "good day"))]);
    assert_eq!(steps(&turns), [["prompt hello", "text good day"]]);
}

#[test]
fn turns_are_searched_in_text_arguments_and_results() {
    let turns = read_turns([
        user("Where is the MOON?"),
        blocks(json!([{"type": "thinking", "thinking": "Überall"}])),
        tool_use(
            "t1",
            "Grep",
            &json!({"pattern": "ebb\\u0301", "deep": {"list": ["spring tide"]}}),
        ),
        tool_result("t1", "src/Tides.rs"),
        assistant("Above."),
        tool_result("elsewhere", "stray answer"),
        user("<system-reminder>a reminder</system-reminder>"),
        assistant("Overloaded today").with("isApiErrorMessage", true),
        user("In short").with("isCompactSummary", true),
    ]);
    let table = [
        ("moon", true),
        ("überall", true),
        ("grep", true),
        ("SPRING tide", true),
        ("src/tides.rs", true),
        ("above.", true),
        ("stray", true),
        ("a reminder", true),
        ("overloaded", true),
        ("in short", true),
        ("", true),
        ("pattern", false),
        ("sun", false),
        ("system-reminder", false),
    ];
    for (words, expected) in table {
        assert_eq!(turns.mentions(&turns.turns[0], words), expected, "{words}");
    }
}
