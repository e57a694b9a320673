//! A conversation with hostile text everywhere: prompts, tool calls and results, paths,
//! agents, branches. It is shown, but its control characters never reach the terminal.

use crate::cli::support::exercises::coloured_text_calls;
use crate::cli::support::hostile_text::{EVIL, assert_harmless};
use crate::cli::support::run::annals;
use serde_json::{Value, json};
use testkit::{
    Line, Sandbox, answered, assistant, attachment, chained, session_id, system, tool_error,
    tool_result, tool_use, user,
};

const ID: &str = "00000001";

/// A call and its result, with the structured result of Claude Code.
fn call(id: &str, tool: &str, input: &Value, structured: Value) -> [Line; 2] {
    answered(id, tool, input, &format!("{EVIL}\n{EVIL}"), structured)
}

/// A call of every tool that has a summary.
fn calls() -> Vec<Line> {
    let hunks = json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1,
        "lines": [format!(" {EVIL}"), format!("-{EVIL}"), format!("+{EVIL}")]}]);
    let path = format!("/home/ada/{EVIL}.rs");
    let commit = json!({"stdout": format!("[{EVIL} 1234567] {EVIL}\n[main 1234567] {EVIL}"),
        "stderr": EVIL, "returnCodeInterpretation": EVIL,
        "gitOperation": {"push": {"branch": EVIL}, "pr": {"url": EVIL, "number": 1}}});
    [
        call("t1", "Read", &json!({"file_path": path}), json!({"file": {"numLines": 1}})),
        call("t2", "Edit", &json!({"file_path": path}), json!({"structuredPatch": hunks})),
        call(
            "t3",
            "Write",
            &json!({"file_path": path, "content": EVIL}),
            json!({"type": "create"}),
        ),
        call(
            "t4",
            "Bash",
            &json!({"command": format!("git commit; {EVIL}"), "description": EVIL}),
            commit,
        ),
        call("t5", "Grep", &json!({"pattern": EVIL, "path": EVIL}), json!({"numFiles": 1})),
        call("t6", "WebFetch", &json!({"url": EVIL}), json!({"code": 200})),
        call("t7", "TodoWrite", &json!({"todos": [{"content": EVIL, "status": EVIL}]}), json!({})),
        call("t8", "ExitPlanMode", &json!({"plan": format!("# {EVIL}")}), json!({})),
        call(
            "t9",
            "AskUserQuestion",
            &json!({"questions": [{"question": EVIL}]}),
            json!({"answers": {EVIL: EVIL}}),
        ),
        call("t10", "Skill", &json!({"skill": EVIL, "args": EVIL}), json!(EVIL)),
        call("t11", &format!("mcp__{EVIL}__{EVIL}"), &json!({EVIL: EVIL}), json!([EVIL])),
        call("t12", "NotebookEdit", &json!({"notebook_path": path, "new_source": EVIL}), json!({})),
        call(
            "t13",
            "Task",
            &json!({"subagent_type": EVIL, "description": EVIL, "prompt": EVIL}),
            json!({"agentId": EVIL, "persistedOutputPath": format!("/x/{EVIL}")}),
        ),
        [
            tool_use(EVIL, EVIL, &json!({"command": EVIL})).with("attributionSkill", EVIL),
            tool_error(EVIL, EVIL).with("toolDenialKind", EVIL),
        ],
    ]
    .concat()
}

/// All other text that is shown.
fn words() -> Vec<Line> {
    let markdown = format!(
        "# {EVIL}\n\n- [{EVIL}]({EVIL})\n\n```{EVIL}\n{EVIL}\n```\n\n| {EVIL} |\n|---|\n| `{EVIL}` |"
    );
    let source = json!({"type": "base64", "media_type": EVIL, "data": "AA"});
    vec![
        user("").message(
            "content",
            json!([{"type": "text", "text": EVIL}, {"type": "image", "source": source},
                {"type": "document", "title": EVIL, "source": source}]),
        ),
        assistant("").message(
            "content",
            json!([{"type": "thinking", "thinking": EVIL}, {"type": "text", "text": markdown},
                {"type": EVIL}]),
        ),
        system("local_command").with("content", format!("<{EVIL}>{EVIL}")),
        system("api_error").with("error", json!({"message": EVIL})),
        assistant(EVIL).with("isApiErrorMessage", true),
        attachment(&json!({"type": "queued_command", "prompt": EVIL})),
        assistant(EVIL).message("model", EVIL),
        user(&format!("<task-notification>{EVIL}</task-notification>")),
        tool_result("elsewhere", EVIL),
    ]
}

