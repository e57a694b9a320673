//! The proof that reading writes nothing: every command, on a store that may
//! not be written, leaves every file as it was.

use crate::support::full_store;
use crate::support::run::{command, fed, run};
use serde_json::json;
use std::fs;
use std::io::BufRead as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use testkit::{Sandbox, fingerprint, session_id};

/// A sandbox whose files may only be read, until this is dropped.
struct Sealed<'a>(&'a Sandbox);

impl<'a> Sealed<'a> {
    fn new(sandbox: &'a Sandbox) -> Self {
        each_below(sandbox.path(), &|path, is_folder| {
            mode(path, if is_folder { 0o555 } else { 0o444 });
        });
        Sealed(sandbox)
    }
}

impl Drop for Sealed<'_> {
    fn drop(&mut self) {
        each_below(self.0.path(), &|path, is_folder| {
            mode(path, if is_folder { 0o755 } else { 0o644 });
        });
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Folders before what is in them, links not at all.
fn each_below(path: &Path, each: &impl Fn(&Path, bool)) {
    let metadata = fs::symlink_metadata(path).unwrap();
    if metadata.is_symlink() {
        return;
    }
    each(path, metadata.is_dir());
    if metadata.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            each_below(&entry.unwrap().path(), each);
        }
    }
}

const ID: &str = "00000001";

const COMMANDS: [&[&str]; 135] = [
    &[],
    &["--json"],
    &["ls"],
    &["ls", "--json"],
    &["ls", "--jsonl"],
    &["ls", "--csv"],
    &["ls", "--hidden"],
    &["ls", "--gone"],
    &["ls", "--marked"],
    &["ls", "--live"],
    &["ls", "--live", "--json"],
    &["ls", "--live", "--csv"],
    &["ls", "--tool", "Task", "--model", "sonnet", "--agent", "Explore"],
    &["ls", "--project", "/home/ada/tidepool", "--since", "9w", "--git-branch", "main"],
    &["ls", "--here", "--exact"],
    &["ls", "--exclude", "/home/**", "--alias", "/a=/b", "--session", ID],
    &["projects"],
    &["projects", "--json"],
    &["projects", "--csv"],
    &["where"],
    &["where", "/home/ada/tidepool/src", "--json"],
    &["where", "/nowhere"],
    &["info", ID],
    &["info", ID, "--json"],
    &["info", "00000009"],
    &["info", "a1"],
    &["show", ID],
    &["show", ID, "--view", "all", "--json"],
    &["show", ID, "--jsonl"],
    &["show", ID, "--raw"],
    &["show", "a3"],
    &["show", "Salt"],
    &["show", ID, "--thinking", "--tools", "full", "--agents", "inline"],
    &["show", ID, "--agents", "flat"],
    &["show", ID, "--generation", "1", "--last", "1"],
    &["show", ID, "--from", "0", "--json"],
    &["show", "a1", "--view", "sdk"],
    &["tree", ID],
    &["tree", ID, "--json"],
    &["tools"],
    &["tools", ID, "--json"],
    &["tools", ID, "--csv"],
    &["tools", "--stats"],
    &["tools", "--stats", "--json"],
    &["files"],
    &["files", "--json"],
    &["files", "README.md", "--reads"],
    &["grep", "."],
    &["grep", ".", "--json"],
    &["grep", "-c", "."],
    &["prompts"],
    &["prompts", "--json"],
    &["prompts", ID],
    &["prompts", ID, "--csv"],
    &["agents", ID],
    &["agents", ID, "--json"],
    &["agents", ID, "--warmup", "--csv"],
    &["context", ID],
    &["context", ID, "--json"],
    &["context", ID, "--csv"],
    &["context", "a1"],
    &["plan", ID],
    &["plan", ID, "--versions"],
    &["plan", ID, "--json"],
    &["mark"],
    &["mark", "--json"],
    &["mark", "--csv"],
    &["usage"],
    &["usage", "--json"],
    &["usage", "--csv"],
    &["usage", "weekly", "--week-start", "sunday"],
    &["usage", "hourly", "--timezone", "Europe/Berlin"],
    &["usage", "session", "--no-index"],
    &["usage", "turn"],
    &["usage", "project", "--since", "9w"],
    &["usage", "model", "--cost", "display"],
    &["usage", "agent", "--tool", "Task"],
    &["usage", "tool"],
    &["usage", "block"],
    &["usage", "limits"],
    &["usage", "--by", "branch,version,entrypoint"],
    &["usage", "--explain"],
    &["usage", "--explain", "--json"],
    &["usage", "--explain", "msg_01"],
    &["usage", "--explain", "msg_01", "--json"],
    &["doctor"],
    &["doctor", "--all"],
    &["doctor", "--json"],
    &["hook"],
    &["statusline"],
    &["resume", ID, "--print"],
    &["resume", ID, "--print", "--fork", "--in", "/"],
    &["setup"],
    &["setup", "--json", "--timer"],
    &["setup", "--dry-run"],
    &["setup", "--remove"],
    &["completions", "bash"],
    &["man"],
    &["man", "ls"],
    &["--version"],
    &["--help"],
    // Wrong use.
    &["info", "ffffffff"],
    &["resume", "ffffffff"],
    &["resume", ID],
    &["rename", "ffffffff", "x"],
    &["rename", ID, " "],
    &["rename", ID, "x", "--csv"],
    &["tag", "a1", "x"],
    &["tag", "00000009", "x"],
    &["mark", "ffffffff", "gone"],
    &["mark", "00000001:999"],
    &["mark", "--remove", ID],
    &["info", "0"],
    &["info", "../../x"],
    &["show", ""],
    &["plan", ID, "--number", "9"],
    &["show", ID, "--alt", "9"],
    &["show", ID, "--generation", "9"],
    &["show", ID, "--find", "volcano"],
    &["show", ID, "--view", "all", "--thinking"],
    &["tree", ID, "--csv"],
    &["tools", ID, "--status", "sideways"],
    &["files", "--commit", "abcd"],
    &["usage", "--explain", "msg_99"],
    &["usage", "--explain", "msg_01", "--csv"],
    &["usage", "--prices", "/nowhere"],
    &["usage", "--by", "weather"],
    &["usage", "yearly"],
    &["ls", "--fly"],
    &["watch", "ffffffff"],
    &["watch", "--csv"],
    &["ls", "--since", "soon"],
    &["ls", "--timezone", "Mars/Olympus"],
    &["doctor", "--csv"],
    &["ls", "--root", "/nowhere"],
];

