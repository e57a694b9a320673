//! Calls and their answers: how they are matched, and their outcomes. Summaries of
//! calls are tested in `summaries.rs`.

use conversation::{Calls, Status, ToolCall};
use serde_json::{Value, json};
use testkit::{Line, assistant, file, metadata, tool_error, tool_result, tool_use, user};

/// The calls in the files of a session, read one after another.
fn calls(files: &[Vec<Line>]) -> Calls<'static> {
    let mut calls = Calls::default();
    for lines in files {
        let bytes: &'static [u8] = file(lines).leak();
        for entry in transcript::entries(bytes) {
            calls.note(entry.line, entry.record);
        }
    }
    calls
}

fn bash(id: &str) -> Line {
    tool_use(id, "Bash", &json!({"command": "ls"}))
}

/// The only call in these lines.
fn only(lines: &[Line]) -> ToolCall<'static> {
    let mut calls = calls(&[lines.to_vec()]).into_vec();
    assert_eq!(calls.len(), 1, "{lines:?}");
    calls.remove(0)
}

fn answer(call: &ToolCall<'_>) -> Option<String> {
    call.answer.as_ref().map(|answer| answer.text().into_owned())
}

/// A line with several answers.
fn results(answers: &[(&str, &str)]) -> Line {
    let blocks = answers
        .iter()
        .map(|(id, text)| json!({"type": "tool_result", "tool_use_id": id, "content": text}));
    tool_result("", "").message("content", blocks.collect::<Vec<_>>())
}

#[test]
fn a_call_and_its_answer_are_matched_in_any_position() {
    let noise = |many: usize| std::iter::repeat_n(user("between"), many);
    let far: Vec<Line> =
        [bash("t1")].into_iter().chain(noise(5_000)).chain([tool_result("t1", "one")]).collect();
    let table = [
        ("behind", vec![vec![bash("t1"), tool_result("t1", "one")]], Some("one")),
        ("before", vec![vec![tool_result("t1", "one"), bash("t1")]], Some("one")),
        ("far behind", vec![far], Some("one")),
        ("in another file", vec![vec![bash("t1")], vec![tool_result("t1", "one")]], Some("one")),
        ("in an earlier file", vec![vec![tool_result("t1", "one")], vec![bash("t1")]], Some("one")),
        (
            "the later of two",
            vec![vec![bash("t1"), tool_result("t1", "one"), tool_result("t1", "two")]],
            Some("two"),
        ),
        ("of another call", vec![vec![bash("t1"), tool_result("t2", "one")]], None),
        ("nowhere", vec![vec![bash("t1")]], None),
    ];
    for (what, files, expected) in table {
        let calls = calls(&files);
        assert_eq!(calls.all().len(), 1, "{what}");
        assert_eq!(answer(&calls.all()[0]).as_deref(), expected, "{what}");
        let unmatched = usize::from(what == "of another call");
        assert_eq!(calls.unmatched_answers(), unmatched, "{what}");
    }
}

#[test]
fn a_copied_answer_does_not_replace_the_original() {
    // A sub-agent that begins with a copy of the conversation has copies of its answers.
    let copy = |line: Line| line.with("forkedFrom", json!({"sessionId": "s", "messageUuid": "m"}));
    let (one, two) = (tool_result("t1", "one"), tool_result("t1", "two"));
    let table = [
        ("the copy is later", vec![one.clone(), copy(two.clone())], "one"),
        ("the copy is earlier", vec![copy(one.clone()), two.clone()], "two"),
        ("both are copies", vec![copy(one), copy(two)], "two"),
    ];
    for (what, answers, expected) in table {
        let files: Vec<Vec<Line>> =
            answers.into_iter().map(|line| vec![bash("t1"), line]).collect();
        assert_eq!(answer(&calls(&files).all()[0]).as_deref(), Some(expected), "{what}");
    }
}

