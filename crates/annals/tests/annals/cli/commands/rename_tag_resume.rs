//! `rename`, `tag` and `resume`: what is written and started, and what is not.

use crate::cli::support::run::{annals, command, demo, run, session};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use testkit::{HOSTILE_WORDS, Sandbox, Shell, fingerprint, printed, printing_program, session_id};

const ID: &str = "00000001-0000-4000-8000-000000000001";
const CWD: &str = "/home/ada/tidepool";

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// Says that this very process writes the session.
fn live(sandbox: &Sandbox) {
    let pid = std::process::id();
    sandbox.write(&format!("sessions/{pid}.json"), format!("{{\"sessionId\":\"{ID}\"}}"));
}

#[test]
fn title_and_tag_append_one_line_each_and_are_listed() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Why is the sea salt?");
    let before = read(&path);
    let renamed = annals(&sandbox, &["rename", "00000001", " Salt ", "--json"]).done().json();
    let title = format!(r#"{{"type":"custom-title","customTitle":"Salt","sessionId":"{ID}"}}"#);
    assert_eq!(renamed["schema"], "annals/renamed/1");
    assert_eq!(renamed["session_id"], ID);
    assert_eq!(renamed["path"], path.to_str().unwrap());
    assert_eq!((&renamed["title"], &renamed["line"]), (&"Salt".into(), &title.clone().into()));
    let tagged = annals(&sandbox, &["tag", "Salt", "sea", "--json"]).done().json();
    let tag = format!(r#"{{"type":"tag","tag":"sea","sessionId":"{ID}"}}"#);
    assert_eq!((&tagged["schema"], &tagged["tag"]), (&"annals/tagged/1".into(), &"sea".into()));
    assert_eq!(tagged["line"], tag);
    assert_eq!(read(&path), format!("{before}{title}\n{tag}\n"));
    let listed = annals(&sandbox, &["ls", "--json"]).done().json();
    let listed = &listed["sessions"][0];
    assert_eq!((&listed["title"], &listed["tag"]), (&"Salt".into(), &"sea".into()));
    // Without a tag it is printed, and nothing is written.
    let before = read(&path);
    assert_eq!(annals(&sandbox, &["tag", ID]).done().out, "sea\n");
    assert_eq!(annals(&sandbox, &["tag", ID, "--json"]).done().json()["tag"], "sea");
    assert_eq!(read(&path), before);
    let cleared = annals(&sandbox, &["tag", ID, "--remove", "--json"]).done().json();
    assert_eq!(cleared["tag"], serde_json::Value::Null);
    let listed = annals(&sandbox, &["ls", "--json"]).done().json();
    assert_eq!(listed["sessions"][0]["tag"], serde_json::Value::Null);
    insta::assert_snapshot!(annals(&sandbox, &["rename", ID, "Red", "\u{1b}[31m"]).done().out, @"Renamed 00000001-0000-4000-8000-000000000001: Red");
    insta::assert_snapshot!(annals(&sandbox, &["tag", ID]).complaint(1), @"
    annals: session 00000001-0000-4000-8000-000000000001 has no tag
    hint: annals tag 00000001 TAG sets one
    ");
    insta::assert_snapshot!(annals(&sandbox, &["tag", ID, "--remove"]).done().out, @"Removed the tag of 00000001-0000-4000-8000-000000000001");
    assert_eq!(annals(&sandbox, &["tag", ID, "sea", "--remove"]).code, 2);
}

#[test]
fn running_session_is_renamed_only_with_force_and_resumed_only_as_fork() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Why is the sea salt?");
    live(&sandbox);
    symlink(sandbox.projects(), sandbox.path().join("link")).unwrap();
    let before = fingerprint(sandbox.path());
    let refused = |arguments: &[&str]| {
        let answer = annals(&sandbox, arguments);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("is running") && complaint.contains("--force"), "{complaint}");
    };
    for arguments in [&["rename", ID, "Salt"][..], &["tag", ID, "sea"], &["tag", ID, "--remove"]] {
        refused(arguments);
    }
    // However it is reached.
    let projects = sandbox.projects();
    for root in [&projects, path.parent().unwrap(), &path, &sandbox.path().join("link")] {
        refused(&["rename", ID, "Salt", "--root", root.to_str().unwrap()]);
    }
    let answer = annals(&sandbox, &["resume", ID, "--in", "/"]);
    let complaint = answer.complaint(2);
    assert!(complaint.contains("is running") && complaint.contains("--fork"), "{complaint}");
    assert_eq!(fingerprint(sandbox.path()), before);
    annals(&sandbox, &["rename", ID, "Salt", "--force"]).done();
    assert!(read(&path).contains("\"customTitle\":\"Salt\""));
    // The calling session is running, whatever the files say.
    let other = session(&sandbox, 2, CWD, "And the lake?");
    let other_id = session_id(2);
    refused(&["rename", &other_id, "Lake", "--current-session", &other_id]);
    assert!(!read(&other).contains("Lake"));
    annals(&sandbox, &["rename", &other_id, "Lake"]).done();
}

