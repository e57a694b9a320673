//! A database of OpenCode that cannot be read: every answer says it, and nobody calls its
//! sessions deleted.

use crate::cli::support::run::{Answer, annals, command, run, session};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use testkit::{Sandbox, session_id};

/// A session of OpenCode.
const OWN: &str = "ses_0a1b2c3d4e5fKelpKelpKelpKe";

fn folder(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join(".local/share/opencode")
}

/// Writes a database that SQLite cannot read.
fn damage(sandbox: &Sandbox) -> PathBuf {
    let path = folder(sandbox).join("opencode.db");
    fs::create_dir_all(folder(sandbox)).unwrap();
    fs::write(&path, "no database ".repeat(1000)).unwrap();
    path
}

/// A session in the files of an older OpenCode.
fn older_tree(sandbox: &Sandbox) {
    let write = |below: String, text: Value| {
        let path = folder(sandbox).join("storage").join(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.to_string()).unwrap();
    };
    let times = json!({"created": 1_768_000_000_000_u64, "updated": 1_768_000_000_000_u64});
    write(
        format!("session/proj/{OWN}.json"),
        json!({"id": OWN, "version": "1.1", "projectID": "proj", "directory": "/kelp", "title": "Fish", "time": times}),
    );
    write(
        format!("message/{OWN}/msg_1.json"),
        json!({"id": "msg_1", "sessionID": OWN, "role": "user", "time": times}),
    );
    write(
        "part/msg_1/prt_1.json".to_owned(),
        json!({"id": "prt_1", "sessionID": OWN, "messageID": "msg_1", "type": "text", "text": "Count the fish"}),
    );
}

fn warning(path: &std::path::Path) -> String {
    let path = path.display();
    format!("sessions of OpenCode may be missing: cannot read {path}: not a SQLite database")
}

/// The errors on one line.
fn said(answer: &Answer) -> String {
    answer.err.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_answer_says_that_a_database_cannot_be_read() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
    let path = damage(&sandbox);
    let id = session_id(1);
    let commands: &[&[&str]] = &[
        &[],
        &["ls"],
        &["projects"],
        &["prompts"],
        &["info", &id],
        &["show", &id],
        &["show", &id, "--view", "all"],
        &["tree", &id],
        &["agents", &id],
        &["context", &id],
        &["search", "kelp"],
        &["sql", "SELECT count(*) FROM sessions"],
        &["grep", "kelp"],
        &["files"],
        &["tools"],
        &["usage"],
        &["mark"],
        &["doctor"],
        &["archive", "sync"],
        &["archive", "ls"],
    ];
    for arguments in commands {
        let shown = annals(&sandbox, arguments);
        assert_eq!(shown.code, 0, "{arguments:?}: {}", shown.err);
        let expected = format!("annals: warning: {}", warning(&path));
        assert!(said(&shown).starts_with(&expected), "{arguments:?}: {}", shown.err);
        let document = annals(&sandbox, &[*arguments, &["--json"]].concat()).json();
        let expected = json!([{
            "kind": "app_not_read",
            "app": "opencode",
            "path": path.to_str().unwrap(),
            "message": warning(&path),
        }]);
        assert_eq!(document["warnings"], expected, "{arguments:?}");
        let without = annals(&sandbox, &[&["--app", "claude"], *arguments, &["--json"]].concat());
        let without = without.done().json();
        assert_eq!(without.get("warnings"), None, "{arguments:?}");
    }
}

#[test]
fn nothing_found_beside_an_unread_database_is_a_failure_with_its_reason() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
    annals(&sandbox, &["search", "kelp"]).done();
    assert_eq!(annals(&sandbox, &["search", "volcano"]).code, 1);
    let path = damage(&sandbox);
    let nothing = annals(&sandbox, &["search", "volcano"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (2, "No hits in what the index has.\n"));
    let reason = format!("not everything could be searched: {}", warning(&path));
    assert!(said(&nothing).ends_with(&reason), "{}", nothing.err);
    for arguments in
        [&["grep", "volcano"][..], &["grep", "-l", "volcano"], &["grep", "-c", "volcano"]]
    {
        let nothing = annals(&sandbox, arguments);
        assert_eq!(nothing.code, 2, "{arguments:?}");
        assert!(said(&nothing).ends_with(&reason), "{}", nothing.err);
    }
    for word in ["search", "grep"] {
        let without = annals(&sandbox, &[word, "volcano", "--app", "claude"]);
        assert_eq!((without.code, without.err.as_str()), (1, ""));
    }
}

#[test]
fn sessions_behind_an_unread_database_are_not_called_deleted() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
    older_tree(&sandbox);
    annals(&sandbox, &["archive", "sync"]).done();
    let id = format!("opencode:{OWN}");
    let of = |arguments: &[&str]| {
        let listed = annals(&sandbox, &[arguments, &["--json"]].concat()).json();
        let sessions = listed["sessions"].as_array().unwrap().clone();
        let own = sessions.into_iter().find(|row| row["id"] == id.as_str());
        (own.map(|row| row["presence"].clone()), listed["archive"].clone())
    };
    assert_eq!(of(&["archive", "ls"]).0, Some(json!("disk")));
    // OpenCode has moved its sessions into a database that annals cannot read.
    fs::remove_dir_all(folder(&sandbox).join("storage")).unwrap();
    let path = damage(&sandbox);
    let (presence, archive) = of(&["archive", "ls"]);
    assert_eq!(presence, Some(json!("unknown")));
    assert_eq!(
        (&archive["deleted_from_disk"], &archive["unknown_on_disk"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(of(&["archive", "ls", "--deleted"]).0, None);
    assert_eq!(of(&["ls", "--deleted"]).0, None);
    let text = annals(&sandbox, &["archive", "ls"]).out;
    assert!(text.contains("unknown") && !text.contains("deleted  "), "{text}");
    assert!(text.contains("0 sessions deleted from disk, 1 may be on disk"), "{text}");
    let files = annals(&sandbox, &["archive", "ls", &id]).out;
    assert!(files.contains("unknown") && !files.contains("deleted"), "{files}");
    let info = annals(&sandbox, &["info", &id]).out;
    assert!(info.contains("unknown whether it is on disk") && !info.contains("deleted"), "{info}");
    let home = annals(&sandbox, &["--json"]).json();
    assert_eq!(home["archive_only"], 0, "{home}");
    let mut forget = command(&sandbox, &["archive", "forget", &id]);
    let question = run(&mut forget);
    assert!(said(&question).contains("OpenCode may still have its transcript"), "{}", question.err);
    // Without the database they are deleted.
    fs::remove_file(path).unwrap();
    assert_eq!(of(&["archive", "ls"]).0, Some(json!("archive")));
    assert_eq!(of(&["ls", "--deleted"]).0, Some(json!("archive")));
}
