//! The sessions of other coding agents: found, shown, counted, never changed.

use crate::cli::commands::watch::Looking;
use crate::cli::support::mcp_client::Talk;
use crate::cli::support::run::{annals, command, run};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, assistant, chained, fingerprint, session_id, user};

pub(crate) const THREAD: &str = "0198f2a0-0000-7000-8000-000000000001";
const FORK: &str = "0198f2a0-0000-7000-8000-000000000002";

fn line(kind: &str, second: u32, payload: &Value) -> Value {
    json!({"timestamp": format!("2026-01-31T12:00:{second:02}.000Z"), "type": kind, "payload": payload})
}

/// A thread of Codex with a command, a patch and two API calls.
pub(crate) fn codex_lines(id: &str) -> Vec<Value> {
    let usage = |total: u64| {
        let counts = |factor: u64| {
            json!({"input_tokens": 1000 * factor, "cached_input_tokens": 600 * factor,
                "output_tokens": 10 * factor, "reasoning_output_tokens": 3 * factor,
                "total_tokens": 1010 * factor})
        };
        json!({"type": "token_count",
            "info": {"total_token_usage": counts(total), "last_token_usage": counts(1)}})
    };
    let patch = "*** Begin Patch\n*** Update File: tide.rs\n@@\n-low\n+high\n*** End Patch";
    vec![
        line(
            "session_meta",
            0,
            &json!({"id": id, "timestamp": "2026-01-31T12:00:00Z", "cwd": "/work/kelp",
            "originator": "codex_cli", "cli_version": "0.120.0", "source": "cli",
            "git": {"branch": "reef"}}),
        ),
        line(
            "turn_context",
            1,
            &json!({"turn_id": "turn-1", "cwd": "/work/kelp", "model": "gpt-5.1-codex"}),
        ),
        line("event_msg", 2, &json!({"type": "user_message", "message": "Raise the tide"})),
        line(
            "response_item",
            3,
            &json!({"type": "function_call", "name": "exec_command",
            "arguments": "{\"cmd\":\"ls\"}", "call_id": "call-1"}),
        ),
        line(
            "response_item",
            4,
            &json!({"type": "function_call_output", "call_id": "call-1", "output": "tide.rs"}),
        ),
        line("event_msg", 4, &usage(1)),
        line(
            "response_item",
            5,
            &json!({"type": "custom_tool_call", "status": "completed",
            "call_id": "call-2", "name": "apply_patch", "input": patch}),
        ),
        line(
            "response_item",
            6,
            &json!({"type": "custom_tool_call_output", "call_id": "call-2",
            "output": "{\"output\":\"Success. Updated the following files:\\nM tide.rs\\n\",\"metadata\":{\"exit_code\":0}}"}),
        ),
        line("event_msg", 7, &json!({"type": "agent_message", "message": "The tide is high."})),
        line("event_msg", 8, &usage(2)),
        line("event_msg", 9, &usage(2)),
    ]
}

pub(crate) fn text_of(lines: &[Value]) -> String {
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

pub(crate) fn write_codex(sandbox: &Sandbox, id: &str, text: &str) -> PathBuf {
    let folder = sandbox.home().join(".codex/sessions/2026/01/31");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("rollout-2026-01-31T12-00-00-{id}.jsonl"));
    fs::write(&path, text).unwrap();
    path
}

/// One session of Claude Code and one of Codex, in one folder.
pub(crate) fn two_apps() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    let lines = [user("Name the crab"), assistant("Call it Ferris")];
    let lines = chained(lines.map(|line| line.cwd("/work/kelp")));
    sandbox.session("/work/kelp", &session_id(1), lines);
    let path = write_codex(&sandbox, THREAD, &text_of(&codex_lines(THREAD)));
    (sandbox, path)
}