#[test]
fn refused_rename_changes_nothing() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Why is the sea salt?");
    sandbox.session(CWD, &session_id(2), [""; 0]);
    sandbox.write(
        "history.jsonl",
        crate::cli::support::run::history(&[("Remembered", 1_769_000_000, 9)]),
    );
    sandbox.write(
        "transcripts/ses_1.jsonl",
        "{\"type\":\"user\",\"content\":\"Elsewhere\",\"timestamp\":\"2026-01-01T00:00:00Z\"}\n",
    );
    let before = fingerprint(sandbox.path());
    let table: [(&[&str], i32, &str); 8] = [
        (&["rename", ID, " \n"], 2, "title cannot be empty"),
        (&["tag", ID, "\u{200b}"], 2, "tag cannot be empty"),
        (&["rename", &session_id(2), "x"], 2, "it is empty"),
        (&["rename", &session_id(9), "x"], 1, "was deleted"),
        (&["resume", &session_id(9)], 1, "annals archive restore"),
        (&["tag", "ses_1", "x"], 2, "UUID"),
        (&["rename", "../../x", "x"], 2, "invalid session name"),
        (&["rename", ID, "x", "--csv"], 2, "does not use --csv"),
    ];
    for (arguments, code, expected) in table {
        let answer = annals(&sandbox, arguments);
        let complaint = answer.complaint(code);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
    assert_eq!(fingerprint(sandbox.path()), before);
}

#[test]
fn archived_session_is_offered_for_restore() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Why is the sea salt?");
    annals(&sandbox, &["archive", "sync"]).done();
    sandbox.remove(&path);
    let arguments: [&[&str]; 4] =
        [&["rename", ID, "x"], &["tag", ID], &["resume", ID], &["resume", ID, "--print"]];
    for arguments in arguments {
        let answer = annals(&sandbox, arguments);
        let complaint = answer.complaint(1);
        assert!(complaint.contains(&format!("annals archive restore {ID}")), "{complaint}");
    }
    assert!(!path.exists());
}

#[test]
fn full_disk_leaves_no_partial_line() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Why is the sea salt?");
    // Files end at 4096 bytes: room for ten more.
    let room = 4096 - 10 - read(&path).len() - 1;
    sandbox.append(&path, " ".repeat(room) + "\n");
    let before = read(&path);
    let script = format!("ulimit -f 8; exec \"$0\" rename {ID} Salt");
    let mut command = sandbox.command("/bin/sh");
    let answer = run(command.args(["-c", &script, testkit::program!("annals")]));
    assert!(answer.complaint(2).contains("the disk is full"), "{}", answer.err);
    assert_eq!(read(&path), before);
}

