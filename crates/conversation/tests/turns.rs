//! Conversations told turn by turn: where a turn begins, what happens in it,
//! and in which order. What turns come to is in `sums.rs`.

use conversation::{Conversation, Step, Turns, View, What};
use serde_json::{Value, json};
use testkit::{
    Line, assistant, attachment, chained, file, system, tool_error, tool_result, tool_use, user,
};

/// The telling of a session whose lines follow each other.
fn tell(lines: impl IntoIterator<Item = Line>) -> Turns<'static> {
    let bytes: &'static [u8] = file(&chained(lines)).leak();
    Conversation::read(bytes, View::App).tell()
}

/// The same of a sub-agent.
fn tell_agent(lines: impl IntoIterator<Item = Line>) -> Turns<'static> {
    let bytes: &'static [u8] = file(&chained(lines)).leak();
    Conversation::read_agent(bytes, View::App).tell()
}

/// An answer of these blocks.
fn blocks(content: Value) -> Line {
    assistant("").message("content", content)
}

fn queued(prompt: &str, mode: &str) -> Line {
    attachment(&json!({"type": "queued_command", "prompt": prompt, "commandMode": mode}))
}

fn prompts(telling: &Turns<'_>) -> Vec<(u64, String)> {
    let prompt = |turn: &conversation::Turn<'_>| turn.prompt().unwrap_or("-").to_owned();
    telling.turns.iter().map(|turn| (turn.number, prompt(turn))).collect()
}

/// A step in a few words.
fn told(telling: &Turns<'_>, step: &Step<'_>) -> String {
    match &step.what {
        What::Prompt { text, is_queued: false } => format!("prompt {text}"),
        What::Prompt { text, is_queued: true } => format!("queued {text}"),
        What::Said(text) => format!("said {text}"),
        What::Thought(text) => format!("thought {text}"),
        What::Called(number) => format!("called {}", telling.calls.all()[*number].tool),
        What::Answered { call, content, is_error } => {
            let text = content.as_ref().map(|content| content.text().into_owned());
            format!("answered {call} {} {is_error}", text.unwrap_or_default())
        }
        What::Image(source) => format!("image {:?}", source.media_type.as_deref()),
        What::Document { title, .. } => format!("document {:?}", title.as_deref()),
        What::Summary(text) => format!("summary {text}"),
        What::Compaction { trigger, before, after } => {
            format!("compaction {:?} {before:?} {after:?}", trigger.as_deref())
        }
        What::Interruption => "interruption".to_owned(),
        What::Failure(text) => format!("failure {text}"),
        What::Notice(kind, text) => format!("notice {kind}: {text}"),
    }
}

/// The steps of each turn.
fn steps(telling: &Turns<'_>) -> Vec<Vec<String>> {
    let turns = telling.turns.iter();
    turns.map(|turn| turn.steps.iter().map(|step| told(telling, step)).collect()).collect()
}

#[test]
fn a_turn_begins_where_the_person_speaks() {
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
        ("what a command said", user("<local-command-stdout>x</local-command-stdout>"), None),
        ("a reminder", user("<system-reminder>x</system-reminder>"), None),
        ("nothing", user("  \n"), None),
        ("an agent's line", user("aside").with("isSidechain", true), None),
        ("a team's line", user("aside").with("teamName", "blue"), None),
    ];
    for (what, line, expected) in table {
        let telling = tell([user("first"), assistant("ok"), line, assistant("and")]);
        let mut turns = vec![(1, "first".to_owned())];
        turns.extend(expected.map(|prompt| (2, prompt.to_owned())));
        assert_eq!(prompts(&telling), turns, "{what}");
        let is_queued = telling.turns.last().is_some_and(|turn| {
            turn.steps.iter().any(|step| matches!(step.what, What::Prompt { is_queued: true, .. }))
        });
        assert_eq!(is_queued, what.starts_with("a queued") && expected.is_some(), "{what}");
    }
}

#[test]
fn what_stands_before_the_first_prompt_is_turn_0() {
    let note = || system("informational").with("content", "Welcome");
    let before = [note(), user("one"), assistant("ok"), user("two"), assistant("ok")];
    let expected = [(0, "-".to_owned()), (1, "one".to_owned()), (2, "two".to_owned())];
    assert_eq!(prompts(&tell(before)), expected);
    assert_eq!(prompts(&tell([user("one"), note()])), [(1, "one".to_owned())]);
    assert_eq!(prompts(&tell([assistant("unasked")])), [(0, "-".to_owned())]);
    assert_eq!(prompts(&tell([])), []);
}

