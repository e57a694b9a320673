//! `annals hook`: it archives sessions in the background, wrong input does no harm,
//! and it always ends with success and in time.

mod background;
mod recall;

use crate::cli::support::run::{Answer, command, fed, run, session};
use archive::Archive;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use testkit::{Sandbox, assistant, session_id, user};

const CWD: &str = "/home/ada/tidepool";

/// Long enough for a slow machine.
const PATIENT: [&str; 3] = ["hook", "--within", "20000"];

fn hook(sandbox: &Sandbox, input: &Value) -> Answer {
    fed(&mut command(sandbox, &PATIENT), input.to_string().as_bytes())
}

/// The input that every hook gets.
fn hook_input(event: &str, number: u32, path: &Path) -> Value {
    json!({
        "session_id": session_id(number), "transcript_path": path, "cwd": CWD,
        "hook_event_name": event, "permission_mode": "default",
    })
}

fn spool(sandbox: &Sandbox) -> PathBuf {
    sandbox.annals_home().join("spool")
}

fn log(sandbox: &Sandbox) -> Vec<String> {
    let text = fs::read_to_string(sandbox.annals_home().join("log/hook.log")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// The log, once it has this number of lines.
fn awaited(sandbox: &Sandbox, lines: usize) -> Vec<String> {
    let began = Instant::now();
    while log(sandbox).len() < lines {
        assert!(began.elapsed() < Duration::from_mins(1), "{:?}", log(sandbox));
        std::thread::sleep(Duration::from_millis(10));
    }
    log(sandbox)
}

/// Waits until a process in the background has given up its lock.
fn settled(sandbox: &Sandbox) {
    let lock = fs::OpenOptions::new().write(true).open(spool(sandbox).join("lock")).unwrap();
    lock.lock().unwrap();
}

/// The names of the files that the archive has of a session.
fn archived_files(sandbox: &Sandbox, number: u32) -> BTreeSet<String> {
    let Ok(archive) = Archive::open(&sandbox.annals_home().join("archive")) else {
        return BTreeSet::new();
    };
    let state = archive.state();
    let files = state.session(&session_id(number)).files;
    files.into_iter().map(|(_, name)| name.to_path().display().to_string()).collect()
}

fn transcript(number: u32) -> String {
    format!("projects/-home-ada-tidepool/{}.jsonl", session_id(number))
}

#[test]
fn ending_events_archive_the_session() {
    let table = [
        ("SessionEnd", json!({"reason": "prompt_input_exit"}), true),
        ("PreCompact", json!({"trigger": "auto", "custom_instructions": ""}), true),
        ("SessionStart", json!({"source": "resume"}), true),
        (
            "SubagentStop",
            json!({"agent_transcript_path": "/x", "last_assistant_message": "Done", "agent_id": "a1"}),
            true,
        ),
        ("Stop", json!({"stop_hook_active": false}), false),
        ("UserPromptSubmit", json!({"prompt": "Tell me a secret"}), false),
        ("PreToolUse", json!({"tool_name": "Bash", "tool_input": {}}), false),
        ("Tomorrow", json!({"unknown": [1, {"x": null}]}), false),
        ("", json!({}), false),
    ];
    for (event, more, is_archive_only) in table {
        let sandbox = Sandbox::new();
        let path = session(&sandbox, 1, CWD, "Measure the tide");
        session(&sandbox, 2, CWD, "Another");
        let mut input = hook_input(event, 1, &path);
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = hook(&sandbox, &input).done();
        assert_eq!(answer.out, "", "{event}");
        if !is_archive_only {
            let left = fs::read_dir(sandbox.annals_home()).unwrap().count();
            assert_eq!(left, 0, "{event} is nothing to us");
            continue;
        }
        let lines = awaited(&sandbox, 1);
        assert!(lines[0].contains(&format!(" {event} {} ", session_id(1))), "{lines:?}");
        assert!(lines[0].contains(": archived"), "{lines:?}");
        assert_eq!(archived_files(&sandbox, 1), [transcript(1)].into(), "{event}");
        assert!(archived_files(&sandbox, 2).is_empty(), "{event}");
        settled(&sandbox);
        assert_eq!(fs::read_dir(spool(&sandbox)).unwrap().count(), 1, "only the lock is left");
    }
}

#[test]
fn hook_archives_all_of_one_session_and_nothing_of_another() {
    let sandbox = Sandbox::new();
    let [one, two] = [session_id(1), session_id(2)];
    let path = session(&sandbox, 1, CWD, "Hello");
    session(&sandbox, 2, CWD, "Another");
    sandbox.agent(CWD, &one, "agent-a1", [assistant("x")]);
    let folder = "projects/-home-ada-tidepool";
    let own = [
        format!("{folder}/{one}/tool-results/big.txt"),
        format!("{folder}/{one}/custom-title.json"),
        format!("file-history/{one}/0123456789abcdef@v1"),
        format!("todos/{one}-agent-{one}.json"),
        format!("pre-compact-session-histories/{one}-20260101-000000.jsonl"),
        "plans/calm-sea.md".to_owned(),
        "plans/calm-sea-agent-a1.md".to_owned(),
    ];
    let others = [
        format!("{folder}/{two}/tool-results/big.txt"),
        format!("file-history/{two}/0123456789abcdef@v1"),
        format!("todos/{two}-agent-{two}.json"),
        format!("{folder}/agent-b2.jsonl"),
        "history.jsonl".to_owned(),
    ];
    for name in own.iter().chain(&others) {
        sandbox.write(name, "{}\n");
    }
    let flat = user("x").with("sessionId", one.clone()).with("agentId", "a9");
    sandbox.write(&format!("{folder}/agent-a9.jsonl"), format!("{flat}\n"));
    hook(&sandbox, &hook_input("SessionEnd", 1, &path)).done();
    awaited(&sandbox, 1);
    let archive = Archive::open(&sandbox.annals_home().join("archive")).unwrap();
    let state = archive.state();
    let found: BTreeSet<String> =
        state.files().map(|((_, name), _)| name.to_path().display().to_string()).collect();
    let mut expected: BTreeSet<String> = own.into();
    expected.extend([
        transcript(1),
        format!("{folder}/{one}/subagents/agent-a1.jsonl"),
        format!("{folder}/agent-a9.jsonl"),
    ]);
    assert_eq!(found, expected);
}

#[test]
fn session_start_archives_sessions_about_to_be_deleted() {
    let sandbox = Sandbox::new();
    // The clock says 1 February; the cleanup is after 30 days.
    for (number, modified) in
        [(1, "2026-01-05T12:00:00Z"), (2, "2026-01-05T12:00:01Z"), (3, "2025-11-01T00:00:00Z")]
    {
        let path = session(&sandbox, number, CWD, "Old");
        crate::cli::support::run::modified(&sandbox, &path, modified);
    }
    let unwritten = sandbox.config().join(transcript(9));
    hook(&sandbox, &hook_input("SessionStart", 9, &unwritten)).done();
    let lines = awaited(&sandbox, 1);
    assert!(lines[0].contains("no transcript, plus 2 sessions about to be deleted"), "{lines:?}");
    let kept: Vec<bool> = [1, 2, 3].map(|it| !archived_files(&sandbox, it).is_empty()).into();
    assert_eq!(kept, [true, false, true]);
    sandbox.write("settings.json", "{\"cleanupPeriodDays\": 31}");
    hook(&sandbox, &json!({"hook_event_name": "SessionStart", "transcript_path": ""})).done();
    let lines = awaited(&sandbox, 2);
    assert!(lines[1].contains("SessionStart - "), "{lines:?}");
    assert!(lines[1].contains("plus 1 session about to be deleted"), "{lines:?}");
}

#[test]
fn event_without_a_path_finds_the_session_by_id() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    let input = json!({"hook_event_name": "SessionEnd", "session_id": session_id(1), "transcript_path": ""});
    hook(&sandbox, &input).done();
    awaited(&sandbox, 1);
    assert_eq!(archived_files(&sandbox, 1), [transcript(1)].into());
}

#[test]
fn excluded_sessions_are_not_archived() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Hello");
    let mut command = command(&sandbox, &PATIENT);
    let input = hook_input("SessionEnd", 1, &path).to_string();
    fed(command.args(["--exclude", "/home/ada/**"]), input.as_bytes()).done();
    let lines = awaited(&sandbox, 1);
    assert!(lines[0].contains(": skipped: 0 files checked"), "{lines:?}");
    assert!(archived_files(&sandbox, 1).is_empty());
}

