//! Links that leave a store or form a loop are skipped and reported.

use crate::cli::support::run::{annals, exchange, session};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use testkit::{Sandbox, session_id};

const SECRET: &str = "what lies outside";

/// A store, and a folder outside it with a session.
fn store() -> (Sandbox, std::path::PathBuf) {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let outside = sandbox.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    let lines: Vec<_> =
        exchange(7, "/home/ada/tidepool", SECRET).iter().map(ToString::to_string).collect();
    fs::write(outside.join(format!("{}.jsonl", session_id(7))), lines.join("\n") + "\n").unwrap();
    (sandbox, outside)
}

/// Asserts that no command shows the session outside, and that `doctor` names the link.
fn assert_skipped(sandbox: &Sandbox, link: &std::path::Path) {
    for arguments in [
        &["ls", "--hidden"][..],
        &["prompts"],
        &["projects"],
        &["doctor", "--all"],
        &[],
        &["ls", "--hidden", "--json"],
    ] {
        let answer = annals(sandbox, arguments);
        assert_eq!(answer.code, 0);
        assert!(
            !answer.out.contains(SECRET) && !answer.err.contains(SECRET),
            "{arguments:?}: {answer:?}"
        );
    }
    for name in [session_id(7), "00000007".to_owned()] {
        annals(sandbox, &["show", &name]).complaint(1);
    }
    let doctor = annals(sandbox, &["doctor", "--json"]).done().json();
    let strays = doctor["strays"].as_array().unwrap();
    let found = strays.iter().find(|stray| stray["path"] == link.display().to_string());
    let found = found.unwrap_or_else(|| panic!("{} is not reported: {strays:?}", link.display()));
    assert_eq!(found["reason"], "a symbolic link, not followed");
    let text = annals(sandbox, &["doctor", "--all"]).done().out;
    assert!(text.contains("a symbolic link, not followed"), "{text}");
}

#[test]
fn a_transcript_that_is_a_link_is_skipped_and_reported() {
    let (sandbox, outside) = store();
    let name = format!("{}.jsonl", session_id(7));
    let link = sandbox.projects().join("-home-ada-tidepool").join(&name);
    symlink(outside.join(&name), &link).unwrap();
    assert_skipped(&sandbox, &link);
}

#[test]
fn a_project_folder_that_is_a_link_is_skipped_and_reported() {
    let (sandbox, outside) = store();
    let link = sandbox.projects().join("-home-ada-linked");
    symlink(&outside, &link).unwrap();
    assert_skipped(&sandbox, &link);
    annals(&sandbox, &["where", "/home/ada/linked"]);
}

#[test]
fn links_in_a_loop_are_skipped_and_reported() {
    let (sandbox, _) = store();
    let folder = sandbox.projects().join("-home-ada-tidepool");
    symlink(sandbox.projects(), sandbox.projects().join("loop")).unwrap();
    symlink(&folder, folder.join(session_id(8))).unwrap();
    symlink(folder.join("a.jsonl"), folder.join("a.jsonl")).unwrap();
    for link in
        [sandbox.projects().join("loop"), folder.join(session_id(8)), folder.join("a.jsonl")]
    {
        assert_skipped(&sandbox, &link);
    }
    assert_eq!(annals(&sandbox, &["ls", "--json"]).done().ids(), [session_id(1)]);
}

#[test]
fn linked_session_folder_gives_no_agents() {
    let (sandbox, outside) = store();
    fs::create_dir_all(outside.join("subagents")).unwrap();
    fs::write(outside.join("subagents/agent-a1.jsonl"), testkit::user(SECRET).to_string() + "\n")
        .unwrap();
    let link = sandbox.projects().join("-home-ada-tidepool").join(session_id(1));
    symlink(&outside, &link).unwrap();
    assert_skipped(&sandbox, &link);
    let agents = annals(&sandbox, &["agents", &session_id(1), "--json"]).done().json();
    assert_eq!(agents["agents"].as_array().unwrap().len(), 0);
}

#[test]
fn pipes_and_devices_do_not_block() {
    let (sandbox, _) = store();
    let folder = sandbox.projects().join("-home-ada-tidepool");
    let names = [
        folder.join(format!("{}.jsonl", session_id(5))),
        folder.join("agent-x.jsonl"),
        sandbox.config().join("history.jsonl"),
        sandbox.config().join("settings.json"),
    ];
    if !Command::new("mkfifo").args(&names).status().is_ok_and(|status| status.success()) {
        return;
    }
    for arguments in
        [&["ls", "--hidden"][..], &["prompts"], &["doctor"], &["info", "00000001"], &[]]
    {
        assert_eq!(annals(&sandbox, arguments).code, 0, "{arguments:?}");
    }
    // Of deleted sessions only the history would know, and it is a pipe.
    assert_eq!(annals(&sandbox, &["ls", "--deleted"]).code, 2);
    annals(&sandbox, &["show", &session_id(5)]).complaint(1);
    annals(&sandbox, &["show", &names[0].display().to_string()]).complaint(1);
    let doctor = annals(&sandbox, &["doctor", "--json"]).done().json();
    assert!(
        doctor["strays"]
            .as_array()
            .unwrap()
            .iter()
            .any(|stray| stray["reason"] == "not a regular file")
    );
}

#[test]
fn a_path_in_a_transcript_is_never_opened() {
    let sandbox = Sandbox::new();
    let pipe = sandbox.path().join("pipe");
    // Opening it would block forever.
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        return;
    }
    let hint = pipe.display().to_string();
    let lines = exchange(1, "/home/ada/tidepool", "Hello").into_iter().map(|line| {
        let result =
            serde_json::json!({"persistedOutputPath": hint, "filePath": hint, "outputFile": hint});
        line.with("toolUseResult", result)
            .with("slug", hint.clone())
            .with("cwd", hint.clone())
            .with("transcript_path", hint.clone())
    });
    sandbox.session("/home/ada/tidepool", &session_id(1), lines);
    for arguments in [
        &["ls"][..],
        &["info", "00000001"],
        &["show", "00000001"],
        &["doctor"],
        &["prompts"],
        &["agents", "00000001"],
        &["projects"],
    ] {
        annals(&sandbox, arguments).done();
    }
}