#[test]
fn a_repeated_call_is_the_same_call() {
    let early = tool_use("t1", "Bash", &json!({"command": "l"}));
    let late = tool_use("t1", "Bash", &json!({"command": "ls"})).at("2026-01-02T04:00:00Z");
    let call = only(&[early, tool_result("t1", "x"), late]);
    assert_eq!(call.argument("command").as_deref(), Some("ls"), "what was written last holds");
    assert_eq!(answer(&call).as_deref(), Some("x"));
    assert_eq!(call.origin.line, 1, "it stands where it was first written");
}

#[test]
fn calls_have_their_origin() {
    let line = bash("t1")
        .link("u7", None)
        .with("isSidechain", true)
        .with("agentId", "a1")
        .with("attributionSkill", "review")
        .message("model", "opus");
    let call = only(&[user("go"), line]);
    let origin = &call.origin;
    assert_eq!((origin.line, origin.uuid.as_deref()), (2, Some("u7")));
    assert_eq!((origin.agent_id.as_deref(), origin.is_sidechain), (Some("a1"), true));
    assert_eq!((call.model.as_deref(), call.skill.as_deref()), (Some("opus"), Some("review")));
    assert_eq!(call.mcp(), None);
}

#[test]
fn the_structured_answer_belongs_to_a_line_with_one_result() {
    let structured = json!({"stdout": "one"});
    let alone = calls(&[vec![
        bash("t1"),
        tool_result("t1", "x").with("toolUseResult", structured.clone()),
    ]]);
    let answer = alone.all()[0].answer.as_ref().unwrap();
    assert_eq!(answer.member_string("stdout").as_deref(), Some("one"));
    let line = results(&[("t1", "x"), ("t2", "y")]).with("toolUseResult", structured);
    let several = calls(&[vec![bash("t1"), bash("t2"), line]]);
    for (call, text) in several.all().iter().zip(["x", "y"]) {
        let answer = call.answer.as_ref().unwrap();
        assert_eq!((&*answer.text(), answer.member("stdout")), (text, None));
    }
}

#[test]
fn server_tools_are_matched_within_their_message() {
    let blocks = json!([
        {"type": "server_tool_use", "id": "srv1", "name": "web_search", "input": {"query": "tides"}},
        {"type": "web_search_tool_result", "tool_use_id": "srv1",
            "content": [{"type": "web_search_result", "title": "Tides", "url": "https://example.org"}]},
        {"type": "text", "text": "Twice a day."}]);
    let call = only(&[assistant("").message("content", blocks)]);
    assert_eq!((&*call.tool, call.status()), ("web_search", Status::Ok));
}

