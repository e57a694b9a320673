//! What the screen looks like in every state, at every size, plain and coloured.

use super::store::{CWD, Store, library};
use crate::app::App;
use crate::event::Event;
use crate::screen::Opening;
use crate::testing::{SIZES, colored, drawn, now, plain};
use library::archive::SyncOptions;
use library::progress::NoProgress;
use serde_json::json;
use testkit::{
    Line, Sandbox, answered, assistant, call, chained, metadata, session_id, system, tool_error,
    tool_result, tool_use, user,
};

fn titled(lines: Vec<Line>, title: &str) -> Vec<Line> {
    let lines = lines.into_iter().enumerate().map(|(number, line)| {
        line.at(&format!("2026-03-01T11:{:02}:{:02}Z", number / 6, number % 6 * 10))
    });
    let title = metadata("custom-title", &[("customTitle", title.into())]);
    lines.map(|line| line.cwd(CWD).with("sessionId", session_id(1))).chain([title]).collect()
}

fn edit(id: &str) -> [Line; 2] {
    let path = format!("{CWD}/tests/login.rs");
    let input =
        json!({"file_path": path, "old_string": "sleep(5)", "new_string": "app.clock.advance(5)"});
    let hunks = json!([{"oldStart": 8, "oldLines": 3, "newStart": 8, "newLines": 3,
        "lines": [" fn login() {", "-    sleep(5);", "+    app.clock.advance(5);", " }"]}]);
    let structured = json!({"filePath": path, "oldString": "sleep(5)",
        "newString": "app.clock.advance(5)", "structuredPatch": hunks});
    answered(id, "Edit", &input, "The file was updated.", structured)
}

/// Three turns: a failing command with much output, an edit, thinking.
fn usual() -> Vec<Line> {
    let cases: Vec<String> =
        (1..=40).map(|number| format!("test case_{number} ... ok\n")).collect();
    let output = cases.concat();
    let thought =
        json!([{"type": "thinking", "thinking": "The clock is never moved.", "signature": "x"}]);
    let mut lines = vec![
        user("The login test fails every third run. Why?"),
        tool_use("t1", "Bash", &json!({"command": "cargo test --test login"})),
        tool_error("t1", "Exit code 101\nthread 'login' panicked at tests/login.rs:9"),
        assistant("It waits for **real time**.\n\n- the clock is not injected\n- `sleep(5)` races"),
        user("Please don't just sleep longer"),
        assistant("x").message("content", thought),
    ];
    lines.extend(edit("t2"));
    lines.extend([
        tool_use("t3", "Bash", &json!({"command": "cargo test --test login"})),
        tool_result("t3", &output),
        assistant("The test moves the clock now.\n\n```rust\nlet clock = Clock::fixed();\n```"),
        user("Yes, but in a helper"),
        call("m9", [400, 80, 0, 84_000]),
        assistant("Done: `advance_clock` is in `tests/support.rs`."),
    ]);
    titled(chained(lines), "Fix the flaky login test")
}

/// All sizes, plain and coloured, of an app in some state.
fn looks(mut open: impl FnMut((u16, u16)) -> App) -> String {
    let mut text = String::new();
    for size in SIZES {
        let buffer = drawn(&mut open(size), size);
        let (columns, rows) = size;
        text += &format!("── {columns}×{rows} ──\n{}", plain(&buffer));
        text += &format!("── {columns}×{rows}, coloured ──\n{}", colored(&buffer));
    }
    text
}

fn usual_after(keys: &str) -> String {
    let store = Store::new(&usual());
    looks(|size| {
        let mut app = store.app(size);
        store.keys(&mut app, keys);
        app
    })
}

#[test]
fn session_opens_at_its_last_prompt() {
    insta::assert_snapshot!(usual_after(""));
}

#[test]
fn conversation_begins_at_the_top() {
    insta::assert_snapshot!(usual_after("g"));
}

