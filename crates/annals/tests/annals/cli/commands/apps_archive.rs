//! Sessions of other apps in the archive: read when the app's folder is gone, and from the
//! archive of another machine.

use crate::cli::commands::apps::{THREAD, configure, two_apps};
use crate::cli::support::run::annals;
use serde_json::{Value, json};
use std::fs;
use testkit::{Sandbox, assistant, chained, session_id, user};

/// A machine with a session of Claude Code and an archived one of Codex, whose folder is gone.
fn without_folder() -> (Sandbox, String, Value) {
    let (sandbox, _) = two_apps();
    let shown = annals(&sandbox, &["show", "codex:0198"]).done().out;
    let usage = annals(&sandbox, &["usage", "--by", "app", "--json"]).done().json();
    annals(&sandbox, &["archive", "sync"]).done();
    fs::remove_dir_all(sandbox.home().join(".codex")).unwrap();
    (sandbox, shown, usage)
}

/// The presence of the thread in a list.
fn presence(sandbox: &Sandbox, arguments: &[&str]) -> Option<Value> {
    let listed = annals(sandbox, &[&["ls", "--json"], arguments].concat()).done().json();
    let sessions = listed["sessions"].as_array().unwrap().clone();
    let of_codex = |row: &&Value| row["id"] == format!("codex:{THREAD}");
    sessions.iter().find(of_codex).map(|row| row["presence"].clone())
}

#[test]
fn sessions_of_an_app_without_a_folder_are_read_from_the_archive() {
    let (sandbox, shown, usage) = without_folder();
    assert_eq!(presence(&sandbox, &[]), None, "it is not on disk");
    for apps in [[].as_slice(), &["--app", "codex"]] {
        let arguments = [&["--deleted"], apps].concat();
        assert_eq!(presence(&sandbox, &arguments), Some(json!("archive")), "{apps:?}");
    }
    assert_eq!(presence(&sandbox, &["--deleted", "--app", "claude"]), None);
    assert_eq!(annals(&sandbox, &["show", "codex:0198"]).done().out, shown);
    // Without an index, while it is built, and from it.
    for _ in 0..3 {
        let now = annals(&sandbox, &["usage", "--by", "app", "--json"]).done().json();
        assert_eq!(now["total"], usage["total"]);
        let alone = annals(&sandbox, &["usage", "--app", "claude", "--json"]).done().json();
        assert_eq!(alone["total"]["calls"], 1);
        for (apps, hits) in
            [([].as_slice(), 1), (&["--app", "codex"], 1), (&["--app", "claude"], 0)]
        {
            let found = annals(&sandbox, &[&["search", "Raise", "--json"], apps].concat());
            assert_eq!(found.json()["hits"].as_array().unwrap().len(), hits, "{apps:?}");
        }
    }
    let raw = annals(&sandbox, &["show", "codex:0198", "--raw"]).done();
    assert!(raw.out.contains("session_meta"), "{}", raw.out);
    assert!(!sandbox.home().join(".codex").exists(), "the app's folder is not made again");
}

#[test]
fn machine_with_archived_apps_alone_has_sessions() {
    let (sandbox, shown, _) = without_folder();
    fs::remove_dir_all(sandbox.config()).unwrap();
    assert_eq!(presence(&sandbox, &["--deleted", "--app", "codex"]), Some(json!("archive")));
    let found = annals(&sandbox, &["show", "codex:0198", "--app", "codex"]).done().out;
    assert_eq!(found, shown);
}

#[test]
fn archived_sessions_of_an_app_that_is_switched_off_are_not_shown() {
    let (sandbox, ..) = without_folder();
    configure(&sandbox, "[apps]\ncodex = false\n");
    assert_eq!(presence(&sandbox, &["--deleted"]), None);
    assert_eq!(annals(&sandbox, &["show", "codex:0198"]).code, 1);
    let usage = annals(&sandbox, &["usage", "--json"]).done().json();
    assert_eq!(usage["total"]["calls"], 1, "the call of Claude Code");
}

#[test]
fn sessions_of_apps_in_the_archive_of_another_machine_are_read() {
    let (theirs, shown, usage) = without_folder();
    let sandbox = Sandbox::new();
    let lines = [user("Mend the net"), assistant("Done")].map(|line| line.cwd("/work/net"));
    sandbox.session("/work/net", &session_id(7), chained(lines));
    let archive = theirs.annals_home().join("archive").to_string_lossy().into_owned();
    annals(&sandbox, &["archive", "import", &archive]).done();
    for apps in [[].as_slice(), &["--app", "codex"]] {
        let arguments = [&["--deleted"], apps].concat();
        assert_eq!(presence(&sandbox, &arguments), Some(json!("archive")), "{apps:?}");
    }
    assert_eq!(annals(&sandbox, &["show", "codex:0198"]).done().out, shown);
    let of_codex = |usage: &Value| {
        let rows = usage["rows"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["key"]["app"] == "codex").expect("a row of Codex")
    };
    for _ in 0..3 {
        let now = annals(&sandbox, &["usage", "--by", "app", "--json"]).done().json();
        assert_eq!(of_codex(&now), of_codex(&usage));
        for (apps, hits) in
            [([].as_slice(), 1), (&["--app", "codex"], 1), (&["--app", "claude"], 0)]
        {
            let found = annals(&sandbox, &[&["search", "Raise", "--json"], apps].concat());
            assert_eq!(found.json()["hits"].as_array().unwrap().len(), hits, "{apps:?}");
        }
        let own = annals(&sandbox, &["search", "net", "--app", "codex", "--json"]);
        assert_eq!(own.json()["hits"], json!([]), "{own:?}");
    }
    configure(&sandbox, "[apps]\ncodex = false\n");
    assert_eq!(presence(&sandbox, &["--deleted"]), None);
}

#[test]
fn files_that_cannot_be_read_are_archived_all_the_same() {
    let (sandbox, path) = two_apps();
    let thread = "0198f2a0-0000-7000-8000-000000000009";
    let name = format!("rollout-2026-01-31T13-00-00-{thread}.jsonl.zst");
    let unreadable = path.parent().unwrap().join(name);
    let before = annals(&sandbox, &["archive", "sync", "--json"]).done().json();
    fs::write(&unreadable, "not compressed at all").unwrap();
    let after = annals(&sandbox, &["archive", "sync", "--json"]);
    assert_eq!(after.code, 0, "{}", after.err);
    assert!(after.err.contains("sessions of Codex may be missing"), "{}", after.err);
    let files = |document: &Value| document["files"].as_u64().unwrap();
    assert_eq!(files(&after.json()), files(&before) + 1, "{}", after.out);
    assert_eq!(after.json()["changed"], 1, "{}", after.out);
    fs::remove_file(&unreadable).unwrap();
    annals(&sandbox, &["archive", "verify"]).done();
}