#[test]
fn steps_stand_in_the_order_they_happened() {
    let picture = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA"}});
    let paper =
        json!({"type": "document", "title": "Tides", "source": {"type": "text", "data": "x"}});
    let telling = tell([
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
        "said I shall.",
        "called Bash",
        "notice system-reminder: mind the gap",
        "interruption",
        "notice task-notification: over",
    ];
    let second: &[&str] = &[
        "queued and the moon?",
        "notice hologram: ",
        "said Yes.",
        "notice away_summary: You were away",
    ];
    assert_eq!(steps(&telling), [first, second]);
}

#[test]
fn a_queued_task_notification_is_a_notice_where_it_was_taken_in() {
    let note = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>";
    let telling = tell([
        user("go"),
        tool_use("t1", "Bash", &json!({})),
        tool_result("t1", "started"),
        queued(note, "task-notification"),
        assistant("It is done."),
    ]);
    let expected: &[&str] =
        &["prompt go", "called Bash", "notice task-notification: task-id: b1", "said It is done."];
    assert_eq!(steps(&telling), [expected]);
}

#[test]
fn a_compaction_and_its_summary_are_steps() {
    let metadata = json!({"trigger": "auto", "preTokens": 150_000, "postTokens": 9_000});
    let telling = tell([
        system("compact_boundary").with("compactMetadata", metadata),
        user("In short: tides.").with("isCompactSummary", true),
        user("go on"),
        assistant("Gladly."),
    ]);
    assert_eq!(
        steps(&telling),
        [
            &["compaction Some(\"auto\") Some(150000) Some(9000)", "summary In short: tides."][..],
            &["prompt go on", "said Gladly."]
        ]
    );
}

#[test]
fn an_answer_is_a_step_only_where_its_call_is_not() {
    let telling = tell([
        user("go"),
        tool_error("elsewhere", "broken"),
        tool_use("t1", "Read", &json!({})),
        tool_result("t1", "text"),
    ]);
    assert_eq!(
        steps(&telling),
        [&["prompt go", "answered elsewhere broken true", "called Read"][..]]
    );
    assert_eq!(telling.calls.all()[0].answer.as_ref().unwrap().text(), "text");
}

#[test]
fn a_call_written_twice_is_one_step() {
    let call = || tool_use("t1", "Bash", &json!({}));
    let telling = tell([user("go"), call(), call(), tool_result("t1", "x")]);
    assert_eq!(steps(&telling), [["prompt go", "called Bash"]]);
    assert_eq!(telling.turns[0].calls, 1);
}

#[test]
fn failures_of_the_api_are_steps() {
    let error = json!({"status": 529, "message": "Overloaded"});
    let telling = tell([
        user("go"),
        system("api_error").with("error", error).with("retryAttempt", 1),
        system("api_error").with("error", json!({})),
        assistant("API Error: 500").with("isApiErrorMessage", true),
    ]);
    assert_eq!(
        steps(&telling),
        [["prompt go", "failure Overloaded (529)", "failure ", "failure API Error: 500"]]
    );
    assert_eq!(telling.turns[0].failures, 3);
}

#[test]
fn an_agent_is_spoken_to_by_whoever_started_it() {
    let side = |line: Line| line.with("isSidechain", true).with("agentId", "a1");
    let telling = tell_agent([
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
        steps(&telling),
        [
            &[
                "prompt <brief>look around</brief>",
                "called Bash",
                "notice note: Caveat",
                "interruption"
            ][..],
            &["prompt go on", "summary In short", "said done"]
        ]
    );
}

#[test]
fn plain_transcripts_have_turns_too() {
    let plain = |kind: &str, text: &str| user("").with("type", kind).with("content", text);
    let bare = |line: Line| line.with("message", Value::Null);
    let telling = tell([bare(plain("user", "hello")), bare(plain("assistant", "good day"))]);
    assert_eq!(steps(&telling), [["prompt hello", "said good day"]]);
}

#[test]
fn turns_know_what_they_speak_of() {
    let telling = tell([
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
        assert_eq!(telling.mentions(&telling.turns[0], words), expected, "{words}");
    }
}
