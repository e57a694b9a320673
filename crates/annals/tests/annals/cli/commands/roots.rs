//! Stores that do not answer, beside stores that do.

use crate::cli::support::run::{annals, command, filtered, history, run, session};
use crate::cli::support::web_server::{WebServer, base, enter, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use testkit::{Sandbox, session_id};

fn root(path: &Path) -> [String; 2] {
    ["--root".to_owned(), path.display().to_string()]
}

#[test]
fn missing_root_is_reported_and_the_others_answer() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let missing = sandbox.path().join("missing");
    for arguments in
        [&["ls", "--json"][..], &["doctor", "--json"], &["projects"], &["prompts"], &[]]
    {
        let answer =
            run(command(&sandbox, arguments).args(root(&missing)).args(root(&sandbox.config())));
        assert_eq!(answer.code, 0);
        let complaint = filtered(&sandbox, &answer.err);
        assert_eq!(
            complaint,
            "annals: cannot read [ROOT]/missing: no such file or folder; skipping this store\n"
        );
    }
    let answer = run(command(&sandbox, &["ls", "--json"])
        .args(root(&missing))
        .args(root(&sandbox.config())));
    assert_eq!(answer.ids(), [session_id(1)]);
    let doctor = run(command(&sandbox, &["doctor", "--json"])
        .args(root(&missing))
        .args(root(&sandbox.config())))
    .json();
    let errors: Vec<_> = doctor["roots"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|root| !root["error"].is_null())
        .collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["path"], missing.display().to_string());
}

#[test]
fn plain_file_as_root_is_reported_and_the_others_answer() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let file = sandbox.home().join("notes.txt");
    fs::write(&file, "no transcript").unwrap();
    let answer =
        run(command(&sandbox, &["ls", "--json"]).args(root(&file)).args(root(&sandbox.config())));
    assert_eq!((answer.code, answer.ids()), (0, vec![session_id(1)]));
    insta::assert_snapshot!(filtered(&sandbox, &answer.err), @"annals: cannot read [ROOT]/home/notes.txt: not a transcript: its name does not end in .jsonl; skipping this store");
}

#[test]
fn unreadable_root_is_reported_and_the_others_answer() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let closed = sandbox.path().join("closed");
    fs::create_dir_all(closed.join("projects")).unwrap();
    // Even if root runs the tests, the user who asks must not be allowed to see.
    let binary = sandbox.path().join("binary");
    fs::copy(testkit::program!("annals"), &binary).unwrap();
    let mode =
        |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(sandbox.path(), 0o755);
    mode(&closed, 0o000);
    let is_root = fs::read_dir(&closed).is_ok();
    let mut asking = sandbox.command(&binary);
    if is_root {
        asking.uid(65534).gid(65534);
    }
    let answer =
        run(asking.args(["ls", "--json"]).args(root(&closed)).args(root(&sandbox.config())));
    mode(&closed, 0o755);
    assert_eq!((answer.code, answer.ids()), (0, vec![session_id(1)]));
    insta::assert_snapshot!(filtered(&sandbox, &answer.err), @"annals: cannot read [ROOT]/closed: permission denied; skipping this store");
}

#[test]
fn unreadable_folder_or_file_is_reported() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let closed = session(&sandbox, 2, "/home/ada/closed", "Hello");
    let file = session(&sandbox, 3, "/home/ada/tidepool", "Hello");
    let binary = sandbox.path().join("binary");
    fs::copy(testkit::program!("annals"), &binary).unwrap();
    let mode =
        |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(sandbox.path(), 0o755);
    mode(closed.parent().unwrap(), 0o000);
    mode(&file, 0o000);
    let is_root = fs::read(&file).is_ok();
    let ask = |arguments: &[&str]| {
        let mut asking = sandbox.command(&binary);
        if is_root {
            asking.uid(65534).gid(65534);
        }
        run(asking.args(arguments))
    };
    let (ls, doctor, home) = (ask(&["ls", "--json"]), ask(&["doctor", "--json"]), ask(&[]));
    let pages = sandbox.path().join("pages");
    fs::create_dir(&pages).unwrap();
    if is_root {
        std::os::unix::fs::chown(&pages, Some(65534), Some(65534)).unwrap();
    }
    let mut serving = sandbox.command(&binary);
    serving.args(["serve", "--port", "0"]).env("ANNALS_HOME", &pages);
    if is_root {
        serving.uid(65534).gid(65534);
    }
    let server = WebServer::start(&mut serving);
    let cookie = enter(&server.address);
    for path in ["sessions", "projects", "usage", "files", "tools", "plans", "home"] {
        let document = json(base(&server.address), &format!("api/1/{path}"), &cookie);
        assert_eq!(document["warnings"][0]["kind"], "file_not_read", "{path}: {document}");
    }
    drop(server);
    mode(closed.parent().unwrap(), 0o755);
    assert_eq!((ls.code, ls.ids()), (0, vec![session_id(1)]));
    assert_eq!(ls.err, home.err);
    let mut complaints: Vec<_> = filtered(&sandbox, &ls.err).lines().map(str::to_owned).collect();
    complaints.sort();
    insta::assert_snapshot!(complaints.join("\n"), @"
    annals: cannot read [ROOT]/claude/projects/-home-ada-closed: permission denied
    annals: cannot read [ROOT]/claude/projects/-home-ada-tidepool/00000003-0000-4000-8000-000000000003.jsonl: permission denied
    ");
    assert_eq!(doctor.json()["problems"].as_array().unwrap().len(), 2);
    let document = ls.json();
    let warnings = document["warnings"].as_array().unwrap();
    let mut said: Vec<String> = warnings
        .iter()
        .map(|warning| {
            assert_eq!(warning["kind"], "file_not_read");
            let message = warning["message"].as_str().unwrap();
            filtered(&sandbox, &format!("annals: {message}"))
        })
        .collect();
    said.sort();
    assert_eq!(said, complaints);
}