#[test]
fn no_reading_command_changes_a_store_or_a_home() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    let temporary = Sandbox::new();
    let sealed = Sealed::new(&sandbox);
    let before = fingerprint(sandbox.path());
    assert!(before.len() > 40, "the store has something of everything");
    for arguments in COMMANDS {
        let answer = run(command(&sandbox, arguments).env("TMPDIR", temporary.home()));
        assert!(matches!(answer.code, 0..=2), "{arguments:?}: {answer:?}");
        assert_eq!(fingerprint(sandbox.path()), before, "{arguments:?} changed something");
    }
    run(command(&sandbox, &["--demo", "doctor"]).env("TMPDIR", temporary.home())).done();
    assert_eq!(fingerprint(sandbox.path()), before);
    assert!(fingerprint(&temporary.home()).is_empty(), "nothing stays behind");
    for folder in [sandbox.home(), sandbox.annals_home()] {
        assert!(fingerprint(&folder).is_empty(), "{}", folder.display());
    }
    drop(sealed);
}

#[test]
fn exercised_commands_succeed_and_refused_ones_fail() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    let doctor = run(&mut command(&sandbox, &["doctor", "--json"])).done().json();
    for list in ["problems", "drift", "copies", "collisions", "strays", "caches"] {
        assert!(!doctor[list].as_array().unwrap().is_empty(), "{list}");
    }
    assert_eq!(doctor["retention"]["expiring"][0]["id"], session_id(2));
    let agents = run(&mut command(&sandbox, &["agents", ID, "--json"])).done().json();
    assert!(agents["agents"].as_array().unwrap().len() >= 3, "{agents}");
    assert_eq!(agents["workflows"][0]["id"], "wf_1");
    for arguments in &COMMANDS[..101] {
        let code = run(&mut command(&sandbox, arguments)).code;
        let expected = i32::from(matches!(arguments, ["where"] | ["where", "/nowhere"]));
        assert_eq!(code, expected, "{arguments:?}");
    }
    for arguments in &COMMANDS[101..] {
        assert_ne!(run(&mut command(&sandbox, arguments)).code, 0, "{arguments:?}");
    }
}

#[test]
fn hook_that_archives_a_session_leaves_the_store_unchanged() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    let before = fingerprint(&sandbox.config());
    let log = sandbox.annals_home().join("log/hook.log");
    for (lines, event) in (1..).zip(["SessionEnd", "PreCompact", "SessionStart", "SubagentStop"]) {
        let told = json!({"hook_event_name": event, "session_id": session_id(1)}).to_string();
        let mut hook = command(&sandbox, &["hook", "--recall", "--within", "20000"]);
        fed(&mut hook, told.as_bytes()).done();
        let began = Instant::now();
        let log = || fs::read_to_string(&log).unwrap_or_default();
        while log().lines().count() < lines {
            assert!(began.elapsed() < Duration::from_mins(1), "{event}: {}", log());
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(log().lines().last().unwrap().contains(": kept"), "{event}: {}", log());
        assert_eq!(fingerprint(&sandbox.config()), before, "{event} changed something");
    }
    assert!(fingerprint(&sandbox.home()).is_empty());
}

#[test]
fn watch_leaves_store_and_home_unchanged() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    let sealed = Sealed::new(&sandbox);
    let before = fingerprint(sandbox.path());
    for arguments in [&["watch", "--all", "--json"][..], &["watch", ID, "--json", "--from-start"]] {
        let mut watch = command(&sandbox, arguments);
        let mut child = watch.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        let mut told = std::io::BufReader::new(child.stdout.take().unwrap());
        told.read_line(&mut first).unwrap();
        assert!(first.contains("session_started"), "{first}");
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        // Somebody reads on until the end.
        std::io::copy(&mut told, &mut std::io::sink()).unwrap();
        assert!(child.wait().unwrap().success(), "{arguments:?}");
        assert_eq!(fingerprint(sandbox.path()), before, "{arguments:?} changed something");
    }
    drop(sealed);
}