#[test]
fn paths_outside_the_store_are_refused() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Hello");
    let config = sandbox.config();
    let name = format!("{}.jsonl", session_id(2));
    let outside = sandbox.home().join(&name);
    fs::write(&outside, "{}\n").unwrap();
    let link = sandbox.link(&format!("projects/-home-ada-tidepool/{name}"), &outside);
    let elsewhere = sandbox.home().join("folder");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join(&name), "{}\n").unwrap();
    let linked = sandbox.link("projects/-linked", &elsewhere).join(&name);
    let unwritten = linked.with_file_name(format!("{}.jsonl", session_id(3)));
    let dangling = sandbox.link("projects/-dangling", Path::new("/nowhere")).join(&name);
    let pipe = sandbox.pipe(&format!("projects/-pipe/{name}"));
    let folder = sandbox.folder(&format!("projects/-folder/{name}"));
    let deep = sandbox.write(&format!("projects/-deep/below/{name}"), "{}\n");
    let beside = sandbox.write(&format!("plans/{name}"), "{}\n");
    let other = sandbox.write("projects/-home-ada-tidepool/notes.jsonl", "{}\n");
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let paths = [
        (text(&link), "contains a link"),
        (text(&linked), "contains a link"),
        (text(&unwritten), "contains a link"),
        (text(&dangling), "contains a link"),
        (text(&pipe), "contains a link, or is not a regular file"),
        (text(&folder), "not a regular file"),
        (text(&outside), "not in a project folder"),
        (text(&deep), "not in a project folder"),
        (text(&beside), "not in a project folder"),
        (text(&other), "not a session id"),
        (
            format!("{}/projects/-x/../-home-ada-tidepool/{name}", config.display()),
            "not absolute, or contains",
        ),
        (
            format!("{}/projects/./-home-ada-tidepool/{name}", config.display()),
            "not absolute, or contains",
        ),
        (format!("projects/-home-ada-tidepool/{name}"), "not absolute, or contains"),
        (format!("{}\0", text(&outside)), "not a session id"),
        ("/etc/passwd".to_owned(), "not a session id"),
        (format!("{}\n$(touch /tmp/x)", text(&path)), "not a session id"),
        (text(&path), "another session"),
    ];
    for (number, (path, why)) in (1..).zip(&paths) {
        let mut input = hook_input("SessionEnd", 2, Path::new("/"));
        input["transcript_path"] = path.as_str().into();
        let answer = hook(&sandbox, &input).done();
        assert_eq!(answer.out, "", "{path}");
        let lines = awaited(&sandbox, number);
        let last = lines.last().unwrap();
        assert!(last.contains(" SessionEnd - ") && last.contains(": refused: "), "{last}");
        assert!(last.contains(why), "{path}: {last}");
    }
    for id in ["x", "../../etc", "\u{1b}[31m", "0000"] {
        let mut input = hook_input("SessionEnd", 2, &path);
        input["session_id"] = id.into();
        hook(&sandbox, &input).done();
    }
    let lines = log(&sandbox);
    assert!(lines[paths.len()..].iter().all(|line| line.contains("the session id is not a UUID")));
    assert_eq!(lines.len(), paths.len() + 4);
    assert!(!lines.concat().contains(['\u{1b}', '\0']));
    assert!(!spool(&sandbox).exists() && !sandbox.annals_home().join("archive").exists());
}