#[test]
fn tools_are_off_or_full() {
    let store = Store::new(&usual());
    let shown = |keys: &str| {
        let mut app = store.app((80, 24));
        store.keys(&mut app, keys);
        plain(&drawn(&mut app, (80, 24)))
    };
    insta::assert_snapshot!("tools_off", usual_after("t t g"));
    insta::assert_snapshot!("tools_calls", usual_after("t t t g"));
    let off = shown("t t g");
    assert!(off.contains("tools: off") && !off.contains("cargo test"), "{off}");
    let calls = shown("t t t g");
    assert!(calls.contains("tools: calls") && calls.contains("cargo test"), "{calls}");
    assert!(!calls.contains("panicked"), "{calls}");
    insta::assert_snapshot!("tools_full", usual_after("t G pageup"));
    insta::assert_snapshot!("thinking_without_diffs", usual_after("T d g J J K"));
}

#[test]
fn outline_has_the_keys() {
    insta::assert_snapshot!(usual_after("h k"));
}

#[test]
fn matches_are_marked_and_visited() {
    let store = Store::new(&usual());
    insta::assert_snapshot!("finding", usual_after("g / C L O"));
    insta::assert_snapshot!("match", usual_after("g / C L O C K enter"));
    let mut app = store.app((80, 24));
    store.keys(&mut app, "g / C L O C K enter");
    store.keys(&mut app, "n n n n n");
    assert!(plain(&drawn(&mut app, (80, 24))).contains("went around"));
    store.keys(&mut app, "/ z z z enter");
    assert!(plain(&drawn(&mut app, (80, 24))).contains("No match"));
}

#[test]
fn search_hit_is_opened_at_its_turn() {
    let store = Store::new(&usual());
    let turn = "2".parse().ok();
    let opening =
        Opening { id: session_id(1), turn, query: "clock".to_owned(), ..Opening::default() };
    let shown = colored(&drawn(&mut store.opened(opening, (80, 24)), (80, 24)));
    assert!(shown.contains("turn 2/3"), "{shown}");
    assert!(shown.contains("{black/yellow}clock"), "{shown}");
}

#[test]
fn folded_turn_is_its_prompt() {
    insta::assert_snapshot!(usual_after("g o"));
}

#[test]
fn loading_and_failure_are_said() {
    let store = Store::new(&usual());
    let opening =
        || Opening { id: session_id(1), title: Some("Tides".to_owned()), ..Opening::default() };
    let loading = looks(|size| {
        let mut app = crate::testing::app(super::super::screen(opening()), size);
        app.handle(&Event::Resize);
        app
    });
    insta::assert_snapshot!("loading", loading);
    let gone = || Opening { id: session_id(9), ..Opening::default() };
    insta::assert_snapshot!("not_found", looks(|size| store.opened(gone(), size)));
}

#[test]
fn empty_session_says_so() {
    let store = Store::new(&[metadata("custom-title", &[("customTitle", "Nothing".into())])]);
    insta::assert_snapshot!(looks(|size| store.app(size)));
}

#[test]
fn abandoned_branches_stand_where_they_left() {
    let mut lines = usual();
    let prompt = user("Sleep ten seconds then").link("b1", Some("u4")).cwd(CWD);
    let answer = assistant("Fine, ten.").link("b2", Some("b1")).message("id", "mb").cwd(CWD);
    let place = 4;
    for (number, line) in [prompt, answer].into_iter().enumerate() {
        let line =
            line.at(&format!("2026-03-01T11:00:3{number}Z")).with("sessionId", session_id(1));
        lines.insert(place + number, line);
    }
    let store = Store::new(&lines);
    insta::assert_snapshot!(looks(|size| {
        let mut app = store.app(size);
        store.keys(&mut app, "g J");
        app
    }));
    let after = |keys: &str, size| {
        let mut app = store.app(size);
        store.keys(&mut app, keys);
        app
    };
    insta::assert_snapshot!("tree", looks(|size| after("b", size)));
    insta::assert_snapshot!("branch", looks(|size| after("b j enter", size)));
    let mut app = after("b j enter", (80, 24));
    store.keys(&mut app, "P");
    assert!(plain(&drawn(&mut app, (80, 24))).contains("Fix the flaky login test"));
}