#[test]
fn plain_transcripts_have_calls_without_ids() {
    let asked = |tool: &str, input: Value| {
        metadata("tool_use", &[("tool_name", tool.into()), ("tool_input", input)])
    };
    let answered = |tool: &str, output: Value| {
        let input = json!({"repeated": true});
        let members = [("tool_name", tool.into()), ("tool_input", input), ("tool_output", output)];
        metadata("tool_result", &members)
    };
    let found = calls(&[vec![
        asked("bash", json!({"command": "ls"})),
        asked("read", json!({"path": "a"})),
        answered("bash", json!({"output": "files"})),
        answered("read", json!("text")),
        asked("read", json!({"path": "b"})),
        asked("read", json!({"path": "c"})),
        answered("read", json!("of c")),
        answered("grep", json!("of nobody")),
    ]]);
    let seen: Vec<_> =
        found.all().iter().map(|call| (&*call.tool, answer(call), call.status())).collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        seen,
        [
            ("bash", some(r#"{"output":"files"}"#), Status::Ok),
            ("read", some("text"), Status::Ok),
            ("read", None, Status::Missing),
            ("read", some("of c"), Status::Ok),
        ]
    );
    assert!(found.all().iter().all(|call| call.id.is_none()));
}

#[test]
fn an_empty_plain_answer_is_still_an_answer() {
    let asked = metadata("tool_use", &[("tool_name", "bash".into()), ("tool_input", json!({}))]);
    let empty = metadata("tool_result", &[("tool_name", "bash".into()), ("tool_input", json!({}))]);
    let call = only(&[asked.clone(), empty]);
    assert_eq!(call.status(), Status::Ok);
    // A call with content is still a call.
    assert_eq!(only(&[asked.with("content", "I shall look")]).status(), Status::Missing);
}

#[test]
fn simplified_transcripts_match_answers_by_call_id() {
    let message = json!({"role": "user", "tool_use_id": "t1", "content": "files"});
    let call = only(&[bash("t1"), metadata("tool_result", &[("message", message)])]);
    assert_eq!(answer(&call).as_deref(), Some("files"));
}

#[test]
fn malformed_calls_are_listed() {
    let block = |call: Value| assistant("").message("content", json!([call]));
    let table = [
        (json!({"type": "tool_use"}), "(unnamed)"),
        (json!({"type": "tool_use", "id": "", "name": ""}), ""),
        (json!({"type": "tool_use", "id": 7, "name": ["x"]}), "(unnamed)"),
        (json!({"type": "tool_use", "id": "t", "name": "Edit", "input": "text"}), "Edit"),
        (
            json!({"type": "tool_use", "id": "t", "name": "Edit",
                "input": {"__unparsedToolInput": "{\"file_path"}}),
            "Edit",
        ),
    ];
    for (written, tool) in table {
        let call = only(&[block(written.clone())]);
        assert_eq!((&*call.tool, call.status()), (tool, Status::Missing), "{written}");
        // Every accessor returns without a panic.
        let _ =
            (call.summary(), call.files(), call.milliseconds(), conversation::git_actions(&call));
    }
    let nobody = json!([{"type": "tool_result", "content": "whose?"}]);
    let call = only(&[bash("t1"), tool_result("", "").message("content", nobody)]);
    assert_eq!(call.status(), Status::Missing);
}

#[test]
fn calls_have_one_of_five_outcomes() {
    let answered = |line: Line| vec![bash("t1"), line];
    let noted = |structured: Value| tool_result("t1", "x").with("toolUseResult", structured);
    let table = [
        (Status::Missing, vec![bash("t1")]),
        (Status::Ok, answered(tool_result("t1", "done"))),
        (Status::Ok, answered(tool_result("t1", ""))),
        (Status::Ok, answered(noted(json!({"interrupted": false, "wasInterrupted": false})))),
        (Status::Ok, answered(noted(json!("User rejected tool use")))),
        // A tool whose text mentions denials was not denied.
        (Status::Ok, answered(tool_result("t1", "Permission to use ladders is granted"))),
        (Status::Error, answered(tool_error("t1", "Exit code 1"))),
        (Status::Error, answered(tool_error("t1", "<tool_use_error>no such file"))),
        (Status::Error, answered(tool_error("t1", "grep: Permission to use x denied"))),
        (Status::Interrupted, answered(noted(json!({"interrupted": true})))),
        (Status::Interrupted, answered(noted(json!({"wasInterrupted": true})))),
        (Status::Interrupted, answered(tool_error("t1", "[Request interrupted by user]"))),
        (
            Status::Interrupted,
            answered(tool_result("t1", "[Request interrupted by user for tool use]")),
        ),
        (Status::Denied, answered(tool_error("t1", "no").with("toolDenialKind", "hook"))),
        (Status::Denied, answered(tool_result("t1", "no").with("toolDenialKind", "rule"))),
    ];
    for (expected, lines) in table {
        assert_eq!(only(&lines).status(), expected, "{}", lines.last().unwrap());
    }
}

#[test]
fn denials_are_recognized_by_their_text() {
    for words in [
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).",
        "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.",
        "This command requires approval",
        "Claude requested permissions to write to /home/ada/x, but you haven't granted it yet.",
        "Claude requested permissions to use WebFetch, but you haven't granted it yet.",
        "Permission to use Bash with command rm has been denied.",
        "Permission to use WebFetch has been auto-denied in dontAsk mode.",
        "Permission for this action has been denied.",
    ] {
        assert_eq!(
            only(&[bash("t1"), tool_error("t1", words)]).status(),
            Status::Denied,
            "{words}"
        );
        let blocks = json!([{"type": "tool_result", "tool_use_id": "t1", "is_error": true,
            "content": [{"type": "text", "text": words}]}]);
        let line = tool_error("t1", "").message("content", blocks);
        assert_eq!(only(&[bash("t1"), line]).status(), Status::Denied, "{words}");
    }
}