/// A `claude` that writes down where and how it was started.
fn fake_claude(sandbox: &Sandbox) -> (PathBuf, PathBuf) {
    let (folder, log) = (sandbox.path().join("bin"), sandbox.path().join("log"));
    fs::create_dir(&folder).unwrap();
    let program = folder.join("claude");
    let script = format!(
        "#!/bin/sh\nexec >'{}'\n/bin/pwd\nfor word; do echo \"$word\"; done\n",
        log.display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (folder, log)
}

#[test]
fn resume_runs_claude_in_the_session_folder() {
    let sandbox = Sandbox::new();
    let (programs, log) = fake_claude(&sandbox);
    let work = fs::canonicalize(sandbox.home()).unwrap().join("it's $(here)");
    fs::create_dir(&work).unwrap();
    let cwd = work.to_str().unwrap();
    session(&sandbox, 1, cwd, "Why is the sea salt?");
    let resume = |arguments: &[&str]| {
        run(command(&sandbox, &["resume", ID]).args(arguments).env("PATH", &programs)).done();
        read(&log)
    };
    assert_eq!(resume(&[]), format!("{cwd}\n--resume\n{ID}\n"));
    assert_eq!(resume(&["--fork"]), format!("{cwd}\n--resume\n{ID}\n--fork-session\n"));
    assert_eq!(resume(&["--in", "/"]), format!("/\n--resume\n{ID}\n"));
    live(&sandbox);
    assert_eq!(resume(&["--fork"]), format!("{cwd}\n--resume\n{ID}\n--fork-session\n"));
    fs::remove_file(&log).unwrap();
    let printed = annals(&sandbox, &["resume", ID, "--print"]).done().out;
    let quoted = render::shell_quoted(cwd);
    assert_eq!(printed, format!("cd {quoted} && claude --resume {ID}\n"));
    assert!(!log.exists(), "printing starts nothing");
}

#[test]
fn a_printed_resume_command_runs_nothing_else_in_any_shell() {
    let sandbox = Sandbox::new();
    printing_program(&sandbox.home(), "claude");
    let folder = |name: &str| sandbox.home().join(name).to_str().unwrap().to_owned();
    let mut refused = 0;
    for (number, name) in (1..).zip(HOSTILE_WORDS) {
        let cwd = folder(name);
        fs::create_dir(&cwd).unwrap();
        session(&sandbox, number, &cwd, "Why is the sea salt?");
        let id = session_id(number);
        let answer = annals(&sandbox, &["resume", &id, "--print"]);
        if !render::untrusted::is_harmless_line(name) {
            let complaint = answer.complaint(2);
            assert!(complaint.contains("no shell command can resume"), "{complaint}");
            assert!(complaint.contains(&format!("hint: annals resume {id}")), "{complaint}");
            refused += 1;
            continue;
        }
        let printed_command = answer.done().out;
        for shell in Shell::installed() {
            let read = shell.run(&printed_command, &sandbox.home());
            assert_eq!(read, printed(&cwd, &["--resume", &id]), "{shell:?} {printed_command}");
        }
    }
    assert_eq!(refused, 3, "line breaks, controls and bidi characters");
    // A folder that does not exist is only an error of `cd`.
    let gone = format!(r"{}/nowhere/\'; touch x; #", sandbox.path().display());
    session(&sandbox, 99, &gone, "Why is the sea salt?");
    let command = annals(&sandbox, &["resume", &session_id(99), "--print"]).done().out;
    for shell in Shell::installed() {
        let read = shell.run(
            &format!("{} || echo gone", command.trim_end()).replace("cd ", "cd 2>/dev/null "),
            &sandbox.home(),
        );
        assert_eq!(read, "gone\n", "{shell:?} {command}");
    }
}

#[test]
fn refused_resume_gives_the_reason() {
    let sandbox = Sandbox::new();
    let (programs, log) = fake_claude(&sandbox);
    session(&sandbox, 1, "/nowhere/at/all", "Why is the sea salt?");
    session(&sandbox, 3, r"C:\Users\ada", "On another system");
    let other = Sandbox::new();
    session(&other, 2, "/", "Elsewhere");
    let other = other.config();
    let table: [(&[&str], &str, i32, &str); 6] = [
        (&["resume", ID], "absolute", 1, "--in DIR"),
        (&["resume", &session_id(3)], "absolute", 2, r"was in C:\Users\ada, a folder of Windows"),
        (&["resume", ID, "--in", "/"], "none", 2, "claude is not on PATH"),
        // It would be looked for in the session's own folder.
        (
            &["resume", ID, "--in", programs.to_str().unwrap()],
            "relative",
            2,
            "claude is not on PATH",
        ),
        (
            &["resume", &session_id(2), "--root", other.to_str().unwrap()],
            "absolute",
            2,
            "CLAUDE_CONFIG_DIR",
        ),
        (&["resume", ID, "--print", "--json"], "absolute", 2, "--print"),
    ];
    for (arguments, path, code, expected) in table {
        let mut command = command(&sandbox, arguments);
        match path {
            "absolute" => command.env("PATH", &programs),
            "relative" => command.env("PATH", ".:"),
            _ => command.env_remove("PATH"),
        };
        let answer = run(&mut command);
        let complaint = answer.complaint(code);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
    assert!(!log.exists(), "nothing was started");
}

#[test]
fn demo_sessions_are_printed_and_not_resumed() {
    insta::assert_snapshot!(demo(&["resume", "3f9c1d7e", "--print", "--fork"]).done().out, @"cd /home/ada/tidepool && claude --resume 3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645 --fork-session");
    let answer = demo(&["resume", "3f9c1d7e"]);
    assert!(answer.complaint(2).contains("--print"), "{}", answer.err);
    demo(&["rename", "3f9c1d7e", "Another title"]).done();
}