fn story() -> Sandbox {
    let sandbox = Sandbox::new();
    let boundary = system("compact_boundary")
        .with("compactMetadata", json!({"trigger": EVIL, "preTokens": 9, "postTokens": 1}));
    let summary = user(EVIL).with("isCompactSummary", true);
    let lines = [words(), calls(), vec![boundary, summary], words(), calls()].concat();
    let mut lines = chained(lines);
    let middle = lines.iter().position(|line| line.to_string().contains("compact_boundary"));
    let middle = middle.unwrap();
    lines[middle] = lines[middle].clone().with("parentUuid", Value::Null);
    let last = format!("u{}", lines.len());
    let undone = |uuid: &str| user(EVIL).link(uuid, Some(&last));
    let own = lines.into_iter().chain([
        undone("abandoned"),
        user(EVIL).link("orphaned", Some(EVIL)).at("2020-01-01T00:00:00Z"),
        undone("live").with("forkedFrom", json!({"sessionId": EVIL})),
    ]);
    let own = own.map(|line| line.with("sessionId", session_id(1)).cwd("/home/ada"));
    sandbox.session("/home/ada", &session_id(1), own);
    let folder = format!("projects/-home-ada/{}", session_id(1));
    let side = [words(), calls()].concat().into_iter().map(|line| line.with("isSidechain", true));
    let side: String = chained(side).into_iter().map(|line| line.to_string() + "\n").collect();
    let meta =
        json!({"agentType": EVIL, "description": EVIL, "model": EVIL, "workflowPhase": EVIL});
    for name in [format!("agent-{EVIL}"), format!("workflows/wf_{EVIL}/agent-flow")] {
        sandbox.write(&format!("{folder}/subagents/{name}.jsonl"), &side);
        sandbox.write(&format!("{folder}/subagents/{name}.meta.json"), meta.to_string());
    }
    let run = json!({"workflowName": EVIL, "status": EVIL, "summary": EVIL});
    sandbox.write(&format!("{folder}/workflows/wf_{EVIL}.json"), run.to_string());
    sandbox.write(&format!("{folder}/tool-results/{EVIL}"), format!("{EVIL}\n{EVIL}"));
    sandbox
}

/// Calls that need this conversation, in addition to those for every store.
const ABOUT_THIS_STORE: &[&[&str]] = &[
    &["show", ID, "--view", "sdk"],
    &["grep", "(?s)."],
    &["tools", "--stats"],
    &["files"],
    &["show", ID, "--generation", "1", "--thinking", "--tools", "full"],
    &["show", ID, "--abandoned", "1"],
    &["show", ID, "--last", "1"],
    &["show", ID, "--find", "owned"],
    &["show", ID, "--find", EVIL],
    &["show", ID, "--find", "\u{1b}]0;no such words"],
    &["show", "flow", "--tools", "full"],
    &["show", EVIL],
    &["tree", "flow"],
    &["tools", ID, "--errors"],
    &["tools", "--tool", EVIL],
    &["files", EVIL, "--reads"],
];

fn calls_to_make() -> Vec<Vec<&'static str>> {
    let about_this_store = ABOUT_THIS_STORE.iter().map(|call| call.to_vec());
    coloured_text_calls(ID).into_iter().chain(about_this_store).collect()
}

#[test]
fn conversation_text_is_always_escaped() {
    let sandbox = story();
    for arguments in calls_to_make() {
        assert_harmless(&sandbox, &sandbox.config(), &arguments);
    }
}

#[test]
fn hostile_text_is_really_shown() {
    let sandbox = story();
    let shown = |arguments: &[&str]| annals(&sandbox, arguments).done().out;
    let marks = |text: &str| text.matches(r"\u{1b}[2J").count();
    let full = shown(&["show", ID, "--thinking", "--tools", "full", "--agents", "inline"]);
    assert!(marks(&full) > 150, "{}", marks(&full));
    for words in [
        "⎇ abandoned branch: 1 message",
        "╌╌ orphaned segment: ",
        "── compacted (",
        "Workflow ",
        "  │ ❯ ",
    ] {
        assert!(full.contains(words), "{words}");
    }
    assert!(marks(&shown(&["tree", ID])) >= 10);
    assert!(marks(&shown(&["tools", ID])) >= 14);
    assert!(marks(&shown(&["agents", ID])) >= 4);
}

#[test]
fn only_annals_sets_colours() {
    let sandbox = story();
    for arguments in calls_to_make() {
        let mut command = crate::cli::support::run::command(&sandbox, &arguments);
        let answer = crate::cli::support::run::run(command.arg("--color").arg("always"));
        let plain = without_colours(&answer.out);
        assert!(answer.code != 0 || plain != answer.out, "{arguments:?} has colours");
        let found = plain.find(crate::cli::support::hostile_text::is_forbidden);
        assert_eq!(found.map(|at| &plain[at..]), None, "{arguments:?}");
    }
}

/// A text without the sequences that only set colours.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !(c.is_ascii_digit() || c == ';')).unwrap_or(piece.len());
        match piece[end..].strip_prefix('m') {
            Some(rest) => plain += rest,
            None => plain += &format!("\u{1b}[{piece}"),
        }
    }
    plain
}
