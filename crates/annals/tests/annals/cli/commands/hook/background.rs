//! The work after the hook: jobs in the spool, the worker, its log.

use super::*;

#[test]
fn concurrent_hooks_lose_nothing() {
    let sandbox = Sandbox::new();
    let numbers = 1..=12;
    let children: Vec<_> = numbers
        .clone()
        .map(|number| {
            let path = session(&sandbox, number, CWD, "Hello");
            let input = hook_input("SessionEnd", number, &path).to_string();
            let mut command = command(&sandbox, &PATIENT);
            let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
            child
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    awaited(&sandbox, 12);
    for number in numbers {
        assert_eq!(archived_files(&sandbox, number).len(), 1, "{number}");
    }
}

#[test]
fn next_hook_finishes_the_spooled_jobs() {
    let sandbox = Sandbox::new();
    for number in [1, 2] {
        session(&sandbox, number, CWD, "Hello");
    }
    fs::create_dir(spool(&sandbox)).unwrap();
    let path = |number| sandbox.config().join(transcript(number));
    let mut left = hook_input("SessionEnd", 1, &path(1));
    left["at"] = "2026-01-31T10:00:00Z".into();
    fs::write(spool(&sandbox).join("1-1.json"), left.to_string()).unwrap();
    left["transcript_path"] = "/etc/passwd".into();
    fs::write(spool(&sandbox).join("2-1.json"), left.to_string()).unwrap();
    fs::write(spool(&sandbox).join("3-1.json"), "torn").unwrap();
    fs::write(spool(&sandbox).join("4-1.part"), "not written to its end").unwrap();
    hook(&sandbox, &hook_input("PreCompact", 2, &path(2))).done();
    let mut lines = awaited(&sandbox, 4);
    lines.sort();
    assert!(lines[0].starts_with("2026-01-31T10:00:00.000Z SessionEnd"), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains("refused: not a valid job")).count(), 2);
    assert_eq!((archived_files(&sandbox, 1).len(), archived_files(&sandbox, 2).len()), (1, 1));
    settled(&sandbox);
    let mut names: Vec<_> =
        fs::read_dir(spool(&sandbox)).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["4-1.part", "lock"]);
}

#[test]
fn log_and_spool_are_private_and_hold_no_conversation_text() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Measure the tide");
    let mut input = hook_input("SessionEnd", 1, &path);
    input["last_assistant_message"] = "My secret".into();
    input["cwd"] = "/home/ada/\u{1b}[31m".into();
    hook(&sandbox, &input).done();
    let lines = awaited(&sandbox, 1);
    assert_eq!(lines.len(), 1);
    for word in ["Measure", "secret", "\u{1b}", "/"] {
        assert!(!lines[0].contains(word), "{lines:?}");
    }
    let home = sandbox.annals_home();
    for (path, mode) in [("log", 0o700), ("log/hook.log", 0o600), ("spool", 0o700)] {
        let found = fs::metadata(home.join(path)).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{path}");
    }
}

/// Starts a copy of the program as the hook, changes the program, and then sends the input.
#[cfg(target_os = "linux")]
fn hook_after(sandbox: &Sandbox, change: impl Fn(&Path), input: &Value) {
    use std::io::Write as _;
    use std::os::unix::process::CommandExt as _;
    let program = sandbox.home().join("annals");
    fs::copy(testkit::program!("annals"), &program).unwrap();
    let mut command = sandbox.command(&program);
    command.args(PATIENT).stdin(Stdio::piped()).process_group(0);
    let mut child = command.spawn().unwrap();
    change(&program);
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    // Claude Code ends the whole process group if it gives up waiting.
    let group = rustix::process::Pid::from_child(&child);
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
}

#[test]
#[cfg(target_os = "linux")]
fn replaced_program_continues_as_the_new_one() {
    type Change = fn(&Path);
    let table: [(&str, Change, &str); 3] = [
        ("left alone", |_| {}, ": archived"),
        (
            "replaced",
            |program| {
                fs::remove_file(program).unwrap();
                fs::copy(testkit::program!("annals"), program).unwrap();
            },
            ": archived",
        ),
        ("removed", |program| fs::remove_file(program).unwrap(), ": postponed: No such file"),
    ];
    for (name, change, expected) in table {
        let sandbox = Sandbox::new();
        let path = session(&sandbox, 1, CWD, "Hello");
        hook_after(&sandbox, change, &hook_input("SessionEnd", 1, &path));
        let lines = awaited(&sandbox, 1);
        assert!(lines[0].contains(expected), "{name}: {lines:?}");
    }
}