#[test]
fn linked_store_accepts_both_names_of_a_transcript() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    session(&sandbox, 2, CWD, "Hello");
    let linked = sandbox.home().join("claude");
    std::os::unix::fs::symlink(sandbox.config(), &linked).unwrap();
    for (number, root) in [(1, linked.clone()), (2, sandbox.config())] {
        let input = hook_input("SessionEnd", number, &root.join(transcript(number)));
        let mut command = command(&sandbox, &PATIENT);
        fed(command.env("CLAUDE_CONFIG_DIR", &linked), input.to_string().as_bytes()).done();
    }
    awaited(&sandbox, 2);
    for number in [1, 2] {
        assert_eq!(archived_files(&sandbox, number), [transcript(number)].into());
    }
}

#[test]
fn any_input_ends_with_exit_0_and_no_output() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Hello");
    let whole = hook_input("SessionEnd", 1, &path).to_string();
    let deep = "[".repeat(200_000);
    let huge = format!("{{\"hook_event_name\":\"SessionEnd\",\"x\":\"{}\"}}", "x".repeat(10 << 20));
    let inputs: [&[u8]; 11] = [
        b"",
        b"\n",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe{}",
        &whole.as_bytes()[..whole.len() - 1],
        deep.as_bytes(),
        huge.as_bytes(),
        b"{\"hook_event_name\":[],\"session_id\":{},\"transcript_path\":7}",
        b"{\"hook_event_name\":\"SessionEnd\",\"session_id\":null,\"transcript_path\":false}",
    ];
    for input in inputs {
        let answer = fed(&mut command(&sandbox, &PATIENT), input).done();
        assert_eq!(answer.out, "", "{:?}", &input[..input.len().min(60)]);
    }
    let mut closed = sandbox.command("sh");
    closed.args(["-c", "exec \"$0\" hook <&- >&- 2>&-", testkit::program!("annals")]);
    run(&mut closed).done();
    assert!(!spool(&sandbox).exists());
    assert!(log(&sandbox).iter().all(|line| line.contains(": refused: ")), "{:?}", log(&sandbox));
}

