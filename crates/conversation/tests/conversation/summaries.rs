//! Summaries of calls to the well-known tools: files read and changed, commands run,
//! and their git actions.

use conversation::{Calls, GitAction, Question, Status, Summary, Todo, ToolCall, git_actions};
use serde_json::{Value, json};
use testkit::{Line, file, tool_error, tool_result, tool_use};

/// A call and its answer.
fn call(tool: &str, input: &Value, answer: Line) -> ToolCall<'static> {
    let bytes: &'static [u8] = file(&[tool_use("t1", tool, input), answer]).leak();
    let mut calls = Calls::default();
    for entry in transcript::entries(bytes) {
        calls.note(entry.line, entry.record);
    }
    calls.into_vec().remove(0)
}

/// A call whose answer has a structured result.
fn with_structured(tool: &str, input: &Value, text: &str, structured: Value) -> ToolCall<'static> {
    call(tool, input, tool_result("t1", text).with("toolUseResult", structured))
}

/// A call without an answer.
fn asked(tool: &str, input: &Value) -> ToolCall<'static> {
    call(tool, input, tool_result("another", "x"))
}

#[test]
fn a_read_has_the_file_and_the_lines() {
    let table = [
        (
            json!({"file_path": "/a"}),
            json!({"file": {"startLine": 1, "numLines": 9}}),
            None,
            Some(9),
        ),
        (
            json!({"file_path": "/a", "offset": 40, "limit": 100}),
            json!({"file": {"startLine": 40, "numLines": 12, "totalLines": 51}}),
            Some(40),
            Some(12),
        ),
        (json!({"file_path": "/a", "offset": 40, "limit": 100}), json!(null), Some(40), Some(100)),
        (json!({"file_path": "/a", "offset": "x"}), json!({"file": "x"}), None, None),
    ];
    for (input, structured, from, lines) in table {
        let call = with_structured("Read", &input, "text", structured);
        assert_eq!(call.summary(), Summary::Read { path: "/a".into(), from, lines }, "{input}");
    }
    let notebook = asked("NotebookRead", &json!({"notebook_path": "/n.ipynb"}));
    let read = Summary::Read { path: "/n.ipynb".into(), from: None, lines: None };
    assert_eq!(notebook.summary(), read);
}

/// The diff of a call, with whether the file is new.
fn change(call: &ToolCall<'_>) -> (bool, String, u64, u64) {
    match call.summary() {
        Summary::Change { is_new, diff, .. } => (is_new, diff.text, diff.added, diff.removed),
        other => panic!("{other:?}"),
    }
}

#[test]
fn changes_are_diffs_from_the_best_source_available() {
    let patch = json!([{"oldStart": 3, "oldLines": 2, "newStart": 3, "newLines": 2,
        "lines": [" a", "-b", "+c"]}]);
    let edit = json!({"file_path": "/f", "old_string": "x\n", "new_string": "x\ny\n"});
    let cells = json!({"notebook_path": "/f", "cell_id": "c", "new_source": "print(1)"});
    let edits = json!({"file_path": "/f", "edits": [
        {"old_string": "a", "new_string": "b"},
        {"old_string": "c", "new_string": ""},
        {"old_string": "incomplete"}]});
    let write = json!({"file_path": "/f", "content": "one\ntwo\n"});
    let head = "--- /f\n+++ /f\n";
    let table = [
        (
            "the app's patch before the call's words",
            with_structured("Edit", &edit, "ok", json!({"structuredPatch": patch})),
            (false, format!("{head}@@ -3,2 +3,2 @@\n a\n-b\n+c\n"), 1, 1),
        ),
        (
            "old and new",
            with_structured("Edit", &edit, "ok", json!({"structuredPatch": []})),
            (false, format!("{head}@@ -1,1 +1,2 @@\n x\n+y\n"), 1, 0),
        ),
        (
            "unanswered",
            asked("Edit", &edit),
            (false, format!("{head}@@ -1,1 +1,2 @@\n x\n+y\n"), 1, 0),
        ),
        (
            "several edits",
            with_structured("MultiEdit", &edits, "ok", json!({})),
            (false, format!("{head}@@ -1,1 +1,1 @@\n-a\n+b\n@@ -1,1 +1,0 @@\n-c\n"), 1, 2),
        ),
        (
            "a new file",
            with_structured(
                "Write",
                &write,
                "ok",
                json!({"type": "create", "structuredPatch": []}),
            ),
            (true, "--- /dev/null\n+++ /f\n@@ -1,0 +1,2 @@\n+one\n+two\n".to_owned(), 2, 0),
        ),
        (
            "a file written over, with a patch",
            with_structured(
                "Write",
                &write,
                "ok",
                json!({"type": "update", "structuredPatch": patch}),
            ),
            (false, format!("{head}@@ -3,2 +3,2 @@\n a\n-b\n+c\n"), 1, 1),
        ),
        (
            "a file written over, with what it was",
            with_structured(
                "Write",
                &write,
                "ok",
                json!({"type": "update", "originalFile": "one\n2\n"}),
            ),
            (false, format!("{head}@@ -1,2 +1,2 @@\n one\n-2\n+two\n"), 1, 1),
        ),
        (
            "a cell",
            with_structured("NotebookEdit", &cells, "ok", json!({})),
            (false, format!("{head}@@ -1,0 +1,1 @@\n+print(1)\n"), 1, 0),
        ),
        ("nothing", asked("Edit", &json!({"file_path": "/f"})), (false, head.to_owned(), 0, 0)),
    ];
    for (what, call, expected) in table {
        assert_eq!(change(&call), expected, "{what}");
        assert!(call.is_change(), "{what}");
        assert_eq!(call.files(), ["/f"], "{what}");
    }
}