#[test]
fn durations_come_from_timestamps_or_the_recorded_duration() {
    let at = |line: Line, time: &str| line.at(&format!("2026-01-02T03:{time}Z"));
    let call = |time: &str| at(bash("t1"), time);
    let result = |time: &str| at(tool_result("t1", "x"), time);
    let with_duration =
        |line: Line, key: &str, value: Value| line.with("toolUseResult", json!({key: value}));
    let timeless = |line: Line| line.with("timestamp", Value::Null);
    let table = [
        (vec![call("00:00.000"), result("00:01.250")], Some(1_250)),
        (vec![call("00:00.000"), result("00:00.000")], Some(0)),
        (vec![call("00:09.000"), result("00:01.000")], None),
        (
            vec![call("00:09.000"), with_duration(result("00:01.000"), "durationMs", json!(40))],
            Some(40),
        ),
        (
            vec![
                timeless(call("")),
                with_duration(result("00:01.000"), "totalDurationMs", json!(7)),
            ],
            Some(7),
        ),
        // Timestamps take precedence over the recorded duration.
        (
            vec![call("00:00.000"), with_duration(result("00:02.000"), "durationMs", json!(40))],
            Some(2_000),
        ),
        (
            vec![timeless(call("")), with_duration(result("00:01.000"), "durationMs", json!("x"))],
            None,
        ),
        (vec![call("00:00.000")], None),
    ];
    for (lines, expected) in table {
        assert_eq!(only(&lines).milliseconds(), expected, "{lines:?}");
    }
}

#[test]
fn a_saved_output_is_identified_by_its_file_name_alone() {
    let marker = |path: &str| {
        let text = format!(
            "<persisted-output>\nOutput too large (49KB). Full output saved to: {path}\n\nPreview"
        );
        tool_result("t1", &text)
    };
    let noted =
        |line: Line, path: &str| line.with("toolUseResult", json!({"persistedOutputPath": path}));
    let table = [
        (
            "the field",
            noted(tool_result("t1", "x"), "/home/ada/tool-results/b1.txt"),
            Some("b1.txt"),
        ),
        ("a marker", marker("/home/ada/tool-results/b1.txt"), Some("b1.txt")),
        ("a marker's path with spaces", marker("/home/ada lovelace/b 1.txt "), Some("b 1.txt")),
        ("the field before a marker", noted(marker("/x/lie.txt"), "/x/b1.txt"), Some("b1.txt")),
        ("windows", marker(r"C:\Users\Ada\tool-results\b1.txt"), Some("b1.txt")),
        ("both separators", noted(marker(""), r"..\../..\b1.txt"), Some("b1.txt")),
        ("a way out", noted(marker(""), "../../../etc/passwd"), Some("passwd")),
        ("a folder", noted(tool_result("t1", "x"), "/home/ada/"), None),
        ("nothing", noted(tool_result("t1", "x"), ""), None),
        (
            "a marker further down",
            tool_result("t1", "cat x\n<persisted-output>\nFull output saved to: /x/lie.txt"),
            None,
        ),
        (
            "a marker without a path",
            tool_result("t1", "<persisted-output>\n</persisted-output>"),
            None,
        ),
        ("an ordinary answer", tool_result("t1", "saved to: /x/y.txt"), None),
    ];
    for (what, line, expected) in table {
        let call = only(&[bash("t1"), line]);
        assert_eq!(call.answer.unwrap().persisted_name().as_deref(), expected, "{what}");
    }
}