#[test]
fn open_input_does_not_block() {
    for (is_whole, lines) in [(true, 1), (false, 0)] {
        let sandbox = Sandbox::new();
        let path = session(&sandbox, 1, CWD, "Hello");
        let mut command = command(&sandbox, &["hook", "--within", "8000"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = hook_input("SessionEnd", 1, &path).to_string();
        if is_whole {
            std::io::Write::write_all(&mut stdin, input.as_bytes()).unwrap();
        }
        assert!(child.wait().unwrap().success());
        assert!(awaited(&sandbox, lines).len() == lines);
        assert_eq!(archived_files(&sandbox, 1).len(), lines);
        drop(stdin);
    }
}

#[test]
fn hook_ends_at_its_deadline() {
    let sandbox = Sandbox::new();
    let mut command = command(&sandbox, &["hook", "--within", "1"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    assert!(child.wait().unwrap().success());
    drop(stdin);
}

#[test]
fn unusable_environment_ends_with_exit_0() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Hello");
    let input = hook_input("SessionEnd", 1, &path).to_string();
    let fed = |command: &mut std::process::Command| {
        assert_eq!(fed(command, input.as_bytes()).done().out, "");
    };
    let hook = || command(&sandbox, &PATIENT);
    fed(hook().env_clear());
    fed(hook().env("CLAUDE_CONFIG_DIR", "/not/there"));
    // Neither a folder nor one that can be made.
    fed(hook().env("ANNALS_HOME", "/proc/none"));
    fed(hook().env("ANNALS_HOME", &path));
    // Nothing is written below a store.
    fed(hook().env("ANNALS_HOME", sandbox.config().join("own")));
    assert!(!sandbox.config().join("own").exists());
    let folder = sandbox.home().join(".config/annals");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "what is this").unwrap();
    fed(hook().env("ANNALS_HOME", sandbox.config().join("own")));
    assert!(!sandbox.config().join("own").exists());
    fed(&mut hook());
    for arguments in [&["hook", "--fly"][..], &["hook", "--within", "soon"], &["hook", "now"]] {
        let answer =
            crate::cli::support::run::fed(&mut command(&sandbox, arguments), input.as_bytes());
        assert_eq!((answer.code, answer.out.as_str()), (0, ""), "{arguments:?}");
    }
    assert!(!spool(&sandbox).exists());
    let lines = log(&sandbox);
    assert!(lines.iter().any(|line| line.contains("invalid configuration file")), "{lines:?}");
}

#[test]
fn unknown_option_never_stops_the_app() {
    let sandbox = Sandbox::new();
    let table: [(&[&str], i32); 8] = [
        (&["hook", "--bad"], 0),
        (&["--root", "X", "hook", "--bad"], 0),
        (&["--root=X", "--no-index", "--redact", "strict", "hook", "--bad"], 0),
        (&["--color", "never", "statusline", "--bad"], 0),
        (&["--bad", "hook"], 0),
        (&["--root", "hook", "--bad"], 2),
        (&["search", "hook", "--bad"], 2),
        (&["--bad"], 2),
    ];
    for (arguments, expected) in table {
        let answer = run(&mut command(&sandbox, arguments));
        assert_eq!(answer.code, expected, "{arguments:?}: {answer:?}");
    }
}

#[test]
fn fifty_megabyte_session_is_archived_completely() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Measure the tide");
    // Each line is another, so that none is kept for another.
    for number in 0..52_u32 {
        let text: String = (0..1 << 20)
            .map(|at: u32| {
                char::from(b"tidepool"[(at.wrapping_mul(at ^ number) >> 16) as usize % 8])
            })
            .collect();
        let line = testkit::metadata("atis-latch", &[("x", text.into())]);
        sandbox.append(&path, format!("{line}\n"));
    }
    let bytes = fs::metadata(&path).unwrap().len();
    assert!(bytes > 50_000_000);
    hook(&sandbox, &hook_input("SessionEnd", 1, &path)).done();
    let lines = awaited(&sandbox, 1);
    assert!(lines[0].contains(": archived: 1 file checked, 55 MB new"), "{lines:?}");
    assert_eq!(archived_files(&sandbox, 1), [transcript(1)].into());
    // The next one finds it there.
    hook(&sandbox, &hook_input("PreCompact", 1, &path)).done();
    let lines = awaited(&sandbox, 2);
    assert!(lines[1].contains(": archived: 1 file checked, 0 B new"), "{lines:?}");
}