#[test]
fn orphaned_segments_and_damaged_lines_are_named() {
    let mut lines: Vec<String> = usual().iter().map(ToString::to_string).collect();
    let orphan = user("Where did this come from?").link("o1", Some("gone"));
    let orphan = orphan.at("2026-02-01T08:00:00Z").cwd(CWD).with("sessionId", session_id(1));
    lines.insert(4, orphan.to_string());
    lines.insert(6, "{\"type\":\"user\",\"mess".to_owned());
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), lines);
    let store = Store::of(sandbox);
    insta::assert_snapshot!(looks(|size| {
        let mut app = store.app(size);
        store.keys(&mut app, "g");
        app
    }));
}

#[test]
fn generations_are_visited() {
    let boundary = system("compact_boundary")
        .with("content", "Conversation compacted")
        .with("compactMetadata", json!({"trigger": "auto", "preTokens": 150_000}))
        .with("logicalParentUuid", "u2");
    let summary = user("This session is being continued. Summary: tides.")
        .with("isCompactSummary", true)
        .with("isVisibleInTranscriptOnly", true);
    let lines = vec![
        user("First prompt").link("u1", None),
        assistant("First answer").link("u2", Some("u1")).message("id", "m2"),
        boundary.link("u3", None),
        summary.link("u4", Some("u3")),
        user("Second prompt").link("u5", Some("u4")),
        assistant("Second answer").link("u6", Some("u5")).message("id", "m6"),
    ];
    let store = Store::new(&titled(lines, "Tides twice"));
    insta::assert_snapshot!(looks(|size| {
        let mut app = store.app(size);
        store.keys(&mut app, "[");
        app
    }));
}

#[test]
fn session_in_the_archive_says_so() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), usual());
    let options = SyncOptions { now: now(), only: None, max_age: None };
    library(&sandbox).actions().sync(options, &NoProgress, &|_| ()).expect("an archive");
    sandbox.remove(&path);
    let store = Store::of(sandbox);
    insta::assert_snapshot!(looks(|size| store.app(size)));
    let mut app = store.app((80, 24));
    store.keys(&mut app, ".");
    assert!(plain(&drawn(&mut app, (80, 24))).contains("only in the archive"));
}

#[test]
fn growing_session_is_followed_to_its_end() {
    let lines = usual();
    let store = Store::new(&lines);
    let mut app = store.app((80, 24));
    store.keys(&mut app, ".");
    let more = user("And once more?").link("u99", Some("u14")).cwd(CWD);
    let more = more.at("2026-03-01T11:59:00Z").with("sessionId", session_id(1));
    let path = store
        .sandbox
        .projects()
        .join("-home-ada-tidepool")
        .join(format!("{}.jsonl", session_id(1)));
    store.sandbox.append(&path, format!("{more}\n"));
    let request = crate::work::SessionRequest::Follow {
        id: session_id(1),
        part: library::sessions::Part::Whole,
    };
    for answer in store.answers(crate::worker::Request::Session(request)) {
        app.handle(&Event::Answer(answer));
    }
    let shown = plain(&drawn(&mut app, (80, 24)));
    assert!(shown.contains("And once more?") && shown.contains("turn 4/4"), "{shown}");
    insta::assert_snapshot!(
        "growing",
        looks(|size| {
            let mut app = store.app(size);
            store.keys(&mut app, ".");
            app
        })
    );
    // Who reads something else stays there.
    store.keys(&mut app, "g");
    // Without the header, which has the cost.
    let text = |app: &mut App| -> String {
        plain(&drawn(app, (80, 24))).lines().skip(2).collect::<Vec<_>>().join("\n")
    };
    let before = text(&mut app);
    store
        .sandbox
        .append(&path, format!("{}\n", assistant("Yes.").link("u100", Some("u99")).cwd(CWD)));
    let request = crate::work::SessionRequest::Follow {
        id: session_id(1),
        part: library::sessions::Part::Whole,
    };
    for answer in store.answers(crate::worker::Request::Session(request)) {
        app.handle(&Event::Answer(answer));
    }
    assert_eq!(text(&mut app), before);
}

