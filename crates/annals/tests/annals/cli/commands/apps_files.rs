//! Files that other apps changed: in lists, in the history of a file, and line by line.

use crate::cli::commands::apps::{THREAD, codex_lines, text_of, write_codex};
use crate::cli::support::run::{annals, text};
use serde_json::{Value, json};
use std::fs;
use testkit::Sandbox;

/// A thread of Codex with one patch that creates a file and changes another.
fn patch_lines() -> Vec<Value> {
    let mut lines = codex_lines(THREAD);
    let patch = "*** Begin Patch\n*** Add File: moon.rs\n+full\n+new\n*** Update File: tide.rs\n@@\n fn tide\n-low\n+high\n+higher\n*** End Patch";
    lines[6]["payload"]["input"] = json!(patch);
    lines
}

#[test]
fn patch_of_two_files_is_a_change_of_each() {
    let sandbox = Sandbox::new();
    write_codex(&sandbox, THREAD, &text_of(&patch_lines()));
    let mut lists = Vec::new();
    // Read from the sessions, then from the index.
    for _ in 0..2 {
        let listed = annals(&sandbox, &["files", "--json"]).done().json();
        let mut rows: Vec<(String, u64, u64, u64)> = listed["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| {
                let number = |key: &str| file[key].as_u64().unwrap_or_default();
                let path = file["path"].as_str().unwrap().to_owned();
                (path, number("changes"), number("added"), number("removed"))
            })
            .collect();
        rows.sort();
        lists.push(rows);
        annals(&sandbox, &["search", "tide", "--json"]).done();
    }
    let expected =
        [("/work/kelp/moon.rs".to_owned(), 1, 2, 0), ("/work/kelp/tide.rs".to_owned(), 1, 2, 1)];
    assert_eq!(lists, [expected.to_vec(), expected.to_vec()]);
    let query = "SELECT file, operation, added, removed FROM touches ORDER BY file";
    let touches = annals(&sandbox, &["sql", query]).done().out;
    for (path, operation) in [("moon.rs", "create"), ("tide.rs", "change")] {
        assert!(
            touches.lines().any(|line| line.contains(path) && line.contains(operation)),
            "{touches}"
        );
    }
    let history = annals(&sandbox, &["files", "/work/kelp/tide.rs"]).done().out;
    assert!(history.contains("+higher") && !history.contains("+full"), "{history}");
}

#[test]
fn moved_file_is_a_change_of_both_paths() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path().join("kelp");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("ebb.rs"), "fn tide\nhigh\n").unwrap();
    let mut lines = codex_lines(THREAD);
    for line in &mut lines[..2] {
        line["payload"]["cwd"] = json!(folder.to_string_lossy());
    }
    let patch = "*** Begin Patch\n*** Update File: tide.rs\n*** Move to: ebb.rs\n@@\n fn tide\n-low\n+high\n*** End Patch";
    lines[6]["payload"]["input"] = json!(patch);
    write_codex(&sandbox, THREAD, &text_of(&lines));
    let place = |name: &str| folder.join(name).to_string_lossy().into_owned();
    // Read from the session, then from the index.
    for _ in 0..2 {
        let listed = annals(&sandbox, &["files", "--json"]).done().json();
        let mut rows: Vec<(String, Value, Value, Value)> = listed["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| {
                let value = |key: &str| file[key].clone();
                (text(&file["path"]), value("changes"), value("added"), value("removed"))
            })
            .collect();
        rows.sort_by(|one, two| one.0.cmp(&two.0));
        let expected = [
            (place("ebb.rs"), json!(1), json!(1), json!(1)),
            (place("tide.rs"), json!(1), json!(0), json!(0)),
        ];
        assert_eq!(rows, expected);
        annals(&sandbox, &["search", "tide", "--json"]).done();
    }
    let query = "SELECT file, operation, added FROM touches ORDER BY file";
    let touches = annals(&sandbox, &["sql", query]).done().out;
    assert!(touches.contains("ebb.rs") && touches.contains("tide.rs"), "{touches}");
    let history = annals(&sandbox, &["files", &place("ebb.rs")]).done().out;
    assert!(history.contains("+high"), "{history}");
    let blame = annals(&sandbox, &["files", "--blame", &place("ebb.rs"), "--json"]).done().json();
    let lines = blame["lines"].as_array().unwrap();
    let explained: Vec<bool> = lines.iter().map(|line| line["explained"] == true).collect();
    assert_eq!(explained, [false, true], "{blame}");
}

#[test]
fn lines_of_a_file_name_the_patch_of_codex_that_wrote_them() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path().join("kelp");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("moon.rs"), "full\nnew\nmine\n").unwrap();
    fs::write(folder.join("tide.rs"), "fn tide\nhigh\nhigher\nmine\n").unwrap();
    let mut lines = patch_lines();
    for line in &mut lines[..2] {
        line["payload"]["cwd"] = json!(folder.to_string_lossy());
    }
    write_codex(&sandbox, THREAD, &text_of(&lines));
    let table = [
        ("moon.rs", [true, true, false].as_slice()),
        ("tide.rs", [false, true, true, false].as_slice()),
    ];
    for (name, expected) in table {
        let path = folder.join(name).to_string_lossy().into_owned();
        let blame = annals(&sandbox, &["files", "--blame", &path, "--json"]).done().json();
        let lines = blame["lines"].as_array().unwrap();
        let explained: Vec<bool> = lines.iter().map(|line| line["explained"] == true).collect();
        assert_eq!(explained, expected, "{blame}");
        assert_eq!(lines[1]["session_id"], format!("codex:{THREAD}"));
    }
}
