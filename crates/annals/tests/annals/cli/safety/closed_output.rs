//! A reader that closes the pipe early is not an error.

use crate::cli::support::exercises::plainest_reading_calls;
use crate::cli::support::run::{command, exchange, run};
use std::io::Read as _;
use std::process::Stdio;
use testkit::{Sandbox, session_id, user};

/// A store whose output is larger than a pipe's buffer.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let lines = (0..3_000).map(|number| {
        user(&format!("Prompt {number} {}", "x".repeat(100))).with("sessionId", session_id(1))
    });
    sandbox.session("/p", &session_id(1), lines);
    for number in 2..400 {
        sandbox.session(
            &format!("/p{number}"),
            &session_id(number),
            exchange(number, "/p", &"word ".repeat(40)),
        );
    }
    sandbox
}

#[test]
fn closed_pipe_ends_every_command_with_exit_0() {
    let sandbox = store();
    let folder = sandbox.path().join("temporary");
    std::fs::create_dir(&folder).unwrap();
    let large: [&[&str]; 11] = [
        &["ls", "--json"],
        &["ls", "--jsonl"],
        &["ls", "--csv"],
        &["projects", "--json"],
        &["show", "00000001", "--json"],
        &["show", "00000001", "--jsonl"],
        &["show", "00000001", "--raw"],
        &["prompts"],
        &["doctor", "--all"],
        &["--help"],
        &["--demo", "show", "--json"],
    ];
    let plainest = plainest_reading_calls("00000001").into_iter().filter(|arguments| {
        // Commands that print nothing on this store do not notice.
        let answer = run(&mut command(&sandbox, arguments));
        answer.code == 0 && answer.bytes.len() >= 16
    });
    let calls: Vec<_> = plainest.chain(large.map(<[_]>::to_vec)).collect();
    assert!(calls.len() > 20, "{calls:?}");
    for arguments in calls {
        let mut child = command(&sandbox, &arguments)
            .env("TMPDIR", &folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 16]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "the made-up store goes away");
    }
}

#[test]
fn full_disk_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let sandbox = store();
    for arguments in
        [&["ls"][..], &["show", "00000001", "--raw"], &["man"], &["completions", "zsh"]]
    {
        let output =
            command(&sandbox, arguments).stdout(full.try_clone().unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("annals: "), "{arguments:?}");
    }
}