#[test]
fn sessions_of_two_apps_are_in_one_list_with_a_column_for_the_app() {
    let (sandbox, path) = two_apps();
    let listed = annals(&sandbox, &["ls", "--json"]).done().json();
    let of_codex = &listed["sessions"].as_array().unwrap()[..]
        .iter()
        .find(|session| session["app"] == "codex")
        .expect("a session of Codex");
    assert_eq!(of_codex["id"], format!("codex:{THREAD}"));
    assert_eq!(of_codex["path"], path.to_string_lossy().into_owned());
    assert_eq!(of_codex["presence"], "disk");
    assert_eq!((&of_codex["project"], &of_codex["branch"]), (&json!("/work/kelp"), &json!("reef")));
    let table = annals(&sandbox, &["ls"]).done().out;
    assert!(
        table.contains("APP") && table.contains("codex") && table.contains("claude"),
        "{table}"
    );
    let alone = annals(&sandbox, &["ls", "--app", "claude"]).done().out;
    assert!(!alone.contains("APP") && !alone.contains("Raise"), "{alone}");
    let alone = annals(&sandbox, &["ls", "--app", "codex"]).done().out;
    assert!(!alone.contains("APP") && alone.contains("Raise the tide"), "{alone}");
    let projects = annals(&sandbox, &["projects", "--json"]).done().json();
    assert_eq!(projects["projects"].as_array().unwrap().len(), 1, "one folder is one project");
}

#[test]
fn session_of_another_app_is_named_by_its_id_with_or_without_the_app() {
    let (sandbox, _) = two_apps();
    for name in
        [format!("codex:{THREAD}"), "codex:0198".to_owned(), "0198f2".to_owned(), THREAD.to_owned()]
    {
        let info = annals(&sandbox, &["info", &name, "--json"]).done().json();
        assert_eq!(info["session"]["id"], format!("codex:{THREAD}"), "{name}");
    }
    let turn = annals(&sandbox, &["show", "codex:0198:1"]).done().out;
    assert!(turn.contains("Raise the tide") && turn.contains("The tide is high."), "{turn}");
    let missing = annals(&sandbox, &["show", "codex:0777"]);
    assert_eq!(missing.code, 1, "{missing:?}");
    let unknown = annals(&sandbox, &["ls", "--app", "crab"]);
    assert!(
        unknown.complaint(2).contains("unknown app \"crab\": use one of claude, codex"),
        "{unknown:?}"
    );
}