/// A command with its exit code and output.
fn shell(input: &Value, answer: Line) -> (String, Option<i64>, String, String, Option<String>) {
    match call("Bash", input, answer).summary() {
        Summary::Shell { command, exit_code, stdout, stderr, background, .. } => (
            command.into_owned(),
            exit_code,
            stdout.into_owned(),
            stderr.into_owned(),
            background.map(std::borrow::Cow::into_owned),
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn commands_have_exit_codes_and_output() {
    let done = |structured: Value| tool_result("t1", "text").with("toolUseResult", structured);
    let both = json!({"stdout": "out", "stderr": "err", "interrupted": false});
    let odd = json!({"stdout": "", "stderr": "", "returnCodeInterpretation": "No matches found"});
    let later = json!({"stdout": "", "stderr": "", "backgroundTaskId": "b7"});
    let cut = json!({"stdout": "ou", "stderr": "", "interrupted": true});
    let table = [
        ("done", done(both.clone()), Some(0), "out", "err", None),
        ("a code beside it", done(json!({"stdout": "o", "exitCode": 3})), Some(3), "o", "", None),
        ("a code and no output", done(json!({"exitCode": 4})), Some(4), "text", "", None),
        ("files and no code", done(json!({"filePath": "/f"})), None, "text", "", None),
        ("only the text", tool_result("t1", "text"), None, "text", "", None),
        ("failed", tool_error("t1", "Exit code 2\nno"), Some(2), "Exit code 2\nno", "", None),
        (
            "failed badly",
            tool_error("t1", "Exit code 3221225794"),
            Some(3_221_225_794),
            "Exit code 3221225794",
            "",
            None,
        ),
        (
            "denied",
            tool_error("t1", "This command requires approval"),
            None,
            "This command requires approval",
            "",
            None,
        ),
        ("a code that means something", done(odd), None, "", "", None),
        ("sent behind", done(later), None, "", "", Some("b7")),
        ("cut off", done(cut), None, "ou", "", None),
        ("unanswered", tool_result("another", "x"), None, "", "", None),
    ];
    for (what, answer, code, stdout, stderr, background) in table {
        let shown = shell(&json!({"command": "make"}), answer);
        let expected = (
            "make".to_owned(),
            code,
            stdout.to_owned(),
            stderr.to_owned(),
            background.map(str::to_owned),
        );
        assert_eq!(shown, expected, "{what}");
    }
}

#[test]
fn searches_have_the_number_of_hits() {
    let table = [
        (
            "Grep",
            json!({"pattern": "x", "output_mode": "content"}),
            json!({"numFiles": 0, "numLines": 7}),
            Some(7),
        ),
        (
            "Grep",
            json!({"pattern": "x", "output_mode": "count"}),
            json!({"numFiles": 2, "numMatches": 9}),
            Some(9),
        ),
        ("Grep", json!({"pattern": "x"}), json!({"numFiles": 2, "numLines": 7}), Some(2)),
        ("Glob", json!({"pattern": "x"}), json!({"numFiles": 4, "truncated": false}), Some(4)),
        ("Glob", json!({"pattern": "x"}), json!("No files found"), None),
    ];
    for (tool, input, structured, found) in table {
        let call = with_structured(tool, &input, "text", structured);
        let expected = Summary::Search { pattern: "x".into(), path: None, found };
        assert_eq!(call.summary(), expected, "{tool} {input}");
    }
    let listing = asked("LS", &json!({"path": "/src"}));
    let expected = Summary::Search { pattern: "".into(), path: Some("/src".into()), found: None };
    assert_eq!(listing.summary(), expected);
}

#[test]
fn agents_have_the_agent_that_was_started() {
    let input = json!({"subagent_type": "Explore", "description": "look", "prompt": "Look around"});
    let structured = json!({"agentId": "a1", "totalTokens": 900, "totalToolUseCount": 4});
    for tool in ["Task", "Agent"] {
        let call = with_structured(tool, &input, "done", structured.clone());
        assert!(call.is_spawn());
        let expected = Summary::Agent {
            kind: Some("Explore".into()),
            description: Some("look".into()),
            agent_id: Some("a1".into()),
            tokens: Some(900),
            calls: Some(4),
        };
        assert_eq!(call.summary(), expected, "{tool}");
    }
    assert!(!asked("TaskCreate", &input).is_spawn());
}

#[test]
fn every_other_tool_of_the_app_has_a_summary() {
    let questions = json!({"questions": [
        {"question": "Which \"sea\"?", "options": []}, {"question": "When?"}, {"header": "no question"}]});
    let answers = json!({"answers": {"Which \"sea\"?": "the north", "Why?": "because"}});
    let todos = json!({"todos": [{"content": "look", "status": "completed"}, {"content": "leap"}]});
    let table = [
        (
            with_structured(
                "WebFetch",
                &json!({"url": "https://example.org", "prompt": "x"}),
                "t",
                json!({"code": 404}),
            ),
            Summary::Web { target: "https://example.org".into(), code: Some(404) },
        ),
        (
            asked("WebSearch", &json!({"query": "tides"})),
            Summary::Web { target: "tides".into(), code: None },
        ),
        (
            asked("TodoWrite", &todos),
            Summary::Todos(vec![
                Todo { text: "look".into(), status: "completed".into() },
                Todo { text: "leap".into(), status: "".into() },
            ]),
        ),
        (asked("ExitPlanMode", &json!({"plan": "# Do it"})), Summary::Plan("# Do it".into())),
        (
            with_structured("ExitPlanMode", &json!({}), "ok", json!({"plan": "# From the file"})),
            Summary::Plan("# From the file".into()),
        ),
        (
            with_structured("AskUserQuestion", &questions, "ok", answers),
            Summary::Questions(vec![
                Question { question: "Which \"sea\"?".into(), answer: Some("the north".into()) },
                Question { question: "When?".into(), answer: None },
            ]),
        ),
        (
            asked("Skill", &json!({"skill": "review", "args": "12"})),
            Summary::Skill { name: "review".into(), arguments: Some("12".into()) },
        ),
        (
            asked("Skill", &json!({"command": "review"})),
            Summary::Skill { name: "review".into(), arguments: None },
        ),
        (
            asked("mcp__github__get_issue", &json!({"owner": "ada", "query": "tides"})),
            Summary::Other { argument: Some("tides".into()) },
        ),
        (
            asked("Unheard", &json!({"number": 7, "deep": {"text": "first"}, "more": "second"})),
            Summary::Other { argument: Some("first".into()) },
        ),
        (asked("Unheard", &json!({"number": 7})), Summary::Other { argument: None }),
    ];
    for (call, expected) in table {
        assert_eq!(call.summary(), expected, "{}", call.tool);
        assert_eq!(call.files(), Vec::<String>::new());
    }
}

#[test]
fn mcp_tools_have_a_server_and_a_tool_name() {
    let table = [
        ("mcp__github__get_issue", Some(("github", "get_issue"))),
        ("mcp__my_server__a__b", Some(("my_server", "a__b"))),
        ("mcp__bare", Some(("bare", ""))),
        ("Bash", None),
    ];
    for (tool, expected) in table {
        assert_eq!(asked(tool, &json!({})).mcp(), expected, "{tool}");
    }
}

fn commit(hash: &str, branch: Option<&str>, subject: Option<&str>) -> GitAction {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    GitAction::Commit { hash: hash.to_owned(), branch: owned(branch), subject: owned(subject) }
}

fn request(number: u64) -> GitAction {
    let url = format!("https://github.com/ada/tides/pull/{number}");
    GitAction::PullRequest { number: Some(number), url: Some(url) }
}

#[test]
fn commands_have_their_git_actions() {
    let made = "[main 1a2b3c4] Fix the tides\n 1 file changed, 2 insertions(+)";
    let opened = "Creating pull request\nhttps://github.com/ada/tides/pull/12\n";
    let fixed = || commit("1a2b3c4", Some("main"), Some("Fix the tides"));
    let table = [
        ("git commit -m x", json!({"stdout": made}), vec![fixed()]),
        ("git add . && git commit -m x", json!({"stdout": made}), vec![fixed()]),
        ("gh pr create --fill", json!({"stdout": opened}), vec![request(12)]),
        (
            "git commit -m x && gh pr create --fill",
            json!({"stdout": format!("{made}\n{opened}")}),
            vec![fixed(), request(12)],
        ),
        (
            "git commit -m a && git commit -m b",
            json!({"stdout": "[x 1111111] a\n[x 2222222] b"}),
            vec![commit("1111111", Some("x"), Some("a")), commit("2222222", Some("x"), Some("b"))],
        ),
        (
            "git push",
            json!({"stdout": "", "gitOperation": {"push": {"branch": "tides"}}}),
            vec![GitAction::Push { branch: Some("tides".to_owned()) }],
        ),
        // A recorded action is not listed twice.
        (
            "git commit -m x",
            json!({"stdout": made, "gitOperation": {"commit": {"sha": "1a2b3c4", "kind": "committed"}}}),
            vec![commit("1a2b3c4", Some("main"), Some("Fix the tides"))],
        ),
        // A recorded action counts whatever the command is.
        (
            "make release",
            json!({"stdout": "", "gitOperation": {"push": {"branch": "main"}, "commit": null}}),
            vec![GitAction::Push { branch: Some("main".to_owned()) }],
        ),
    ];
    for (command, structured, expected) in table {
        let call = with_structured("Bash", &json!({"command": command}), "", structured);
        assert_eq!(git_actions(&call), expected, "{command}");
        let Summary::Shell { git_actions, .. } = call.summary() else { panic!("{command}") };
        assert_eq!(git_actions, expected, "{command}");
    }
    let from_text = call("Bash", &json!({"command": "git commit"}), tool_result("t1", made));
    assert_eq!(git_actions(&from_text), [fixed()], "old transcripts have only the text");
}

#[test]
fn output_that_only_looks_like_a_git_action_is_ignored() {
    let made = "[main 1a2b3c4] Fix the tides";
    let url = "https://github.com/ada/tides/pull/12";
    let bash = |command: &str, answer: Line| call("Bash", &json!({"command": command}), answer);
    let table = [
        ("a log", bash("git log", tool_result("t1", made))),
        ("a file", bash("cat commit.txt", tool_result("t1", made))),
        ("a view", bash("gh pr view 12", tool_result("t1", url))),
        ("a list", bash("gh pr list", tool_result("t1", url))),
        (
            "an address in a sentence",
            bash("gh pr create", tool_result("t1", &format!("see {url}"))),
        ),
        ("a failure", bash("git commit", tool_error("t1", made))),
        ("a denial", bash("git commit", tool_result("t1", made).with("toolDenialKind", "rule"))),
        ("no answer", bash("git commit", tool_result("another", made))),
        ("a linter", bash("git commit", tool_result("t1", "[lint] $ golangci-lint run"))),
        ("another tool", call("Read", &json!({"command": "git commit"}), tool_result("t1", made))),
    ];
    for (what, call) in table {
        assert_eq!(git_actions(&call), [], "{what}, {:?}", Status::name(call.status()));
    }
}
