//! Proves that reading writes nothing: every command, on a read-only store, leaves every file
//! unchanged.

use crate::cli::support::exercises::{
    home_writing_calls, reading_calls, refused_calls, waiting_calls, with_folder,
};
use crate::cli::support::full_store;
use crate::cli::support::run::{command, fed, run};
use serde_json::json;
use std::fs;
use std::io::BufRead as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use testkit::{Sandbox, fingerprint, session_id};

/// A sandbox whose files are read-only until this is dropped.
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

/// Folders before their content; links are left out.
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

#[test]
fn no_reading_command_changes_a_store_or_a_home() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    let temporary = Sandbox::new();
    let sealed = Sealed::new(&sandbox);
    let before = fingerprint(sandbox.path());
    assert!(before.len() > 40, "the store has something of everything");
    let calls = [reading_calls(ID), refused_calls(ID)].concat();
    for arguments in &calls {
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
    for arguments in reading_calls(ID) {
        let code = run(&mut command(&sandbox, &arguments)).code;
        let expected = i32::from(matches!(arguments[..], ["where"] | ["where", "/nowhere"]));
        assert_eq!(code, expected, "{arguments:?}");
    }
    for arguments in refused_calls(ID) {
        assert_ne!(run(&mut command(&sandbox, &arguments)).code, 0, "{arguments:?}");
    }
}

#[test]
fn commands_that_write_to_annals_home_leave_the_store_unchanged() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    let outside = Sandbox::new();
    let before = fingerprint(&sandbox.config());
    for (number, arguments) in home_writing_calls(ID).into_iter().enumerate() {
        // The next call imports the exported folder; a restore needs a new folder.
        let folder = if arguments.contains(&"restore") {
            outside.home().join(number.to_string())
        } else {
            outside.home().join("archive")
        };
        let folder = folder.display().to_string();
        let arguments = with_folder(&arguments, &folder);
        let answer = run(command(&sandbox, &arguments).stdin(Stdio::null()));
        assert_eq!(answer.code, 0, "{arguments:?}: {answer:?}");
        assert_eq!(fingerprint(&sandbox.config()), before, "{arguments:?} changed something");
    }
    assert!(fingerprint(&sandbox.home()).is_empty());
}

#[test]
fn hook_that_archives_a_session_leaves_the_store_unchanged() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    let before = fingerprint(&sandbox.config());
    let log = sandbox.annals_home().join("log/hook.log");
    for (lines, event) in (1..).zip(["SessionEnd", "PreCompact", "SessionStart", "SubagentStop"]) {
        let input = json!({"hook_event_name": event, "session_id": session_id(1)}).to_string();
        let mut hook = command(&sandbox, &["hook", "--recall", "--within", "20000"]);
        fed(&mut hook, input.as_bytes()).done();
        let began = Instant::now();
        let log = || fs::read_to_string(&log).unwrap_or_default();
        while log().lines().count() < lines {
            assert!(began.elapsed() < Duration::from_mins(1), "{event}: {}", log());
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(log().lines().last().unwrap().contains(": archived"), "{event}: {}", log());
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
    for arguments in waiting_calls(ID) {
        let mut watch = command(&sandbox, &arguments);
        let mut child = watch.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut first).unwrap();
        assert!(first.contains("session_started"), "{first}");
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        // Read the rest of the output.
        std::io::copy(&mut output, &mut std::io::sink()).unwrap();
        assert!(child.wait().unwrap().success(), "{arguments:?}");
        assert_eq!(fingerprint(sandbox.path()), before, "{arguments:?} changed something");
    }
    drop(sealed);
}