#[test]
fn repeated_totals_of_codex_are_not_calls() {
    let (sandbox, _) = two_apps();
    let usage = annals(&sandbox, &["usage", "--by", "app", "--json"]).done().json();
    let rows = usage["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["key"]["app"] == "codex").expect("a row of Codex");
    assert_eq!((&row["calls"], &row["total_tokens"]), (&json!(2), &json!(2020)));
    assert_eq!(row["cache_read_tokens"], json!(1200));
    assert_eq!(usage["total"]["calls"], json!(3), "one total over all apps");
}

#[test]
fn answers_and_models_of_another_app_are_api_responses() {
    let (sandbox, _) = two_apps();
    let info = annals(&sandbox, &["info", "codex:0198", "--json"]).done().json();
    assert_eq!(info["answers"], json!(2), "{info}");
    assert_eq!(info["models"], json!({"gpt-5.1-codex": 2}));
    annals(&sandbox, &["search", "tide", "--json"]).done();
    let listed = annals(&sandbox, &["ls", "--app", "codex", "--json"]).done().json();
    assert_eq!(listed["sessions"][0]["messages"], json!(3), "one prompt and two responses");
}

#[test]
fn thread_that_was_resumed_elsewhere_is_listed_where_it_was_resumed() {
    let (sandbox, path) = two_apps();
    let mut lines = codex_lines(THREAD);
    // Later than the part of the file that a list reads whole.
    let long = "reef ".repeat(10_000);
    lines.push(line("event_msg", 20, &json!({"type": "agent_message", "message": long})));
    let moved = json!({"id": THREAD, "cwd": "/work/reef", "git": {"branch": "deep"}});
    lines.push(line("session_meta", 30, &moved));
    let turn = json!({"turn_id": "turn-2", "cwd": "/work/reef", "model": "gpt-5.1-codex"});
    lines.push(line("turn_context", 31, &turn));
    lines.push(line("event_msg", 32, &json!({"type": "user_message", "message": "And here?"})));
    fs::write(&path, text_of(&lines)).unwrap();
    for _ in 0..2 {
        let listed = annals(&sandbox, &["ls", "--git-branch", "deep", "--json"]).done().json();
        let session = &listed["sessions"][0];
        assert_eq!(session["id"], format!("codex:{THREAD}"), "{listed}");
        assert_eq!(
            (&session["project"], &session["branch"]),
            (&json!("/work/reef"), &json!("deep"))
        );
        let elsewhere =
            annals(&sandbox, &["ls", "--app", "codex", "--git-branch", "reef", "--json"]);
        assert_eq!(elsewhere.json()["sessions"], json!([]));
        // The second answer comes from the index.
        annals(&sandbox, &["search", "tide", "--json"]).done();
    }
    let info = annals(&sandbox, &["info", "codex:0198", "--json"]).done().json();
    assert_eq!(info["session"]["branch"], json!("deep"));
    assert_eq!(info["branches"], json!(["reef", "deep"]));
    let printed = annals(&sandbox, &["resume", "codex:0198", "--print"]).done().out;
    assert_eq!(printed, format!("cd /work/reef && codex resume {THREAD}\n"));
    let usage = annals(&sandbox, &["usage", "--app", "codex", "--by", "branch", "--json"]);
    let usage = usage.done().json();
    assert_eq!(
        usage["rows"][0]["key"]["branch"],
        json!("reef"),
        "where the calls were made: {usage}"
    );
}

#[test]
fn exit_codes_of_another_app_are_those_that_it_recorded() {
    let (sandbox, path) = two_apps();
    let mut lines = codex_lines(THREAD);
    let call = |id: &str| {
        json!({"type": "function_call", "name": "exec_command", "arguments": "{\"cmd\":\"ls\"}",
            "call_id": id})
    };
    let output = |id: &str, output: &str| json!({"type": "function_call_output", "call_id": id, "output": output});
    for (id, text) in [
        ("failed", "Wall time: 1\nProcess exited with code 3\nOutput:\nno"),
        ("done", "Exit code: 0\nOutput:\nyes"),
        ("running", "Process running with session ID 7\nOutput:\n"),
    ] {
        lines.push(line("response_item", 20, &call(id)));
        lines.push(line("response_item", 21, &output(id, text)));
    }
    fs::write(&path, text_of(&lines)).unwrap();
    let calls = annals(&sandbox, &["tools", "--app", "codex", "--json"]).done().json();
    let codes: std::collections::BTreeMap<&str, &Value> = calls["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| (call["tool_use_id"].as_str().unwrap(), &call["exit_code"]))
        .collect();
    let expected = [
        ("call-1", &Value::Null),
        // A patch, whose code is recorded too.
        ("call-2", &json!(0)),
        ("done", &json!(0)),
        ("failed", &json!(3)),
        ("running", &Value::Null),
    ];
    assert_eq!(codes, expected.into_iter().collect(), "{calls}");
}

#[test]
fn prompts_of_another_app_are_shown_exactly_as_they_were_typed() {
    let (sandbox, path) = two_apps();
    let texts =
        ["<command-name>/x</command-name> typed", "/compact", "[Request interrupted by user]"];
    let mut lines = codex_lines(THREAD);
    for text in texts {
        lines.push(line("event_msg", 20, &json!({"type": "user_message", "message": text})));
        lines.push(line("event_msg", 21, &json!({"type": "agent_message", "message": text})));
    }
    fs::write(&path, text_of(&lines)).unwrap();
    let prompts = annals(&sandbox, &["prompts", "--app", "codex", "--json"]).done().json();
    let mut typed: Vec<&str> = prompts["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|prompt| prompt["text"].as_str().unwrap())
        .collect();
    typed.sort_unstable();
    let mut expected = [&texts[..], &["Raise the tide"]].concat();
    expected.sort_unstable();
    assert_eq!(typed, expected);
    let shown = annals(&sandbox, &["show", "codex:0198", "--json"]).done().out;
    assert!(!shown.contains('\u{200b}') && !shown.contains("\\u200b"), "{shown}");
    let query =
        "SELECT count(*) AS n FROM blocks WHERE kind = 'prompt' AND session_id LIKE 'codex:%'";
    let count = annals(&sandbox, &["sql", query, "--jsonl"]).done().out;
    assert_eq!(count.trim(), r#"{"n":4}"#);
    let query = "SELECT prompts FROM sessions WHERE session_id LIKE 'codex:%'";
    let count = annals(&sandbox, &["sql", query, "--jsonl"]).done().out;
    assert_eq!(count.trim(), r#"{"prompts":4}"#);
}

#[test]
fn calls_of_a_fork_that_repeats_its_parent_count_once() {
    let (sandbox, _) = two_apps();
    let mut lines = codex_lines(FORK);
    lines[0]["payload"]["forked_from_id"] = json!(THREAD);
    lines.insert(1, codex_lines(THREAD)[0].clone());
    write_codex(&sandbox, FORK, &text_of(&lines));
    for _ in 0..2 {
        let usage = annals(&sandbox, &["usage", "--app", "codex", "--json"]).done().json();
        assert_eq!(usage["total"]["calls"], json!(2));
        // The second answer comes from the index.
        annals(&sandbox, &["search", "tide", "--json"]).done();
    }
}

#[test]
fn search_grep_tools_files_and_prompts_find_what_codex_wrote() {
    let (sandbox, path) = two_apps();
    for _ in 0..2 {
        let hits = annals(&sandbox, &["search", "tide", "--json"]).done().json();
        let hit = &hits["hits"][0];
        assert_eq!(hit["session_id"], format!("codex:{THREAD}"), "{hits}");
        assert_eq!(hit["path"], path.to_string_lossy().into_owned());
    }
    for view in ["sessions", "transcripts"] {
        let query = format!("SELECT path FROM {view} WHERE session_id LIKE 'codex:%'");
        let rows = annals(&sandbox, &["sql", &query, "--jsonl"]).done().out;
        let row: Value = serde_json::from_str(&rows).unwrap();
        assert_eq!(row["path"], path.to_string_lossy().into_owned(), "{view}");
    }
    let hits = annals(&sandbox, &["grep", "Raise the", "--json"]).done().json();
    assert_eq!(hits["hits"][0]["line"], json!(3), "as in the app's own file: {hits}");
    assert_eq!(hits["hits"][0]["path"], path.to_string_lossy().into_owned());
    let calls = annals(&sandbox, &["tools", "--app", "codex", "--json"]).done().json();
    let tools: Vec<&Value> =
        calls["calls"].as_array().unwrap().iter().map(|call| &call["tool"]).collect();
    assert_eq!(tools.len(), 2, "{calls}");
    let files = annals(&sandbox, &["files", "--json"]).done().out;
    assert!(files.contains("/work/kelp/tide.rs"), "{files}");
    let prompts = annals(&sandbox, &["prompts", "--app", "codex"]).done().out;
    assert!(prompts.contains("Raise the tide"), "{prompts}");
}

#[test]
fn official_view_of_another_apps_session_is_refused() {
    let (sandbox, _) = two_apps();
    for arguments in [
        ["show", "codex:0198", "--view", "sdk"].as_slice(),
        &["export", "codex:0198", "--view", "sdk", "--format", "md", "-o", "-"],
    ] {
        let refused = annals(&sandbox, arguments);
        assert!(
            refused.complaint(2).contains("--view sdk is for sessions of Claude Code"),
            "{refused:?}"
        );
    }
}

#[test]
fn export_and_raw_view_are_the_bytes_that_the_app_wrote() {
    let (sandbox, path) = two_apps();
    let written = fs::read(&path).unwrap();
    let raw = annals(&sandbox, &["show", "codex:0198", "--raw"]).done();
    assert_eq!(raw.bytes, written);
    let file = sandbox.path().join("export.jsonl");
    let target = file.to_string_lossy();
    annals(
        &sandbox,
        &["export", "codex:0198", "--format", "jsonl", "--redact", "off", "-o", &target],
    );
    assert_eq!(fs::read(&file).unwrap(), written);
    let page = annals(&sandbox, &["export", "codex:0198", "--format", "md", "-o", "-"]).done();
    assert!(page.out.contains("The tide is high."), "{}", page.out);
}

#[test]
fn resuming_runs_the_apps_own_command() {
    let (sandbox, _) = two_apps();
    let printed = annals(&sandbox, &["resume", "codex:0198", "--print"]).done().out;
    assert_eq!(printed, format!("cd /work/kelp && codex resume {THREAD}\n"));
    let fork = annals(&sandbox, &["resume", "codex:0198", "--fork", "--print"]);
    assert!(fork.complaint(2).contains("--fork is for sessions of Claude Code"), "{fork:?}");
}

#[test]
fn app_without_sessions_or_without_a_folder_is_said_in_words() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.home().join(".codex")).unwrap();
    for command in ["ls", "usage", "prompts", "files"] {
        let answer = annals(&sandbox, &[command]);
        assert_eq!(answer.err, "", "{command}: {answer:?}");
    }
    let folder = sandbox.home().join(".codex").to_string_lossy().into_owned();
    let empty = annals(&sandbox, &["ls", "--app", "codex", "--root", &folder]).done();
    assert_eq!(empty.out, "No sessions.\n");
    let missing = annals(&sandbox, &["ls", "--app", "codex", "--root", "/nowhere/at/all"]);
    assert!(missing.complaint(2).contains("/nowhere/at/all is not a folder"), "{missing:?}");
    let absent = annals(&sandbox, &["ls", "--app", "gemini"]);
    assert!(absent.complaint(2).contains("the app has no folder here"), "{absent:?}");
}

#[test]
fn session_of_another_app_is_followed_while_it_is_written() {
    let (sandbox, path) = two_apps();
    let looking = Looking::start(&mut command(&sandbox, &["watch", "codex:0198", "--jsonl"]));
    looking.events_until("usage");
    let more = [
        line("event_msg", 10, &json!({"type": "user_message", "message": "Lower it again"})),
        line("event_msg", 11, &json!({"type": "agent_message", "message": "The tide is low."})),
    ];
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(text_of(&more).as_bytes()).unwrap();
    let mut texts = Vec::new();
    while texts.len() < 2 {
        let events = looking.events_until("message");
        texts.extend(events.last().map(|event| event["text"].clone()));
    }
    assert_eq!(texts, ["Lower it again", "The tide is low."]);
}

#[test]
fn session_of_another_app_is_read_from_the_archive_when_it_is_gone() {
    let (sandbox, path) = two_apps();
    let shown = annals(&sandbox, &["show", "codex:0198"]).done().out;
    let usage = annals(&sandbox, &["usage", "--by", "app", "--json"]).done().json();
    let bytes = fs::read(&path).unwrap();
    annals(&sandbox, &["archive", "sync"]).done();
    let presence = || {
        let archived = annals(&sandbox, &["archive", "ls", "--json"]).done().json();
        let sessions = archived["sessions"].as_array().unwrap().clone();
        let of_codex = |row: &&Value| row["id"].as_str().unwrap().starts_with("codex:");
        sessions.iter().find(of_codex).map(|row| row["presence"].clone())
    };
    assert_eq!(presence(), Some(json!("disk")));
    fs::remove_file(&path).unwrap();
    assert_eq!(presence(), Some(json!("archive")));
    assert!(!annals(&sandbox, &["ls"]).done().out.contains("Raise the tide"), "it is gone");
    let gone = annals(&sandbox, &["ls", "--deleted", "--json"]).done().json();
    let gone = &gone["sessions"][0];
    assert_eq!(
        (&gone["id"], &gone["presence"]),
        (&json!(format!("codex:{THREAD}")), &json!("archive"))
    );
    assert_eq!(annals(&sandbox, &["show", "codex:0198"]).done().out, shown);
    let now = annals(&sandbox, &["usage", "--by", "app", "--json"]).done().json();
    assert_eq!(now["total"], usage["total"]);
    let found = annals(&sandbox, &["search", "tide", "--json"]).done().json();
    assert!(found.to_string().contains(THREAD), "{found}");
    let raw = annals(&sandbox, &["show", "codex:0198", "--raw"]).done();
    assert_eq!(raw.bytes, bytes);
}

#[test]
fn archived_session_of_another_app_is_restored_only_elsewhere_and_can_be_forgotten() {
    let (sandbox, path) = two_apps();
    let bytes = fs::read(&path).unwrap();
    annals(&sandbox, &["archive", "sync"]).done();
    fs::remove_file(&path).unwrap();
    let name = format!("codex:{THREAD}");
    let refused = annals(&sandbox, &["archive", "restore", &name]);
    assert!(refused.complaint(2).contains("whose files annals never changes"), "{refused:?}");
    let to = sandbox.home().join("back");
    let to = to.to_string_lossy().into_owned();
    annals(&sandbox, &["archive", "restore", &name, "--to", &to]).done();
    let home = Path::new(&to).join("apps/codex");
    let below = path.strip_prefix(sandbox.home().join(".codex")).unwrap();
    assert_eq!(fs::read(home.join(below)).unwrap(), bytes);
    let home = home.to_string_lossy().into_owned();
    let listed = annals(&sandbox, &["ls", "--app", "codex", "--root", &home]).done();
    assert!(listed.out.contains("Raise the tide"), "{}", listed.out);
    let usage = || annals(&sandbox, &["usage", "--json"]).done().json()["total"].clone();
    let before = usage();
    let forgotten = annals(&sandbox, &["archive", "forget", &name, "--yes", "--keep-usage"]);
    assert_eq!(forgotten.code, 0, "{forgotten:?}");
    assert!(forgotten.err.contains("Its transcript is gone from disk"), "{forgotten:?}");
    assert!(!forgotten.err.contains("history.jsonl"), "{forgotten:?}");
    let missing = annals(&sandbox, &["show", &name]);
    assert_eq!(missing.code, 1, "{missing:?}");
    assert_eq!(usage(), before, "its calls stay");
}

#[test]
fn another_app_is_followed_only_by_the_name_of_a_session() {
    let (sandbox, _) = two_apps();
    let answer = annals(&sandbox, &["watch", "--app", "codex"]);
    assert!(answer.complaint(2).contains("by its name"), "{answer:?}");
}

#[test]
fn no_command_changes_the_files_of_another_app() {
    let (sandbox, _) = two_apps();
    let before = fingerprint(&sandbox.home());
    let refused = [["rename", "codex:0198", "Tide"], ["tag", "codex:0198", "wet"]];
    for arguments in refused {
        let answer = annals(&sandbox, &arguments);
        assert!(answer.complaint(2).contains("whose files annals never changes"), "{answer:?}");
    }
    let reading = [
        "ls",
        "home",
        "projects",
        "usage",
        "doctor",
        "prompts",
        "tools",
        "files",
        "archive sync",
        "search tide",
        "grep tide",
        "agents codex:0198",
        "tree codex:0198",
        "show codex:0198",
        "info codex:0198",
        "context codex:0198",
        "plan codex:0198",
        "mark codex:0198",
        "sql SELECT*FROM\u{a0}sessions",
    ];
    for arguments in reading {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        annals(&sandbox, &arguments);
        assert_eq!(fingerprint(&sandbox.home()), before, "{arguments:?} changed something");
    }
}

#[test]
fn damaged_and_hostile_lines_of_an_app_are_reported_and_the_rest_is_shown() {
    let (sandbox, path) = two_apps();
    let mut bytes = b"{\"timestamp\":\"2026\n".to_vec();
    bytes.extend(fs::read(&path).unwrap());
    bytes.extend(b"{\"type\":\"crab_dance\",\"payload\":{}}\n\xff\xfe\n");
    let hostile = line(
        "event_msg",
        30,
        &json!({"type": "user_message", "message": "red \u{1b}[31m \u{202e}text"}),
    );
    bytes.extend(hostile.to_string().into_bytes());
    fs::write(&path, bytes).unwrap();
    let shown = annals(&sandbox, &["show", "codex:0198"]).done();
    assert!(shown.out.contains("The tide is high."), "{}", shown.out);
    assert!(!shown.bytes.contains(&0x1b) && !shown.out.contains('\u{202e}'), "{}", shown.out);
    let doctor = annals(&sandbox, &["doctor", "--json"]).done().json();
    let app = &doctor["apps"][0];
    assert_eq!(app["app"], "codex");
    assert!(app["problems"]["not JSON"].as_u64().is_some_and(|count| count >= 1), "{app}");
    assert!(
        app["unknown"].as_object().unwrap().keys().any(|kind| kind.contains("crab_dance")),
        "{app}"
    );
    assert_eq!(doctor["problems"], json!([]), "no damage of Claude Code's files");
}

#[test]
fn agents_are_served_only_the_apps_that_the_configuration_names() {
    let (sandbox, _) = two_apps();
    let ask = |sandbox: &Sandbox| {
        let mut talk = Talk::greeted(&mut command(sandbox, &["mcp", "--scope", "all"]));
        let (answer, _) = talk.call("list_sessions", &json!({}));
        talk.end();
        answer
    };
    assert!(!ask(&sandbox).contains("Raise the tide"), "no app was named");
    configure(&sandbox, "[apps]\ncodex = true\n");
    assert!(ask(&sandbox).contains("Raise the tide"), "Codex was named");
    configure(&sandbox, "[apps]\ncodex = false\n");
    let listed = annals(&sandbox, &["ls"]).done().out;
    assert!(!listed.contains("Raise the tide"), "{listed}");
    configure(&sandbox, "[apps]\ncrab = true\n");
    let wrong = annals(&sandbox, &["ls"]);
    assert!(wrong.complaint(2).contains("unknown app \"crab\""), "{wrong:?}");
}

pub(crate) fn configure(sandbox: &Sandbox, text: &str) {
    let folder = sandbox.home().join(".config/annals");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), text).unwrap();
}

/// A folder of the corpus, which lies beside the repository.
pub(crate) fn corpus(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(name);
    path.is_dir().then_some(path)
}

/// Apps with the folders of the corpus, their calls and their tokens.
const TRUTHS: [(&str, &str, u64, u64); 5] = [
    ("codex", "codex", 988, 92_687_894 + 17_272),
    ("opencode", "opencode/generated/opencode", 10, 6_231 + 2_088 + 1_044 + 1_046),
    ("pi", "pi", 124, 6_456_908),
    ("copilot", "copilot", 18, 18_660),
    ("gemini", "gemini/.gemini", 44, 593_060),
];

#[test]
fn usage_of_the_corpus_is_what_the_programs_reported() {
    for (app, folder, calls, tokens) in TRUTHS {
        let Some(folder) = corpus(folder) else {
            println!("SKIPPED: no sessions of {app} beside the repository");
            continue;
        };
        let sandbox = Sandbox::new();
        let before = fingerprint(&folder);
        let folder = folder.to_string_lossy().into_owned();
        let arguments = ["usage", "--app", app, "--root", &folder, "--json"];
        let usage = run(&mut command(&sandbox, &arguments)).done().json();
        let total = &usage["total"];
        assert_eq!(
            (&total["calls"], &total["total_tokens"]),
            (&json!(calls), &json!(tokens)),
            "{app}"
        );
        run(&mut command(&sandbox, &["search", "file", "--app", app, "--root", &folder, "--json"]));
        let indexed = run(&mut command(&sandbox, &arguments)).done().json();
        assert_eq!(indexed["total"], usage["total"], "the index has the same calls of {app}");
        assert_eq!(fingerprint(Path::new(&folder)), before, "{app}");
    }
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else if entry.path().is_file() {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn every_session_of_the_corpus_is_the_same_from_the_archive() {
    for (app, folder, calls, tokens) in TRUTHS {
        let Some(folder) = corpus(folder) else {
            println!("SKIPPED: no sessions of {app} beside the repository");
            continue;
        };
        let sandbox = Sandbox::new();
        let home = sandbox.home().join("app");
        copy(&folder, &home);
        let root = home.to_string_lossy().into_owned();
        let ask = |arguments: &[&str]| {
            let arguments = [arguments, &["--app", app, "--root", &root]].concat();
            run(&mut command(&sandbox, &arguments))
        };
        let listed = ask(&["ls", "--hidden", "--limit", "0", "--json"]).done().json();
        let ids: Vec<String> = listed["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|session| session["id"].as_str().unwrap().to_owned())
            .collect();
        let shown: Vec<String> = ids.iter().map(|id| ask(&["show", id]).out).collect();
        ask(&["archive", "sync"]);
        fs::remove_dir_all(&home).unwrap();
        fs::create_dir_all(&home).unwrap();
        let again: Vec<String> = ids.iter().map(|id| ask(&["show", id]).out).collect();
        assert_eq!(again, shown, "{app}");
        let usage = ask(&["usage", "--json"]).done().json();
        let total = &usage["total"];
        let found = (&total["calls"], &total["total_tokens"]);
        assert_eq!(found, (&json!(calls), &json!(tokens)), "{app}");
    }
}

#[test]
fn every_answer_names_the_folder_that_a_thread_moved_to() {
    let sandbox = Sandbox::new();
    let mut lines = codex_lines(THREAD);
    let present = json!({"turn_id": "turn-2", "cwd": "/work/reef", "model": "gpt-5.1-codex"});
    lines.push(line("turn_context", 10, &present));
    let prompt = json!({"type": "user_message", "message": "Count the urchins"});
    lines.push(line("event_msg", 11, &prompt));
    write_codex(&sandbox, THREAD, &text_of(&lines));
    let listed = annals(&sandbox, &["ls", "--json"]).done().json();
    assert_eq!(listed["sessions"][0]["cwd"], "/work/reef", "{listed}");
    let text = "SELECT cwd, project, is_archive_only FROM sessions";
    let rows = annals(&sandbox, &["sql", text, "--json"]).done().json()["rows"].clone();
    let expected = json!([{"cwd": "/work/reef", "project": "/work/reef", "is_archive_only": 0}]);
    assert_eq!(rows, expected);
    annals(&sandbox, &["search", "urchins", "-p", "/work/reef"]).done();
    assert_eq!(annals(&sandbox, &["search", "urchins", "-p", "/work/kelp"]).code, 1);
}