#[test]
fn missing_store_error_gives_advice() {
    let sandbox = Sandbox::new();
    let missing = sandbox.path().join("missing");
    for arguments in [&["ls"][..], &["doctor"], &["where"], &["info", "x"], &[]] {
        let answer = run(command(&sandbox, arguments).env("CLAUDE_CONFIG_DIR", &missing));
        insta::allow_duplicates! {
            insta::assert_snapshot!(filtered(&sandbox, answer.complaint(2)), @"
            annals: No Claude Code data found: cannot read [ROOT]/missing: no such file or folder
            hint: pass --root DIR to read another folder, or try the demo store with `annals --demo`
            ");
        }
    }
    let homeless =
        run(command(&sandbox, &["ls"]).env_remove("HOME").env_remove("CLAUDE_CONFIG_DIR"));
    insta::assert_snapshot!(homeless.complaint(2), @"
    annals: No Claude Code data found: HOME is not set
    hint: pass --root DIR to read another folder, or try the demo store with `annals --demo`
    ");
}

#[test]
fn default_locations_are_searched() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    fs::rename(sandbox.config(), sandbox.home().join(".claude")).unwrap();
    for config in ["", "/nowhere"] {
        let answer = run(command(&sandbox, &["ls", "--json"]).env("CLAUDE_CONFIG_DIR", config));
        assert_eq!(answer.code, if config.is_empty() { 0 } else { 2 });
    }
    let answer =
        run(command(&sandbox, &["doctor", "--json"]).env_remove("CLAUDE_CONFIG_DIR")).done();
    assert_eq!(answer.json()["roots"][0]["found_by"], "~/.claude");
}

#[test]
fn kind_of_root_is_detected() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let loose = sandbox.home().join("backup");
    fs::create_dir_all(&loose).unwrap();
    fs::copy(&path, loose.join("some name.jsonl")).unwrap();
    let table = [
        (sandbox.config(), "configuration folder", session_id(1)),
        (sandbox.projects(), "projects folder", session_id(1)),
        (path.parent().unwrap().to_owned(), "project folder", session_id(1)),
        (path.clone(), "transcript", session_id(1)),
        (loose, "folder of transcripts", "some name".to_owned()),
    ];
    for (path, kind, id) in table {
        let ask = |arguments: &[&str]| run(command(&sandbox, arguments).args(root(&path))).done();
        assert_eq!(ask(&["ls", "--json"]).ids(), [id], "{kind}");
        assert_eq!(ask(&["doctor", "--json"]).json()["roots"][0]["kind"], kind);
    }
}

#[test]
fn repeated_root_counts_once() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let link = sandbox.path().join("link");
    std::os::unix::fs::symlink(sandbox.config(), &link).unwrap();
    let answer =
        run(command(&sandbox, &["ls", "--json"]).args(root(&link)).args(root(&sandbox.config())))
            .done();
    assert_eq!(answer.ids(), [session_id(1)]);
    assert_eq!(answer.json()["sessions"][0]["copies"].as_array().unwrap().len(), 0);
}

#[test]
fn the_same_id_in_two_stores_is_one_session_with_a_copy() {
    let sandbox = Sandbox::new();
    let old = session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let other = Sandbox::new();
    let new = session(&other, 1, "/home/ada/moved", "Hello");
    crate::cli::support::run::modified(&sandbox, &old, "2026-01-01T00:00:00Z");
    crate::cli::support::run::modified(&other, &new, "2026-01-02T00:00:00Z");
    let answer = run(command(&sandbox, &["ls", "--json"])
        .args(root(&sandbox.config()))
        .args(root(&other.config())))
    .done();
    let session = &answer.json()["sessions"][0];
    assert_eq!(answer.ids().len(), 1);
    assert_eq!(session["path"], new.display().to_string());
    assert_eq!(session["copies"][0], old.display().to_string());
    assert_eq!(
        annals(&sandbox, &["ls", "--json"]).done().json()["sessions"][0]["path"],
        old.display().to_string()
    );
}

#[test]
fn deleted_session_in_two_histories_is_listed_once() {
    let (sandbox, other) = (Sandbox::new(), Sandbox::new());
    sandbox.write(
        "history.jsonl",
        history(&[("First", 1_767_225_600, 8), ("Second", 1_767_229_200, 9)]),
    );
    other.write("history.jsonl", history(&[("Third", 1_767_232_800, 8)]));
    let roots = [sandbox.config(), other.config()].map(|path| path.display().to_string());
    let answer =
        annals(&sandbox, &["ls", "--deleted", "--json", "--root", &roots[0], "--root", &roots[1]])
            .done();
    assert_eq!(answer.ids(), [session_id(8), session_id(9)]);
}

#[test]
fn file_is_not_a_copy_of_itself() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let roots = [sandbox.config(), sandbox.projects()].map(|path| path.display().to_string());
    let answer =
        annals(&sandbox, &["ls", "--json", "--root", &roots[0], "--root", &roots[1]]).done().json();
    assert_eq!(answer["sessions"][0]["copies"], serde_json::json!([]));
}