#[test]
fn hostile_text_is_shown_escaped() {
    let hostile = "\u{1b}[2J\u{1b}]0;title\u{7} \u{202e}drow\u{9b}31m wide 日本語 e\u{301}";
    let lines = chained([
        user(hostile),
        tool_use("t1", "Bash", &json!({"command": hostile})),
        tool_result("t1", hostile),
        assistant(hostile),
    ]);
    let store = Store::new(&titled(lines, hostile));
    let shown = looks(|size| {
        let mut app = store.app(size);
        store.keys(&mut app, "t g");
        app
    });
    assert!(!shown.contains(|c: char| render::untrusted::is_harmful(c)));
    insta::assert_snapshot!(shown);
}

#[test]
fn agents_are_opened_and_left_for_their_parent() {
    let sandbox = Sandbox::new();
    let mut lines = usual();
    let task = json!({"subagent_type": "Explore", "description": "Trace how tokens expire", "prompt": "look"});
    let agent = vec![
        user("look").with("isSidechain", true).with("agentId", "a1").link("x1", None).cwd(CWD),
        assistant("Tokens expire after an hour.")
            .with("isSidechain", true)
            .with("agentId", "a1")
            .link("x2", Some("x1"))
            .cwd(CWD),
    ];
    let last = lines.pop().expect("a title");
    let extra = [
        tool_use("t9", "Task", &task).link("u15", Some("u14")).message("id", "m15"),
        tool_result("t9", "seen")
            .with("toolUseResult", json!({"agentId": "a1"}))
            .link("u16", Some("u15")),
    ];
    for line in extra {
        lines.push(line.at("2026-03-01T11:30:00Z").cwd(CWD).with("sessionId", session_id(1)));
    }
    lines.push(last);
    sandbox.session(CWD, &session_id(1), &lines);
    sandbox.agent(CWD, &session_id(1), "agent-a1", agent);
    let store = Store::of(sandbox);
    insta::assert_snapshot!(
        "agents",
        looks(|size| {
            let mut app = store.app(size);
            store.keys(&mut app, "s");
            app
        })
    );
    let mut app = store.app((80, 24));
    store.keys(&mut app, "s enter");
    let shown = plain(&drawn(&mut app, (80, 24)));
    assert!(shown.contains("Tokens expire after an hour"), "{shown}");
    store.keys(&mut app, "P");
    assert!(plain(&drawn(&mut app, (80, 24))).contains("Fix the flaky login test"));
    // Enter opens the agent whose call is visible.
    store.keys(&mut app, "G enter");
    assert!(plain(&drawn(&mut app, (80, 24))).contains("Tokens expire after an hour"));
}

#[test]
fn windows_show_calls_files_plans_marks_and_usage() {
    let store = Store::new(&usual());
    for (name, keys) in [
        ("calls", "c"),
        ("failed_calls", "c e"),
        ("files", "F"),
        ("file_history", "F enter"),
        ("plans", "p"),
        ("marks", "M"),
        ("usage", "u"),
        ("keys", "?"),
    ] {
        insta::assert_snapshot!(format!("window_{name}"), usual_after(keys));
    }
    // A call is visited.
    let mut app = store.app((80, 24));
    store.keys(&mut app, "c g enter");
    let shown = plain(&drawn(&mut app, (80, 24)));
    assert!(shown.contains("turn 1/3") && shown.contains("exit 101"), "{shown}");
}
